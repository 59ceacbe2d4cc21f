// Package result is what comes back: columns, rows encoded as they arrive, exact numbers as JSON text.
// It knows no query and no database; the datasource feeds it and the transports send its bytes.
package result

import "parlance/internal/value"

// Column is one column of an answer.
type Column struct {
	Key     string // the row's JSON key
	Type    value.Type
	Caption string
	Measure bool // numbers keep all their digits; other integers beyond ±(2^53−1) become strings (decision 51)
}

// Layout is how rows are laid out in JSON.
type Layout uint8

// The layouts.
const (
	Objects Layout = iota // [{"a":1},…]
	Compact               // [[1],…]
)
