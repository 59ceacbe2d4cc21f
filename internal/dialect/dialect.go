// Package dialect answers what differs between databases. A dialect is never asked its name.
package dialect

// Dialect is a handful of questions about one database.
type Dialect interface {
	// Quote returns an identifier of the model as the database wants it: "a" or `a`.
	Quote(ident string) string
}
