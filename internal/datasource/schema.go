package datasource

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parlance/internal/relation"
	"parlance/internal/value"
)

// Schema returns the tables and views of a schema with their columns, comments, keys, references and indexes, as far as
// the database tells. The schema "" is the source's own.
func (s *Source) Schema(ctx context.Context, schema string) (*relation.Schema, error) {
	l := &lister{source: s, schema: schema, tables: map[string]*relation.Table{}}
	found, err := s.current().schema(ctx, l)
	if err != nil {
		return nil, err
	}
	found.Tables = l.sorted()
	return found, l.describe(ctx, found.Tables)
}

// lister gathers the tables of a schema from the rows in which engines tell of them.
type lister struct {
	source *Source
	schema string
	tables map[string]*relation.Table
}

// each runs a statement of an engine's catalogue. Every cell is a text, "" for null.
func (l *lister) each(ctx context.Context, text string, args []any, row func(cells []string)) error {
	var texts []string
	return l.source.Query(ctx, text, args, func(cells []any) error {
		texts = texts[:0]
		for _, c := range cells {
			texts = append(texts, cellText(c))
		}
		row(texts)
		return nil
	})
}

func cellText(cell any) string {
	switch v := cell.(type) {
	case nil:
		return ""
	case string:
		return v
	case []byte:
		return string(v)
	}
	return fmt.Sprint(cell)
}

// table returns the table of a name, which need not be known yet.
func (l *lister) table(name string) *relation.Table {
	t := l.tables[name]
	if t == nil {
		t = &relation.Table{Schema: l.schema, Name: name}
		l.tables[name] = t
	}
	return t
}

// columns runs a statement whose rows are table, kind of table, comment of the table and of the column, and then what
// the engine's column reads. A kind that holds VIEW is a view's.
func (l *lister) columns(ctx context.Context, text string, args []any) error {
	return l.source.Query(ctx, text, args, func(cells []any) error {
		const own = 4
		if len(cells) <= own {
			return fmt.Errorf("a listing of %d cells", len(cells))
		}
		c, err := l.source.current().column(cells[own:])
		if err != nil {
			return err
		}
		t := l.table(cellText(cells[0]))
		t.View, t.Comment = strings.Contains(strings.ToUpper(cellText(cells[1])), "VIEW"), cellText(cells[2])
		t.Columns = append(t.Columns, relation.Column{Name: c.Name, Type: c.Type, Nullable: c.Nullable, Native: c.Native, Comment: cellText(cells[3])})
		return nil
	})
}

// The kinds of index that keys tells apart.
const (
	primaryIndex = "primary"
	uniqueIndex  = "unique"
)

// keys runs a statement whose rows are table, index, kind of index and column, in the order of the index's columns. An
// index of which a part is no column has "" there and is passed over.
func (l *lister) keys(ctx context.Context, text string, args []any) error {
	type index struct {
		table, name, kind string
		columns           []string
	}
	var list []*index
	err := l.each(ctx, text, args, func(cells []string) {
		last := len(list) - 1
		if last < 0 || list[last].table != cells[0] || list[last].name != cells[1] {
			list = append(list, &index{table: cells[0], name: cells[1], kind: cells[2]})
			last++
		}
		list[last].columns = append(list[last].columns, cells[3])
	})
	for _, i := range list {
		t := l.tables[i.table]
		if t == nil || slices.Contains(i.columns, "") {
			continue
		}
		t.Indexes = append(t.Indexes, i.columns)
		switch i.kind {
		case primaryIndex:
			t.Primary = i.columns
		case uniqueIndex:
			t.Unique = append(t.Unique, i.columns)
		}
	}
	return err
}

// references runs a statement whose rows are table, constraint, column, schema and table that it points to, and the
// column there, in the order of the constraint's columns. The schema is "" where it is the source's own.
func (l *lister) references(ctx context.Context, text string, args []any) error {
	last := ""
	return l.each(ctx, text, args, func(cells []string) {
		t := l.tables[cells[0]]
		if t == nil {
			return
		}
		if constraint := cells[0] + "\x00" + cells[1]; constraint != last {
			last = constraint
			t.Foreign = append(t.Foreign, relation.ForeignKey{Schema: cells[3], Table: cells[4]})
		}
		f := &t.Foreign[len(t.Foreign)-1]
		f.Columns, f.References = append(f.Columns, cells[2]), append(f.References, cells[5])
	})
}

// sorted returns the tables in the order of their names, their references in that of their columns.
func (l *lister) sorted() []*relation.Table {
	list := make([]*relation.Table, 0, len(l.tables))
	for _, t := range l.tables {
		place := map[string]int{}
		for i, c := range t.Columns {
			place[c.Name] = i
		}
		slices.SortStableFunc(t.Foreign, func(a, b relation.ForeignKey) int { return place[a.Columns[0]] - place[b.Columns[0]] })
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *relation.Table) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// describe asks the tables themselves for the types of columns of which the catalogue has no word. A view that cannot
// be read keeps its columns without types.
func (l *lister) describe(ctx context.Context, tables []*relation.Table) error {
	for _, t := range tables {
		if !slices.ContainsFunc(t.Columns, func(c relation.Column) bool { return c.Native == "" && c.Type == value.Type{} }) {
			continue
		}
		described, err := l.source.Columns(ctx, t.Schema, t.Name, "")
		if ctx.Err() != nil {
			return err
		}
		for _, d := range described {
			if c := t.Column(d.Name); c != nil && c.Native == "" {
				c.Type, c.Native = d.Type, d.Native
			}
		}
	}
	return nil
}
