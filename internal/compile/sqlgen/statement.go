// Package sqlgen prints a plan as the text and the bind arguments of one database.
// It is the only place where SQL is written; every question about a database goes to its dialect.
package sqlgen

// Statement is SQL with its bind arguments. The text holds no string of the request.
type Statement struct {
	SQL  string
	Args []any
}
