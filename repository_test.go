package parlance_test

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// notHere are texts that belong to one machine or one network and not to the project. They are written in pieces so
// that this file does not hold them.
var notHere = regexp.MustCompile(`(^|[^A-Za-z0-9_.])/(` + strings.Join([]string{`work`, `root`, `farm`, `home/[a-z]+`, `Users/[A-Za-z]+`, `tmp/brief`, `tmp/probe`}, "|") + `)/` +
	`|` + strings.Join([]string{"proxy" + `\.golang\.org`, "sum" + `\.golang\.org`, "registry" + `\.npmjs\.org`, "deb" + `\.debian\.org`, "files" + `\.pythonhosted\.org`}, "|"))

func TestNoFileNamesAMachine(t *testing.T) {
	for _, file := range repositoryFiles(t) {
		if strings.HasSuffix(file, "go.sum") {
			continue
		}
		for i, line := range strings.Split(read(t, file), "\n") {
			if found := notHere.FindString(line); found != "" {
				t.Errorf("%s:%d: names %q, which only one machine or network has", file, i+1, strings.TrimSpace(found))
			}
		}
	}
}

// maxLines is where a file has stopped being one thing.
const maxLines = 500

func TestFilesStaySmall(t *testing.T) {
	for _, file := range repositoryFiles(t) {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		if lines := strings.Count(read(t, file), "\n"); lines > maxLines {
			t.Errorf("%s has %d lines; over %d a file has become two things", file, lines, maxLines)
		}
	}
}

// namedPath is a path of the repository as a document writes it. A path that starts with ./ is the reader's own.
var namedPath = regexp.MustCompile(`(?:^|[^A-Za-z0-9_./-])((?:cmd|internal|docs|test|tools|models|schema|\.ci)/[A-Za-z0-9_.$/-]*[A-Za-z0-9_/])`)

// methods look like paths and are JSON-RPC's.
var methods = []string{"tools/list", "tools/call"}

// link is the target of a link to a file.
var link = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)

func TestDocumentsNameWhatExists(t *testing.T) {
	documents := []string{"README.md", "CONTRIBUTING.md"}
	for _, file := range repositoryFiles(t) {
		if path.Dir(file) == "docs" && path.Ext(file) == ".md" {
			documents = append(documents, file)
		}
	}
	if len(documents) < 9 {
		t.Fatalf("only %d documents found: %v", len(documents), documents)
	}
	for _, document := range documents {
		text := read(t, document)
		for _, match := range namedPath.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(methods, match[1]) {
				mustExist(t, document, match[1])
			}
		}
		for _, match := range link.FindAllStringSubmatch(text, -1) {
			mustExist(t, document, path.Join(path.Dir(document), match[1]))
		}
	}
}

func mustExist(t *testing.T, document, name string) {
	t.Helper()
	if _, err := os.Stat(name); err != nil {
		t.Errorf("%s names %s, which does not exist", document, name)
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
