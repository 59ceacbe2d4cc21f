package service

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"parlance/internal/audit"
	"parlance/internal/compile"
	"parlance/internal/compile/sqlgen"
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/result"
)

// TestReads looks for the fields and conditions of a query in every clause.
func TestReads(t *testing.T) {
	m := salesModel(t)
	for payload, want := range map[string]string{
		`{}`: " | ",
		`{"columns":["saleId","product$caption as name","saleId"]}`:                                                                           "product$caption saleId | ",
		`{"columns":["sum(if(status = 'DONE', amount, 0)) as x"]}`:                                                                            "amount status | ",
		`{"groupBy":["product$brand"],"orderBy":["-buyers"]}`:                                                                                 "buyers product$brand | ",
		`{"columns":["up"],"calculatedFields":[{"name":"up","expression":"amount * 2","partitionBy":["status"],"windowOrderBy":["soldOn"]}]}`: "amount soldOn status | ",
		`{"slice":[{"status":"DONE"},{"$or":[{"field":"amount","op":">","value":5},{"$not":[{"field":"product$id","op":"in","value":[1,2]}]}]}]}`: "amount product$id status | " +
			"status = 'DONE', amount > 5, product$id in (1, 2)",
		`{"slice":[{"field":"amount","op":">","value":{"$field":"stock"}},{"$expr":"amount > stock * 2"}]}`:                    "amount stock | amount > stock, amount $expr amount > stock * 2, stock $expr amount > stock * 2",
		`{"columns":["sum(amount) as a"],"having":[{"field":"a","op":">","value":1},{"field":"count(*)","op":">","value":2}]}`: "amount | amount > 1, * > 2",
		`{"columns":["nothing"],"slice":[{"field":"nothing","op":"is null"}]}`:                                                 " | * is null <nil>",
		`{"columns":["amount"],"exColumns":["status"]}`:                                                                        "amount | ",
	} {
		r := reads{model: m, query: decode(t, payload)}
		r.all()
		var filters []string
		for _, f := range r.filters {
			filters = append(filters, fmt.Sprint(f.Field, " ", f.Op, " ", f.Value))
		}
		if got := strings.Join(unique(r.fields), " ") + " | " + strings.Join(filters, ", "); got != want {
			t.Errorf("%s: got %q, want %q", payload, got, want)
		}
	}
}

// shut admits nobody.
type shut struct{}

func (shut) Admit() error { return &fault.Error{Kind: fault.Unavailable, Reason: "audit_unavailable"} }

func TestNothingIsAnsweredThatCannotBeRecorded(t *testing.T) {
	source := &script{}
	s := newService(shelfOf(salesModel(t)), source)
	s.Audit = shut{}
	ctx, c := t.Context(), Caller{}
	_, list := s.ListModels(ctx, c, ListOptions{})
	_, metadata := s.Metadata(ctx, c)
	_, describe := s.DescribeModel(ctx, c, "Sales")
	_, rows := s.Query(ctx, c, "Sales", &query.Query{}, QueryOptions{})
	_, valid := s.Query(ctx, c, "Sales", &query.Query{}, QueryOptions{Validate: true})
	_, summary := s.Summarize(ctx, c, Summary{Model: "Sales"})
	_, answer := s.Ask(ctx, c, AskRequest{Text: "amount"})
	for i, err := range []error{list, metadata, describe, rows, valid, summary, answer} {
		if f := refusal(t, err); f.Reason != "audit_unavailable" {
			t.Errorf("%d: %v", i, err)
		}
	}
	if len(source.asked) > 0 {
		t.Errorf("the database was asked %v", source.asked)
	}
}

// BenchmarkRecorded is what the record adds to a query, beside the goroutine that writes it: names and conditions
// gathered, the entry filled and queued.
func BenchmarkRecorded(b *testing.B) {
	l, err := audit.Open(audit.Options{File: filepath.Join(b.TempDir(), "audit.jsonl")})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	s := newService(shelfOf(salesModel(b)), &script{})
	s.Audit = l
	q := decode(b, `{"columns":["product$brand","soldOn$month","amount","buyers"],"groupBy":["product$brand","soldOn$month"],
		"slice":[{"field":"status","op":"=","value":"DONE"},{"field":"soldOn","op":"[)","value":["2024-01-01","2024-07-01"]}],
		"orderBy":[{"field":"amount","order":"desc"}],"returnTotal":true}`)
	sql := strings.Repeat("SELECT ", 150)
	compiled := &compile.Compiled{
		Page: sqlgen.Statement{SQL: sql}, Count: sqlgen.Statement{SQL: sql}, Totals: &sqlgen.Statement{SQL: sql},
		Columns: make([]result.Column, 4),
	}
	t, err := s.find(Caller{TraceID: "t", Namespace: "default"}, "Sales")
	if err != nil {
		b.Fatal(err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	b.ReportAllocs()
	n, begun := 0, threadTime(b)
	for b.Loop() {
		if n++; n%1024 == 0 {
			b.StopTimer()
			if err := l.Flush(); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
		ctx, record := WithRecord(b.Context())
		record.Begin("query").Model = "Sales"
		noteCompiled(s.noteQuery(ctx, t, q, QueryOptions{}), q, t.Model, compiled)
		record.Succeed(10)
		for _, e := range record.Entries(record.Outcome, 0) {
			l.Record(*e)
		}
	}
	b.ReportMetric(float64(threadTime(b)-begun)/float64(n), "cpu-ns/op") // whatever else the machine does
}

// threadTime is the time that the calling thread has had a processor.
func threadTime(b *testing.B) time.Duration {
	b.Helper()
	const thisThread = 1
	var u syscall.Rusage
	if err := syscall.Getrusage(thisThread, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
