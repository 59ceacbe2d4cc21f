package app

import (
	"time"

	"parlance/internal/rollup"
	"parlance/internal/telemetry"
)

// watchRollups tells how rollups are built and read.
func (s *server) watchRollups() {
	count := func(name, help, outcome string, of func(rollup.Stats) int64) {
		s.telemetry.Counter(name, help, telemetry.Labels{"outcome": outcome}, func() float64 { return float64(of(s.rollups.Stats())) })
	}
	const builds, buildsHelp = "parlance_rollup_builds_total", "Builds of rollups, by outcome; restored are those that were read from the folder."
	count(builds, buildsHelp, "ok", func(r rollup.Stats) int64 { return r.Built })
	count(builds, buildsHelp, "failed", func(r rollup.Stats) int64 { return r.Failed })
	count(builds, buildsHelp, "restored", func(r rollup.Stats) int64 { return r.Restored })
	const reads, readsHelp = "parlance_rollup_reads_total", "Statements that read rollups, by outcome."
	count(reads, readsHelp, "ok", func(r rollup.Stats) int64 { return r.Reads })
	count(reads, readsHelp, "failed", func(r rollup.Stats) int64 { return r.FailedRead })
	s.telemetry.Gauge("parlance_rollups_unusable", "Rollups that are declared and may not be used now.", nil, func() float64 {
		n := 0
		for _, r := range s.rollups.Stats().Rollups {
			if !r.Usable {
				n++
			}
		}
		return float64(n)
	})
	s.telemetry.Gauge("parlance_rollup_oldest_seconds", "The age of the oldest rollup that may be used.", nil, func() float64 {
		oldest := 0.0
		for _, r := range s.rollups.Stats().Rollups {
			if r.Usable {
				oldest = max(oldest, time.Since(r.BuiltAt).Seconds())
			}
		}
		return oldest
	})
}
