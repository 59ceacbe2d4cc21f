package page

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// patience is how long anything on the page may take to appear.
const patience = time.Minute

// tab is a window of its own, with nothing kept from others. When the test ends, it fails for every request to another
// host, every uncaught exception and everything that the content policy refused.
type tab struct {
	t    *testing.T
	ctx  context.Context
	base string

	mu       sync.Mutex
	requests []request
	console  []string
}

type request struct {
	url, body string
	headers   map[string]string
}

type look struct {
	width, height int64
	dark          bool
	language      string
}

func open(t *testing.T, s *server, path string) *tab {
	t.Helper()
	return openAs(t, s, path, look{width: 1280, height: 900})
}

// needBrowser skips a test where there is no browser; make servers, and so make test, installs one.
func needBrowser(t *testing.T) {
	t.Helper()
	if browser == nil {
		t.Skip("SKIPPED: no chromium on this machine; make servers installs the Debian package chromium")
	}
}

func openAs(t *testing.T, s *server, path string, l look) *tab {
	t.Helper()
	needBrowser(t)
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	ctx, stop := context.WithTimeout(ctx, 10*time.Minute)
	b := &tab{t: t, ctx: ctx, base: s.address}
	b.do(b.appear(l)...)
	messages := chromedp.Console(ctx)
	sent := chromedp.Events(ctx, network.RequestWillBeSent)
	var listeners sync.WaitGroup
	listeners.Go(func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			b.note(m)
		}
	})
	listeners.Go(func() {
		for e, err := range sent {
			if err != nil {
				return
			}
			b.keep(e.Request)
		}
	})
	t.Cleanup(func() {
		stop()
		cancel()
		listeners.Wait()
		b.checkManners()
		if t.Failed() {
			t.Logf("the console:\n%s", strings.Join(b.console, "\n"))
		}
	})
	b.do(chromedp.Navigate(s.address + path))
	return b
}

func (b *tab) appear(l look) []chromedp.Action[chromedp.Void] {
	scheme := "light"
	if l.dark {
		scheme = "dark"
	}
	language := l.language
	if language == "" {
		language = "en-US"
	}
	return []chromedp.Action[chromedp.Void]{
		chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
			if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
				return err
			}
			features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}
			if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}); err != nil {
				return err
			}
			if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
				return err
			}
			agent := emulation.SetUserAgentOverrideParams{UserAgent: "Mozilla/5.0 (X11; Linux x86_64) Chrome", AcceptLanguage: language}
			_, err := chromedp.Call(ctx, emulation.SetUserAgentOverride, agent)
			return err
		}),
		chromedp.EmulateViewport(l.width, l.height),
	}
}

func (b *tab) note(m chromedp.ConsoleMessage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if m.Type == "error" || m.IsException() || m.Source == "security" {
		b.console = append(b.console, fmt.Sprintf("%s %s: %s", m.Type, m.Source, m.Text))
	}
}

func (b *tab) keep(r *network.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	kept := request{url: r.URL, headers: map[string]string{}}
	for _, entry := range r.PostDataEntries {
		kept.body += string(entry.Bytes)
	}
	for name, value := range r.Headers {
		kept.headers[strings.ToLower(name)] = strings.Trim(fmt.Sprintf("%s", value), `"`)
	}
	b.requests = append(b.requests, kept)
}

// checkManners holds what must be true of every visit.
func (b *tab) checkManners() {
	b.mu.Lock()
	defer b.mu.Unlock()
	own, _ := url.Parse(b.base)
	for _, r := range b.requests {
		if at, err := url.Parse(r.url); err != nil || at.Host != own.Host && at.Scheme != "blob" && at.Scheme != "data" {
			b.t.Errorf("the page asked another host: %s", r.url)
		}
		if r.headers["cookie"] != "" {
			b.t.Errorf("%s was sent a cookie", r.url)
		}
	}
	for _, line := range b.console {
		if strings.HasPrefix(line, "exception") || strings.Contains(line, "Content Security Policy") || strings.Contains(line, "TrustedHTML") {
			b.t.Errorf("the page said: %s", line)
		}
	}
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatalf("%v; the page shows:\n%s", err, b.shown())
	}
}

// shown is the text that is on the screen, as far as a failure needs it.
func (b *tab) shown() string {
	text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`(document.querySelector(".content, .ask") ?? document.body).innerText.slice(0, 1500)`))
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return text
}

// value evaluates an expression.
func value[T any](b *tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// until waits for an expression to become true.
func (b *tab) until(expression string) {
	b.t.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Poll[bool]("Boolean("+expression+")", chromedp.WithPollingTimeout(patience))); err != nil {
		b.t.Fatalf("waiting for %s: %v; the page shows:\n%s", expression, err, b.shown())
	}
}

// sees waits for a text to be on the screen.
func (b *tab) sees(texts ...string) {
	b.t.Helper()
	for _, text := range texts {
		b.until("document.body.innerText.includes(" + quoted(text) + ")")
	}
}

// seesNot fails when a text is on the screen.
func (b *tab) seesNot(texts ...string) {
	b.t.Helper()
	shown := value[string](b, `document.body.innerText`)
	for _, text := range texts {
		if strings.Contains(shown, text) {
			b.t.Errorf("the page shows %q:\n%s", text, shown)
		}
	}
}

func quoted(text string) string {
	out, _ := json.Marshal(text)
	return string(out)
}

// click clicks on what has a text: a button, a link, an option.
func (b *tab) click(text string) {
	b.t.Helper()
	b.mouse(fmt.Sprintf(`[...document.querySelectorAll("button, a, summary, label, [role=option]")].find((e) => e.offsetParent && (e.innerText.trim() === %[1]s || e.ariaLabel === %[1]s))`, quoted(text)))
}

func (b *tab) clickOn(css string) {
	b.t.Helper()
	b.mouse("document.querySelector(" + quoted(css) + ")")
}

// mouse moves to the middle of an element once it is there and stands still, and clicks. A press that meets something
// else, because the page moved meanwhile, does nothing, and is tried again.
func (b *tab) mouse(element string) {
	b.t.Helper()
	b.until(element)
	for end := time.Now().Add(patience); ; {
		if at := b.still(element, end); len(at) == 2 {
			value[bool](b, fmt.Sprintf(pressOnly, element))
			b.do(chromedp.MouseClickXY(at[0], at[1]))
			if value[bool](b, `pressed !== false`) {
				return
			}
		}
		if time.Now().After(end) {
			b.t.Fatalf("%s cannot be met", element)
		}
	}
}

// pressOnly lets the next press of the mouse reach one element and nothing else; pressed is then false when it missed.
const pressOnly = `((wanted) => {
	window.pressed = undefined
	const judge = (e) => {
		window.pressed ??= wanted?.contains(e.target) ?? false
		if (pressed === false) { e.stopImmediatePropagation(); e.preventDefault() }
		if (e.type === "click") for (const type of types) window.removeEventListener(type, judge, true)
	}
	const types = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]
	for (const type of types) window.addEventListener(type, judge, true)
	return true
})(%s)`

// still returns the middle of an element that has come to rest, or nothing when it is gone.
func (b *tab) still(element string, end time.Time) []float64 {
	b.t.Helper()
	var at, before []float64
	for ; at == nil || !slices.Equal(at, before); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("%s does not stand still", element)
		}
		before, at = at, value[[]float64](b, `((e) => { if (!e) return []; e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })(`+element+`)`)
	}
	return at
}

// fill replaces what stands in an input.
func (b *tab) fill(css, text string) {
	b.t.Helper()
	b.until("document.querySelector(" + quoted(css) + ")")
	value[bool](b, `((e) => { e.focus(); e.select(); return true })(document.querySelector(`+quoted(css)+`))`)
	if text == "" {
		text = kb.Delete
	}
	b.types(text)
}

// types writes as a person does, into whatever has the focus.
func (b *tab) types(keys string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys))
}

// press presses one key with a character, as a keyboard does: what the page keeps for itself writes nothing.
func (b *tab) press(key string) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
			event := input.DispatchKeyEventParams{Type: kind, Key: key}
			if kind == input.DispatchKeyEventTypeKeyDown {
				event.Text = strings.ReplaceAll(key, "Enter", "\r")
			}
			if _, err := chromedp.Call(ctx, input.DispatchKeyEvent, event); err != nil {
				return err
			}
		}
		return nil
	}))
}

// choose picks an option of a select.
func (b *tab) choose(css, option string) {
	b.t.Helper()
	b.until("document.querySelector(" + quoted(css) + ")")
	ok := value[bool](b, fmt.Sprintf(`(() => { const s = document.querySelector(%s); s.value = %s; s.dispatchEvent(new Event("change", {bubbles: true})); return s.value === %[2]s })()`, quoted(css), quoted(option)))
	if !ok {
		b.t.Fatalf("%s has no option %q", css, option)
	}
}

// filterOn begins a filter on the field that a search finds first.
func (b *tab) filterOn(search string) {
	b.t.Helper()
	b.click("Add a filter")
	b.until(`document.activeElement.role === "combobox"`)
	b.types(search)
	b.until(`document.activeElement.value === ` + quoted(search))
	b.press("Enter")
	b.until(`document.querySelector(".popover form")`)
}

// cells returns the texts of the table's rows, one line a row.
func (b *tab) cells() []string {
	b.t.Helper()
	return value[[]string](b, `[...document.querySelectorAll(".grid tbody tr:not(.gap)")].map((r) => [...r.cells].map((c) => c.textContent).join(" | "))`)
}

// address is what stands in the address bar.
func (b *tab) address() string {
	b.t.Helper()
	return value[string](b, `location.href`)
}

// calls returns the arguments of the calls of a tool, in order.
func (b *tab) calls(tool string) []map[string]any {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []map[string]any
	for _, r := range b.requests {
		var call struct {
			Params struct {
				Name      string
				Arguments map[string]any
			}
		}
		if json.Unmarshal([]byte(r.body), &call) == nil && call.Params.Name == tool {
			all = append(all, call.Params.Arguments)
		}
	}
	return all
}

// lastPayload is the payload of the last query, without what paging adds.
func (b *tab) lastPayload() string {
	b.t.Helper()
	all := b.calls("dataset.query_model")
	if len(all) == 0 {
		b.t.Fatal("no query was sent")
	}
	payload, _ := all[len(all)-1]["payload"].(map[string]any)
	delete(payload, "limit")
	delete(payload, "format")
	out, _ := json.Marshal(payload)
	return string(out)
}

// settled waits until the query on the page has been answered.
func (b *tab) settled() {
	b.t.Helper()
	b.until(`document.querySelector(".outcome[aria-busy=false] .grid tbody tr")`)
}

func (b *tab) expectPayload(want string) {
	b.t.Helper()
	if got := b.lastPayload(); normal(got) != normal(want) {
		b.t.Errorf("the page sent %s, want %s", got, want)
	}
}

func normal(text string) string {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return text
	}
	out, _ := json.Marshal(v)
	return string(out)
}

func sorted(all []string) []string {
	return slices.Sorted(slices.Values(all))
}

// lastBody is the last request that calls a tool, to the letter.
func (b *tab) lastBody(tool string) string {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := len(b.requests) - 1; i >= 0; i-- {
		if strings.Contains(b.requests[i].body, `"name":`+quoted(tool)) {
			return b.requests[i].body
		}
	}
	b.t.Fatalf("%s was not called", tool)
	return ""
}
