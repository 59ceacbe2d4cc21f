package datasource

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parlance/internal/fault"
	"parlance/internal/value"
	"parlance/test/servers"
)

var clickHouseEveryType = []Column{
	{Name: "n", Type: value.Type{Kind: value.Integer}},
	{Name: "big", Type: value.Type{Kind: value.Integer, Wide: true}, Nullable: true},
	{Name: "d", Type: value.Type{Kind: value.Decimal, Scale: 2}, Nullable: true},
	{Name: "f", Type: value.Type{Kind: value.Float}, Nullable: true},
	{Name: "s", Type: value.Type{Kind: value.String}, Nullable: true},
	{Name: "b", Type: value.Type{Kind: value.Boolean}, Nullable: true},
	{Name: "day", Type: value.Type{Kind: value.Date}, Nullable: true},
	{Name: "at", Type: value.Type{Kind: value.Timestamp}, Nullable: true},
	{Name: "zoned", Type: value.Type{Kind: value.Timestamp, Zoned: true}, Nullable: true},
}

func clickHouseLoads(t *testing.T, c Config) {
	t.Helper()
	s := openAs(t, c)
	day := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
	rows := [][]any{
		{int64(1), int64(-9223372036854775808), int64(-5), 0.5, "a'\\\tb 销", true, day, day.Add(14 * time.Hour), day.Add(14 * time.Hour)},
		{int64(2), nil, nil, nil, nil, nil, nil, nil, nil},
		{int64(3), int64(9223372036854775807), int64(999999999999999999), 0.0, "", false, day.AddDate(-54, 0, 0), day, day},
	}
	if err := s.Load(t.Context(), Table{Name: "t", Columns: clickHouseEveryType, Key: []string{"n"}, Rows: slices.Values(rows)}); err != nil {
		t.Fatal(err)
	}
	got, err := s.Columns(t.Context(), "", "t", "")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range clickHouseEveryType {
		if got[i].Name != want.Name || got[i].Type != want.Type || got[i].Nullable != want.Nullable {
			t.Errorf("%+v became %+v", want, got[i])
		}
	}
	want := `[[1,-9223372036854775808,-0.05,0.5,"a'\\\tb 销",1,"2024-02-29","2024-02-29T14:00:00","2024-02-29T14:00:00+00:00"],` +
		`[2,null,null,null,null,null,null,null,null],[3,9223372036854775807,9999999999999999.99,0,"",0,"1970-03-01","2024-02-29T00:00:00","2024-02-29T00:00:00+00:00"]]`
	if got := ask(t, s, "SELECT n, big, d, f, s, CAST(b AS Nullable(UInt8)) AS b, day, at, zoned FROM t ORDER BY n"); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if err := s.Load(t.Context(), Table{Name: "empty", Columns: clickHouseEveryType, Rows: slices.Values([][]any{})}); err != nil {
		t.Error(err)
	}
}

func clickHouseLoadRefuses(t *testing.T, c Config) {
	t.Helper()
	s := openAs(t, c)
	whole, text := value.Type{Kind: value.Integer}, value.Type{Kind: value.String}
	at := value.Type{Kind: value.Timestamp}
	for name, table := range map[string]Table{
		"no columns":    {},
		"no type":       {Columns: []Column{{Name: "n"}}},
		"too short":     {Columns: []Column{{Name: "n", Type: whole}, {Name: "s", Type: text}}, Rows: slices.Values([][]any{{int64(1)}})},
		"wrong kind":    {Columns: []Column{{Name: "n", Type: whole}}, Rows: slices.Values([][]any{{"x"}})},
		"too large":     {Columns: []Column{{Name: "n", Type: whole}}, Rows: slices.Values([][]any{{int64(1 << 31)}})},
		"null":          {Columns: []Column{{Name: "n", Type: whole}}, Rows: slices.Values([][]any{{nil}})},
		"one key twice": {Columns: []Column{{Name: "n", Type: whole}}, Key: []string{"n"}, Rows: slices.Values([][]any{{int64(1)}, {int64(1)}})},
		"a fraction":    {Columns: []Column{{Name: "n", Type: at}}, Rows: slices.Values([][]any{{time.Date(2024, 1, 1, 0, 0, 0, 500, time.UTC)}})},
		"before 1970":   {Columns: []Column{{Name: "n", Type: value.Type{Kind: value.Date}}}, Rows: slices.Values([][]any{{time.Date(1969, 12, 31, 0, 0, 0, 0, time.UTC)}})},
		"after 2105":    {Columns: []Column{{Name: "n", Type: at}}, Rows: slices.Values([][]any{{time.Date(2106, 1, 1, 0, 0, 0, 0, time.UTC)}})},
	} {
		table.Name = "refused"
		if err := s.Load(t.Context(), table); err == nil {
			t.Errorf("%s was loaded", name)
		}
		_, err := s.Columns(t.Context(), "", "refused", "")
		checkFault(t, err, fault.NotFound, "unknown_table")
	}
	if err := s.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Load(t.Context(), Table{Name: "late", Columns: []Column{{Name: "n", Type: whole}}, Rows: slices.Values([][]any{})}); err == nil {
		t.Error("a sealed source was loaded")
	}
}

// TestClickHouseCluster runs on three servers that share tables: facts spread over them, dimensions on each.
func TestClickHouseCluster(t *testing.T) {
	server := servers.RunClickHouse(t, 3, "UTC")
	c := clickHouseDatabase(t, server)
	c.Cluster, c.Timeout = servers.ClickHouseClusterName, 20*time.Second
	s := openAs(t, c)
	whole, money := value.Type{Kind: value.Integer}, value.Type{Kind: value.Decimal, Scale: 2}
	facts := func(yield func([]any) bool) {
		for i := range int64(30_000) {
			if !yield([]any{i, i % 10, i % 100}) {
				return
			}
		}
	}
	for _, table := range []Table{
		{Name: "facts", Key: []string{"id"}, Sharded: true, Rows: facts, Columns: []Column{{Name: "id", Type: whole}, {Name: "kind", Type: whole}, {Name: "amount", Type: money, Nullable: true}}},
		{Name: "kinds", Key: []string{"kind"}, Rows: slices.Values([][]any{{int64(1), "one"}, {int64(2), "two"}}), Columns: []Column{{Name: "kind", Type: whole}, {Name: "name", Type: value.Type{Kind: value.String}}}},
	} {
		if err := s.Load(t.Context(), table); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := "SELECT count() AS n, sum(amount) AS a FROM " + c.Database + ".facts"
	grouped := "SELECT name, count() AS n FROM " + c.Database + ".facts LEFT JOIN (SELECT kind AS k, name FROM " + c.Database + ".kinds) ON kind = k GROUP BY name ORDER BY name NULLS LAST"
	for range 2 {
		if got := ask(t, s, all); got != "[[30000,14850.00]]" {
			t.Errorf("all facts: %s", got)
		}
		var got []any
		err := s.Query(t.Context(), grouped, nil, func(cells []any) error { got = append(got, cells...); return nil })
		if err != nil || !slices.Equal(got, []any{"one", uint64(3000), "two", uint64(3000), nil, uint64(24000)}) {
			t.Errorf("by name: %v, %v", got, err)
		}
	}
	t.Run("spread", func(t *testing.T) {
		if got := ask(t, s, "SELECT count() AS n FROM "+c.Database+".facts_local"); got == "[[30000]]" || got == "[[0]]" {
			t.Errorf("one server has %s", got)
		}
		for _, address := range server.Addresses[1:] { // any server answers for all
			other := c
			other.Addresses = []string{address}
			if got := ask(t, openAs(t, other), all); got != "[[30000,14850.00]]" {
				t.Errorf("%s: %s", address, got)
			}
		}
	})
	t.Run("a key twice", func(t *testing.T) {
		free := openAs(t, c)
		err := free.Load(t.Context(), Table{Name: "twice", Key: []string{"id"}, Sharded: true, Columns: []Column{{Name: "id", Type: whole}}, Rows: slices.Values([][]any{{int64(1)}, {int64(1)}})})
		if err == nil {
			t.Error("it was loaded")
		}
		if got := ask(t, free, "SELECT count() AS n FROM cluster("+c.Cluster+", system.tables) WHERE database = '"+c.Database+"' AND name LIKE 'twice%'"); got != "[[0]]" {
			t.Errorf("%s tables are left", got)
		}
	})
	t.Run("shard down", func(t *testing.T) { clickHouseShardDown(t, server, s, all, c.Database) })
}

// clickHouseShardDown: without one of its servers a cluster gives no answer that needs it, and says which it misses.
func clickHouseShardDown(t *testing.T, server *servers.ClickHouse, s *Source, all, database string) {
	t.Helper()
	for _, i := range []int{2, 1} {
		server.Stop(t, i)
		for range 3 {
			err := s.Query(t.Context(), all, nil, drop)
			checkFault(t, err, fault.Unavailable, "shard_unreachable")
			f := fault.As(err)
			if !strings.Contains(f.Message, server.Addresses[i]) || strings.Contains(f.Message, server.Addresses[0]) || strings.Contains(f.Text(), "DB::") {
				t.Errorf("which shard: %s", f.Text())
			}
		}
		if got := ask(t, s, "SELECT count() AS n FROM "+database+".kinds"); got != "[[2]]" {
			t.Errorf("what the server itself has: %s", got)
		}
		if _, err := s.Columns(t.Context(), "", "facts", ""); err != nil {
			t.Errorf("the columns are known without the shard: %v", err)
		}
		server.Start(t, i)
		eventually(t, "the cluster answers again", func() bool { return s.Query(t.Context(), all, nil, drop) == nil })
		if got := ask(t, s, all); got != "[[30000,14850.00]]" {
			t.Errorf("after it is back: %s", got)
		}
	}
}
