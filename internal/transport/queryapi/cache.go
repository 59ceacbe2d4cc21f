package queryapi

import (
	"net/http"
	"strconv"

	"parlance/internal/service"
)

// tellCache says how old an answer is and whether it was used before (RFC 9111, 5.1; RFC 9211), where answers of the model
// may be used again at all.
func tellCache(h http.Header, use *service.CacheUse) {
	if use == nil {
		return
	}
	status := "parlance; fwd=miss"
	switch use.Source {
	case "cache":
		status = "parlance; hit; ttl=" + strconv.FormatInt(use.TTL-use.Age, 10)
	case "shared":
		status = "parlance; fwd=miss; collapsed"
	}
	h["Age"] = []string{strconv.FormatInt(use.Age, 10)}
	h["Cache-Status"] = []string{status}
}
