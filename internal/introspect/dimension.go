package introspect

import (
	"slices"
	"strings"

	"parlance/internal/relation"
	"parlance/internal/value"
)

// nested makes the dimensions that the rows of a table point to, other than the tables on the way to it. It returns the
// columns whose values are a dimension's id, and what it could not follow.
func (b *builder) nested(t *relation.Table, way []*relation.Table, scope names) (list []*dimension, covered, remarks []string) {
	for _, l := range b.world.links[t] {
		columns := strings.Join(l.columns, ", ")
		switch {
		case l.to == t && len(way) > 1: // a tree, which its dimension tells
		case l.to == t:
			remarks = append(remarks, columns+" points to a row of this table itself; it is left as an attribute")
		case slices.Contains(way, l.to):
			remarks = append(remarks, columns+" points back to "+l.to.Name+"; it is left as an attribute")
		case len(way) > 1 && b.direct(way[0], l): // the rows themselves point there
		case len(way) > maxDepth || len(way) > 1 && b.dimensions >= maxDimensions:
			remarks = append(remarks, columns+" points to "+l.to.Name+", which is left out: there are dimensions enough")
		default:
			if len(way) > 1 {
				b.dimensions++
			}
			d := b.dimension(t, l, way, scope)
			list = append(list, d)
			covered = append(covered, l.columns[slices.Index(l.key, d.id)])
		}
	}
	return list, covered, remarks
}

// direct reports whether a table points to where a link goes, by columns of the same names.
func (b *builder) direct(t *relation.Table, l link) bool {
	return slices.ContainsFunc(b.world.links[t], func(o link) bool { return o.to == l.to && slices.Equal(o.columns, l.columns) })
}

// dimension makes one dimension; scope are the names around it.
func (b *builder) dimension(t *relation.Table, l link, way []*relation.Table, scope names) *dimension {
	to := l.to
	d := &dimension{name: scope.field(role(l), "dimension"), link: l, id: idOf(l)}
	from := t.Column(l.columns[slices.Index(l.key, d.id)])
	d.nullable = from.Nullable
	comment := from.Comment
	if comment == "" && slices.Equal(single(role(l)), subject(to.Name)) {
		comment = to.Comment
	}
	d.caption, d.description = told(comment, sentence(role(l)))
	d.label, d.date = labelOf(to, d.id)
	own := newNames(reserved...)
	var covered []string
	d.dimensions, covered, d.remarks = b.nested(to, append(slices.Clone(way), to), newNames())
	d.remarks = append(d.remarks, b.world.remarks[to]...)
	d.tree(b.world.links[to])
	for _, c := range to.Columns {
		switch {
		case c.Name == d.id || c.Name == d.label || slices.Contains(covered, c.Name):
		case !shown(c):
			d.remarks = append(d.remarks, leftOut(c))
		default:
			d.attributes = append(d.attributes, attribute(own, c, d.name, reserved...))
		}
	}
	return d
}

// tree finds the column by which the rows of the dimension point to each other.
func (d *dimension) tree(links []link) {
	for _, l := range links {
		if l.to != d.link.to || len(l.columns) != 1 || l.key[0] != d.id || len(d.link.key) != 1 {
			continue
		}
		if d.parent == "" {
			d.parent, d.parentGuessed = l.columns[0], l.guessed
		}
	}
}

// role is what a dimension is called: after the column that points to it, so that two ways to one table have two names.
func role(l link) []string {
	if len(l.columns) == 1 {
		if about, ok := pointed(l.columns[0]); ok {
			return about
		}
		list := words(l.columns[0])
		if len(list) > 0 && !slices.Contains(keySuffixes, list[0]) {
			return list
		}
	}
	if about := subject(l.to.Name); len(about) > 0 {
		return about
	}
	return []string{"dimension"}
}

// idOf returns the column of a key that best names a row: of several the one called after the table, else the last.
func idOf(l link) string {
	about := subject(l.to.Name)
	for _, k := range l.key {
		if p, ok := pointed(k); ok && slices.Equal(single(p), about) {
			return k
		}
	}
	return l.key[len(l.key)-1]
}

var (
	calendarWords = []string{"date", "day", "calendar", "time"}
	labelWords    = []string{"name", "title", "label", "caption", "description", "descr", "desc"}
)

// labelOf returns the column that people know a row by, "" if none, and whether the table is a calendar.
func labelOf(t *relation.Table, id string) (label string, calendar bool) {
	about := subject(t.Name)
	if hasWord(about, calendarWords) {
		if day := dayOf(t, id); day != "" {
			if day == id {
				return "", true
			}
			return day, true
		}
	}
	best := 0
	for _, c := range t.Columns {
		if c.Type.Kind != value.String || c.Name == id || !usable(c.Name) {
			continue
		}
		if s := labelScore(words(c.Name), about); s > best {
			label, best = c.Name, s
		}
	}
	return label, false
}

// dayOf returns the column of a calendar that holds the day: its id, or the only date, or the one called so.
func dayOf(t *relation.Table, id string) string {
	found := ""
	for _, c := range t.Columns {
		if c.Type.Kind != value.Date || !usable(c.Name) {
			continue
		}
		list := words(c.Name)
		switch {
		case c.Name == id:
			return id
		case found == "", slices.Contains(list, "full"), len(list) == 1 && hasWord(list, calendarWords):
			found = c.Name
		}
	}
	return found
}

// labelScore tells how much a column of text is like the name of a row; 0: not at all.
func labelScore(list, about []string) int {
	if len(list) == 0 {
		return 0
	}
	last := list[len(list)-1]
	i := slices.Index(labelWords, last)
	if i < 0 {
		return 0
	}
	score := 10 * (len(labelWords) - i)
	switch rest := list[:len(list)-1]; {
	case slices.Equal(rest, about):
		score += 6
	case len(rest) == 0:
		score += 5
	case len(rest) == 1 && (rest[0] == "full" || rest[0] == "display"):
		score += 4
	case slices.Contains(about, rest[0]):
		score += 3
	}
	return score
}
