package mcp

import (
	"context"
	"slices"
	"strings"

	"parlance/internal/jsontree"
)

// tool is one row of the tool table. Its texts may name tools in braces; naming fills them in.
type tool struct {
	name        string // the contract's, dotted
	title       string // for people
	roles       []Role
	listing     bool // lists models; a setting may leave it out
	args        []argument
	description string
	schema      string // of the arguments, JSON
	run         func(in *invocation, ctx context.Context) ([]byte, error)
}

var (
	dataRoles = []Role{Admin, Analyst}
	askRoles  = []Role{Admin, Business}
)

var modelArgument = argument{name: "model", kind: jsontree.String, required: true, hint: "{list} lists the names of the models."}

// queryArguments are those of a query, whether it is run or explained.
var queryArguments = []argument{
	modelArgument,
	{name: "payload", kind: jsontree.Object, required: true, hint: `It is the query, for example {"columns":["…"],"limit":10}; {describe} shows the fields of a model.`},
	{name: "mode", kind: jsontree.String},
	{name: "showSql", kind: jsontree.Bool, admin: true},
}

// table returns every tool in the order of tools/list (decision 15).
func table() []*tool {
	return []*tool{
		{
			name: "dataset.get_metadata", title: "All fields of all models", roles: dataRoles, listing: true,
			description: metadataDescription, schema: noArguments, run: (*invocation).metadata,
		},
		{
			name: "dataset.list_models", title: "List models", roles: dataRoles, listing: true,
			args:        []argument{{name: "search", kind: jsontree.String}, {name: "limit", kind: jsontree.Number}, {name: "start", kind: jsontree.Number}},
			description: listDescription, schema: listSchema, run: (*invocation).listModels,
		},
		{
			name: "dataset.describe_model_internal", title: "Describe a model", roles: dataRoles,
			args:        []argument{modelArgument, {name: "format", kind: jsontree.String}},
			description: describeDescription, schema: describeSchema, run: (*invocation).describeModel,
		},
		{
			name: "dataset.query_model", title: "Query a model", roles: dataRoles, args: queryArguments,
			description: queryDescription, schema: querySchema(), run: (*invocation).queryModel,
		},
		{
			name: "dataset_nl.query", title: "Ask in plain words", roles: askRoles,
			args: []argument{
				{name: "query", kind: jsontree.String, required: true, hint: "It is the question in plain words, for example: sales amount by month in 2024."},
				{name: "session_id", kind: jsontree.String}, {name: "hints", kind: jsontree.Object}, {name: "format", kind: jsontree.String},
			},
			description: askDescription, schema: askSchema, run: (*invocation).ask,
		},
		{
			name: "dataset.field_values", title: "Values of a field", roles: dataRoles,
			args: []argument{
				modelArgument,
				{name: "field", kind: jsontree.String, required: true, hint: "It is the name of a field, such as customer$caption; {describe} shows the fields of a model."},
				{name: "slice", kind: jsontree.Array},
				{name: "search", kind: jsontree.String}, {name: "limit", kind: jsontree.Number}, {name: "start", kind: jsontree.Number},
			},
			description: valuesDescription, schema: valuesSchema, run: (*invocation).fieldValues,
		},
		{
			name: "dataset.explain_query", title: "Explain a query", roles: dataRoles, args: queryArguments,
			description: explainDescription, schema: explainSchema, run: (*invocation).explainQuery,
		},
	}
}

func offeredTools(role Role, leaveOut []string) []*tool {
	return slices.DeleteFunc(table(), func(t *tool) bool {
		left := slices.Contains(leaveOut, t.name) || slices.Contains(leaveOut, underscored(t.name))
		return !slices.Contains(t.roles, role) || t.listing && left
	})
}

// payload reports whether key is one of the payload's, and the tool takes a payload.
func (t *tool) payload(key string) bool {
	return slices.Contains(payloadKeys, key) && slices.ContainsFunc(t.args, func(a argument) bool { return a.name == "payload" })
}

func underscored(name string) string { return strings.ReplaceAll(name, ".", "_") }

// naming fills the tools' names into texts, as this endpoint spells them.
type naming struct {
	style   Style
	replace *strings.Replacer
}

func newNaming(style Style, offered []*tool) naming {
	n := naming{style: style}
	spelt := map[string]string{}
	all := make([]string, len(offered))
	for i, t := range offered {
		all[i] = n.of(t.name)
		spelt[t.name] = all[i]
	}
	list, metadata := spelt["dataset.list_models"], spelt["dataset.get_metadata"]
	n.replace = strings.NewReplacer(
		"{list}", firstOf(list, metadata, "The owner of this service"),
		"{metadata}", firstOf(metadata, list, "The owner of this service"),
		"{describe}", spelt["dataset.describe_model_internal"],
		"{query}", spelt["dataset.query_model"],
		"{ask}", spelt["dataset_nl.query"],
		"{values}", spelt["dataset.field_values"],
		"{explain}", spelt["dataset.explain_query"],
		"{tools}", "The tools are "+strings.Join(all, ", ")+".",
	)
	return n
}

func firstOf(words ...string) string {
	return words[slices.IndexFunc(words, func(w string) bool { return w != "" })]
}

// of returns a tool's name as listings spell it.
func (n naming) of(name string) string {
	if n.style == Underscored {
		return underscored(name)
	}
	return name
}

// in returns a text with the names filled in.
func (n naming) in(text string) string { return n.replace.Replace(text) }
