package catalog

import (
	"maps"
	"slices"
	"strings"

	"parlance/internal/semantic"
)

// builder turns one decoded file into a model. It goes on after a problem, so that all of them are found; what it
// builds is used only when there is none.
type builder struct {
	r                  *report
	raw                *rawModel
	live               *liveSchema
	dictionaries       map[string]*semantic.Dictionary
	policies           policies
	identityAttributes []string // that identities can have; nil: not known
	hashKey            string   // of the mask hash; "": none
	made
	kept     bool            // the model is that of the generation before, and is not built
	untyped  map[string]bool // fields whose type nobody told; only without a live schema
	measures map[string]*rawMeasure
	broken   bool // decoding found problems
	lost     losses
}

func (b *builder) dictionaryNames() []string { return slices.Sorted(maps.Keys(b.dictionaries)) }

// begin sets what every model has, whatever it stands on.
func (b *builder) begin(datasource string, calendar semantic.Calendar, cache semantic.Caching) {
	raw := b.raw
	m := &semantic.Model{
		Name: raw.model.value, Caption: raw.caption.value, Description: raw.description.value,
		Synonyms: raw.synonyms.values(), Datasource: datasource, Calendar: buildCalendar(b.r, calendar, raw),
	}
	if m.Caption == "" {
		m.Caption = caption(m.Name)
	}
	m.Cache = b.caching(cache)
	if raw.datasource.set() {
		m.Datasource = raw.datasource.value
	}
	for _, e := range raw.examples.list {
		m.Examples = append(m.Examples, semantic.Example{Question: e.question.value, Payload: e.payload.json})
	}
	b.model = m
}

// single builds a model that stands on a table or a query of its own.
func (b *builder) single() {
	raw := b.raw
	if raw.share.at != (pos{}) {
		b.r.add(raw.share.at, `only a model of several facts has "share"`)
	}
	own := b.rows()
	b.model.Attributes = b.attributes(raw.attributes.list, own, "")
	for _, d := range raw.dimensions.list {
		if d.name.set() {
			b.model.Dimensions = append(b.model.Dimensions, b.dimension(d, nil, own))
		}
	}
	for _, ms := range raw.measures.list {
		if ms.name.set() {
			b.model.Measures = append(b.model.Measures, b.measure(ms, own))
		}
	}
	if len(b.model.Attributes)+len(b.model.Dimensions)+len(b.model.Measures) == 0 {
		b.r.add(raw.at, "a model needs attributes, dimensions or measures")
	}
	b.finish()
}

// rows builds the source of the model's own rows and its key.
func (b *builder) rows() columns {
	raw := b.raw.source.value
	if raw == nil {
		b.r.add(b.raw.at, `a model needs the key "source", or "facts"`)
		return columns{}
	}
	source, at := b.source("a source", raw.at, raw.table, raw.schema, raw.sql)
	b.model.Source = source
	own := b.live.columns(b.r, at, b.model.Datasource, source)
	for _, k := range raw.key.list {
		needColumn(b.r, own, k)
	}
	b.model.Key = raw.key.values()
	return own
}

// source returns a table or a query, and the place that names it.
func (b *builder) source(what string, at pos, table, schema, sql text) (semantic.Source, pos) {
	switch {
	case table.set() && sql.set():
		b.r.add(sql.at, `%s has "table" or "sql", not both`, what)
	case !table.set() && !sql.set():
		b.r.add(at, `%s needs the key "table" or "sql"`, what)
	case sql.set() && schema.set():
		b.r.add(schema.at, `"schema" goes with "table", not with "sql"`)
	case sql.set():
		query := strings.TrimSpace(sql.value)
		if strings.HasSuffix(query, ";") {
			b.r.add(sql.at, "the query must not end in a semicolon: it stands inside another")
		}
		return semantic.Source{SQL: query}, sql.at
	default:
		return semantic.Source{Schema: schema.value, Table: table.value}, table.at
	}
	return semantic.Source{}, at
}

// finish indexes the fields and checks all that refers to them.
func (b *builder) finish() {
	if clash := b.model.Index(); clash != "" && !b.failed() {
		b.r.add(b.raw.model.at, "two fields of the model are named %q", clash)
	}
	b.checkTime()
	b.checkOrder()
	b.checkRequired()
	b.checkExamples()
	b.checkMeasures()
	b.checkAccess()
	b.checkRollups()
}

// failed reports whether the file has a problem already; a clash of names is then most likely reported in
// better words.
func (b *builder) failed() bool { return b.broken || len(b.r.problems) > 0 }
