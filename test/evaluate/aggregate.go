package evaluate

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"parlance/internal/semantic"
	"parlance/internal/value"
)

// aggregate binds a function over the rows of a group of one fact. An average and a median are quotients, so that what
// stands beside them joins their parts (decision 55).
func (b *binder) aggregate(fact *semantic.Model, agg semantic.Agg, arg *node, semi *semantic.SemiAdditive) (*node, error) {
	if agg == semantic.GroupConcat && len(b.sight.Groups[fact]) > 0 {
		return nil, refuse("small_groups", "a list of values")
	}
	typ, err := aggregateType(agg, arg.typ)
	if err != nil {
		return nil, err
	}
	if semi == nil && arg.semi && agg == semantic.Sum {
		return nil, refuse("not_additive", "a sum over an expression of a measure that is not added up")
	}
	if semi != nil && semi.Use != semantic.UseLast && semi.Use != semantic.UseFirst {
		return nil, unclear("semi-additive by %s", semi.Use)
	}
	fold := func(t value.Type, f func([]Value, bool) (Value, error)) *node {
		return &node{typ: t, level: perGroup, eval: func(s *scope) (Value, error) {
			values, has, err := collect(s, fact, arg, semi)
			if err != nil || !has {
				return Value{}, err
			}
			return f(values, s.zero)
		}}
	}
	switch agg {
	case semantic.Avg:
		count := fold(integer, func(values []Value, _ bool) (Value, error) { return Int(int64(len(values))), nil })
		return quotient(fold(arg.typ, func(values []Value, _ bool) (Value, error) { return exactly(arg.typ, sum(values)) }), count), nil
	case semantic.Median:
		middles := fold(arg.typ, func(values []Value, _ bool) (Value, error) {
			if len(values) == 0 {
				return Value{}, nil
			}
			sorted := slices.SortedFunc(slices.Values(values), compare)
			return exactly(arg.typ, new(big.Rat).Add(sorted[(len(sorted)-1)/2].rat(), sorted[len(sorted)/2].rat()))
		})
		return quotient(middles, literal(integer, Int(2))), nil
	default:
	}
	return fold(typ, func(values []Value, zero bool) (Value, error) { return reduce(agg, typ, values, zero) }), nil
}

// collect returns the values of a fact's rows in a group that are not null, and whether the fact has the group.
func collect(s *scope, fact *semantic.Model, arg *node, semi *semantic.SemiAdditive) (values []Value, has bool, err error) {
	rows, has := s.group.parts[fact]
	if semi != nil {
		rows = ends(fact, rows, semi)
	}
	for _, r := range rows {
		v, err := arg.eval(&scope{row: r})
		if err != nil {
			return nil, has, err
		}
		if !v.IsNull() {
			values = append(values, v)
		}
	}
	return values, has, nil
}

// ends returns the rows at the last or the first moment, of each series. A row without a moment is at no end.
func ends(m *semantic.Model, rows []*base, semi *semantic.SemiAdditive) []*base {
	best := map[string]Value{}
	series := func(r *base) string {
		values := make([]Value, len(semi.Per))
		for i, name := range semi.Per {
			values[i] = along(m, r, name)
		}
		return identities(values)
	}
	for _, r := range rows {
		at, id := along(m, r, semi.Over), series(r)
		if at.IsNull() {
			continue
		}
		known, ok := best[id]
		if !ok || semi.Use == semantic.UseLast && compare(at, known) > 0 || semi.Use == semantic.UseFirst && compare(at, known) < 0 {
			best[id] = at
		}
	}
	return slices.DeleteFunc(slices.Clone(rows), func(r *base) bool {
		at := along(m, r, semi.Over)
		return at.IsNull() || compare(at, best[series(r)]) != 0
	})
}

// along returns what a row has for a dimension, by its id, or for a field.
func along(m *semantic.Model, r *base, name string) Value {
	if d := m.Dimension(name); d != nil {
		return r.id(d)
	}
	return r.field(m.Field(name))
}

// reduce computes an aggregate of values that are not null.
func reduce(agg semantic.Agg, t value.Type, values []Value, zero bool) (Value, error) {
	switch agg {
	case semantic.Count:
		return Int(int64(len(values))), nil
	case semantic.CountDistinct:
		seen := map[string]bool{}
		for _, v := range values {
			seen[v.identity()] = true
		}
		return Int(int64(len(seen))), nil
	case semantic.Sum:
		if len(values) == 0 && zero {
			return exactly(t, new(big.Rat))
		}
	default:
	}
	if len(values) == 0 {
		return Value{}, nil
	}
	sorted := slices.SortedFunc(slices.Values(values), compare)
	switch agg {
	case semantic.Sum:
		return exactly(t, sum(values))
	case semantic.Min:
		return sorted[0], nil
	case semantic.Max:
		return sorted[len(sorted)-1], nil
	case semantic.GroupConcat:
		return concatenated(values), nil
	default:
		return spread(agg, values), nil
	}
}

// concatenated joins texts in the order of their code points.
func concatenated(values []Value) Value {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = plainText(v)
	}
	slices.Sort(texts)
	return Str(strings.Join(texts, ","))
}

func sum(values []Value) *big.Rat {
	total := new(big.Rat)
	for _, v := range values {
		total.Add(total, v.rat())
	}
	return total
}

func divide(r *big.Rat, n int) *big.Rat {
	return new(big.Rat).Quo(r, new(big.Rat).SetInt64(int64(n)))
}

// spread computes variances and standard deviations; the sample's need two values.
func spread(agg semantic.Agg, values []Value) Value {
	n := len(values)
	sample := agg == semantic.StddevSamp || agg == semantic.VarSamp
	if sample {
		n--
	}
	if n == 0 {
		return Value{}
	}
	mean, squares := divide(sum(values), len(values)), new(big.Rat)
	for _, v := range values {
		d := new(big.Rat).Sub(v.rat(), mean)
		squares.Add(squares, d.Mul(d, d))
	}
	variance, _ := divide(squares, n).Float64()
	if agg == semantic.StddevPop || agg == semantic.StddevSamp {
		return float(math.Sqrt(variance))
	}
	return float(variance)
}
