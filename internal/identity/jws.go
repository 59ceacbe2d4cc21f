package identity

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/go-jose/go-jose/v4"

	"parlance/internal/jsontree"
)

// algorithms are those that a token may be signed with: no symmetric one, so that a public key is never a secret.
var algorithms = []jose.SignatureAlgorithm{jose.RS256, jose.ES256, jose.EdDSA}

// foreignKeys are header parameters that bring a key along or ask for behaviour that is not here. Ignoring them would
// be safe; a token that has one is somebody's try, or meant for another kind of reader.
var foreignKeys = []string{"crit", "b64", "jwk", "jku", "x5u", "x5c"}

// types are what the header typ may say; a token of another type was made for another purpose.
var types = []string{"jwt", "at+jwt", "application/jwt", "application/at+jwt"}

// signed is a token taken apart, of which nothing is to be trusted yet.
type signed struct {
	text   string
	alg    jose.SignatureAlgorithm
	kid    string
	claims jsontree.Node
}

// open takes a token apart. Header and claims are read strictly: a key twice, where two readers would see two
// tokens, is refused.
func open(token string) (signed, error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return signed{}, refused("token_unknown")
	}
	header, ok := object(parts[0])
	claims, also := object(parts[1])
	if !ok || !also {
		return signed{}, refused("token_not_json")
	}
	s := signed{text: token, claims: claims}
	for _, m := range header.Members {
		text := m.Value.Kind == jsontree.String
		switch {
		case slices.Contains(foreignKeys, m.Key):
			return signed{}, refused("token_header")
		case (m.Key == "alg" || m.Key == "kid" || m.Key == "typ") && !text:
			return signed{}, refused("token_header")
		case m.Key == "alg":
			s.alg = jose.SignatureAlgorithm(m.Value.Text)
		case m.Key == "kid":
			s.kid = m.Value.Text
		case m.Key == "typ" && !slices.Contains(types, strings.ToLower(m.Value.Text)):
			return signed{}, refused("token_type")
		}
	}
	if !slices.Contains(algorithms, s.alg) {
		return signed{}, refused("token_algorithm")
	}
	return s, nil
}

func object(encoded string) (jsontree.Node, bool) {
	text, err := base64.RawURLEncoding.Strict().DecodeString(encoded)
	if err != nil {
		return jsontree.Node{}, false
	}
	node, err := jsontree.Parse(text)
	return node, err == nil && node.Kind == jsontree.Object
}

// verify reports whether one of the keys made the signature.
func (s signed) verify(keys []publicKey) bool {
	parsed, err := jose.ParseSignedCompact(s.text, []jose.SignatureAlgorithm{s.alg})
	if err != nil {
		return false
	}
	return slices.ContainsFunc(keys, func(k publicKey) bool {
		_, err := parsed.Verify(k.key)
		return err == nil
	})
}
