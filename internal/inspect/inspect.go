// Package inspect checks what models declare about data (keys, joins, trees, codes) against the data itself, and says
// what each breach would do to the numbers. It reads through plans like any query; it opens no database and mends
// nothing.
package inspect

import (
	"context"

	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/semantic"
)

// Source runs statements on one database.
type Source interface {
	// Query calls row for every row; the cells are valid only until row returns.
	Query(ctx context.Context, sql string, args []any, row func(cells []any) error) error
	Dialect() dialect.Dialect
}

// Severity says whether numbers suffer.
type Severity uint8

// The severities.
const (
	Warning Severity = iota // every number is what the data says; what the data says is unlikely to be meant
	Error                   // a number can come out wrong, or a query is refused so that it does not
)

// String returns error or warning.
func (s Severity) String() string {
	if s == Error {
		return "error"
	}
	return "warning"
}

// Finding is one breach of what a model declares.
type Finding struct {
	Severity Severity
	Model    string
	Check    string // a stable word for programs: duplicate_dimension_key, …
	Message  string // what the data holds
	Effect   string // what it does to the numbers
}

// String returns the finding on one line, without its severity.
func (f Finding) String() string {
	if f.Effect == "" {
		return f.Model + ": " + f.Message
	}
	return f.Model + ": " + f.Message + ": " + f.Effect
}

// Models checks the models in their order. A part that cannot be read is a finding; an error means that ctx ended.
func Models(ctx context.Context, models []*semantic.Model, sources map[string]Source) ([]Finding, error) {
	run := &run{told: map[Finding]bool{}}
	for _, m := range models {
		source, ok := sources[m.Datasource]
		if !ok {
			run.add(Finding{Severity: Error, Model: m.Name, Check: "unreadable", Message: "its datasource is not open"})
			continue
		}
		c := &check{run: run, source: source, model: m, measures: additive(m)}
		c.all(ctx)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return run.findings, nil
}

// run gathers the findings of all models.
type run struct {
	findings []Finding
	told     map[Finding]bool
}

func (r *run) add(f Finding) { r.findings = append(r.findings, f) }

// addOnce adds a finding about a table that several models may share; the first model has it.
func (r *run) addOnce(f Finding) {
	key := f
	key.Model = ""
	if !r.told[key] {
		r.told[key] = true
		r.add(f)
	}
}

// check is the inspection of one model.
type check struct {
	*run
	source   Source
	model    *semantic.Model
	measures []*semantic.Measure // whose sums tell what a finding is worth
}

// all runs every check of the model. One that fails does not keep the others from running.
func (c *check) all(ctx context.Context) {
	if c.model.Multi != nil {
		c.try("what its facts share", c.shared(ctx))
		return
	}
	c.try("its key", c.key(ctx))
	c.try("additivity", c.overs(ctx))
	c.try("dictionaries", c.codes(ctx, c.model.Source, "", c.model.Attributes))
	for d := range semantic.Dimensions(c.model.Dimensions) {
		c.try("dimension "+d.Path, c.dimension(ctx, d))
		c.try("dictionaries of "+d.Path, c.codes(ctx, d.Source, d.Path+"$", d.Attributes))
		if d.Hierarchy != nil {
			c.try("hierarchy "+d.Path, c.hierarchy(ctx, d))
		}
	}
}

func (c *check) try(what string, err error) {
	if err != nil {
		c.add(c.finding(Error, "unreadable", what+" could not be checked", fault.As(err).Message))
	}
}

func (c *check) finding(s Severity, check, message, effect string) Finding {
	return Finding{Severity: s, Model: c.model.Name, Check: check, Message: message, Effect: effect}
}

// additive returns the measures that are plain sums of a column.
func additive(m *semantic.Model) []*semantic.Measure {
	var sums []*semantic.Measure
	for _, ms := range m.Measures {
		if ms.Agg == semantic.Sum && ms.Filter == nil && ms.SemiAdd == nil && ms.Of == nil {
			sums = append(sums, ms)
		}
	}
	return sums
}
