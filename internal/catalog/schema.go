package catalog

import (
	"context"
	"maps"
	"slices"

	"parlance/internal/fault"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// Schema tells what columns a source has in the live database.
type Schema interface {
	// Columns returns every column of a source with its type. A column whose type cannot be queried has the zero
	// type. A source that is not there is an error of kind fault.NotFound, whose Closest are names of others; the
	// message of any error is shown.
	Columns(ctx context.Context, datasource string, src semantic.Source) (map[string]value.Type, error)
}

// columns are the columns of one source. They are not known when no schema is given or the source cannot be read.
type columns struct {
	known bool
	types map[string]value.Type
	name  string // as messages print it
}

func (c columns) has(column string) bool {
	_, ok := c.types[column]
	return ok || !c.known
}

func (c columns) names() []string { return slices.Sorted(maps.Keys(c.types)) }

// liveSchema asks for each source once in a load.
type liveSchema struct {
	ctx    context.Context
	schema Schema // nil: nothing is known
	seen   map[sourceKey]answer
	away   map[string]error // why datasources cannot be reached; they are not asked again
}

type sourceKey struct {
	datasource string
	source     semantic.Source
}

type answer struct {
	types map[string]value.Type
	err   error
}

func newLiveSchema(ctx context.Context, s Schema) *liveSchema {
	return &liveSchema{ctx: ctx, schema: s, seen: map[sourceKey]answer{}, away: map[string]error{}}
}

// told returns every answer that was one.
func (l *liveSchema) told() told {
	t := told{}
	for source, a := range l.seen {
		if a.err == nil {
			t[source] = a.types
		}
	}
	return t
}

// columns returns what is known of a source and reports one that cannot be read at the place that names it.
func (l *liveSchema) columns(r *report, at pos, datasource string, src semantic.Source) columns {
	found := columns{name: sourceName(src)}
	if l.schema == nil || src == (semantic.Source{}) {
		return found
	}
	k := sourceKey{datasource, src}
	a := l.ask(k)
	switch {
	case a.err == nil:
		found.known, found.types = true, a.types
	case fault.As(a.err).Kind == fault.Unavailable:
		r.unread = append(r.unread, r.problem(at, "the columns of %s cannot be read: %s", found.name, fault.As(a.err).Message))
	case fault.As(a.err).Kind == fault.NotFound && src.Table != "":
		r.add(at, "datasource %q has no %s%s", datasource, found.name, meant(src.Table, fault.As(a.err).Closest))
	default:
		r.add(at, "the columns of %s cannot be read: %s", found.name, fault.As(a.err).Message)
	}
	return found
}

// ask asks the database about a source, unless that is known.
func (l *liveSchema) ask(k sourceKey) answer {
	a, asked := l.seen[k]
	if asked {
		return a
	}
	if a.err = l.away[k.datasource]; a.err == nil {
		a.types, a.err = l.schema.Columns(l.ctx, k.datasource, k.source)
	}
	if a.err != nil && fault.As(a.err).Kind == fault.Unavailable {
		l.away[k.datasource] = a.err
	}
	l.seen[k] = a
	return a
}

func sourceName(src semantic.Source) string {
	switch {
	case src.SQL != "":
		return "the source's query"
	case src.Schema != "":
		return "table " + src.Schema + "." + src.Table
	}
	return "table " + src.Table
}
