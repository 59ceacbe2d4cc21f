package httpserver

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"parlance/internal/service"
)

// cacheControl reads what a request says of answers that are used again (RFC 9111, 5.2.1). What is not known is passed
// over, as the standard says.
func cacheControl(h http.Header) service.CacheControl {
	var c service.CacheControl
	for _, line := range h["Cache-Control"] {
		for directive := range strings.SplitSeq(line, ",") {
			name, value, _ := strings.Cut(strings.TrimSpace(directive), "=")
			switch strings.ToLower(name) {
			case "no-cache":
				c.NoCache = true
			case "no-store":
				c.NoCache, c.NoStore = true, true
			case "max-age":
				seconds, err := strconv.ParseUint(strings.Trim(value, `"`), 10, 31)
				switch {
				case err != nil:
				case seconds == 0:
					c.NoCache = true
				default:
					c.MaxAge = time.Duration(seconds) * time.Second
				}
			}
		}
	}
	return c
}
