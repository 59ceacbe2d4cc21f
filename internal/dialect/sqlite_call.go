package dialect

import (
	"encoding/json"
	"strconv"

	"parlance/internal/compute"
	"parlance/internal/value"
)

// sqliteNames are functions that are called by another name than the common one, whatever the types.
var sqliteNames = map[compute.Fn]string{
	compute.BitsSet: "num_bits", compute.Greatest: "greatest", compute.Least: "least",
	compute.Contains: "fold_contains", compute.StartsWith: "fold_starts", compute.EndsWith: "fold_ends",
	compute.Lower: "text_lower", compute.Upper: "text_upper", compute.Length: "text_length", compute.Reverse: "text_reverse",
	compute.Substring: "text_substring", compute.Left: "text_left", compute.Right: "text_right", compute.Position: "text_position",
	compute.PadLeft: "text_lpad", compute.PadRight: "text_rpad", compute.Digest: "text_digest",
}

// sqliteExact are the functions of exact numbers, behind the prefix of their result's type.
var sqliteExact = map[compute.Fn]string{
	compute.Add: "add", compute.Sub: "sub", compute.Mul: "mul", compute.Div: "div", compute.Mod: "mod",
	compute.Neg: "neg", compute.Abs: "abs", compute.Floor: "floor", compute.Ceil: "ceil", compute.Trunc: "trunc", compute.Round: "round",
}

func (d sqlite) Call(w *Writer, f compute.Fn, args []Arg, t value.Type) {
	if name, ok := sqliteNames[f]; ok {
		call(w, name, args...)
		return
	}
	if name, ok := sqliteExact[f]; ok && t.Kind != value.Float {
		d.exact(w, name, args, t)
		return
	}
	switch f {
	case compute.And, compute.Or:
		d.balanced(w, infix[f], args)
	case compute.Eq, compute.Ne, compute.Lt, compute.Le, compute.Gt, compute.Ge:
		between(w, infix[f], d.comparable(w, args, f != compute.Eq && f != compute.Ne))
	case compute.In:
		d.among(w, args)
	case compute.Coalesce, compute.NullIf, compute.Case:
		standard(w, d, f, d.branches(w, f, args, t), t)
	case compute.Widen:
		if t.Kind == value.Decimal {
			d.asDecimal(w, args[0]).Write()
		} else {
			args[0].Write()
		}
	case compute.Float:
		d.float(w, args[0])
	case compute.Sign:
		if args[0].Type.Kind == value.Float {
			cast(w, func() { call(w, "SIGN", args[0]) }, "INTEGER")
		} else {
			call(w, "num_sign", args[0])
		}
	case compute.Mod:
		call(w, "float_mod", args...)
	case compute.Round:
		w.Text("float_round(")
		args[0].Write()
		w.Text(", ", args[1].Const.Text, ")")
	case compute.ToText:
		d.text(w, args[0])
	default:
		if !d.date(w, f, args, t) {
			standard(w, d, f, args, t)
		}
	}
}

// exact writes a function of exact numbers. Two numbers are followed by the scale of the result.
func (d sqlite) exact(w *Writer, name string, args []Arg, t value.Type) {
	w.Text(d.prefix(t), name, "(")
	args[0].Write()
	switch {
	case name == "round":
		w.Text(", ", args[1].Const.Text)
	case len(args) == 2:
		w.Text(", ")
		args[1].Write()
		w.Text(", ", strconv.Itoa(int(t.Scale)))
	}
	w.Text(")")
}

// balanced joins conditions in a tree of little depth, which SQLite bounds.
func (d sqlite) balanced(w *Writer, sign string, args []Arg) {
	if len(args) <= 2 {
		between(w, sign, args)
		return
	}
	half := len(args) / 2
	w.Text("(")
	d.balanced(w, sign, args[:half])
	w.Text(sign)
	d.balanced(w, sign, args[half:])
	w.Text(")")
}

// comparable puts values that are compared in one form: exact numbers as decimals if one of them is, dates beside
// timestamps as midnight.
func (d sqlite) comparable(w *Writer, args []Arg, sorted bool) []Arg {
	decimals, times, large := false, false, false
	for _, a := range args {
		decimals = decimals || a.Type.Kind == value.Decimal
		times = times || a.Type.Kind == value.Timestamp
		large = large || sorted && d.unsorted(a)
	}
	out := make([]Arg, len(args))
	for i, a := range args {
		switch {
		case decimals || large:
			a = d.asDecimal(w, a)
		case times && a.Type.Kind == value.Date:
			a = d.midnight(w, a)
		}
		out[i] = a
	}
	return out
}

// sqliteList is how many constants stand in a statement at most; more are one argument, since SQLite bounds their number.
const sqliteList = 32

// among writes whether a value is in a list, a long one as JSON.
func (d sqlite) among(w *Writer, args []Arg) {
	all := d.comparable(w, args, false)
	if len(args) <= sqliteList || !d.constants(args[1:]) {
		among(w, all)
		return
	}
	list := make([]string, len(args)-1)
	for i, a := range args[1:] {
		list[i] = a.Const.Text
	}
	text, _ := json.Marshal(list) // texts cannot fail
	w.Text("(")
	all[0].Write()
	w.Text(" IN (SELECT ", d.listed(all[1].Type), "value) FROM json_each(")
	w.Bind(string(text))
	w.Text(")))")
}

// listed begins the conversion of a list's texts to a type.
func (sqlite) listed(t value.Type) string {
	switch t.Kind {
	case value.Integer:
		return "int("
	case value.Decimal:
		return "dec("
	case value.Float:
		return "num_float("
	case value.Null, value.String, value.Boolean, value.Date, value.Timestamp:
	}
	return "("
}

// constants reports whether values can stand in a list as their texts.
func (sqlite) constants(args []Arg) bool {
	for _, a := range args {
		if a.Const == nil || a.Type.Kind == value.Boolean || a.Type.Zoned {
			return false
		}
	}
	return true
}

func (sqlite) midnight(w *Writer, x Arg) Arg {
	plain := x.Write
	x.Write = func() {
		w.Text("(")
		plain()
		w.Text(" || 'T00:00:00')")
	}
	return x
}

// branches puts the values of a choice in the form of its type.
func (d sqlite) branches(w *Writer, f compute.Fn, args []Arg, t value.Type) []Arg {
	if t.Kind != value.Decimal {
		return args
	}
	out := make([]Arg, len(args))
	for i, a := range args {
		if f != compute.Case || i%2 == 1 || i == len(args)-1 {
			a = d.asDecimal(w, a)
		}
		out[i] = a
	}
	return out
}

func (sqlite) float(w *Writer, x Arg) {
	if x.Type.Kind == value.Float {
		x.Write()
		return
	}
	call(w, "num_float", x)
}

func (sqlite) text(w *Writer, x Arg) {
	switch x.Type.Kind {
	case value.Integer, value.Decimal:
		w.Text("num_text(")
		x.Write()
		w.Text(", ", strconv.Itoa(int(x.Type.Scale)), ")")
	case value.Float:
		call(w, "float_text", x)
	case value.Boolean:
		call(w, "bool_text", x)
	case value.Null, value.String, value.Date, value.Timestamp:
		x.Write()
	}
}
