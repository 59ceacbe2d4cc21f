package queryapi

import (
	"net/http"
	"net/url"
	"strings"
)

type serveFunc func(h *Handler, w http.ResponseWriter, r *http.Request, model string, body []byte)

const modelSegment = "{model}"

// routes is every path that is served, all of them by POST. A literal stands before a pattern that it matches.
var routes = []struct {
	pattern string
	serve   serveFunc
}{
	{"/jdbc-model/query-model/queryKpi", (*Handler).summary},
	{"/jdbc-model/query-model/v2/" + modelSegment, (*Handler).page},
}

// Patterns returns the paths that are served, as the OpenAPI document writes them.
func Patterns() []string {
	patterns := make([]string, len(routes))
	for i, r := range routes {
		patterns[i] = r.pattern
	}
	return patterns
}

// find returns what serves an escaped path, and the model that the path names.
func find(path string) (serve serveFunc, model string, ok bool) {
	for _, r := range routes {
		if model, ok := match(r.pattern, path); ok {
			return r.serve, model, true
		}
	}
	return nil, "", false
}

// match compares segment by segment, each unescaped by itself, so that a model's name may hold any character.
// An empty name matches nothing.
func match(pattern, path string) (model string, ok bool) {
	for more := true; more; {
		var want, got string
		var left bool
		want, pattern, more = strings.Cut(pattern, "/")
		got, path, left = strings.Cut(path, "/")
		plain, err := url.PathUnescape(got)
		if err != nil || more != left {
			return "", false
		}
		switch {
		case want == modelSegment && plain != "":
			model = plain
		case want != plain:
			return "", false
		}
	}
	return model, true
}
