package httpserver

import (
	"net/http"
	"net/url"
)

const (
	namespaceHeader = "X-NS"
	namespaceKey    = "ns"
)

// tokenKeys are the names under which some clients put a token into the address, where logs and histories keep it.
var tokenKeys = []string{"access_token", "token"}

// namespaceOf returns the namespace as the request names it: the header, or ns in the address for clients that
// cannot set headers. "" is the default namespace.
func namespaceOf(r *http.Request) string {
	if ns := r.Header.Get(namespaceHeader); ns != "" || r.URL.RawQuery == "" {
		return ns
	}
	return r.URL.Query().Get(namespaceKey)
}

// checkAddress returns what is wrong with how a request names its namespace or brings its token, or "". Where two
// readers could see two namespaces, neither is served.
func checkAddress(r *http.Request) string {
	if len(r.Header.Values(namespaceHeader)) > 1 {
		return "The header " + namespaceHeader + " stands twice"
	}
	if r.URL.RawQuery == "" {
		return ""
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return "The query of the address is malformed"
	}
	if len(query[namespaceKey]) > 1 {
		return namespaceKey + " stands twice in the address"
	}
	for _, key := range tokenKeys {
		if query.Has(key) {
			return "A token in the address is not read; send it as Authorization: Bearer TOKEN"
		}
	}
	return ""
}
