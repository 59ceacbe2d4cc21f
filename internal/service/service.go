package service

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"parlance/internal/access"
	"parlance/internal/catalog"
	"parlance/internal/compile"
	"parlance/internal/datasource"
	"parlance/internal/dialect"
	"parlance/internal/query"
	"parlance/internal/result"
	"parlance/internal/semantic"
)

// Catalog knows the models of every namespace. A generation never changes once it is returned.
type Catalog interface {
	Namespace(name string) (*catalog.Generation, bool)
}

// Source runs statements on one database.
type Source interface {
	// Query calls row for every row; the cells are valid only until row returns.
	Query(ctx context.Context, sql string, args []any, row func(cells []any) error) error
	Dialect() dialect.Dialect
	Ping(ctx context.Context) error
}

// Deps are what a service is made of. Log and Now may be nil: nothing is logged, and the clock is the machine's.
type Deps struct {
	Catalog          Catalog
	Sources          map[string]Source // by the name that models use
	DefaultNamespace string            // of callers that name none
	Namespaces       []string          // those that must be loaded for the service to be ready
	Guarded          func(string) bool // whether a namespace asks who calls, and so stays unnamed to others; nil: none does
	Limits           compile.Limits    // DefaultRows counts where QueryOptions name none
	Payload          query.Limits      // of payloads that the service reads itself
	ResultBytes      int64             // that answers on their way take at most together, small ones apart; 0: no bound
	CacheBytes       int64             // that answers which may be used again take at most; 0: none is
	Checks           []Check           // what else must hold for the service to be ready
	Audit            Auditor           // nil: no record is kept
	Rollups          Rollups           // nil: every answer is read from the models' own rows
	Sessions         SessionLimits     // of conversations in plain words
	IndexBytes       int64             // that the words of questions may take, about; 0: 256 MiB
	Translator       Translator        // of questions that the reader declines; nil: none
	Log              *slog.Logger
	Now              func() time.Time
}

// Service is the use cases. It is safe for concurrent use.
type Service struct {
	Deps
	facts     facts
	keys      keys
	plans     plans
	budget    *result.Budget
	answers   *answers // nil: none is used again
	refreshed *memo[refreshKey, struct{}]
	epochs    *epochs
	sessions  *sessions
}

// New returns a service over its parts, which it does not close.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.Now == nil {
		d.Now = time.Now
	}
	return &Service{
		Deps: d, facts: newFacts(d.Now, d.IndexBytes), keys: newKeys(d.Now),
		budget:  result.NewBudget(d.ResultBytes),
		answers: newAnswers(d.CacheBytes, d.Now), refreshed: newMemo[refreshKey, struct{}](d.Now), epochs: newEpochs(),
		sessions: newSessions(d.Sessions, d.Now),
	}
}

// view is a namespace's models as one caller sees them.
type view struct {
	caller     Caller
	generation *catalog.Generation
	plans      *generationPlans
}

// view returns what the caller's namespace holds. One that does not exist and one that the identity is not bound to
// are refused in the same words.
func (s *Service) view(c Caller) (view, error) {
	if err := s.admit(); err != nil {
		return view{}, err
	}
	if c.Namespace == "" {
		c.Namespace = s.DefaultNamespace
	}
	bound := c.Identity.Namespaces == nil || slices.Contains(c.Identity.Namespaces, c.Namespace)
	generation, ok := s.Catalog.Namespace(c.Namespace)
	if !ok || !bound {
		return view{}, unknownNamespace(c.Namespace)
	}
	return view{caller: c, generation: generation, plans: s.plansOf(c.Namespace, generation)}, nil
}

// seen is a model with what the caller may see of it.
type seen struct {
	*semantic.Model
	grant  access.Grant
	fields []*semantic.Field // of the grant
}

// models returns the models that the caller may see, in the order of the catalogue.
func (v view) models() []seen { return v.visible(v.generation.Models) }

func (v view) visible(models []*semantic.Model) []seen {
	var visible []seen
	for _, m := range models {
		if s := v.plans.grants.of(v.caller.Identity, m); s.grant.Model() {
			visible = append(visible, s)
		}
	}
	return visible
}

// model returns one model by its name, if the caller may see it.
func (v view) model(name string) (seen, error) {
	m, ok := v.generation.ByName[name]
	if !ok {
		if m = v.waitingModel(name); m == nil {
			return seen{}, unknownModel(name, v)
		}
	}
	found := v.plans.grants.of(v.caller.Identity, m)
	switch grant := found.grant; {
	case !grant.Model() && grant.Conceals():
		return seen{}, unknownModel(name, v)
	case !grant.Model():
		return seen{}, deniedModel(name)
	case !ok:
		return seen{}, datasource.NotReachedYet()
	}
	return found, nil
}

// target is a model together with the database that holds its rows.
type target struct {
	seen
	view   view
	source owned
}

func (s *Service) target(v view, m seen) (target, error) {
	source, ok := s.Sources[m.Datasource]
	if !ok {
		return target{}, noSource(m.Model)
	}
	return target{seen: m, view: v, source: owned{source, v.caller.Namespace, v.caller.Identity.User}}, nil
}

func (s *Service) find(c Caller, model string) (target, error) {
	v, err := s.view(c)
	if err != nil {
		return target{}, err
	}
	m, err := v.model(model)
	if err != nil {
		return target{}, err
	}
	return s.target(v, m)
}

// request is what the compiler needs for a query over the target; nothing compiles without the caller's grant.
func (s *Service) request(t target, q *query.Query, defaultRows int64, now time.Time) compile.Request {
	limits := s.Limits
	if defaultRows > 0 {
		limits.DefaultRows = defaultRows
	}
	return compile.Request{
		Model: t.Model, Query: q, Grant: t.grant, Dialect: t.source.Dialect(), Limits: limits, Now: now,
	}
}
