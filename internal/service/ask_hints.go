package service

import (
	"fmt"
	"strings"
	"time"

	"parlance/internal/access"
	"parlance/internal/fault"
	"parlance/internal/question"
)

// hints checks the caller's leanings: models and fields that the caller may not see are refused as in any query.
func (s *Service) hints(v view, h AskHints) (question.Hints, error) {
	if h.PreferModel != "" {
		if _, err := v.model(h.PreferModel); err != nil {
			return question.Hints{}, atPath("hints.prefer_model", err)
		}
	}
	for i, name := range h.PreferFields {
		if err := s.preferred(v, h.PreferModel, name); err != nil {
			return question.Hints{}, atPath(fmt.Sprintf("hints.prefer_fields[%d]", i), err)
		}
	}
	if err := checkRange(h.TimeRange); err != nil {
		return question.Hints{}, err
	}
	checked := question.Hints{PreferModel: h.PreferModel, PreferFields: h.PreferFields}
	if h.TimeRange != nil {
		checked.TimeRange = &question.TimeRange{From: h.TimeRange.From, To: h.TimeRange.To}
	}
	return checked, nil
}

// preferred refuses a field that no model of the caller has, or not the one that is preferred.
func (s *Service) preferred(v view, model, name string) error {
	models := v.models()
	if model != "" {
		m, err := v.model(model)
		if err != nil {
			return err
		}
		models = []seen{m}
	}
	var known []string
	var hiding *seen
	for i, m := range models {
		f := m.Field(name)
		switch {
		case f == nil:
		case m.grant.Field(f) == access.Hidden:
			if !m.grant.Conceals() {
				hiding = &models[i]
			}
		default:
			return nil
		}
		for _, f := range m.fields {
			known = append(known, f.Name)
		}
	}
	if hiding != nil {
		t, err := s.target(v, *hiding)
		if err != nil {
			return err
		}
		return s.refusedField(t, name)
	}
	return noSuchField(name, known)
}

func noSuchField(name string, known []string) error {
	e := fault.Invalidf("unknown_field", "", "No model has a field %q", fault.Clip(name))
	e.Got, e.Closest = fault.Clip(name), fault.Closest(name, unique(known))
	return e
}

// atPath moves a refusal to the argument that it is about.
func atPath(path string, err error) error {
	moved := *fault.As(err)
	moved.Path = path
	return &moved
}

// PeriodOf returns the days of a year, a quarter, a month or a day: 2024, 2024-Q1, 2024-03, 2024-03-05.
func PeriodOf(text string) (AskRange, bool) {
	from, months := time.Time{}, 0
	if year, quarter, ok := strings.Cut(text, "-Q"); ok && len(quarter) == 1 && quarter >= "1" && quarter <= "4" {
		start, err := time.Parse("2006", year)
		if err != nil {
			return AskRange{}, false
		}
		from, months = start.AddDate(0, 3*int(quarter[0]-'1'), 0), 3
	}
	for _, form := range []struct {
		layout string
		months int
	}{{"2006", 12}, {"2006-01", 1}, {time.DateOnly, 0}} {
		if t, err := time.Parse(form.layout, text); err == nil {
			from, months = t, form.months
		}
	}
	if from.IsZero() {
		return AskRange{}, false
	}
	to := from
	if months > 0 {
		to = from.AddDate(0, months, -1)
	}
	return AskRange{From: from.Format(time.DateOnly), To: to.Format(time.DateOnly)}, true
}

func checkRange(r *AskRange) error {
	if r == nil {
		return nil
	}
	for _, day := range []string{r.From, r.To} {
		if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
			e := fault.Invalidf("bad_value", "hints.time_range", "%q is not a day such as 2024-01-31", fault.Clip(day))
			e.Got = fault.Clip(day)
			return e
		}
	}
	if r.From != "" && r.To != "" && r.From > r.To {
		return fault.Invalidf("bad_value", "hints.time_range", "The range ends on %s, before it begins on %s", r.To, r.From)
	}
	return nil
}
