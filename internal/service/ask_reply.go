package service

import (
	"math"

	"parlance/internal/chart"
	"parlance/internal/question"
)

// AskRequest is a question in plain words, with what the caller says about it.
type AskRequest struct {
	Text    string
	Session string // the conversation that it goes on with; "" begins one
	Hints   AskHints
	Format  AskFormat // "": AskJSON
}

// AskHints are the caller's leanings. They decide what the words leave open and never overrule the words.
type AskHints struct {
	PreferModel  string
	PreferFields []string
	TimeRange    *AskRange // of a question that names no period; nil: none
}

// AskRange is a stretch of whole days, such as 2024-01-31, both included; "" leaves an end open.
type AskRange struct{ From, To string }

// AskFormat is how much of an answer is sent.
type AskFormat string

// The formats.
const (
	AskJSON    AskFormat = "json"    // rows as objects, and a chart
	AskTable   AskFormat = "table"   // a Markdown table in the place of rows, and a chart
	AskSummary AskFormat = "summary" // words only
)

// AskReply is the answer of dataset_nl.query (decision 25). Type is result, clarify or error.
type AskReply struct {
	Type         string       `json:"type"`
	Question     string       `json:"question"`
	Understood   string       `json:"understood,omitempty"`
	Model        string       `json:"model,omitempty"`
	Payload      Raw          `json:"payload,omitempty"`
	Items        Raw          `json:"items,omitempty"`
	Table        string       `json:"table,omitempty"`
	Total        *int64       `json:"total,omitempty"`
	Truncated    bool         `json:"truncated,omitempty"` // not every row that the question asks for is here
	Summary      string       `json:"summary,omitempty"`
	Chart        *chart.Chart `json:"chart,omitempty"`
	Confidence   *float64     `json:"confidence,omitempty"`    // from 0 to 1
	TranslatedBy string       `json:"translated_by,omitempty"` // set where the reader of this program did not understand
	Alternatives []Choice     `json:"alternatives,omitempty"`  // what else the question may mean
	Message      string       `json:"message,omitempty"`       // why it is asked back, or cannot be answered
	Choices      []Choice     `json:"choices,omitempty"`
	Warnings     []string     `json:"warnings,omitempty"`
	Session      string       `json:"session_id,omitempty"`

	Picture chart.Table `json:"-"` // what the chart shows
	Chinese bool        `json:"-"` // the question is
}

// Choice is one reading of an unclear question.
type Choice struct {
	Text    string `json:"text"`
	Model   string `json:"model"`
	Payload Raw    `json:"payload"`
}

func choicesOf(proposals []question.Proposal) []Choice {
	var all []Choice
	for _, p := range proposals {
		all = append(all, Choice{Text: p.Text, Model: p.Model, Payload: p.Query.JSON()})
	}
	return all
}

// hundredths rounds a confidence.
func hundredths(v float64) *float64 {
	v = math.Round(v*100) / 100
	return &v
}
