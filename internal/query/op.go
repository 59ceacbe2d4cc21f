package query

import "strings"

// Op is a filter operator (decision 40). The zero Op is no operator.
type Op uint8

// The operators.
const (
	NoOp Op = iota
	Equal
	NotEqual
	StrictEqual // ===: as =, but null matches nothing
	Greater
	GreaterEqual
	Less
	LessEqual
	InList
	NotInList
	Contains
	EndsWith
	StartsWith
	NotContains
	NotEndsWith
	NotStartsWith
	Null
	NotNull
	NullOrEmpty
	NotNullOrEmpty
	ClosedInterval    // []
	RightOpenInterval // [)
	LeftOpenInterval  // (]
	OpenInterval      // ()
	BitsSet           // bit_in
	ChildrenOf
	DescendantsOf
	SelfAndDescendantsOf
	AncestorsOf
	SelfAndAncestorsOf
)

// spellings lists every spelling of an operator, the canonical one first, in the order that errors show them.
var spellings = []struct {
	op    Op
	words []string
}{
	{Equal, []string{"=", "==", "eq"}},
	{NotEqual, []string{"!=", "<>", "ne"}},
	{StrictEqual, []string{"==="}},
	{Greater, []string{">", "gt"}},
	{GreaterEqual, []string{">=", "gte"}},
	{Less, []string{"<", "lt"}},
	{LessEqual, []string{"<=", "lte"}},
	{InList, []string{"in"}},
	{NotInList, []string{"not in", "nin", "not_in", "notin"}},
	{Contains, []string{"like", "contains"}},
	{EndsWith, []string{"left_like", "ends_with"}},
	{StartsWith, []string{"right_like", "starts_with"}},
	{NotContains, []string{"not like", "not contains", "not_like", "not_contains"}},
	{NotEndsWith, []string{"not left_like", "not ends_with", "not_left_like", "not_ends_with"}},
	{NotStartsWith, []string{"not right_like", "not starts_with", "not_right_like", "not_starts_with"}},
	{Null, []string{"is null", "isNull", "is_null"}},
	{NotNull, []string{"is not null", "isNotNull", "is_not_null"}},
	{NullOrEmpty, []string{"isNullAndEmpty", "is_null_and_empty"}},
	{NotNullOrEmpty, []string{"isNotNullAndEmpty", "is_not_null_and_empty"}},
	{ClosedInterval, []string{"[]", "between"}},
	{RightOpenInterval, []string{"[)"}},
	{LeftOpenInterval, []string{"(]"}},
	{OpenInterval, []string{"()"}},
	{BitsSet, []string{"bit_in"}},
	{ChildrenOf, []string{"childrenOf", "children_of"}},
	{DescendantsOf, []string{"descendantsOf", "descendants_of"}},
	{SelfAndDescendantsOf, []string{"selfAndDescendantsOf", "self_and_descendants_of"}},
	{AncestorsOf, []string{"ancestorsOf", "ancestors_of"}},
	{SelfAndAncestorsOf, []string{"selfAndAncestorsOf", "self_and_ancestors_of"}},
}

var (
	opsByWord = opIndex()
	// OpWords are the canonical spellings, for error messages.
	OpWords = canonicalWords()
)

func opIndex() map[string]Op {
	index := map[string]Op{}
	for _, s := range spellings {
		for _, w := range s.words {
			index[strings.ToLower(w)] = s.op
		}
	}
	return index
}

func canonicalWords() []string {
	words := make([]string, len(spellings))
	for i, s := range spellings {
		words[i] = s.words[0]
	}
	return words
}

// ParseOp returns the operator that a word spells, in any case and with any run of white space as one blank.
func ParseOp(word string) (Op, bool) {
	op, ok := opsByWord[strings.ToLower(strings.Join(strings.Fields(word), " "))]
	return op, ok
}

// String returns the canonical spelling, or "" for NoOp.
func (op Op) String() string {
	for _, s := range spellings {
		if s.op == op {
			return s.words[0]
		}
	}
	return ""
}

// Arity is what a filter operator compares with.
type Arity uint8

// The arities.
const (
	TakesNothing  Arity = iota // is null and its kin
	TakesScalar                // one value, or another field
	TakesList                  // any number of values
	TakesInterval              // two values, each of which may be null
)

// Arity returns what the operator compares with.
func (op Op) Arity() Arity {
	switch op {
	case NoOp, Null, NotNull, NullOrEmpty, NotNullOrEmpty:
		return TakesNothing
	case ClosedInterval, RightOpenInterval, LeftOpenInterval, OpenInterval:
		return TakesInterval
	case InList, NotInList, BitsSet, ChildrenOf, DescendantsOf, SelfAndDescendantsOf, AncestorsOf, SelfAndAncestorsOf:
		return TakesList
	case Equal, NotEqual, StrictEqual, Greater, GreaterEqual, Less, LessEqual,
		Contains, EndsWith, StartsWith, NotContains, NotEndsWith, NotStartsWith:
	}
	return TakesScalar
}

// Hierarchical reports whether the operator walks a hierarchy, and so may have a maxDepth.
func (op Op) Hierarchical() bool { return op >= ChildrenOf && op <= SelfAndAncestorsOf }
