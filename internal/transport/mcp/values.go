package mcp

import (
	"context"
	"strings"

	"parlance/internal/fault"
	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/service"
)

func (in *invocation) fieldValues(ctx context.Context) ([]byte, error) {
	o, err := in.listOptions()
	if err != nil {
		return nil, err
	}
	slice, err := in.slice()
	if err != nil {
		return nil, err
	}
	found, err := in.handler.service.FieldValues(ctx, in.caller, service.ValuesRequest{
		Model: in.args.text("model"), Field: in.args.text("field"), Slice: slice, Search: o.Search, Limit: o.Limit, Start: o.Start,
	})
	if err != nil {
		return nil, err
	}
	in.rows = int64(len(found.Values) + len(found.Examples))
	return marshal(found)
}

// slice returns the conditions that stand beside the name of a field.
func (in *invocation) slice() ([]query.Condition, error) {
	given, _ := in.args.get("slice")
	if given.Kind == jsontree.Null {
		return nil, nil
	}
	conditions, err := query.DecodeSlice(given, "slice", in.handler.limits.Query)
	if err != nil {
		return nil, err
	}
	return conditions, in.checkSliceCodes(given)
}

// checkSliceCodes refuses conditions that name a dictionary's value by another word for it, as those of a payload are.
func (in *invocation) checkSliceCodes(slice jsontree.Node) error {
	model, _ := in.args.get("model")
	beside := &invocation{handler: in.handler, caller: in.caller, args: arguments{members: []jsontree.Member{
		{Key: "model", Value: model},
		{Key: "payload", Value: jsontree.Node{Kind: jsontree.Object, Members: []jsontree.Member{{Key: "slice", Value: slice}}}},
	}}}
	err := beside.checkCodes()
	if err == nil {
		return nil
	}
	return fault.As(err).With(func(e *fault.Error) { e.Path = strings.TrimPrefix(e.Path, "payload.") })
}
