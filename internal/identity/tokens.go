package identity

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"slices"
	"sync/atomic"

	"parlance/internal/access"
)

// prefix makes a token recognisable: to people, and to programs that look for secrets in places where none belong.
const prefix = "plc_"

// NewToken returns a token with 256 random bits.
func NewToken() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return prefix + base64.RawURLEncoding.EncodeToString(b[:])
}

// Hash is the SHA-256 of a token: all that is ever stored of one.
type Hash [sha256.Size]byte

// HashOf returns the hash of a token.
func HashOf(token string) Hash { return sha256.Sum256([]byte(token)) }

// ParseHash reads a hash in hexadecimal digits.
func ParseHash(s string) (Hash, bool) {
	var h Hash
	n, err := hex.Decode(h[:], []byte(s[:min(len(s), 2*len(h))]))
	return h, err == nil && n == len(h) && len(s) == 2*len(h)
}

// String returns the hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Token is one credential of mode tokens.
type Token struct {
	Hash       Hash
	User       string
	Roles      []string
	Namespaces []string // nil: every namespace that uses the table
	Attributes map[string][]string
}

// table is a set of tokens that is replaced as a whole.
type table struct {
	name    string
	salt    [sha256.Size]byte // of this process: how long a comparison takes tells nothing of a stored hash
	current atomic.Pointer[tokenSet]
}

type tokenSet struct {
	bySalted   map[Hash]Token
	inOrder    []Token
	attributes []string // sorted
}

func newTable(name string) *table {
	t := &table{name: name}
	_, _ = rand.Read(t.salt[:]) // never fails
	t.set(nil)
	return t
}

func (t *table) set(tokens []Token) {
	next := &tokenSet{bySalted: make(map[Hash]Token, len(tokens)), inOrder: slices.Clone(tokens)}
	names := map[string]bool{}
	for _, token := range tokens {
		next.bySalted[t.salted(token.Hash)] = token
		for name := range token.Attributes {
			names[name] = true
		}
	}
	next.attributes = slices.Sorted(maps.Keys(names))
	t.current.Store(next)
}

func (t *table) salted(h Hash) Hash {
	return sha256.Sum256(append(t.salt[:], h[:]...))
}

func (t *table) find(h Hash) (Token, bool) {
	token, ok := t.current.Load().bySalted[t.salted(h)]
	return token, ok
}

// identity returns who the token stands for in a namespace that uses its table, if it is bound to it.
func (t Token) identity(namespace string) (access.Identity, bool) {
	if t.Namespaces != nil && !slices.Contains(t.Namespaces, namespace) {
		return access.Identity{}, false
	}
	id := access.Identity{User: t.User, Roles: slices.Clone(t.Roles), Attributes: map[string][]string{}}
	for name, values := range t.Attributes {
		id.Attributes[name] = slices.Clone(values)
	}
	return id, true
}
