package query

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/fault"
	"parlance/internal/jsontree"
)

// refused fails unless a parser's error is the caller's to mend.
func refused(t *testing.T, err error) {
	t.Helper()
	if f := fault.As(err); f.Kind != fault.Invalid || f.Reason == "" || f.Message == "" || f.Cause != nil {
		t.Fatalf("not a proper refusal: %+v", f)
	}
}

// FuzzParseExpr holds law 10 for whatever is accepted: its canonical text parses to the same tree.
func FuzzParseExpr(f *testing.F) {
	for _, s := range []string{
		"a + b * -c", "case x when 1 then 'a' else null end", "sum(if(a > 1, b, 0)) over (partition by c order by d desc rows 6 preceding)",
		"a not in (1, 2) and b between 1 and 2 or not c like 'x%'", "count(distinct `end`) / count(*)", "'; drop table x --", "\") or 1=1", "销售额 >= 1e3",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := ParseExpr(text)
		if err != nil {
			refused(t, err)
			return
		}
		canonical := e.String()
		if len(canonical) > maxText {
			return
		}
		again, err := ParseExpr(canonical)
		if err != nil {
			t.Fatalf("%q prints %q: %v", text, canonical, err)
		}
		if diff := cmp.Diff(e, again); diff != "" {
			t.Fatalf("%q prints %q: %s", text, canonical, diff)
		}
	})
}

// FuzzParseColumn holds law 10 for columns, orders and frames.
func FuzzParseColumn(f *testing.F) {
	for _, s := range []string{"sum(a) as b", "customer$caption AS 名", "-f nulls first", "f desc", "rows between 1 preceding and 2 following", "a as b; --"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := ParseColumn(text); err != nil {
			refused(t, err)
		} else if again, err := ParseColumn(c.String()); len(c.String()) <= maxText && (err != nil || !cmp.Equal(c, again)) {
			t.Fatalf("column %q prints %q: %v, %v", text, c, again, err)
		}
		if o, err := ParseOrder(text); err != nil {
			refused(t, err)
		} else if again, err := ParseOrder(o.String()); len(o.String()) <= maxText && (err != nil || !cmp.Equal(o, again)) {
			t.Fatalf("order %q prints %q: %v, %v", text, o, again, err)
		}
		if w, err := ParseFrame(text); err != nil {
			refused(t, err)
		} else if again, err := ParseFrame(w.String()); err != nil || !cmp.Equal(w, again) {
			t.Fatalf("frame %q prints %q: %v, %v", text, w, again, err)
		}
	})
}

// FuzzDecode holds law 10 for payloads: the canonical JSON of an accepted one decodes to the same canonical JSON.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		`{"columns":["a","sum(b) as c"],"slice":[{"a":1},{"field":"d","op":"[)","value":[1,null]}],"groupBy":["a"],"orderBy":["-c"],"limit":5}`,
		`{"slice":[{"$or":[{"$not":{"a":null}},{"$expr":"a > b"},{"field":"x","op":">","value":{"$field":"y"}}]}],"returnTotal":true}`,
		`{"calculatedFields":[{"name":"r","expression":"rank()","partitionBy":["a"],"windowOrderBy":["b desc"],"windowFrame":"rows 1 preceding"}]}`,
		`{"slice":[{"slice":[]}],"filters":{},"page":1e3}`,
		`{"orderBy":["-0"]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := jsontree.Parse(data)
		if err != nil {
			return
		}
		q, err := Decode(n, DecodeOptions{Format: true, Ignored: LegacyKeys})
		if err != nil {
			refused(t, err)
			return
		}
		canonical := q.JSON()
		n, err = jsontree.Parse(canonical)
		if err != nil {
			t.Fatalf("%s prints %s: %v", data, canonical, err)
		}
		again, err := Decode(n, DecodeOptions{Format: true})
		if err != nil {
			if fault.As(err).Reason == "expression_too_long" {
				return
			}
			t.Fatalf("%s prints %s: %v", data, canonical, err)
		}
		if diff := cmp.Diff(string(canonical), string(again.JSON())); diff != "" {
			t.Fatalf("%s: %s", data, diff)
		}
	})
}
