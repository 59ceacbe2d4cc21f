package datasource

import (
	"fmt"
	"math/big"
	"strconv"
	"time"

	"parlance/internal/value"
)

// argument returns a bind argument in a form that drivers take: Go's own values pass, and a value.Value becomes the
// Go value of its kind. A decimal stays text, which no driver rounds.
func argument(a any) (any, error) {
	v, ok := a.(value.Value)
	if !ok {
		return a, nil
	}
	switch v.Kind {
	case value.Null:
		return nil, nil
	case value.String, value.Decimal:
		return v.Text, nil
	case value.Integer:
		return integerArgument(v.Text)
	case value.Float:
		return strconv.ParseFloat(v.Text, 64)
	case value.Boolean:
		return strconv.ParseBool(v.Text)
	case value.Date:
		return time.Parse(time.DateOnly, v.Text)
	case value.Timestamp:
		return time.Parse("2006-01-02T15:04:05", v.Text) // digits after the seconds are read too
	}
	return nil, fmt.Errorf("a value of kind %d cannot be bound", v.Kind)
}

func integerArgument(text string) (any, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return nil, fmt.Errorf("%q is no integer", text)
	}
	return n, nil
}
