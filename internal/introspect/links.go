package introspect

import (
	"slices"
	"strings"

	"parlance/internal/relation"
	"parlance/internal/value"
)

// link is a way from the rows of a table to one row elsewhere.
type link struct {
	columns []string
	to      *relation.Table
	key     []string // columns of that table, as many as columns
	guessed bool     // from names, and not declared by the database
}

// world is every table with the ways between them.
type world struct {
	tables  []*relation.Table
	links   map[*relation.Table][]link
	remarks map[*relation.Table][]string // references that cannot be followed, and why
	about   map[string][]*relation.Table // by subject, dimensions first
}

func newWorld(tables []*relation.Table) *world {
	w := &world{tables: tables, links: map[*relation.Table][]link{}, remarks: map[*relation.Table][]string{}, about: map[string][]*relation.Table{}}
	byName := map[[2]string]*relation.Table{}
	for _, t := range tables {
		byName[[2]string{t.Schema, t.Name}] = t
		about := strings.Join(subject(t.Name), " ")
		if isDimension(t.Name) {
			w.about[about] = append([]*relation.Table{t}, w.about[about]...)
		} else {
			w.about[about] = append(w.about[about], t)
		}
	}
	for _, t := range tables {
		for _, f := range t.Foreign {
			w.declared(t, f, byName[[2]string{f.Schema, f.Table}])
		}
		if len(t.Foreign) == 0 {
			w.guess(t)
		}
	}
	return w
}

func isDimension(table string) bool {
	list := words(table)
	return len(list) > 1 && (list[0] == "dim" || list[len(list)-1] == "dim")
}

func isFact(table string) bool {
	list := words(table)
	return len(list) > 1 && (list[0] == "fact" || list[0] == "fct" || list[len(list)-1] == "fact")
}

// declared follows a reference of the database.
func (w *world) declared(t *relation.Table, f relation.ForeignKey, to *relation.Table) {
	columns := strings.Join(f.Columns, ", ")
	switch {
	case to == nil:
		w.remark(t, columns+" points to "+f.Table+", which is not among the tables that can be read")
	case !joinable(t, f.Columns, to, f.References):
		w.remark(t, columns+" points to "+f.Table+", but not in a way that a model can follow")
	default:
		l := link{columns: f.Columns, to: to, key: f.References}
		same := func(o link) bool { return o.to == to && slices.Equal(o.columns, l.columns) }
		if !slices.ContainsFunc(w.links[t], same) {
			w.links[t] = append(w.links[t], l)
		}
	}
}

func (w *world) remark(t *relation.Table, text string) { w.remarks[t] = append(w.remarks[t], text) }

// joinable reports whether values of both ends can be equal.
func joinable(t *relation.Table, columns []string, to *relation.Table, key []string) bool {
	if len(columns) == 0 || len(columns) != len(key) || !usable(to.Name) {
		return false
	}
	for i := range columns {
		a, b := t.Column(columns[i]), to.Column(key[i])
		if a == nil || b == nil || !usable(a.Name) || !usable(b.Name) || !alike(a.Type, b.Type) {
			return false
		}
	}
	return true
}

func alike(a, b value.Type) bool {
	return a.Kind != value.Null && (a.Kind == b.Kind || a.Numeric() && b.Numeric())
}

// guess follows what columns are called, where the database declares nothing: customer_id, customer_key and
// first_customer_id point to customer, customers or dim_customer.
func (w *world) guess(t *relation.Table) {
	own := strings.Join(subject(t.Name), " ")
	for _, c := range t.Columns {
		about, ok := pointed(c.Name)
		if !ok || len(t.Primary) == 1 && t.Primary[0] == c.Name {
			continue
		}
		if l, ok := w.guessed(t, c, about, own); ok {
			w.links[t] = append(w.links[t], l)
		}
	}
}

func (w *world) guessed(t *relation.Table, c relation.Column, about []string, own string) (link, bool) {
	about = single(about)
	names := []string{own + " " + strings.Join(about, " ")} // group_id of category may be of category_group
	if len(about) == 1 && about[0] == "parent" {
		about = append(about, strings.Fields(own)...)
	}
	for i := range about {
		names = append(names, strings.Join(about[i:], " "))
	}
	for i, name := range names {
		for _, to := range w.about[name] {
			if to == t && i < 2 {
				return link{}, false // the table's own key
			}
			if isFact(to.Name) {
				continue // facts point, and are seldom pointed at
			}
			if key := guessedKey(t, c.Name, to); key != "" {
				return link{columns: []string{c.Name}, to: to, key: []string{key}, guessed: true}, true
			}
		}
	}
	return link{}, false
}

// guessedKey returns the column of a table that another's column of some name points to, or "": its declared key if it
// has one, otherwise a column of the same name, or one that is called after the table.
func guessedKey(t *relation.Table, column string, to *relation.Table) string {
	fits := func(key string) bool {
		return (t != to || key != column) && joinable(t, []string{column}, to, []string{key})
	}
	for _, key := range to.Keys() {
		if len(key) == 1 && fits(key[0]) {
			return key[0]
		}
	}
	if len(to.Keys()) > 0 {
		return ""
	}
	if fits(column) {
		return column
	}
	return ownKey(to, fits)
}

// ownKey returns the column that by its name is a table's key, or "".
func ownKey(t *relation.Table, fits func(column string) bool) string {
	about := strings.Join(subject(t.Name), " ")
	plain := ""
	for _, c := range t.Columns {
		list := words(c.Name)
		if named, ok := pointed(c.Name); ok && strings.Join(single(named), " ") == about && fits(c.Name) {
			return c.Name
		}
		if len(list) == 1 && slices.Contains(keySuffixes, list[0]) && fits(c.Name) && plain == "" {
			plain = c.Name
		}
	}
	return plain
}
