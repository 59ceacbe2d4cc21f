package catalog

import "parlance/internal/value"

var (
	stringType  = value.Type{Kind: value.String}
	integerType = value.Type{Kind: value.Integer}
	decimalType = value.Type{Kind: value.Decimal, Scale: value.MinRatioScale}
	dateType    = value.Type{Kind: value.Date}
)

// declaredType returns the type that a file names, and whether it names one that exists.
func declaredType(r *report, word text) (value.Type, bool) {
	if !word.set() {
		return value.Type{}, false
	}
	t, ok := value.Named(word.value)
	if !ok {
		r.add(word.at, "unknown type %q%s", word.value, meant(word.value, value.TypeNames))
	}
	return t, ok
}

// needColumn reports a column that the live table lacks.
func needColumn(r *report, in columns, column text) {
	if column.set() && !in.has(column.value) {
		r.add(column.at, "%s has no column %q%s", in.name, column.value, meant(column.value, in.names()))
	}
}

// columnType returns the type of a column: the live one as the declared word reads it, or the declared one where
// nothing is known, or fallback where nothing is said.
func columnType(r *report, in columns, column, word text, fallback value.Type) value.Type {
	declared, said := declaredType(r, word)
	needColumn(r, in, column)
	live, known := in.types[column.value]
	switch {
	case !known && said:
		return declared
	case !known:
		return fallback
	case !said && live.Kind == value.Null:
		r.add(column.at, "column %q of %s has a type that cannot be queried; name one with the key \"type\"", column.value, in.name)
		return fallback
	case !said:
		return live
	}
	fitted, ok := fit(declared, live)
	if !ok {
		r.add(word.at, "column %q of %s is of type %s, which cannot be read as %s", column.value, in.name, live.Name(), word.value)
	}
	return fitted
}

// fit reads a live column as a declared type. The digits after the point are the column's, but money has two at
// least; a float stays a float; a column of unknown type is taken at the file's word.
func fit(declared, live value.Type) (value.Type, bool) {
	if live.Kind == value.Null {
		return declared, true
	}
	switch declared.Kind {
	case value.Decimal:
		return fitDecimal(declared, live)
	case value.Integer:
		if live.Kind == value.Decimal && live.Scale == 0 {
			return live, true
		}
	case value.Null, value.String, value.Float, value.Boolean, value.Date, value.Timestamp:
	}
	return live, live.Kind == declared.Kind
}

func fitDecimal(declared, live value.Type) (value.Type, bool) {
	switch live.Kind {
	case value.Float:
		return value.Type{Kind: value.Float, Style: declared.Style}, true
	case value.Integer, value.Decimal:
		if declared.Style != value.Money {
			declared.Scale = live.Scale
		}
		declared.Scale, declared.Wide = max(declared.Scale, live.Scale), live.Wide
		return declared, true
	case value.Null, value.String, value.Boolean, value.Date, value.Timestamp:
	}
	return declared, false
}

// joinable reports whether values of two types can be equal, as the two ends of a join must.
func joinable(a, b value.Type) bool {
	return a.Kind == b.Kind || a.Numeric() && b.Numeric() || a.Kind == value.Null || b.Kind == value.Null
}
