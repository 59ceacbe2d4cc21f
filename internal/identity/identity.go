// Package identity turns the bearer credential of a request into an access.Identity, as the namespace's guard says.
// It reads no files and answers no requests: tokens are handed to it, and refusals are faults for a transport to word.
package identity

import (
	"time"
)

// Mode is how a namespace knows its callers (decision 61).
type Mode uint8

// The modes. The zero Mode asks for nothing and grants nothing.
const (
	None Mode = iota
	Tokens
	JWT
)

// Modes are the names of the modes, as configurations write them.
var Modes = []string{"none", "tokens", "jwt"}

// String returns the mode's name.
func (m Mode) String() string { return Modes[m] }

// Guard is how one namespace knows its callers. The zero Guard is mode none.
type Guard struct {
	Mode Mode
	// Table names the tokens of mode tokens; namespaces with one name share them.
	Table string
	// Issuer is of mode jwt.
	Issuer Issuer
	// Endpoints are the role endpoints that a role covers, in place of the defaults for that role.
	Endpoints map[string][]string
	// Attributes are names that policies may use beside those of the tokens or the claims.
	Attributes []string
}

// Issuer is whose tokens a namespace accepts, and what their claims mean.
type Issuer struct {
	URL      string        // what the claim iss must be, letter by letter
	JWKS     string        // where the keys are; "": what the issuer's OpenID configuration says
	Audience []string      // one of these must stand in aud
	Leeway   time.Duration // by how much clocks may differ
	Claims   Claims
}

// Claims say where an identity's parts stand in a token. A path is a claim's name, with dots into nested objects.
type Claims struct {
	User       string            // ""; sub
	Roles      string            // ""; roles
	Namespaces string            // "": the token is bound to no fewer namespaces than accept it
	Attributes map[string]string // by the attribute's name
}

// The defaults of Claims, and the bounds of Leeway.
const (
	DefaultUserClaim  = "sub"
	DefaultRolesClaim = "roles"
	DefaultLeeway     = 60 * time.Second
	MaxLeeway         = 5 * time.Minute
)

// Namespace is a guard with the name of what it guards.
type Namespace struct {
	Name  string
	Guard Guard
}
