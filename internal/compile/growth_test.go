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
