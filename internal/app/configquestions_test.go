package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestConfigOfQuestions(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "key"), []byte("from-a-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readConfig(filepath.Join(dir, "parlance.yaml"), []byte(`
questions:
  sessions: 50
  session_age: 5m
  index: 8MiB
  language_model: {address: "https://llm.example.com/v1", model: small, key: "${SECRET}", timeout: 3s, calls: 7, tokens: 900, values: true}
`), environment)
	if err != nil {
		t.Fatal(err)
	}
	want := QuestionsConfig{Sessions: 50, SessionAge: 5 * time.Minute, Index: 8 << 20, LanguageModel: LanguageModelConfig{
		Address: "https://llm.example.com/v1", Model: "small", Key: "s3cret", Timeout: 3 * time.Second, Calls: 7, Tokens: 900, Values: true,
	}}
	if diff := cmp.Diff(want, got.Questions); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got, err = readConfig(filepath.Join(dir, "parlance.yaml"), []byte("questions: {language_model: {address: http://127.0.0.1:9, model: m, key_file: key}}"), environment)
	if err != nil || got.Questions.LanguageModel.Key != "from-a-file" || got.Questions.LanguageModel.Values || got.Questions.Sessions != 10_000 {
		t.Errorf("got %+v, %v", got.Questions, err)
	}
}

func TestConfigOfQuestionsThatIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"{sessions: 0}":                "questions.sessions",
		"{session_age: -5m}":           "questions.session_age",
		"{sesions: 5}":                 "did you mean sessions?",
		"{language_model: {model: m}}": "needs address",
		"{language_model: {address: https://x.example.com}}":                                  "and model",
		"{language_model: {address: http://x.example.com, model: m}}":                         "https://",
		"{language_model: {address: https://u:topsecret@x.example.com, model: m}}":            "must not hold a user",
		"{language_model: {address: https://x.example.com, model: m, key: '${NONE}'}}":        "NONE is not set",
		"{language_model: {address: https://x.example.com, model: m, key_file: ./nothing}}":   "nothing cannot be read",
		"{language_model: {address: https://x.example.com, model: m, key: a, key_file: ./b}}": "one is enough",
		"{language_model: {address: https://x.example.com, model: m, values: perhaps}}":       "neither true nor false",
		"{language_model: {address: https://x.example.com, model: m, calls: 0}}":              "language_model.calls",
	} {
		_, err := readConfig("parlance.yaml", []byte("questions: "+text), environment)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "topsecret") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
