package questions

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// modelNames are names of models, fields, dimensions and tables as model files give them.
	modelNames = regexp.MustCompile(`(?m)(?:\bname|^model|\btable|\bcolumn): ([A-Za-z_]+)`)
	// codes are the keys of dictionaries.
	codes = regexp.MustCompile(`(?m)^  ([A-Za-z_]+): \{label`)
)

// The reader lives on the vocabulary that it is given: no word that only the demo has may stand in its code.
func TestTheReaderKnowsNothingOfTheDemo(t *testing.T) {
	words := map[string]bool{}
	files, err := filepath.Glob("../../models/default/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatalf("found %d model files, %v", len(files), err)
	}
	for _, file := range files {
		text := read(t, file)
		for _, m := range append(modelNames.FindAllStringSubmatch(text, -1), codes.FindAllStringSubmatch(text, -1)...) {
			own := m[1] != strings.ToLower(m[1]) || strings.Contains(m[1], "_")
			if own && len(m[1]) > 3 { // year, month, date and their like belong to everyone
				words[m[1]] = true
			}
		}
	}
	delete(words, "day_of_week") // a function of the query language
	if len(words) < 100 {
		t.Fatalf("found only %d words of the demo", len(words))
	}
	sources, err := filepath.Glob("../../internal/question/*.go")
	if err != nil || len(sources) == 0 {
		t.Fatalf("found no sources, %v", err)
	}
	for _, file := range sources {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, w := range regexp.MustCompile(`[A-Za-z_]+`).FindAllString(read(t, file), -1) {
			if words[w] {
				t.Errorf("%s says %q, which is the demo's", filepath.Base(file), w)
			}
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
