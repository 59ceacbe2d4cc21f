package service

import (
	"fmt"
	"slices"

	"parlance/internal/fault"
	"parlance/internal/semantic"
)

const maxAllowed = 10

func unknownNamespace(name string) error {
	return &fault.Error{
		Kind: fault.NotFound, Reason: "unknown_namespace", Message: fmt.Sprintf("Namespace %q does not exist", name),
		Got: name,
	}
}

func unknownModel(name string, v view) error {
	var names []string
	for _, m := range slices.Concat(v.models(), v.waiting()) {
		names = append(names, m.Name)
	}
	e := &fault.Error{
		Kind: fault.NotFound, Reason: "unknown_model", Message: fmt.Sprintf("Model %q does not exist", name),
		Got: name, Closest: fault.Closest(name, names),
	}
	switch {
	case len(e.Closest) > 0:
	case len(names) <= maxAllowed:
		e.Allowed = names
	default:
		e.Hint = "dataset.list_models lists the models"
	}
	return e
}

func deniedModel(name string) error {
	return &fault.Error{
		Kind: fault.Forbidden, Reason: "forbidden_model", Message: fmt.Sprintf("No permission to access model %q", name),
		Got: name,
	}
}

func noSource(m *semantic.Model) error {
	return fault.Internalf(fmt.Errorf("datasource %q is not open", m.Datasource), "Model %q has no datasource", m.Name)
}

func badCount(cells []any) error {
	var got any
	if len(cells) == 1 {
		got = cells[0]
	}
	return fault.Internalf(fmt.Errorf("got %d cells, the first a %T", len(cells), got), "A count came back in an unexpected form")
}

func notOneRow() error {
	return fault.Internalf(nil, "A statement that gives one row gave none or several")
}

func wordsNotRead() error {
	return &fault.Error{
		Kind: fault.Unavailable, Reason: "not_ready", Retryable: true,
		Message: "The words of the data are still being read", Hint: "try again in a moment",
	}
}
