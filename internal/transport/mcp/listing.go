package mcp

import (
	"context"

	"parlance/internal/service"
)

func (in *invocation) listModels(ctx context.Context) ([]byte, error) {
	list, err := in.handler.service.ListModels(ctx, in.caller)
	if err != nil {
		return nil, err
	}
	in.rows = int64(len(list.Models))
	return marshal(service.ModelList{Namespace: list.Namespace, Models: orEmpty(list.Models)})
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

func (in *invocation) ask(ctx context.Context) ([]byte, error) {
	reply, err := in.handler.service.Ask(ctx, in.caller, in.args.text("query"))
	if err != nil {
		return nil, err
	}
	in.record.Model = reply.Model
	in.rows = countItems(reply.Items)
	return marshal(reply)
}
