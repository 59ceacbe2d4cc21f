package access

// Identity is who calls. The zero Identity is anonymous: no role, no attribute.
type Identity struct {
	User       string
	Roles      []string
	Attributes map[string][]string
	Namespaces []string // nil: not bound to any
	Opaque     string   // the Authorization value of mode none, for the audit record only
}
