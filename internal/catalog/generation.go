package catalog

import (
	"context"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"

	"parlance/internal/semantic"
)

// Options are what a namespace is loaded from.
type Options struct {
	Namespace  string
	FS         fs.FS             // the folder of model files; nil: Dir is read
	Dir        string            // the same as a real folder, which can be watched; "": FS is read and not watched
	Datasource string            // of models that name none
	Calendar   semantic.Calendar // defaults of the models; the zero Calendar is DefaultCalendar
	Cache      semantic.Caching  // how long answers may be used again unless a model says otherwise
	Schema     Schema            // the live database; nil: columns are not checked and types take defaults
	Attributes func() []string   // that identities of the namespace can have now; nil, or giving nil: not known, and not checked
	MaskSecret string            // the key of the mask hash; "": there is none
	Await      bool              // models whose database cannot be reached wait for it; otherwise that is a problem

	Sequence uint64      // counts the loads of a namespace and makes the ID differ from one to the next
	Previous *Generation // of the same options, whose unchanged files and models need no work; nil: none
	Recheck  bool        // build the models of unchanged files too, for the database may have changed
}

// Generation is one checked state of a namespace. It is never changed; neither are the models it holds, some of which
// may stand in other generations too.
type Generation struct {
	Namespace    string
	ID           string            // differs between any two loads of a namespace
	Models       []*semantic.Model // in the order of their files' paths
	ByName       map[string]*semantic.Model
	Waiting      []*semantic.Model // not held against their database, which could not be reached: nothing of them may be answered
	Dictionaries map[string]*semantic.Dictionary
	Files        []string // every file that was read, relative to the folder

	digest  [32]byte
	decoded []*decoded
	made    map[*decoded]made
	around  surroundings
	told    told
}

// Load reads and checks a namespace. It returns a generation when there is no problem, and otherwise nil and every
// problem, sorted by file and place.
func Load(ctx context.Context, o Options) (*Generation, []Problem) {
	files, problems := readFiles(o.folder(), o.Previous)
	return load(ctx, o, files, problems)
}

func load(ctx context.Context, o Options, files []sourceFile, problems []Problem) (*Generation, []Problem) {
	g := &Generation{Namespace: o.Namespace, digest: digest(files)}
	g.ID = fmt.Sprintf("%d-%s", o.Sequence, hex.EncodeToString(g.digest[:6]))
	g.decoded = decodeAll(files, o.Previous)
	for _, d := range g.decoded {
		g.Files = append(g.Files, d.path)
		problems = append(problems, d.problems...)
	}
	problems = append(problems, gone(o.Previous, g)...)
	problems = append(problems, checkAgain(ctx, o, g)...)
	switch {
	case ctx.Err() != nil:
		problems = append(problems, Problem{Message: "the load was cancelled"})
	case len(problems) == 0 && len(g.Models)+len(g.Waiting) == 0:
		problems = append(problems, Problem{Message: "the folder has no model files (*.yaml, *.yml)"})
	}
	if len(problems) > 0 {
		return nil, sorted(problems)
	}
	return g, nil
}

// gone reports files of policies that the generation before had: without them its models would stand open. That they
// were taken away for good is known only when the process starts anew.
func gone(before, now *Generation) []Problem {
	if before == nil {
		return nil
	}
	var problems []Problem
	for _, d := range before.decoded {
		if isPolicyFile(d.path) && !slices.Contains(now.Files, d.path) {
			problems = append(problems, Problem{File: d.path, Message: "the file of policies is gone; start the server anew if its rules are to hold no longer"})
		}
	}
	return problems
}

// ValidateDir returns every problem of a namespace's folder that can be found without a database.
func ValidateDir(dir fs.FS) []Problem {
	_, problems := Load(context.Background(), Options{FS: dir})
	return problems
}
