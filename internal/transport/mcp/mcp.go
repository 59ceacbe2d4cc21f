// Package mcp is the tool interface: three role endpoints that speak the Model Context Protocol over HTTP and stdio.
// It owns the tool table, the descriptors and the shape of results; what a tool answers is the service's work.
package mcp

import (
	"context"
	"log/slog"
	"net/http"

	"parlance/internal/query"
	"parlance/internal/service"
	"parlance/internal/transport/jsonrpc"
)

// Role is one of the three interfaces; it chooses the tools and grants nothing (decisions 15, 61).
type Role string

// The roles, as paths spell them.
const (
	Admin    Role = "admin"
	Analyst  Role = "analyst"
	Business Role = "business"
)

// Roles lists the roles in the order of the contract.
var Roles = []Role{Admin, Analyst, Business}

// Style is how tool names are spelt in listings. Calls accept both spellings whatever the style (decision 16).
type Style uint8

// The styles.
const (
	Dotted      Style = iota // dataset.query_model; rows are objects unless asked otherwise
	Underscored              // dataset_query_model; rows are compact unless asked otherwise
)

// Service is what the tools need of the use cases.
type Service interface {
	ListModels(ctx context.Context, c service.Caller, o service.ListOptions) (*service.ModelList, error)
	Metadata(ctx context.Context, c service.Caller) (*service.Metadata, error)
	DescribeModel(ctx context.Context, c service.Caller, model string) (*service.Description, error)
	FieldValues(ctx context.Context, c service.Caller, r service.ValuesRequest) (*service.FieldValues, error)
	Query(ctx context.Context, c service.Caller, model string, q *query.Query, o service.QueryOptions) (*service.Answer, error)
	Explain(ctx context.Context, c service.Caller, model string, q *query.Query, o service.ExplainOptions) (*service.Explanation, error)
	Ask(ctx context.Context, c service.Caller, r service.AskRequest) (*service.AskReply, error)
}

// Limits bound the answers of the tools (decision 24) and the payloads that they take.
type Limits struct {
	Rows  int64 // rows of a query that names no limit; 0: 100
	Bytes int   // of a query's result text; 0: 60,000
	Batch int   // requests in one batch; 0: 50
	Query query.Limits
}

const (
	defaultRows  = 100
	defaultBytes = 60_000
)

// Options are the settings of one endpoint. Service and Role must be set.
type Options struct {
	Role     Role
	Style    Style
	Service  Service
	Caller   func(*http.Request) service.Caller // nil: service.CallerOf the request's context
	Log      *slog.Logger                       // nil: slog.Default
	Version  string                             // as the program's version command prints it
	Limits   Limits
	LeaveOut []string // listing tools, in either spelling, that this endpoint does not offer (decision 15)
}

// Handler is one endpoint. It keeps nothing between requests: every method works at any time, and any number at once.
type Handler struct {
	service   Service
	caller    func(*http.Request) service.Caller
	limits    Limits
	role      Role
	admin     bool
	compact   bool
	rpc       jsonrpc.Server
	names     naming
	tools     map[string]*tool // offered ones, by both spellings
	handshake []byte           // the result of initialize after its protocol version
	list      []byte           // the result of tools/list
	running   running          // requests of clients that have a name

	// Of the stateless era: whole results, and the end of every other one.
	discovery, modernList, signature []byte
}

// New makes an endpoint.
func New(o Options) *Handler {
	h := &Handler{
		service: o.Service,
		caller:  o.Caller,
		limits:  o.Limits,
		role:    o.Role,
		admin:   o.Role == Admin,
		compact: o.Style == Underscored,
		rpc:     jsonrpc.Server{Log: o.Log, MaxBatch: o.Limits.Batch, Deferred: "params.arguments.payload"},
		tools:   map[string]*tool{},
	}
	if h.caller == nil {
		h.caller = func(r *http.Request) service.Caller { return service.CallerOf(r.Context()) }
	}
	if h.limits.Rows == 0 {
		h.limits.Rows = defaultRows
	}
	if h.limits.Bytes == 0 {
		h.limits.Bytes = defaultBytes
	}
	offered := offeredTools(o.Role, o.LeaveOut)
	for _, t := range offered {
		h.tools[t.name] = t
		h.tools[underscored(t.name)] = t
	}
	h.names = newNaming(o.Style, offered)
	guide := h.names.in(instructions(o.Role))
	h.handshake = appendHandshake(nil, o.Version, guide)
	h.list = appendToolList(nil, offered, h.names, h.admin)
	h.sign(o.Version, guide)
	return h
}

// Dispatch answers one body for a caller, whatever carried it. A reply without a body is none at all.
func (h *Handler) Dispatch(ctx context.Context, c service.Caller, body []byte) jsonrpc.Reply {
	d := &dispatcher{handler: h, caller: c}
	return noted(ctx, h.rpc.Serve(ctx, body, c.TraceID, d))
}

// noted leaves the outcome of a reply in the record of the request.
func noted(ctx context.Context, reply jsonrpc.Reply) jsonrpc.Reply {
	record := service.RecordOf(ctx)
	if reply.Err != nil {
		record.Fail(reply.Err.Code.String())
		record.Code = int(reply.Err.Code)
	} else {
		record.Succeed(0)
	}
	return reply
}
