package service

import (
	"context"

	"parlance/internal/access"
	"parlance/internal/compile"
	"parlance/internal/query"
	"parlance/internal/repair"
	"parlance/internal/semantic"
)

// Check compiles a query under the caller's grant as Query does. It runs nothing and leaves nothing in the record: it is
// for mends that are thought of and not asked for.
func (s *Service) Check(ctx context.Context, c Caller, model string, q *query.Query, o QueryOptions) error {
	t, err := s.find(c, model)
	if err != nil {
		return err
	}
	_, err = compile.Query(s.request(t, q, o.DefaultRows, s.today(ctx, t.view, t.seen)))
	return err
}

// Sight returns what the caller may see of the models of the namespace.
func (s *Service) Sight(c Caller) (repair.Sight, error) {
	v, err := s.view(c)
	if err != nil {
		return nil, err
	}
	return sight{v}, nil
}

type sight struct{ view }

// Models returns the models that the caller may see.
func (s sight) Models() []repair.Model {
	var list []repair.Model
	for _, m := range s.models() {
		list = append(list, repair.Model{Name: m.Name, Caption: m.Caption, Synonyms: m.Synonyms})
	}
	return list
}

// Fields returns the fields of a model that the caller may see.
func (s sight) Fields(model string) []*semantic.Field {
	m, err := s.model(model)
	if err != nil {
		return nil
	}
	return m.fields
}

// Masked reports whether the caller is shown something else than a field's values.
func (s sight) Masked(model string, f *semantic.Field) bool {
	m, err := s.model(model)
	return err != nil || m.grant.Field(f) != access.Visible
}
