package inspect

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/dialect"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// scripted answers statements by a part of their text; the first that fits counts.
type scripted struct {
	answers []answer
	asked   []string
}

type answer struct {
	part string
	rows [][]any
	err  error
}

func (s *scripted) Query(_ context.Context, sql string, _ []any, row func([]any) error) error {
	s.asked = append(s.asked, sql)
	for _, a := range s.answers {
		if strings.Contains(sql, a.part) {
			for _, cells := range a.rows {
				if err := row(cells); err != nil {
					return err
				}
			}
			return a.err
		}
	}
	return nil
}

func (s *scripted) Dialect() dialect.Dialect { return dialect.DuckDB() }

func TestRepeatedAsksForOneKeyAtMost(t *testing.T) {
	src := semantic.Source{Schema: "s", Table: `odd"name`}
	for _, c := range []struct {
		rows [][]any
		want bool
	}{{nil, false}, {[][]any{{int64(2)}}, true}} {
		source := &scripted{answers: []answer{{part: "", rows: c.rows}}}
		got, err := Repeated(t.Context(), source, src, []string{"a", "b"})
		if err != nil || got != c.want {
			t.Errorf("got %v, %v", got, err)
		}
		const want = `SELECT g."n" AS n FROM (SELECT t."a" AS k0, t."b" AS k1, COUNT(*) AS n FROM "s"."odd""name" AS t` +
			` WHERE ((((t."a" IS NULL) OR (t."b" IS NULL))) IS NOT TRUE) GROUP BY t."a", t."b") AS g WHERE (g."n" > ?) LIMIT ?`
		if diff := cmp.Diff([]string{want}, source.asked); diff != "" {
			t.Error(diff)
		}
	}
	if _, err := Repeated(t.Context(), &scripted{answers: []answer{{err: errors.New("gone")}}}, src, []string{"a"}); err == nil {
		t.Error("got no error")
	}
}

func TestAPartThatCannotBeReadIsAFindingAndTheRestIsChecked(t *testing.T) {
	m := &semantic.Model{
		Name: "Sale", Datasource: "db", Source: semantic.Source{Table: "sale"}, Key: []string{"id"},
		Dimensions: []*semantic.Dimension{{
			Path: "shop", Source: semantic.Source{Table: "shop"}, ID: "id", Join: []semantic.JoinColumn{{From: "shop", To: "id"}},
		}},
	}
	source := &scripted{answers: []answer{
		{part: `FROM "sale" AS t`, err: errors.New("driver words")},
		{part: `SELECT COUNT(*) AS n FROM "shop" AS t WHERE (t."id" IS NULL)`, rows: [][]any{{int64(2)}}},
	}}
	got, err := Models(t.Context(), []*semantic.Model{m, {Name: "Lost", Datasource: "gone"}}, map[string]Source{"db": source})
	if err != nil {
		t.Fatal(err)
	}
	want := []Finding{
		{Error, "Sale", "unreadable", "its key could not be checked", "Internal error"},
		{Warning, "Sale", "null_dimension_key", "2 rows of shop have no id", "nothing can point to such a row, so it never shows"},
		{Error, "Lost", "unreadable", "its datasource is not open", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestACancelledInspectionIsAnError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := &semantic.Model{Name: "Sale", Datasource: "db", Key: []string{"id"}}
	if found, err := Models(ctx, []*semantic.Model{m}, map[string]Source{"db": &scripted{}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", found, err)
	}
}

func TestCycle(t *testing.T) {
	for name, c := range map[string]struct {
		edges []row
		want  []string
	}{
		"nothing":      {nil, nil},
		"a tree":       {[]row{{"b", "a"}, {"c", "b"}, {"d", "b"}}, nil},
		"itself":       {[]row{{"b", "a"}, {"c", "c"}}, []string{"c"}},
		"a ring":       {[]row{{"a", "b"}, {"b", "c"}, {"c", "a"}}, []string{"a", "b", "c"}},
		"a long tail":  {[]row{{"x", "y"}, {"y", "b"}, {"b", "c"}, {"c", "b"}}, []string{"b", "c"}},
		"two branches": {[]row{{"x", "r"}, {"y", "x"}, {"z", "x"}, {"r", "top"}}, nil},
	} {
		if diff := cmp.Diff(c.want, cycle(c.edges)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestShareSaysOnlyWhatMakesSense(t *testing.T) {
	for _, c := range []struct {
		part, whole int64
		want        string
	}{{1, 2, " (50%)"}, {1, 3, " (33.3%)"}, {3, 3, " (100%)"}, {1, 100_000, " (under 0.1%)"}, {1, 0, ""}, {-1, 5, ""}, {6, 5, ""}} {
		if got := share(big.NewRat(c.part, 1), big.NewRat(c.whole, 1)); got != c.want {
			t.Errorf("%d of %d: got %q, want %q", c.part, c.whole, got, c.want)
		}
	}
}

func TestWorthAddsUpExactly(t *testing.T) {
	measures := []*semantic.Measure{
		{Name: "amount", Type: value.Type{Kind: value.Decimal, Scale: 2}}, {Name: "none", Type: value.Type{Kind: value.Integer}},
	}
	w := read(row{"2", "0.10", ""}).plus(read(row{"1", "9999999999999999999999.90", "0"}), 3)
	if w.rows != 5 {
		t.Errorf("got %d rows", w.rows)
	}
	if got, want := w.insteadOf(read(row{"1", "0.05", "0"}), measures), "amount would total 29999999999999999999999.80 instead of 0.05"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
