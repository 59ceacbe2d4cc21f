// Package questions asks the embedded demo questions in plain words and holds its answers against those of payloads
// that people wrote; it prints the score of every set.
package questions

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// expected is a question with the query that answers it, or the kinds of reply that are right where none does.
type expected struct {
	Q       string   `json:"q"`
	Model   string   `json:"model"`
	Payload payload  `json:"payload"`
	Type    []string `json:"type"`
}

// sets are the files of questions with the configuration that answers them ("": the demo's), and the share of right
// answers that each must reach. A wrong answer is a failure whatever the share.
var sets = []struct {
	file, config string
	right        float64
}{
	{"public.json", "", 0.95},
	{"own.json", "", 0.95},
	{"strangers.json", "", 0.75}, // by somebody who did not know the reader
	{"clinic/questions.json", "clinic/parlance.yaml", 0.95},
}

func TestQuestions(t *testing.T) {
	servers := map[string]string{}
	for _, set := range sets {
		if servers[set.config] == "" {
			servers[set.config] = start(t, set.config)
		}
		server := servers[set.config]
		t.Run(set.file, func(t *testing.T) {
			var right, askedBack, wrong int
			list := load(t, set.file)
			for _, e := range list {
				r := ask(t, server, e.Q)
				switch verdict(t, server, e, r) {
				case "right":
					right++
				case "asked back":
					askedBack++
					t.Logf("asked back: %s\n\t%s %s", e.Q, r.Type, r.Message)
					for _, c := range r.Choices {
						t.Logf("\t? %s", c.Text)
					}
				default:
					wrong++
					sent, _ := json.Marshal(r.Payload)
					t.Errorf("wrong: %s\n\t%s\n\t%s %s", e.Q, r.Understood, r.Model, sent)
				}
			}
			t.Logf("%s: %d questions, %d right, %d asked back, %d wrong", set.file, len(list), right, askedBack, wrong)
			if float64(right) < set.right*float64(len(list)) {
				t.Errorf("%d of %d are right, fewer than %.0f %%", right, len(list), 100*set.right)
			}
		})
	}
}

func load(t *testing.T, file string) []expected {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []expected
	decode(t, f, &list)
	return list
}

// verdict judges a reply. Every answer must restate its query, sum itself up, and hold the rows that its own payload
// gives.
func verdict(t *testing.T, server string, e expected, r reply) string {
	t.Helper()
	if r.Type != "result" {
		if r.Message == "" {
			t.Errorf("%q is not answered and nothing is said about it", e.Q)
		}
		if slices.Contains(e.Type, r.Type) {
			return "right"
		}
		return "asked back"
	}
	if r.Understood == "" || r.Summary == "" {
		t.Errorf("%q: understood %q, summary %q", e.Q, r.Understood, r.Summary)
	}
	items := linesOf(r.Items, r.Payload)
	if !same(slices.Clone(items), linesOf(rows(t, server, r.Model, r.Payload), r.Payload), false) {
		t.Errorf("%q: the payload gives other rows than the answer", e.Q)
	}
	if e.Model == "" {
		return "wrong"
	}
	_, ordered := e.Payload["orderBy"]
	want := linesOf(rows(t, server, e.Model, e.Payload), e.Payload)
	if !same(items, want, ordered) {
		return "wrong"
	}
	return "right"
}
