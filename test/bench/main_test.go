package bench

import (
	"fmt"
	"os"
	"testing"
	"time"
)

// The tables, printed when all benchmarks are done.
var served, loaded, uncached, kept, pages, rolledUp []string

func TestMain(m *testing.M) {
	code := m.Run()
	printTable("database | question | connections | by hand, requests/s | ours | ratio | of the rounds | noise | p99 by hand, ours | CPU µs by hand, ours |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:", uncached)
	printTable("question | bytes | connections | nothing, requests/s | ours | ratio | of the rounds | noise | p99 nothing, ours | CPU µs nothing, ours |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:", kept)
	printTable("what | measured | bound |\n|---|--:|--:", pages)
	printTable("engine | question | by hand | added | by hand again |\n|---|---|--:|--:|--:", served)
	printTable("engine | p50 by hand | p50 served | p99 by hand | p99 served |\n|---|--:|--:|--:|--:", loaded)
	printTable("question, of many facts | from the rows | from a rollup | | rollup, 5 % to 95 %|\n|---|--:|--:|--:|--:", rolledUp)
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

func report(b *testing.B, engine, question string, m measure) {
	b.Helper()
	percent := 100 * float64(m.added) / float64(m.took)
	b.ReportMetric(0, "ns/op") // the ways together mean nothing
	b.ReportMetric(micros(m.took), "µs-by-hand")
	b.ReportMetric(micros(m.added), "µs-added")
	b.ReportMetric(micros(m.noise), "µs-noise")
	b.ReportMetric(percent, "%-added")
	served = append(served, fmt.Sprintf("| %s | %s | %s | %s, %+.0f %% | %s |", engine, question, millis(m.took), millis(m.added), percent, millis(m.noise)))
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

func millis(d time.Duration) string { return fmt.Sprintf("%.2f ms", micros(d)/1000) }
