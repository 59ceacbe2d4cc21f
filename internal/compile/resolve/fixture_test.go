package resolve_test

import (
	"strings"
	"testing"
	"time"

	"parlance/internal/access"
	"parlance/internal/compile/resolve"
	"parlance/internal/fault"
	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// visits is a model of every type: rows with a customer, three kinds of time, and measures of each kind.
func visits(t *testing.T, c semantic.Calendar) *semantic.Model {
	t.Helper()
	expr := func(s string) query.Expr {
		e, err := query.ParseExpr(s)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	kind := func(k value.Kind) value.Type { return value.Type{Kind: k} }
	money := value.Type{Kind: value.Decimal, Scale: 2, Style: value.Money}
	m := &semantic.Model{
		Name: "Visits", Source: semantic.Source{Table: "visits"}, Key: []string{"id"}, Calendar: c,
		Dimensions: []*semantic.Dimension{{
			Name: "customer", Path: "customer", Source: semantic.Source{Table: "customers"}, ID: "key", Label: "name",
			Join: []semantic.JoinColumn{{From: "customer", To: "key"}}, IDType: kind(value.Integer), LabelType: kind(value.String),
		}},
		Attributes: []*semantic.Attribute{
			{Name: "page", Column: "page", Type: kind(value.String)},
			{Name: "count", Column: "count", Type: kind(value.Integer)},
			{Name: "big", Column: "big", Type: value.Type{Kind: value.Integer, Wide: true}},
			{Name: "rate", Column: "rate", Type: value.Type{Kind: value.Decimal, Scale: 4}},
			{Name: "speed", Column: "speed", Type: kind(value.Float)},
			{Name: "mobile", Column: "mobile", Type: kind(value.Boolean)},
			{Name: "day", Column: "day", Type: kind(value.Date)},
			{Name: "wall", Column: "wall", Type: kind(value.Timestamp)},
			{Name: "instant", Column: "instant", Type: value.Type{Kind: value.Timestamp, Zoned: true}},
		},
		Measures: []*semantic.Measure{
			{Name: "spent", Column: "spent", Agg: semantic.Sum, Type: money},
			{Name: "clicks", Column: "clicks", Agg: semantic.Sum, Type: kind(value.Integer)},
			{Name: "visits", Agg: semantic.Count, Type: kind(value.Integer)},
			{Name: "people", Column: "customer", Agg: semantic.CountDistinct, Type: kind(value.Integer)},
			{Name: "perClick", Expression: expr("spent / clicks"), Type: value.Type{Kind: value.Decimal, Scale: 6}},
			{Name: "top", Column: "spent", Agg: semantic.Max, Type: money},
		},
	}
	if clash := m.Index(); clash != "" {
		t.Fatalf("two fields are named %s", clash)
	}
	return m
}

// utc is a calendar on 2024-08-15, a Thursday.
var utc = semantic.Calendar{
	Zone: time.UTC, WeekStart: time.Monday, FiscalStart: time.January, Today: semantic.Today{Fixed: "2024-08-15"},
}

// resolved resolves a payload.
func resolved(t *testing.T, m *semantic.Model, payload string) (*resolve.Query, error) {
	t.Helper()
	n, err := jsontree.Parse([]byte(payload))
	if err != nil {
		t.Fatalf("%s: %v", payload, err)
	}
	q, err := query.Decode(n, query.DecodeOptions{})
	if err != nil {
		t.Fatalf("%s: %v", payload, err)
	}
	return resolve.Resolve(resolve.Request{
		Model: m, Query: q, Grant: access.For(access.Identity{}, m), DefaultRows: 10, MaxRows: 100,
		Now: time.Date(2024, time.August, 15, 23, 30, 0, 0, time.UTC),
	})
}

// reason returns the stable word of an error, or "".
func reason(err error) string {
	if err == nil {
		return ""
	}
	return fault.As(err).Reason
}

var signs = map[string]string{
	"and": " and ", "or": " or ", "eq": " = ", "lt": " < ", "le": " <= ", "gt": " > ", "ge": " >= ",
	"add": " + ", "sub": " - ", "mul": " * ", "div": " / ", "mod": " % ",
}

// shown writes a bound expression as a person would, without the types of its literals and the widening of operands.
func shown(e resolve.Expr) string {
	list := func(args []resolve.Expr) []string {
		var out []string
		for _, a := range args {
			out = append(out, shown(a))
		}
		return out
	}
	switch x := e.(type) {
	case nil:
		return ""
	case resolve.Literal:
		return x.V.String()
	case *resolve.Op:
		args := list(x.Args)
		if sign, ok := signs[x.Fn.String()]; ok {
			return "(" + strings.Join(args, sign) + ")"
		}
		if x.Fn == resolve.Widen {
			return args[0]
		}
		return x.Fn.String() + "(" + strings.Join(args, ", ") + ")"
	case *resolve.Agg:
		if x.Arg == nil {
			return string(x.Fn) + "(*)"
		}
		return string(x.Fn) + "(" + shown(x.Arg) + ")"
	case *resolve.Window:
		s := string(x.Fn) + "(" + strings.Join(list(x.Args), ", ") + ") over ("
		if len(x.PartitionBy) > 0 {
			s += "by " + strings.Join(list(x.PartitionBy), ", ") + " "
		}
		for _, o := range x.OrderBy {
			s += "order " + shown(o.Expr)
			if o.Desc {
				s += " desc"
			}
			s += " "
		}
		if x.Frame != nil {
			s += x.Frame.String() + " "
		}
		if x.Total {
			s += "total "
		}
		return strings.TrimSpace(s) + ")"
	}
	return e.String()
}
