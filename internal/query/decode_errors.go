package query

import (
	"slices"
	"strings"

	"parlance/internal/fault"
	"parlance/internal/jsontree"
)

// maxAllowed is how many allowed words an error lists.
const maxAllowed = 10

// wrappers are keys that people put around a payload.
var wrappers = map[string]bool{"param": true, "params": true, "payload": true, "query": true, "arguments": true, "body": true}

// checkKeys refuses the first key of an object that is not known.
func checkKeys(n jsontree.Node, path string, known, ignored []string) error {
	for _, m := range n.Members {
		if !slices.Contains(known, m.Key) && !slices.Contains(ignored, m.Key) {
			return unknownKey(path, m.Key, known)
		}
	}
	return nil
}

// unknownKey names the key, the closest known one, and where a known key of the payload would belong.
func unknownKey(path, key string, known []string) error {
	e := fault.Invalidf("unknown_key", below(path, key), "Unknown key %q", clip(key))
	e.Got = clip(key)
	e.Closest = fault.Closest(key, known)
	lower := strings.ToLower(key)
	target := MeantKey(key)
	switch {
	case path != "" && slices.Contains(payloadKeys, key):
		e.Message = quoted(key) + " stands at the top of the payload, not in " + path
		e.Closest = nil
	case slices.Contains(known, target):
		e.Closest, e.Meant = []string{target}, target
		if target == "slice" {
			e.Hint = `filter conditions stand in "slice"`
		}
	case path != "" && target == "slice":
		e.Message = quoted(key) + ` is not a key of ` + path + `; filter conditions stand in "slice" at the top of the payload`
	case path == "" && wrappers[lower]:
		e.Hint = "the keys of the payload stand here themselves, with nothing around them"
	}
	if len(e.Closest) == 0 {
		e.Allowed = known[:min(len(known), maxAllowed)]
	}
	return e
}

func quoted(key string) string { return `"` + clip(key) + `"` }

// misplacedFilter tells a clause that stands inside a condition from a field of that name: a filter that is put one
// level too deep must not become another filter.
func misplacedFilter(path string, m jsontree.Member) error {
	nested := m.Value.Kind == jsontree.Object || m.Value.Kind == jsontree.Array
	lower := strings.ToLower(m.Key)
	switch {
	case m.Key == "slice" || m.Key == "having":
		return fault.Invalidf("misplaced_key", below(path, m.Key), "%q stands at the top of the payload, not in %s", m.Key, path).With(
			func(e *fault.Error) { e.Got, e.Hint = m.Key, `to nest conditions, use "$and", "$or" or "$not"` })
	case nested && MeantKey(m.Key) == "slice":
		return fault.Invalidf("misplaced_key", below(path, m.Key), "%q is not a key of a condition; conditions stand in %q themselves", clip(m.Key), "slice").With(
			func(e *fault.Error) { e.Got, e.Hint = clip(m.Key), `to nest conditions, use "$and", "$or" or "$not"` })
	case nested && slices.Contains(logicKeys, "$"+lower):
		return unknownKey(path, m.Key, logicKeys)
	}
	return nil
}

// wrongType says what kind of value stands where another should.
func wrongType(path, wanted string, n jsontree.Node) error {
	got := n.Kind.String()
	if n.Kind == jsontree.Array || n.Kind == jsontree.Object {
		got = "an " + got
	} else if n.Kind != jsontree.Null {
		got = "the " + got + " " + clip(string(n.Raw))
	}
	return fault.Invalidf("wrong_type", path, "Expected %s, got %s", wanted, got).With(func(e *fault.Error) {
		e.Got = n.Kind.String()
	})
}

func missingKey(path, key string) error {
	return fault.Invalidf("missing_key", below(path, key), "Key %q is missing", key)
}

func missingValue(path string, op Op) error {
	return fault.Invalidf("missing_key", below(path, "value"), "Key %q is missing; operator %q needs it", "value", op)
}

func givenTwice(path, one, other string) error {
	return fault.Invalidf("conflicting_keys", below(path, other), "Keys %q and %q contradict each other; give one of them", one, other)
}

func notAnInteger(path, got string) error {
	key := path[strings.LastIndexByte(path, '.')+1:]
	return fault.Invalidf("out_of_range", path, "%s is %s; it must be a whole number of at most 64 bits, without point or exponent", key, clip(got)).With(
		func(e *fault.Error) { e.Got = clip(got) })
}

func tooMany(path, what string, got, limit int) error {
	return fault.Invalidf("too_many", path, "There are %d %s; at most %d are allowed", got, what, limit)
}

func tooManyConditions(path string, limit int) error {
	return fault.Invalidf("too_many", path, "The payload has more than %d conditions", limit)
}

func conditionsTooDeep(path string, limit int) error {
	return fault.Invalidf("too_deep", path, "Conditions nest more than %d levels deep", limit)
}

func unknownWord(path, what, got string, allowed []string) error {
	return fault.Invalidf("bad_value", path, "%q is not a known %s", clip(got), what).With(func(e *fault.Error) {
		e.Got = clip(got)
		e.Closest = fault.Closest(got, allowed)
		e.Allowed = allowed[:min(len(allowed), maxAllowed)]
		if meaning := meantWord(what, got); meaning != "" {
			e.Closest, e.Meant = []string{meaning}, meaning
		}
	})
}

// meantWord returns the word that got stands for, where what is wanted has such words.
func meantWord(what, got string) string {
	switch what {
	case "direction":
		return MeantDirection(got)
	case "aggregation":
		return MeantFunction(got)
	case "grain":
		return meantBy(meantGrains, got)
	case "comparison":
		return meantBy(meantComparisons, got)
	}
	return ""
}

func unknownOperator(path, got string) error {
	return fault.Invalidf("unknown_operator", path, "%q is not a known operator", clip(got)).With(func(e *fault.Error) {
		e.Got = clip(got)
		if meaning := MeantOperator(got); meaning != "" {
			e.Closest, e.Meant = []string{meaning}, meaning
		} else {
			e.Closest = fault.Closest(got, wordyOps)
		}
		e.Hint = "the operators are " + strings.Join(OpWords, "  ")
	})
}

// wordyOps are the operators that a typing mistake can be near to: a sign is near to every other sign.
var wordyOps = slices.DeleteFunc(slices.Clone(OpWords), func(w string) bool { return len(w) < 4 })

func emptyCondition(path string) error {
	return fault.Invalidf("bad_value", path, "The condition is empty").With(func(e *fault.Error) {
		e.Hint = `a condition is {"field": …, "op": …, "value": …}`
	})
}

func emptyLogic(path string) error {
	return fault.Invalidf("bad_value", path, "There is no condition in the list; at least one is needed")
}

func objectValue(path, key string) error {
	return fault.Invalidf("bad_value", path, "%q is read as a field here, and its value must be a constant or a list of them", clip(key)).With(
		func(e *fault.Error) {
			e.Got = "object"
			e.Hint = `for another operator than =, write {"field": …, "op": …, "value": …}`
		})
}

func depthWithoutHierarchy(path string, op Op) error {
	return fault.Invalidf("bad_value", path, "Operator %q has no depth; only the hierarchy operators do", op)
}

func needlessValue(path string, op Op, n jsontree.Node) error {
	return fault.Invalidf("bad_value", path, "Operator %q takes no value, but there is %s", op, clip(string(n.Raw))).With(
		func(e *fault.Error) { e.Got = n.Kind.String() })
}

func notAnInterval(path string, op Op, n jsontree.Node) error {
	got := n.Kind.String()
	if n.Kind == jsontree.Array {
		got = "array of " + formatInt(int64(len(n.Items)))
	}
	return fault.Invalidf("bad_value", path, "Operator %q takes an array of two values, not %s", op, article(got)).With(func(e *fault.Error) {
		e.Got = got
		e.Hint = "a bound that is null is open"
	})
}

// article returns a kind with its article; null has none.
func article(kind string) string {
	switch {
	case kind == "null":
		return kind
	case strings.HasPrefix(kind, "a"), strings.HasPrefix(kind, "o"):
		return "an " + kind
	}
	return "a " + kind
}

func arrayForScalar(path string, op Op) error {
	return fault.Invalidf("bad_value", path, "Operator %q takes one value, not an array", op).With(func(e *fault.Error) {
		e.Got = "array"
		switch op {
		case Equal, StrictEqual:
			e.Hint = `use "in" for a list of values`
		case NotEqual:
			e.Hint = `use "not in" for a list of values`
		default:
		}
	})
}
