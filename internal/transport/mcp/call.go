package mcp

import (
	"context"
	"slices"
	"time"

	"parlance/internal/audit"
	"parlance/internal/fault"
	"parlance/internal/jsontree"
	"parlance/internal/service"
	"parlance/internal/transport/jsonrpc"
)

// call answers tools/call. What the caller can mend by changing the query becomes a result with isError (decision 13);
// a call that names no tool of this endpoint or lacks an argument is a protocol error (decisions 11, 12).
func (d *dispatcher) call(ctx context.Context, dst []byte, r *jsonrpc.Request) ([]byte, error) {
	record := service.RecordOf(ctx)
	entry := record.Begin("")
	defer end(entry)
	t, args, err := d.handler.read(r)
	if err != nil {
		entry.Fail(jsonrpc.InvalidParams.String(), int(jsonrpc.InvalidParams))
		return dst, d.mendMissing(ctx, t, r, err)
	}
	record.Tool, entry.Tool = t.name, t.name
	in := &invocation{handler: d.handler, caller: d.caller, args: args, record: record}
	text, err := in.run(ctx, t)
	if err == nil {
		record.Succeed(in.rows)
		entry.Bytes = int64(len(text))
		return appendContent(dst, text, false), nil
	}
	f := fault.As(err)
	why := outcome(f)
	if why == cancelled {
		entry.Fail(why, statusCancelled)
	}
	record.Refuse(why, f)
	code, theirs := codes[f.Kind]
	if !theirs {
		return dst, err
	}
	patch := d.mend(ctx, t, r, f)
	if patch == nil {
		f = d.elsewhere(f, in.args.text("model"))
	}
	text = appendFault(nil, f, code, patch)
	entry.Bytes = int64(len(text))
	return appendContent(dst, text, true), nil
}

// end completes the entry of a call, also of one that panics.
func end(e *audit.Entry) {
	e.Took = time.Since(e.Time)
	if e.Outcome == "" {
		e.Fail(jsonrpc.InternalError.String(), audit.Code(fault.Internal))
	}
}

// read finds the tool and its arguments.
func (h *Handler) read(r *jsonrpc.Request) (*tool, arguments, error) {
	name, _ := r.Params.Get("name")
	if name.Kind != jsontree.String || name.Text == "" {
		return nil, arguments{}, missing("name", name, jsontree.String, h.names.in("{tools}"))
	}
	t, ok := h.tools[name.Text]
	if !ok {
		return nil, arguments{}, unknownTool(name.Text)
	}
	given, _ := r.Params.Get("arguments")
	args := arguments{members: given.Members, repeated: r.Repeated}
	switch given.Kind {
	case jsontree.Null, jsontree.Object:
	case jsontree.String:
		if !args.unquoteAll(given.Text) {
			return nil, arguments{}, notAnObject("arguments", given.Kind)
		}
	case jsontree.Bool, jsontree.Number, jsontree.Array:
		return nil, arguments{}, notAnObject("arguments", given.Kind)
	}
	return t, args, args.require(t, h.names)
}

// invocation is one call of a tool.
type invocation struct {
	handler *Handler
	caller  service.Caller
	args    arguments
	record  *service.Record
	rows    int64 // rows sent, for the record
}

func (in *invocation) run(ctx context.Context, t *tool) ([]byte, error) {
	if err := in.args.checkKnown(t, in.handler.admin); err != nil {
		return nil, err
	}
	if model := in.args.text("model"); model != "" {
		in.record.Model, in.record.Entry().Model = jsonrpc.Clip(model), model
	}
	return t.run(in, ctx)
}

// appendContent appends a tool result: exactly one element of type text (decision 26).
func appendContent(dst, text []byte, failed bool) []byte {
	dst = slices.Grow(dst, len(text)+len(text)/4+64)
	dst = append(dst, `{"content":[{"type":"text","text":`...)
	dst = jsonrpc.AppendString(dst, text)
	dst = append(dst, "}]"...)
	if failed {
		dst = append(dst, `,"isError":true`...)
	}
	return append(dst, '}')
}
