// Package jsonrpc is the JSON-RPC 2.0 envelope: requests read strictly, ids echoed byte for byte, responses written by
// appending bytes. It knows no method, no tool and no HTTP; a Handler answers each request.
package jsonrpc

import (
	"context"
	"log/slog"

	"parlance/internal/jsontree"
)

// DefaultBatch is how many entries a batch may have unless a Server says otherwise (decision 10).
const DefaultBatch = 50

// Request is one well-formed request that wants an answer.
type Request struct {
	ID     []byte        // as written; shared with the body
	Method string        // any string
	Params jsontree.Node // always an object
	Batch  bool          // it stands in a batch
	// Repeated is a key that stands twice below Server.Deferred, with its path from the request's root; nil if none does.
	Repeated *jsontree.DuplicateError
}

// Handler answers requests.
type Handler interface {
	// Handle appends the JSON of the result to dst and returns it. With an error, what was appended is dropped:
	// an *Error is the answer as it stands, any other error is logged and answered as an internal one.
	Handle(ctx context.Context, dst []byte, r *Request) ([]byte, error)
}

// Server answers bodies. It has no state; one Server may serve any number of bodies at a time.
type Server struct {
	Log      *slog.Logger // for panics and internal errors; nil: slog.Default
	MaxBatch int          // entries of a batch; 0: DefaultBatch
	Single   bool         // a batch is an invalid request
	// Deferred is the path, from a request's root, below which a repeated key is the handler's to refuse.
	// Anywhere else it is an invalid request. "" defers nothing.
	Deferred string
}

// Reply is the answer to one body.
type Reply struct {
	Body []byte // nil: there is nothing to answer, the body held notifications only
	Err  *Error // the first error within Body; nil if there is none
}

// Serve answers one body: a request, a notification or a batch of them, whose entries run one after another.
// The trace id goes into the data of internal errors and into the log.
func (s *Server) Serve(ctx context.Context, body []byte, trace string, h Handler) Reply {
	return s.Answer(ctx, Read(body), trace, h)
}

// Answer answers a body that has been read.
func (s *Server) Answer(ctx context.Context, m Message, trace string, h Handler) Reply {
	c := call{server: s, ctx: ctx, trace: trace, handler: h, repeated: m.repeated}
	if m.err != nil {
		return c.refuse(&Error{Code: ParseError, Message: Clip("Parse error: " + m.err.Error())})
	}
	if m.root.Kind == jsontree.Array {
		return c.batch(m.root.Items)
	}
	out := c.one(make([]byte, 0, 512), m.root)
	if len(out) == 0 {
		return Reply{}
	}
	return Reply{Body: out, Err: c.err}
}

// call is the serving of one body.
type call struct {
	server   *Server
	ctx      context.Context
	trace    string
	handler  Handler
	repeated bool   // some object of the body has a key twice
	batched  bool   // the body is a batch
	err      *Error // the first one written
}

func (c *call) refuse(e *Error) Reply {
	return Reply{Body: AppendError(nil, nil, e), Err: e}
}

func (c *call) batch(entries []jsontree.Node) Reply {
	limit := c.server.MaxBatch
	if limit == 0 {
		limit = DefaultBatch
	}
	c.batched = true
	if c.server.Single {
		return c.refuse(invalidf("the body must be one request, not a batch"))
	}
	if len(entries) == 0 {
		return c.refuse(invalidf("the batch is empty"))
	}
	if len(entries) > limit {
		return c.refuse(invalidf("the batch has %d entries, at most %d are allowed", len(entries), limit))
	}
	out := []byte{'['}
	for _, entry := range entries {
		if len(out) > 1 {
			out = append(out, ',')
		}
		before := len(out)
		if out = c.one(out, entry); len(out) == before && before > 1 {
			out = out[:before-1]
		}
	}
	if len(out) == 1 {
		return Reply{}
	}
	return Reply{Body: append(out, ']'), Err: c.err}
}

// one appends the response to one entry, or nothing to a notification.
func (c *call) one(out []byte, entry jsontree.Node) []byte {
	r, err := c.read(entry)
	if r == nil && err == nil {
		return out
	}
	start := len(out)
	if err == nil {
		out = appendHead(out, r.ID)
		out = append(out, `,"result":`...)
		if out, err = c.handle(out, r); err == nil {
			return append(out, '}')
		}
	}
	if c.err == nil {
		c.err = err
	}
	var id []byte
	if r != nil {
		id = r.ID
	}
	return AppendError(out[:start], id, err)
}
