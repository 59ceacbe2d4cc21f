package service

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/compile"
	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/semantic"
)

const byProduct = `{"columns":["product$id","product$caption","amount"],"groupBy":["product$id","product$caption"]}`

// keyCheck is what only the statement that looks for repeated keys has.
const keyCheck = `AS g WHERE (g."n" > ?)`

// shelfSource is a source whose product table may have repeated keys.
func shelfSource(repeated bool) *script {
	s := &script{dialect: dialect.DuckDB(), mentions: map[string][][]any{"COUNT(*)": {{int64(0)}}}}
	if repeated {
		s.mentions["GROUP BY t.\"product_id\") "+keyCheck] = [][]any{{int64(2)}}
	} else {
		s.mentions["GROUP BY t.\"product_id\") "+keyCheck] = nil
	}
	return s
}

func (s *script) checks() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, sql := range s.asked {
		if strings.Contains(sql, keyCheck) {
			n++
		}
	}
	return n
}

func TestAJoinThatWouldDoubleIsRefused(t *testing.T) {
	source := shelfSource(true)
	s := newService(shelfOf(salesModel(t)), source)
	_, err := s.Query(t.Context(), Caller{}, "Sales", decode(t, byProduct), QueryOptions{})
	got := refusal(t, err)
	if got.Kind != fault.Invalid || got.Reason != "duplicate_dimension_key" ||
		!strings.Contains(got.Message, `dimension "product"`) || !strings.Contains(got.Hint, "parlance validate --data") {
		t.Errorf("got %+v", got)
	}
	if len(source.asked) != 1 {
		t.Errorf("a refused query ran %q", source.asked)
	}
	sum := decode(t, `{"columns":["amount"],"slice":[{"field":"product$brand","op":"=","value":"x"}]}`)
	if _, err := s.Summarize(t.Context(), Caller{}, Summary{Model: "Sales", Columns: sum.Columns, Slice: sum.Slice}); refusal(t, err).Reason != "duplicate_dimension_key" {
		t.Errorf("got %v", err)
	}
	for name, payload := range map[string]string{"no dimension": `{"columns":["amount"]}`, "its id": `{"columns":["product$id"]}`} {
		if _, err := s.Query(t.Context(), Caller{}, "Sales", decode(t, payload), QueryOptions{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.Query(t.Context(), Caller{}, "Sales", decode(t, byProduct), QueryOptions{Validate: true}); err != nil {
		t.Errorf("a query that is not run was refused: %v", err)
	}
}

func TestAKeyIsCheckedOnceForAGenerationAndAgainAfterAWhile(t *testing.T) {
	source := shelfSource(false)
	now := time.Date(2024, 12, 31, 12, 0, 0, 0, time.UTC)
	models := shelfOf(salesModel(t))
	s := New(Deps{
		Catalog: models, Sources: map[string]Source{"shop": source}, DefaultNamespace: "default", Limits: limits,
		Now: func() time.Time { return now },
	})
	ask := func() {
		t.Helper()
		if a, err := s.Query(t.Context(), Caller{}, "Sales", decode(t, byProduct), QueryOptions{}); err != nil || len(a.Warnings) > 0 {
			t.Fatalf("got %+v, %v", a, err)
		}
	}
	var got []int
	note := func() { got = append(got, source.checks()) }
	ask()
	note()
	ask()
	note()
	now = now.Add(keyKept + time.Second)
	ask()
	note()
	models["default"] = shelfOf(salesModel(t))["default"]
	ask()
	note()
	if diff := cmp.Diff([]int{1, 1, 2, 3}, got); diff != "" {
		t.Error(diff)
	}
}

func TestMendedDataIsServedSoon(t *testing.T) {
	source := shelfSource(true)
	now := time.Date(2024, 12, 31, 12, 0, 0, 0, time.UTC)
	s := New(Deps{
		Catalog: shelfOf(salesModel(t)), Sources: map[string]Source{"shop": source}, DefaultNamespace: "default", Limits: limits,
		Now: func() time.Time { return now },
	})
	ask := func() error {
		_, err := s.Query(t.Context(), Caller{}, "Sales", decode(t, byProduct), QueryOptions{})
		return err
	}
	if err := ask(); err == nil {
		t.Fatal("got no error")
	}
	source.mentions["GROUP BY t.\"product_id\") "+keyCheck] = nil
	if err := ask(); err == nil {
		t.Error("the refusal was not remembered at all")
	}
	now = now.Add(memoFailed + time.Second)
	if err := ask(); err != nil {
		t.Error(err)
	}
}

// faltering is a source that cannot check keys, and may know them.
type faltering struct {
	*script
	unique bool
}

func (f faltering) Query(ctx context.Context, sql string, args []any, row func([]any) error) error {
	if strings.Contains(sql, keyCheck) {
		return errors.New("too slow")
	}
	return f.script.Query(ctx, sql, args, row)
}

func (f faltering) Unique(_ context.Context, schema, table string, columns []string) (bool, error) {
	return f.unique && schema == "" && table == "product" && len(columns) == 1 && columns[0] == "product_id", nil
}

func TestAKeyThatCannotBeCheckedIsAWarning(t *testing.T) {
	for unique, want := range map[bool][]string{
		false: {`the key of dimension "product" could not be checked in time: if it stands more than once, rows count more than once`},
		true:  nil,
	} {
		s := newService(shelfOf(salesModel(t)), faltering{shelfSource(false), unique})
		a, err := s.Query(t.Context(), Caller{}, "Sales", decode(t, byProduct), QueryOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, a.Warnings); diff != "" {
			t.Errorf("unique %v: %s", unique, diff)
		}
	}
}

func TestADimensionThatTheCallerDoesNotSeeStaysUnnamed(t *testing.T) {
	hidden := &semantic.Dimension{Path: "salary"}
	err := duplicateKey(target{seen: seen{Model: salesModel(t)}}, compile.Join{Dimension: hidden})
	if text := fault.As(err).Text(); strings.Contains(text, "salary") || !strings.Contains(text, "a dimension has rows that share a key") {
		t.Errorf("got %s", text)
	}
}
