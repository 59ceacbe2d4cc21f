package mcp

import (
	"bytes"
	"encoding/json"
	"strconv"

	"parlance/internal/transport/jsonrpc"
)

// appendField appends a further member of an object, or nothing where its value is empty.
func appendField(dst []byte, key, value string) []byte {
	if value == "" {
		return dst
	}
	return jsonrpc.AppendString(appendKey(dst, key), value)
}

// appendStrings appends a further member that is a list, or nothing where it is empty.
func appendStrings(dst []byte, key string, values []string) []byte {
	if len(values) == 0 {
		return dst
	}
	dst = append(appendKey(dst, key), '[')
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonrpc.AppendString(dst, v)
	}
	return append(dst, ']')
}

func appendNumber(dst []byte, key string, n int64) []byte {
	return strconv.AppendInt(appendKey(dst, key), n, 10)
}

// appendKey appends a key that needs no escaping; the comma is left out at an object's start.
func appendKey(dst []byte, key string) []byte {
	if n := len(dst); n > 0 && dst[n-1] != '{' {
		dst = append(dst, ',')
	}
	dst = append(dst, '"')
	dst = append(dst, key...)
	return append(dst, `":`...)
}

// marshal returns the JSON of a value of the service, as compact as can be and with < > & as they are.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// orEmpty returns the list, or an empty one for nil: a list of a result is never null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// orNone returns the map, or an empty one for nil.
func orNone[T any](m map[string]T) map[string]T {
	if m == nil {
		return map[string]T{}
	}
	return m
}
