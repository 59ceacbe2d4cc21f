package tpch

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// question is one of the benchmark's, as payloads.
type question struct {
	name     string
	Question string `json:"question"`
	Answer   string `json:"answer"` // totals: the answer is totalData and not the rows
	Steps    []step `json:"steps"`
}

// step is a payload. In a later one "<name>" stands for the value of that column in the first row of the answer before
// it, "<all name>" for the list of its values in all rows.
type step struct {
	Model   string          `json:"model"`
	Payload json.RawMessage `json:"payload"`
}

func questions(t testing.TB) []question {
	t.Helper()
	files, err := filepath.Glob("questions/*.json")
	if err != nil {
		t.Fatal(err)
	}
	list := make([]question, 0, len(files))
	for _, file := range files {
		q := question{name: strings.TrimSuffix(filepath.Base(file), ".json")}
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &q)
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		list = append(list, q)
	}
	return list
}

// byHand is the SQL that a person wrote for a question on an engine: the engine's own where its dialect forces that,
// otherwise the one for all.
func (q question) byHand(t testing.TB, engine string) string {
	t.Helper()
	for _, file := range []string{filepath.Join("sql", engine, q.name+".sql"), filepath.Join("sql", q.name+".sql")} {
		data, err := os.ReadFile(file)
		if err == nil {
			return string(data)
		}
		if !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	t.Fatalf("there is no SQL for %s on %s", q.name, engine)
	return ""
}

// filled puts values of the answer before into a payload.
func (s step) filled(before answer) (string, error) {
	text := string(s.Payload)
	for i, column := range before.columns {
		list := make([]string, len(before.rows))
		for j, row := range before.rows {
			value, err := json.Marshal(row[i])
			if err != nil {
				return "", err
			}
			list[j] = string(value)
		}
		text = strings.ReplaceAll(text, `"<all `+column+`>"`, "["+strings.Join(list, ", ")+"]")
		if len(list) > 0 {
			text = strings.ReplaceAll(text, `"<`+column+`>"`, list[0])
		}
	}
	if strings.Contains(text, `"<all `) {
		return "", fmt.Errorf("the answer before has nothing for %s", text[strings.Index(text, `"<all `):])
	}
	return text, nil
}
