package query

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/jsontree"
)

func parsed(t testing.TB, text string) jsontree.Node {
	t.Helper()
	n, err := jsontree.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return n
}

func ptr(i int64) *int64 { return &i }

func TestDecodeEveryClause(t *testing.T) {
	got, err := Decode(parsed(t, `{
		"columns": ["customer$caption", "sum(salesAmount) as total"],
		"exColumns": ["orderId"],
		"slice": [{"field": "orderStatus", "op": "=", "value": "PAID"}],
		"having": [{"field": "sum(salesAmount)", "op": ">", "value": 1.50}],
		"groupBy": [{"field": "customer$caption"}, "store$id", {"field": "salesAmount", "agg": "CountD"}],
		"orderBy": [{"field": "total", "order": "desc"}, {"field": "a", "dir": "DESC", "nullFirst": true}, "-b", "c asc nulls last"],
		"calculatedFields": [
			{"name": "net", "expression": "salesAmount - discountAmount", "caption": "Net", "description": "After discount", "agg": "AVG", "type": "Money"},
			{"name": "running", "expression": "sum(salesAmount)", "partitionBy": ["store$id"], "windowOrderBy": [{"field": "salesDate$id", "order": "asc"}, "x desc"], "windowFrame": "rows between 6 preceding and current row"}
		],
		"returnTotal": true, "distinct": true, "start": 20, "limit": 0, "page": 3, "pageSize": -1, "format": "compact",
		"queryModel": {"any": ["thing"]}
	}`), DecodeOptions{Format: true, Ignored: LegacyKeys})
	if err != nil {
		t.Fatal(err)
	}
	sum := &Call{Func: "sum", Args: []Expr{&Ref{"salesAmount"}}}
	want := &Query{
		Columns:   []Column{{Expr: &Ref{"customer$caption"}, Text: "customer$caption"}, {Expr: sum, Alias: "total", Text: "sum(salesAmount)"}},
		ExColumns: []string{"orderId"},
		Slice:     []Condition{&Compare{Field: &Ref{"orderStatus"}, Op: Equal, Value: Scalar{StringLiteral, "PAID"}, Path: "slice[0]"}},
		Having:    []Condition{&Compare{Field: sum, Op: Greater, Value: Scalar{NumberLiteral, "1.50"}, Path: "having[0]"}},
		GroupBy:   []Group{{Field: "customer$caption"}, {Field: "store$id"}, {Field: "salesAmount", Agg: "count_distinct"}},
		OrderBy: []Order{
			{Expr: &Ref{"total"}, Desc: true}, {Expr: &Ref{"a"}, Desc: true, Nulls: NullsFirst}, {Expr: &Ref{"b"}, Desc: true}, {Expr: &Ref{"c"}, Nulls: NullsLast},
		},
		Calculated: []Calculated{
			{Name: "net", Expr: &Binary{Sub, &Ref{"salesAmount"}, &Ref{"discountAmount"}}, Caption: "Net", Description: "After discount", Agg: "avg", Type: "money"},
			{Name: "running", Expr: sum, Window: &Window{
				PartitionBy: []Expr{&Ref{"store$id"}},
				OrderBy:     []Order{{Expr: &Ref{"salesDate$id"}}, {Expr: &Ref{"x"}, Desc: true}},
				Frame:       &Frame{Rows, Bound{Preceding, 6}, Bound{CurrentRow, 0}},
			}},
		},
		ReturnTotal: true, Distinct: true, Format: CompactFormat,
		Paging: Paging{Start: ptr(20), Limit: ptr(0), Page: ptr(3), PageSize: ptr(-1)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeNullIsAbsent(t *testing.T) {
	for _, text := range []string{
		`{}`,
		`{"columns": null, "exColumns": null, "slice": null, "having": null, "groupBy": null, "orderBy": null, "calculatedFields": null,
		  "returnTotal": null, "distinct": null, "start": null, "limit": null, "page": null, "pageSize": null, "format": null}`,
		`{"columns": [], "exColumns": [], "slice": [], "having": [], "groupBy": [], "orderBy": [], "calculatedFields": []}`,
	} {
		got, err := Decode(parsed(t, text), DecodeOptions{Format: true})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(&Query{}, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestDecodeSlice(t *testing.T) {
	status, a := &Ref{"status"}, &Ref{"a"}
	text := func(s string) Scalar { return Scalar{StringLiteral, s} }
	number := func(s string) Scalar { return Scalar{NumberLiteral, s} }
	for _, c := range []struct {
		text string
		want Condition
	}{
		{`{"field":"a","op":"in","value":[1,"x",null,true]}`,
			&Compare{Field: a, Op: InList, Value: List{number("1"), text("x"), {}, {BoolLiteral, "true"}}, Path: "slice[0]"}},
		{`{"field":"a","op":"NOT  IN","value":7}`, &Compare{Field: a, Op: NotInList, Value: List{number("7")}, Path: "slice[0]"}},
		{`{"field":"a","op":"in","value":[]}`, &Compare{Field: a, Op: InList, Value: List{}, Path: "slice[0]"}},
		{`{"field":"a","op":"[)","value":[20240101,null]}`, &Compare{Field: a, Op: RightOpenInterval, Value: List{number("20240101"), {}}, Path: "slice[0]"}},
		{`{"field":"a","op":"Between","value":["x","y"]}`, &Compare{Field: a, Op: ClosedInterval, Value: List{text("x"), text("y")}, Path: "slice[0]"}},
		{`{"field":"a","op":"=","value":null}`, &Compare{Field: a, Op: Equal, Value: Scalar{}, Path: "slice[0]"}},
		{`{"field":"a","op":"isNull"}`, &Compare{Field: a, Op: Null, Path: "slice[0]"}},
		{`{"field":"a","op":"is not null","value":true}`, &Compare{Field: a, Op: NotNull, Path: "slice[0]"}},
		{`{"field":"a","op":"isNullAndEmpty","value":null}`, &Compare{Field: a, Op: NullOrEmpty, Path: "slice[0]"}},
		{`{"field":"a","op":"GT","value":{"$field":"b$id"}}`, &Compare{Field: a, Op: Greater, Value: FieldRef{&Ref{"b$id"}}, Path: "slice[0]"}},
		{`{"field":"a","op":"bit_in","value":3}`, &Compare{Field: a, Op: BitsSet, Value: List{number("3")}, Path: "slice[0]"}},
		{`{"field":"team$id","op":"self_and_descendants_of","value":"T1","max_depth":2}`,
			&Compare{Field: &Ref{"team$id"}, Op: SelfAndDescendantsOf, Value: List{text("T1")}, MaxDepth: ptr(2), Path: "slice[0]"}},
		{`{"status":"done"}`, &Compare{Field: status, Op: Equal, Value: text("done"), Path: "slice[0].status"}},
		{`{"status":["a","b"]}`, &Compare{Field: status, Op: InList, Value: List{text("a"), text("b")}, Path: "slice[0].status"}},
		{`{"status":null}`, &Compare{Field: status, Op: Null, Path: "slice[0].status"}},
		{`{"status":{"$field":"a"}}`, &Compare{Field: status, Op: Equal, Value: FieldRef{a}, Path: "slice[0].status"}},
		{`{"status":"x","a":1}`, &Logic{Op: AllOf, Path: "slice[0]", Conds: []Condition{
			&Compare{Field: status, Op: Equal, Value: text("x"), Path: "slice[0].status"},
			&Compare{Field: a, Op: Equal, Value: number("1"), Path: "slice[0].a"},
		}}},
		{`{"$expr":"a > b * 1.2"}`, &ExprCondition{
			Expr: &Binary{Gt, a, &Binary{Mul, &Ref{"b"}, &Literal{NumberLiteral, "1.2"}}}, Path: "slice[0].$expr",
		}},
		{`{"$or":[{"a":1},{"field":"a","op":"<","value":0}]}`, &Logic{Op: AnyOf, Path: "slice[0].$or", Conds: []Condition{
			&Compare{Field: a, Op: Equal, Value: number("1"), Path: "slice[0].$or[0].a"},
			&Compare{Field: a, Op: Less, Value: number("0"), Path: "slice[0].$or[1]"},
		}}},
		{`{"$not":{"$and":[{"a":1}]}}`, &Logic{Op: NoneOf, Path: "slice[0].$not", Conds: []Condition{
			&Logic{Op: AllOf, Path: "slice[0].$not.$and", Conds: []Condition{&Compare{Field: a, Op: Equal, Value: number("1"), Path: "slice[0].$not.$and[0].a"}}},
		}}},
		{`{"$not":[{"field":"a","op":"=","value":1}]}`, &Logic{Op: NoneOf, Path: "slice[0].$not", Conds: []Condition{
			&Compare{Field: a, Op: Equal, Value: number("1"), Path: "slice[0].$not[0]"},
		}}},
	} {
		got, err := DecodeSlice(parsed(t, "["+c.text+"]"), "slice", DefaultLimits)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if diff := cmp.Diff([]Condition{c.want}, got); diff != "" {
			t.Errorf("%s: %s", c.text, diff)
		}
	}
}

func TestCompareAt(t *testing.T) {
	for path, want := range map[string]string{
		"slice[0]": "slice[0].value", "slice[0].$not": "slice[0].$not.value", "slice[0].status": "slice[0].status", "": "value",
	} {
		if got := (&Compare{Path: path}).At("value"); got != want {
			t.Errorf("At under %q = %q, want %q", path, got, want)
		}
	}
}

// Every spelling of decision 40, in any case, is the operator that it names.
func TestOperatorSpellings(t *testing.T) {
	for word, want := range map[string]Op{
		"=": Equal, "==": Equal, "EQ": Equal, "!=": NotEqual, "<>": NotEqual, "Ne": NotEqual, "===": StrictEqual,
		">": Greater, "gt": Greater, ">=": GreaterEqual, "gte": GreaterEqual, "<": Less, "lt": Less, "<=": LessEqual, "LTE": LessEqual,
		"IN": InList, "not in": NotInList, "nin": NotInList, "like": Contains, "contains": Contains,
		"left_like": EndsWith, "ends_with": EndsWith, "right_like": StartsWith, "starts_with": StartsWith,
		"not like": NotContains, "not left_like": NotEndsWith, "not starts_with": NotStartsWith,
		"is null": Null, "isNull": Null, "IS NOT NULL": NotNull, "isnotnull": NotNull,
		"isNullAndEmpty": NullOrEmpty, "isNotNullAndEmpty": NotNullOrEmpty,
		"[]": ClosedInterval, "between": ClosedInterval, "[)": RightOpenInterval, "(]": LeftOpenInterval, "()": OpenInterval, "bit_in": BitsSet,
		"childrenOf": ChildrenOf, "descendants_of": DescendantsOf, "SELFANDDESCENDANTSOF": SelfAndDescendantsOf,
		"ancestorsOf": AncestorsOf, "self_and_ancestors_of": SelfAndAncestorsOf,
	} {
		if got, ok := ParseOp(word); !ok || got != want {
			t.Errorf("ParseOp(%q) = %v, %v, want %v", word, got, ok, want)
		}
	}
	for _, word := range []string{"", "~", "= or 1=1", "'; drop table x --", "＝"} {
		if got, ok := ParseOp(word); ok {
			t.Errorf("ParseOp(%q) = %v", word, got)
		}
	}
}

func TestDirections(t *testing.T) {
	for text, want := range map[string]Order{
		`{"field":"f"}`:                                     {Expr: &Ref{"f"}},
		`{"field":"f","order":"Desc"}`:                      {Expr: &Ref{"f"}, Desc: true},
		`{"field":"f","direction":"DESC","nullLast":true}`:  {Expr: &Ref{"f"}, Desc: true, Nulls: NullsLast},
		`{"field":"f","dir":"ASC","order":"asc"}`:           {Expr: &Ref{"f"}},
		`{"field":"f","nullFirst":false}`:                   {Expr: &Ref{"f"}},
		`{"field":"f","nulls":"nullFirst"}`:                 {Expr: &Ref{"f"}, Nulls: NullsFirst},
		`{"field":"f","nulls":"last","nullFirst":false}`:    {Expr: &Ref{"f"}, Nulls: NullsLast},
		`{"field":"end","order":null}`:                      {Expr: &Ref{"end"}},
		`{"field":"sum(x)","order":"desc","nullLast":null}`: {Expr: &Call{Func: "sum", Args: []Expr{&Ref{"x"}}}, Desc: true},
	} {
		q, err := Decode(parsed(t, `{"orderBy":[`+text+`]}`), DecodeOptions{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff([]Order{want}, q.OrderBy); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}
