package repair

import (
	"slices"
	"strings"

	"parlance/internal/jsontree"
	"parlance/internal/query"
)

// renamedKey gives a key the name that was meant: one that is known to stand for it, or the only one near.
func (m *mistake) renamedKey() []Patch {
	p, holder := m.holder()
	to := m.fault.Meant
	if to == "" {
		to = meantName(m.fault.Got, m.fault.Closest)
	}
	if to == "" || !m.found || listsOfKinds[strings.ToLower(m.at.last())] {
		return nil
	}
	if there, ok := holder.Get(to); ok && there.Kind != jsontree.Null {
		return nil
	}
	return one(move(m.at, p.to(to)))
}

// listsOfKinds are keys that name columns and say what to do with them: as mere columns they would mean less.
var listsOfKinds = map[string]bool{"dimensions": true, "measures": true, "metrics": true, "dimension": true, "measure": true, "metric": true}

// dimensionsAndMeasures reads the two lists of other languages as columns and groups.
func (m *mistake) dimensionsAndMeasures() []Patch {
	p, payload := m.holder()
	if len(p) != 1 || !listsOfKinds[strings.ToLower(m.at.last())] {
		return nil
	}
	if columns, ok := payload.Get("columns"); ok && len(columns.Items) > 0 {
		return nil
	}
	measuresKey, measures := firstOf(payload, "measures", "metrics")
	dimensionsKey, dimensions := firstOf(payload, "dimensions")
	groups, grouped := payload.Get("groupBy")
	keys, ok := listed(dimensions)
	if dimensionsKey == "" && grouped {
		keys, ok = groupNames(groups)
	}
	values, isList := listed(measures)
	if !ok || !isList || len(keys) == 0 || measuresKey == "" || dimensionsKey != "" && grouped {
		return nil
	}
	patch := Patch{remove(p.to(measuresKey))}
	if dimensionsKey != "" {
		patch = append(patch, remove(p.to(dimensionsKey)), add(p.to("groupBy"), texts(keys)))
	}
	return []Patch{append(patch, add(p.to("columns"), texts(slices.Concat(keys, values))))}
}

// firstOf returns the first of the keys that an object has.
func firstOf(n jsontree.Node, keys ...string) (string, jsontree.Node) {
	for _, key := range keys {
		if v, ok := n.Get(key); ok {
			return key, v
		}
	}
	return "", jsontree.Node{}
}

// listed returns a list of texts; a text alone is a list of its parts.
func listed(n jsontree.Node) ([]string, bool) {
	if n.Kind == jsontree.String {
		return parts(n.Text), true
	}
	var list []string
	for _, item := range n.Items {
		column, ok := columnText(item)
		if !ok {
			return nil, false
		}
		list = append(list, column)
	}
	return list, n.Kind == jsontree.Array
}

func groupNames(groups jsontree.Node) ([]string, bool) {
	var names []string
	for _, g := range groups.Items {
		if field, ok := g.Get("field"); ok {
			g = field
		}
		if g.Kind != jsontree.String {
			return nil, false
		}
		names = append(names, g.Text)
	}
	return names, len(names) > 0
}

// wrapped takes away a key around the whole payload.
func (m *mistake) wrapped() []Patch {
	p, payload := m.holder()
	if len(p) != 1 || p[0] != "payload" || len(payload.Members) != 1 || !m.found {
		return nil
	}
	inner := m.node
	if read, ok := decoded(inner, jsontree.Object); ok {
		inner = read
	}
	switch strings.ToLower(m.at.last()) {
	case "param", "params", "payload", "query", "arguments", "body", "request", "data":
		if inner.Kind == jsontree.Object {
			return one(replace(p, inner))
		}
	}
	return nil
}

// argumentInPayload moves what belongs beside the payload out of it; what stands there already is only taken out.
func (m *mistake) argumentInPayload() []Patch {
	p, _ := m.holder()
	key := m.at.last()
	if len(p) != 1 || p[0] != "payload" || !m.found {
		return nil
	}
	switch key {
	case "model", "queryModel":
		if m.node.Text != m.model() {
			return nil
		}
		return one(remove(m.at))
	case "mode":
		if _, there := m.args.Get(key); there {
			return nil
		}
		return one(move(m.at, pointer{key}))
	}
	return nil
}

// meaningless takes out a key that old clients send and nobody reads.
func (m *mistake) meaningless() []Patch {
	if p, _ := m.holder(); len(p) != 1 || !m.found || !slices.Contains(query.LegacyKeys, m.at.last()) || m.at.last() == "queryModel" {
		return nil
	}
	return one(remove(m.at))
}

// atTheTop moves a clause that stands inside another one to the payload.
func (m *mistake) atTheTop() []Patch {
	if len(m.at) < 3 || !m.found || m.at[0] != "payload" || !query.IsKey(m.at.last()) {
		return nil
	}
	if _, there := m.payload(m.at.last()); there {
		return nil
	}
	return one(move(m.at, pointer{"payload", m.at.last()}))
}

// keyBesidePayload moves a clause that stands beside the payload into it.
func (m *mistake) keyBesidePayload() []Patch {
	payload, ok := m.args.Get("payload")
	if !ok || !m.found || len(m.at) != 1 {
		return nil
	}
	key := clauseOf(m.at[0])
	if key == "" {
		return nil
	}
	if _, there := payload.Get(key); there {
		return nil
	}
	if read, isText := decoded(payload, jsontree.Object); isText {
		return one(replace(pointer{"payload"}, read), move(m.at, pointer{"payload", key}))
	}
	return one(move(m.at, pointer{"payload", key}))
}

// clauseOf returns the key of the payload that a word is or stands for, or "".
func clauseOf(word string) string {
	if query.IsKey(word) {
		return word
	}
	if meant := query.MeantKey(word); query.IsKey(meant) && !listsOfKinds[strings.ToLower(word)] {
		return meant
	}
	return meantName(word, query.Keys())
}
