package service

// CacheStats is what became of queries whose answers may be used again.
type CacheStats struct {
	Hits   int64 // answered by what was kept
	Misses int64 // that were not
	Shared int64 // of the misses, those that waited for the run of another who asked the same
	Bytes  int64 // that answers take now
}

// CacheStats returns what became of queries so far. All is 0 where no answer is used again.
func (s *Service) CacheStats() CacheStats {
	a := s.answers
	if a == nil {
		return CacheStats{}
	}
	a.kept.CleanUp() // what was kept a moment ago is weighed
	return CacheStats{Hits: a.hits.Load(), Misses: a.misses.Load(), Shared: a.shared.Load(), Bytes: int64(a.kept.WeightedSize())}
}

// ResultBytes returns the bytes of answers on their way, small ones apart.
func (s *Service) ResultBytes() int64 { return s.budget.Used() }
