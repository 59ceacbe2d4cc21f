package compile_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"parlance/internal/access"
	"parlance/internal/compile"
	"parlance/internal/fault"
)

var kindNames = map[fault.Kind]string{
	fault.Internal: "internal", fault.Invalid: "invalid", fault.Unauthorized: "unauthorized", fault.Forbidden: "forbidden",
	fault.NotFound: "not_found", fault.Unavailable: "unavailable",
}

// shownFault is a fault as the golden files print it, fields that are empty left out.
type shownFault struct {
	Kind    string   `json:"kind"`
	Reason  string   `json:"reason"`
	Message string   `json:"message"`
	Path    string   `json:"path,omitempty"`
	Got     string   `json:"got,omitempty"`
	Allowed []string `json:"allowed,omitempty"`
	Closest []string `json:"closest,omitempty"`
	Hint    string   `json:"hint,omitempty"`
}

// TestRefusals compares the faults of payloads that decode and must not compile. Payloads of kpi.txtar are compiled as
// KPI summaries.
func TestRefusals(t *testing.T) {
	eachCase(t, "testdata/refusals/*.txtar", func(t *testing.T, c goldenCase) []txtar.File {
		t.Helper()
		q, err := decode(c.json())
		if err != nil {
			t.Fatalf("does not even decode: %v", err)
		}
		req := request(c.model, q, dialects[0].dialect)
		if strings.Contains(t.Name(), "/kpi/") {
			_, _, err = compile.Summary(req)
		} else {
			_, err = compile.Query(req)
		}
		if err == nil {
			t.Fatal("compiles")
		}
		return []txtar.File{{Name: c.name + "/fault", Data: faultText(t, err)}}
	})
}

// TestClosedModel: whoever has no grant learns that, and nothing of the model.
func TestClosedModel(t *testing.T) {
	m := shop(t)["Sales"]
	q, err := decode([]byte(`{"columns": ["amonut"]}`))
	if err != nil {
		t.Fatal(err)
	}
	req := request(m, q, dialects[0].dialect)
	req.Grant = access.Grant{}
	_, err = compile.Query(req)
	if f := fault.As(err); f.Kind != fault.Forbidden || f.Reason != "forbidden_model" || f.Got != "Sales" || len(f.Closest) != 0 {
		t.Errorf("got %+v", f)
	}
	if _, _, err = compile.Summary(req); fault.As(err).Kind != fault.Forbidden {
		t.Errorf("a summary is refused with %v", err)
	}
}

func faultText(t *testing.T, err error) []byte {
	t.Helper()
	f := fault.As(err)
	if f.Kind == fault.Internal {
		t.Errorf("the caller's mistake is ours: %v", err)
	}
	if len(f.Allowed) > 10 || len(f.Closest) > 3 || f.Reason == "" {
		t.Errorf("a fault without a reason or with too much: %+v", f)
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	shown := shownFault{kindNames[f.Kind], f.Reason, f.Message, f.Path, f.Got, f.Allowed, f.Closest, f.Hint}
	if err := e.Encode(shown); err != nil {
		t.Fatal(err)
	}
	return []byte(b.String())
}
