package contract

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
)

// mistake is one way to break a right call. It returns false where the call has nothing to break so.
type mistake struct {
	name   string
	breaks func(call arguments, w *vocabulary, r *rand.Rand) (arguments, bool)
}

// vocabulary is what describe tells of the models: their fields' captions and dictionaries.
type vocabulary struct {
	client *toolClient
	models map[string]map[string]any
}

func newWords(c *toolClient) *vocabulary {
	return &vocabulary{client: c, models: map[string]map[string]any{}}
}

func (w *vocabulary) describe(model string) map[string]any {
	if w.models[model] == nil {
		w.models[model] = w.client.call("dataset.describe_model_internal", map[string]any{"model": model}).text
	}
	return w.models[model]
}

func (w *vocabulary) fields(model string) []map[string]any {
	var fields []map[string]any
	list, _ := w.describe(model)["fields"].([]any)
	for _, f := range list {
		fields = append(fields, f.(map[string]any))
	}
	return fields
}

func (w *vocabulary) field(model, name string) map[string]any {
	for _, f := range w.fields(model) {
		if f["name"] == name {
			return f
		}
	}
	return nil
}

// callers counts the fields that answer to a word: by name, by the last part of it, by caption or by synonym.
func (w *vocabulary) callers(model, word string) int {
	n := 0
	for _, f := range w.fields(model) {
		name := f["name"].(string)
		all := []string{name, name[strings.LastIndexByte(name, '$')+1:], f["caption"].(string)}
		synonyms, _ := f["synonyms"].([]any)
		for _, s := range synonyms {
			all = append(all, s.(string))
		}
		for _, other := range all {
			if squeeze(other) == squeeze(word) {
				n++
				break
			}
		}
	}
	return n
}

func squeeze(s string) string {
	return strings.NewReplacer(" ", "", "_", "", "$", "", ".", "").Replace(strings.ToLower(s))
}

// label returns the label of a code of a field's dictionary, where it is another word.
func (w *vocabulary) label(model, field, code string) string {
	f := w.field(model, field)
	if f == nil || f["dictionary"] == nil {
		return ""
	}
	dictionaries, _ := w.describe(model)["dictionaries"].(map[string]any)
	entries, _ := dictionaries[f["dictionary"].(string)].([]any)
	for _, e := range entries {
		if entry := e.(map[string]any); entry["code"] == code && entry["label"] != nil && entry["label"] != code {
			return entry["label"].(string)
		}
	}
	return ""
}

// mistakes are the kinds of the repair loop.
var mistakes = []mistake{
	{"key misspelt", misspelt},
	{"key in snake case", renames(map[string][]string{"groupBy": {"group_by"}, "orderBy": {"order_by"}, "returnTotal": {"return_total"}})},
	{"key of another language", renames(map[string][]string{
		"slice": {"where", "filters", "filter", "conditions"}, "columns": {"select", "fields"}, "orderBy": {"sort", "sortBy"}, "limit": {"top", "maxRows"},
	})},
	{"clause beside the payload", besidePayload},
	{"no payload around the clauses", noPayload},
	{"payload in a key of its own", wrappedPayload},
	{"payload as a string, misspelt", quotedPayload},
	{"clause as a string of JSON", quotedClause},
	{"columns as one text", columnsText},
	{"columns as objects", columnObjects},
	{"columns and groups as one value", singleValues},
	{"dimensions and measures", dimensionsAndMeasures},
	{"operator in words", operatorWords},
	{"operators as keys", operatorKeys},
	{"interval as an object", intervalObject},
	{"interval as keys", intervalKeys},
	{"interval as a text", intervalText},
	{"a list for one value", listForValue},
	{"condition keys of others", conditionKeys},
	{"condition in words", conditionText},
	{"condition as a list", conditionList},
	{"conditions in a logic object", logicObject},
	{"bare dimension", bareDimension},
	{"name in snake case", fieldChange(func(_ *vocabulary, _, name string, _ *rand.Rand) string { return snake(name) })},
	{"name with a slip", fieldChange(slipped)},
	{"caption for a name", fieldChange(captioned)},
	{"attribute without its dimension", fieldChange(attributeAlone)},
	{"label for a code", labelForCode},
	{"measure as a group", measureAsGroup},
	{"aggregate as a group", aggregateAsGroup},
	{"row filter in having", filterInHaving},
	{"date in another form", dateForm},
	{"limit as a text", limitText},
	{"flag as a text", flagText},
	{"limit too large", limitTooLarge},
	{"direction in words", directionWords},
	{"order as a map", orderMap},
	{"function of another language", functionWords},
	{"alias without as", aliasChange(func(e, a string) string { return e + " " + a })},
	{"alias in quotes", aliasChange(func(e, a string) string { return e + " as '" + a + "'" })},
	{"alias that is taken", aliasTaken},
	{"model misspelt", modelChange(func(name string) string { return strings.Replace(name, "Query", "Qurey", 1) })},
	{"model cut short", modelChange(func(name string) string { return strings.TrimSuffix(name, "QueryModel") })},
	{"model in a list", modelList},
	{"model under another key", modelKey},
	{"wildcards in like", wildcards},
	{"two mistakes", twoMistakes},
}

var misspelt = renames(map[string][]string{
	"columns": {"colums", "coloumns", "column"}, "groupBy": {"gruopBy", "groupby", "GroupBy"}, "orderBy": {"oderBy", "orderby"}, "slice": {"slcie", "Slice"}, "limit": {"limt", "Limit"},
})

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func renames(words map[string][]string) func(arguments, *vocabulary, *rand.Rand) (arguments, bool) {
	return func(call arguments, _ *vocabulary, r *rand.Rand) (arguments, bool) {
		var there []string
		for _, key := range []string{"columns", "groupBy", "orderBy", "slice", "limit", "returnTotal"} {
			if call.payload()[key] != nil && words[key] != nil {
				there = append(there, key)
			}
		}
		if len(there) == 0 {
			return nil, false
		}
		key := pick(r, there)
		call.payload()[pick(r, words[key])] = call.payload()[key]
		delete(call.payload(), key)
		return call, true
	}
}

func besidePayload(call arguments, _ *vocabulary, r *rand.Rand) (arguments, bool) {
	key := pick(r, []string{"slice", "limit", "orderBy", "groupBy"})
	value := call.payload()[key]
	delete(call.payload(), key)
	call[key] = value
	return call, value != nil
}

func noPayload(call arguments, _ *vocabulary, _ *rand.Rand) (arguments, bool) {
	for key, value := range call.payload() {
		call[key] = value
	}
	delete(call, "payload")
	return call, true
}

func wrappedPayload(call arguments, _ *vocabulary, r *rand.Rand) (arguments, bool) {
	call["payload"] = map[string]any{pick(r, []string{"query", "param", "payload"}): call["payload"]}
	return call, true
}

func quotedPayload(call arguments, w *vocabulary, r *rand.Rand) (arguments, bool) {
	broken, ok := misspelt(call, w, r)
	if !ok {
		return nil, false
	}
	broken["payload"] = marshalled(broken["payload"])
	return broken, true
}

func quotedClause(call arguments, _ *vocabulary, r *rand.Rand) (arguments, bool) {
	key := pick(r, []string{"slice", "columns", "groupBy"})
	value := call.payload()[key]
	call.payload()[key] = marshalled(value)
	return call, value != nil
}

func columnsText(call arguments, _ *vocabulary, _ *rand.Rand) (arguments, bool) {
	var texts []string
	for _, c := range call.list("columns") {
		texts = append(texts, c.(string))
	}
	call.payload()["columns"] = strings.Join(texts, ", ")
	return call, len(texts) > 1
}

var aggregate = regexp.MustCompile(`^(\w+)\(([^()]+)\)(?: as (\w+))?$`)

func columnObjects(call arguments, _ *vocabulary, r *rand.Rand) (arguments, bool) {
	columns := call.list("columns")
	for i, c := range columns {
		m := aggregate.FindStringSubmatch(c.(string))
		switch {
		case m != nil && m[3] != "":
			columns[i] = map[string]any{"field": m[2], pick(r, []string{"agg", "aggregation", "function"}): strings.ToUpper(m[1]), pick(r, []string{"alias", "as"}): m[3]}
		case m != nil:
			columns[i] = map[string]any{"field": m[2], "agg": m[1]}
		case !strings.ContainsAny(c.(string), " ("):
			columns[i] = map[string]any{pick(r, []string{"field", "name", "column"}): c}
		default:
			return nil, false
		}
	}
	return call, len(columns) > 0
}

func singleValues(call arguments, _ *vocabulary, r *rand.Rand) (arguments, bool) {
	key := pick(r, []string{"groupBy", "slice", "columns"})
	list := call.list(key)
	if len(list) != 1 {
		return nil, false
	}
	call.payload()[key] = list[0]
	return call, true
}

func dimensionsAndMeasures(call arguments, w *vocabulary, _ *rand.Rand) (arguments, bool) {
	var dimensions, measures []any
	for i, c := range call.list("columns") {
		f := w.field(call["model"].(string), c.(string))
		switch {
		case f == nil || f["kind"] == "MEASURE":
			measures = append(measures, c)
		case len(measures) > 0 || i >= len(call.list("groupBy")) || call.list("groupBy")[i] != c:
			return nil, false
		default:
			dimensions = append(dimensions, c)
		}
	}
	delete(call.payload(), "columns")
	delete(call.payload(), "groupBy")
	call.payload()["dimensions"], call.payload()["measures"] = dimensions, measures
	return call, len(dimensions) > 0 && len(measures) > 0
}

// conditions are the plain conditions of slice.
func (a arguments) conditions() []map[string]any {
	var list []map[string]any
	for _, c := range a.list("slice") {
		if m, ok := c.(map[string]any); ok && m["field"] != nil {
			list = append(list, m)
		}
	}
	return list
}

// eachCondition breaks every condition that change breaks; the call is broken where one is.
func eachCondition(call arguments, change func(c map[string]any) bool) (arguments, bool) {
	broken := false
	for _, c := range call.conditions() {
		broken = change(c) || broken
	}
	return call, broken
}

var inWords = map[string][]string{
	"=": {"equals", "equal", "is", "EQUAL_TO", "$eq"}, "!=": {"not_equal", "notEquals", "is not"}, ">": {"greater_than", "gt ", "above", "greaterThan"},
	">=": {"greater_than_or_equal", "at least", "gte "}, "<": {"less_than", "below"}, "<=": {"less_than_or_equal_to", "atMost"},
	"in": {"any_of", "is one of", "IN_LIST"}, "not in": {"none of", "not_in_list"}, "like": {"includes", "ILIKE", "contain"}, "[]": {"is between", "betweeen"},
}

func operatorWords(call arguments, _ *vocabulary, r *rand.Rand) (arguments, bool) {
	return eachCondition(call, func(c map[string]any) bool {
		words := inWords[c["op"].(string)]
		if words == nil {
			return false
		}
		c["op"] = pick(r, words)
		return strings.TrimSpace(c["op"].(string)) != "gt" && strings.TrimSpace(c["op"].(string)) != "gte"
	})
}

func operatorKeys(call arguments, _ *vocabulary, r *rand.Rand) (arguments, bool) {
	names := map[string]string{">": "gt", ">=": "gte", "<": "lt", "<=": "lte", "!=": "ne", "in": "in"}
	list := call.list("slice")
	broken := false
	for i, c := range list {
		m := c.(map[string]any)
		op, _ := m["op"].(string)
		name, field := names[op], fmt.Sprint(m["field"])
		bounds, _ := m["value"].([]any)
		sign := pick(r, []string{"$", ""})
		switch {
		case name != "":
			list[i] = map[string]any{field: map[string]any{sign + name: m["value"]}}
		case op == "[)":
			list[i] = map[string]any{field: map[string]any{sign + "gte": bounds[0], sign + "lt": bounds[1]}}
		default:
			continue
		}
		broken = true
	}
	return call, broken
}

func intervalObject(call arguments, _ *vocabulary, r *rand.Rand) (arguments, bool) {
	return eachCondition(call, func(c map[string]any) bool {
		bounds, _ := c["value"].([]any)
		switch c["op"] {
		case "[)":
			c["op"], c["value"] = pick(r, []string{"between", "[)"}), map[string]any{"gte": bounds[0], "lt": bounds[1]}
		case "[]":
			names := pick(r, [][2]string{{"from", "to"}, {"min", "max"}, {"start", "end"}})
			c["op"], c["value"] = "between", map[string]any{names[0]: bounds[0], names[1]: bounds[1]}
		default:
			return false
		}
		return true
	})
}

func intervalKeys(call arguments, _ *vocabulary, r *rand.Rand) (arguments, bool) {
	return eachCondition(call, func(c map[string]any) bool {
		bounds, _ := c["value"].([]any)
		if c["op"] != "[]" && c["op"] != "[)" {
			return false
		}
		names := pick(r, [][2]string{{"from", "to"}, {"min", "max"}, {"start", "end"}})
		c[names[0]], c[names[1]] = bounds[0], bounds[1]
		delete(c, "value")
		return true
	})
}

func intervalText(call arguments, _ *vocabulary, r *rand.Rand) (arguments, bool) {
	return eachCondition(call, func(c map[string]any) bool {
		bounds, _ := c["value"].([]any)
		if c["op"] != "[]" && c["op"] != "[)" {
			return false
		}
		c["value"] = fmt.Sprint(bounds[0], pick(r, []string{",", " to ", "..", " and "}), bounds[1])
		return true
	})
}

func listForValue(call arguments, _ *vocabulary, _ *rand.Rand) (arguments, bool) {
	return eachCondition(call, func(c map[string]any) bool {
		op := map[string]string{"in": "=", "not in": "!="}[c["op"].(string)]
		if op == "" {
			return false
		}
		c["op"] = op
		return true
	})
}

func conditionKeys(call arguments, _ *vocabulary, r *rand.Rand) (arguments, bool) {
	return eachCondition(call, func(c map[string]any) bool {
		for key, names := range map[string][]string{"field": {"column", "name", "dimension"}, "op": {"operator", "comparator"}, "value": {"values", "val"}} {
			c[names[int(r.Uint32())%len(names)]] = c[key]
			delete(c, key)
		}
		return true
	})
}

func conditionText(call arguments, _ *vocabulary, _ *rand.Rand) (arguments, bool) {
	list := call.list("slice")
	broken := false
	for i, c := range list {
		m := c.(map[string]any)
		op, _ := m["op"].(string)
		if !strings.Contains("= != > >= < <=", op) || op == "" {
			continue
		}
		value := fmt.Sprint(m["value"])
		if text, ok := m["value"].(string); ok {
			value = "'" + text + "'"
		}
		list[i] = fmt.Sprintf("%s %s %s", m["field"], op, value)
		broken = true
	}
	return call, broken
}

func conditionList(call arguments, _ *vocabulary, _ *rand.Rand) (arguments, bool) {
	list := call.list("slice")
	for i, c := range list {
		m := c.(map[string]any)
		if m["field"] == nil || m["op"] == nil {
			return nil, false
		}
		list[i] = []any{m["field"], m["op"], m["value"]}
	}
	return call, len(list) > 0
}

func logicObject(call arguments, _ *vocabulary, r *rand.Rand) (arguments, bool) {
	list := call.list("slice")
	if len(list) == 0 {
		return nil, false
	}
	call.payload()["slice"] = pick(r, []any{
		[]any{map[string]any{"op": "and", "conditions": list}}, []any{map[string]any{"and": list}}, map[string]any{"operator": "AND", "filters": list},
	})
	return call, true
}
