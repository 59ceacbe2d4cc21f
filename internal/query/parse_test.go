package query

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/fault"
)

func TestParseExpr(t *testing.T) {
	for _, c := range []struct{ text, want, canonical string }{
		{"salesAmount", "salesAmount", "salesAmount"},
		{"product.category$caption", "product.category$caption", "product.category$caption"},
		{"team$hierarchy$id", "team$hierarchy$id", "team$hierarchy$id"},
		{"销售额 + _x1", "(add 销售额 _x1)", "销售额 + _x1"},
		{"1 + 2 * 3", "(add 2:1 (mul 2:2 2:3))", "1 + 2 * 3"},
		{"(1+2)*3", "(mul (add 2:1 2:2) 2:3)", "(1 + 2) * 3"},
		{"a - b - c", "(sub (sub a b) c)", "a - b - c"},
		{"a - (b - c)", "(sub a (sub b c))", "a - (b - c)"},
		{"a / b % c", "(mod (div a b) c)", "a / b % c"},
		{"-a * b", "(mul (neg a) b)", "-a * b"},
		{"-(a * b)", "(neg (mul a b))", "-(a * b)"},
		{"a--1", "(sub a (neg 2:1))", "a - -1"},
		{"- - a", "(neg (neg a))", "- -a"},
		{".5 + 1.50 + 1e3 + 1E-2", "(add (add (add 2:.5 2:1.50) 2:1e3) 2:1E-2)", ".5 + 1.50 + 1e3 + 1E-2"},
		{"a == 1 && b <> 2 || !c", "(or (and (eq a 2:1) (ne b 2:2)) (not c))", "a = 1 and b != 2 or not c"},
		{"a or b and c", "(or a (and b c))", "a or b and c"},
		{"(a or b) and c", "(and (or a b) c)", "(a or b) and c"},
		{"NOT a = b AND c", "(and (not (eq a b)) c)", "not a = b and c"},
		{"(not a) = b", "(eq (not a) b)", "(not a) = b"},
		{"(a < b) = (c >= d)", "(eq (lt a b) (ge c d))", "(a < b) = (c >= d)"},
		{"a In (1, 'x', null)", "(in false a 2:1 3:x 0:)", "a in (1, 'x', null)"},
		{"a not in ()", "(in true a)", "a not in ()"},
		{"a between 1 and 2 + 3 and b", "(and (between false a 2:1 (add 2:2 2:3)) b)", "a between 1 and 2 + 3 and b"},
		{"a not between b and c", "(between true a b c)", "a not between b and c"},
		{"a is null or b is not null", "(or (null false a) (null true b))", "a is null or b is not null"},
		{"a like 'x' and b not like \"y\"", "(and (like false a 3:x) (like true b 3:y))", "a like 'x' and b not like 'y'"},
		{"'it''s' = \"say \"\"hi\"\"\"", "(eq 3:it's 3:say \"hi\")", `'it''s' = 'say "hi"'`},
		{`'\'`, `3:\`, `'\'`},
		{"TRUE = False", "(eq 1:true 1:false)", "true = false"},
		{"IF(a > 1, b, 0)", "(call if (gt a 2:1) b 2:0)", "if(a > 1, b, 0)"},
		{"SUM(if(a, b, c)) / Count(*)", "(div (call sum (call if a b c)) (call count *))", "sum(if(a, b, c)) / count(*)"},
		{"count(distinct customer$id)", "(call count_distinct customer$id)", "count_distinct(customer$id)"},
		{"countd(x) + average(y) + nvl(z, 0)", "(add (add (call count_distinct x) (call avg y)) (call coalesce z 2:0))", "count_distinct(x) + avg(y) + coalesce(z, 0)"},
		{"Frobnicate(x)", "(call frobnicate x)", "frobnicate(x)"},
		{"row_number()", "(call row_number)", "row_number()"},
		{"case when a then 1 when b then 2 else 3 end", "(case else a 2:1 b 2:2 2:3)", "case when a then 1 when b then 2 else 3 end"},
		{"case s when 'A' then 1 when 'B' then 2 end", "(case (eq s 3:A) 2:1 (eq s 3:B) 2:2)", "case when s = 'A' then 1 when s = 'B' then 2 end"},
		{"case a or b when c and d then 1 end", "(case (eq (or a b) (and c d)) 2:1)", "case when (a or b) = (c and d) then 1 end"},
		{"`end` + `In`", "(add end In)", "`end` + `In`"},
		{"`plain`", "plain", "plain"},
		{"as + over + order + rows + desc", "(add (add (add (add as over) order) rows) desc)", "as + over + order + rows + desc"},
		{"a.end", "a.end", "a.end"},
		{"sum(x) over ()", "(call sum over (by) x)", "sum(x) over ()"},
		{
			"SUM(x) OVER (PARTITION BY a, b$id ORDER BY c DESC, -d, (-e) nulls first ROWS BETWEEN 6 PRECEDING AND CURRENT ROW)",
			"(call sum over (by a b$id)[c true 0][d true 0][(neg e) false 1]{Unit:0 From:6 preceding To:current row} x)",
			"sum(x) over (partition by a, b$id order by c desc, d desc, (-e) nulls first rows between 6 preceding and current row)",
		},
		{
			"rank() over (order by a range unbounded preceding)",
			"(call rank over (by)[a false 0]{Unit:1 From:unbounded preceding To:current row})",
			"rank() over (order by a range between unbounded preceding and current row)",
		},
	} {
		e, err := ParseExpr(c.text)
		if err != nil {
			t.Errorf("ParseExpr(%q): %v", c.text, err)
			continue
		}
		if got := shape(e); got != c.want {
			t.Errorf("ParseExpr(%q) = %s, want %s", c.text, got, c.want)
		}
		if got := e.String(); got != c.canonical {
			t.Errorf("ParseExpr(%q) prints %s, want %s", c.text, got, c.canonical)
		}
	}
}

func TestParseExprRefuses(t *testing.T) {
	for _, c := range []struct{ text, message string }{
		{"", "The expression is empty"},
		{" \n ", "The expression is empty"},
		{"a\x00b", "The text holds a NUL character, which is not allowed"},
		{"'\x00'", "The text holds a NUL character, which is not allowed"},
		{"a\xff", "The text is not valid UTF-8"},
		{"a +", `Expected an expression, but the text ends at position 4 of "a +"`},
		{"+a", `Expected an expression, got "+" at position 1 of "+a"`},
		{"(a", `Expected ), but the text ends at position 3 of "(a"`},
		{"sum(x))", `Unexpected ")" at position 7 of "sum(x))"`},
		{"é b", `Unexpected "b" at position 3 of "é b"`},
		{"a ; drop table x", `Unexpected ";" at position 3 of "a ; drop table x"`},
		{"'; drop table x --", `A quote that is never closed at position 1 of "'; drop table x --"`},
		{`") or 1=1`, `A quote that is never closed at position 1 of "\") or 1=1"`},
		{"a = ’x’", `Unexpected "’" at position 5 of "a = ’x’"`},
		{"a < b < c", `A second comparison "<" at position 7 of "a < b < c"`},
		{"a is null = b", `A second comparison "=" at position 11 of "a is null = b"`},
		{"a = not b", `Unexpected "not" at position 5 of "a = not b"`},
		{"a not b", `Expected in, between or like, got "b" at position 7 of "a not b"`},
		{"a is true", `Expected null, got "true" at position 6 of "a is true"`},
		{"a in 1", `Expected (, got "1" at position 6 of "a in 1"`},
		{"a in (1,)", `Expected an expression, got ")" at position 9 of "a in (1,)"`},
		{"a between 1", `Expected and, but the text ends at position 12 of "a between 1"`},
		{"case end", `Expected an expression, got "end" at position 6 of "case end"`},
		{"case x end", `Expected when, got "end" at position 8 of "case x end"`},
		{"case when a end", `Expected then, got "end" at position 13 of "case when a end"`},
		{"case when a then b", `Expected end, but the text ends at position 19 of "case when a then b"`},
		{"sum(*)", `Expected an expression, got "*" at position 5 of "sum(*)"`},
		{"count(distinct)", `Expected an expression, but the text ends at position 16 of "count(distinct)"`},
		{"sum(distinct x)", `Expected an expression, got "distinct" at position 5 of "sum(distinct x)"`},
		{"customer$id(x)", `"customer$id" is a field and cannot be called at position 1 of "customer$id(x)"`},
		{"a$", `Unexpected "$" at position 2 of "a$"`},
		{"$a", `Unexpected "$" at position 1 of "$a"`},
		{"a.1", `Unexpected ".1" at position 2 of "a.1"`},
		{"1x", `Malformed number "1x" at position 1 of "1x"`},
		{"1.", `Malformed number "1." at position 1 of "1."`},
		{"1e+", `Malformed number "1e+" at position 1 of "1e+"`},
		{"1.2.3", `Malformed number "1.2.3" at position 1 of "1.2.3"`},
		{".", `Malformed number "." at position 1 of "."`},
		{"`a b`", "\"a b\" is not a name, which has letters, digits, _, $ and points, at position 1 of \"`a b`\""},
		{"``", "\"\" is not a name"},
		{"`a", "A quote that is never closed at position 1 of \"`a\""},
		{"sum(x) over", `Expected (, but the text ends at position 12 of "sum(x) over"`},
		{"sum(x) over (rows between 1 following and 2 preceding)", `The window frame ends before it begins at position 14`},
		{"sum(x) over (order by -a + b)", `Unexpected "+" after a minus that means descending at position 26`},
		{"sum(x) over (order by -a desc)", `A second direction "desc" after the minus at position 26`},
		{strings.Repeat("a", 4097), "The expression has 4097 bytes; at most 4096 are allowed"},
		{strings.Repeat("(", 32) + "a" + strings.Repeat(")", 32), "The expression nests more than 32 levels deep at position 33"},
		{strings.Repeat("-", 100) + "a", "The expression nests more than 32 levels deep"},
		{strings.Repeat("not ", 100) + "a", "The expression nests more than 32 levels deep"},
		{strings.Repeat("a+", 257) + "a", "The expression has more than 256 operators or 4096 parts at position 514"},
		{"case f(" + strings.Repeat("1,", 300) + "1) " + strings.Repeat("when 1 then 1 ", 20) + "end", "more than 256 operators or 4096 parts"},
	} {
		e, err := ParseExpr(c.text)
		if err == nil || e != nil {
			t.Errorf("ParseExpr(%q) = %v, %v", c.text, e, err)
			continue
		}
		f := fault.As(err)
		if f.Kind != fault.Invalid || f.Reason == "" || !strings.Contains(f.Message, c.message) {
			t.Errorf("ParseExpr(%q): %v %q, want %q", c.text, f.Kind, f.Message, c.message)
		}
	}
}

func TestParseExprAtItsLimits(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("a", 4096),
		"'" + strings.Repeat("x", 4094) + "'",
		strings.Repeat("(", 31) + "a" + strings.Repeat(")", 31),
		strings.Repeat("a+", 256) + "a",
		"a in (" + strings.Repeat("1,", 2000) + "1)",
	} {
		if _, err := ParseExpr(text); err != nil {
			t.Errorf("ParseExpr(%.40q…, %d bytes): %v", text, len(text), err)
		}
	}
}

// A case over a case repeats its subject; the size is bounded however they nest.
func TestNestedSimpleCaseIsBounded(t *testing.T) {
	text := "x"
	for range 10 {
		text = "case " + text + " when 1 then 2 when 3 then 4 when 5 then 6 end"
	}
	if _, err := ParseExpr(text); err == nil || fault.As(err).Reason != "expression_too_complex" {
		t.Errorf("err = %v", err)
	}
}

func TestParseColumn(t *testing.T) {
	sum := &Call{Func: "sum", Args: []Expr{&Ref{"salesAmount"}}}
	for text, want := range map[string]Column{
		"salesAmount":                   {Expr: &Ref{"salesAmount"}, Text: "salesAmount"},
		"  customer$caption ":           {Expr: &Ref{"customer$caption"}, Text: "customer$caption"},
		"customer$caption as name":      {Expr: &Ref{"customer$caption"}, Alias: "name", Text: "customer$caption"},
		"SUM( salesAmount )":            {Expr: sum, Text: "SUM( salesAmount )"},
		"SUM( salesAmount )  AS  total": {Expr: sum, Alias: "total", Text: "SUM( salesAmount )"},
		"sum(salesAmount) as 总额_2":      {Expr: sum, Alias: "总额_2", Text: "sum(salesAmount)"},
		"as as as":                      {Expr: &Ref{"as"}, Alias: "as", Text: "as"},
		"salesAmount as end":            {Expr: &Ref{"salesAmount"}, Alias: "end", Text: "salesAmount"},
	} {
		got, err := ParseColumn(text)
		if err != nil {
			t.Errorf("ParseColumn(%q): %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("ParseColumn(%q): %s", text, diff)
		}
		again, err := ParseColumn(got.String())
		if diff := cmp.Diff(got, again); err != nil || diff != "" {
			t.Errorf("ParseColumn(%q): %v %s", got, err, diff)
		}
	}
}

func TestParseColumnRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "bad_expression",
		"sum(x) y":                        "bad_expression",
		"sum(x) as":                       "bad_alias",
		"sum(x) as 1y":                    "bad_alias",
		"sum(x) as _y":                    "bad_alias",
		"sum(x) as y z":                   "bad_alias",
		"sum(x) as y-z":                   "bad_alias",
		"sum(x) as a$b":                   "bad_alias",
		"sum(x) as 'y'":                   "bad_alias",
		"x as y; drop table z --":         "bad_alias",
		"x as y\x00":                      "bad_value",
		"x as " + strings.Repeat("é", 65): "bad_alias",
		"x as y as z":                     "bad_alias",
		strings.Repeat("x", 4000) + " as " + strings.Repeat("y", 100): "expression_too_long",
	} {
		if c, err := ParseColumn(text); err == nil || fault.As(err).Reason != want {
			t.Errorf("ParseColumn(%q) = %v, %v, want %s", text, c, err, want)
		}
	}
	if _, err := ParseColumn("x as " + strings.Repeat("é", 64)); err != nil {
		t.Error(err)
	}
}

func TestParseOrder(t *testing.T) {
	f := &Ref{"f"}
	for text, want := range map[string]Order{
		"f":                           {Expr: f},
		"f ASC":                       {Expr: f},
		"f desc":                      {Expr: f, Desc: true},
		"-f":                          {Expr: f, Desc: true},
		"- f nulls first":             {Expr: f, Desc: true, Nulls: NullsFirst},
		"f asc nulls first":           {Expr: f, Nulls: NullsFirst},
		"f Desc NULLS Last":           {Expr: f, Desc: true, Nulls: NullsLast},
		"f desc nullFirst":            {Expr: f, Desc: true, Nulls: NullsFirst},
		"desc desc":                   {Expr: &Ref{"desc"}, Desc: true},
		"(-f)":                        {Expr: &Unary{Neg, f}},
		"-sum(f)":                     {Expr: &Call{Func: "sum", Args: []Expr{f}}, Desc: true},
		"customer$caption nulls last": {Expr: &Ref{"customer$caption"}, Nulls: NullsLast},
	} {
		got, err := ParseOrder(text)
		if err != nil {
			t.Errorf("ParseOrder(%q): %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("ParseOrder(%q): %s", text, diff)
		}
		again, err := ParseOrder(got.String())
		if diff := cmp.Diff(got, again); err != nil || diff != "" {
			t.Errorf("ParseOrder(%q): %v %s", got, err, diff)
		}
	}
	for _, text := range []string{"", "-", "f downwards", "f desc asc", "-f desc", "-f + g", "f nulls", "f nulls middle", "f, g", "1 desc", "-0", "f desc; drop table x"} {
		if o, err := ParseOrder(text); err == nil {
			t.Errorf("ParseOrder(%q) = %v", text, o)
		}
	}
}

func TestParseFrame(t *testing.T) {
	for text, want := range map[string]Frame{
		"rows between 6 preceding and current row":                  {Rows, Bound{Preceding, 6}, Bound{CurrentRow, 0}},
		"ROWS 6 PRECEDING":                                          {Rows, Bound{Preceding, 6}, Bound{CurrentRow, 0}},
		"range between unbounded preceding and unbounded following": {Range, Bound{UnboundedPreceding, 0}, Bound{UnboundedFollowing, 0}},
		"rows between 1 following and 3 following":                  {Rows, Bound{Following, 1}, Bound{Following, 3}},
		"rows current row":                                          {Rows, Bound{CurrentRow, 0}, Bound{CurrentRow, 0}},
	} {
		got, err := ParseFrame(text)
		if err != nil {
			t.Errorf("ParseFrame(%q): %v", text, err)
			continue
		}
		if *got != want {
			t.Errorf("ParseFrame(%q) = %+v, want %+v", text, *got, want)
		}
		if again, err := ParseFrame(got.String()); err != nil || *again != *got {
			t.Errorf("ParseFrame(%q) = %v, %v", got, again, err)
		}
	}
	for _, text := range []string{
		"", "rows", "rows 6", "rows between 6 preceding", "groups 1 preceding", "rows -1 preceding", "rows 1.5 preceding",
		"rows between current row and 1 preceding", "rows between 1 preceding and 2 preceding", "rows unbounded following",
		"rows between 1 preceding and unbounded preceding", "rows 99999999999999999999 preceding",
		"rows 6 preceding exclude ties", "rows between 6 preceding and current row; drop table x",
	} {
		if f, err := ParseFrame(text); err == nil {
			t.Errorf("ParseFrame(%q) = %v", text, f)
		}
	}
}

func TestParseField(t *testing.T) {
	for text, want := range map[string]string{
		"end": "end", " null ": "null", "customer$id": "customer$id", "sum(x)": "(call sum x)", "sum(a) / sum(b)": "(div (call sum a) (call sum b))",
	} {
		e, err := ParseField(text)
		if err != nil || shape(e) != want {
			t.Errorf("ParseField(%q) = %v, %v", text, e, err)
		}
	}
	for _, text := range []string{"", "1", "'x'", "a b", "a as b", "1=1; --", "a\x00"} {
		if e, err := ParseField(text); err == nil {
			t.Errorf("ParseField(%q) = %v", text, e)
		}
	}
}
