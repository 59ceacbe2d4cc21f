package query

import (
	"strings"

	"parlance/internal/fault"
	"parlance/internal/jsontree"
)

// Limits bound what a payload may hold (decision 67).
type Limits struct {
	Columns    int // entries of columns, and of every other list of fields
	Conditions int // comparisons and expressions in slice and having together
	Depth      int // of nested conditions
	ListValues int // values of one condition
}

// DefaultLimits are the limits where no setting says otherwise.
var DefaultLimits = Limits{Columns: 200, Conditions: 500, Depth: 16, ListValues: 10_000}

// DecodeOptions are what a transport decides about its payloads.
type DecodeOptions struct {
	Limits  Limits   // the zero Limits are DefaultLimits
	Format  bool     // the key format is known
	Ignored []string // further keys of the payload that are accepted and not read
}

// LegacyKeys are the keys that old clients send inside a payload and that mean nothing here (decision 38).
var LegacyKeys = []string{"queryModel", "autoGroupBy", "strictColumns", "optimizeAggSql", "queryId", "extData"}

var payloadKeys = []string{
	"columns", "exColumns", "slice", "having", "groupBy", "orderBy", "calculatedFields", "returnTotal", "distinct",
	"withSubtotals", "topN", "timeWindow", "start", "limit", "page", "pageSize",
}

// decoder reads one payload; it counts conditions over all clauses.
type decoder struct {
	limits     Limits
	conditions int
}

func newDecoder(l Limits) *decoder {
	if l == (Limits{}) {
		l = DefaultLimits
	}
	return &decoder{limits: l}
}

// Decode reads a payload strictly: an unknown key, a wrong type or a limit passed is an error that names its path.
// A null stands for an absent key.
func Decode(n jsontree.Node, o DecodeOptions) (*Query, error) {
	if n.Kind != jsontree.Object {
		return nil, wrongType("", "an object with the keys of the payload", n)
	}
	known := payloadKeys
	if o.Format {
		known = append(append([]string(nil), payloadKeys...), "format")
	}
	if err := checkKeys(n, "", known, o.Ignored); err != nil {
		return nil, err
	}
	d, q := newDecoder(o.Limits), &Query{}
	for _, m := range n.Members {
		if m.Value.Kind == jsontree.Null {
			continue
		}
		if err := d.clause(q, m.Key, m.Value); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// DecodeColumns reads a list of columns that stands at a path of its own.
func DecodeColumns(n jsontree.Node, path string, l Limits) ([]Column, error) {
	return newDecoder(l).columns(n, path)
}

// DecodeSlice reads a list of conditions that stands at a path of its own.
func DecodeSlice(n jsontree.Node, path string, l Limits) ([]Condition, error) {
	return newDecoder(l).slice(n, path)
}

// clause reads one key of the payload; an ignored one is not read.
func (d *decoder) clause(q *Query, key string, n jsontree.Node) (err error) {
	switch key {
	case "columns":
		q.Columns, err = d.columns(n, key)
	case "exColumns":
		q.ExColumns, err = d.names(n, key)
	case "slice":
		q.Slice, err = d.slice(n, key)
	case "having":
		q.Having, err = d.slice(n, key)
	case "groupBy":
		q.GroupBy, err = d.groups(n, key)
	case "orderBy":
		q.OrderBy, err = d.orders(n, key)
	case "calculatedFields":
		q.Calculated, err = d.calculated(n, key)
	case "returnTotal":
		q.ReturnTotal, err = boolean(n, key)
	case "distinct":
		q.Distinct, err = boolean(n, key)
	case "withSubtotals":
		q.Subtotals, err = boolean(n, key)
	case "topN":
		q.Top, err = d.top(n, key)
	case "timeWindow":
		q.Time, err = d.timeWindow(n, key)
	case "format":
		q.Format, err = format(n, key)
	default:
		_, err = q.Paging.Set(key, n)
	}
	return err
}

// Set reads one of the four paging keys and reports whether key is one. Only the type is checked here; a null
// stands for an absent key.
func (p *Paging) Set(key string, n jsontree.Node) (known bool, err error) {
	var to **int64
	switch key {
	case "start":
		to = &p.Start
	case "limit":
		to = &p.Limit
	case "page":
		to = &p.Page
	case "pageSize":
		to = &p.PageSize
	default:
		return false, nil
	}
	if n.Kind == jsontree.Null {
		return true, nil
	}
	*to, err = integer(n, key)
	return true, err
}

func format(n jsontree.Node, path string) (Format, error) {
	word, err := str(n, path)
	if err != nil {
		return DefaultFormat, err
	}
	switch word {
	case "rows":
		return RowsFormat, nil
	case "compact":
		return CompactFormat, nil
	}
	return DefaultFormat, unknownWord(path, "format", word, []string{"rows", "compact"})
}

// columns reads columns: strings.
func (d *decoder) columns(n jsontree.Node, path string) ([]Column, error) {
	var columns []Column
	err := d.each(n, path, "strings", func(item jsontree.Node, path string) error {
		text, err := str(item, path)
		if err != nil {
			return err
		}
		c, err := ParseColumn(text)
		columns = append(columns, c)
		return fault.Under(path, err)
	})
	return columns, err
}

// names reads a list of field names.
func (d *decoder) names(n jsontree.Node, path string) ([]string, error) {
	var names []string
	err := d.each(n, path, "strings", func(item jsontree.Node, path string) error {
		name, err := fieldName(item, path)
		names = append(names, name)
		return err
	})
	return names, err
}

// each calls read for every entry of a list of fields, with its path, until one fails.
func (d *decoder) each(n jsontree.Node, path, of string, read func(item jsontree.Node, path string) error) error {
	if n.Kind != jsontree.Array {
		return wrongType(path, "an array of "+of, n)
	}
	if len(n.Items) > d.limits.Columns {
		return tooMany(path, "entries", len(n.Items), d.limits.Columns)
	}
	for i, item := range n.Items {
		if err := read(item, indexed(path, i)); err != nil {
			return err
		}
	}
	return nil
}

// fieldName reads a plain name; whether a model has it is the resolver's question.
func fieldName(n jsontree.Node, path string) (string, error) {
	text, err := str(n, path)
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(text), fault.Under(path, checkText("The name", text))
}
