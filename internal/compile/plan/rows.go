package plan

import (
	"strconv"

	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// rows is the stage that reads the model's rows. Dimensions are joined only when a field of theirs is used (law 4).
type rows struct {
	model *semantic.Model
	sel   *Select
	rels  map[*semantic.Dimension]string
	trees map[*semantic.Dimension]string // aliases of the closures
	named map[*semantic.Dimension]bool   // whose ancestors' own tables are joined
	mixed bool                           // ancestors are seen as something that several of them may share
	names map[string]string              // expression → output name
}

const base = "t0"

// usualColumns is the room for columns that a stage has to begin with.
const usualColumns = 8

func newRows(m *semantic.Model) *rows {
	return &rows{
		model: m,
		sel:   &Select{From: Table{Source: m.Source, Alias: base}},
		rels:  map[*semantic.Dimension]string{},
		names: map[string]string{},
	}
}

// bind replaces fields by the columns that hold them, joining what they need.
func (r *rows) bind(e resolve.Expr) resolve.Expr {
	if _, bare := e.(resolve.Field); !bare && resolve.TreeOf(e) != nil {
		r.mixed = true
	}
	return resolve.Rewrite(e, func(x resolve.Expr) (resolve.Expr, bool) {
		switch f := x.(type) {
		case resolve.Field:
			return r.column(f), true
		case resolve.Stored:
			return resolve.Column{Rel: base, Name: f.Name, T: f.T, Stored: true}, true
		case resolve.PeriodName:
			return periodColumn(), true
		}
		return nil, false
	})
}

// column finds where a field is stored. The id of a dimension is read from the row that points to it.
func (r *rows) column(f resolve.Field) resolve.Column {
	d := f.Dimension
	if d == nil {
		return stored(base, f.Column, f)
	}
	if f.Tree {
		return stored(r.ancestors(d, f.Role != semantic.ID), r.treeColumn(f), f)
	}
	if f.Role == semantic.ID {
		for _, j := range d.Join {
			if j.To == d.ID {
				return stored(r.join(d.Parent), j.From, f)
			}
		}
	}
	return stored(r.join(d), f.Column, f)
}

func stored(rel, name string, f resolve.Field) resolve.Column {
	return resolve.Column{Rel: rel, Name: name, T: f.Type(), Stored: true, Native: f.Native}
}

// join returns the alias of a dimension's table, adding the join on first use; of no dimension, the model's own.
func (r *rows) join(d *semantic.Dimension) string {
	if d == nil {
		return base
	}
	if rel, ok := r.rels[d]; ok {
		return rel
	}
	parent := r.join(d.Parent)
	rel := tableNames.of(len(r.rels) + 1)
	r.rels[d] = rel
	j := Join{To: Table{Source: d.Source, Alias: rel}, On: make([]Pair, 0, len(d.Join))}
	for _, c := range d.Join {
		p := Pair{Left: resolve.Column{Rel: parent, Name: c.From}, Right: resolve.Column{Rel: rel, Name: c.To, T: c.Type}}
		if c.To == d.ID {
			p.Right.T = r.idType(d)
		}
		j.On = append(j.On, p)
	}
	r.sel.Joins = append(r.sel.Joins, j)
	return rel
}

// idType is the type of a dimension's ids; of one without ids of its own, none.
func (r *rows) idType(d *semantic.Dimension) value.Type {
	if f := r.model.Field(d.Path + "$id"); f != nil {
		return f.Type
	}
	return value.Type{}
}

// ancestors joins the closure of a hierarchy, which gives a row once for each ancestor of its member, and returns its
// alias or, with named, that of the ancestors' own table.
func (r *rows) ancestors(d *semantic.Dimension, named bool) string {
	closure, ok := r.trees[d]
	if !ok {
		member := r.column(resolve.Field{Field: r.model.Field(d.Path + "$id")})
		closure = "h" + strconv.Itoa(len(r.trees))
		if r.trees == nil {
			r.trees = map[*semantic.Dimension]string{}
		}
		r.trees[d] = closure
		r.sel.Joins = append(r.sel.Joins, Join{
			To: Tree{Dimension: d, Alias: closure},
			On: []Pair{{Left: member, Right: resolve.Column{Rel: closure, Name: d.Hierarchy.DescendantColumn()}, Computed: d.Hierarchy.Parent != ""}},
		})
	}
	if !named {
		return closure
	}
	table := closure + "t"
	if !r.named[d] {
		if r.named == nil {
			r.named = map[*semantic.Dimension]bool{}
		}
		r.named[d] = true
		r.sel.Joins = append(r.sel.Joins, Join{
			To: Table{Source: d.Source, Alias: table},
			On: []Pair{{
				Left:     resolve.Column{Rel: closure, Name: d.Hierarchy.AncestorColumn()},
				Right:    resolve.Column{Rel: table, Name: d.ID, T: r.idType(d), Stored: d.Hierarchy.Parent != ""},
				Computed: d.Hierarchy.Parent != "",
			}},
		})
	}
	return table
}

func (r *rows) treeColumn(f resolve.Field) string {
	if f.Role == semantic.ID {
		return f.Dimension.Hierarchy.AncestorColumn()
	}
	return f.Column
}

// output returns the stage's column of an expression, computing each expression once.
func (r *rows) output(e resolve.Expr) resolve.Column {
	key := e.String()
	name, ok := r.names[key]
	if !ok {
		name = rowNames.of(len(r.names))
		r.names[key] = name
		if r.sel.Columns == nil {
			r.sel.Columns = make([]Output, 0, usualColumns)
		}
		r.sel.Columns = append(r.sel.Columns, Output{Name: name, Expr: r.bind(e)})
	}
	return resolve.Column{Rel: rowsAlias, Name: name, T: e.Type()}
}

const rowsAlias = "r"

func (r *rows) filter(e resolve.Expr) {
	if e != nil {
		r.sel.Where = r.bind(e)
	}
}
