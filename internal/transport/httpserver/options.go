// Package httpserver is the one listener: it routes, guards and logs every request and stops without cutting one off.
// It leaves JSON-RPC to mcp, the query interface to queryapi, and all configuration to the composition root.
package httpserver

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"parlance/internal/telemetry"
)

// Options are the settings of a Server. Only Listen, RPC and Query are required.
type Options struct {
	// Listen is HOST:PORT; port 0 takes a free one, which Addr tells after Listen.
	Listen string
	// RPC are the JSON-RPC endpoints by path; each path is /mcp/{role} or starts with /mcp/{role}/.
	RPC map[string]http.Handler
	// Query serves every path below /jdbc-model/.
	Query QueryHandler
	// Page are files for browsers by their paths, served to anybody. A path that is an endpoint's is the endpoint's.
	Page map[string]http.Handler
	// Checks tells what /readyz shows; its context ends after 5 s. Nil: always ready, nothing to show.
	Checks func(context.Context) []Check
	// Authenticate turns credentials into an identity. Nil: Anonymous.
	Authenticate Authenticator
	// PublicURL is the server's address as clients see it, https://host[:port], where something stands in front of it.
	// Empty: what each request says.
	PublicURL string
	// Certificate returns the certificate to show now; it is asked at every handshake. Nil: no TLS.
	Certificate func() *tls.Certificate
	// RuntimeCode guards JSON-RPC endpoints. The zero value guards none.
	RuntimeCode RuntimeCode
	// Origins are the web origins (https://host[:port]) that may call from a browser and get CORS answers.
	// Empty: only pages of this host and of loopback may call, and none gets a CORS answer.
	Origins []string
	// Hosts are the names that the Host header may carry beside loopback ones.
	// Empty: on a loopback listener no other name, elsewhere any.
	Hosts []string
	// MaxBody is the longest request body in bytes. Zero: 1 MiB.
	MaxBody int64
	// StatementTimeout is how long a statement may run; an answer may take that and a minute and a half more.
	// Zero: 30 s.
	StatementTimeout time.Duration
	// Drain is how long running requests may go on once the server stops. Zero: 30 s.
	Drain time.Duration
	// Audit takes what is recorded of each request for data. Nil: nothing is.
	Audit Auditor
	// Telemetry counts requests and times their stages. Nil: nothing is.
	Telemetry *telemetry.Telemetry
	// Metrics serves /metrics. Nil: that path is not served.
	Metrics http.Handler
	// Log takes one line a request. Nil: slog.Default().
	Log *slog.Logger
}

// QueryHandler serves the query interface and words, in its envelope, what is decided before a request reaches it.
type QueryHandler interface {
	http.Handler
	// Refuse answers with an HTTP status and a message for the caller.
	Refuse(w http.ResponseWriter, status int, message string)
	// Fail answers that something of ours went wrong, naming only the trace id.
	Fail(w http.ResponseWriter, trace string)
}

const (
	defaultMaxBody   = 1 << 20
	defaultStatement = 30 * time.Second
	defaultDrain     = 30 * time.Second
)

func (o Options) withDefaults() Options {
	if o.Authenticate == nil {
		o.Authenticate = Anonymous{}
	}
	if o.MaxBody == 0 {
		o.MaxBody = defaultMaxBody
	}
	if o.StatementTimeout == 0 {
		o.StatementTimeout = defaultStatement
	}
	if o.Drain == 0 {
		o.Drain = defaultDrain
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return o
}

func (o Options) check() error {
	if o.Query == nil {
		return errors.New("httpserver: Query is required")
	}
	if len(o.RPC) == 0 {
		return errors.New("httpserver: RPC has no endpoint")
	}
	var roles []string
	for path, h := range o.RPC {
		role, ok := roleOf(path)
		if !ok || h == nil {
			return fmt.Errorf("httpserver: RPC %q: the path must be /mcp/{role} or below it, with a handler", path)
		}
		roles = append(roles, role)
	}
	for _, e := range o.RuntimeCode.Endpoints {
		if !slices.Contains(roles, e) {
			return fmt.Errorf("httpserver: RuntimeCode names the endpoint %q, which is not served", e)
		}
	}
	if o.RuntimeCode.Code == "" && len(o.RuntimeCode.Endpoints) > 0 {
		return errors.New("httpserver: RuntimeCode names endpoints but no code")
	}
	if err := CheckPublicURL(o.PublicURL); err != nil {
		return fmt.Errorf("httpserver: PublicURL: %w", err)
	}
	if o.MaxBody < 0 || o.StatementTimeout < 0 || o.Drain < 0 {
		return errors.New("httpserver: MaxBody, StatementTimeout and Drain must not be negative")
	}
	return nil
}

// CheckPublicURL says what is wrong with a PublicURL.
func CheckPublicURL(text string) error {
	if base, ok := parseOrigin(text); text != "" && (!ok || !base.web()) {
		return fmt.Errorf("%q is not an address such as https://bi.example.com", text)
	}
	return nil
}

// roleOf returns the role that the path of a JSON-RPC endpoint names.
func roleOf(path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, "/mcp/")
	role, _, _ := strings.Cut(rest, "/")
	return role, ok && role != ""
}
