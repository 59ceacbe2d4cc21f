package contract

import (
	"regexp"
	"slices"
	"testing"
)

// decisions are the rows of docs/decisions.md that the server keeps; each needs a case whose name carries it.
var decisions = []string{
	"01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12", "13", "14", "15", "16",
	"20", "21", "22", "23", "24", "25", "26",
	"30", "31", "32", "33", "34", "35", "36", "37", "38",
	"40", "41", "42", "43", "44", "45", "46", "47", "48", "49", "50", "51", "52", "53", "54", "55", "56",
	"60", "61", "62", "63", "64", "65", "66", "67",
}

// sections are those of the contract. Where it shows nothing (3, 6), the case says what the server does instead.
var sections = []string{
	"1", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "3", "4.1", "4.2", "4.3", "4.4", "5", "6", "7.1", "7.2", "8", "9",
}

var caseName = regexp.MustCompile(`^(decision-\d\d|contract-[\d.]+|case|injection|operation)-[a-z0-9-]+$`)

func TestEveryDecisionAndSectionHasACase(t *testing.T) {
	covered := map[string]int{}
	seen := map[string]bool{}
	var total, refusals int
	for _, f := range readFiles(t) {
		for _, c := range f.cases {
			parts := caseName.FindStringSubmatch(c.name)
			if parts == nil {
				t.Errorf("%s:%d: the name %q does not say what it proves", f.name, c.line, c.name)
				continue
			}
			if seen[c.name] {
				t.Errorf("%s:%d: a second case %q", f.name, c.line, c.name)
			}
			seen[c.name] = true
			covered[parts[1]]++
			total++
			if c.want.refuses() {
				refusals++
			}
		}
	}
	for _, number := range decisions {
		if covered["decision-"+number] == 0 {
			t.Errorf("no case for decision %s", number)
		}
	}
	for _, section := range sections {
		if covered["contract-"+section] == 0 {
			t.Errorf("no case for section %s of the contract", section)
		}
	}
	if total < 150 {
		t.Errorf("%d cases; want at least 150", total)
	}
	if refusals*5 < total*2 {
		t.Errorf("%d of %d cases are refusals; want about half", refusals, total)
	}
	t.Logf("%d cases, %d of them refusals", total, refusals)
}

var refusal = regexp.MustCompile(`^(refused|rpc-error|tool-error) |\.error\.code =`)

// refuses reports whether the answer says no.
func (a answer) refuses() bool {
	return a.status >= 400 || slices.ContainsFunc(a.asserts, func(one assert) bool { return refusal.MatchString(one.text) })
}
