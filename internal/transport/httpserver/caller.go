package httpserver

import (
	"log/slog"
	"net/http"

	"parlance/internal/access"
	"parlance/internal/fault"
	"parlance/internal/service"
)

// Authenticator turns the credentials of a request into an identity, as the namespace's setting says.
// An Unauthorized fault is answered with 401, a Forbidden one with 403, an Unavailable one with 503.
// A namespace that does not exist is not its concern.
type Authenticator interface {
	Authenticate(r *http.Request, namespace string) (access.Identity, error)
}

// Anonymous is mode none (decision 61): the Authorization value is recorded and grants nothing.
type Anonymous struct{}

// Authenticate never refuses.
func (Anonymous) Authenticate(r *http.Request, _ string) (access.Identity, error) {
	return access.Identity{Opaque: r.Header.Get("Authorization")}, nil
}

// caller puts who asks, and in which namespace, into the request's context.
func caller(f face, auth Authenticator, log *slog.Logger) middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			c := service.CallerOf(r.Context())
			c.Namespace = namespaceOf(r)
			identity, err := auth.Authenticate(r, c.Namespace)
			if err != nil {
				refuseIdentity(f, log, w, r, fault.As(err))
				return
			}
			c.Identity = identity
			next.ServeHTTP(w, r.WithContext(service.WithCaller(r.Context(), c)))
		})
	}
}

func refuseIdentity(f face, log *slog.Logger, w http.ResponseWriter, r *http.Request, err *fault.Error) {
	service.RecordOf(r.Context()).Fail(err.Reason)
	switch err.Kind {
	case fault.Unauthorized:
		w.Header().Set("WWW-Authenticate", "Bearer")
		f.refuse(w, r, http.StatusUnauthorized, err.Text())
	case fault.Forbidden:
		f.refuse(w, r, http.StatusForbidden, err.Text())
	case fault.Unavailable:
		w.Header().Set("Retry-After", "1")
		f.refuse(w, r, http.StatusServiceUnavailable, err.Text())
	case fault.Internal, fault.Invalid, fault.NotFound:
		log.ErrorContext(r.Context(), "authentication failed", "trace", traceOf(r), "error", err.Error())
		f.fail(w, r)
	}
}

// namespaceOf returns the namespace as the request names it: the header, or ns in the address for clients that
// cannot set headers. "" is the default namespace.
func namespaceOf(r *http.Request) string {
	if ns := r.Header.Get("X-NS"); ns != "" || r.URL.RawQuery == "" {
		return ns
	}
	return r.URL.Query().Get("ns")
}
