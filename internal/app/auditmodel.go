package app

import (
	"context"

	"parlance/internal/catalog"
	"parlance/internal/datasource"
	"parlance/internal/value"
	"parlance/models"
)

// auditSource is what the datasource of the record is called; no configuration can call one so.
const auditSource = "audit record"

// serveAudit adds the namespace in which admins query the record, where callers are known.
func (s *server) serveAudit(ctx context.Context) error {
	a := s.config.Audit
	if a.File == "" {
		return nil
	}
	if !a.served() {
		s.log.WarnContext(ctx, "the audit record cannot be queried: it needs auth of its own, or the same one in every namespace that has any")
		return nil
	}
	c := sourceConfig(DatasourceConfig{Type: "duckdb"}, s.config.Limits)
	c.Lines = &datasource.Lines{Table: "audit", File: a.File, Columns: auditColumns()}
	source, err := datasource.Open(ctx, auditSource, c, s.log)
	if err != nil {
		return err
	}
	s.world.sources[auditSource] = source
	s.world.namespaces = append(s.world.namespaces, catalog.Options{
		Namespace: a.Namespace, FS: models.Audit(), Datasource: auditSource, Calendar: defaultCalendar(), Schema: liveSchema(s.world.sources),
	})
	return nil
}

// auditColumns are the keys of a line; one that a line lacks is null.
func auditColumns() []datasource.Column {
	text, number := value.Type{Kind: value.String}, value.Type{Kind: value.Integer, Wide: true}
	columns := []datasource.Column{
		{Name: "run", Type: text}, {Name: "n", Type: number}, {Name: "time", Type: value.Type{Kind: value.Timestamp}},
		{Name: "sql", Type: value.Type{Kind: value.Boolean}}, {Name: "code", Type: value.Type{Kind: value.Integer}},
	}
	for _, name := range []string{
		"trace", "user", "credential", "roles", "interface", "endpoint", "tool", "mode", "namespace", "model", "generation",
		"question", "fields", "filters", "outcome", "got", "statement",
	} {
		columns = append(columns, datasource.Column{Name: name, Type: text})
	}
	for _, name := range []string{"rows", "total", "bytes", "duration"} {
		columns = append(columns, datasource.Column{Name: name, Type: number})
	}
	return columns
}
