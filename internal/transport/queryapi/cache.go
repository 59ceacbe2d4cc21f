package queryapi

import (
	"net/http"
	"strconv"

	"parlance/internal/service"
)

// tellCache says how old an answer is and whether it was used before (RFC 9111, 5.1; RFC 9211), where answers of the model
// may be used again at all or were read from a rollup, which is as old as the rows that it was built from.
func tellCache(h http.Header, r *service.Record) {
	status, age := "", int64(0)
	if use := r.Cache; use != nil {
		status, age = "parlance; fwd=miss", use.Age
		switch use.Source {
		case "cache":
			status = "parlance; hit; ttl=" + strconv.FormatInt(use.TTL-use.Age, 10)
		case "shared":
			status = "parlance; fwd=miss; collapsed"
		}
	}
	if use := r.Rollup; use != nil {
		if status == "" {
			status = "parlance; hit"
		}
		status, age = status+"; detail="+strconv.Quote("rollup "+use.Name), max(age, use.Age)
	}
	if status == "" {
		return
	}
	values := []string{strconv.FormatInt(age, 10), status}
	h["Age"], h["Cache-Status"] = values[:1:1], values[1:]
}
