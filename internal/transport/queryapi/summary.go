package queryapi

import (
	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/service"
)

var summaryKeys = []string{"queryModel", "columns", "slice"}

// decodeSummary reads a body of …/queryKpi. On an error the model's name is there if it could be read.
func decodeSummary(body []byte, limits query.Limits) (service.Summary, error) {
	var s service.Summary
	n, err := parseBody(body)
	if err != nil {
		return s, err
	}
	if err := checkKeys(n, summaryKeys); err != nil {
		return s, err
	}
	if s.Model, err = modelName(n); err != nil {
		return s, err
	}
	columns, ok := member(n, "columns")
	if !ok || columns.Kind == jsontree.Array && len(columns.Items) == 0 {
		return s, missing("columns", "name at least one measure")
	}
	if s.Columns, err = query.DecodeColumns(columns, "columns", limits); err != nil {
		return s, err
	}
	if slice, ok := member(n, "slice"); ok {
		s.Slice, err = query.DecodeSlice(slice, "slice", limits)
	}
	return s, err
}

func modelName(n jsontree.Node) (string, error) {
	name, ok := member(n, "queryModel")
	switch {
	case !ok || name.Kind == jsontree.String && name.Text == "":
		return "", missing("queryModel", "name the query model")
	case name.Kind != jsontree.String:
		return "", notAString("queryModel", name)
	}
	return name.Text, nil
}
