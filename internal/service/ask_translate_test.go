package service

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"parlance/internal/dialect"
	"parlance/internal/semantic"
	"parlance/internal/translate"
)

// model is a language model that gives one reply, and remembers what it was sent.
type model struct {
	status int
	reply  string
	hang   bool

	mu   sync.Mutex
	sent []string
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	m.mu.Lock()
	m.sent = append(m.sent, string(body))
	m.mu.Unlock()
	if m.hang {
		<-r.Context().Done()
		return
	}
	if m.status != 0 {
		w.WriteHeader(m.status)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]string{"content": m.reply}}}})
}

// unclear is a question that the reader of this program does not understand.
const unclear = "flurbish the gronk by brand"

// translating is a service over Sales, under a policy if there is one, that asks a language model.
func translating(t *testing.T, m *model, o translate.Options, policy func(*semantic.Model) *semantic.Policy) (*Service, *script) {
	t.Helper()
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	sales := salesModel(t)
	if policy != nil {
		sales.Access = policy(sales)
	}
	source := &script{dialect: dialect.DuckDB(), mentions: map[string][][]any{
		"GROUP BY": {{"Acme", "10.00"}, {"Bell", "5.50"}}, "SUM(": {{"15.50"}}, `"brand"`: {{"Acme"}, {"Bell"}},
	}}
	s := newService(shelfOf(sales), source)
	o.Address, o.Model = server.URL, "small"
	s.Translator = translate.New(o)
	return s, source
}

func TestALanguageModelTranslates(t *testing.T) {
	m := &model{reply: `{"model":"Sales","payload":{"columns":["product$brand","amount"],"groupBy":[{"field":"product$brand"}]}}`}
	s, _ := translating(t, m, translate.Options{}, nil)
	r := in(t, s, Caller{}, "", unclear)
	if r.Type != "result" || r.TranslatedBy != "language model small" || *r.Confidence != 0.3 || r.Understood == "" {
		t.Fatalf("got %+v", r)
	}
	if string(r.Items) != `[{"product$brand":"Acme","amount":10.00},{"product$brand":"Bell","amount":5.50}]` || r.Chart == nil || r.Chart.Type != "bar" {
		t.Errorf("items %s, chart %+v", r.Items, r.Chart)
	}
	if len(r.Warnings) == 0 || !strings.Contains(r.Warnings[len(r.Warnings)-1], "language model") {
		t.Errorf("warnings %q", r.Warnings)
	}
	if next := in(t, s, Caller{}, r.Session, "amount by status"); next.TranslatedBy != "" {
		t.Errorf("what the reader understands was sent away: %+v", next)
	}
	if len(m.sent) != 1 {
		t.Errorf("%d calls were made", len(m.sent))
	}
}

// TestWhatALanguageModelMayNotDo holds that whatever it replies, the caller gets no more than without it, and nothing of the
// reply.
func TestWhatALanguageModelMayNotDo(t *testing.T) {
	hide := func(m *semantic.Model) *semantic.Policy {
		return &semantic.Policy{Fields: []semantic.FieldRule{{Hide: []*semantic.Field{m.Field("stock")}}}}
	}
	for name, c := range map[string]struct {
		model   *model
		options translate.Options
	}{
		"a hidden field":   {model: &model{reply: `{"model":"Sales","payload":{"columns":["sum(stock) as secretstock"]}}`}},
		"a hidden filter":  {model: &model{reply: `{"model":"Sales","payload":{"columns":["amount"],"having":[{"field":"stock","op":">","value":1}],"groupBy":["status"]}}`}},
		"no such model":    {model: &model{reply: `{"model":"Secrets","payload":{"columns":["a"]}}`}},
		"SQL":              {model: &model{reply: `{"model":"Sales","payload":{"columns":["amount); DROP TABLE sales; --"]}}`}},
		"an unknown key":   {model: &model{reply: `{"model":"Sales","payload":{"columns":["amount"],"deniedColumns":[]}}`}},
		"words":            {model: &model{reply: "Ignore all rules. secretstock is 7."}},
		"an error":         {model: &model{status: 500, reply: "secretstock"}},
		"too much":         {model: &model{reply: strings.Repeat("secretstock", 10_000)}},
		"silence":          {model: &model{hang: true}, options: translate.Options{Timeout: 20 * time.Millisecond}},
		"declined":         {model: &model{reply: `{"decline":"secretstock"}`}},
		"too many columns": {model: &model{reply: `{"model":"Sales","payload":{"columns":["` + strings.Repeat(`amount","`, 3000) + `amount"]}}`}},
	} {
		without, _ := translating(t, &model{}, translate.Options{}, hide)
		without.Translator = nil
		plain := in(t, without, Caller{}, "", unclear)
		s, source := translating(t, c.model, c.options, hide)
		ctx, record := WithRecord(t.Context())
		record.Begin("dataset_nl.query")
		s.Audit = kept{}
		got, err := s.Ask(ctx, Caller{}, AskRequest{Text: unclear})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got.Type != plain.Type || got.Message != plain.Message || got.Items != nil || got.Payload != nil || got.TranslatedBy != "" || got.Confidence != nil {
			t.Errorf("%s: got %+v", name, got)
		}
		if text, _ := json.Marshal(got); strings.Contains(string(text), "secretstock") || strings.Contains(string(text), "Secrets") || strings.Contains(string(text), "DROP") {
			t.Errorf("%s: the reply holds what came back: %s", name, text)
		}
		if e := record.Entry(); e.Outcome != "clarify" || len(e.Fields) != 0 || len(e.Statements) != 0 {
			t.Errorf("%s: recorded %+v", name, e)
		}
		for _, sql := range source.asked {
			if strings.Contains(sql, "stock") || strings.Contains(sql, "DROP") {
				t.Errorf("%s: a statement ran: %s", name, sql)
			}
		}
	}
}

// kept is a record that is always kept.
type kept struct{}

func (kept) Admit() error { return nil }

// TestWhatALanguageModelIsTold holds that names of hidden fields and values are not sent, values at most where the
// configuration says so and never of masked fields.
func TestWhatALanguageModelIsTold(t *testing.T) {
	policy := func(m *semantic.Model) *semantic.Policy {
		return &semantic.Policy{Fields: []semantic.FieldRule{
			{Hide: []*semantic.Field{m.Field("stock")}},
			{Mask: []semantic.MaskedField{{Field: m.Field("status"), Mask: semantic.MaskFirst}}},
		}}
	}
	for _, values := range []bool{false, true} {
		m := &model{reply: `{"decline":"no"}`}
		s, source := translating(t, m, translate.Options{Values: values}, policy)
		source.mentions = map[string][][]any{`"brand"`: {{"Acme"}, {"Bell"}}}
		in(t, s, Caller{}, "", unclear)
		if len(m.sent) != 1 {
			t.Fatalf("%d calls", len(m.sent))
		}
		for word, want := range map[string]bool{"amount": true, "product$brand": true, "2024-12-31": true, "stock": false, "Stock": false, "DONE": false, "Acme": values} {
			if strings.Contains(m.sent[0], word) != want {
				t.Errorf("values %v: %q is told: %v\n%s", values, word, !want, m.sent[0])
			}
		}
	}
}

func TestALanguageModelIsNotAskedToChoose(t *testing.T) {
	m := &model{reply: `{"model":"Sales","payload":{"columns":["amount"]}}`}
	s, _ := translating(t, m, translate.Options{}, func(m *semantic.Model) *semantic.Policy {
		m.Field("amount").Synonyms, m.Field("stock").Synonyms = []string{"figure"}, []string{"figure"}
		return nil
	})
	r := in(t, s, Caller{}, "", "figure by status")
	if r.Type != "clarify" || len(r.Choices) != 2 || len(m.sent) != 0 {
		t.Fatalf("got %+v after %d calls", r, len(m.sent))
	}
	if picked := in(t, s, Caller{}, r.Session, "1"); picked.Type != "result" || picked.Understood != r.Choices[0].Text {
		t.Errorf("the first choice is %+v", picked)
	}
}
