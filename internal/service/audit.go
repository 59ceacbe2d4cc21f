package service

import (
	"context"
	"fmt"
	"slices"

	"parlance/internal/audit"
	"parlance/internal/compile"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// Auditor keeps the record of what is answered.
type Auditor interface {
	// Admit refuses while an answer could not be recorded.
	Admit() error
}

// admit refuses to begin what could not be recorded.
func (s *Service) admit() error {
	if s.Audit == nil {
		return nil
	}
	return s.Audit.Admit()
}

// note returns where to note what is done for the request; nil when nobody keeps a record.
func (s *Service) note(ctx context.Context, v view) *audit.Entry {
	if s.Audit == nil {
		return nil
	}
	e := RecordOf(ctx).Entry()
	e.Namespace, e.Generation = v.caller.Namespace, v.generation.ID
	return e
}

// noteQuery notes what a query asks for, whether or not it can be answered.
func (s *Service) noteQuery(ctx context.Context, t target, q *query.Query, o QueryOptions) *audit.Entry {
	e := s.note(ctx, t.view)
	if e == nil {
		return nil
	}
	e.Model, e.ShownSQL = t.Name, o.ShowSQL
	if o.Validate {
		e.Mode = "validate"
	}
	r := reads{model: t.Model, query: q, fields: make([]string, 0, usualFields)}
	r.all()
	e.Fields, e.Filters = unique(r.fields), r.filters
	return e
}

// noteCompiled notes the statements, and the fields of a query that names none.
func noteCompiled(e *audit.Entry, q *query.Query, m *semantic.Model, c *compile.Compiled) {
	if e == nil {
		return
	}
	e.Statements = statements(c)
	if len(q.Columns) > 0 {
		return
	}
	for _, column := range c.Columns {
		if f := m.Field(column.Key); f != nil {
			e.Fields = append(e.Fields, f.Name)
		}
	}
	e.Fields = unique(e.Fields)
}

// noteSummary notes the statement of a summary, which gives one row.
func noteSummary(e *audit.Entry, c *compile.Compiled) {
	if e == nil {
		return
	}
	e.Statements, e.Total = []string{c.Totals.SQL}, 1
}

func unique(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// reads gathers the fields of the model that a query names, in whatever clause, and its conditions. Names that the
// model does not know are the caller's own and are left out.
type reads struct {
	model   *semantic.Model
	query   *query.Query
	fields  []string
	filters []audit.Filter
}

// usualFields is how many names a query seldom exceeds.
const usualFields = 8

func (r *reads) all() {
	q := r.query
	for _, c := range q.Columns {
		r.expr(c.Expr)
	}
	for _, c := range q.Calculated {
		r.expr(c.Expr)
		r.window(c.Window)
	}
	for _, g := range q.GroupBy {
		r.name(g.Field)
	}
	for _, o := range q.OrderBy {
		r.expr(o.Expr)
	}
	if q.Top != nil {
		r.expr(q.Top.By.Expr)
	}
	if t := q.Time; t != nil {
		r.name(t.Field)
		for _, name := range t.Metrics {
			r.name(name)
		}
		r.filter([]string{t.Field}, "timeWindow", t.Range)
	}
	r.conditions(q.Slice)
	r.conditions(q.Having)
}

func (r *reads) name(name string) {
	if f := r.model.Field(name); f != nil {
		r.fields = append(r.fields, f.Name)
	}
}

func (r *reads) expr(e query.Expr) {
	query.Walk(e, func(e query.Expr) bool {
		if ref, ok := e.(*query.Ref); ok {
			r.name(ref.Name)
		}
		return true
	})
}

func (r *reads) window(w *query.Window) {
	if w == nil {
		return
	}
	for _, e := range w.PartitionBy {
		r.expr(e)
	}
	for _, o := range w.OrderBy {
		r.expr(o.Expr)
	}
}

func (r *reads) conditions(list []query.Condition) {
	for _, c := range list {
		switch c := c.(type) {
		case *query.Compare:
			before := len(r.fields)
			r.expr(c.Field)
			fields := slices.Clone(r.fields[before:])
			if other, ok := c.Value.(query.FieldRef); ok {
				r.expr(other.Expr)
			}
			r.filter(r.meant(c.Field, fields), c.Op.String(), c.Value)
		case *query.Logic:
			r.conditions(c.Conds)
		case *query.ExprCondition:
			before := len(r.fields)
			r.expr(c.Expr)
			r.filter(slices.Clone(r.fields[before:]), "$expr", c.Expr)
		}
	}
}

// meant returns the fields behind what a condition names: its own, or those of the column or calculated field whose
// name it is.
func (r *reads) meant(field query.Expr, own []string) []string {
	ref, ok := field.(*query.Ref)
	if !ok || len(own) > 0 {
		return own
	}
	inner := reads{model: r.model, query: r.query}
	for _, c := range r.query.Columns {
		if c.Key() == ref.Name {
			inner.expr(c.Expr)
		}
	}
	for _, c := range r.query.Calculated {
		if c.Name == ref.Name {
			inner.expr(c.Expr)
		}
	}
	return inner.fields
}

// filter notes a condition on each of the fields; one on none of them, such as count(*), stands as a star's.
func (r *reads) filter(fields []string, op string, value fmt.Stringer) {
	if len(fields) == 0 {
		fields = []string{"*"}
	}
	for _, name := range unique(fields) {
		r.filters = append(r.filters, audit.Filter{Field: name, Op: op, Value: value})
	}
}
