package mcp

import (
	"context"
	"math"

	"parlance/internal/service"
)

// maxListed bounds what one listing of models or values may ask for.
const maxListed = 100

func (in *invocation) listModels(ctx context.Context) ([]byte, error) {
	o, err := in.listOptions()
	if err != nil {
		return nil, err
	}
	list, err := in.handler.service.ListModels(ctx, in.caller, o)
	if err != nil {
		return nil, err
	}
	in.rows = int64(len(list.Models))
	sent := *list
	sent.Models = orEmpty(sent.Models)
	return marshal(sent)
}

func (in *invocation) listOptions() (o service.ListOptions, err error) {
	if o.Search, err = in.args.optionalText("search"); err != nil {
		return o, err
	}
	if o.Limit, err = in.args.integer("limit", 1, maxListed, 0); err != nil {
		return o, err
	}
	o.Start, err = in.args.integer("start", 0, math.MaxInt32, 0)
	return o, err
}

func (in *invocation) metadata(ctx context.Context) ([]byte, error) {
	found, err := in.handler.service.Metadata(ctx, in.caller)
	if err != nil {
		return nil, err
	}
	sent := *found
	sent.Models, sent.FieldIndex, sent.Dictionaries = orEmpty(sent.Models), orNone(sent.FieldIndex), orNone(sent.Dictionaries)
	in.rows = int64(len(sent.Models))
	return marshal(sent)
}

func (in *invocation) describeModel(ctx context.Context) ([]byte, error) {
	format, err := in.args.choice("format", "json", "markdown")
	if err != nil {
		return nil, err
	}
	found, err := in.handler.service.DescribeModel(ctx, in.caller, in.args.text("model"))
	if err != nil {
		return nil, err
	}
	if format == "markdown" {
		text := appendField([]byte{'{'}, "model", found.Model)
		return append(appendField(text, "content", markdown(found)), '}'), nil
	}
	sent := *found
	sent.Key, sent.DefaultOrder, sent.Fields = orEmpty(sent.Key), orEmpty(sent.DefaultOrder), orEmpty(sent.Fields)
	sent.Hierarchies, sent.Examples = orEmpty(sent.Hierarchies), orEmpty(sent.Examples)
	sent.Dictionaries, sent.SampleValues = orNone(sent.Dictionaries), orNone(sent.SampleValues)
	return marshal(sent)
}
