package httpserver

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

const (
	metadataPath = "/.well-known/oauth-protected-resource"
	// headerKey carries, in the address of the metadata, a namespace that the request named by a header: it is no part
	// of the resource's own address.
	headerKey = "x-ns"
)

// publicURL is the server's address as clients see it; "" is what the request says.
type publicURL string

func (p publicURL) of(r *http.Request) string {
	if p != "" {
		return string(p)
	}
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// metadata returns where the metadata of what the request asked for stands. Only JSON-RPC endpoints have their own.
func (p publicURL) metadata(r *http.Request) string {
	at := p.of(r) + metadataPath
	if _, ok := roleOf(r.URL.Path); ok {
		at += r.URL.EscapedPath()
	}
	key := namespaceKey
	if r.Header.Get(namespaceHeader) != "" {
		key = headerKey
	}
	if ns := namespaceOf(r); ns != "" {
		at += "?" + key + "=" + url.QueryEscape(ns)
	}
	return at
}

// resourceMetadata is the part of RFC 9728 that MCP clients read.
type resourceMetadata struct {
	Resource             string   `json:"resource"`
	AuthorizationServers []string `json:"authorization_servers"`
	BearerMethods        []string `json:"bearer_methods_supported"`
	Name                 string   `json:"resource_name"`
}

// metadata answers which issuers give tokens for the namespace; where none does, there is no such path (decision 06).
func (s *Server) metadata() http.Handler {
	return readOnly(func(w http.ResponseWriter, r *http.Request) {
		namespace, resource := namespaceOf(r), publicURL(s.opts.PublicURL).of(r)+strings.TrimPrefix(r.URL.EscapedPath(), metadataPath)
		if ns := r.URL.Query().Get(namespaceKey); ns != "" {
			resource += "?" + namespaceKey + "=" + url.QueryEscape(ns)
		}
		if ns := r.URL.Query().Get(headerKey); ns != "" {
			namespace = ns
		}
		servers := s.opts.Authenticate.AuthorizationServers(namespace)
		if len(servers) == 0 {
			notFound(w, r)
			return
		}
		body, _ := json.Marshal(resourceMetadata{resource, servers, []string{"header"}, "Parlance"}) // strings always encode
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		send(w, http.StatusOK, body)
	})
}
