// Package semantic is the vocabulary of models: what a caller can ask for and where in the database it stands.
// A Model is checked and immutable once the catalogue has built it; this package reads no file and writes no SQL.
package semantic

import (
	"time"

	"parlance/internal/compute"
	"parlance/internal/query"
	"parlance/internal/value"
)

// Model is a named view of data that clients query. It is never changed after Index.
type Model struct {
	Name        string
	Caption     string
	Description string
	Synonyms    []string
	Datasource  string
	Source      Source
	Key         []string // columns of Source that tell its rows apart; empty: none declared
	Time        string   // the dimension or attribute that "last month" speaks of; "" if none
	Calendar    Calendar

	DefaultOrder  []query.Order
	RequireFilter []string
	Examples      []Example

	Dimensions []*Dimension
	Attributes []*Attribute
	Measures   []*Measure

	Multi *MultiFact // set on a model of several facts, which has no Source of its own

	Cache Caching

	Access *Policy // nil: open to whoever reaches the namespace

	Rollups []*Rollup // in the order of the file

	fields []*Field
	byName map[string]*Field
	made   map[*Field][]*Field
	same   map[*Field][]*Field
}

// Source is where rows come from: a table, or a query that the model's author wrote. Exactly one is set.
type Source struct {
	Schema string // of Table; "" is the datasource's default
	Table  string
	SQL    string
}

// Calendar is how a model reads dates and relative times.
type Calendar struct {
	Zone        *time.Location // never nil in a checked model
	WeekStart   time.Weekday
	FiscalStart time.Month
	Today       Today
}

// YearStart is the first day of the fiscal year that holds a day; both are midnights of one zone.
func (c Calendar) YearStart(d time.Time) time.Time {
	first := c.FiscalStart
	if first < time.January || first > time.December {
		first = time.January
	}
	start := time.Date(d.Year(), first, 1, 0, 0, 0, 0, d.Location())
	if start.After(d) {
		start = start.AddDate(-1, 0, 0)
	}
	return start
}

// Today is what relative dates count from: a fixed day (value.Date text), the newest day in the data, or, when
// both are unset, the clock.
type Today struct {
	Fixed  string
	Latest bool
}

// Example is a question with the payload that answers it.
type Example struct {
	Question string
	Payload  string // JSON
}

// Dimension is a table that rows point to, many rows to one of its own.
type Dimension struct {
	Name        string
	Alias       string // a second name; "" if none
	Path        string // product.category for a nested one
	Caption     string
	Description string
	Synonyms    []string
	Parent      *Dimension // nil when the model's own rows point here
	Source      Source
	Join        []JoinColumn // from the parent's (or the model's) columns to this table's key
	ID          string       // column
	Label       string       // column; "" means ID
	IDType      value.Type
	LabelType   value.Type
	Date        bool // a calendar table
	Attributes  []*Attribute
	Dimensions  []*Dimension
	Hierarchy   *Hierarchy
}

// JoinColumn pairs a column of the pointing table with a key column of the dimension.
type JoinColumn struct {
	From, To string
	Type     value.Type // of the key column; of the zero Kind where that is not known
}

// Hierarchy is a parent-child tree: a closure table with one row for every ancestor and descendant, a node and
// itself included at distance 0.
type Hierarchy struct {
	Closure    Source
	Ancestor   string
	Descendant string
	Distance   string // "" if the closure has none
	Parent     string // the parent column when the tree is built from one and Closure is unset
}

// AncestorColumn is the column of the closure that holds the node above.
func (h *Hierarchy) AncestorColumn() string {
	if h.Parent != "" {
		return "ancestor"
	}
	return h.Ancestor
}

// DescendantColumn is the column of the closure that holds the node below.
func (h *Hierarchy) DescendantColumn() string {
	if h.Parent != "" {
		return "descendant"
	}
	return h.Descendant
}

// DistanceColumn is the column of the closure that counts the steps between the two; "" if it has none.
func (h *Hierarchy) DistanceColumn() string {
	if h.Parent != "" {
		return "distance"
	}
	return h.Distance
}

// Attribute is a column of the model's own rows or of a dimension.
type Attribute struct {
	Name        string
	Column      string
	Type        value.Type
	Caption     string
	Description string
	Synonyms    []string
	Group       string
	Dictionary  *Dictionary // nil if the values speak for themselves
	Native      bool        // collation: native; compared as the database does
}

// Dictionary gives codes their labels, in the order of the file.
type Dictionary struct {
	Name    string
	Entries []Entry
}

// Entry is one code of a dictionary.
type Entry struct {
	Code     string
	Label    string
	Synonyms []string
}

// Agg is how a measure's rows become one value. The zero Agg is an expression measure's.
type Agg = compute.Agg

// The aggregations of model files; the same words are functions of the query language.
const (
	Sum           = compute.Sum
	Avg           = compute.Avg
	Count         = compute.Count
	CountDistinct = compute.CountDistinct
	Min           = compute.Min
	Max           = compute.Max
	Median        = compute.Median
	StddevPop     = compute.StddevPop
	StddevSamp    = compute.StddevSamp
	VarPop        = compute.VarPop
	VarSamp       = compute.VarSamp
	GroupConcat   = compute.GroupConcat
)

// Aggs are all aggregations, in the order that errors show them.
var Aggs = []Agg{Sum, Avg, Count, CountDistinct, Min, Max, GroupConcat, StddevPop, StddevSamp, VarPop, VarSamp, Median}

// Measure is a number that is asked for over many rows.
type Measure struct {
	Name        string
	Caption     string
	Description string
	Synonyms    []string
	Group       string
	Unit        string
	Agg         Agg
	Column      string     // "" for a count of rows and for an expression
	Type        value.Type // of the column, or the declared type of an expression
	Filter      query.Expr // rows that count; nil: all
	Expression  query.Expr // over other measures; nil unless Agg is ""
	SemiAdd     *SemiAdditive
	Of          *MeasureOf // in a multi-fact model: whose measure this is
}

// MeasureOf points from a multi-fact model to the fact's own measure.
type MeasureOf struct {
	Fact    *Model
	Measure *Measure
}

// AggregateOnly reports whether the measure has no raw value in a row: counts, distinct counts, ratios.
func (m *Measure) AggregateOnly() bool {
	return m.Agg == "" || m.Agg == Count || m.Agg == CountDistinct
}

// SemiAdditive says that a measure is not added up along Over, a time dimension or attribute: of each output group
// (and of each series, with Per) only the rows at one end of it count.
type SemiAdditive struct {
	Over string
	Use  SemiUse
	Per  []string
}

// SemiUse is which rows along a time dimension count.
type SemiUse string

// The uses of a semi-additive measure.
const (
	UseLast  SemiUse = "last"
	UseFirst SemiUse = "first"
	UseAvg   SemiUse = "avg"
	UseMin   SemiUse = "min"
	UseMax   SemiUse = "max"
)

// MultiFact is several models seen side by side along what they share.
type MultiFact struct {
	Facts []*Model
	Share []Shared
}

// Shared is a dimension that every fact has, perhaps under its own name.
type Shared struct {
	Name string
	In   map[string]string // fact model name → its dimension's name
}
