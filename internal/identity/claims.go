package identity

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"parlance/internal/access"
	"parlance/internal/jsontree"
)

const longestUser = 256 // bytes

// accept checks a verified token's claims for one namespace and returns whom they name there. bound is false where
// the token is valid but for other namespaces.
func (i Issuer) accept(claims jsontree.Node, namespace string, now time.Time) (id access.Identity, bound bool, err error) {
	if err := i.check(claims, now); err != nil {
		return access.Identity{}, false, err
	}
	c := i.Claims
	user, ok := claimAt(claims, orElse(c.User, DefaultUserClaim))
	if !ok || user.Kind != jsontree.String || !ValidUser(user.Text) {
		return access.Identity{}, false, refused("token_user")
	}
	id = access.Identity{User: user.Text, Roles: texts(claims, orElse(c.Roles, DefaultRolesClaim)), Attributes: map[string][]string{}}
	for name, path := range c.Attributes {
		if values := texts(claims, path); values != nil {
			id.Attributes[name] = values
		}
	}
	bound = c.Namespaces == "" || slices.Contains(texts(claims, c.Namespaces), namespace)
	return id, bound, nil
}

// check holds the token's issuer, audience and times against what is configured.
func (i Issuer) check(claims jsontree.Node, now time.Time) error {
	if iss, _ := claims.Get("iss"); iss.Kind != jsontree.String || iss.Text != i.URL {
		return refused("token_issuer")
	}
	if !slices.ContainsFunc(audiences(claims), func(a string) bool { return slices.Contains(i.Audience, a) }) {
		return refused("token_audience")
	}
	exp, given, ok := instant(claims, "exp")
	switch {
	case !given || !ok:
		return refused("token_without_expiry")
	case !now.Before(exp.Add(i.Leeway)):
		return expired()
	}
	for _, name := range []string{"nbf", "iat"} {
		at, given, ok := instant(claims, name)
		if given && (!ok || at.After(now.Add(i.Leeway))) {
			return refused("token_not_yet_valid")
		}
	}
	return nil
}

func audiences(claims jsontree.Node) []string {
	aud, _ := claims.Get("aud")
	if aud.Kind == jsontree.String {
		return []string{aud.Text}
	}
	var all []string
	for _, item := range aud.Items {
		if item.Kind != jsontree.String {
			return nil
		}
		all = append(all, item.Text)
	}
	return all
}

// latestInstant keeps arithmetic on times away from overflow: the year 9999.
const latestInstant = 253402300799

// instant reads a claim that counts seconds since 1970.
func instant(claims jsontree.Node, name string) (at time.Time, given, ok bool) {
	n, given := claims.Get(name)
	if !given || n.Kind != jsontree.Number {
		return time.Time{}, given, false
	}
	seconds, err := strconv.ParseFloat(n.Text, 64)
	if err != nil || seconds < 0 || seconds > latestInstant {
		return time.Time{}, true, false
	}
	whole, part := math.Modf(seconds)
	return time.Unix(int64(whole), int64(part*1e9)), true, true
}

// claimAt returns the claim of a path. At every level the whole rest of the path is tried as one name first, since
// names of claims may have dots themselves.
func claimAt(n jsontree.Node, path string) (jsontree.Node, bool) {
	if found, ok := n.Get(path); ok {
		return found, true
	}
	name, rest, nested := strings.Cut(path, ".")
	if !nested {
		return jsontree.Node{}, false
	}
	below, ok := n.Get(name)
	if !ok || below.Kind != jsontree.Object {
		return jsontree.Node{}, false
	}
	return claimAt(below, rest)
}

// texts returns the values of a claim: one, or a list. What is neither is nil, as if it were absent. The words of a
// scope are a list.
func texts(claims jsontree.Node, path string) []string {
	n, ok := claimAt(claims, path)
	if !ok {
		return nil
	}
	if n.Kind == jsontree.String && (path == "scope" || path == "scp") {
		return strings.Fields(n.Text)
	}
	if n.Kind != jsontree.Array {
		n = jsontree.Node{Items: []jsontree.Node{n}}
	}
	values := make([]string, 0, len(n.Items))
	for _, item := range n.Items {
		switch item.Kind {
		case jsontree.String, jsontree.Number, jsontree.Bool:
			values = append(values, item.Text)
		case jsontree.Null, jsontree.Array, jsontree.Object:
			return nil
		}
	}
	return values
}

// ValidUser reports whether somebody may be called so: the name stands in logs and records.
func ValidUser(s string) bool {
	return s != "" && len(s) <= longestUser && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
