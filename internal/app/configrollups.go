package app

import (
	"time"

	"github.com/goccy/go-yaml/ast"
)

// RollupsConfig is how the pre-aggregations of models are kept.
type RollupsConfig struct {
	Folder  string        // where builds outlive the process; "": nowhere
	Timeout time.Duration // of a build; 0: 10 minutes
	AtOnce  int           // builds that run side by side; 0: 1
	Memory  int64         // bytes that their database may use before it writes to a temporary folder; 0: 2 GB
}

func (f *configFile) rollups(n ast.Node) {
	r := &f.config.Rollups
	f.mapping(n, "rollups", []key{
		{"folder", f.path("rollups.folder", &r.Folder)},
		{"timeout", parsed(f, "rollups.timeout", parseDuration, &r.Timeout)},
		{"at_once", whole(f, "rollups.at_once", 1, &r.AtOnce)},
		{"memory", parsed(f, "rollups.memory", parseSize, &r.Memory)},
	})
}
