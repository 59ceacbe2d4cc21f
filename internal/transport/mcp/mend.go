package mcp

import (
	"context"
	"errors"
	"strings"
	"time"

	"parlance/internal/fault"
	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/repair"
	"parlance/internal/service"
	"parlance/internal/transport/jsonrpc"
)

// mender is a service that can tell whether a mended call would hold. One that cannot offers no patches.
type mender interface {
	Check(ctx context.Context, c service.Caller, model string, q *query.Query, o service.QueryOptions) error
	Sight(c service.Caller) (repair.Sight, error)
}

// The bounds of the search for a mend: its time, and the bytes of arguments that are looked at.
const (
	mendTime  = 300 * time.Millisecond
	mendBytes = 64 << 10
)

// mend returns the patch on the arguments after which a refused call of a tool holds, as JSON; nil where there is none
// that is plain.
func (d *dispatcher) mend(ctx context.Context, t *tool, r *jsonrpc.Request, refused *fault.Error) []byte {
	s, ok := d.handler.service.(mender)
	given, _ := r.Params.Get("arguments")
	if !ok || !t.takes("model") && !t.takes("query") || r.Repeated != nil || refused.Retryable || len(given.Raw) > mendBytes {
		return nil
	}
	sight, err := s.Sight(d.caller)
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, mendTime)
	defer cancel()
	patch := repair.Mend(ctx, given, refused, sight, func(ctx context.Context, args jsontree.Node) error {
		return d.attempt(ctx, s, sight, t, args)
	})
	if patch == nil {
		return nil
	}
	return patch.JSON()
}

// elsewhere adds to a refused name which other models have it, where nothing nearer is known.
func (d *dispatcher) elsewhere(f *fault.Error, model string) *fault.Error {
	s, ok := d.handler.service.(mender)
	if !ok || f.Reason != "unknown_field" || model == "" {
		return f
	}
	sight, err := s.Sight(d.caller)
	if err != nil {
		return f
	}
	if others := repair.Elsewhere(f.Got, model, sight); len(others) > 0 {
		told := *f
		told.Hint = f.Got + " is a field of " + strings.Join(others, ", ")
		return &told
	}
	return f
}

// advise returns what to say about a call that holds and may mean something else than it looks like, and the patch that
// makes it so, as JSON.
func (in *invocation) advise(ctx context.Context, t *tool) (warnings []string, patch []byte) {
	s, ok := in.handler.service.(mender)
	if !ok || len(in.args.warnings) > 0 {
		return nil, nil
	}
	d := &dispatcher{handler: in.handler, caller: in.caller}
	given := jsontree.Node{Kind: jsontree.Object, Members: in.args.members}
	warnings, found := repair.Advise(ctx, given, func(ctx context.Context, args jsontree.Node) error {
		sight, err := s.Sight(d.caller)
		if err != nil {
			return err
		}
		return d.attempt(ctx, s, sight, t, args)
	})
	if found == nil {
		return warnings, nil
	}
	return warnings, found.JSON()
}

// attempt reads arguments as a call of the tool would, and compiles the query that is in them.
func (d *dispatcher) attempt(ctx context.Context, s mender, sight repair.Sight, t *tool, given jsontree.Node) error {
	args := arguments{members: given.Members}
	if err := args.require(t, d.handler.names); err != nil {
		return lacking(args.lacks(t))
	}
	if err := args.checkKnown(t, d.handler.admin); err != nil {
		return err
	}
	in := &invocation{handler: d.handler, caller: d.caller, args: args}
	if !t.takes("payload") {
		return in.attemptOther(ctx, s, sight, t)
	}
	options, err := in.queryOptions()
	if err != nil {
		return err
	}
	q, err := in.payload()
	if err != nil {
		return err
	}
	if err := repair.Codes(given, sight); err != nil {
		return err
	}
	return belowPayload(s.Check(ctx, d.caller, args.text("model"), q, options))
}

// attemptOther checks the arguments of a tool that takes no payload.
func (in *invocation) attemptOther(ctx context.Context, s mender, sight repair.Sight, t *tool) error {
	if !t.takes("model") {
		return nil // a question may be any text
	}
	model := in.args.text("model")
	if sight.Fields(model) == nil {
		return &fault.Error{Kind: fault.NotFound, Reason: "unknown_model", Got: model}
	}
	if t.takes("format") {
		if _, err := in.args.choice("format", "json", "markdown"); err != nil {
			return err
		}
	}
	if t.takes("search") {
		if _, err := in.listOptions(); err != nil {
			return err
		}
	}
	name := in.args.text("field")
	if name == "" {
		return nil
	}
	slice, err := in.slice()
	if err != nil {
		return err
	}
	q := &query.Query{Columns: []query.Column{query.NewColumn(&query.Ref{Name: name}, "")}, Slice: slice}
	if err := s.Check(ctx, in.caller, model, q, service.QueryOptions{}); err != nil {
		moved := *fault.As(err)
		if !strings.HasPrefix(moved.Path, "slice") {
			moved.Path = "field"
		}
		return &moved
	}
	return nil
}

// checkCodes refuses filters that name a dictionary's value by another word for it.
func (in *invocation) checkCodes() error {
	s, ok := in.handler.service.(mender)
	if !ok {
		return nil
	}
	sight, err := s.Sight(in.caller)
	if err != nil {
		return err
	}
	return repair.Codes(jsontree.Node{Kind: jsontree.Object, Members: in.args.members}, sight)
}

// lacking is the refusal for want of an argument as the search knows it.
func lacking(key string) *fault.Error {
	return &fault.Error{Kind: fault.Invalid, Reason: repair.MissingArgument, Path: key}
}

// lacks returns the first required argument that is absent or of another kind, "" if none is.
func (a *arguments) lacks(t *tool) string {
	for _, want := range t.args {
		got, _ := a.get(want.name)
		if want.required && got.Kind != want.kind {
			return want.name
		}
	}
	return ""
}

// takes reports whether the tool has an argument.
func (t *tool) takes(key string) bool {
	for _, a := range t.args {
		if a.name == key {
			return true
		}
	}
	return false
}

// otherTool says where to go with what this tool does not take: a question in words, or several models.
func (a *arguments) otherTool(t *tool, want argument, got jsontree.Node, names naming) string {
	question, _ := a.get("query")
	asks := question.Kind == jsontree.String && !t.takes("query") || want.name == "payload" && strings.Contains(strings.TrimLeft(got.Text, `{["`), " ")
	switch {
	case asks && names.in("{ask}") != "":
		return " A question in plain words is for {ask}."
	case asks:
		return " A question in plain words must be written as a query."
	case want.name == "model" && got.Kind == jsontree.Array:
		return " One call is about one model."
	}
	return ""
}

// mendMissing adds the patch to a protocol error about a required argument.
func (d *dispatcher) mendMissing(ctx context.Context, t *tool, r *jsonrpc.Request, err error) error {
	var e *jsonrpc.Error
	if t == nil || !errors.As(err, &e) || e.Code != jsonrpc.InvalidParams {
		return err
	}
	given, _ := r.Params.Get("arguments")
	args := arguments{members: given.Members}
	if given.Kind == jsontree.String {
		args.unquoteAll(given.Text)
	}
	key := args.lacks(t)
	patch := []byte(nil)
	if key != "" {
		patch = d.mend(ctx, t, r, lacking(key))
	}
	if patch == nil {
		return err
	}
	mended := *e
	mended.Data = append(append([]byte(`{"patch":`), patch...), '}')
	return &mended
}
