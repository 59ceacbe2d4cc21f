package app

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"parlance/internal/service"
	"parlance/internal/translate"
)

// QuestionsConfig is what questions in plain words may be told.
type QuestionsConfig struct {
	Sessions      int           // conversations that are remembered
	SessionAge    time.Duration // since their last question
	Index         int64         // bytes that the words of questions may take, about
	LanguageModel LanguageModelConfig
}

// LanguageModelConfig is a language model for questions that the reader does not understand; without an Address there is
// none.
type LanguageModelConfig struct {
	Address string // of an OpenAI-compatible interface
	Model   string
	Key     string        // with ${NAME} replaced from the environment, or read from a file; "": none
	Timeout time.Duration // of one question
	Calls   int           // in an hour
	Tokens  int           // in an hour
	Values  bool          // whether values found in the data are sent
}

func defaultQuestions() QuestionsConfig {
	return QuestionsConfig{
		Sessions: 10_000, SessionAge: 30 * time.Minute, Index: 256 << 20,
		LanguageModel: LanguageModelConfig{Timeout: 10 * time.Second, Calls: 100, Tokens: 200_000},
	}
}

func (f *configFile) questions(n ast.Node) {
	q := &f.config.Questions
	f.mapping(n, "questions", []key{
		{"sessions", whole(f, "questions.sessions", 1, &q.Sessions)},
		{"session_age", parsed(f, "questions.session_age", parseDuration, &q.SessionAge)},
		{"index", parsed(f, "questions.index", parseSize, &q.Index)},
		{"language_model", f.languageModel},
	})
}

func (f *configFile) languageModel(n ast.Node) {
	const what = "questions.language_model"
	m := &f.config.Questions.LanguageModel
	keys := 0
	f.mapping(n, what, []key{
		{"address", f.address(what+".address", &m.Address)},
		{"model", f.into(what+".model", &m.Model)},
		{"key", func(n ast.Node) { keys++; f.secret(what+".key", &m.Key)(n) }},
		{"key_file", func(n ast.Node) { keys++; f.secretFile(what+".key_file", n, &m.Key) }},
		{"timeout", parsed(f, what+".timeout", parseDuration, &m.Timeout)},
		{"calls", whole(f, what+".calls", 1, &m.Calls)},
		{"tokens", whole(f, what+".tokens", 1, &m.Tokens)},
		{"values", parsed(f, what+".values", parseSwitch, &m.Values)},
	})
	if m.Address == "" || m.Model == "" {
		f.at(n, "%s needs address, such as https://api.example.com/v1, and model", what)
	}
	if keys > 1 {
		f.at(n, "%s has key and key_file, of which one is enough", what)
	}
}

// secretFile reads a secret from a file of its own. Nothing of it is repeated.
func (f *configFile) secretFile(what string, n ast.Node, to *string) {
	path := ""
	if f.path(what, &path)(n); path == "" {
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		f.at(n, "%s: %s cannot be read", what, filepath.Base(path))
		return
	}
	*to = strings.TrimSpace(string(text))
}

// asks adds to the parts of a service what its questions may be told.
func (c QuestionsConfig) asks(d service.Deps) service.Deps {
	d.Sessions = service.SessionLimits{Number: c.Sessions, Age: c.SessionAge}
	d.IndexBytes = c.Index
	if m := c.LanguageModel; m.Address != "" {
		d.Translator = translate.New(translate.Options{
			Address: m.Address, Model: m.Model, Key: m.Key, Timeout: m.Timeout, Calls: m.Calls, Tokens: m.Tokens, Values: m.Values,
		})
	}
	return d
}
