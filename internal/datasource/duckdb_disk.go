package datasource

import (
	"math"
	"strings"
	"syscall"

	"github.com/duckdb/duckdb-go/v2"

	"parlance/internal/fault"
)

// diskSize is how much the disk of a folder holds in all. The engine itself would take what is free when it first needs
// the folder as the bound for good: a disk that was full once would be full for ever.
func diskSize(folder string) uint64 {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil || s.Blocks == 0 || s.Bsize <= 0 {
		return math.MaxInt64
	}
	return s.Blocks * uint64(s.Bsize)
}

// noRoom reports whether what does not fit in memory found no room on the disk either.
func noRoom(e *duckdb.Error) bool {
	return e.Type == duckdb.ErrorTypeIO && strings.Contains(e.Msg, "No space left on device")
}

func diskFull(cause error) *fault.Error {
	return &fault.Error{
		Kind: fault.Unavailable, Reason: "out_of_disk", Retryable: true, Cause: cause,
		Message: "The query needs more room for its intermediate rows than the server's disk has now",
		Hint:    "narrow it: a shorter time range, fewer columns, fewer groups",
	}
}
