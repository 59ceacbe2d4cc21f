package httpserver

import (
	"context"
	"log/slog"
	"net/http"
	"strings"

	"parlance/internal/access"
	"parlance/internal/fault"
	"parlance/internal/service"
)

// Authenticator turns the credentials of a request into an identity, as the namespace's setting says.
type Authenticator interface {
	// Authenticate takes the namespace as the request names it ("" is the default), the value of Authorization ("" if
	// there is none) and the role endpoints of which a role must cover one. An Unauthorized fault is answered with 401,
	// a Forbidden one with 403, an Unavailable one with 503; an identity beside the fault is recorded and nothing else. A
	// namespace that does not exist is not its concern.
	Authenticate(ctx context.Context, namespace, authorization string, endpoints []string) (access.Identity, error)
	// AuthorizationServers are the issuers that give tokens for a namespace; none where tokens come in another way.
	AuthorizationServers(namespace string) []string
}

// The reasons of Unauthorized faults that are not about a token that was read.
const (
	missingToken         = "missing_token"
	malformedCredentials = "malformed_credentials"
)

// Anonymous is mode none (decision 61): the Authorization value is recorded and grants nothing.
type Anonymous struct{}

// Authenticate never refuses.
func (Anonymous) Authenticate(_ context.Context, _, authorization string, _ []string) (access.Identity, error) {
	return access.Identity{Opaque: authorization}, nil
}

// AuthorizationServers returns none.
func (Anonymous) AuthorizationServers(string) []string { return nil }

// callers puts who asks, and in which namespace, into the context of every request.
type callers struct {
	auth   Authenticator
	public publicURL
	log    *slog.Logger
}

// around guards a part of the tree whose callers need a role that covers one of the endpoints.
func (c callers) around(f face, endpoints ...string) middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if wrong := checkAddress(r); wrong != "" {
				service.RecordOf(r.Context()).Fail("bad_request")
				f.refuse(w, r, http.StatusBadRequest, wrong)
				return
			}
			who := service.CallerOf(r.Context())
			who.Namespace = namespaceOf(r)
			// Several headers are joined as HTTP says, which no bearer token survives.
			authorization := strings.Join(r.Header.Values("Authorization"), ", ")
			identity, err := c.auth.Authenticate(r.Context(), who.Namespace, authorization, endpoints)
			if err != nil {
				service.RecordOf(r.Context()).Caller.Identity = identity
				c.refuse(f, w, r, fault.As(err))
				return
			}
			who.Identity = identity
			ctx := service.WithCacheControl(r.Context(), cacheControl(r.Header))
			next.ServeHTTP(w, r.WithContext(service.WithCaller(ctx, who)))
		})
	}
}

func (c callers) refuse(f face, w http.ResponseWriter, r *http.Request, err *fault.Error) {
	service.RecordOf(r.Context()).Fail(err.Reason)
	switch err.Kind {
	case fault.Unauthorized:
		w.Header().Set("WWW-Authenticate", c.challenge(r, err))
		f.refuse(w, r, http.StatusUnauthorized, err.Text())
	case fault.Forbidden:
		w.Header().Set("WWW-Authenticate", c.challenge(r, err))
		f.refuse(w, r, http.StatusForbidden, err.Text())
	case fault.Unavailable:
		w.Header().Set("Retry-After", "1")
		f.refuse(w, r, http.StatusServiceUnavailable, err.Text())
	case fault.Internal, fault.Invalid, fault.NotFound:
		c.log.ErrorContext(r.Context(), "authentication failed", "trace", traceOf(r), "error", err.Error())
		f.fail(w, r)
	}
}

// challenge is the WWW-Authenticate of a refusal (RFC 6750), with the place of the metadata that tells a client where
// tokens come from (RFC 9728).
func (c callers) challenge(r *http.Request, err *fault.Error) string {
	var params []string
	add := func(name, value string) { params = append(params, name+"="+quoted(value)) }
	word := "invalid_token"
	switch {
	case err.Kind == fault.Forbidden:
		word = "insufficient_scope"
	case err.Reason == malformedCredentials:
		word = "invalid_request"
	case err.Reason == missingToken:
		word = ""
	}
	if word != "" {
		add("error", word)
		add("error_description", err.Message)
	}
	if len(c.auth.AuthorizationServers(namespaceOf(r))) > 0 {
		add("resource_metadata", c.public.metadata(r))
	}
	return strings.TrimSpace("Bearer " + strings.Join(params, ", "))
}

// quoted returns a quoted-string of printable ASCII, whatever the text holds.
func quoted(s string) string {
	return `"` + strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			return '\''
		}
		return c
	}, s) + `"`
}
