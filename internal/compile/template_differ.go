package compile

import (
	"reflect"
	"slices"
	"strings"

	"parlance/internal/query"
	"parlance/internal/value"
)

// differ finds where values stand, by two compilations with different ones. Its methods report false where something
// differs that is not a value as it was given.
type differ struct {
	t             *template
	first, second []query.Scalar
}

func (d *differ) statements(a, b *Compiled) bool {
	one, other := statementsOf(a), statementsOf(b)
	if len(one) != len(other) {
		return false
	}
	for i, st := range one {
		if st.SQL != other[i].SQL || len(st.Args) != len(other[i].Args) {
			return false
		}
		for at := range st.Args {
			if !d.arg(i, at, st.Args[at], other[i].Args[at]) {
				return false
			}
		}
	}
	return true
}

func (d *differ) arg(statement, at int, a, b any) bool {
	if reflect.DeepEqual(a, b) {
		return true
	}
	if list, ok := a.([]string); ok {
		return d.list(statement, at, list, b)
	}
	if !formed(a) {
		return false
	}
	for i := range d.first {
		was, is := a, a
		fillArg(&was, -1, d.first[i].Text)
		fillArg(&is, -1, d.second[i].Text)
		if was == a && is == b {
			d.t.args = append(d.t.args, openArg{statement, at, -1, i})
			return true
		}
	}
	return false
}

// formed reports whether an argument is of a form that fillArg knows.
func formed(arg any) bool {
	switch arg.(type) {
	case int64, value.Value, string:
		return true
	}
	return false
}

func (d *differ) list(statement, at int, a []string, other any) bool {
	b, ok := other.([]string)
	if !ok || len(a) != len(b) {
		return false
	}
	for e := range a {
		if a[e] == b[e] {
			continue
		}
		i := slices.IndexFunc(d.first, func(v query.Scalar) bool { return v.Text == a[e] })
		if i < 0 || d.second[i].Text != b[e] {
			return false
		}
		d.t.args = append(d.t.args, openArg{statement, at, e, i})
	}
	return true
}

// words finds the values in the texts of what was applied.
func (d *differ) words(a, b []string, after bool) bool {
	if len(a) != len(b) {
		return false
	}
	for at := range a {
		if a[at] == b[at] {
			continue
		}
		w := openWord{after: after, at: at}
		for rest := a[at]; ; {
			next, value := len(rest), -1
			for i, v := range d.first {
				if found := strings.Index(rest, v.String()); found >= 0 && found < next {
					next, value = found, i
				}
			}
			w.parts = append(w.parts, rest[:next])
			if value < 0 {
				break
			}
			w.values = append(w.values, value)
			rest = rest[next+len(d.first[value].String()):]
		}
		d.t.words = append(d.t.words, w)
	}
	return true
}
