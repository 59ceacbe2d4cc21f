package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parlance/internal/fault"
)

// Problem is one thing that is wrong with a model file, in words for the person who wrote it.
type Problem struct {
	File    string // relative to the namespace's folder; "" is the folder itself
	Line    int    // counted from 1; 0 when the problem has no place in the file
	Column  int    // counted from 1
	Message string
}

// String returns file:line:column: message, the form that editors jump to.
func (p Problem) String() string {
	switch {
	case p.File == "":
		return p.Message
	case p.Line == 0:
		return p.File + ": " + p.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// pos is a place in a file. The zero pos is no place. It is small because every value of every file has one.
type pos struct{ line, column int32 }

// report collects the problems of one file.
type report struct {
	file     string
	problems []Problem
	unread   []Problem // that its database could not be reached; no problem of a model that may wait
}

func (r *report) add(at pos, format string, args ...any) {
	r.problems = append(r.problems, r.problem(at, format, args...))
}

func (r *report) problem(at pos, format string, args ...any) Problem {
	return Problem{File: r.file, Line: int(at.line), Column: int(at.column), Message: fmt.Sprintf(format, args...)}
}

// sorted returns the problems by file and place, each once.
func sorted(problems []Problem) []Problem {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Message, b.Message),
		)
	})
	return slices.Compact(problems)
}

// meant returns the end of a message about an unknown word: what it may have been meant as, or what may stand there.
func meant(got string, allowed []string) string {
	if near := fault.Closest(got, allowed); len(near) > 0 {
		quoted := make([]string, len(near))
		for i, w := range near {
			quoted[i] = strconv.Quote(w)
		}
		return "; did you mean " + strings.Join(quoted, " or ") + "?"
	}
	const shown = 12
	if len(allowed) == 0 || len(allowed) > shown {
		return ""
	}
	return "; allowed: " + strings.Join(allowed, ", ")
}
