package mcp

import (
	"math"

	"parlance/internal/fault"
	"parlance/internal/jsontree"
	"parlance/internal/transport/jsonrpc"
)

func badText(key string, got jsontree.Node) error {
	return fault.Invalidf("bad_argument", key, "%s must be a string, not %s", key, jsonrpc.KindName(got.Kind)).With(func(e *fault.Error) {
		e.Got = jsonrpc.Clip(string(got.Raw))
	})
}

func badInteger(key string, got jsontree.Node, least, most int) error {
	shown := jsonrpc.Clip(string(got.Raw))
	e := fault.Invalidf("bad_argument", key, "%s must be a whole number from %d to %d, not %s", key, least, most, shown)
	if most == math.MaxInt32 {
		e = fault.Invalidf("bad_argument", key, "%s must be a whole number from %d on, not %s", key, least, shown)
	}
	return e.With(func(e *fault.Error) { e.Got = shown })
}
