package sqlitefn

import (
	"bytes"
	"cmp"
	"database/sql/driver"
	"strings"
)

// extreme returns the greatest (sign 1) or the least (sign -1) of the values that are not null.
func extreme(args []driver.Value, sign int) (driver.Value, error) {
	var best driver.Value
	for _, a := range args {
		if a == nil {
			continue
		}
		if best == nil {
			best = a
			continue
		}
		c, err := compare(a, best)
		if err != nil {
			return nil, err
		}
		if c == sign {
			best = a
		}
	}
	return best, nil
}

// compare orders two values of one type.
func compare(a, b driver.Value) (int, error) {
	switch x := a.(type) {
	case string:
		if y, ok := b.(string); ok {
			return strings.Compare(x, y), nil
		}
	case float64:
		if y, ok := b.(float64); ok {
			return cmp.Compare(x, y), nil
		}
	case int64:
		if y, ok := b.(int64); ok {
			return cmp.Compare(x, y), nil
		}
	case []byte:
		if y, ok := b.([]byte); ok {
			return bytes.Compare(x, y), nil
		}
	}
	x, err := number(a)
	if err != nil {
		return 0, err
	}
	y, err := number(b)
	return x.Cmp(y), err
}
