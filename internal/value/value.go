package value

// Value is one typed, exact value. Values are compared with ==; the zero Value is null.
//
// Text is canonical for its kind: a String is itself; an Integer, Decimal or Float is a JSON number;
// a Boolean is true or false; a Date is 2024-03-05; a Timestamp is 2024-03-05T14:03:07 with up to six further
// digits, none of them trailing zeros.
type Value struct {
	Kind Kind
	Text string
}

// Of makes a value; text must be canonical for the kind.
func Of(kind Kind, text string) Value { return Value{Kind: kind, Text: text} }

// IsNull reports whether the value is null.
func (v Value) IsNull() bool { return v.Kind == Null }

// String returns the text, or null.
func (v Value) String() string {
	if v.Kind == Null {
		return "null"
	}
	return v.Text
}
