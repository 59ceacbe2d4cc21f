package identity

import "strings"

const (
	scheme    = "Bearer"
	maxBearer = 8 << 10 // bytes; no issuer needs more, and what is longer is not looked at
)

// bearer returns the token of an Authorization header. The scheme is read in any case, as HTTP wants; beyond that the
// header must be exactly one scheme and one token.
func bearer(authorization string) (string, error) {
	if authorization == "" {
		return "", missingToken()
	}
	got, rest, found := strings.Cut(authorization, " ")
	if !strings.EqualFold(got, scheme) {
		return "", malformed("Authorization must be of the scheme Bearer")
	}
	token := strings.Trim(rest, " ")
	switch {
	case !found || token == "":
		return "", missingToken()
	case len(token) > maxBearer:
		return "", malformed("The token is too long")
	case !isToken68(token):
		return "", malformed("The token has characters that no token has")
	}
	return token, nil
}

// isToken68 reports whether s is made of what RFC 6750 lets a token be made of.
func isToken68(s string) bool {
	for _, c := range []byte(strings.TrimRight(s, "=")) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-._~+/", c) >= 0:
		default:
			return false
		}
	}
	return s[0] != '='
}
