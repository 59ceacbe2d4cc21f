package datasource

import (
	"errors"
	"fmt"

	"parlance/internal/dialect"
	"parlance/internal/value"
)

// smallDecimal is the number of digits that fit in 64 bits.
const smallDecimal = 18

var errNoColumns = errors.New("a table needs a column")

// typeWords are a database's own words for the types of columns.
type typeWords struct {
	text, integer, wide string
	decimal             string // with verbs for digits and scale
	float, boolean      string
	date                string
	timestamp, zoned    string
}

// of returns the word for a type.
func (w typeWords) of(t value.Type) (string, error) {
	switch t.Kind {
	case value.String:
		return w.text, nil
	case value.Integer:
		if t.Wide {
			return w.wide, nil
		}
		return w.integer, nil
	case value.Decimal:
		digits := smallDecimal
		if t.Wide || t.Scale > smallDecimal {
			digits = value.MaxPrecision
		}
		return fmt.Sprintf(w.decimal, digits, t.Scale), nil
	case value.Float:
		return w.float, nil
	case value.Boolean:
		return w.boolean, nil
	case value.Date:
		return w.date, nil
	case value.Timestamp:
		if t.Zoned {
			return w.zoned, nil
		}
		return w.timestamp, nil
	case value.Null:
	}
	return "", fmt.Errorf("no column can have the type %s", t.Name())
}

// tableForm is how a database writes the table that it is to make.
type tableForm struct {
	words typeWords
	null  string // behind the word of a column that may be null
	keyed bool   // the key is declared
	after string // behind the last bracket
}

// create returns the statement that makes a table.
func (f tableForm) create(d dialect.Dialect, t Table) (string, error) {
	if len(t.Columns) == 0 {
		return "", errNoColumns
	}
	w := dialect.NewWriter(d)
	w.Text("CREATE TABLE ")
	w.Name(t.Name)
	w.Text(" (")
	for i, c := range t.Columns {
		native, err := f.words.of(c.Type)
		if err != nil {
			return "", fmt.Errorf("column %s: %w", c.Name, err)
		}
		if i > 0 {
			w.Text(", ")
		}
		w.Name(c.Name)
		if c.Nullable {
			w.Text(" ", native, f.null)
		} else {
			w.Text(" ", native, " NOT NULL")
		}
	}
	if f.keyed && len(t.Key) > 0 {
		w.Text(", PRIMARY KEY (")
		writeNames(w, t.Key)
		w.Text(")")
	}
	w.Text(")", f.after)
	text, _ := w.Statement()
	return text, nil
}

// writeNames writes identifiers with commas between them.
func writeNames(w *dialect.Writer, names []string) {
	for i, name := range names {
		if i > 0 {
			w.Text(", ")
		}
		w.Name(name)
	}
}
