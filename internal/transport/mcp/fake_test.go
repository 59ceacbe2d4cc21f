package mcp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"parlance/internal/compile"
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/result"
	"parlance/internal/service"
	"parlance/internal/value"
)

// fake is a service of fixed answers; what it was last asked can be looked at.
type fake struct {
	answer  *service.Answer // of Query; nil: two orders
	caller  service.Caller
	options service.QueryOptions
	listed  service.ListOptions
	values  service.ValuesRequest
	query   *query.Query
	asked   service.AskRequest
}

func (f *fake) ListModels(_ context.Context, c service.Caller, o service.ListOptions) (*service.ModelList, error) {
	f.caller, f.listed = c, o
	switch c.Namespace {
	case "":
		return &service.ModelList{Namespace: "default", Models: []service.ModelCard{
			{Name: "Orders", Caption: "Orders", Description: "One row per order, <all> & \"only\".", Measures: 2, Dimensions: 1,
				TimeRange: &service.TimeRange{Field: "orderDate", From: "2022-01-01", To: "2024-12-31"}},
		}}, nil
	case "empty":
		return &service.ModelList{Namespace: "empty"}, nil
	}
	return nil, &fault.Error{Kind: fault.NotFound, Reason: "unknown_namespace", Message: "Unknown namespace \"" + c.Namespace + "\""}
}

func (f *fake) Metadata(_ context.Context, c service.Caller) (*service.Metadata, error) {
	f.caller = c
	if c.Namespace == "empty" {
		return &service.Metadata{Namespace: "empty"}, nil
	}
	return &service.Metadata{
		Namespace:    "default",
		Models:       []service.ModelFields{{Name: "Orders", Caption: "Orders", Description: "One row per order.", Fields: []string{"orderId", "amount"}}},
		FieldIndex:   map[string]service.FieldCard{"amount": {Kind: "MEASURE", DataType: "money", Caption: "Amount", Models: []string{"Orders"}}},
		Dictionaries: map[string][]service.DictionaryEntry{"status": {{Code: "PAID", Label: "Paid"}}},
	}, nil
}

func (f *fake) DescribeModel(_ context.Context, c service.Caller, model string) (*service.Description, error) {
	f.caller = c
	switch model {
	case "Orders":
		return &service.Description{
			Model: "Orders", Caption: "Orders", Description: "One row per order.", Namespace: "default",
			Key: []string{"orderId"}, DefaultOrder: []string{"-orderDate"},
			Fields: []service.FieldDescription{
				{Name: "status", Kind: "ATTRIBUTE", DataType: "string", Caption: "Status | state", Dictionary: "status"},
				{Name: "amount", Kind: "MEASURE", DataType: "money", Caption: "Amount", Aggregation: "sum", Additivity: "additive", Synonyms: []string{"revenue", "销售额"}},
			},
			Dictionaries: map[string][]service.DictionaryEntry{"status": {{Code: "PAID", Label: "Paid"}, {Code: "NEW", Label: "New"}}},
			Hierarchies:  []service.HierarchyDescription{{Dimension: "team", Field: "team$id"}},
			TimeRange:    &service.TimeRange{Field: "orderDate", From: "2022-01-01", To: "2024-12-31"},
			SampleValues: map[string][]string{"status": {"PAID", "NEW"}},
			Examples:     []service.Example{{Question: "Amount by status", Payload: service.Raw(`{"columns":["status","amount"],"groupBy":["status"]}`)}},
		}, nil
	case "Bare":
		return &service.Description{Model: "Bare", Namespace: "default"}, nil
	}
	return nil, unknownModel(model)
}

func (f *fake) FieldValues(_ context.Context, c service.Caller, r service.ValuesRequest) (*service.FieldValues, error) {
	f.caller, f.values = c, r
	if r.Model != "Orders" {
		return nil, unknownModel(r.Model)
	}
	found := &service.FieldValues{Model: r.Model, Field: r.Field, Caption: "Status", DataType: "string", Values: []service.FieldValue{}}
	if r.Search == "" {
		n := int64(3)
		found.Values, found.Total = append(found.Values, service.FieldValue{Value: service.Raw(`"PAID"`), Label: "<Paid>", Count: &n}, service.FieldValue{Value: service.Raw("null")}), 2
	}
	if r.Field == "amount" {
		found.Values, found.Range, found.Total = nil, &service.ValueRange{Min: service.Raw("1.50"), Max: service.Raw("20")}, 40
	}
	return found, nil
}

func (f *fake) Explain(_ context.Context, c service.Caller, model string, q *query.Query, o service.ExplainOptions) (*service.Explanation, error) {
	f.caller, f.query = c, q
	switch model {
	case "Orders":
		e := &service.Explanation{Model: model, Summary: "Orders: <all>.", Limit: fmt.Sprintf("at most %d rows", o.DefaultRows)}
		if o.Statements {
			e.Statements = []service.StatementReport{{Purpose: "page", SQL: "SELECT 1"}}
		}
		if rows := int64(3); o.Run {
			e.Statements[0].Rows = &rows
		}
		return e, nil
	case "BadField":
		return nil, &fault.Error{Kind: fault.Invalid, Reason: "unknown_field", Message: "Unknown field", Path: "columns[0]"}
	}
	return nil, unknownModel(model)
}

func unknownModel(model string) error {
	return &fault.Error{Kind: fault.NotFound, Reason: "unknown_model", Message: fmt.Sprintf("Unknown model %q", model), Got: model, Closest: []string{"Orders"}}
}

// Query fails in the way that the model's name asks for.
func (f *fake) Query(ctx context.Context, c service.Caller, model string, q *query.Query, o service.QueryOptions) (*service.Answer, error) {
	f.caller, f.options, f.query = c, o, q
	switch model {
	case "Orders":
		return f.orders(o), nil
	case "BadField":
		return nil, &fault.Error{Kind: fault.Invalid, Reason: "unknown_field", Message: "Unknown field \"amont\"", Path: "columns[0]",
			Got: "amont", Allowed: []string{"orderId", "amount"}, Closest: []string{"amount"}, Hint: "describe lists the fields."}
	case "Forbidden":
		return nil, &fault.Error{Kind: fault.Forbidden, Reason: "forbidden_field", Message: "No permission for \"cost\"", Path: "slice[0].field"}
	case "Refused":
		return nil, &fault.Error{Kind: fault.Unauthorized, Reason: "unauthorized", Message: "Credentials are refused"}
	case "Busy":
		return nil, &fault.Error{Kind: fault.Unavailable, Reason: "overloaded", Message: "Too many queries are waiting"}
	case "Slow":
		return nil, &fault.Error{Kind: fault.Invalid, Reason: "timeout", Message: "The query took longer than 30 s", Retryable: true}
	case "Broken":
		return nil, fault.Internalf(errors.New("secret driver text"), "The database failed")
	case "Plain":
		return nil, errors.New("secret plain text")
	case "Gone":
		return nil, context.Cause(ctx)
	case "Panic":
		panic("secret panic text")
	}
	return nil, unknownModel(model)
}

func (f *fake) orders(o service.QueryOptions) *service.Answer {
	if f.answer != nil {
		return f.answer
	}
	a := &service.Answer{
		Items: []byte(`[{"orderId":"a\"1","amount":10.50},{"orderId":"b","amount":null}]`),
		Columns: []result.Column{
			{Key: "orderId", Type: value.Type{Kind: value.String}, Caption: "Order \"number\""},
			{Key: "amount", Type: value.Type{Kind: value.Decimal, Scale: 2, Style: value.Money}, Caption: "Amount", Measure: true},
		},
		Total: 2, Limit: o.DefaultRows, LimitSource: compile.LimitDefault, Returned: 2,
		Applied: service.Applied{Applied: compile.Applied{Mode: "grouped", GroupBy: []string{"orderId"}}},
	}
	if o.Layout == result.Compact {
		a.Items = []byte(`[["a\"1",10.50],["b",null]]`)
	}
	if f.query.ReturnTotal {
		a.TotalData = []byte(`{"total":2,"amount":10.50}`)
	}
	if o.ShowSQL {
		a.SQL = []string{"SELECT \"x\"", "SELECT count(*)"}
	}
	if o.Validate {
		a.Items, a.Total, a.Returned = []byte("[]"), 0, 0
	}
	return a
}

func (f *fake) Ask(_ context.Context, c service.Caller, r service.AskRequest) (*service.AskReply, error) {
	question := r.Text
	f.caller, f.asked = c, r
	if strings.Contains(question, "?") {
		return &service.AskReply{Type: "clarify", Question: question, Message: "Which amount?",
			Choices: []service.Choice{{Text: "Amount", Model: "Orders", Payload: service.Raw(`{"columns":["amount"]}`)}}}, nil
	}
	total := int64(12)
	return &service.AskReply{Type: "result", Question: question, Understood: "Amount", Model: "Orders",
		Payload: service.Raw(`{"columns":["amount"]}`), Items: service.Raw(`[{"amount":1},{"amount":2}]`), Total: &total, Summary: "a < b"}, nil
}

// endpoint makes an endpoint by the name that the golden files use: a role, with _ behind it for the second mount.
func endpoint(name string, s Service, log *slog.Logger) *Handler {
	role, mount := strings.CutSuffix(name, "_")
	o := Options{Role: Role(role), Service: s, Version: "test", Log: log}
	if mount {
		o.Style = Underscored
	}
	return New(o)
}
