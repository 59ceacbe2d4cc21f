package inspect

import (
	"context"
	"strconv"
	"strings"

	"parlance/internal/compile/plan"
	"parlance/internal/compile/resolve"
	"parlance/internal/compile/sqlgen"
	"parlance/internal/dialect"
	"parlance/internal/jsontree"
	"parlance/internal/result"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

var (
	boolean = value.Type{Kind: value.Boolean}
	integer = value.Type{Kind: value.Integer}
)

// row is the texts of a statement's cells; a null is "".
type row []string

func (r row) int(i int) int64 {
	n, err := strconv.ParseInt(r[i], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// rows runs a statement.
func rows(ctx context.Context, source Source, s *plan.Select) ([]row, error) {
	statement, err := sqlgen.Generate(rewritten(s, source.Dialect().Features()), source.Dialect())
	if err != nil {
		return nil, err
	}
	columns := make([]result.Column, len(s.Columns))
	for i, c := range s.Columns {
		columns[i] = result.Column{Key: c.Name, Type: c.Expr.Type(), Measure: true}
	}
	encoder := result.NewEncoder(columns, result.Compact)
	defer encoder.Release()
	if err := source.Query(ctx, statement.SQL, statement.Args, encoder.Row); err != nil {
		return nil, err
	}
	tree, err := jsontree.Parse(encoder.Bytes())
	if err != nil {
		return nil, err
	}
	out := make([]row, len(tree.Items))
	for i, line := range tree.Items {
		for _, cell := range line.Items {
			out[i] = append(out[i], strings.TrimSuffix(cell.Text, "T00:00:00"))
		}
	}
	return out, nil
}

// rewritten returns a statement that does without what a database has not.
func rewritten(s *plan.Select, f dialect.Features) *plan.Select {
	if !f.Joins {
		return plan.SingleJoins(s, f.NoWideParts)
	}
	return s
}

// one runs a statement of a single row.
func one(ctx context.Context, source Source, s *plan.Select) (row, error) {
	found, err := rows(ctx, source, s)
	if err != nil {
		return nil, err
	}
	if len(found) != 1 {
		return make(row, len(s.Columns)), nil
	}
	return found[0], nil
}

func column(rel, name string) resolve.Column { return resolve.Column{Rel: rel, Name: name} }

func columns(rel string, names []string) []resolve.Expr {
	list := make([]resolve.Expr, len(names))
	for i, n := range names {
		list[i] = column(rel, n)
	}
	return list
}

func number(rel, name string) resolve.Column { return resolve.Column{Rel: rel, Name: name, T: integer} }

func op(fn resolve.Fn, args ...resolve.Expr) resolve.Expr {
	return &resolve.Op{Fn: fn, Args: args, T: boolean}
}

// folded joins conditions; a single one stands alone.
func folded(fn resolve.Fn, conditions []resolve.Expr) resolve.Expr {
	if len(conditions) == 1 {
		return conditions[0]
	}
	return op(fn, conditions...)
}

func anyNull(list []resolve.Expr) resolve.Expr {
	nulls := make([]resolve.Expr, len(list))
	for i, e := range list {
		nulls[i] = op(resolve.IsNull, e)
	}
	return folded(resolve.Or, nulls)
}

func noneNull(list []resolve.Expr) resolve.Expr { return op(resolve.Not, anyNull(list)) }

func literal(n int) resolve.Literal {
	return resolve.Literal{V: value.Of(value.Integer, strconv.Itoa(n)), T: integer}
}

func moreThanOne(n resolve.Expr) resolve.Expr { return op(resolve.Gt, n, literal(1)) }

func countRows(name string) plan.Output {
	return plan.Output{Name: name, Expr: &resolve.Agg{Fn: semantic.Count, T: integer}}
}

func sum(name string, of resolve.Column, t value.Type) plan.Output {
	of.T = t
	return plan.Output{Name: name, Expr: &resolve.Agg{Fn: semantic.Sum, Arg: of, T: t}}
}

// sums adds up measures of the model's rows.
func sums(rel string, measures []*semantic.Measure) []plan.Output {
	list := make([]plan.Output, len(measures))
	for i, m := range measures {
		list[i] = sum("s"+strconv.Itoa(i), column(rel, m.Column), m.Type)
	}
	return list
}

func keyName(i int) string { return "k" + strconv.Itoa(i) }

func keyNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = keyName(i)
	}
	return names
}

// tally counts the rows of a source by the values of some columns, which become k0, k1, …; the count is n. Rows with
// a null among them are left out unless nulls count.
func tally(src semantic.Source, by []string, nullsCount bool) *plan.Select {
	s := &plan.Select{From: plan.Table{Source: src, Alias: "t"}, GroupBy: columns("t", by)}
	for i, e := range s.GroupBy {
		s.Columns = append(s.Columns, plan.Output{Name: keyName(i), Expr: e})
	}
	s.Columns = append(s.Columns, countRows("n"))
	if !nullsCount {
		s.Where = noneNull(s.GroupBy)
	}
	return s
}

// matching joins an inner stage on its k0, k1, … and keeps rows without a match.
func matching(to *plan.Select, alias string, on []resolve.Column) plan.Join {
	j := plan.Join{To: plan.Derived{Select: to, Alias: alias}}
	for i, c := range on {
		j.On = append(j.On, plan.Pair{Left: c, Right: column(alias, keyName(i))})
	}
	return j
}
