package bench

import (
	"fmt"
	"os"
	"testing"
	"time"
)

// The tables, printed when all benchmarks are done.
var served, loaded []string

func TestMain(m *testing.M) {
	code := m.Run()
	printTable("engine | question | by hand | served | added |\n|---|---|--:|--:|--:", served)
	printTable("engine | p50 by hand | p50 served | p99 by hand | p99 served |\n|---|--:|--:|--:|--:", loaded)
	os.Exit(code)
}

func printTable(head string, rows []string) {
	if len(rows) == 0 {
		return
	}
	fmt.Printf("\n| %s|\n", head)
	for _, r := range rows {
		fmt.Println(r)
	}
}

func report(b *testing.B, engine, question string, byHand, added time.Duration) {
	b.Helper()
	b.ReportMetric(0, "ns/op") // the two together mean nothing
	b.ReportMetric(micros(byHand), "µs-by-hand")
	b.ReportMetric(micros(added), "µs-added")
	b.ReportMetric(100*float64(added)/float64(byHand), "%-added")
	served = append(served, fmt.Sprintf("| %s | %s | %s | %s | %s, %+.0f %% |", engine, question, millis(byHand), millis(byHand+added), millis(added), 100*float64(added)/float64(byHand)))
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

func millis(d time.Duration) string { return fmt.Sprintf("%.2f ms", micros(d)/1000) }
