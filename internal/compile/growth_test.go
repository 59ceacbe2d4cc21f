package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"parlance/internal/compile"
	"parlance/internal/fault"
)

// TestNamesThatGrow: a name that uses the one before twice doubles each time; it is refused before it is computed.
func TestNamesThatGrow(t *testing.T) {
	m := shop(t)["Sales"]
	for _, form := range []string{"%[1]s + %[1]s", "%[1]s / (1 + %[1]s)", "concat(%[1]s, %[1]s)", "if(%[1]s > 1, %[1]s, 0)"} {
		var fields, columns []string
		calculated, alias := "qty", "qty"
		for i := range 60 {
			fields = append(fields, fmt.Sprintf(`{"name": "x%d", "expression": %q}`, i, fmt.Sprintf(form, calculated)))
			columns = append(columns, fmt.Sprintf("%q", fmt.Sprintf(form, alias)+fmt.Sprintf(" as y%d", i)))
			calculated, alias = fmt.Sprintf("x%d", i), fmt.Sprintf("y%d", i)
		}
		for _, payload := range []string{
			`{"columns": ["x59"], "calculatedFields": [` + strings.Join(fields, ", ") + `]}`,
			`{"columns": [` + strings.Join(columns, ", ") + `]}`,
		} {
			q, err := decode([]byte(payload))
			if err != nil {
				t.Fatal(err)
			}
			_, err = compile.Query(request(m, q, dialects[0].dialect))
			if f := fault.As(err); err == nil || f.Kind != fault.Invalid || f.Path == "" {
				t.Errorf("%s: %v", form, err)
			}
		}
	}
}

// TestTextsThatGrow: a text that takes the place of each character of another is refused where it can become longer than
// anybody reads, and the usual uses are not.
func TestTextsThatGrow(t *testing.T) {
	m := shop(t)["Sales"]
	const long = "lpad(customer$caption, 1000, 'a')"
	for expression, fits := range map[string]bool{
		"replace(customer$caption, '-', '')":                                              true,
		"replace(customer$caption, ' ', 'and')":                                           true,
		"replace(replace(replace(customer$caption, 'a', 'bb'), 'b', 'cc'), 'c', 'dd')":    true,
		"replace(customer$caption, customer$caption, customer$caption)":                   true,
		"replace(" + long + ", 'a', 'bcd')":                                               true,
		"replace(" + long + ", 'aa', '')":                                                 true,
		"replace(" + long + ", 'a', " + long + ")":                                        false,
		"replace(replace(" + long + ", 'a', 'bbbbbbbbbbbb'), 'b', 'cccccccccccc')":        false,
		"replace(replace(customer$caption, '', customer$caption), 'b', customer$caption)": false,
		"replace(group_concat(customer$caption), ',', group_concat(customer$caption))":    false,
		"length(concat('a', replace(" + long + ", 'a', " + long + ")))":                   false,
	} {
		q, err := decode(fmt.Appendf(nil, `{"columns": ["x"], "calculatedFields": [{"name": "x", "expression": %q}]}`, expression))
		if err != nil {
			t.Fatal(err)
		}
		_, err = compile.Query(request(m, q, dialects[0].dialect))
		switch {
		case fits && err != nil:
			t.Errorf("%s: %v", expression, err)
		case !fits && (err == nil || fault.As(err).Reason != "too_complex" || fault.As(err).Path != "calculatedFields[0].expression"):
			t.Errorf("%s: %v", expression, err)
		}
	}
}
