package service

import (
	"context"
	"slices"
	"time"

	"parlance/internal/compile"
	"parlance/internal/compile/sqlgen"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// maxPlan is the characters of a plan that are shown.
const maxPlan = 6000

// ExplainOptions are what a transport decides about an explanation.
type ExplainOptions struct {
	DefaultRows int64 // rows when the query names no limit
	Statements  bool  // with the texts of the statements; for those who may see them
	Run         bool  // the statements are run and timed, and the database is asked for its plans; with Statements only
}

// Explanation is the answer of dataset.explain_query: what a query means and, for who may see it, how it is run.
type Explanation struct {
	Model      string            `json:"model"`
	Summary    string            `json:"summary"` // the whole query in a sentence
	Rows       string            `json:"rows"`    // what a row of the model is
	Columns    []ExplainedColumn `json:"columns"`
	Joins      []string          `json:"joins"` // captions of the dimensions that are read beside the model's own rows
	Applied    Applied           `json:"applied"`
	Limit      string            `json:"limit"`
	Freshness  *Freshness        `json:"freshness,omitempty"`
	Warnings   []string          `json:"warnings,omitempty"`
	Statements []StatementReport `json:"statements,omitempty"`
}

// ExplainedColumn is a column of the answer and what its values are.
type ExplainedColumn struct {
	Name     string `json:"name"`
	Caption  string `json:"caption"`
	DataType string `json:"dataType"`
	Meaning  string `json:"meaning"`
}

// Freshness is which days the data covers, and the day from which relative dates count.
type Freshness struct {
	*TimeRange
	Today string `json:"today"`
}

// StatementReport is one statement. Rows, Millis and Plan are there where it was run.
type StatementReport struct {
	Purpose string   `json:"purpose"` // page, count, subtotals or totals
	SQL     string   `json:"sql"`
	Rows    *int64   `json:"rows,omitempty"`
	Millis  *float64 `json:"ms,omitempty"`
	Plan    string   `json:"plan,omitempty"`
}

// Explain says what a query means. It refuses what Query refuses.
func (s *Service) Explain(ctx context.Context, c Caller, model string, q *query.Query, o ExplainOptions) (*Explanation, error) {
	t, err := s.find(c, model)
	if err != nil {
		return nil, err
	}
	o.Run = o.Run && o.Statements
	entry := s.noteQuery(ctx, t, q, QueryOptions{ShowSQL: o.Statements, Validate: !o.Run})
	now := s.today(ctx, t.view, t.seen)
	compiled, err := compile.Query(s.request(t, q, o.DefaultRows, now))
	if err != nil {
		return nil, err
	}
	noteCompiled(entry, q, t.Model, compiled)
	unchecked, err := s.trust(ctx, t, compiled.Joins)
	if err != nil {
		return nil, err
	}
	e := &Explanation{
		Model: t.Name, Rows: t.Description, Joins: t.joined(q, compiled), Limit: limitWords(compiled),
		Applied:   Applied{Applied: compiled.Applied, Defaults: defaultsOf(t.seen, q, compiled)},
		Freshness: s.freshness(ctx, t, now), Warnings: slices.Concat(eachOnce(q.Warnings, compiled.Warnings), unchecked),
	}
	e.Columns = t.explained(q, compiled)
	e.Summary = t.summary(e, q, compiled)
	if o.Statements {
		e.Statements, err = s.reports(ctx, t, compiled, o.Run)
	}
	return e, err
}

// joined returns the captions of the dimensions that are joined for fields that the query itself names. What a policy's own
// condition joins beside them is not told.
func (t target) joined(q *query.Query, c *compile.Compiled) []string {
	named := map[*semantic.Dimension]bool{}
	r := reads{model: t.Model, query: q}
	r.all()
	for _, column := range c.Columns {
		r.name(column.Key)
	}
	for _, name := range r.fields {
		for d := t.Field(name).Dimension; d != nil; d = d.Parent {
			named[d] = true
		}
	}
	captions := []string{}
	for _, j := range c.Joins {
		for _, f := range t.fields {
			d := f.Dimension
			if named[d] && (d == j.Dimension || t.Multi != nil && d.Source == j.Dimension.Source) && !slices.Contains(captions, d.Caption) {
				captions = append(captions, d.Caption)
			}
		}
	}
	return captions
}

// freshness returns which days the model's data covers, nil if it has no time that the caller sees.
func (s *Service) freshness(ctx context.Context, t target, now time.Time) *Freshness {
	ctx, cancel := context.WithTimeout(ctx, describePatience)
	defer cancel()
	r := s.timeRange(ctx, t.view, t.seen)
	if r == nil {
		return nil
	}
	today := t.Calendar.Today.Fixed
	if today == "" {
		today = now.In(t.Calendar.Zone).Format(time.DateOnly)
	}
	return &Freshness{TimeRange: r, Today: today}
}

// reports returns the statements of a query and, where they are run, what each gave and took, one after the other. Plans
// tell of values and of rows beyond the caller's own, so only who sees all of the model sees them.
func (s *Service) reports(ctx context.Context, t target, c *compile.Compiled, run bool) ([]StatementReport, error) {
	if run {
		admitted, done, err := t.source.admitted(ctx)
		if err != nil {
			return nil, err
		}
		defer done()
		ctx = admitted
	}
	var list []StatementReport
	add := func(purpose string, st sqlgen.Statement) error {
		r := StatementReport{Purpose: purpose, SQL: st.SQL}
		if run {
			if err := r.time(ctx, t.source, st); err != nil {
				return err
			}
			if t.grant.Key() == "" {
				var err error
				r.Plan, err = t.source.plan(ctx, st.SQL, st.Args)
				if r.Plan = shorten(r.Plan, maxPlan); err != nil {
					s.Log.WarnContext(ctx, "a statement's plan could not be read", "model", t.Name, "error", err)
				}
			}
		}
		list = append(list, r)
		return nil
	}
	for purpose, st := range ofEach(c) {
		if err := add(purpose, st); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// ofEach yields the statements of a query with what each is for, in the order of statements.
func ofEach(c *compile.Compiled) func(yield func(string, sqlgen.Statement) bool) {
	return func(yield func(string, sqlgen.Statement) bool) {
		if !yield("page", c.Page) || !yield("count", c.Count) {
			return
		}
		for _, st := range c.Extra {
			if !yield("subtotals", st) {
				return
			}
		}
		if c.Totals != nil {
			yield("totals", *c.Totals)
		}
	}
}

// time runs a statement and notes its rows and its time.
func (r *StatementReport) time(ctx context.Context, source Source, st sqlgen.Statement) error {
	rows, began := int64(0), time.Now()
	err := source.Query(ctx, st.SQL, st.Args, func([]any) error {
		rows++
		return nil
	})
	if err != nil {
		return err
	}
	const perMilli = 1000
	millis := float64(time.Since(began).Microseconds()) / perMilli
	r.Rows, r.Millis = &rows, &millis
	return nil
}
