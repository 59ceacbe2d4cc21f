package clients

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// inspector opens the Inspector's command line. No request of it only connects, so that the first one lists the tools.
func (w *world) inspector(*testing.T) opener {
	return func(t *testing.T, at place) session {
		t.Helper()
		i := &inspected{world: w, url: at.url}
		var err error
		if i.tools, err = i.list(t.Context()); err != nil {
			t.Fatal(err)
		}
		return i
	}
}

// inspected is the Inspector at one address, a process for every request. It says nothing of the protocol that it speaks,
// and hands on no data of an error.
type inspected struct {
	world *world
	url   string
	tools []string
}

// run returns what a request prints. A result that is an error has an exit code of its own, an error of the protocol
// prints no result.
func (i *inspected) run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := i.world.command(ctx, append([]string{
		"node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js", "--cli", i.url, "--transport", "http",
	}, args...)...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if strings.Contains(said.String(), `: tool "`) { // it looks at schemas, which --strict makes it explain
		return nil, fmt.Errorf("a schema that some clients refuse: %s", said.Bytes())
	}
	if err == nil || out.Len() > 0 {
		return out.Bytes(), nil
	}
	var envelope struct{ Error struct{ Message string } }
	if json.Unmarshal(said.Bytes(), &envelope) == nil && envelope.Error.Message != "" {
		return nil, &refusal{Message: envelope.Error.Message}
	}
	return nil, fmt.Errorf("%w: %s", err, said.Bytes())
}

func (i *inspected) Protocol() string { return "" }

func (i *inspected) Tools(context.Context) ([]string, error) { return i.tools, nil }

func (i *inspected) list(ctx context.Context) (names []string, err error) {
	out, err := i.run(ctx, "--method", "tools/list", "--strict")
	if err != nil {
		return nil, err
	}
	var list struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(out, &list); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names, nil
}

func (i *inspected) Call(ctx context.Context, tool string, arguments any) (string, bool, error) {
	given, err := json.Marshal(arguments)
	if err != nil {
		return "", false, err
	}
	out, err := i.run(ctx, "--quiet", "--method", "tools/call", "--tool-name", tool, "--tool-args-json", string(given))
	if err != nil {
		return "", false, err
	}
	var result toolResult
	if err := json.Unmarshal(out, &result); err != nil {
		return "", false, fmt.Errorf("%w: %s", err, out)
	}
	return result.text()
}

func (i *inspected) Close() error { return nil }
