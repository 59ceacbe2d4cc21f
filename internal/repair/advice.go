package repair

import (
	"context"
	"strconv"
	"strings"

	"parlance/internal/jsontree"
	"parlance/internal/query"
)

// Advise looks at arguments that hold for filters that mean something else than they look like: wildcards, which are
// plain text here, and a list that is one text. It returns what to say, and the patch that makes them what they look
// like.
func Advise(ctx context.Context, args jsontree.Node, try Trial) (warnings []string, patch Patch) {
	for _, clause := range []string{"slice", "having"} {
		list, _ := at(args, pointer{"payload", clause})
		for i, condition := range list.Items {
			warning, step := suspicious(condition, pointer{"payload", clause, strconv.Itoa(i)})
			if step != nil {
				warnings, patch = append(warnings, clause+"["+strconv.Itoa(i)+"]: "+warning), append(patch, step...)
			}
		}
	}
	if patch == nil {
		return nil, nil
	}
	after, ok := patch.Apply(args)
	if !ok || try(ctx, after) != nil {
		return warnings, nil
	}
	return warnings, patch
}

// suspicious returns what to say about one condition, and how to mend it.
func suspicious(condition jsontree.Node, p pointer) (string, Patch) {
	word, _ := condition.Get("op")
	v, _ := condition.Get("value")
	op, _ := query.ParseOp(word.Text)
	if v.Kind != jsontree.String {
		return "", nil
	}
	if list, ok := decoded(v, jsontree.Array); ok && (op == query.InList || op == query.NotInList) && len(list.Items) > 0 {
		return "the value is one text that looks like a list", Patch{replace(p.to("value"), list)}
	}
	to, inner, ok := unwild(op, v.Text)
	if !ok {
		return "", nil
	}
	patch := Patch{replace(p.to("value"), text(inner))}
	if to != op {
		patch = append(patch, replace(p.to("op"), text(to.String())))
	}
	return "% and * are plain text in a value; " + to.String() + " needs none", patch
}

// matches are the text operators by what is free before and after the text.
var matches = map[query.Op][3]query.Op{
	query.Contains:    {query.Contains, query.StartsWith, query.EndsWith},
	query.NotContains: {query.NotContains, query.NotStartsWith, query.NotEndsWith},
}

// unwild reads a pattern with wildcards at its ends as the operator that it amounts to.
func unwild(op query.Op, pattern string) (query.Op, string, bool) {
	by, ok := matches[op]
	inner := strings.Trim(pattern, "%*")
	if !ok || inner == "" || inner == pattern || strings.ContainsAny(inner, "%*") {
		return op, "", false
	}
	before, after := !strings.HasPrefix(pattern, inner), !strings.HasSuffix(pattern, inner)
	switch {
	case before && after:
		return by[0], inner, true
	case after && !strings.ContainsAny(inner[len(inner)-1:], "0123456789"):
		return by[1], inner, true
	case before:
		return by[2], inner, true
	}
	return op, "", false // 50% is a text that people search
}
