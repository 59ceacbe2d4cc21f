package httpserver

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"slices"

	"parlance/internal/service"
)

const runtimeCodeHeader = "X-Service-Runtime-Code"

// RuntimeCode is the code that JSON-RPC endpoints require (decision 64). It is never an identity.
type RuntimeCode struct {
	Code      string   // "" requires none
	Endpoints []string // the roles whose endpoints require it; empty: all
}

// around guards the endpoint at path.
func (c RuntimeCode) around(path string) middleware {
	role, _ := roleOf(path)
	if c.Code == "" || len(c.Endpoints) > 0 && !slices.Contains(c.Endpoints, role) {
		return func(next http.Handler) http.Handler { return next }
	}
	want := sha256.Sum256([]byte(c.Code)) // equal lengths, so that a comparison tells nothing of the code's
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got := sha256.Sum256([]byte(r.Header.Get(runtimeCodeHeader)))
			if subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
				service.RecordOf(r.Context()).Fail("wrong_runtime_code")
				rpcFace{}.refuse(w, r, http.StatusUnauthorized, "Missing or wrong "+runtimeCodeHeader)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}
