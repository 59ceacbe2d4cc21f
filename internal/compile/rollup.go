package compile

import (
	"time"

	"parlance/internal/compile/plan"
	"parlance/internal/compile/resolve"
	"parlance/internal/compile/reuse"
	"parlance/internal/compile/sqlgen"
	"parlance/internal/dialect"
	"parlance/internal/result"
	"parlance/internal/semantic"
)

// Rollup is a rollup of a model that may be read in place of its rows, as far as age goes.
type Rollup struct {
	Definition *reuse.Definition
	Source     semantic.Source // the table that holds it
	Dialect    dialect.Dialect // of the database that holds it
	BuiltAt    time.Time       // the moment of the rows that it was built from
	Watermark  string          // the newest time among them; "": not known
}

// fromRollup plans a resolved query over the first rollup that is proved to give the same answer; nil where none is. The
// plan over the model itself must have been found possible, so that no answer depends on whether there is a rollup.
func fromRollup(req Request, q *resolve.Query) (*plan.Plan, *Rollup) {
	for i := range req.Rollups {
		r := &req.Rollups[i]
		over, ok := r.Definition.Answer(q, reuse.Kept{Source: r.Source, SameEngine: r.Dialect == req.Dialect})
		if !ok {
			continue
		}
		p, err := plan.Build(over)
		if err != nil {
			continue
		}
		p = rewritten(p, r.Dialect.Features())
		if checkFeatures(p, r.Dialect.Features()) == nil {
			return p, r
		}
	}
	return nil, nil
}

// Extract is a statement that gives all rows of a resolved query, in no order.
type Extract struct {
	Statement sqlgen.Statement
	Columns   []result.Column
	Joins     []Join // that the statement trusts
}

// All compiles a resolved query without its page.
func All(q *resolve.Query, d dialect.Dialect) (*Extract, error) {
	p, err := plan.Build(q)
	if err != nil {
		return nil, err
	}
	x := &Extract{Columns: columns(q.Columns), Joins: joins(q.Model, p)}
	p.Page.Limit, p.Page.OrderBy = nil, nil
	p = rewritten(p, d.Features())
	if err := checkFeatures(p, d.Features()); err != nil {
		return nil, err
	}
	x.Statement, err = sqlgen.Generate(p.Page, d)
	return x, err
}
