// Package service is the use cases: list and describe models, run a query, summarise, ask in plain words.
// It joins catalogue, grant, compiler and datasource; it knows no HTTP and no JSON-RPC.
package service

import (
	"parlance/internal/access"
	"parlance/internal/compile"
	"parlance/internal/query"
	"parlance/internal/result"
)

// Caller is who asks, and in which namespace.
type Caller struct {
	Namespace string // as the request names it; "" is the default namespace
	Identity  access.Identity
	TraceID   string
}

// QueryOptions are what a transport decides about a query.
type QueryOptions struct {
	Layout      result.Layout
	DefaultRows int64 // rows when the query names no limit
	MaxBytes    int   // of the encoded rows; 0: no cap. Rows that do not fit are left out and Truncated is set
	Validate    bool  // compile only: no rows, no totals
	ShowSQL     bool
	Diagnose    bool // where there are no rows, a warning says what keeps them away, as far as it can be told quickly
}

// Answer is the outcome of a query. Items and TotalData are JSON, ready to send.
type Answer struct {
	Items       []byte // an array of objects, or of arrays in the compact layout; never nil
	Columns     []result.Column
	Total       int64
	TotalData   []byte // an object, or nil when no totals were asked for
	Start       int64
	Limit       int64
	LimitSource compile.LimitSource
	Returned    int64
	Truncated   bool // by MaxBytes
	Warnings    []string
	Applied     Applied
	SQL         []string // page, count, totals; only when asked for

	release func()
}

// Applied is what the compiler did with a query, and what it took by default because the query did not say.
type Applied struct {
	compile.Applied
	Defaults *Defaults  `json:"defaults,omitempty"`
	Rollup   *RollupUse `json:"rollup,omitempty"` // nil: the answer was read from the model's own rows
	Cache    *CacheUse  `json:"cache,omitempty"`  // nil: answers of the model are never used again
}

// Defaults are the choices that a query left open.
type Defaults struct {
	OrderBy      []string          `json:"orderBy,omitempty"`
	Aggregations map[string]string `json:"aggregations,omitempty"` // of measures that the query names plainly
}

// Release gives the memory of Items back once they are sent; they must not be read afterwards. It may be called more
// than once or not at all.
func (a *Answer) Release() {
	if a.release != nil {
		a.release()
		a.release = nil
	}
}

// HasMore reports whether rows follow the ones returned.
func (a *Answer) HasMore() bool { return a.Start+a.Returned < a.Total }

// Summary is a request for measures over all rows of a slice (contract 4.4, queryKpi).
type Summary struct {
	Model   string
	Columns []query.Column
	Slice   []query.Condition
}

// ListOptions choose the models of a listing. The zero value lists the first page of them all.
type ListOptions struct {
	Search string // words that name, caption, description, synonyms or fields must have; the most relevant models stand first
	Limit  int    // models on a page; 0: 50
	Start  int    // models to pass over
}

// ModelList is the answer of dataset.list_models (decision 20). Total, Next and Hint are there only where the models are
// not simply all that the caller may see.
type ModelList struct {
	Namespace string      `json:"namespace"`
	Models    []ModelCard `json:"models"`
	Total     *int        `json:"total,omitempty"` // of the models that were searched for
	Next      *Next       `json:"next,omitempty"`
	Hint      string      `json:"hint,omitempty"`
}

// Next is where a listing reads on.
type Next struct {
	Start int `json:"start"`
	Limit int `json:"limit"`
}

// ModelCard is a routing card: enough to choose a model, small whatever its size.
type ModelCard struct {
	Name        string     `json:"name"`
	Caption     string     `json:"caption"`
	Description string     `json:"description"`
	Measures    int        `json:"measures"`
	Dimensions  int        `json:"dimensions"`
	TimeRange   *TimeRange `json:"timeRange,omitempty"`
}

// TimeRange is the first and the last day of a model's data.
type TimeRange struct {
	Field string `json:"field"`
	From  string `json:"from"`
	To    string `json:"to"`
}

// Metadata is the answer of dataset.get_metadata (decision 21).
type Metadata struct {
	Namespace    string                       `json:"namespace"`
	Models       []ModelFields                `json:"models"`
	FieldIndex   map[string]FieldCard         `json:"fieldIndex"`
	Dictionaries map[string][]DictionaryEntry `json:"dictionaries"`
}

// ModelFields is a model with the names of its fields.
type ModelFields struct {
	Name        string   `json:"name"`
	Caption     string   `json:"caption"`
	Description string   `json:"description"`
	Fields      []string `json:"fields"`
}

// FieldCard is what fields of one name are, and in which models they stand. Where other models mean something else by
// the name, Also says what.
type FieldCard struct {
	Kind     string      `json:"kind"`
	DataType string      `json:"dataType"`
	Caption  string      `json:"caption"`
	Models   []string    `json:"models"`
	Also     []FieldCard `json:"also,omitempty"`
}

// DictionaryEntry is a code with its label, which is left out where it is the code itself.
type DictionaryEntry struct {
	Code     string   `json:"code"`
	Label    string   `json:"label,omitempty"`
	Synonyms []string `json:"synonyms,omitempty"`
}

// Description is the answer of dataset.describe_model_internal (decision 22).
type Description struct {
	Model        string                       `json:"model"`
	Caption      string                       `json:"caption"`
	Description  string                       `json:"description"`
	Namespace    string                       `json:"namespace"`
	Key          []string                     `json:"key"`
	DefaultOrder []string                     `json:"defaultOrder"`
	MustFilter   []string                     `json:"requireFilter,omitempty"` // fields and dimensions that every query filters by
	Fields       []FieldDescription           `json:"fields"`
	Dictionaries map[string][]DictionaryEntry `json:"dictionaries"`
	Hierarchies  []HierarchyDescription       `json:"hierarchies"`
	TimeRange    *TimeRange                   `json:"timeRange,omitempty"`
	SampleValues map[string][]string          `json:"sampleValues"`
	Examples     []Example                    `json:"examples"`
	Abridged     string                       `json:"abridged,omitempty"` // what was left out to keep it short
}

// FieldDescription is one queryable name.
type FieldDescription struct {
	Name        string   `json:"name"`
	Kind        string   `json:"kind"`
	DataType    string   `json:"dataType"`
	Caption     string   `json:"caption"`
	Description string   `json:"description,omitempty"`
	Aggregation string   `json:"aggregation,omitempty"`
	Additivity  string   `json:"additivity,omitempty"` // additive, semi-additive (last over snapshotDate), non-additive
	Dictionary  string   `json:"dictionary,omitempty"`
	Synonyms    []string `json:"synonyms,omitempty"`
	Group       string   `json:"group,omitempty"`
	Unit        string   `json:"unit,omitempty"`
	Masked      bool     `json:"masked,omitempty"` // the caller sees a mask in place of its values
}

// HierarchyDescription is a parent-child tree that the hierarchy operators walk.
type HierarchyDescription struct {
	Dimension string `json:"dimension"`
	Field     string `json:"field"`
}

// Example is a question with the payload that answers it.
type Example struct {
	Question string `json:"question"`
	Payload  Raw    `json:"payload"`
}

// Raw is JSON that is sent as it is.
type Raw []byte

// MarshalJSON returns the bytes.
func (r Raw) MarshalJSON() ([]byte, error) { return r, nil }
