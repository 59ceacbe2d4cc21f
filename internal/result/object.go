package result

import (
	"time"

	"parlance/internal/fault"
)

// AppendObject appends one row as an object: totals, or the values of a KPI. Every number is a JSON number with all
// its digits, whatever its column says (decision 51).
func AppendObject(b []byte, columns []Column, cells []any, zone *time.Location) ([]byte, error) {
	b, err := AppendMembers(append(b, '{'), columns, cells, zone)
	if err != nil {
		return nil, err
	}
	return append(b, '}'), nil
}

// AppendMembers appends one row as the members of an object that b has opened already, as AppendObject does.
// A comma stands before each member that does not follow the opening brace.
func AppendMembers(b []byte, columns []Column, cells []any, zone *time.Location) ([]byte, error) {
	if len(cells) != len(columns) {
		return nil, fault.Internalf(nil, "A row has %d cells for %d columns", len(cells), len(columns))
	}
	if zone == nil {
		zone = time.UTC
	}
	var err error
	for i, c := range columns {
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(AppendString(b, c.Key), ':')
		if b, err = appendCell(b, c.Type, true, zone, cells[i]); err != nil {
			return nil, err
		}
	}
	return b, nil
}
