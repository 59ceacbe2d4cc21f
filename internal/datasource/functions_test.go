package datasource

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"parlance/internal/compute"
	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/result"
	"parlance/internal/value"
)

func TestFunctions(t *testing.T) { checkFunctions(t, open(t, Config{})) }

// checkFunctions runs every line of testdata/functions.txt on a database: each function and aggregate over small values
// with the answer that all databases give. Reasons of refusals in skip are for functions that the database does not
// have; their lines are left out.
func checkFunctions(t *testing.T, s *Source, skip ...string) {
	t.Helper()
	text, err := os.ReadFile("testdata/functions.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for n, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		c, err := parseFunctionCase(line)
		if err != nil {
			t.Fatalf("line %d: %v", n+1, err)
		}
		seen[c.name] = true
		if c.skipped(skip) {
			continue
		}
		if got := c.run(t, s); !sameCell(got, c.want, c.result) {
			sql, args := c.statement(s.Dialect())
			t.Errorf("line %d: %s\ngot %s\n%s\nwith %q", n+1, line, got, sql, args)
		}
	}
	for f := compute.And; f <= compute.Digest; f++ {
		if !seen[f.String()] {
			t.Errorf("no line for %s", f)
		}
	}
}

// functionCase is one line: a function, arguments, and the answer.
type functionCase struct {
	name   string
	fn     compute.Fn
	agg    compute.Agg // of a line over rows
	args   []typedValue
	rows   []value.Value // of an aggregate's one argument
	result value.Type
	want   string
}

type typedValue struct {
	v        value.Value
	t        value.Type
	constant bool
}

func parseFunctionCase(line string) (c functionCase, err error) {
	fields := strings.Split(line, " | ")
	last := len(fields) - 1
	word, want, ok := strings.Cut(fields[last], " ")
	if c.result, c.want = typeOf(word), want; !ok || last < 1 {
		return c, fmt.Errorf("%q has no answer", line)
	}
	c.name = fields[0]
	if name, ok := strings.CutPrefix(c.name, "agg "); ok {
		c.agg = compute.Agg(name)
		word, list, _ := strings.Cut(fields[1], " ")
		c.args = []typedValue{{t: typeOf(word)}}
		for _, text := range strings.Split(list, " ; ") {
			if text != "" {
				c.rows = append(c.rows, valueOf(c.args[0].t, text))
			}
		}
		return c, nil
	}
	for f := compute.And; f <= compute.Digest; f++ {
		if f.String() == c.name {
			c.fn = f
		}
	}
	if c.fn == compute.None {
		return c, fmt.Errorf("no function %q", c.name)
	}
	for _, field := range fields[1:last] {
		field, constant := strings.CutPrefix(field, "const ")
		word, text, _ := strings.Cut(field, " ")
		t := typeOf(word)
		c.args = append(c.args, typedValue{valueOf(t, text), t, constant})
	}
	return c, nil
}

func (c functionCase) skipped(skip []string) bool {
	for _, s := range skip {
		if s == c.name || s == c.name+" "+wordOf(c.result) || s == fractions && c.hasFraction() {
			return true
		}
	}
	return false
}

// fractions skips the lines with times below a second.
const fractions = "fractions"

func (c functionCase) hasFraction() bool {
	for _, a := range c.args {
		if a.v.Kind == value.Timestamp && strings.Contains(a.v.Text, ".") {
			return true
		}
	}
	return false
}

func typeOf(word string) value.Type {
	switch {
	case strings.HasPrefix(word, "decimal"):
		scale, err := strconv.Atoi(strings.TrimPrefix(word, "decimal"))
		if err != nil {
			panic(word)
		}
		return value.Type{Kind: value.Decimal, Scale: uint8(scale), Wide: true}
	case word == "bigint":
		return value.Type{Kind: value.Integer, Wide: true}
	case word == "float":
		return value.Type{Kind: value.Float}
	case word == "instant":
		return value.Type{Kind: value.Timestamp, Zoned: true}
	}
	t, ok := value.Named(word)
	if !ok {
		panic(word)
	}
	return t
}

// wordOf is the inverse of typeOf as far as skipping needs it.
func wordOf(t value.Type) string { return t.Name() }

func valueOf(t value.Type, text string) value.Value {
	if text == "null" {
		return value.Value{}
	}
	if strings.HasPrefix(text, `"`) {
		unquoted, err := strconv.Unquote(text)
		if err != nil {
			panic(text)
		}
		text = unquoted
	}
	return value.Of(t.Kind, text)
}

// arithmetic are the functions whose exact operands the resolver widens to 38 digits.
var arithmetic = map[compute.Fn]bool{
	compute.Add: true, compute.Sub: true, compute.Mul: true, compute.Div: true, compute.Mod: true, compute.Neg: true, compute.Round: true,
}

// statement writes SELECT fn(v."a0", …) FROM the arguments as a row of constants, or an aggregate over such rows.
func (c functionCase) statement(d dialect.Dialect) (string, []any) {
	w := dialect.NewWriter(d)
	w.Text("SELECT ")
	names := make([]string, len(c.args))
	args := make([]dialect.Arg, len(c.args))
	for i, a := range c.args {
		names[i] = "a" + strconv.Itoa(i)
		args[i] = c.argument(w, d, a, names[i])
	}
	if c.agg != "" {
		d.Aggregate(w, c.agg, &args[0], c.result, func() {})
	} else {
		d.Call(w, c.fn, args, c.result)
	}
	w.Text(" AS r FROM ")
	rows := max(1, len(c.rows))
	d.Rows(w, "v", names, rows, func(row, column int) {
		if c.agg == "" {
			d.Value(w, c.args[column].v, c.args[column].t)
		} else if len(c.rows) == 0 {
			d.Value(w, value.Value{}, c.args[0].t)
		} else {
			d.Value(w, c.rows[row], c.args[0].t)
		}
	})
	return w.Statement()
}

func (c functionCase) argument(w *dialect.Writer, d dialect.Dialect, a typedValue, name string) dialect.Arg {
	arg := dialect.Arg{Type: a.t, Write: func() { w.Text("v."); w.Name(name) }}
	if a.constant {
		v := a.v
		arg.Const, arg.Write = &v, func() { d.Value(w, v, a.t) }
	}
	if arithmetic[c.fn] && a.t.Exact() && !(c.fn == compute.Round && a.constant) {
		inner := arg
		arg = dialect.Arg{Type: a.t, Write: func() { d.Call(w, compute.Widen, []dialect.Arg{inner}, a.t) }, Const: arg.Const}
	}
	return arg
}

// run returns the answer as JSON, or the reason of a refusal behind an exclamation mark.
func (c functionCase) run(t *testing.T, s *Source) string {
	t.Helper()
	sql, args := c.statement(s.Dialect())
	e := result.NewEncoder([]result.Column{{Key: "r", Type: c.result, Measure: true}}, result.Compact)
	defer e.Release()
	if err := s.Query(t.Context(), sql, args, e.Row); err != nil {
		f := fault.As(err)
		if f.Kind == fault.Internal {
			return "! " + err.Error()
		}
		return "! " + f.Reason
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(e.Bytes()), "[["), "]]")
}

// sameCell compares answers; doubles may differ by what decision 55 allows.
func sameCell(got, want string, t value.Type) bool {
	if t.Kind != value.Float || got == want {
		return got == want
	}
	x, errX := strconv.ParseFloat(got, 64)
	y, errY := strconv.ParseFloat(want, 64)
	return errX == nil && errY == nil && math.Abs(x-y) <= 1e-9*math.Max(1, math.Abs(y))
}
