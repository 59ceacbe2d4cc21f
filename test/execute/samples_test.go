package execute

import (
	"encoding/json"
	"time"

	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
	"parlance/test/evaluate"
)

// samples are the values that the fields of a world have, as constants of a payload.
type samples struct {
	data   *evaluate.Data
	values map[string][]any
}

// of returns the values of a model's fields; the evaluator tells them.
func (s samples) of(m *semantic.Model) func(*semantic.Field) []any {
	return func(f *semantic.Field) []any {
		key := m.Name + " " + f.Name
		if _, ok := s.values[key]; !ok {
			s.values[key] = s.read(m, f)
		}
		return s.values[key]
	}
}

func (s samples) read(m *semantic.Model, f *semantic.Field) []any {
	if m.Multi != nil {
		m, f = m.Multi.Facts[0], m.Multi.Field(m.Multi.Facts[0], f)
	}
	q := &query.Query{Columns: []query.Column{query.NewColumn(&query.Ref{Name: f.Name}, "")}, Distinct: true}
	answer, err := evaluate.Run(evaluate.Input{Model: m, Data: s.data, Query: q, DefaultRows: defaultRows})
	if err != nil {
		return nil
	}
	var list []any
	for _, row := range answer.Rows {
		if v := row[0]; !v.IsNull() && !v.Zoned {
			list = append(list, constant(v))
		}
	}
	return list
}

// constant returns a value as a payload writes it.
func constant(v evaluate.Value) any {
	switch v.Kind {
	case value.String:
		return v.Text
	case value.Boolean:
		return v.Bool
	case value.Integer, value.Decimal, value.Float:
		return json.Number(v.JSON(true, time.UTC))
	case value.Null, value.Date, value.Timestamp:
	}
	text := v.JSON(true, time.UTC)
	return text[1 : len(text)-1]
}
