package mcp

import (
	"context"

	"parlance/internal/service"
)

func (in *invocation) fieldValues(ctx context.Context) ([]byte, error) {
	o, err := in.listOptions()
	if err != nil {
		return nil, err
	}
	found, err := in.handler.service.FieldValues(ctx, in.caller, service.ValuesRequest{
		Model: in.args.text("model"), Field: in.args.text("field"), Search: o.Search, Limit: o.Limit, Start: o.Start,
	})
	if err != nil {
		return nil, err
	}
	in.rows = int64(len(found.Values) + len(found.Examples))
	return marshal(found)
}
