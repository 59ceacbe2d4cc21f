package contract

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"time"
	"unicode"
)

// renameField puts another name for a field wherever the payload speaks of it.
func (a arguments) renameField(from, to string) {
	var walk func(v any, key string) any
	walk = func(v any, key string) any {
		switch x := v.(type) {
		case map[string]any:
			for k, inner := range x {
				x[k] = walk(inner, k)
			}
		case []any:
			for i, inner := range x {
				x[i] = walk(inner, key)
			}
		case string:
			if key != "value" {
				return named(from).ReplaceAllString(x, "${1}"+strings.ReplaceAll(to, "$", "$$")+"${2}")
			}
		}
		return v
	}
	walk(a.payload(), "")
}

func named(name string) *regexp.Regexp {
	return regexp.MustCompile(`(^|[^\w$.])` + regexp.QuoteMeta(name) + `($|[^\w$.])`)
}

// used returns the fields of the model that the columns name.
func (a arguments) used(w *vocabulary) []string {
	var names []string
	for _, f := range w.fields(a["model"].(string)) {
		name := f["name"].(string)
		for _, c := range a.list("columns") {
			if text, ok := c.(string); ok && named(name).MatchString(text) {
				names = append(names, name)
				break
			}
		}
	}
	return names
}

func fieldChange(change func(w *vocabulary, model, name string, r *rand.Rand) string) func(arguments, *vocabulary, *rand.Rand) (arguments, bool) {
	return func(call arguments, w *vocabulary, r *rand.Rand) (arguments, bool) {
		names := call.used(w)
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for _, name := range names {
			if to := change(w, call["model"].(string), name, r); to != "" && to != name {
				call.renameField(name, to)
				return call, true
			}
		}
		return nil, false
	}
}

func snake(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case unicode.IsUpper(r):
			b.WriteByte('_')
			b.WriteRune(unicode.ToLower(r))
		case r == '$':
			b.WriteByte('_')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// slipped drops, doubles or swaps one letter of a long word of the name.
func slipped(_ *vocabulary, _, name string, r *rand.Rand) string {
	word := regexp.MustCompile(`[A-Z]?[a-z]{5,}`).FindStringIndex(name)
	if word == nil {
		return ""
	}
	at := word[0] + 2 + r.IntN(word[1]-word[0]-3)
	switch r.IntN(3) {
	case 0:
		return name[:at] + name[at+1:]
	case 1:
		return name[:at] + name[at:at+1] + name[at:]
	}
	return name[:at] + name[at+1:at+2] + name[at:at+1] + name[at+2:]
}

func captioned(w *vocabulary, model, name string, _ *rand.Rand) string {
	caption := w.field(model, name)["caption"].(string)
	if w.callers(model, caption) != 1 || strings.ContainsAny(caption, "()") || strings.Contains(name, "$id") {
		return ""
	}
	return caption
}

func attributeAlone(w *vocabulary, model, name string, _ *rand.Rand) string {
	_, last, dimension := strings.Cut(name, "$")
	if !dimension || last == "caption" || last == "id" || strings.Contains(last, "$") || w.callers(model, last) != 1 {
		return ""
	}
	return last
}

func bareDimension(call arguments, w *vocabulary, _ *rand.Rand) (arguments, bool) {
	for _, name := range call.used(w) {
		dimension, ok := strings.CutSuffix(name, "$caption")
		if ok && w.field(call["model"].(string), dimension) == nil {
			call.renameField(name, dimension)
			return call, true
		}
	}
	return nil, false
}

func labelForCode(call arguments, w *vocabulary, _ *rand.Rand) (arguments, bool) {
	model := call["model"].(string)
	return eachCondition(call, func(c map[string]any) bool {
		field, _ := c["field"].(string)
		switch v := c["value"].(type) {
		case string:
			if label := w.label(model, field, v); label != "" {
				c["value"] = label
				return true
			}
		case []any:
			broken := false
			for i, item := range v {
				if label := w.label(model, field, fmt.Sprint(item)); label != "" {
					v[i], broken = label, true
				}
			}
			return broken
		}
		return false
	})
}

func measureAsGroup(call arguments, w *vocabulary, _ *rand.Rand) (arguments, bool) {
	for _, c := range call.list("columns") {
		f := w.field(call["model"].(string), c.(string))
		if f != nil && f["kind"] == "MEASURE" && len(call.list("groupBy")) > 0 {
			call.payload()["groupBy"] = append(call.list("groupBy"), c)
			return call, true
		}
	}
	return nil, false
}

func aggregateAsGroup(call arguments, _ *vocabulary, _ *rand.Rand) (arguments, bool) {
	for _, c := range call.list("columns") {
		if m := aggregate.FindStringSubmatch(c.(string)); m != nil && len(call.list("groupBy")) > 0 {
			call.payload()["groupBy"] = append(call.list("groupBy"), m[1]+"("+m[2]+")")
			return call, true
		}
	}
	return nil, false
}

func filterInHaving(call arguments, w *vocabulary, _ *rand.Rand) (arguments, bool) {
	conditions := call.conditions()
	if len(conditions) != 1 || len(call.list("slice")) != 1 || len(call.list("groupBy")) == 0 || call.payload()["having"] != nil {
		return nil, false
	}
	f := w.field(call["model"].(string), fmt.Sprint(conditions[0]["field"]))
	if f == nil || f["kind"] == "MEASURE" {
		return nil, false
	}
	call.payload()["having"] = call.payload()["slice"]
	delete(call.payload(), "slice")
	return call, true
}

var dateLayouts = []string{"2006/01/02", "20060102", "2006-1-2", "2006.01.02", "January 2, 2006", "2 Jan 2006", "2006年1月2日"}

func dateForm(call arguments, _ *vocabulary, r *rand.Rand) (arguments, bool) {
	layout := pick(r, dateLayouts)
	write := func(v any) (string, bool) {
		d, err := time.Parse(time.DateOnly, fmt.Sprint(v))
		return d.Format(layout), err == nil
	}
	return eachCondition(call, func(c map[string]any) bool {
		if list, ok := c["value"].([]any); ok {
			broken := false
			for i, v := range list {
				if text, ok := write(v); ok {
					list[i], broken = text, true
				}
			}
			return broken
		}
		text, ok := write(c["value"])
		if ok {
			c["value"] = text
		}
		return ok
	})
}

func limitText(call arguments, _ *vocabulary, _ *rand.Rand) (arguments, bool) {
	limit := call.payload()["limit"]
	call.payload()["limit"] = fmt.Sprint(limit)
	return call, limit != nil
}

func flagText(call arguments, _ *vocabulary, r *rand.Rand) (arguments, bool) {
	if call.payload()["returnTotal"] != true {
		return nil, false
	}
	call.payload()["returnTotal"] = pick(r, []any{"true", "yes", 1})
	return call, true
}

// limitTooLarge asks for all rows of a query that has few.
func limitTooLarge(call arguments, w *vocabulary, r *rand.Rand) (arguments, bool) {
	rows, _ := w.client.rows(call)
	if call.payload()["limit"] != nil || len(rows) > 90 {
		return nil, false
	}
	call.payload()["limit"] = 20_000 + r.IntN(1e6)
	return call, true
}

func directionWords(call arguments, _ *vocabulary, r *rand.Rand) (arguments, bool) {
	broken := false
	list := call.list("orderBy")
	for i, o := range list {
		switch x := o.(type) {
		case string:
			if field, ok := strings.CutPrefix(x, "-"); ok {
				list[i], broken = field+" "+pick(r, []string{"descending", "DESCENDING"}), true
			}
		case map[string]any:
			for _, key := range []string{"order", "dir"} {
				if word, ok := x[key].(string); ok {
					x[key], broken = strings.ToLower(word)+"ending", true
				}
			}
		}
	}
	return call, broken
}

func orderMap(call arguments, _ *vocabulary, r *rand.Rand) (arguments, bool) {
	list := call.list("orderBy")
	if len(list) != 1 {
		return nil, false
	}
	field, direction := "", "asc"
	switch x := list[0].(type) {
	case string:
		var descending bool
		if field, descending = strings.CutPrefix(x, "-"); descending {
			direction = "desc"
		}
	case map[string]any:
		field = x["field"].(string)
		for _, key := range []string{"order", "dir"} {
			if word, ok := x[key].(string); ok {
				direction = word
			}
		}
	}
	if strings.Contains(field, " ") {
		return nil, false
	}
	call.payload()["orderBy"] = pick(r, []any{
		map[string]any{field: direction}, []any{map[string]any{field: direction}}, []any{[]any{field, direction}},
		map[string]any{"field": field, "direction": direction}, []any{map[string]any{"field": field, "desc": strings.EqualFold(direction, "desc")}},
	})
	return call, true
}

func functionWords(call arguments, _ *vocabulary, r *rand.Rand) (arguments, bool) {
	other := map[string][]string{"sum": {"total", "SUMM"}, "count_distinct": {"nunique", "uniq", "unique_count"}, "avg": {"avrg"}, "max": {"highest"}, "count": {"cnt"}}
	columns := call.list("columns")
	for i, c := range columns {
		m := aggregate.FindStringSubmatch(c.(string))
		if m == nil || other[m[1]] == nil || m[2] == "*" {
			continue
		}
		columns[i] = strings.Replace(c.(string), m[1]+"(", pick(r, other[m[1]])+"(", 1)
		return call, true
	}
	return nil, false
}

func aliasChange(change func(expression, alias string) string) func(arguments, *vocabulary, *rand.Rand) (arguments, bool) {
	return func(call arguments, _ *vocabulary, _ *rand.Rand) (arguments, bool) {
		columns := call.list("columns")
		for i, c := range columns {
			if m := aggregate.FindStringSubmatch(c.(string)); m != nil && m[3] != "" {
				columns[i] = change(m[1]+"("+m[2]+")", m[3])
				return call, true
			}
		}
		return nil, false
	}
}

// aliasTaken gives an aggregate the name of a field that the payload does not use.
func aliasTaken(call arguments, w *vocabulary, r *rand.Rand) (arguments, bool) {
	columns := call.list("columns")
	for i, c := range columns {
		m := aggregate.FindStringSubmatch(c.(string))
		if m == nil || m[3] == "" || strings.Count(marshalled(call.payload()), `"`+m[3]+`"`)+strings.Count(marshalled(call.payload()), `"-`+m[3]+`"`) > 0 {
			continue
		}
		for _, k := range r.Perm(len(w.fields(call["model"].(string)))) {
			name := w.fields(call["model"].(string))[k]["name"].(string)
			if !strings.Contains(name, "$") && !strings.Contains(marshalled(call), name) {
				columns[i] = m[1] + "(" + m[2] + ") as " + name
				return call, true
			}
		}
	}
	return nil, false
}

func modelChange(change func(string) string) func(arguments, *vocabulary, *rand.Rand) (arguments, bool) {
	return func(call arguments, _ *vocabulary, _ *rand.Rand) (arguments, bool) {
		name := call["model"].(string)
		call["model"] = change(name)
		return call, call["model"] != name
	}
}

func modelList(call arguments, _ *vocabulary, _ *rand.Rand) (arguments, bool) {
	call["model"] = []any{call["model"]}
	return call, true
}

func modelKey(call arguments, _ *vocabulary, r *rand.Rand) (arguments, bool) {
	call[pick(r, []string{"modelName", "model_name", "dataset", "table"})] = call["model"]
	delete(call, "model")
	return call, true
}

func wildcards(call arguments, _ *vocabulary, _ *rand.Rand) (arguments, bool) {
	return eachCondition(call, func(c map[string]any) bool {
		if c["op"] != "like" {
			return false
		}
		c["value"] = "%" + c["value"].(string) + "%"
		return true
	})
}

// twoMistakes breaks a call in two ways that do not touch each other.
func twoMistakes(call arguments, w *vocabulary, r *rand.Rand) (arguments, bool) {
	pairs := [][2]func(arguments, *vocabulary, *rand.Rand) (arguments, bool){
		{operatorWords, directionWords}, {dateForm, bareDimension}, {dateForm, fieldChange(slipped)}, {labelForCode, measureAsGroup}, {dateForm, columnObjects}, {operatorWords, noPayload},
	}
	p := pick(r, pairs)
	once, ok := p[0](call, w, r)
	if !ok {
		return nil, false
	}
	return p[1](once, w, r)
}
