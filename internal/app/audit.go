package app

import (
	"context"
	"log/slog"

	"parlance/internal/audit"
	"parlance/internal/service"
)

// openAudit opens the record that a configuration asks for; nil where it asks for none.
func openAudit(c Config, log *slog.Logger) (*audit.Log, error) {
	a := c.Audit
	if a.File == "" {
		return nil, nil
	}
	return audit.Open(audit.Options{
		File: a.File, MaxSize: a.MaxSize, Keep: a.Keep, Values: a.Values, Serve: a.Serve, Namespace: c.DefaultNamespace, Log: log,
	})
}

// audited adds the record to what the service is made of.
func (s *server) audited(d service.Deps) service.Deps {
	if s.audit == nil {
		return d
	}
	d.Audit = s.audit
	if !s.config.Audit.Serve {
		d.Checks = append(d.Checks[:len(d.Checks):len(d.Checks)], service.Check{
			Name: "audit", Run: func(context.Context) error { return s.audit.Check() },
		})
	}
	return d
}

// reopenAudit follows whoever has moved the file of the record away.
func (s *server) reopenAudit() {
	if s.audit != nil {
		s.audit.Reopen()
	}
}

// closeAudit writes what is still to be recorded. It comes after everything that could be.
func (s *server) closeAudit() error {
	if s.audit == nil {
		return nil
	}
	return s.audit.Close()
}
