package identity

import "slices"

// The role endpoints.
const (
	Admin    = "admin"
	Analyst  = "analyst"
	Business = "business"
)

// Endpoints are the role endpoints, in the order of the contract.
var Endpoints = []string{Admin, Analyst, Business}

// covers reports whether one of the roles covers one of the endpoints. A role that is none of the three covers what
// the guard says and nothing else.
func (g Guard) covers(roles, endpoints []string) bool {
	return slices.ContainsFunc(roles, func(role string) bool {
		return slices.ContainsFunc(g.covered(role), func(e string) bool { return slices.Contains(endpoints, e) })
	})
}

func (g Guard) covered(role string) []string {
	if given, ok := g.Endpoints[role]; ok {
		return given
	}
	switch role {
	case Admin:
		return Endpoints
	case Analyst:
		return Endpoints[1:]
	case Business:
		return Endpoints[2:]
	}
	return nil
}
