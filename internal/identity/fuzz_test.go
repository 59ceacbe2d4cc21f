package identity

import (
	"slices"
	"strings"
	"testing"
)

// FuzzAuthorization: whatever stands in the header, what is taken from it is a token of a known form and algorithm.
func FuzzAuthorization(f *testing.F) {
	for _, seed := range []string{
		"", "Bearer abc", "bearer  a.b.c ", "Basic x", "Bearer eyJhbGciOiJFUzI1NiIsImtpZCI6ImEifQ.eyJpc3MiOiJ4In0.c2ln",
		"Bearer eyJhbGciOiJub25lIn0.e30.", "Bearer ..", "Bearer eyJhbGciOiJSUzI1NiIsImp3ayI6e319.e30.x", "Bearer \xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, authorization string) {
		token, err := bearer(authorization)
		if err != nil {
			return
		}
		if token == "" || len(token) > maxBearer || strings.ContainsAny(token, " ,\"\\\t\r\n\x00") || !strings.Contains(authorization, token) {
			t.Fatalf("%q gives the token %q", authorization, token)
		}
		s, err := open(token)
		if err != nil {
			return
		}
		if !slices.Contains(algorithms, s.alg) || strings.Count(token, ".") != 2 {
			t.Fatalf("%q is read as %s", token, s.alg)
		}
		if s.verify(nil) {
			t.Fatalf("%q is signed by nobody and holds", token)
		}
	})
}
