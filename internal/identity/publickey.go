package identity

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"errors"

	"github.com/go-jose/go-jose/v4"

	"parlance/internal/jsontree"
)

const (
	leastRSA = 2048  // bits; less can be broken
	mostRSA  = 16384 // bits; more costs whoever checks a signature
	mostKeys = 100
)

// publicKey is a key of an issuer with the one algorithm that it is used for.
type publicKey struct {
	id  string
	alg jose.SignatureAlgorithm
	key crypto.PublicKey
}

var errNoKey = errors.New("there is no key in it that may be used: RSA of at least 2048 bits, P-256 or Ed25519, public, for signatures")

// readKeys reads a JWK set. Keys for other uses or algorithms, symmetric, private and weak ones are passed over.
func readKeys(text []byte) ([]publicKey, error) {
	root, err := jsontree.Parse(text)
	set, ok := root.Get("keys")
	if err != nil || !ok || set.Kind != jsontree.Array {
		return nil, errors.New("it is not a JWK set")
	}
	if len(set.Items) > mostKeys {
		return nil, errors.New("it has more than 100 keys")
	}
	var keys []publicKey
	for _, item := range set.Items {
		var k jose.JSONWebKey
		if k.UnmarshalJSON(item.Raw) != nil || !k.Valid() || !k.IsPublic() || k.Use != "" && k.Use != "sig" {
			continue
		}
		alg, ok := algorithmOf(k.Key)
		if !ok || k.Algorithm != "" && k.Algorithm != string(alg) && (alg != jose.EdDSA || k.Algorithm != "Ed25519") {
			continue
		}
		keys = append(keys, publicKey{k.KeyID, alg, k.Key})
	}
	if len(keys) == 0 {
		return nil, errNoKey
	}
	return keys, nil
}

// algorithmOf returns the algorithm that a key is for; a key for none is of no use here.
func algorithmOf(key any) (jose.SignatureAlgorithm, bool) {
	switch k := key.(type) {
	case *rsa.PublicKey:
		bits := k.N.BitLen()
		return jose.RS256, bits >= leastRSA && bits <= mostRSA && k.E > 2
	case *ecdsa.PublicKey:
		return jose.ES256, k.Curve == elliptic.P256()
	case ed25519.PublicKey:
		return jose.EdDSA, len(k) == ed25519.PublicKeySize
	}
	return "", false
}

// candidates returns the keys that may have signed a token. A token that names no key is checked only where the
// issuer has one key for its algorithm.
func candidates(keys []publicKey, s signed) []publicKey {
	var found []publicKey
	for _, k := range keys {
		if k.alg == s.alg && (s.kid == "" || k.id == s.kid) {
			found = append(found, k)
		}
	}
	if s.kid == "" && len(found) > 1 {
		return nil
	}
	return found
}
