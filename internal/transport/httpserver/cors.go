package httpserver

import "net/http"

const (
	corsMethods = "POST, GET"
	corsHeaders = "Accept, Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, " +
		"X-NS, X-Service-Runtime-Code, X-Trace-Id"
	corsExposed = "Mcp-Session-Id, Retry-After, WWW-Authenticate, X-Trace-Id"
	corsMaxAge  = "600"
)

// answerCORS lets the browser show the answer to a page of a listed origin. It reports whether the request was a
// preflight, which it has then answered.
func answerCORS(w http.ResponseWriter, r *http.Request, origin string) bool {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", corsExposed)
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", corsMethods)
	h.Set("Access-Control-Allow-Headers", corsHeaders)
	h.Set("Access-Control-Max-Age", corsMaxAge)
	w.WriteHeader(http.StatusNoContent)
	return true
}
