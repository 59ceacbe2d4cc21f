package access_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/access"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

var (
	text   = value.Type{Kind: value.String}
	number = value.Type{Kind: value.Integer}
	date   = value.Type{Kind: value.Date}
)

// people is a model in which fields are made from others in every way: the same column, labels, grains, filters,
// expressions, additivity, a tree.
func people(t *testing.T) *semantic.Model {
	t.Helper()
	expr := func(s string) query.Expr {
		e, err := query.ParseExpr(s)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	m := &semantic.Model{
		Name: "People",
		Attributes: []*semantic.Attribute{
			{Name: "phone", Column: "phone", Type: text},
			{Name: "phoneAgain", Column: "phone", Type: text},
			{Name: "state", Column: "state", Type: text, Dictionary: &semantic.Dictionary{Name: "state"}},
			{Name: "born", Column: "born", Type: date},
			{Name: "teamNo", Column: "team_no", Type: number},
		},
		Dimensions: []*semantic.Dimension{{
			Name: "team", Path: "team", ID: "id", Label: "name", IDType: number, LabelType: text,
			Join:       []semantic.JoinColumn{{From: "team_no", To: "id"}},
			Attributes: []*semantic.Attribute{{Name: "above", Column: "parent", Type: number}},
			Hierarchy:  &semantic.Hierarchy{Parent: "parent"},
		}},
		Measures: []*semantic.Measure{
			{Name: "pay", Column: "pay", Agg: semantic.Sum, Type: number},
			{Name: "topPay", Column: "pay", Agg: semantic.Max, Type: number},
			{Name: "openPay", Column: "pay", Agg: semantic.Sum, Type: number, Filter: expr("state = 'OPEN'")},
			{Name: "bonus", Column: "bonus", Agg: semantic.Sum, Type: number},
			{Name: "heads", Agg: semantic.Count, Type: number},
			{Name: "mean", Expression: expr("pay / heads"), Type: number},
			{Name: "twice", Expression: expr("mean * 2"), Type: number},
			{Name: "phones", Column: "phone", Agg: semantic.CountDistinct, Type: text},
			{Name: "stock", Column: "stock", Agg: semantic.Sum, Type: number, SemiAdd: &semantic.SemiAdditive{Over: "born", Use: semantic.UseLast, Per: []string{"team"}}},
		},
	}
	if clash := m.Index(); clash != "" {
		t.Fatal(clash)
	}
	return m
}

func named(m *semantic.Model, names ...string) []*semantic.Field {
	var list []*semantic.Field
	for _, n := range names {
		f := m.Field(n)
		if f == nil {
			panic("no field " + n)
		}
		list = append(list, f)
	}
	return list
}

// closed says what of a model somebody does not see as it is: name, or name=mask, or name~ where a label or a grain shows
// the mask that it is made from.
func closed(g access.Grant, m *semantic.Model) string {
	var words []string
	for _, f := range m.Fields() {
		switch g.Field(f) {
		case access.Hidden:
			words = append(words, "-"+f.Name)
		case access.Masked:
			word := f.Name + "=" + string(g.Mask(f))
			if g.Mask(f) == semantic.NoMask {
				word = f.Name + "~"
			}
			words = append(words, word)
		case access.Visible:
		}
	}
	return strings.Join(words, " ")
}

// TestWhatRulesClose: what is hidden or masked takes along all that tells of it, and nothing else (decision 62).
func TestWhatRulesClose(t *testing.T) {
	m := people(t)
	grains := func(sign string) string {
		var words []string
		for _, g := range []string{"year", "quarter", "month", "week", "date"} {
			if sign == "-" {
				words = append(words, "-born$"+g)
			} else {
				words = append(words, "born$"+g+sign)
			}
		}
		return strings.Join(words, " ")
	}
	mask := func(name string, w semantic.Mask) semantic.MaskedField {
		return semantic.MaskedField{Field: m.Field(name), Mask: w}
	}
	for _, c := range []struct {
		what  string
		rules []semantic.FieldRule
		want  string
	}{
		{"nothing", nil, ""},
		{"the same column under two names", []semantic.FieldRule{{Hide: named(m, "phone")}}, "-phone -phoneAgain -phones"},
		{"the second name", []semantic.FieldRule{{Hide: named(m, "phoneAgain")}}, "-phone -phoneAgain -phones"},
		{"a measure, its column, its expressions", []semantic.FieldRule{{Hide: named(m, "pay")}}, "-pay -topPay -openPay -mean -twice"},
		{"a filter's field leaves the measure's column open", []semantic.FieldRule{{Hide: named(m, "state")}}, "-state -state$caption -openPay"},
		{"the time of a measure", []semantic.FieldRule{{Hide: named(m, "born")}}, "-born " + grains("-") + " -stock"},
		{"the series of a measure, and what points to the dimension", []semantic.FieldRule{{Hide: named(m, "team$id")}}, "-teamNo -team$id -team$hierarchy$id -stock"},
		{"the pointing column", []semantic.FieldRule{{Hide: named(m, "teamNo")}}, "-teamNo -team$id -team$hierarchy$id -stock"},
		{"a caption and the tree's", []semantic.FieldRule{{Hide: named(m, "team$caption")}}, "-team$caption -team$hierarchy$caption"},
		{"the parent makes the tree", []semantic.FieldRule{{Hide: named(m, "team$above")}}, "-team$above -team$hierarchy$id -team$hierarchy$caption -team$hierarchy$above"},
		{"a label alone", []semantic.FieldRule{{Hide: named(m, "state$caption")}}, "-state$caption"},
		{"a part keeps its whole open", []semantic.FieldRule{{Hide: named(m, "mean")}}, "-mean -twice"},
		{"keep", []semantic.FieldRule{{Hide: named(m, "pay"), Keep: named(m, "mean")}}, "-pay -topPay -openPay"},
		{"keep does not undo what the rule says", []semantic.FieldRule{{Hide: named(m, "pay", "mean"), Keep: named(m, "mean")}}, "-pay -topPay -openPay -mean -twice"},
		{"keep of one rule does not bind another", []semantic.FieldRule{{Hide: named(m, "pay"), Keep: named(m, "mean")}, {Hide: named(m, "heads")}}, "-pay -topPay -openPay -heads -mean -twice"},
		{"an allowed name of one rule does not open what another closes", []semantic.FieldRule{
			{Hide: named(m, "pay")}, {Only: true, Allow: m.Fields()},
		}, "-pay -topPay -openPay -mean -twice"},
		{"what is hidden twice spreads twice", []semantic.FieldRule{{Hide: named(m, "mean"), Keep: named(m, "twice")}, {Hide: named(m, "heads")}}, "-heads -mean -twice"},
		{
			"allow", []semantic.FieldRule{{Only: true, Allow: named(m, "phone", "state", "born", "heads", "mean")}},
			"-phoneAgain -teamNo -team$id -team$caption -team$above -team$hierarchy$id -team$hierarchy$caption -team$hierarchy$above -pay -topPay -openPay -bonus -twice -phones -stock",
		},
		{"allow of nothing", []semantic.FieldRule{{Only: true}}, "-" + strings.Join(access.For(access.Identity{}, m).Names(), " -")},
		{"a mask", []semantic.FieldRule{{Mask: []semantic.MaskedField{mask("phone", semantic.MaskLast4)}}}, "phone=last4 phoneAgain=last4 phones=null"},
		{"a mask of a code", []semantic.FieldRule{{Mask: []semantic.MaskedField{mask("state", semantic.MaskFirst)}}}, "state=first state$caption~ openPay=null"},
		{"a mask of a date", []semantic.FieldRule{{Mask: []semantic.MaskedField{mask("born", semantic.MaskNull)}}}, "born=null " + grains("~") + " stock=null"},
		{"a grain that is kept", []semantic.FieldRule{{Mask: []semantic.MaskedField{mask("state", semantic.MaskFirst)}, Keep: named(m, "state$caption", "openPay")}}, "state=first"},
		{"a mask of a measure", []semantic.FieldRule{{Mask: []semantic.MaskedField{mask("pay", semantic.MaskFull)}}}, "pay=full topPay=null openPay=null mean=null twice=null"},
		{"two masks are full", []semantic.FieldRule{
			{Mask: []semantic.MaskedField{mask("phone", semantic.MaskLast4)}}, {Mask: []semantic.MaskedField{mask("phone", semantic.MaskFirst)}},
		}, "phone=full phoneAgain=full phones=null"},
		{"hiding wins over masking", []semantic.FieldRule{
			{Mask: []semantic.MaskedField{mask("phone", semantic.MaskLast4)}}, {Hide: named(m, "phone")},
		}, "-phone -phoneAgain -phones"},
		{"a label that one rule keeps and the other masks", []semantic.FieldRule{
			{Hide: named(m, "state"), Keep: named(m, "state$caption", "openPay")}, {Mask: []semantic.MaskedField{mask("state", semantic.MaskFirst)}, Keep: named(m, "openPay")},
		}, "-state state$caption~"},
	} {
		m.Access = &semantic.Policy{Fields: c.rules}
		g := access.For(access.Identity{}, m)
		if diff := cmp.Diff(c.want, closed(g, m)); diff != "" {
			t.Errorf("%s: %s", c.what, diff)
		}
		if c.what == "a label that one rule keeps and the other masks" && g.Mask(m.Field("state")) != semantic.MaskFirst {
			t.Errorf("%s: the mask of the hidden code is lost", c.what)
		}
	}
}

// TestRulesOnlyNarrow: whatever rules stand together, one more shows nothing that was closed, for anybody; the order of
// rules does not matter.
func TestRulesOnlyNarrow(t *testing.T) {
	m := people(t)
	r := rand.New(rand.NewPCG(3, 4))
	fields := m.Fields()
	some := func(n int) []*semantic.Field {
		var list []*semantic.Field
		for range r.IntN(n + 1) {
			list = append(list, fields[r.IntN(len(fields))])
		}
		return list
	}
	rule := func() semantic.FieldRule {
		fr := semantic.FieldRule{Hide: some(2), Keep: some(3)}
		for _, f := range some(2) {
			fr.Mask = append(fr.Mask, semantic.MaskedField{Field: f, Mask: semantic.Masks[r.IntN(len(semantic.Masks))]})
		}
		if r.IntN(3) == 0 {
			fr.Only, fr.Allow = true, some(len(fields))
		}
		if r.IntN(3) == 0 {
			fr.Unless = []semantic.Exemption{{Roles: []string{"boss"}}}
		}
		return fr
	}
	open := func(g access.Grant, f *semantic.Field) int {
		switch g.Field(f) {
		case access.Hidden:
			return 0
		case access.Masked:
			return 1
		case access.Visible:
		}
		return 2
	}
	for range 2000 {
		rules := []semantic.FieldRule{rule(), rule(), rule()}
		id := access.Identity{}
		if r.IntN(2) == 0 {
			id.Roles = []string{"boss"}
		}
		m.Access = &semantic.Policy{Fields: rules[:2]}
		fewer := access.For(id, m)
		m.Access = &semantic.Policy{Fields: rules}
		more := access.For(id, m)
		m.Access = &semantic.Policy{Fields: []semantic.FieldRule{rules[2], rules[1], rules[0]}}
		turned := access.For(id, m)
		for _, f := range fields {
			if open(more, f) > open(fewer, f) {
				t.Fatalf("one more rule opens %s: %s, then %s\n%+v", f.Name, closed(fewer, m), closed(more, m), rules)
			}
		}
		if a, b := closed(more, m), closed(turned, m); a != b || more.Key() != turned.Key() {
			t.Fatalf("the order of rules matters: %s, then %s", a, b)
		}
	}
}

// TestAudience: who has none of the roles sees nothing of the model.
func TestAudience(t *testing.T) {
	m := people(t)
	m.Access = &semantic.Policy{Roles: []string{"analyst", "admin"}}
	for roles, want := range map[string]bool{"": false, "guest": false, "analyst": true, "guest,admin": true} {
		g := access.For(access.Identity{User: "analyst", Roles: strings.Split(roles, ",")}, m)
		if g.Model() != want || (len(g.Fields()) > 0) != want || g.Conceals() {
			t.Errorf("%q: the model is %v, with %d fields", roles, g.Model(), len(g.Fields()))
		}
	}
	m.Access.Roles = []string{}
	if access.For(access.Identity{Roles: []string{"analyst"}}, m).Model() {
		t.Error("a list of no roles lets somebody in")
	}
}

// TestRowsOfAnIdentity: what a rule becomes for each number of values that an attribute can have.
func TestRowsOfAnIdentity(t *testing.T) {
	m := people(t)
	depth := int64(2)
	none := `{"$or": []}`
	for _, c := range []struct {
		op     query.Op
		field  string
		values []string // nil: no such attribute
		want   string
	}{
		{query.InList, "phone", nil, none},
		{query.InList, "phone", []string{}, none},
		{query.InList, "phone", []string{"a"}, `phone in ["a"]`},
		{query.InList, "phone", []string{"a", "b"}, `phone in ["a", "b"]`},
		{query.NotInList, "phone", nil, none},
		{query.NotInList, "phone", []string{"a", "b"}, `phone is not null and phone not in ["a", "b"]`},
		{query.Equal, "phone", nil, none},
		{query.Equal, "phone", []string{"a"}, `phone = "a"`},
		{query.Equal, "phone", []string{"a", "b"}, `phone in ["a", "b"]`},
		{query.StrictEqual, "phone", []string{"a", "b"}, `phone in ["a", "b"]`},
		{query.NotEqual, "phone", nil, none},
		{query.NotEqual, "phone", []string{"a"}, `phone is not null and phone != "a"`},
		{query.NotEqual, "phone", []string{"a", "b"}, `phone is not null and phone not in ["a", "b"]`},
		{query.Greater, "born", []string{"2024"}, `born > "2024"`},
		{query.Greater, "born", []string{"2024", "2025"}, none},
		{query.LessEqual, "born", []string{}, none},
		{query.Contains, "phone", []string{"a", "b"}, `phone like "a" or phone like "b"`},
		{query.NotContains, "phone", []string{"a", "b"}, `phone is not null and phone not like "a" and phone not like "b"`},
		{query.NotStartsWith, "phone", []string{"a"}, `phone is not null and phone not right_like "a"`},
		{query.ClosedInterval, "born", []string{"2023", "2024"}, `born [] ["2023", "2024"]`},
		{query.ClosedInterval, "born", []string{"2023"}, none},
		{query.ClosedInterval, "born", []string{"2023", "2024", "2025"}, none},
		{query.BitsSet, "teamNo", []string{"1", "2"}, `teamNo bit_in ["1", "2"]`},
		{query.Null, "phone", nil, `phone is null`},
		{query.NotNull, "phone", nil, `phone is not null`},
		{query.DescendantsOf, "team$id", nil, none},
		{query.DescendantsOf, "team$id", []string{"7", "8"}, `team$id descendantsOf ["7", "8"] within 2`},
	} {
		rule := semantic.RowCondition{Field: m.Field(c.field), Op: c.op, Attribute: "mine"}
		if c.op.Arity() == query.TakesNothing {
			rule.Attribute = ""
		}
		if c.op.Hierarchical() {
			rule.MaxDepth = &depth
		}
		m.Access = &semantic.Policy{Rows: []semantic.RowRule{{Keeps: rule}}}
		id := access.Identity{Attributes: map[string][]string{"other": {"x"}}}
		if c.values != nil {
			id.Attributes["mine"] = c.values
		}
		rows := access.For(id, m).Rows()
		if len(rows) != 1 {
			t.Fatalf("%s %v: %d conditions", c.op, c.values, len(rows))
		}
		if got := plain(rows[0]); got != c.want {
			t.Errorf("%s %q: got %s, want %s", c.op, c.values, got, c.want)
		}
	}
}

// plain writes a condition without the path's noise.
func plain(c query.Condition) string {
	switch x := c.(type) {
	case *query.Logic:
		if len(x.Conds) == 0 {
			return `{"$or": []}`
		}
		words := map[query.LogicOp]string{query.AllOf: " and ", query.AnyOf: " or "}
		var parts []string
		for _, inner := range x.Conds {
			parts = append(parts, plain(inner))
		}
		return strings.Join(parts, words[x.Op])
	case *query.Compare:
		s := x.Field.String() + " " + x.Op.String()
		switch v := x.Value.(type) {
		case query.Scalar:
			s += fmt.Sprintf(" %q", v.Text)
		case query.List:
			var texts []string
			for _, e := range v {
				texts = append(texts, fmt.Sprintf("%q", e.Text))
			}
			s += " [" + strings.Join(texts, ", ") + "]"
		}
		if x.MaxDepth != nil {
			s += fmt.Sprintf(" within %d", *x.MaxDepth)
		}
		return s
	}
	return c.String()
}

// TestBrokenConditionsKeepNothing: what the catalogue would have refused is no way in.
func TestBrokenConditionsKeepNothing(t *testing.T) {
	m := people(t)
	null := query.Scalar{Kind: query.NullLiteral}
	for what, c := range map[string]semantic.RowCondition{
		"nothing at all":     {},
		"no value":           {Field: m.Field("phone"), Op: query.Equal},
		"a null":             {Field: m.Field("phone"), Op: query.Equal, Values: query.List{null}},
		"a null among":       {Field: m.Field("phone"), Op: query.NotInList, Values: query.List{{Kind: query.StringLiteral, Text: "a"}, null}},
		"an interval of one": {Field: m.Field("born"), Op: query.OpenInterval, Values: query.List{{Kind: query.StringLiteral, Text: "2024"}}},
	} {
		m.Access = &semantic.Policy{Rows: []semantic.RowRule{{Keeps: c}}}
		if rows := access.For(access.Identity{}, m).Rows(); len(rows) != 1 || plain(rows[0]) != `{"$or": []}` {
			t.Errorf("%s keeps %v", what, rows)
		}
	}
}

// TestExemptions: who a rule does not bind.
func TestExemptions(t *testing.T) {
	ann := access.Identity{User: "ann", Roles: []string{"clerk", "boss"}, Attributes: map[string][]string{"clearance": {"low", "high"}}}
	for _, c := range []struct {
		what string
		e    semantic.Exemption
		id   access.Identity
		want bool
	}{
		{"nothing named", semantic.Exemption{}, ann, false},
		{"a role", semantic.Exemption{Roles: []string{"boss"}}, ann, true},
		{"one of roles", semantic.Exemption{Roles: []string{"x", "clerk"}}, ann, true},
		{"another role", semantic.Exemption{Roles: []string{"Boss"}}, ann, false},
		{"a user", semantic.Exemption{Users: []string{"ann"}}, ann, true},
		{"another user", semantic.Exemption{Users: []string{"bob"}}, ann, false},
		{"nobody's name", semantic.Exemption{Users: []string{""}}, access.Identity{}, false},
		{"an attribute", semantic.Exemption{Attributes: []semantic.AttributeValues{{Name: "clearance", Values: []string{"high"}}}}, ann, true},
		{"another value", semantic.Exemption{Attributes: []semantic.AttributeValues{{Name: "clearance", Values: []string{"top"}}}}, ann, false},
		{"a missing attribute", semantic.Exemption{Attributes: []semantic.AttributeValues{{Name: "clearance", Values: []string{"high"}}}}, access.Identity{}, false},
		{"all of what is named", semantic.Exemption{Roles: []string{"boss"}, Users: []string{"ann"}}, ann, true},
		{"not all of what is named", semantic.Exemption{Roles: []string{"boss"}, Users: []string{"bob"}}, ann, false},
		{"a role is no user", semantic.Exemption{Users: []string{"boss"}}, ann, false},
	} {
		if got := c.e.Holds(c.id.User, c.id.Roles, c.id.Attributes); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
		m := people(t)
		m.Access = &semantic.Policy{
			Fields:   []semantic.FieldRule{{Hide: named(m, "phone"), Unless: []semantic.Exemption{{Users: []string{"zoe"}}, c.e}}},
			Rows:     []semantic.RowRule{{Keeps: semantic.RowCondition{Field: m.Field("state"), Op: query.NotNull}, Unless: []semantic.Exemption{c.e}}},
			MinGroup: []semantic.MinGroup{{Of: m.Field("team$id"), N: 5, Unless: []semantic.Exemption{c.e}}},
		}
		g := access.For(c.id, m)
		if free := g.Field(m.Field("phone")) == access.Visible && g.Rows() == nil && g.Groups() == nil && !g.Limited(); free != c.want {
			t.Errorf("%s: closed %q, rows %v, groups %v", c.what, closed(g, m), g.Rows(), g.Groups())
		}
	}
}

// TestKeyTellsGrantsApart: grants share a key exactly when they show the same.
func TestKeyTellsGrantsApart(t *testing.T) {
	m := people(t)
	in := func(values ...string) []query.Scalar {
		var list query.List
		for _, v := range values {
			list = append(list, query.Scalar{Kind: query.StringLiteral, Text: v})
		}
		return list
	}
	row := func(c semantic.RowCondition) semantic.Policy {
		return semantic.Policy{Rows: []semantic.RowRule{{Keeps: c}}}
	}
	phone := m.Field("phone")
	depth := int64(1)
	policies := map[string]semantic.Policy{
		"hide phone":     {Fields: []semantic.FieldRule{{Hide: named(m, "phone")}}},
		"hide state":     {Fields: []semantic.FieldRule{{Hide: named(m, "state")}}},
		"mask first":     {Fields: []semantic.FieldRule{{Mask: []semantic.MaskedField{{Field: phone, Mask: semantic.MaskFirst}}}}},
		"mask last4":     {Fields: []semantic.FieldRule{{Mask: []semantic.MaskedField{{Field: phone, Mask: semantic.MaskLast4}}}}},
		"in a, b":        row(semantic.RowCondition{Field: phone, Op: query.InList, Values: in("a", "b")}),
		"in 'a, b'":      row(semantic.RowCondition{Field: phone, Op: query.InList, Values: in("a, b")}),
		`in a" "b`:       row(semantic.RowCondition{Field: phone, Op: query.InList, Values: in(`a" 0"b`)}),
		"= a":            row(semantic.RowCondition{Field: phone, Op: query.Equal, Values: in("a")}),
		"state = a":      row(semantic.RowCondition{Field: m.Field("state"), Op: query.Equal, Values: in("a")}),
		"!= a":           row(semantic.RowCondition{Field: phone, Op: query.NotEqual, Values: in("a")}),
		"and":            row(semantic.RowCondition{All: []semantic.RowCondition{{Field: phone, Op: query.NotNull}, {Field: phone, Op: query.Null}}}),
		"or":             row(semantic.RowCondition{Any: []semantic.RowCondition{{Field: phone, Op: query.NotNull}, {Field: phone, Op: query.Null}}}),
		"below 7":        row(semantic.RowCondition{Field: m.Field("team$id"), Op: query.DescendantsOf, Values: in("7")}),
		"below 7 by one": row(semantic.RowCondition{Field: m.Field("team$id"), Op: query.DescendantsOf, Values: in("7"), MaxDepth: &depth}),
		"number 7":       row(semantic.RowCondition{Field: phone, Op: query.Equal, Values: query.List{{Kind: query.NumberLiteral, Text: "7"}}}),
		"text 7":         row(semantic.RowCondition{Field: phone, Op: query.Equal, Values: in("7")}),
		"groups of 5":    {MinGroup: []semantic.MinGroup{{Of: m.Field("team$id"), N: 5}}},
		"groups of 6":    {MinGroup: []semantic.MinGroup{{Of: m.Field("team$id"), N: 6}}},
		"other groups":   {MinGroup: []semantic.MinGroup{{Of: phone, N: 5}}},
		"nobody":         {Roles: []string{}},
	}
	keys := map[string]string{"": "an open model"}
	for name, p := range policies {
		m.Access = &p
		key := access.For(access.Identity{User: name}, m).Key()
		if other, taken := keys[key]; taken {
			t.Errorf("%s and %s share a key", name, other)
		}
		keys[key] = name
		if again := access.For(access.Identity{User: "somebody else", Roles: []string{"x"}}, m).Key(); again != key {
			t.Errorf("%s has another key for who sees the same", name)
		}
	}
	m.Access = &semantic.Policy{Rows: []semantic.RowRule{{Keeps: semantic.RowCondition{Field: phone, Op: query.InList, Attribute: "mine"}, Unless: []semantic.Exemption{{Roles: []string{"all"}}}}}}
	of := func(values ...string) string {
		return access.For(access.Identity{Attributes: map[string][]string{"mine": values}}, m).Key()
	}
	if of("a") == of("b") || of("a") == of() || of("a", "b") == of("a") {
		t.Error("keys do not follow the values of attributes")
	}
	if access.For(access.Identity{Roles: []string{"all"}}, m).Key() != access.For(access.Identity{Roles: []string{"all"}, User: "x"}, m).Key() {
		t.Error("two who are exempt have two keys")
	}
}

// TestEffectsSayWhichRule: every closed field has the rule that closed it, and what it is made from.
func TestEffectsSayWhichRule(t *testing.T) {
	m := people(t)
	m.Access = &semantic.Policy{
		Fields:   []semantic.FieldRule{{Where: "a.yaml:1:1", Hide: named(m, "pay")}, {Where: "a.yaml:2:1", Mask: []semantic.MaskedField{{Field: m.Field("state"), Mask: semantic.MaskFirst}}}},
		Rows:     []semantic.RowRule{{Where: "a.yaml:3:1", Keeps: semantic.RowCondition{Field: m.Field("state"), Op: query.InList, Attribute: "states"}}},
		MinGroup: []semantic.MinGroup{{Where: "a.yaml:4:1", Of: m.Field("team$id"), N: 5}},
	}
	var got []string
	for _, e := range access.For(access.Identity{}, m).Effects() {
		word := e.Where + " " + e.What
		if e.Field != nil && e.What != "groups" {
			word += " " + e.Field.Name
		}
		if e.From != nil {
			word += " from " + e.From.Name
		}
		if e.What == "rows" {
			word += " " + e.Words
		}
		got = append(got, word)
	}
	want := []string{
		"a.yaml:1:1 hides pay", "a.yaml:1:1 hides topPay from pay", "a.yaml:1:1 hides openPay from pay", "a.yaml:1:1 hides mean from pay", "a.yaml:1:1 hides twice from mean",
		"a.yaml:2:1 masks state", "a.yaml:2:1 masks state$caption from state", "a.yaml:3:1 rows nothing", "a.yaml:4:1 groups",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestFactsCloseTheWhole: a model of several facts is as closed as each of them, by rules of its own and theirs.
func TestFactsCloseTheWhole(t *testing.T) {
	fact := func(name string) *semantic.Model {
		m := people(t)
		m.Name = name
		return m
	}
	a, b := fact("A"), fact("B")
	both := &semantic.Model{
		Name: "Both", Multi: &semantic.MultiFact{Facts: []*semantic.Model{a, b}, Share: []semantic.Shared{{Name: "team", In: map[string]string{"A": "team", "B": "team"}}}},
		Dimensions: a.Dimensions,
		Measures: []*semantic.Measure{
			{Name: "payA", Of: &semantic.MeasureOf{Fact: a, Measure: a.Field("pay").Measure}}, {Name: "meanA", Of: &semantic.MeasureOf{Fact: a, Measure: a.Field("mean").Measure}},
			{Name: "topA", Of: &semantic.MeasureOf{Fact: a, Measure: a.Field("topPay").Measure}}, {Name: "payB", Of: &semantic.MeasureOf{Fact: b, Measure: b.Field("pay").Measure}},
		},
	}
	if clash := both.Index(); clash != "" {
		t.Fatal(clash)
	}
	see := func(want string) {
		t.Helper()
		if got := closed(access.For(access.Identity{}, both), both); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	see("")
	a.Access = &semantic.Policy{Fields: []semantic.FieldRule{{Hide: named(a, "pay")}}}
	see("-payA -meanA -topA")
	b.Access = &semantic.Policy{Fields: []semantic.FieldRule{{Mask: []semantic.MaskedField{{Field: b.Field("team$caption"), Mask: semantic.MaskFirst}}}}}
	see("team$caption=first team$hierarchy$caption=first -payA -meanA -topA")
	a.Access, b.Access = nil, nil
	both.Access = &semantic.Policy{Fields: []semantic.FieldRule{{Hide: named(both, "payA")}}}
	see("-payA -meanA -topA")
	both.Access = &semantic.Policy{Fields: []semantic.FieldRule{{Hide: named(both, "payA"), Keep: named(both, "meanA")}}}
	see("-payA -topA")
	both.Access = nil
	a.Access = &semantic.Policy{Roles: []string{"a"}, Conceal: true}
	if g := access.For(access.Identity{}, both); g.Model() || !g.Conceals() {
		t.Errorf("a fact that may not be seen: model %v, conceals %v", g.Model(), g.Conceals())
	}
	a.Access = &semantic.Policy{Rows: []semantic.RowRule{{Keeps: semantic.RowCondition{Field: a.Field("state"), Op: query.NotNull}}}}
	g := access.For(access.Identity{}, both)
	if !g.Limited() || len(g.Rows()) != 0 || len(g.Fact(a).Rows()) != 1 || len(g.Fact(b).Rows()) != 0 {
		t.Errorf("limited %v, rows %v, of a %v, of b %v", g.Limited(), g.Rows(), g.Fact(a).Rows(), g.Fact(b).Rows())
	}
	if keys := []string{g.Key(), access.For(access.Identity{}, a).Key()}; slices.Contains(keys, "") {
		t.Errorf("keys %q", keys)
	}
	if (access.Grant{}).Fact(a).Model() {
		t.Error("the zero grant opens a fact")
	}
}
