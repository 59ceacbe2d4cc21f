package app

import "runtime/debug"

// version is set by the linker: -ldflags "-X parlance/internal/app.version=1.2.3".
var version string

// Version returns what the linker was told, or the commit that the binary was built from, or dev.
func Version() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "dev"
	}
	var commit, dirty string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changed"
		}
	}
	if commit == "" {
		return "dev"
	}
	return "dev-" + commit[:min(len(commit), 12)] + dirty
}
