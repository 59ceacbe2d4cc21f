package resolve

import (
	"parlance/internal/access"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// measureMode is what a bare measure name means where it stands.
type measureMode uint8

const (
	callerRows    measureMode = iota // the row's value; a measure that only exists aggregated is its aggregate
	groupMeasures                    // the aggregate
	rowMeasures                      // the row's value, always
)

// resolver binds the names of one query.
type resolver struct {
	model *semantic.Model
	grant access.Grant
	fact  *semantic.Model // set while a fact of a multi-fact model is bound
	today today

	names     map[string]*definition
	overrides map[string]semantic.Agg // field name → aggregation of groupBy

	ranges     []Range
	shown      map[string]bool // the fields whose masks were shown
	warnings   []string
	building   map[*semantic.Measure]bool
	spent      int  // nodes that the uses of names stand for
	fieldsOnly bool // aggregates of the caller's are of fields only, since small groups are withheld
	grouped    bool // the query makes groups: an alias of a measure then means its aggregate
}

// Named is a bound expression with the name that the query gave it.
type Named struct {
	Key     string
	Expr    Expr
	Caption string
	// Measure is set when the expression stands for a plain measure name, whose meaning depends on grouping.
	Measure *semantic.Measure
	// Raw is set when the expression uses a measure's row value outside any aggregate.
	Raw bool
	// Summed is set when the value is a measure or an aggregate, and so has a total.
	Summed bool
	size   int // nodes, with those of every name that it uses
}

// definition is a name that the query gives: an alias or a calculated field. It is bound when it is first needed, so
// calculated fields and columns may use each other in any order that is not a circle.
type definition struct {
	bind  func() (*Named, error)
	size  int // nodes of its own text
	bound *Named
	busy  bool

	aggregate *bool // whether it has an aggregate in it; nil until it is known
}

// scope is where an expression stands: what its names may mean.
type scope struct {
	mode     measureMode
	path     string
	later    bool // after columns: aliases are known, and beat fields
	trusted  bool // the model's own definition: rights are not asked again
	rows     bool // slice: a bare measure filters rows
	inAgg    bool
	inWindow bool
	tree     bool // a group key: fields of a hierarchy's view may stand here
}

// definition binds an expression of the model file.
func (r *resolver) definition(e query.Expr, mode measureMode) (Expr, error) {
	return r.expr(e, scope{mode: mode, trusted: true})
}

// of returns the resolver of one fact of a multi-fact model, whose own definitions are bound against the fact.
func (r *resolver) of(fact *semantic.Model) *resolver {
	return &resolver{model: fact, fact: fact, today: r.today, grant: r.grant.Fact(fact)}
}
