package app

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"parlance/internal/audit"
	"parlance/internal/catalog"
	"parlance/internal/compile"
	"parlance/internal/identity"
	"parlance/internal/query"
	"parlance/internal/service"
	"parlance/internal/telemetry"
	"parlance/internal/transport/httpserver"
	"parlance/internal/transport/mcp"
	"parlance/internal/transport/operations"
	"parlance/internal/transport/page"
	"parlance/internal/transport/queryapi"
)

// server is everything that a serving process holds.
type server struct {
	config  Config
	log     *slog.Logger
	world   *world
	catalog *catalog.Catalog
	service *service.Service
	http    *httpserver.Server
	gate    *identity.Gate
	secrets secretFiles
	shown   atomic.Pointer[tls.Certificate] // nil: no TLS
	audit   *audit.Log                      // nil: no record is kept
	rollups *rollups

	telemetry  *telemetry.Telemetry
	operations *operations.Server // nil: operations have no address of their own
}

// start binds the address, opens what the configuration names and loads models and data. A namespace whose files have
// problems is not served until they are mended; everything else that goes wrong is an error.
func start(ctx context.Context, c Config, log *slog.Logger) (*server, error) {
	s, err := open(ctx, c, log)
	if err != nil {
		return nil, err
	}
	if err := s.listen(); err != nil {
		return nil, errors.Join(err, s.close())
	}
	if err := s.load(ctx); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// open opens what the configuration names. Nothing is loaded yet, and nothing listens.
func open(ctx context.Context, c Config, log *slog.Logger) (*server, error) {
	s := &server{config: c, log: log}
	if err := s.guard(); err != nil {
		return nil, err
	}
	var err error
	if s.audit, err = openAudit(c, log); err != nil {
		return nil, err
	}
	if s.world, err = awaitWorld(ctx, c, log); err != nil {
		return nil, errors.Join(err, s.closeAudit())
	}
	if err = s.serveAudit(ctx); err == nil {
		err = s.assemble()
	}
	if err == nil {
		err = s.watchOver(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// close closes what open opened.
func (s *server) close() error {
	defer s.closeOperations()
	return errors.Join(s.rollups.close(), s.world.close(), s.closeAudit())
}

// guard makes the gate and reads the files of tokens and the certificate. It asks no issuer for anything.
func (s *server) guard() error {
	s.gate = identity.New(identity.Options{Namespaces: s.config.guards(), Default: s.config.DefaultNamespace, Log: s.log})
	s.secrets = secretFiles{log: s.log}
	var known []string
	for _, n := range s.config.guards() {
		if g := n.Guard; g.Table == demoTable {
			s.gate.SetTokens(demoTable, demoTokens())
		} else if g.Mode == identity.Tokens && !slices.Contains(known, g.Table) {
			known = append(known, g.Table)
			s.secrets.files = append(s.secrets.files, tokensOf(g.Table, s.config.usersOf(g.Table), s.gate))
		}
	}
	if s.config.TLS.Cert != "" {
		s.secrets.files = append(s.secrets.files, certificateOf(s.config.TLS, &s.shown))
	}
	return s.secrets.load()
}

// assemble makes the service over what is open.
func (s *server) assemble() (err error) {
	for i, n := range s.world.namespaces {
		s.world.namespaces[i].Attributes = func() []string { return s.gate.Attributes(n.Namespace) }
	}
	if s.catalog, err = catalog.New(s.world.namespaces...); err != nil {
		return err
	}
	s.rollups = newRollups(s.config, s.world, s.catalog, s.log)
	s.service = service.New(s.config.Questions.asks(s.audited(s.parts())))
	return nil
}

// listen binds the address.
func (s *server) listen() (err error) {
	if s.http, err = httpserver.New(s.httpOptions()); err != nil {
		return err
	}
	if err := s.listenForOperations(); err != nil {
		return err
	}
	return s.http.Listen()
}

// load reads the models while the data is brought.
func (s *server) load(ctx context.Context) error {
	defer s.sparing()()
	g, loading := errgroup.WithContext(ctx)
	g.Go(func() error { return s.world.bring(loading) })
	g.Go(func() error {
		s.reload(loading)
		return nil
	})
	err := g.Wait()
	if err == nil && s.config.Demo() {
		s.warmOne(ctx, s.config.DefaultNamespace) // the demo is ready with the words of its questions
	}
	return err
}

func (s *server) parts() service.Deps {
	sources := map[string]service.Source{}
	for name, source := range s.world.sources {
		sources[name] = traced{source}
	}
	l := s.config.Limits
	return service.Deps{
		Rollups: s.rollups,
		Catalog: s.catalog, Sources: sources, DefaultNamespace: s.config.DefaultNamespace, Namespaces: s.catalog.Names(),
		Guarded: func(name string) bool { return s.config.guardOf(name).Mode != identity.None },
		Limits:  compile.Limits{DefaultRows: l.DefaultRows, MaxRows: l.MaxRows},
		Payload: payloadLimits(l), Checks: s.world.checks, Log: s.log, CacheBytes: s.config.Cache.MaxBytes, ResultBytes: l.ResultMemory,
	}
}

func payloadLimits(l LimitsConfig) query.Limits {
	return query.Limits{Columns: l.MaxColumns, Conditions: l.MaxConditions, Depth: l.MaxDepth, ListValues: l.MaxValues}
}

func (s *server) httpOptions() httpserver.Options {
	l, h := s.config.Limits, s.config.HTTP
	o := httpserver.Options{
		Listen: s.config.Listen, RPC: s.endpoints(), Checks: s.checks, Origins: h.Origins, Hosts: h.Hosts,
		Authenticate: s.gate, PublicURL: h.PublicURL, Telemetry: s.telemetry, Metrics: s.publicMetrics(),
		MaxBody: l.MaxBody, StatementTimeout: l.Timeout, Drain: l.Shutdown, Log: s.log,
		Query: queryapi.New(queryapi.Options{
			Service: s.service, Limits: payloadLimits(l), MirrorStatus: h.MirrorStatus, Log: s.log,
		}),
	}
	if !h.NoPage {
		o.Page = page.Handlers()
	}
	if s.config.TLS.Cert != "" {
		o.Certificate = s.shown.Load
	}
	if s.audit != nil {
		o.Audit = s.audit
	}
	if code := s.config.RuntimeCode; code.Code != "" {
		o.RuntimeCode = httpserver.RuntimeCode{Code: code.Code, Endpoints: code.Endpoints}
	}
	return o
}

// endpoints mounts every role twice: with the contract's tool names, and with names that every client takes.
func (s *server) endpoints() map[string]http.Handler {
	all := map[string]http.Handler{}
	for _, role := range mcp.Roles {
		all["/mcp/"+string(role)+"/rpc"] = s.endpoint(role, mcp.Dotted)
		all["/mcp/"+string(role)] = s.endpoint(role, mcp.Underscored)
	}
	return all
}

func (s *server) endpoint(role mcp.Role, style mcp.Style) *mcp.Handler {
	l := s.config.Limits
	return mcp.New(mcp.Options{
		Role: role, Style: style, Service: s.service, Log: s.log, Version: Version(), LeaveOut: s.config.HTTP.LeaveOut,
		Limits: mcp.Limits{Rows: l.DefaultRows, Bytes: l.MaxResult, Query: payloadLimits(l)},
	})
}

func (s *server) checks(ctx context.Context) []httpserver.Check {
	ready := s.service.Ready(ctx)
	checks := make([]httpserver.Check, len(ready))
	for i, r := range ready {
		checks[i] = httpserver.Check(r)
	}
	return checks
}
