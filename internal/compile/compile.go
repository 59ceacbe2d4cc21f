// Package compile turns a query over a model, under a grant, into the statements of one database.
// It calls resolve, plan and sqlgen in order; it runs nothing.
package compile

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"time"

	"parlance/internal/access"
	"parlance/internal/compile/plan"
	"parlance/internal/compile/resolve"
	"parlance/internal/compile/sqlgen"
	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/result"
	"parlance/internal/semantic"
)

// Request is all that a compilation depends on.
type Request struct {
	Model   *semantic.Model
	Query   *query.Query
	Grant   access.Grant
	Dialect dialect.Dialect
	Limits  Limits
	Now     time.Time // the clock of relative dates; the model's calendar may fix another day
	Rollups []Rollup  // of the model, those to try first standing first; they may not be changed afterwards

	summary bool // one value for each column over all rows
}

// Limits bound the rows of one answer. Both must be set; what a payload may hold is bounded where it is decoded.
type Limits struct {
	DefaultRows int64 // rows when the query names no limit
	MaxRows     int64 // the most that a query may ask for
}

// Compiled is a query ready to run. Page, Count and Totals are independent statements.
type Compiled struct {
	Page         sqlgen.Statement
	Columns      []result.Column
	Count        sqlgen.Statement   // one row, one integer
	Extra        []sqlgen.Statement // rows over several groups, to stand behind the page's, with the same columns
	Totals       *sqlgen.Statement  // one row of TotalColumns; nil when there is nothing to total
	TotalColumns []result.Column    // nil unless totals were asked for
	Captions     []Join             // labels, without their ids, that make groups: members that share one merge
	Joins        []Join             // what the statements join to the rows of the model

	Start, Limit int64
	LimitSource  LimitSource
	Grouped      bool
	Applied      Applied
	Masked       []string // fields that the grant shows as masks, whether or not the caller is told
	Rollup       *Rollup  // that the statements read, of its own database; nil: they read the model's
	Warnings     []string

	digest string // of the statements' texts; "": not known yet
}

// Digest returns what tells the texts of these statements, and the columns that their rows become, from those of others,
// whatever the arguments.
func (c *Compiled) Digest() string {
	if c.digest != "" {
		return c.digest
	}
	var b []byte
	text := func(t string) { b = append(binary.AppendUvarint(b, uint64(len(t))), t...) }
	for _, st := range statementsOf(c) {
		text(st.SQL)
	}
	for _, columns := range [][]result.Column{c.Columns, c.TotalColumns} {
		b = binary.AppendUvarint(b, uint64(len(columns)))
		for _, column := range columns {
			text(column.Key)
			b = fmt.Appendf(b, "%v %v", column.Type, column.Measure)
		}
	}
	sum := sha256.Sum256(b)
	return string(sum[:])
}

// LimitSource says who chose the limit.
type LimitSource string

// The limit sources.
const (
	LimitGiven   LimitSource = "query"
	LimitDefault LimitSource = "default"
)

// Applied says what was done that the caller may want to check: resolved filters, defaults, time ranges.
type Applied struct {
	Mode    string   `json:"mode"` // detail or grouped
	GroupBy []string `json:"groupBy,omitempty"`
	Before  []string `json:"filteredBefore,omitempty"` // conditions on rows, in words
	After   []string `json:"filteredAfter,omitempty"`  // conditions on groups
	Ranges  []Range  `json:"timeRanges,omitempty"`
	Access  *Access  `json:"access,omitempty"` // nil: the grant narrows nothing, or that must not be known
}

// Access says what the caller's grant did to the answer.
type Access struct {
	RowsLimited bool     `json:"rowsLimited,omitempty"` // others may see more rows
	Masked      []string `json:"masked,omitempty"`      // fields that are shown as masks
	MinGroup    int64    `json:"minGroup,omitempty"`    // groups of fewer members are withheld
}

// Range is a resolved period: from is in it, to is not; "" is open.
type Range struct {
	Field string `json:"field"`
	From  string `json:"from,omitempty"`
	To    string `json:"to,omitempty"`
}

// Query compiles a query.
func Query(req Request) (*Compiled, error) {
	q, err := resolve.Resolve(resolve.Request{
		Model: req.Model, Query: req.Query, Grant: req.Grant, Now: req.Now, Summary: req.summary, DefaultRows: req.Limits.DefaultRows, MaxRows: req.Limits.MaxRows,
	})
	if err != nil {
		return nil, err
	}
	p, err := plan.Build(q)
	if err != nil {
		return nil, err
	}
	c := describe(q)
	c.Joins = joins(q.Model, p)
	p = rewritten(p, req.Dialect.Features())
	if err := checkFeatures(p, req.Dialect.Features()); err != nil {
		return nil, err
	}
	if over, r := fromRollup(req, q); r != nil {
		p, c.Rollup, req.Dialect = over, r, r.Dialect
		c.Joins = nil // which were trusted when it was built
	}
	for _, d := range q.Captions {
		c.Captions = append(c.Captions, Join{Dimension: d, Source: d.Source, Key: []string{d.Label}})
	}
	if c.Page, err = sqlgen.Generate(p.Page, req.Dialect); err != nil {
		return nil, err
	}
	if c.Count, err = sqlgen.Generate(p.Count, req.Dialect); err != nil {
		return nil, err
	}
	for _, x := range p.Extra {
		st, err := sqlgen.Generate(x, req.Dialect)
		if err != nil {
			return nil, err
		}
		c.Extra = append(c.Extra, st)
	}
	if p.Totals != nil {
		totals, err := sqlgen.Generate(p.Totals, req.Dialect)
		if err != nil {
			return nil, err
		}
		c.Totals = &totals
	}
	return c, nil
}

// Summary compiles a KPI summary: one value for each column, a measure or an aggregate, over the rows of the slice
// (contract 4.4). The statement gives one row.
func Summary(req Request) (*sqlgen.Statement, []result.Column, error) {
	c, err := Summarize(req)
	if err != nil {
		return nil, nil, err
	}
	return c.Totals, c.TotalColumns, nil
}

// Summarize compiles a KPI summary as Summary does: Totals is its statement.
func Summarize(req Request) (*Compiled, error) {
	if err := onlyMeasures(req); err != nil {
		return nil, err
	}
	q := *req.Query
	q.ReturnTotal = true
	req.Query, req.summary = &q, true
	c, err := Query(req)
	if err != nil {
		return nil, err
	}
	if len(c.TotalColumns) != len(c.Columns) {
		return nil, notAMeasure(c)
	}
	for i := range c.TotalColumns {
		c.TotalColumns[i].Key = c.Columns[i].Key
	}
	return c, nil
}

// onlyMeasures refuses a plain column that is no measure, which would make groups.
func onlyMeasures(req Request) error {
	for i, col := range req.Query.Columns {
		ref, ok := col.Expr.(*query.Ref)
		if !ok {
			continue
		}
		f := req.Model.Field(ref.Name)
		if f != nil && req.Grant.Field(f) != access.Hidden && f.Measure == nil {
			return notMeasure(ref.Name, i)
		}
	}
	return nil
}

func notMeasure(name string, i int) error {
	e := fault.Invalidf("not_a_measure", "columns["+strconv.Itoa(i)+"]", "%s is not a measure", name)
	e.Got, e.Hint = name, "queryKpi summarises measures and aggregates, such as sum(x)"
	return e
}

func notAMeasure(c *Compiled) error {
	totalled := map[string]bool{}
	for _, t := range c.TotalColumns {
		totalled[t.Key] = true
	}
	for i, col := range c.Columns {
		if !totalled[col.Key] {
			return notMeasure(col.Key, i)
		}
	}
	return notMeasure(c.Columns[0].Key, 0)
}

func describe(q *resolve.Query) *Compiled {
	c := &Compiled{
		Start: q.Start, Limit: q.Limit, LimitSource: LimitDefault, Grouped: q.Grouped, Warnings: q.Warnings, Masked: q.Access.Masked,
		Columns: columns(q.Columns),
		Applied: Applied{Mode: "detail", Before: q.Before, After: q.After},
	}
	if q.Totals != nil {
		c.TotalColumns = columns(q.Totals)
	}
	if q.LimitGiven {
		c.LimitSource = LimitGiven
	}
	if q.Grouped {
		c.Applied.Mode = "grouped"
		c.Applied.GroupBy = q.KeyNames
	}
	if a := q.Access; !a.Secret && (a.Rows || len(a.Masked) > 0) {
		c.Applied.Access = &Access{RowsLimited: a.Rows, Masked: a.Masked, MinGroup: a.Group}
	}
	for _, r := range q.Ranges {
		c.Applied.Ranges = append(c.Applied.Ranges, Range(r))
	}
	return c
}

func columns(outputs []resolve.Output) []result.Column {
	list := make([]result.Column, len(outputs))
	for i, o := range outputs {
		list[i] = result.Column{Key: o.Key, Type: o.Expr.Type(), Caption: o.Caption, Measure: o.Measure}
	}
	return list
}
