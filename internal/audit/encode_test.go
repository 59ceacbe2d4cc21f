package audit

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/fault"
)

// text is a value.
type text string

func (t text) String() string { return string(t) }

func whole() Entry {
	return Entry{
		Time: time.Date(2026, 11, 5, 13, 0, 0, 123456789, time.FixedZone("", 3600)), Trace: "t-1", User: "wang",
		Roles: []string{"analyst", "auditor"}, Interface: "mcp", Endpoint: "analyst", Tool: "dataset.query_model",
		Namespace: "shop", Model: "Sales", Generation: "1-ab", Question: "how much?", Fields: []string{"a", "b$id"},
		Filters: []Filter{{"a", "=", text("7")}, {"b$id", "is null", nil}}, Statements: []string{"SELECT 1", "SELECT 2"},
		Rows: 3, Total: 40, Bytes: 512, Took: 1234567 * time.Nanosecond, Outcome: OK, Got: "x",
	}
}

func TestALineHasEveryKeyInOrder(t *testing.T) {
	e := encoder{run: "r", namespace: "default"}
	entry := whole()
	// printf 'SELECT 1\nSELECT 2' | sha256sum
	want := `{"time":"2026-11-05T12:00:00.123456Z","run":"r","n":1,"trace":"t-1","user":"wang","credential":"",` +
		`"roles":["analyst","auditor"],"interface":"mcp","endpoint":"analyst","tool":"dataset.query_model","mode":"execute",` +
		`"sql":false,"namespace":"shop","model":"Sales","generation":"1-ab","fields":["a","b$id"],` +
		`"filters":[{"field":"a","op":"="},{"field":"b$id","op":"is null"}],"rows":3,"total":40,"bytes":512,"duration":1234,` +
		`"outcome":"ok","code":0,"statement":"HASH"}` + "\n"
	want = strings.Replace(want, "HASH", "36fb1b6dd794a02f", 1)
	if diff := cmp.Diff(want, string(e.appendLine(nil, &entry))); diff != "" {
		t.Error(diff)
	}
	nothing := `{"time":"0001-01-01T00:00:00.000000Z","run":"r","n":2,"trace":"","user":"anonymous","credential":"","roles":[],` +
		`"interface":"","endpoint":"","tool":"","mode":"","sql":false,"namespace":"default","model":"","generation":"",` +
		`"fields":[],"filters":[],"rows":0,"total":0,"bytes":0,"duration":0,"outcome":"ok","code":0,"statement":""}` + "\n"
	if diff := cmp.Diff(nothing, string(e.appendLine(nil, &Entry{}))); diff != "" {
		t.Error(diff)
	}
}

func TestValuesAreKeptOnlyWhenAsked(t *testing.T) {
	entry := whole()
	entry.Question, entry.Got, entry.Filters[0].Value = "secret question", "secret name", text("secret value")
	without, with := encoder{}, encoder{values: true}
	if got := string(without.appendLine(nil, &entry)); strings.Contains(got, "secret") {
		t.Errorf("a value is kept: %s", got)
	}
	got := string(with.appendLine(nil, &entry))
	for _, want := range []string{`"question":"secret question"`, `"got":"secret name"`, `{"field":"a","op":"=","value":"secret value"}`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
}

func TestNoTextLeavesItsString(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"line ends":     {"a\r\n{\"user\":\"root\"}", `"a\u000d\u000a{\"user\":\"root\"}"`},
		"backslash":     {`a\n"`, `"a\\n\""`},
		"terminal":      {"\x1b[2J\x7f\u009b", `"\u001b[2J\u007f\u009b"`},
		"separators":    {"a\u2028b\u2029c\u0085", `"a\u2028b\u2029c\u0085"`},
		"direction":     {"a\u202eb\u2066", `"a\u202eb\u2066"`},
		"invisible":     {"a\u200bb\ufeff", `"a\u200bb\ufeff"`},
		"beyond 16 bit": {"\U000e0001x", `"\udb40\udc01x"`},
		"not UTF-8":     {"a\xff\xc3", `"a\ufffd\ufffd"`},
		"plain":         {"销售额 é <>&'", `"销售额 é <>&'"`},
		"NUL":           {"\x00", `"\u0000"`},
	} {
		if got := string(appendText(nil, c.text, 100)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestTextsAreCutAtACharacter(t *testing.T) {
	if got := string(appendText(nil, strings.Repeat("é", 10), 5)); got != `"éé…"` {
		t.Error(got)
	}
	if got := string(appendText(nil, strings.Repeat("\n", 10), 13)); got != `"\u000a\u000a…"` {
		t.Error(got)
	}
	if got := string(appendText(nil, "12345", 5)); got != `"12345"` {
		t.Error(got)
	}
}

func TestALineIsNeverLongerThanItMayBe(t *testing.T) {
	huge := strings.Repeat("\x01", 1<<16)
	many := make([]string, 5000)
	filters := make([]Filter, 5000)
	for i := range many {
		many[i], filters[i] = huge, Filter{huge, huge, text(huge)}
	}
	entry := Entry{
		Trace: huge, User: huge, Credential: huge, Roles: many, Interface: huge, Endpoint: huge, Tool: huge, Mode: huge,
		Namespace: huge, Model: huge, Generation: huge, Question: huge, Fields: many, Filters: filters, Statements: many[:2],
		Outcome: huge, Got: huge, Rows: -1 << 63, Total: -1 << 63, Bytes: -1 << 63, Took: -1 << 63, Code: -1 << 63,
	}
	e := encoder{values: true, run: "0123456789abcdef", number: 1<<63 - 2}
	line := e.appendLine(nil, &entry)
	var decoded map[string]any
	if err := json.Unmarshal(line, &decoded); err != nil {
		t.Fatal(err)
	}
	if len(line) > MaxLine || decoded["cut"] != true {
		t.Errorf("%d bytes, cut %v", len(line), decoded["cut"])
	}
}

var keyPattern = regexp.MustCompile(`[{,]"([a-z]+)":`)

// TestTheDocumentedLineIsALine holds the line of docs/operations.md to the keys of a real one.
func TestTheDocumentedLineIsALine(t *testing.T) {
	text, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\n    {\"time\":")
	shown, _, _ := strings.Cut(rest, "\n")
	shown = "{\"time\":" + shown
	entry := whole()
	entry.Filters = entry.Filters[:1]
	e := encoder{}
	keys := func(line string) (names []string) {
		for _, m := range keyPattern.FindAllStringSubmatch(line, -1) {
			names = append(names, m[1])
		}
		return names
	}
	if diff := cmp.Diff(keys(string(e.appendLine(nil, &entry))), keys(shown)); diff != "" || !json.Valid([]byte(shown)) {
		t.Errorf("%s\n%s", shown, diff)
	}
}

func FuzzLine(f *testing.F) {
	f.Add("a\nb", "\u2028", true)
	f.Fuzz(func(t *testing.T, a, b string, values bool) {
		e := encoder{values: values}
		line := e.appendLine(nil, &Entry{Trace: a, User: b, Fields: []string{a, b}, Filters: []Filter{{a, b, text(a)}}, Model: a + b, Got: b})
		var decoded map[string]any
		if err := json.Unmarshal(line, &decoded); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if strings.Count(string(line), "\n") != 1 || strings.ContainsAny(string(line), "\r\x1b\u2028\u2029\u0085\u202e") || !utf8.Valid(line) {
			t.Fatalf("%q", line)
		}
	})
}

func TestEveryKindHasItsCode(t *testing.T) {
	for kind, want := range map[fault.Kind]int{
		fault.Internal: 500, fault.Invalid: 400, fault.Unauthorized: 401, fault.Forbidden: 403, fault.NotFound: 404, fault.Unavailable: 503,
	} {
		var e Entry
		e.FailWith(&fault.Error{Kind: kind, Reason: "first", Got: "x"})
		e.FailWith(&fault.Error{Kind: fault.Invalid, Reason: "second", Got: "y"})
		if e.Code != want || e.Outcome != "first" || e.Got != "x" || !e.Refused() {
			t.Errorf("%v: %+v", kind, e)
		}
	}
}

func TestFingerprints(t *testing.T) {
	// printf 'Bearer abc' | sha256sum
	if got := Fingerprint("Bearer abc"); got != "c355dce96c161288" {
		t.Error(got)
	}
	if Fingerprint() != "" || Fingerprint("") != "" {
		t.Error("nothing has a fingerprint")
	}
}
