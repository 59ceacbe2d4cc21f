package mcp

import (
	"bytes"
	"encoding/json"
	"strings"

	"parlance/internal/query"
	"parlance/internal/transport/jsonrpc"
)

const noArguments = `{"type":"object","properties":{},"additionalProperties":false}`

const listSchema = `{
	"type": "object",
	"properties": {
		"search": {"type": "string", "description": "Words of the question; the most relevant models come first.", "examples": ["returns by store"]},
		"limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 50},
		"start": {"type": "integer", "minimum": 0, "default": 0}
	},
	"additionalProperties": false
}`

const describeSchema = `{
	"type": "object",
	"properties": {
		"model": {"type": "string", "description": "Name of a model, from {list}.", "examples": ["FactSalesQueryModel"]},
		"format": {"type": "string", "enum": ["json", "markdown"], "default": "json"}
	},
	"required": ["model"],
	"additionalProperties": false
}`

const valuesSchema = `{
	"type": "object",
	"properties": {
		"model": {"type": "string", "description": "Name of a model, from {list}.", "examples": ["FactSalesQueryModel"]},
		"field": {"type": "string", "description": "Name of a field that is no measure, from {describe}.", "examples": ["product$brand"]},
		"slice": {"type": "array", "items": {"type": "object"}, "description": "Filters on rows, as in {query}.", "examples": [[{"field": "customer$province", "op": "=", "value": "Guangdong"}]]},
		"search": {"type": "string", "description": "A part of the value, or of the label of its code; case does not matter.", "examples": ["aur"]},
		"limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
		"start": {"type": "integer", "minimum": 0, "default": 0}
	},
	"required": ["model", "field"],
	"additionalProperties": false
}`

const askSchema = `{
	"type": "object",
	"properties": {
		"query": {"type": "string", "minLength": 1, "description": "The question in plain words, or in a session what changes: and by month? only VIP.", "examples": ["sales amount by month in 2024"]},
		"session_id": {"type": "string", "description": "From an earlier answer, to go on from it."},
		"hints": {"type": "object", "description": "What to prefer where the words leave it open.", "properties": {"prefer_model": {"type": "string"}, "prefer_fields": {"type": "array", "items": {"type": "string"}}, "time_range": {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"from": {"type": "string"}, "to": {"type": "string"}}, "additionalProperties": false}], "description": "For questions that name no period: 2024, 2024-Q1, 2024-03, or its first and last day.", "examples": ["2024-Q1", {"from": "2024-01-01", "to": "2024-03-31"}]}}, "additionalProperties": false},
		"format": {"type": "string", "enum": ["json", "table", "summary"], "default": "json", "description": "Rows and chart; a Markdown table and chart; words only."}
	},
	"required": ["query"],
	"additionalProperties": false
}`

// payloadKeys are the keys of a payload, in the order of the schema.
var payloadKeys = []string{
	"columns", "exColumns", "slice", "groupBy", "having", "orderBy", "calculatedFields", "returnTotal", "distinct",
	"withSubtotals", "topN", "timeWindow", "limit", "start", "page", "pageSize", "format",
}

// querySchema returns the schema of dataset.query_model. SQL_ARGUMENT stands where an argument of admin's may follow.
func querySchema() string {
	var operators []byte
	for i, word := range query.OpWords {
		if i > 0 {
			operators = append(operators, ',')
		}
		operators = jsonrpc.AppendString(operators, word)
	}
	condition := strings.NewReplacer("OPERATORS", string(operators), "SCALARS", scalars).Replace(conditionSchema)
	return strings.Replace(queryTemplate, "CONDITION", condition, 1)
}

// scalars are the kinds of single values. A place that takes several kinds lists them by anyOf: model providers refuse
// schemas without a type, or with a list of types.
const scalars = `{"type": "string"}, {"type": "number"}, {"type": "boolean"}, {"type": "null"}`

const conditionSchema = `{
	"type": "object",
	"properties": {
		"field": {"type": "string", "description": "A field, or an alias or aggregate to filter groups.", "examples": ["orderStatus", "customer$province"]},
		"op": {"type": "string", "enum": [OPERATORS]},
		"value": {"anyOf": [SCALARS, {"type": "array", "items": {"anyOf": [SCALARS]}}, {"type": "object"}], "description": "A value; a list for in and not in; [from, to] for [] [) (] (); none for is null. Dates: 2024-03-05, 2024-01, 2024-Q1, last month.", "examples": ["COMPLETED", ["PAID", "SHIPPED"], ["2024-01-01", "2024-07-01"]]},
		"maxDepth": {"type": "integer", "minimum": 0, "description": "Levels of a hierarchy that childrenOf and its kin walk."},
		"$or": {"type": "array", "items": {"type": "object"}, "description": "Conditions of which one must hold."},
		"$and": {"type": "array", "items": {"type": "object"}},
		"$not": {"anyOf": [{"type": "object"}, {"type": "array", "items": {"type": "object"}}], "description": "A condition, or a list of them, that must not hold."},
		"$expr": {"type": "string", "examples": ["salesAmount > costAmount * 1.2"]}
	}
}`

const queryTemplate = `{
	"type": "object",
	"properties": {
		"model": {"type": "string", "description": "Name of a model, from {list}.", "examples": ["FactSalesQueryModel"]},
		"payload": {
			"type": "object",
			"description": "The query. Names come from {describe}.",
			"properties": {
				"columns": {"type": "array", "items": {"type": "string"}, "description": "Fields, dimension$attribute, or aggregates with an alias. Absent: all fields.", "examples": [["customer$caption", "sum(salesAmount) as sales"]]},
				"exColumns": {"type": "array", "items": {"type": "string"}, "description": "Columns to leave out."},
				"slice": {"type": "array", "items": CONDITION, "description": "Filters on rows, before grouping; all must hold."},
				"groupBy": {"type": "array", "items": {"anyOf": [{"type": "object", "properties": {"field": {"type": "string"}, "agg": {"type": "string", "description": "Of a measure: another aggregation than its own."}}, "required": ["field"]}, {"type": "string"}]}, "description": "The fields of which each combination is one row.", "examples": [[{"field": "customer$province"}]]},
				"having": {"type": "array", "items": {"type": "object"}, "description": "Filters on groups, as in slice.", "examples": [[{"field": "salesAmount", "op": ">", "value": 1000}]]},
				"orderBy": {"type": "array", "items": {"anyOf": [{"type": "object", "properties": {"field": {"type": "string"}, "dir": {"type": "string", "enum": ["ASC", "DESC"]}}, "required": ["field"]}, {"type": "string"}]}, "description": "Fields or aliases.", "examples": [[{"field": "sales", "dir": "DESC"}]]},
				"calculatedFields": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}, "expression": {"type": "string"}, "agg": {"type": "string"}}, "required": ["name", "expression"]}, "description": "New fields, to be named in columns and any other clause.", "examples": [[{"name": "margin", "expression": "sum(profitAmount) / sum(salesAmount)"}]]},
				"returnTotal": {"type": "boolean", "description": "Adds totalData: the measures over all matching rows."},
				"distinct": {"type": "boolean", "description": "Each different row once."},
				"withSubtotals": {"type": "boolean", "description": "Adds rows for each prefix of groupBy and for all, told by _rowType."},
				"topN": {"type": "object", "description": "The n groups with the largest by; others adds one row for the rest.", "properties": {"by": {"anyOf": [{"type": "string"}, {"type": "object"}]}, "n": {"type": "integer", "minimum": 1}, "others": {"type": "boolean"}}, "required": ["by", "n"], "additionalProperties": false, "examples": [{"by": "salesAmount", "n": 5, "others": true}]},
				"timeWindow": {"type": "object", "description": "Measures by period beside another time: adds m__prior, m__diff, m__ratio or m__ytd ….", "properties": {"field": {"type": "string"}, "grain": {"type": "string", "enum": ["day", "week", "month", "quarter", "year"]}, "comparison": {"type": "string", "enum": ["yoy", "mom", "wow", "ytd", "mtd", "rolling_7d", "rolling_30d", "rolling_90d"]}, "range": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}], "description": "A period such as 2024 or last month, or [first day, last day]."}, "targetMetrics": {"type": "array", "items": {"type": "string"}}}, "required": ["field", "grain", "comparison", "range"], "additionalProperties": false, "examples": [{"field": "salesDate$caption", "grain": "month", "comparison": "yoy", "range": "2024"}]},
				"limit": {"type": "integer", "minimum": 0, "default": 100, "description": "The most rows; 0: totals alone."},
				"start": {"type": "integer", "minimum": 0, "default": 0, "description": "Rows to pass over, from next."},
				"page": {"type": "integer", "minimum": 1, "description": "In the place of start, with pageSize."},
				"pageSize": {"type": "integer", "minimum": 0},
				"format": {"type": "string", "enum": ["rows", "compact"], "description": "Rows as objects, or as arrays at half the tokens."}
			},
			"additionalProperties": false
		},
		"mode": {"type": "string", "enum": ["execute", "validate"], "default": "execute", "description": "validate checks the query and runs nothing."}SQL_ARGUMENT
	},
	"required": ["model", "payload"],
	"additionalProperties": false
}`

const explainSchema = `{
	"type": "object",
	"properties": {
		"model": {"type": "string", "description": "Name of a model, from {list}.", "examples": ["FactSalesQueryModel"]},
		"payload": {"type": "object", "description": "The query, as {query} takes it."},
		"mode": {"type": "string", "enum": ["execute", "validate"], "default": "execute"}SQL_ARGUMENT
	},
	"required": ["model", "payload"],
	"additionalProperties": false
}`

const sqlArgument = `, "showSql": {"type": "boolean", "description": "Adds sql: the statements that ran."}`

const annotations = `{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}`

// appendToolList appends the result of tools/list: every tool, in order, on one page (decision 15).
func appendToolList(dst []byte, offered []*tool, names naming, admin bool) []byte {
	sql := ""
	if admin {
		sql = sqlArgument
	}
	dst = append(dst, `{"tools":[`...)
	for i, t := range offered {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '{')
		dst = appendField(dst, "name", names.of(t.name))
		dst = appendField(dst, "title", t.title)
		dst = appendField(dst, "description", names.in(t.description))
		dst = append(appendKey(dst, "inputSchema"), compacted(names.in(strings.ReplaceAll(t.schema, "SQL_ARGUMENT", sql)))...)
		dst = append(appendKey(dst, "annotations"), annotations...)
		dst = append(dst, '}')
	}
	return append(dst, "]}"...)
}

// compacted returns JSON without its white space. The text is ours, so what is no JSON is a mistake of the program.
func compacted(text string) []byte {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		panic("schema of a tool: " + err.Error())
	}
	return b.Bytes()
}
