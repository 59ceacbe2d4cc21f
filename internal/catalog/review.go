package catalog

import (
	"context"

	"parlance/internal/semantic"
)

// Review is a namespace as far as its files could be read, for people to look at. Its models may have problems, and
// none of them may be served.
type Review struct {
	Models   []*semantic.Model // in the order of their files' paths
	Problems []Problem         // sorted by file and place
	names    map[string]string // of models, by file
}

// ModelIn returns the name of the model that a file holds, or "".
func (r *Review) ModelIn(file string) string { return r.names[file] }

// Examine reads a namespace like Load and returns all that there is to see, problems or not.
func Examine(ctx context.Context, o Options) *Review {
	files, problems := readFiles(o.folder(), nil)
	g := &Generation{Namespace: o.Namespace, decoded: decodeAll(files, nil)}
	r := &Review{names: map[string]string{}}
	for _, d := range g.decoded {
		problems = append(problems, d.problems...)
		if d.model != nil {
			r.names[d.path] = d.model.model.value
		}
	}
	problems = append(problems, check(ctx, o, g)...)
	if len(problems) == 0 && len(g.Models) == 0 {
		problems = append(problems, Problem{Message: "the folder has no model files (*.yaml, *.yml)"})
	}
	r.Models, r.Problems = g.Models, sorted(problems)
	return r
}
