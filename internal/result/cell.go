package result

import (
	"math/big"
	"strconv"
	"time"

	"parlance/internal/fault"
	"parlance/internal/value"
)

// appendCell appends one cell as its column's type wants it, whatever form the driver gave it.
func appendCell(b []byte, t value.Type, measure bool, zone *time.Location, cell any) ([]byte, error) {
	if cell == nil {
		return append(b, "null"...), nil
	}
	switch t.Kind {
	case value.String:
		return appendText(b, cell)
	case value.Integer, value.Float:
		return appendNumber(b, t, 0, measure, cell)
	case value.Decimal:
		return appendNumber(b, t, int(t.Scale), measure, cell)
	case value.Boolean:
		return appendBoolean(b, t, cell)
	case value.Date, value.Timestamp:
		return appendTime(b, t, zone, cell)
	case value.Null:
	}
	return appendUntyped(b, t, measure, zone, cell)
}

// appendNumber appends a number with at least scale digits after the point.
func appendNumber(b []byte, t value.Type, scale int, measure bool, cell any) ([]byte, error) {
	switch v := cell.(type) {
	case int64:
		return appendFixed(appendInt(b, v, measure), scale), nil
	case *Decimal:
		if v != nil {
			return appendDecimal(b, v, uint8(scale), measure), nil
		}
	case *big.Int:
		if v != nil {
			return appendFixed(appendBig(b, v, measure), scale), nil
		}
	case int32:
		return appendFixed(strconv.AppendInt(b, int64(v), 10), scale), nil
	case float64:
		return appendFloatFixed(b, v, 64, scale), nil
	case int16:
		return appendFixed(strconv.AppendInt(b, int64(v), 10), scale), nil
	case int8:
		return appendFixed(strconv.AppendInt(b, int64(v), 10), scale), nil
	case int:
		return appendFixed(appendInt(b, int64(v), measure), scale), nil
	case uint64:
		return appendFixed(appendUint(b, v, measure), scale), nil
	case uint32:
		return appendFixed(strconv.AppendUint(b, uint64(v), 10), scale), nil
	case uint16:
		return appendFixed(strconv.AppendUint(b, uint64(v), 10), scale), nil
	case uint8:
		return appendFixed(strconv.AppendUint(b, uint64(v), 10), scale), nil
	case float32:
		return appendFloatFixed(b, float64(v), 32, scale), nil
	case string:
		if out, ok := appendNumeral(b, v, scale, measure); ok {
			return out, nil
		}
	case []byte:
		if out, ok := appendNumeral(b, v, scale, measure); ok {
			return out, nil
		}
	}
	return nil, wrongCell(t, cell)
}

// appendFixed adds the point and the zeros of a scale to the integer that b ends with, inside its quotes if it has any.
func appendFixed(b []byte, scale int) []byte {
	if scale == 0 {
		return b
	}
	quoted := b[len(b)-1] == '"'
	if quoted {
		b = b[:len(b)-1]
	}
	b = appendZeros(append(b, '.'), scale)
	if quoted {
		b = append(b, '"')
	}
	return b
}

// appendFloatFixed pads a float of plain digits to the scale; it never rounds.
func appendFloatFixed(b []byte, f float64, bitSize, scale int) []byte {
	mark := len(b)
	b = appendFloat(b, f, bitSize)
	if scale == 0 {
		return b
	}
	n, ok := parseNumeral(b[mark:])
	if !ok || n.exponent {
		return b
	}
	if n.fraction == n.whole {
		return appendFixed(b, scale)
	}
	return appendZeros(b, scale-(n.fraction-n.whole-1))
}

func appendBoolean(b []byte, t value.Type, cell any) ([]byte, error) {
	switch v := cell.(type) {
	case bool:
		return strconv.AppendBool(b, v), nil
	case int64:
		if v == 0 || v == 1 {
			return strconv.AppendBool(b, v == 1), nil
		}
	case int8:
		if v == 0 || v == 1 {
			return strconv.AppendBool(b, v == 1), nil
		}
	case uint8:
		if v == 0 || v == 1 {
			return strconv.AppendBool(b, v == 1), nil
		}
	}
	return nil, wrongCell(t, cell)
}

func appendTime(b []byte, t value.Type, zone *time.Location, cell any) ([]byte, error) {
	switch v := cell.(type) {
	case time.Time:
		b = append(b, '"')
		switch {
		case t.Kind == value.Date:
			b = appendDate(b, v)
		case t.Zoned:
			b = appendInstant(b, v, zone)
		default:
			b = appendTimestamp(b, v)
		}
		return append(b, '"'), nil
	case string:
		return AppendString(b, v), nil
	case []byte:
		return AppendString(b, v), nil
	}
	return nil, wrongCell(t, cell)
}

// appendText appends any scalar as a string.
func appendText(b []byte, cell any) ([]byte, error) {
	switch v := cell.(type) {
	case string:
		return AppendString(b, v), nil
	case []byte:
		return AppendString(b, v), nil
	case bool:
		return append(strconv.AppendBool(append(b, '"'), v), '"'), nil
	case time.Time:
		return append(appendTimestamp(append(b, '"'), v), '"'), nil
	case *Decimal:
		if v != nil {
			return append(appendDecimal(append(b, '"'), v, v.Scale, true), '"'), nil
		}
	}
	out, err := appendNumber(append(b, '"'), value.Type{Kind: value.String}, 0, true, cell)
	if err != nil {
		return nil, err
	}
	return append(out, '"'), nil
}

// appendUntyped appends a cell of a column that has no type of its own, such as a bare null's.
func appendUntyped(b []byte, t value.Type, measure bool, zone *time.Location, cell any) ([]byte, error) {
	switch v := cell.(type) {
	case string, []byte:
		return appendText(b, v)
	case bool:
		return strconv.AppendBool(b, v), nil
	case time.Time:
		return appendTime(b, value.Type{Kind: value.Timestamp}, zone, v)
	}
	return appendNumber(b, t, 0, measure, cell)
}

func wrongCell(t value.Type, cell any) error {
	return fault.Internalf(nil, "A %T cannot be shown as %s", cell, t.Name())
}
