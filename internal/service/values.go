package service

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"time"

	"parlance/internal/access"
	"parlance/internal/compile"
	"parlance/internal/fault"
	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/result"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

const (
	listedValues    = 20          // of a request that names no limit
	listedNumbers   = 20          // a number or date with more values is told by its range
	shownNumbers    = 5           // examples beside a range
	valueBytes      = 30_000      // of the values of one answer
	closestPatience = time.Second // that a search without a match waits for what may have been meant
)

// ValuesRequest asks which values a field has.
type ValuesRequest struct {
	Model  string
	Field  string
	Slice  []query.Condition // of the rows whose values are meant
	Search string            // what the values, or the labels and synonyms of their codes, must contain; "": all
	Limit  int               // values on a page; 0: 20
	Start  int               // values to pass over
}

// FieldValues are the values of a field in the rows that the caller may see, the most frequent first. A number or a date
// of many values has a range and examples instead.
type FieldValues struct {
	Model     string          `json:"model"`
	Field     string          `json:"field"`
	Caption   string          `json:"caption"`
	DataType  string          `json:"dataType"`
	Masked    bool            `json:"masked,omitempty"`
	Values    []FieldValue    `json:"values,omitzero"` // nil where there is a range
	Range     *ValueRange     `json:"range,omitempty"`
	Examples  []FieldValue    `json:"examples,omitempty"` // the most frequent, beside a range
	Total     int64           `json:"total"`              // different values, null being one
	Truncated bool            `json:"truncated,omitempty"`
	Next      *Next           `json:"next,omitempty"`
	Closest   []string        `json:"closest,omitempty"` // where the search found nothing
	Hint      string          `json:"hint,omitempty"`
	Access    *compile.Access `json:"access,omitempty"`
	Warnings  []string        `json:"warnings,omitempty"`
}

// FieldValue is one value. Count is nil where the model has no rows of its own to count.
type FieldValue struct {
	Value Raw    `json:"value"`
	Label string `json:"label,omitempty"` // of a code
	Count *int64 `json:"count,omitempty"` // rows that have it
}

// ValueRange is the least and the greatest value.
type ValueRange struct {
	Min Raw `json:"min"`
	Max Raw `json:"max"`
}

// FieldValues returns values of a field by a query like any caller's: the same compiler, the same grant.
func (s *Service) FieldValues(ctx context.Context, c Caller, r ValuesRequest) (*FieldValues, error) {
	t, err := s.find(c, r.Model)
	if err != nil {
		return nil, err
	}
	f := t.Field(r.Field)
	if f == nil || t.grant.Field(f) == access.Hidden {
		return nil, s.refusedField(t, r.Field)
	}
	if f.Measure != nil {
		return nil, measureHasNoValues(r.Field)
	}
	if r.Search != "" && f.Type.Kind != value.String && f.Dictionary == nil {
		return nil, searchesTexts(r.Field, f.Type)
	}
	if strings.ContainsRune(r.Search, 0) {
		return nil, zeroByte()
	}
	ranged := (f.Type.Numeric() || f.Type.Temporal()) && f.Dictionary == nil
	if r.Limit <= 0 {
		r.Limit = listedValues
	}
	if ranged {
		r.Limit = max(r.Limit, listedNumbers)
	}
	v := &FieldValues{Model: t.Name, Field: f.Name, Caption: f.Caption, DataType: f.Type.Name(), Masked: t.tellsMask(f)}
	if err := s.listValues(ctx, c, t, f, r, v); err != nil {
		return nil, aboutField(err)
	}
	if ranged && v.Total > listedNumbers {
		s.rangeOf(ctx, t, f, r.Slice, v)
	}
	if v.Total == 0 && r.Search != "" {
		s.suggestValues(ctx, t, f, r.Search, v)
	}
	return v, nil
}

// refusedField is the resolver's own refusal of a name.
func (s *Service) refusedField(t target, name string) error {
	q := &query.Query{Columns: []query.Column{{Expr: &query.Ref{Name: name}, Text: name}}}
	_, err := compile.Query(s.request(t, q, 0, s.Now()))
	if err == nil {
		return fault.Internalf(nil, "A field that is not there was compiled")
	}
	return aboutField(err)
}

// listValues reads a page of values and how many there are.
func (s *Service) listValues(ctx context.Context, c Caller, t target, f *semantic.Field, r ValuesRequest, v *FieldValues) error {
	q := valuesQuery(t, f, r)
	a, err := s.Query(ctx, c, t.Name, q, QueryOptions{Layout: result.Compact, MaxBytes: valueBytes})
	if err != nil {
		return err
	}
	defer a.Release()
	tree, err := jsontree.Parse(a.Items)
	if err != nil {
		return err
	}
	v.Values = []FieldValue{}
	v.Total, v.Access, v.Warnings = a.Total, a.Applied.Access, a.Warnings
	for _, row := range tree.Items {
		v.Values = append(v.Values, valueOf(f, row.Items))
	}
	if a.HasMore() && a.Returned > 0 {
		v.Truncated, v.Next = true, &Next{Start: r.Start + int(a.Returned), Limit: r.Limit}
		v.Hint = "More values follow. Search for a part of the value; next reads on."
	}
	return nil
}

// valueOf reads a row of values: the value and, where there are rows to count, their number.
func valueOf(f *semantic.Field, cells []jsontree.Node) FieldValue {
	v := FieldValue{Value: bytes.Clone(cells[0].Raw)}
	if f.Dictionary != nil && f.Role != semantic.CodeLabel {
		v.Label = labelOf(f.Dictionary, cells[0].Text)
	}
	if len(cells) > 1 {
		if n, err := strconv.ParseInt(cells[1].Text, 10, 64); err == nil {
			v.Count = &n
		}
	}
	return v
}

// labelOf returns the label of a code, "" if it has none of its own.
func labelOf(d *semantic.Dictionary, code string) string {
	for _, e := range d.Entries {
		if e.Code == code && e.Label != code {
			return e.Label
		}
	}
	return ""
}

// rangeOf puts the least and the greatest value in the place of a list of many numbers or dates. Without them the list
// stays.
func (s *Service) rangeOf(ctx context.Context, t target, f *semantic.Field, slice []query.Condition, v *FieldValues) {
	least, most, ok := s.ends(ctx, t, f, slice)
	if !ok {
		return
	}
	v.Range = &ValueRange{Min: jsonOf(least, f.Type), Max: jsonOf(most, f.Type)}
	v.Examples, v.Values = v.Values[:min(len(v.Values), shownNumbers)], nil
	v.Truncated, v.Next, v.Hint = false, nil, ""
}

// ends returns the texts of the least and the greatest value of a field in the rows that are meant and that the caller may
// see.
func (s *Service) ends(ctx context.Context, t target, f *semantic.Field, slice []query.Condition) (least, most string, ok bool) {
	rows, err := s.values(ctx, t.view, t.seen, &query.Query{Slice: slice, Columns: []query.Column{
		call("min", f.Name, t.unused("least")), call("max", f.Name, t.unused("most")),
	}}, 1)
	if err != nil || len(rows) != 1 || len(rows[0]) != 2 || rows[0][0] == "" {
		return "", "", false
	}
	return rows[0][0], rows[0][1], true
}

// jsonOf writes the text of a value as answers do: numbers as they are, all else as a string.
func jsonOf(text string, t value.Type) Raw {
	if t.Numeric() {
		return Raw(text)
	}
	return Raw(strconv.Quote(text))
}

// suggestValues says what may have been meant by a search that found nothing.
func (s *Service) suggestValues(ctx context.Context, t target, f *semantic.Field, search string, v *FieldValues) {
	ctx, cancel := context.WithTimeout(ctx, closestPatience)
	defer cancel()
	v.Closest = s.closestValues(ctx, t, f, search)
	v.Hint = "No value contains this. Search for a shorter part of it, or list the values without search."
}
