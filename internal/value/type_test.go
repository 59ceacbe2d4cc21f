package value

import "testing"

func TestNamesOfTypes(t *testing.T) {
	for _, word := range TypeNames {
		typ, ok := Named(word)
		if !ok || typ.Name() != word {
			t.Errorf("%q is read as %+v, which is named %q", word, typ, typ.Name())
		}
	}
	for _, word := range []string{"", "Integer", "int", "bigint", "float", "number", "datetime", "null", " string"} {
		if typ, ok := Named(word); ok {
			t.Errorf("%q is read as %+v", word, typ)
		}
	}
}

func TestKindsOfTypes(t *testing.T) {
	for _, c := range []struct {
		t                        Type
		name                     string
		numeric, exact, temporal bool
	}{
		{Type{}, "null", false, false, false},
		{Type{Kind: String}, "string", false, false, false},
		{Type{Kind: Integer}, "integer", true, true, false},
		{Type{Kind: Integer, Wide: true}, "bigint", true, true, false},
		{Type{Kind: Decimal, Scale: 4}, "decimal", true, true, false},
		{Type{Kind: Decimal, Scale: 2, Style: Money}, "money", true, true, false},
		{Type{Kind: Float, Style: Percent}, "percent", true, false, false},
		{Type{Kind: Float}, "float", true, false, false},
		{Type{Kind: Boolean}, "boolean", false, false, false},
		{Type{Kind: Date}, "date", false, false, true},
		{Type{Kind: Timestamp}, "timestamp", false, false, true},
		{Type{Kind: Timestamp, Zoned: true}, "timestamp", false, false, true},
	} {
		if c.t.Name() != c.name || c.t.Numeric() != c.numeric || c.t.Exact() != c.exact || c.t.Temporal() != c.temporal {
			t.Errorf("%+v: %s, numeric %v, exact %v, temporal %v", c.t, c.t.Name(), c.t.Numeric(), c.t.Exact(), c.t.Temporal())
		}
	}
}

func TestValues(t *testing.T) {
	if v := (Value{}); !v.IsNull() || v.String() != "null" {
		t.Errorf("the zero value is %v", v)
	}
	if v := Of(String, ""); v.IsNull() || v.String() != "" {
		t.Errorf("the empty text is %v", v)
	}
	one, same := Of(Integer, "1"), Value{Kind: Integer, Text: "1"}
	if one != same || one == Of(String, "1") || one == Of(Integer, "1.0") {
		t.Error("values are equal by kind and text")
	}
}
