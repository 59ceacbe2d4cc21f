package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"parlance/internal/datasource"
	"parlance/internal/fault"
	"parlance/internal/inspect"
	"parlance/internal/relation"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// liveTables is the schema of every datasource, listed once. It tells the catalogue what columns there are.
type liveTables struct {
	ctx     context.Context
	sources map[string]*datasource.Source
	failed  map[string]error
	listed  map[[2]string]*relation.Schema // by datasource and schema
}

func newLiveTables(ctx context.Context) *liveTables {
	return &liveTables{ctx: ctx, sources: map[string]*datasource.Source{}, failed: map[string]error{}, listed: map[[2]string]*relation.Schema{}}
}

func (l *liveTables) close() error {
	var errs []error
	for _, s := range l.sources {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

// schema lists the tables of a datasource's schema. A datasource that once failed is not asked again.
func (l *liveTables) schema(name, schema string) (*relation.Schema, error) {
	if err := l.failed[name]; err != nil {
		return nil, err
	}
	key := [2]string{name, schema}
	if found := l.listed[key]; found != nil {
		return found, nil
	}
	source, ok := l.sources[name]
	if !ok {
		return nil, fault.Invalidf("unknown_datasource", "", "there is no datasource %q", name)
	}
	found, err := source.Schema(l.ctx, schema)
	if err != nil {
		if schema == "" { // of another schema it is a problem of the models that name it
			l.failed[name] = err
		}
		return nil, err
	}
	l.listed[key] = found
	return found, nil
}

// Columns answers from the listing, and asks the database for what is not listed: queries, and tables that only their
// name finds.
func (l *liveTables) Columns(ctx context.Context, name string, src semantic.Source) (map[string]value.Type, error) {
	if src.SQL != "" {
		if err := l.failed[name]; err != nil {
			return nil, unreadable(name)
		}
		return liveSchema(l.sources).Columns(ctx, name, src)
	}
	schema, err := l.schema(name, src.Schema)
	if err != nil {
		if l.failed[name] != nil {
			return nil, unreadable(name)
		}
		return nil, err
	}
	t := schema.Table(src.Schema, src.Table)
	if t == nil {
		types, err := liveSchema(l.sources).Columns(ctx, name, src)
		if f := fault.As(err); err != nil && f.Kind == fault.NotFound {
			near := *f
			near.Closest = fault.Closest(src.Table, schema.Names())
			return nil, &near
		}
		return types, err
	}
	types := make(map[string]value.Type, len(t.Columns))
	for _, c := range t.Columns {
		types[c.Name] = c.Type
	}
	return types, nil
}

const unreadableMark = "its datasource cannot be read: "

// unreadable is the error of a datasource that is a line of its own already.
func unreadable(name string) *fault.Error {
	return &fault.Error{Kind: fault.Unavailable, Reason: "unreachable", Message: unreadableMark + name}
}

// down reports whether a problem of a model is only that its datasource cannot be read, and which.
func (l *liveTables) down(message string) (string, bool) {
	_, name, found := strings.Cut(message, unreadableMark)
	return name, found && l.failed[name] != nil
}

// hints compares what a model says of keys and joins with what its database declares.
func (l *liveTables) hints(m *semantic.Model) []inspect.Hint {
	own, err := l.schema(m.Datasource, "")
	if err != nil {
		return nil
	}
	return inspect.Declared(m, own.Access, func(s semantic.Source) *relation.Table {
		schema, err := l.schema(m.Datasource, s.Schema)
		if err != nil {
			return nil
		}
		return schema.Table(s.Schema, s.Table)
	})
}

// scope says what of a model was compared.
func scope(m *semantic.Model) string {
	if m.Multi != nil {
		return counted(len(m.Multi.Facts), "fact")
	}
	tables := map[semantic.Source]bool{m.Source: true}
	fields := len(m.Attributes) + len(m.Measures)
	for d := range semantic.Dimensions(m.Dimensions) {
		tables[d.Source] = true
		fields += len(d.Attributes) + 1
	}
	return fmt.Sprintf("%s, %s", counted(len(tables), "table"), counted(fields, "field"))
}

// safely is an error without its cause, which may hold a driver's text.
func safely(err error) string { return fault.As(err).Text() }

func lowered(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(first)) + text[size:]
}
