package repair

import (
	"slices"
	"strings"

	"parlance/internal/jsontree"
)

// otherNames are what people call the arguments.
var otherNames = map[string][]string{
	"model":   {"modelname", "name", "models", "querymodel", "dataset", "datasetname", "table", "tablename", "modelid", "cube", "view", "entity"},
	"payload": {"query", "param", "params", "body", "request", "querypayload", "arguments", "input", "data"},
	"query":   {"question", "text", "q", "prompt", "input", "message"},
}

// misnamedArgument gives an argument the name that is required, where exactly one other may be it.
func (m *mistake) misnamedArgument() []Patch {
	if m.found && m.node.Kind != jsontree.Null {
		return nil
	}
	key := m.fault.Path
	var found []string
	for _, member := range m.args.Members {
		called := slices.Contains(otherNames[key], folded(member.Key)) || meantName(member.Key, []string{key}) != ""
		if called && fits(key, member.Value) {
			found = append(found, member.Key)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return one(move(pointer{found[0]}, pointer{key}))
}

// fits reports whether a value can be the argument, as it is or after a mend.
func fits(key string, n jsontree.Node) bool {
	if key == "payload" {
		_, text := decoded(n, jsontree.Object)
		return n.Kind == jsontree.Object || text
	}
	return n.Kind == jsontree.String || key == "model" && n.Kind == jsontree.Array && len(n.Items) == 1
}

// argumentWithin takes the model's name out of the payload, where it was put.
func (m *mistake) argumentWithin() []Patch {
	if m.fault.Path != "model" || m.found && m.node.Kind != jsontree.Null {
		return nil
	}
	for _, key := range []string{"model", "queryModel"} {
		if n, ok := m.payload(key); ok && n.Kind == jsontree.String {
			return one(move(pointer{"payload", key}, pointer{"model"}))
		}
	}
	return nil
}

// payloadBeside gathers the clauses of a payload that stand where the payload should.
func (m *mistake) payloadBeside() []Patch {
	if m.fault.Path != "payload" || m.found && m.node.Kind != jsontree.Null {
		return nil
	}
	patch := Patch{add(pointer{"payload"}, object())}
	seen := map[string]bool{}
	for _, member := range m.args.Members {
		key := clauseOf(member.Key)
		if key == "" || member.Key == "model" || member.Key == "mode" || member.Key == "payload" {
			continue
		}
		if seen[key] {
			return nil
		}
		seen[key] = true
		patch = append(patch, move(pointer{member.Key}, pointer{"payload", key}))
	}
	if len(patch) == 1 {
		return nil
	}
	return []Patch{patch}
}

// listOfOne takes the only name out of a list of names.
func (m *mistake) listOfOne() []Patch {
	if m.found && m.node.Kind == jsontree.Array && len(m.node.Items) == 1 && m.fault.Path == "model" {
		return one(replace(m.at, m.node.Items[0]))
	}
	return nil
}

// modelMeant gives a model its name: it was misspelt, cut short, or called by its caption.
func (m *mistake) modelMeant() []Patch {
	got, p := m.model(), pointer{"model"}
	if name := modelNamed(got, m.sight.Models()); name != "" {
		return one(replace(p, text(name)))
	}
	return nil
}

func modelNamed(got string, models []Model) string {
	names, called := make([]string, len(models)), []string(nil)
	for i, model := range models {
		names[i] = model.Name
		words := append([]string{model.Caption, shortName(model.Name)}, model.Synonyms...)
		if len(same(got, words)) > 0 {
			called = append(called, model.Name)
		}
	}
	if name := meantName(got, names); name != "" {
		return name
	}
	switch len(called) {
	case 0:
		return slipOfShort(got, models)
	case 1:
		return called[0]
	}
	return ""
}

// slipOfShort returns the model whose name without its ending was misspelt.
func slipOfShort(got string, models []Model) string {
	short, whole := []string{}, map[string]string{}
	for _, model := range models {
		name := shortName(model.Name)
		short, whole[name] = append(short, name), model.Name
	}
	return whole[nearest(shortName(got), short)]
}

// shortName is a model's name without what all such names end with.
func shortName(name string) string {
	for _, tail := range []string{"QueryModel", "Model"} {
		if short, ok := strings.CutSuffix(name, tail); ok && short != "" {
			return short
		}
	}
	return name
}

// The bounds of Elsewhere: the models that it looks at, and those that it names.
const (
	maxSearched  = 200
	maxElsewhere = 3
)

// Elsewhere returns the other models, three at most, that have a field of a name.
func Elsewhere(name, model string, sight Sight) []string {
	var found []string
	models := sight.Models()
	for _, m := range models[:min(len(models), maxSearched)] {
		has := slices.Contains(fieldNames(sight.Fields(m.Name)), name)
		if has && m.Name != model && len(found) < maxElsewhere {
			found = append(found, m.Name)
		}
	}
	return found
}
