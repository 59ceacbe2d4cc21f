package service

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/access"
	"parlance/internal/audit"
	"parlance/internal/catalog"
	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/result"
	"parlance/internal/semantic"
	"parlance/internal/stage"
)

// changing is a source whose data changes: every statement gives the number of its state in as many cells as it has
// columns, a refresh statement the state itself, and a count 7.
type changing struct {
	mu      sync.Mutex
	state   int64
	asked   []string      // every statement but those of refresh, with its arguments
	refresh int           // statements of refresh
	fail    error         // of every statement
	hold    chan struct{} // statements wait until it is closed; nil: they do not
	begun   chan struct{} // gets one for each statement that waits
	stopped chan struct{} // closed when a statement that waited was cancelled
}

func (c *changing) Dialect() dialect.Dialect { return dialect.DuckDB() }

func (c *changing) Ping(context.Context) error { return nil }

func (c *changing) Query(ctx context.Context, sql string, args []any, row func([]any) error) error {
	defer stage.Start(ctx, stage.Run).End()
	c.mu.Lock()
	state, fail, hold := c.state, c.fail, c.hold
	if sql == "the state" {
		c.refresh++
	} else {
		c.asked = append(c.asked, fmt.Sprint(sql, args))
	}
	c.mu.Unlock()
	if hold != nil {
		c.begun <- struct{}{}
		select {
		case <-hold:
		case <-ctx.Done():
			close(c.stopped)
			return ctx.Err()
		}
	}
	switch {
	case fail != nil:
		return fail
	case sql == "the state":
		return row([]any{state})
	case strings.HasPrefix(sql, "SELECT COUNT(*) AS n"):
		return row([]any{int64(7)})
	}
	cells := make([]any, strings.Count(strings.Split(sql, " FROM ")[0], " AS c"))
	for i := range cells {
		cells[i] = fmt.Sprint(state)
	}
	return row(cells)
}

func (c *changing) pages() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, sql := range c.asked {
		if !strings.HasPrefix(sql, "SELECT COUNT(*) AS n") {
			n++
		}
	}
	return n
}

func (c *changing) change() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state++
}

// reusing is a service over changing data whose answers may be used again for a minute.
type reusing struct {
	*Service
	source *changing
	shelf  shelf
	clock  *time.Time
}

func reuse(t *testing.T, models ...*semantic.Model) reusing {
	t.Helper()
	if len(models) == 0 {
		models = []*semantic.Model{salesModel(t)}
	}
	for _, m := range models {
		if m.Cache.TTL == 0 {
			m.Cache.TTL = time.Minute
		}
	}
	clock := time.Date(2024, 12, 31, 12, 0, 0, 0, time.UTC)
	source := &changing{begun: make(chan struct{}, 100), stopped: make(chan struct{})}
	models2 := shelfOf(models...)
	s := New(Deps{
		Catalog: models2, Sources: map[string]Source{"shop": source}, DefaultNamespace: "default", Limits: limits, CacheBytes: 1 << 20,
		Now: func() time.Time { return clock },
	})
	return reusing{Service: s, source: source, shelf: models2, clock: &clock}
}

const (
	statuses = `{"columns":["status"],"limit":2}`
	states   = `{"columns":["status","amount"],"groupBy":["status"],"limit":2}` // whose answer takes one statement
)

// ask returns the items of an answer and where it came from.
func (r reusing) ask(ctx context.Context, t *testing.T, c Caller, payload string, o QueryOptions) (items, from string) {
	t.Helper()
	a, err := r.Query(ctx, c, "Sales", decode(t, payload), o)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Release()
	if a.Applied.Cache == nil {
		return string(a.Items), ""
	}
	return string(a.Items), a.Applied.Cache.Source
}

func (r reusing) expect(ctx context.Context, t *testing.T, c Caller, payload string, o QueryOptions, items, from string) {
	t.Helper()
	gotItems, gotFrom := r.ask(ctx, t, c, payload, o)
	if gotItems != items || gotFrom != from {
		t.Errorf("%s from %s, want %s from %s", gotItems, gotFrom, items, from)
	}
}

// TestAnswersAreUsedAgain: the same answer within the model's time, with its age, and the database's afterwards.
func TestAnswersAreUsedAgain(t *testing.T) {
	r := reuse(t)
	r.expect(t.Context(), t, Caller{}, statuses, QueryOptions{}, `[{"status":"0"}]`, fromDatabase)
	r.source.change()
	*r.clock = r.clock.Add(59 * time.Second)
	ctx, record := WithRecord(t.Context())
	a, err := r.Query(ctx, Caller{}, "Sales", decode(t, statuses), QueryOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := &CacheUse{Source: fromCache, Age: 59, TTL: 60}
	if diff := cmp.Diff(want, a.Applied.Cache) + cmp.Diff(want, record.Cache); diff != "" || string(a.Items) != `[{"status":"0"}]` || a.Total != 7 || a.Returned != 1 {
		t.Errorf("%+v %s", a, diff)
	}
	*r.clock = r.clock.Add(time.Second)
	r.expect(t.Context(), t, Caller{}, statuses, QueryOptions{}, `[{"status":"1"}]`, fromDatabase)
	*r.clock = r.clock.Add(-time.Hour)
	r.expect(t.Context(), t, Caller{}, statuses, QueryOptions{}, `[{"status":"1"}]`, fromDatabase)
}

// TestOnlyTheSameIsShared: whatever makes another answer makes another key.
func TestOnlyTheSameIsShared(t *testing.T) {
	r := reuse(t)
	r.expect(t.Context(), t, Caller{}, statuses, QueryOptions{}, `[{"status":"0"}]`, fromDatabase)
	r.source.change()
	for _, c := range []struct {
		payload string
		options QueryOptions
		want    string
	}{
		{`{"columns":["status as s"],"limit":2}`, QueryOptions{}, `[{"s":"1"}]`},
		{statuses, QueryOptions{Layout: result.Compact}, `[["1"]]`},
		{statuses, QueryOptions{MaxBytes: 10}, `[]`},
		{`{"columns":["status"],"limit":3}`, QueryOptions{}, `[{"status":"1"}]`},
		{`{"columns":["status"],"limit":2,"start":2}`, QueryOptions{}, `[{"status":"1"}]`},
		{`{"columns":["status"],"limit":2,"slice":[{"status":"OPEN"}]}`, QueryOptions{}, `[{"status":"1"}]`},
		{`{"columns":["status"],"limit":2,"slice":[{"status":"DONE"}]}`, QueryOptions{}, `[{"status":"1"}]`},
		{`{"columns":["status"],"limit":2,"slice":[{"field":"status","op":"in","value":["DONE","OPEN"]}]}`, QueryOptions{}, `[{"status":"1"}]`},
		{`{"columns":["status"],"limit":2,"slice":[{"field":"status","op":"in","value":["DONE,OPEN"]}]}`, QueryOptions{}, `[{"status":"1"}]`},
	} {
		r.expect(t.Context(), t, Caller{}, c.payload, c.options, c.want, fromDatabase)
	}
	r.expect(t.Context(), t, Caller{}, statuses, QueryOptions{}, `[{"status":"0"}]`, fromCache)
}

// TestASummaryIsNoPage: the same statements may answer both, in other words.
func TestASummaryIsNoPage(t *testing.T) {
	r := reuse(t)
	const total = `{"columns":["sum(amount) as a"],"returnTotal":true}`
	first, err := r.Query(t.Context(), Caller{}, "Sales", decode(t, total), QueryOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if want := `[{"a":0.00}] {"total":1,"a":0.00}`; string(first.Items)+" "+string(first.TotalData) != want {
		t.Errorf("%s %s", first.Items, first.TotalData)
	}
	for _, from := range []string{fromDatabase, fromCache} {
		ctx, record := WithRecord(t.Context())
		got, err := r.Summarize(ctx, Caller{}, Summary{Model: "Sales", Columns: decode(t, total).Columns})
		if err != nil || string(got) != `{"a":0.00}` || record.Cache.Source != from {
			t.Errorf("%s %v %+v", got, err, record.Cache)
		}
	}
	r.source.change()
	again, err := r.Query(t.Context(), Caller{}, "Sales", decode(t, total), QueryOptions{})
	if err != nil || string(again.TotalData) != string(first.TotalData) || string(again.Items) != string(first.Items) {
		t.Errorf("page and totals are one answer: %s %s %v", again.Items, again.TotalData, err)
	}
}

// TestGrantsNeverShareAnswers: rules on rows, masks, hidden fields, attributes and namespaces keep callers apart; two
// callers with the same rights share.
func TestGrantsNeverShareAnswers(t *testing.T) {
	m := under(t, func(m *semantic.Model) *semantic.Policy {
		return &semantic.Policy{
			Rows: []semantic.RowRule{{
				Keeps:  semantic.RowCondition{Field: m.Field("product$brand"), Op: query.InList, Attribute: "brands"},
				Unless: []semantic.Exemption{{Roles: []string{"admin"}}},
			}},
			Fields: []semantic.FieldRule{{
				Mask:   []semantic.MaskedField{{Field: m.Field("status"), Mask: semantic.MaskFull}},
				Unless: []semantic.Exemption{{Roles: []string{"admin"}}, {Roles: []string{"clerk"}}},
			}, {
				Hide:   []*semantic.Field{m.Field("stock")},
				Unless: []semantic.Exemption{{Roles: []string{"admin"}}},
			}},
		}
	})
	r := reuse(t, m)
	r.shelf["other"] = &catalog.Generation{Namespace: "other", ID: "1", Models: r.shelf["default"].Models, ByName: r.shelf["default"].ByName}
	who := func(user, role string, brands ...string) Caller {
		return Caller{Identity: access.Identity{User: user, Roles: []string{role}, Attributes: map[string][]string{"brands": brands}}}
	}
	other := who("ann", "admin")
	other.Namespace = "other"
	for i, c := range []Caller{
		who("ann", "admin"), other, who("bob", "clerk", "Acme"), who("cid", "clerk", "Zeta"), who("dan", "clerk", "Acme", "Zeta"), who("dan", "clerk", "Acme,Zeta"),
		who("eve", "viewer", "Acme"), who("fay", "clerk"), {},
	} {
		r.source.mu.Lock()
		r.source.state = int64(i)
		r.source.mu.Unlock()
		if _, from := r.ask(t.Context(), t, c, statuses, QueryOptions{}); from != fromDatabase {
			t.Errorf("caller %d has the answer of another", i)
		}
	}
	for _, c := range []Caller{who("bob", "clerk", "Acme"), who("gus", "clerk", "Acme")} {
		r.expect(t.Context(), t, c, statuses, QueryOptions{}, `[{"status":"2"}]`, fromCache)
	}
}

// TestANewGenerationStartsAnew: the model may mean something else now.
func TestANewGenerationStartsAnew(t *testing.T) {
	r := reuse(t)
	r.expect(t.Context(), t, Caller{}, statuses, QueryOptions{}, `[{"status":"0"}]`, fromDatabase)
	r.source.change()
	next := *r.shelf["default"]
	next.ID = "2"
	r.shelf["default"] = &next
	r.expect(t.Context(), t, Caller{}, statuses, QueryOptions{}, `[{"status":"1"}]`, fromDatabase)
}

// TestRefreshStatements: a changed answer ends all answers from before; one that fails keeps nothing; it is asked no more
// often than it says.
func TestRefreshStatements(t *testing.T) {
	m := salesModel(t)
	m.Cache = semantic.Caching{TTL: time.Hour, Refresh: []semantic.Refresh{{SQL: "the state", Every: 10 * time.Second}}}
	r := reuse(t, m)
	r.expect(t.Context(), t, Caller{}, statuses, QueryOptions{}, `[{"status":"0"}]`, fromDatabase)
	*r.clock = r.clock.Add(10 * time.Second)
	r.expect(t.Context(), t, Caller{}, statuses, QueryOptions{}, `[{"status":"0"}]`, fromCache)
	r.expect(t.Context(), t, Caller{}, statuses, QueryOptions{}, `[{"status":"0"}]`, fromCache)
	if r.source.refresh != 2 {
		t.Errorf("asked %d times", r.source.refresh)
	}
	r.source.change()
	r.expect(t.Context(), t, Caller{}, statuses, QueryOptions{}, `[{"status":"0"}]`, fromCache)
	*r.clock = r.clock.Add(10 * time.Second)
	r.expect(t.Context(), t, Caller{}, statuses, QueryOptions{}, `[{"status":"1"}]`, fromDatabase)
	*r.clock = r.clock.Add(10 * time.Second)
	r.source.fail = errors.New("gone")
	if _, err := r.Query(t.Context(), Caller{}, "Sales", decode(t, statuses), QueryOptions{}); err == nil {
		t.Error("an answer whose age is not known was used")
	}
}

// TestAStateThatComesBackBringsNoAnswerBack: what was answered before the data changed is never used again, also where the
// data says again what it said then.
func TestAStateThatComesBackBringsNoAnswerBack(t *testing.T) {
	m := salesModel(t)
	m.Cache = semantic.Caching{TTL: time.Hour, Refresh: []semantic.Refresh{{SQL: "the state", Every: 10 * time.Second}}}
	r := reuse(t, m)
	for i, state := range []int64{0, 1, 0, 1, 0} {
		r.source.mu.Lock()
		r.source.state = state
		r.source.mu.Unlock()
		want := fmt.Sprintf(`[{"status":"%d"}]`, state)
		r.expect(t.Context(), t, Caller{}, statuses, QueryOptions{}, want, fromDatabase)
		r.expect(t.Context(), t, Caller{}, statuses, QueryOptions{}, want, fromCache)
		if r.source.pages() != i+1 {
			t.Errorf("the database was asked %d times", r.source.pages())
		}
		*r.clock = r.clock.Add(10 * time.Second)
	}
}

// TestObserversThatAreOvertaken: a look that began before another and ends after it brings back no answer either, and an
// answer is found again only by whoever knows of no later state.
func TestObserversThatAreOvertaken(t *testing.T) {
	e := newEpochs()
	key := epochKey{&catalog.Generation{Namespace: "x"}, "Sales", 0}
	seen := map[string]bool{}
	for _, state := range []string{"a", "b", "a", "c", "b"} {
		e.saw(key, state)
		e.saw(key, state)
		now, ok := e.now(key)
		if !ok || seen[now] {
			t.Errorf("state %s is in the epoch %q of another", state, now)
		}
		seen[now] = true
	}
	next := epochKey{&catalog.Generation{Namespace: "x"}, "Sales", 0}
	e.saw(next, "b")
	if _, ok := e.now(key); ok {
		t.Error("an earlier generation is kept")
	}
	e.saw(key, "b") // by a request that began before the models were read again
	if now, ok := e.now(key); !ok || seen[now] {
		t.Errorf("an epoch %q is given again", now)
	}
	other := epochKey{&catalog.Generation{Namespace: "y"}, "Sales", 0}
	e.saw(other, "b")
	if _, ok := e.now(key); !ok {
		t.Error("another namespace took the epochs of this one")
	}
}

// TestManyObservers: whoever looks while others do never comes back to an epoch from before.
func TestManyObservers(t *testing.T) {
	e := newEpochs()
	key := epochKey{&catalog.Generation{Namespace: "x"}, "Sales", 0}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			latest := uint64(0)
			for n := range 1000 {
				e.saw(key, strconv.Itoa((n+i)%2))
				text, ok := e.now(key)
				now, err := strconv.ParseUint(text, 10, 64)
				if !ok || err != nil || now < latest {
					t.Errorf("epoch %q after %d: %v", text, latest, err)
					return
				}
				latest = now
			}
		})
	}
	wg.Wait()
}

// TestFailuresAreNotKept: the next one asks the database again.
func TestFailuresAreNotKept(t *testing.T) {
	r := reuse(t)
	r.source.fail = errors.New("gone")
	if _, err := r.Query(t.Context(), Caller{}, "Sales", decode(t, statuses), QueryOptions{}); err == nil {
		t.Fatal("no error")
	}
	r.source.fail = nil
	r.expect(t.Context(), t, Caller{}, statuses, QueryOptions{}, `[{"status":"0"}]`, fromDatabase)
}

// TestCacheControl: who wants no kept answer gets none.
func TestCacheControl(t *testing.T) {
	r := reuse(t)
	with := func(c CacheControl) context.Context { return WithCacheControl(t.Context(), c) }
	r.expect(t.Context(), t, Caller{}, statuses, QueryOptions{}, `[{"status":"0"}]`, fromDatabase)
	r.source.change()
	r.expect(with(CacheControl{NoCache: true}), t, Caller{}, statuses, QueryOptions{}, `[{"status":"1"}]`, fromDatabase)
	r.expect(t.Context(), t, Caller{}, statuses, QueryOptions{}, `[{"status":"1"}]`, fromCache)
	r.source.change()
	r.expect(with(CacheControl{NoCache: true, NoStore: true}), t, Caller{}, statuses, QueryOptions{}, `[{"status":"2"}]`, fromDatabase)
	r.expect(t.Context(), t, Caller{}, statuses, QueryOptions{}, `[{"status":"1"}]`, fromCache)
	*r.clock = r.clock.Add(20 * time.Second)
	r.expect(with(CacheControl{MaxAge: 30 * time.Second}), t, Caller{}, statuses, QueryOptions{}, `[{"status":"1"}]`, fromCache)
	r.expect(with(CacheControl{MaxAge: 10 * time.Second}), t, Caller{}, statuses, QueryOptions{}, `[{"status":"2"}]`, fromDatabase)
	off := New(Deps{Catalog: r.shelf, Sources: r.Sources, DefaultNamespace: "default", Limits: limits})
	reusing{Service: off}.expect(t.Context(), t, Caller{}, statuses, QueryOptions{}, `[{"status":"2"}]`, "")
}

// TestTodayIsNeverYesterday: an answer about today is not used after midnight of the model's zone, however young it is.
func TestTodayIsNeverYesterday(t *testing.T) {
	m := salesModel(t)
	m.Cache.TTL = time.Hour
	m.Calendar.Zone = time.FixedZone("east", 9*3600)
	r := reuse(t, m)
	const today = `{"columns":["status"],"slice":[{"soldOn":"today"}],"limit":2}`
	*r.clock = time.Date(2024, 12, 31, 14, 59, 0, 0, time.UTC)
	r.expect(t.Context(), t, Caller{}, today, QueryOptions{}, `[{"status":"0"}]`, fromDatabase)
	r.source.change()
	*r.clock = time.Date(2024, 12, 31, 14, 59, 59, 0, time.UTC)
	r.expect(t.Context(), t, Caller{}, today, QueryOptions{}, `[{"status":"0"}]`, fromCache)
	*r.clock = time.Date(2024, 12, 31, 15, 0, 0, 0, time.UTC)
	r.expect(t.Context(), t, Caller{}, today, QueryOptions{}, `[{"status":"1"}]`, fromDatabase)
}

// TestOneRunForAll: many who ask the same at once wait for one run, whose first caller may leave; the run ends when all
// have left.
func TestOneRunForAll(t *testing.T) {
	r := reuse(t)
	r.source.hold = make(chan struct{})
	first, leave := context.WithCancel(t.Context())
	gone := make(chan error)
	go func() {
		_, err := r.Query(first, Caller{}, "Sales", decode(t, statuses), QueryOptions{})
		gone <- err
	}()
	<-r.source.begun
	const others = 20
	type got struct {
		items, from string
		err         error
	}
	all := make(chan got)
	for range others {
		go func() {
			a, err := r.Query(t.Context(), Caller{}, "Sales", decode(t, statuses), QueryOptions{})
			if err != nil {
				all <- got{err: err}
				return
			}
			all <- got{items: string(a.Items), from: a.Applied.Cache.Source}
		}()
	}
	r.wait(t, others+1)
	leave()
	if f := refusal(t, <-gone); f.Reason != "cancelled" {
		t.Errorf("%+v", f)
	}
	close(r.source.hold)
	for range others {
		if g := <-all; g.err != nil || g.items != `[{"status":"0"}]` || g.from != fromShared {
			t.Errorf("%+v", g)
		}
	}
	if n := r.source.pages(); n != 1 {
		t.Errorf("%d runs", n)
	}
}

// wait returns when so many wait for one run.
func (r reusing) wait(t *testing.T, n int) {
	t.Helper()
	for {
		r.answers.mu.Lock()
		waiting := 0
		for _, f := range r.answers.flights {
			waiting += f.waiting
		}
		r.answers.mu.Unlock()
		if waiting == n {
			return
		}
		select {
		case <-t.Context().Done():
			t.Fatal("nobody waits")
		case <-time.After(time.Millisecond):
		}
	}
}

// TestARunEndsWithItsLastCaller: nobody waits, so the statement is stopped, and who comes next begins anew.
func TestARunEndsWithItsLastCaller(t *testing.T) {
	m := salesModel(t)
	r := reuse(t, m)
	r.source.hold = make(chan struct{})
	ctx, leave := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		_, err := r.Query(ctx, Caller{}, "Sales", decode(t, states), QueryOptions{})
		gone <- err
	}()
	<-r.source.begun
	leave()
	<-r.source.stopped
	refusal(t, <-gone)
	r.source.mu.Lock()
	r.source.hold = nil
	r.source.mu.Unlock()
	r.expect(t.Context(), t, Caller{}, states, QueryOptions{}, `[{"status":"0","amount":0.00}]`, fromDatabase)
}

// TestWhoWantsTheNewestJoinsNoOlderRun: a run that was under way already may have read before the request came.
func TestWhoWantsTheNewestJoinsNoOlderRun(t *testing.T) {
	for name, c := range map[string]CacheControl{"not a kept one": {NoCache: true}, "none of a second ago": {MaxAge: time.Second}} {
		t.Run(name, func(t *testing.T) { joinsNoOlderRun(t, c) })
	}
}

func joinsNoOlderRun(t *testing.T, c CacheControl) {
	t.Helper()
	r := reuse(t)
	hold := make(chan struct{})
	r.source.hold = hold
	older := make(chan string)
	go func() {
		a, err := r.Query(t.Context(), Caller{}, "Sales", decode(t, states), QueryOptions{})
		if err != nil {
			older <- err.Error()
			return
		}
		older <- string(a.Items)
	}()
	<-r.source.begun
	r.source.mu.Lock()
	r.source.hold, r.source.state = nil, 1
	r.source.mu.Unlock()
	*r.clock = r.clock.Add(time.Second)
	r.expect(WithCacheControl(t.Context(), c), t, Caller{}, states, QueryOptions{}, `[{"status":"1","amount":1.00}]`, fromDatabase)
	close(hold)
	if got := <-older; got != `[{"status":"0","amount":0.00}]` {
		t.Error(got)
	}
	r.expect(t.Context(), t, Caller{}, states, QueryOptions{}, `[{"status":"1","amount":1.00}]`, fromCache)
}

// TestAnswersAreBounded: however many there are, they take no more than they may.
func TestAnswersAreBounded(t *testing.T) {
	m := salesModel(t)
	m.Cache.TTL = time.Hour
	source := &changing{}
	s := New(Deps{Catalog: shelfOf(m), Sources: map[string]Source{"shop": source}, DefaultNamespace: "default", Limits: limits, CacheBytes: 64 << 10})
	for i := range 1000 {
		payload := fmt.Sprintf(`{"columns":["status"],"limit":2,"slice":[{"status":"S%d"}]}`, i)
		if _, err := s.Query(t.Context(), Caller{}, "Sales", decode(t, payload), QueryOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	s.answers.kept.CleanUp()
	if got := s.answers.kept.WeightedSize(); got == 0 || got > 64<<10 {
		t.Errorf("%d bytes", got)
	}
}

// TestEveryUseIsRecorded: an answer that is used again is audited like the first.
func TestEveryUseIsRecorded(t *testing.T) {
	r := reuse(t)
	r.Audit = admits{}
	var entries []*audit.Entry
	for range 2 {
		ctx, record := WithRecord(t.Context())
		entries = append(entries, record.Begin("query"))
		r.ask(ctx, t, Caller{}, statuses, QueryOptions{})
	}
	for _, e := range entries {
		if e.Model != "Sales" || e.Generation != "1" || len(e.Statements) != 2 || e.Total != 7 || len(e.Fields) != 1 {
			t.Errorf("%+v", e)
		}
	}
}

type admits struct{}

func (admits) Admit() error { return nil }

// TestARefusalOfTheFirstIsNotEverybodys: what the first caller of a run is refused for may not hold for who waits.
func TestARefusalOfTheFirstIsNotEverybodys(t *testing.T) {
	now := time.Now()
	a := newAnswers(1<<20, func() time.Time { return now })
	release := make(chan struct{})
	full := &fault.Error{Kind: fault.Unavailable, Reason: "overloaded", Retryable: true}
	first, second := make(chan error), make(chan error)
	go func() {
		_, _, err := a.of(t.Context(), "k", time.Minute, CacheControl{}, func(context.Context) (*keptAnswer, error) {
			<-release
			return nil, full
		})
		first <- err
	}()
	for {
		a.mu.Lock()
		begun := len(a.flights) == 1
		a.mu.Unlock()
		if begun {
			break
		}
	}
	go func() {
		_, _, err := a.of(t.Context(), "k", time.Minute, CacheControl{}, func(context.Context) (*keptAnswer, error) {
			return &keptAnswer{at: now}, nil
		})
		second <- err
	}()
	reusing{Service: &Service{answers: a}}.wait(t, 2)
	close(release)
	if err := <-first; !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	if err := <-second; err != nil {
		t.Errorf("%v", err)
	}
}

// spent are the stages of requests.
type spent struct {
	mu    sync.Mutex
	times [stage.Count]int
}

func (s *spent) Spent(of stage.Stage, _ time.Time, _ time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.times[of]++
}

func (s *spent) of(which stage.Stage) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.times[which]
}

// TestWhatIsUsedAgainIsWatched: the stages of a run are told to the request that began it, and what became of requests is
// counted.
func TestWhatIsUsedAgainIsWatched(t *testing.T) {
	r := reuse(t)
	var seen spent
	ctx := stage.With(t.Context(), &seen)
	r.expect(ctx, t, Caller{}, states, QueryOptions{}, `[{"status":"0","amount":0.00}]`, fromDatabase)
	if seen.of(stage.Plan) != 1 || seen.of(stage.Cache) != 1 || seen.of(stage.Run) == 0 {
		t.Errorf("stages of a miss %v", seen.times)
	}
	ran := seen.of(stage.Run)
	r.expect(ctx, t, Caller{}, states, QueryOptions{}, `[{"status":"0","amount":0.00}]`, fromCache)
	if seen.of(stage.Plan) != 2 || seen.of(stage.Cache) != 2 || seen.of(stage.Run) != ran {
		t.Errorf("stages of a hit %v", seen.times)
	}
	if _, err := r.Summarize(ctx, Caller{}, Summary{Model: "Sales", Columns: []query.Column{{Expr: &query.Ref{Name: "amount"}, Text: "amount"}}}); err != nil {
		t.Fatal(err)
	}
	if seen.of(stage.Plan) != 3 || seen.of(stage.Run) <= ran {
		t.Errorf("stages of a summary %v", seen.times)
	}
	got := r.CacheStats()
	if got.Hits != 1 || got.Misses != 2 || got.Shared != 0 || got.Bytes < int64(len(`[{"status":"0","amount":0.00}]`)) {
		t.Errorf("%+v", got)
	}
}

// TestMemoryOfKeptAnswersOnTheirWay: an answer that is kept counts among those on their way while anybody is sent it, once
// for all of them; without room for it nobody is.
func TestMemoryOfKeptAnswersOnTheirWay(t *testing.T) {
	const size = 100 << 10
	budget := result.NewBudget(2*size - 1)
	first, second := &keptAnswer{items: make([]byte, size)}, &keptAnswer{items: make([]byte, size)}
	var one, other Answer
	for _, a := range []*Answer{&one, &other} {
		if err := first.fill(a, budget, owned{user: "ann"}); err != nil {
			t.Fatal(err)
		}
	}
	if budget.Used() != size {
		t.Errorf("two callers of one answer take %d", budget.Used())
	}
	var late Answer
	if err := second.fill(&late, budget, owned{user: "ann"}); fault.As(err).Reason != "overloaded" || !fault.As(err).Retryable || budget.Used() != size {
		t.Errorf("%v, %d", err, budget.Used())
	}
	late.Release()
	one.Release()
	one.Release()
	if budget.Used() != size {
		t.Errorf("%d while one is being sent", budget.Used())
	}
	other.Release()
	if err := second.fill(&late, budget, owned{user: "ann"}); err != nil || budget.Used() != size {
		t.Errorf("%v, %d", err, budget.Used())
	}
	late.Release()
	small := &keptAnswer{items: make([]byte, smallAnswer)}
	if err := small.fill(&late, budget, owned{user: "ann"}); err != nil || budget.Used() != 0 {
		t.Errorf("%v, %d", err, budget.Used())
	}
}

// TestAnAnswerOnItsWayIsSomebodys: an answer that several are sent takes the memory of one who is still being sent it.
func TestAnAnswerOnItsWayIsSomebodys(t *testing.T) {
	const size = 100 << 10
	budget := result.NewBudget(4 * size) // of which one has three parts in four
	shared, own := &keptAnswer{items: make([]byte, size)}, &keptAnswer{items: make([]byte, 3*size)}
	var quick, again, slow, late Answer
	for _, sent := range []struct {
		to   *Answer
		user string
	}{{&quick, "ann"}, {&slow, "bob"}, {&again, "ann"}} {
		if err := shared.fill(sent.to, budget, owned{user: sent.user}); err != nil {
			t.Fatal(err)
		}
	}
	full := func(user string) bool {
		var more Answer
		err := own.fill(&more, budget, owned{user: user})
		more.Release()
		return err != nil
	}
	if !full("ann") {
		t.Error("what ann is sent is not hers")
	}
	quick.Release()
	again.Release()
	if budget.Used() != size {
		t.Fatalf("%d while bob is sent it", budget.Used())
	}
	half := &keptAnswer{items: make([]byte, 2*size)}
	if err := half.fill(&late, budget, owned{user: "ann"}); err != nil {
		t.Errorf("what only bob is sent still takes ann's part: %v", err)
	}
	late.Release()
	slow.Release()
	if budget.Used() != 0 {
		t.Errorf("%d of nobody", budget.Used())
	}
}
