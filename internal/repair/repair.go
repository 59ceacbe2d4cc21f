// Package repair finds the one sensible mend of a refused tool call, as a JSON Patch on the arguments that were sent.
// It knows other languages' habits and the names that the caller may see; whether a mended call holds is what the
// given trial says, and where two mends would hold there is none.
package repair

import (
	"context"
	"strings"

	"parlance/internal/fault"
	"parlance/internal/jsontree"
	"parlance/internal/semantic"
)

// Sight is what the caller may see; a mend names nothing else.
type Sight interface {
	Models() []Model                       // of the namespace
	Fields(model string) []*semantic.Field // nil where the caller sees no such model
	Masked(model string, f *semantic.Field) bool
}

// Model is a model as people call it.
type Model struct {
	Name     string
	Caption  string
	Synonyms []string
}

// Trial reads and compiles arguments as the tool would, and runs nothing. Its error is the refusal, with paths from
// the arguments' root. One about a required argument has the reason MissingArgument.
type Trial func(ctx context.Context, args jsontree.Node) error

// MissingArgument is the reason of a refusal for want of a required argument, which its path names.
const MissingArgument = "missing_argument"

// The bounds of one mend: mistakes that are mended one after the other, and trials in all.
const (
	maxRounds = 20
	maxTrials = 30
)

// Mend returns the patch after which the arguments hold, or nil: nothing is known against the refusal, more than one
// mend would do, or the call would be refused for another reason.
func Mend(ctx context.Context, args jsontree.Node, refused *fault.Error, sight Sight, try Trial) Patch {
	s := search{ctx: ctx, sight: sight, try: try, left: maxTrials, seen: map[string]bool{}}
	patch, tree := unquoted(args, refused)
	for range maxRounds {
		if s.circles(refused) || !mendable(refused) {
			return nil
		}
		step, mended, err := s.choose(tree, refused)
		if step == nil {
			return nil
		}
		patch, tree = append(patch, step...), mended
		if err == nil {
			return patch
		}
		refused = err
	}
	return nil
}

// mendable reports whether other arguments could help. What is forbidden is never led around.
func mendable(f *fault.Error) bool { return f.Kind == fault.Invalid || f.Reason == "unknown_model" }

// search is the state of one mend.
type search struct {
	ctx   context.Context
	sight Sight
	try   Trial
	left  int
	seen  map[string]bool
}

// circles reports whether the refusal was met before.
func (s *search) circles(f *fault.Error) bool {
	key := f.Reason + "\x00" + f.Path + "\x00" + f.Got
	was := s.seen[key]
	s.seen[key] = true
	return was
}

// spent reports whether there are no trials or there is no time left.
func (s *search) spent() bool { return s.left == 0 || s.ctx.Err() != nil }

// choose tries every mend of one refusal and returns the only one that helps, with what is refused after it, if
// anything. Of several a mend helps when nothing is refused any more, or something elsewhere; one alone is judged by
// where it leads.
func (s *search) choose(tree jsontree.Node, refused *fault.Error) (won Patch, mended jsontree.Node, rest *fault.Error) {
	m := newMistake(tree, refused, s.sight)
	alternatives := m.mends()
	for _, alternative := range alternatives {
		if s.spent() {
			return nil, tree, nil
		}
		after, ok := alternative.Apply(tree)
		if !ok {
			continue
		}
		s.left--
		var left *fault.Error
		if err := s.try(s.ctx, after); err != nil {
			left = fault.As(err)
		}
		if left != nil && len(alternatives) > 1 && !helped(refused, left) {
			continue
		}
		if won != nil {
			return nil, tree, nil
		}
		won, mended, rest = alternative, after, left
	}
	return won, mended, rest
}

// helped reports whether what is refused after a mend is another mistake: elsewhere, or of another kind in a place
// that only had the wrong shape, or the same with another name.
func helped(before, after *fault.Error) bool {
	switch {
	case before.Reason == after.Reason:
		return before.Path != after.Path || before.Got != after.Got && after.Reason == "unknown_field"
	case shapes[before.Reason], before.Reason == "bad_value" && kinds[strings.Split(before.Got, " ")[0]]:
		return true
	}
	return entry(before.Path) != entry(after.Path)
}

// shapes are the refusals that come before any meaning is looked at.
var shapes = map[string]bool{
	"unknown_key": true, "unknown_argument": true, "wrong_type": true, "missing_key": true, "misplaced_key": true,
	"unknown_operator": true, "bad_expression": true, "bad_alias": true, MissingArgument: true, "unknown_model": true,
	"unknown_function": true,
}

// kinds are what a refusal got where a value had the wrong shape.
var kinds = map[string]bool{"object": true, "array": true, "string": true, "number": true, "boolean": true}

// unquoted decodes arguments, or a payload, that came as a string of JSON, where the refusal is about what is in it.
func unquoted(args jsontree.Node, refused *fault.Error) (Patch, jsontree.Node) {
	var patch Patch
	if inner, ok := decoded(args, jsontree.Object); ok {
		patch, args = Patch{replace(nil, inner)}, inner
	}
	payload, _ := args.Get("payload")
	if inner, ok := decoded(payload, jsontree.Object); ok && below("payload", refused.Path) {
		step := Patch{replace(pointer{"payload"}, inner)}
		if after, ok := step.Apply(args); ok {
			return append(patch, step...), after
		}
	}
	return patch, args
}

// decoded returns the document of a kind that a string holds.
func decoded(n jsontree.Node, kinds ...jsontree.Kind) (jsontree.Node, bool) {
	if n.Kind != jsontree.String {
		return n, false
	}
	inner, err := jsontree.Parse([]byte(n.Text))
	if err != nil {
		return n, false
	}
	for _, k := range kinds {
		if inner.Kind == k {
			return inner, true
		}
	}
	return n, false
}
