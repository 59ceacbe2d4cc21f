package app

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/service"
)

const askSection = "## Ask in plain words\n"

// askedOnce runs the ask command and returns what it printed and its exit code.
func askedOnce(t *testing.T, env map[string]string, args ...string) (out, log string, code int) {
	t.Helper()
	var to, errors bytes.Buffer
	code = Run(t.Context(), append([]string{"ask"}, args...), Streams{Out: &to, Err: &errors, Env: func(name string) (string, bool) {
		value, ok := env[name]
		return value, ok
	}})
	return to.String(), errors.String(), code
}

// TestReadmeAsk runs the command of the README's section and compares what it prints.
func TestReadmeAsk(t *testing.T) {
	blocks := blocksOf(t, "../../README.md", askSection)
	if len(blocks) != 2 || blocks[0].language != "sh" || blocks[1].language != "text" {
		t.Fatalf("the section has other blocks: %v", blocks)
	}
	var questions []string
	for _, m := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(blocks[0].text, -1) {
		questions = append(questions, m[1])
	}
	out, log, code := askedOnce(t, nil, questions...)
	if diff := cmp.Diff(blocks[1].text, out); diff != "" || code != exitOK {
		t.Errorf("exit %d, %s (-want +got):\n%s", code, log, diff)
	}
}

// readmeQuestions returns the rows of the section's table.
func readmeQuestions(t *testing.T) [][2]string {
	t.Helper()
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(data), askSection)
	text, _, _ = strings.Cut(text, "\n## ")
	var rows [][2]string
	for _, line := range strings.Split(text, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) == 4 && !strings.HasPrefix(cells[1], "---") && strings.TrimSpace(cells[1]) != "question" {
			rows = append(rows, [2]string{strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2])})
		}
	}
	return rows
}

// TestReadmeQuestions asks what the README asks, each question by itself, and compares the answers.
func TestReadmeQuestions(t *testing.T) {
	rows := readmeQuestions(t)
	if len(rows) != 10 {
		t.Fatalf("the README has %d questions", len(rows))
	}
	s := servedDemo(t).service
	for _, row := range rows {
		reply, err := s.Ask(t.Context(), service.Caller{}, service.AskRequest{Text: row[0]})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(row[1], reply.Summary); diff != "" {
			t.Errorf("%q (-want +got):\n%s", row[0], diff)
		}
		if reply.Understood == "" || reply.Payload == nil || reply.Items == nil || reply.Chart == nil || reply.Chart.SVG == "" || *reply.Confidence < 0.9 {
			t.Errorf("%q: %+v", row[0], reply)
		}
	}
}

func TestAskThatIsNotAnswered(t *testing.T) {
	out, log, code := askedOnce(t, nil, "delete all orders")
	if code != exitFailed || !strings.Contains(out, "change nothing") || log != "" {
		t.Errorf("exit %d, %q, %q", code, out, log)
	}
	if _, log, code := askedOnce(t, nil); code != exitMisused || !strings.Contains(log, "question") {
		t.Errorf("without a question: exit %d, %q", code, log)
	}
	if _, log, code := askedOnce(t, nil, "--namespace", "nowhere", "sales"); code != exitFailed || !strings.Contains(log, `"nowhere"`) {
		t.Errorf("in no namespace: exit %d, %q", code, log)
	}
	if _, log, code := askedOnce(t, nil, "--namespace", secureName, "sales"); code != exitFailed || !strings.Contains(log, tokenVariable) {
		t.Errorf("without a token: exit %d, %q", code, log)
	}
}

// TestAskUnderPolicies holds that the command sees what the token's user may see: a viewer has no profit to ask for.
func TestAskUnderPolicies(t *testing.T) {
	out, log, code := askedOnce(t, map[string]string{tokenVariable: "plc_demo-viewer"}, "--namespace", secureName, "--format", "json", "profit by category")
	var reply service.AskReply
	if err := json.Unmarshal([]byte(strings.Split(out, "\n")[0]), &reply); err != nil {
		t.Fatalf("%v: %s %s", err, out, log)
	}
	if code != exitFailed || reply.Type == "result" || reply.Items != nil {
		t.Errorf("exit %d, %s", code, out)
	}
}
