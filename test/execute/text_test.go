package execute

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"parlance/internal/value"
	"parlance/test/evaluate"
)

// typeWords are the column types of tables written as text.
var typeWords = map[string]value.Type{
	"string":      {Kind: value.String},
	"integer":     {Kind: value.Integer},
	"bigint":      {Kind: value.Integer, Wide: true},
	"money":       {Kind: value.Decimal, Scale: 2},
	"decimal1":    {Kind: value.Decimal, Scale: 1},
	"decimal4":    {Kind: value.Decimal, Scale: 4},
	"decimal8":    {Kind: value.Decimal, Scale: 8},
	"float":       {Kind: value.Float},
	"boolean":     {Kind: value.Boolean},
	"date":        {Kind: value.Date},
	"timestamp":   {Kind: value.Timestamp},
	"timestamptz": {Kind: value.Timestamp, Zoned: true},
}

// parseTable reads a table: a line of columns (name type), then a line for each row, cells between bars. An empty cell
// is null, and ” is the empty text.
func parseTable(name, text string) (table, error) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	t := table{name: name}
	for _, head := range cellsOf(lines[0]) {
		words := strings.Fields(head)
		typ, ok := typeWords[words[len(words)-1]]
		if len(words) != 2 || !ok {
			return t, fmt.Errorf("table %s: %q is not a name and a type", name, head)
		}
		t.columns = append(t.columns, column{words[0], typ})
	}
	for _, line := range lines[1:] {
		cells := cellsOf(line)
		if len(cells) != len(t.columns) {
			return t, fmt.Errorf("table %s: %q has %d cells for %d columns", name, line, len(cells), len(t.columns))
		}
		row := make([]evaluate.Value, len(cells))
		for i, cell := range cells {
			v, err := parseCell(t.columns[i].typ, cell)
			if err != nil {
				return t, fmt.Errorf("table %s: %q: %w", name, line, err)
			}
			row[i] = v
		}
		t.rows = append(t.rows, row)
	}
	return t, nil
}

func cellsOf(line string) []string {
	cells := strings.Split(line, "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

func parseCell(t value.Type, cell string) (evaluate.Value, error) {
	switch {
	case cell == "":
		return evaluate.Value{}, nil
	case cell == "''":
		return evaluate.Str(""), nil
	}
	switch t.Kind {
	case value.Integer, value.Decimal:
		r, ok := new(big.Rat).SetString(cell)
		if !ok {
			return evaluate.Value{}, fmt.Errorf("%q is no number", cell)
		}
		return evaluate.Value{Kind: t.Kind, Num: r}, nil
	case value.Boolean:
		return evaluate.Flag(cell == "true"), nil
	case value.Date:
		d, err := time.Parse("2006-01-02", cell)
		return evaluate.Day(d), err
	case value.Timestamp:
		at, err := time.Parse("2006-01-02T15:04:05.999999", strings.TrimSuffix(cell, "Z"))
		if t.Zoned {
			return evaluate.Instant(at), err
		}
		return evaluate.Wall(at), err
	case value.Float:
		f, err := strconv.ParseFloat(cell, 64)
		return evaluate.Value{Kind: value.Float, F: f}, err
	case value.Null, value.String:
	}
	return evaluate.Str(cell), nil
}

// String writes the table as parseTable reads it.
func (t table) String() string {
	var b strings.Builder
	for i, c := range t.columns {
		if i > 0 {
			b.WriteString(" | ")
		}
		b.WriteString(c.name + " " + typeWord(c.typ))
	}
	b.WriteByte('\n')
	for _, row := range t.rows {
		for i, v := range row {
			if i > 0 {
				b.WriteString(" | ")
			}
			b.WriteString(cellText(v))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func typeWord(t value.Type) string {
	for word, typ := range typeWords {
		if typ == t {
			return word
		}
	}
	return t.Name()
}

func cellText(v evaluate.Value) string {
	switch {
	case v.IsNull():
		return ""
	case v.Kind == value.String && v.Text == "":
		return "''"
	case v.Kind == value.String:
		return v.Text
	case v.Zoned:
		return v.Time.UTC().Format("2006-01-02T15:04:05.999999") + "Z"
	}
	return strings.Trim(v.JSON(true, time.UTC), `"`)
}
