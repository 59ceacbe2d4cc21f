package clients

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// client is a client of others.
type client struct {
	name, version string
	npm           bool              // it comes by npm
	stdio         bool              // it starts the program itself: places have a role and a configuration, no address
	cannot        map[string]string // scenarios that it does not offer, and what of it is missing
	start         func(t *testing.T) opener
}

// opener connects a client.
type opener func(t *testing.T, at place) session

// place is where a client connects to.
type place struct {
	mount
	url    string // of what is served
	config string // of what a client over stdio starts; "": the demo
	mark   string // the trace id of its requests
}

// mount is one way to the tools.
type mount struct {
	role       string
	underscore bool // tools are listed with _ for .
	stdio      bool
}

// The mounts of the server, and those of the program that a client starts itself.
var (
	served = []mount{{role: "admin"}, {role: "analyst"}, {role: "business"}, {role: "analyst", underscore: true}}
	piped  = []mount{{role: "admin", underscore: true, stdio: true}, {role: "analyst", underscore: true, stdio: true}, {role: "business", underscore: true, stdio: true}}
)

func (c *client) mounts() []mount {
	if c.stdio {
		return piped
	}
	return served
}

// path is that of the mount's address.
func (m mount) path() string {
	if m.underscore {
		return "/mcp/" + m.role
	}
	return "/mcp/" + m.role + "/rpc"
}

func (m mount) String() string {
	if m.stdio {
		return "--role " + m.role
	}
	return m.path()
}

// tool spells the contract's name of a tool as the mount lists it.
func (m mount) tool(name string) string {
	if m.underscore {
		return strings.ReplaceAll(name, ".", "_")
	}
	return name
}

// session is a client that is connected.
type session interface {
	// Protocol is the version that both sides settled on; "" where the client does not tell.
	Protocol() string
	Tools(ctx context.Context) ([]string, error)
	// Call returns the text of a tool's result, or a *refusal. When ctx ends it cancels as the client does.
	Call(ctx context.Context, tool string, arguments any) (text string, failed bool, err error)
	Close() error
}

// refusal is an error of the protocol.
type refusal struct {
	Code    int
	Message string
	Data    json.RawMessage
}

func (r *refusal) Error() string { return fmt.Sprintf("%d %s %s", r.Code, r.Message, r.Data) }

// toolResult is the result of a tool as clients hand it on.
type toolResult struct {
	Content []struct{ Type, Text string }
	IsError bool
}

// text returns the one text that a result has.
func (r toolResult) text() (string, bool, error) {
	if len(r.Content) != 1 || r.Content[0].Type != "text" {
		return "", false, fmt.Errorf("the result has %d elements: %+v", len(r.Content), r.Content)
	}
	return r.Content[0].Text, r.IsError, nil
}
