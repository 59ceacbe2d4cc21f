package repair

import (
	"slices"
	"strings"

	"parlance/internal/fault"
	"parlance/internal/jsontree"
	"parlance/internal/semantic"
)

// mistake is one refusal with the place in the arguments that it speaks of.
type mistake struct {
	args  jsontree.Node
	fault *fault.Error
	sight Sight

	at    pointer
	node  jsontree.Node
	found bool // the path leads somewhere
}

func newMistake(args jsontree.Node, f *fault.Error, s Sight) *mistake {
	m := &mistake{args: args, fault: f, sight: s}
	m.at, m.node, m.found = locate(args, f.Path)
	return m
}

// mends returns what would each mend the mistake: the first list that is not empty of those that its reason knows.
func (m *mistake) mends() []Patch {
	if strings.HasSuffix(m.fault.Got, "…") {
		return nil // what was wrong is known only in part
	}
	for _, mender := range menders[m.fault.Reason] {
		if mends := mender(m); len(mends) > 0 {
			return mends
		}
	}
	return nil
}

// mender knows one kind of mistake; it returns nothing where the mistake is another.
type mender func(*mistake) []Patch

// menders are tried in order.
var menders = map[string][]mender{
	MissingArgument:         {(*mistake).misnamedArgument, (*mistake).argumentWithin, (*mistake).payloadBeside, (*mistake).listOfOne},
	"unknown_argument":      {(*mistake).keyBesidePayload, (*mistake).renamedKey},
	"unknown_model":         {(*mistake).modelMeant},
	"bad_argument":          {(*mistake).wordMeant, (*mistake).flagInWords},
	"unknown_key":           {(*mistake).wrapped, (*mistake).argumentInPayload, (*mistake).dimensionsAndMeasures, (*mistake).meaningless, (*mistake).orderByName, (*mistake).orderFlag, (*mistake).bounds, (*mistake).logic, (*mistake).aggregated, (*mistake).atTheTop, (*mistake).renamedKey},
	"misplaced_key":         {(*mistake).logic},
	"missing_key":           {(*mistake).plainEquality},
	"wrong_type":            {(*mistake).stringOfJSON, (*mistake).listInWords, (*mistake).oneForList, (*mistake).flagInWords, (*mistake).numberInWords, (*mistake).columnObject, (*mistake).conditionInWords, (*mistake).orderPair, (*mistake).calculatedText, (*mistake).nestedList},
	"bad_value":             {(*mistake).wordMeant, (*mistake).interval, (*mistake).listForScalar, (*mistake).needlessValue, (*mistake).operatorKeys, (*mistake).valueMeant},
	"not_a_code":            {(*mistake).codeMeant},
	"unknown_operator":      {(*mistake).operatorMeant, (*mistake).notBetween},
	"out_of_range":          {(*mistake).mostRows, (*mistake).wholeNumber},
	"bad_expression":        {(*mistake).fieldInWords, (*mistake).missingAs, (*mistake).openParenthesis, (*mistake).directionInWords},
	"bad_alias":             {(*mistake).aliasInQuotes},
	"name_taken":            {(*mistake).otherAlias},
	"unknown_field":         {(*mistake).foreignCondition, (*mistake).aggregateAsKey, (*mistake).fieldMeant},
	"unknown_metric":        {(*mistake).closestName},
	"not_shared":            {(*mistake).closestName},
	"unknown_function":      {(*mistake).directionCall, (*mistake).functionMeant},
	"unknown_aggregation":   {(*mistake).wordMeant},
	"measure_as_key":        {(*mistake).aggregateAsKey},
	"nested_aggregate":      {(*mistake).aggregatedTwice},
	"not_a_group_key":       {(*mistake).rowFilterInHaving},
	"having_without_groups": {(*mistake).havingOfRows},
}

// one is the only mend of a mistake.
func one(ops ...Op) []Patch { return []Patch{ops} }

// holder returns the node that holds the place, and its pointer.
func (m *mistake) holder() (pointer, jsontree.Node) {
	p := m.at.up()
	n, _ := at(m.args, p)
	return p, n
}

// clause is the key of the payload that the place is in, "" where it is in none.
func (m *mistake) clause() string {
	if len(m.at) > 1 && m.at[0] == "payload" {
		return m.at[1]
	}
	return ""
}

// payload returns a clause of the payload.
func (m *mistake) payload(key string) (jsontree.Node, bool) {
	return at(m.args, pointer{"payload", key})
}

// model is the name of the model that is asked.
func (m *mistake) model() string {
	n, _ := m.args.Get("model")
	return n.Text
}

// fields are what the caller sees of the model, or of the one that is meant by its name.
func (m *mistake) fields() []*semantic.Field {
	if fields := m.sight.Fields(m.model()); fields != nil {
		return fields
	}
	return m.sight.Fields(modelNamed(m.model(), m.sight.Models()))
}

// field returns a field that the caller sees, by its name.
func (m *mistake) field(name string) *semantic.Field {
	fields := m.fields()
	if i := slices.IndexFunc(fields, func(f *semantic.Field) bool { return f.Name == name }); i >= 0 {
		return fields[i]
	}
	return nil
}
