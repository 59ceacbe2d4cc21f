package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/internal/fault"
	"parlance/internal/jsontree"
	"parlance/internal/service"
	"parlance/internal/transport/jsonrpc"
)

// hintKeys are the keys of hints.
var hintKeys = []string{"prefer_model", "prefer_fields", "time_range"}

const maxPreferred = 50

func (in *invocation) ask(ctx context.Context) ([]byte, error) {
	r, err := in.askRequest()
	if err != nil {
		return nil, err
	}
	reply, err := in.handler.service.Ask(ctx, in.caller, r)
	if err != nil {
		return nil, err
	}
	in.record.Model = reply.Model
	in.rows = countItems(reply.Items)
	if reply.Items == nil && reply.Total != nil && r.Format == service.AskTable {
		in.rows = int64(max(strings.Count(reply.Table, "\n| "), 0))
	}
	sent := *reply
	sent.Warnings = mergeWarnings(in.args.warnings, reply.Warnings)
	return marshal(sent)
}

func (in *invocation) askRequest() (r service.AskRequest, err error) {
	r.Text = in.args.text("query")
	if r.Session, err = in.args.optionalText("session_id"); err != nil {
		return r, err
	}
	format, err := in.args.choice("format", string(service.AskJSON), string(service.AskTable), string(service.AskSummary))
	if err != nil {
		return r, err
	}
	r.Format = service.AskFormat(format)
	r.Hints, err = in.hints()
	return r, err
}

// hints reads what the caller leans to; a key that is not known is refused like any other.
func (in *invocation) hints() (h service.AskHints, err error) {
	given, _ := in.args.get("hints")
	if given.Kind == jsontree.String && in.args.unquote("hints", given.Text) {
		given, _ = in.args.get("hints")
	}
	switch given.Kind {
	case jsontree.Null:
		return h, nil
	case jsontree.Object:
	case jsontree.String, jsontree.Number, jsontree.Bool, jsontree.Array:
		return h, badHint("hints", "an object", given)
	}
	for _, m := range given.Members {
		path := "hints." + m.Key
		switch m.Key {
		case "prefer_model":
			h.PreferModel, err = hintText(path, m.Value)
		case "prefer_fields":
			h.PreferFields, err = hintTexts(path, m.Value)
		case "time_range":
			h.TimeRange, err = hintRange(path, m.Value)
		default:
			err = unknownHint(m.Key)
		}
		if err != nil {
			return h, err
		}
	}
	return h, nil
}

func hintText(path string, n jsontree.Node) (string, error) {
	if n.Kind != jsontree.Null && n.Kind != jsontree.String {
		return "", badHint(path, "a string", n)
	}
	return n.Text, nil
}

func hintTexts(path string, n jsontree.Node) ([]string, error) {
	if n.Kind == jsontree.Null {
		return nil, nil
	}
	if n.Kind != jsontree.Array || len(n.Items) > maxPreferred {
		return nil, badHint(path, fmt.Sprintf("a list of at most %d names of fields", maxPreferred), n)
	}
	var texts []string
	for i, item := range n.Items {
		if item.Kind != jsontree.String {
			return nil, badHint(fmt.Sprintf("%s[%d]", path, i), "the name of a field", item)
		}
		texts = append(texts, item.Text)
	}
	return texts, nil
}

// hintRange reads [from, to] or {"from", "to"}, both days included and either one left open, or a period such as 2024,
// 2024-Q1, 2024-03 or 2024-03-05.
func hintRange(path string, n jsontree.Node) (*service.AskRange, error) {
	const form = `{"from":"2024-01-01","to":"2024-03-31"}, both days included, or a period such as 2024, 2024-Q1, 2024-03 or 2024-03-05`
	var from, to jsontree.Node
	switch {
	case n.Kind == jsontree.Null:
		return nil, nil
	case n.Kind == jsontree.String:
		if r, ok := service.PeriodOf(n.Text); ok {
			return &r, nil
		}
		return nil, badHint(path, form, n)
	case n.Kind == jsontree.Array && len(n.Items) == 2:
		from, to = n.Items[0], n.Items[1]
	case n.Kind == jsontree.Object && !slices.ContainsFunc(n.Members, func(m jsontree.Member) bool { return m.Key != "from" && m.Key != "to" }):
		from, _ = n.Get("from")
		to, _ = n.Get("to")
	default:
		return nil, badHint(path, form, n)
	}
	for _, end := range []jsontree.Node{from, to} {
		if end.Kind != jsontree.String && end.Kind != jsontree.Null {
			return nil, badHint(path, form, n)
		}
	}
	return &service.AskRange{From: from.Text, To: to.Text}, nil
}

func badHint(path, want string, got jsontree.Node) error {
	return fault.Invalidf("bad_argument", path, "%s must be %s, not %s", path, want, jsonrpc.Clip(string(got.Raw))).With(func(e *fault.Error) {
		e.Got = jsonrpc.Clip(string(got.Raw))
	})
}

func unknownHint(key string) error {
	key = jsonrpc.Clip(key)
	return fault.Invalidf("unknown_key", "hints."+key, "hints has no key %q", key).With(func(e *fault.Error) {
		e.Got, e.Allowed, e.Closest = key, hintKeys, fault.Closest(key, hintKeys)
	})
}
