package query

import (
	"bytes"
	"encoding/json"
)

type payloadJSON struct {
	Columns     []string         `json:"columns,omitempty"`
	ExColumns   []string         `json:"exColumns,omitempty"`
	Slice       []any            `json:"slice,omitempty"`
	Having      []any            `json:"having,omitempty"`
	GroupBy     []groupJSON      `json:"groupBy,omitempty"`
	OrderBy     []orderJSON      `json:"orderBy,omitempty"`
	Calculated  []calculatedJSON `json:"calculatedFields,omitempty"`
	ReturnTotal bool             `json:"returnTotal,omitempty"`
	Distinct    bool             `json:"distinct,omitempty"`
	Subtotals   bool             `json:"withSubtotals,omitempty"`
	Top         *topJSON         `json:"topN,omitempty"`
	Time        *timeJSON        `json:"timeWindow,omitempty"`
	Start       *int64           `json:"start,omitempty"`
	Limit       *int64           `json:"limit,omitempty"`
	Page        *int64           `json:"page,omitempty"`
	PageSize    *int64           `json:"pageSize,omitempty"`
	Format      string           `json:"format,omitempty"`
}

type topJSON struct {
	By     orderJSON `json:"by"`
	N      int64     `json:"n"`
	Others bool      `json:"others,omitempty"`
}

type timeJSON struct {
	Field      string     `json:"field"`
	Grain      Grain      `json:"grain"`
	Comparison Comparison `json:"comparison"`
	Range      any        `json:"range"`
	Metrics    []string   `json:"targetMetrics,omitempty"`
}

type groupJSON struct {
	Field string `json:"field"`
	Agg   string `json:"agg,omitempty"`
}

type orderJSON struct {
	Field     string `json:"field"`
	Order     string `json:"order"`
	NullFirst bool   `json:"nullFirst,omitempty"`
	NullLast  bool   `json:"nullLast,omitempty"`
}

type calculatedJSON struct {
	Name          string       `json:"name"`
	Expression    string       `json:"expression"`
	Caption       string       `json:"caption,omitempty"`
	Description   string       `json:"description,omitempty"`
	Agg           string       `json:"agg,omitempty"`
	Type          string       `json:"type,omitempty"`
	PartitionBy   *[]string    `json:"partitionBy,omitempty"`
	WindowOrderBy *[]orderJSON `json:"windowOrderBy,omitempty"`
	WindowFrame   string       `json:"windowFrame,omitempty"`
}

type compareJSON struct {
	Field    string `json:"field"`
	Op       string `json:"op"`
	Value    *any   `json:"value,omitempty"`
	MaxDepth *int64 `json:"maxDepth,omitempty"`
}

// JSON returns the query as a payload in its canonical spelling. It decodes to an equal query, but for the paths of
// conditions that were spelt differently, and for Warnings, which are not part of a payload.
func (q *Query) JSON() []byte {
	p := payloadJSON{
		ExColumns: q.ExColumns, Slice: conditionsJSON(q.Slice), Having: conditionsJSON(q.Having),
		OrderBy: ordersJSON(q.OrderBy), ReturnTotal: q.ReturnTotal, Distinct: q.Distinct,
		Start: q.Paging.Start, Limit: q.Paging.Limit, Page: q.Paging.Page, PageSize: q.Paging.PageSize,
		Format: q.Format.String(), Subtotals: q.Subtotals,
	}
	if q.Top != nil {
		p.Top = &topJSON{By: ordersJSON([]Order{q.Top.By})[0], N: q.Top.N, Others: q.Top.Others}
	}
	if t := q.Time; t != nil {
		p.Time = &timeJSON{Field: t.Field, Grain: t.Grain, Comparison: t.Comparison, Range: operandJSON(t.Range), Metrics: t.Metrics}
	}
	for _, c := range q.Columns {
		p.Columns = append(p.Columns, c.String())
	}
	for _, g := range q.GroupBy {
		p.GroupBy = append(p.GroupBy, groupJSON(g))
	}
	for _, c := range q.Calculated {
		p.Calculated = append(p.Calculated, c.json())
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(p); err != nil {
		panic(err) // every part is a string, a number that is valid JSON, or built of such
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// String returns the word of the payload, or "" for the default.
func (f Format) String() string {
	switch f {
	case RowsFormat:
		return "rows"
	case CompactFormat:
		return "compact"
	case DefaultFormat:
	}
	return ""
}

func ordersJSON(orders []Order) []orderJSON {
	list := make([]orderJSON, len(orders))
	for i, o := range orders {
		list[i] = orderJSON{Field: o.Expr.String(), Order: "asc", NullFirst: o.Nulls == NullsFirst, NullLast: o.Nulls == NullsLast}
		if o.Desc {
			list[i].Order = "desc"
		}
	}
	return list
}

func (c Calculated) json() calculatedJSON {
	j := calculatedJSON{
		Name: c.Name, Expression: c.Expr.String(), Caption: c.Caption, Description: c.Description, Agg: c.Agg, Type: c.Type,
	}
	if c.Window == nil {
		return j
	}
	by, orders := make([]string, len(c.Window.PartitionBy)), ordersJSON(c.Window.OrderBy)
	for i, e := range c.Window.PartitionBy {
		by[i] = e.String()
	}
	j.PartitionBy, j.WindowOrderBy = &by, &orders
	if c.Window.Frame != nil {
		j.WindowFrame = c.Window.Frame.String()
	}
	return j
}

func conditionsJSON(conds []Condition) []any {
	list := make([]any, len(conds))
	for i, c := range conds {
		list[i] = conditionJSON(c)
	}
	return list
}

func conditionJSON(c Condition) any {
	switch c := c.(type) {
	case *Compare:
		j := compareJSON{Field: c.Field.String(), Op: c.Op.String(), MaxDepth: c.MaxDepth}
		if c.Value != nil {
			v := operandJSON(c.Value)
			j.Value = &v
		}
		return j
	case *Logic:
		key := [...]string{"$and", "$or", "$not"}[c.Op]
		return map[string]any{key: conditionsJSON(c.Conds)}
	case *ExprCondition:
		return map[string]any{"$expr": c.Expr.String()}
	}
	return nil
}

func operandJSON(o Operand) any {
	switch o := o.(type) {
	case Scalar:
		return o.json()
	case List:
		list := make([]any, len(o))
		for i, s := range o {
			list[i] = s.json()
		}
		return list
	case FieldRef:
		return map[string]any{"$field": o.Expr.String()}
	}
	return nil
}

// json returns the constant; a number that JSON cannot write stays text.
func (s Scalar) json() any {
	switch s.Kind {
	case NullLiteral:
		return nil
	case BoolLiteral:
		return s.Text == "true"
	case NumberLiteral:
		if json.Valid([]byte(s.Text)) {
			return json.RawMessage(s.Text)
		}
	case StringLiteral:
	}
	return s.Text
}
