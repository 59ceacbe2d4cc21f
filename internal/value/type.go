// Package value is the vocabulary of data: types, exact values and their text.
// It knows no database and no query; every layer above shares it.
package value

// Kind is the family of a type. The zero Kind is the type of a bare null.
type Kind uint8

// The kinds that a field, a literal or a result column can have.
const (
	Null Kind = iota
	String
	Integer
	Decimal
	Float
	Boolean
	Date
	Timestamp
)

// Style is how people read a number; it never changes the number.
type Style uint8

// The styles. Money is a decimal of scale 2.
const (
	Plain Style = iota
	Money
	Percent
)

// Type is the type of a value. Types are compared with ==.
type Type struct {
	Kind  Kind
	Scale uint8 // digits after the point of a Decimal
	Style Style
	Wide  bool // an Integer that may pass ±(2^53−1)
	Zoned bool // a Timestamp that names an instant and not a wall time
}

// MinRatioScale is the least number of digits after the point of an average or a quotient (decision 55).
const MinRatioScale = 6

// MaxPrecision is the number of digits in which exact arithmetic is done (decision 55).
const MaxPrecision = 38

// Name returns the word that model files and descriptions use for the type.
func (t Type) Name() string {
	switch t.Style {
	case Money:
		return "money"
	case Percent:
		return "percent"
	case Plain:
	}
	switch t.Kind {
	case Null:
		return "null"
	case String:
		return "string"
	case Integer:
		if t.Wide {
			return "bigint"
		}
		return "integer"
	case Decimal:
		return "decimal"
	case Float:
		return "float"
	case Boolean:
		return "boolean"
	case Date:
		return "date"
	case Timestamp:
		return "timestamp"
	}
	return "unknown"
}

// Numeric reports whether values of the type can be added up.
func (t Type) Numeric() bool {
	return t.Kind == Integer || t.Kind == Decimal || t.Kind == Float
}

// Exact reports whether the type's arithmetic is exact.
func (t Type) Exact() bool { return t.Kind == Integer || t.Kind == Decimal }

// Temporal reports whether values of the type stand on the calendar.
func (t Type) Temporal() bool { return t.Kind == Date || t.Kind == Timestamp }

// TypeNames are the words that a model file may use for a type.
var TypeNames = []string{"string", "integer", "decimal", "money", "percent", "boolean", "date", "timestamp"}

// Named returns the type that a model file's word stands for. A decimal's and a percent's scale come from the
// column; a float of the live schema stays a float under either word.
func Named(word string) (Type, bool) {
	switch word {
	case "string":
		return Type{Kind: String}, true
	case "integer":
		return Type{Kind: Integer}, true
	case "decimal":
		return Type{Kind: Decimal, Scale: MinRatioScale}, true
	case "money":
		return Type{Kind: Decimal, Scale: 2, Style: Money}, true
	case "percent":
		return Type{Kind: Decimal, Scale: MinRatioScale, Style: Percent}, true
	case "boolean":
		return Type{Kind: Boolean}, true
	case "date":
		return Type{Kind: Date}, true
	case "timestamp":
		return Type{Kind: Timestamp}, true
	}
	return Type{}, false
}
