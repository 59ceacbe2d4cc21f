package dialect

import (
	"strconv"
	"strings"

	"parlance/internal/compute"
	"parlance/internal/value"
)

// The places of the two middle values. The server takes the value at the place that the level times the count is cut
// off to, so a little less than a half is the lower one.
const (
	upperMiddle = "quantileExact(0.5)"
	lowerMiddle = "quantileExact(0.499999999999)"
)

var clickHouseAggregates = map[compute.Agg]string{
	compute.Avg: "avg", compute.Min: "min", compute.Max: "max", compute.StddevPop: "stddevPopStable", compute.VarPop: "varPopStable",
	compute.MedianLow: lowerMiddle, compute.MedianHigh: upperMiddle,
}

// Aggregate writes aggregates of values that may be null, so that one over no rows is null too.
func (d clickHouse) Aggregate(w *Writer, a compute.Agg, x *Arg, _ value.Type, _ Operand) {
	if x == nil {
		w.Text("toInt64(count())")
		return
	}
	nullable := func() { d.call(w, "toNullable", x.Write) }
	switch a {
	case compute.Count:
		w.Text("toInt64(count(")
		x.Write()
		w.Text("))")
	case compute.CountDistinct:
		w.Text("toInt64(ifNull(uniqExact(")
		nullable()
		w.Text("), 0))")
	case compute.Sum:
		d.sum(w, *x)
	case compute.Median:
		w.Text("((", lowerMiddle, "(")
		nullable()
		w.Text(") + ", upperMiddle, "(")
		nullable()
		w.Text(")) / 2)")
	case compute.StddevSamp:
		d.sample(w, "stddevSampStable", *x)
	case compute.VarSamp:
		d.sample(w, "varSampStable", *x)
	case compute.GroupConcat:
		w.Text("if(count(")
		x.Write()
		w.Text(") = 0, NULL, arrayStringConcat(arraySort(groupArray(")
		x.Write()
		w.Text(")), ','))")
	default:
		d.call(w, clickHouseAggregates[a], nullable)
	}
}

// sum writes a sum of 38 digits, which the server lets wrap around: where the addends could bring it there, doubles
// tell whether they did.
func (d clickHouse) sum(w *Writer, x Arg) {
	if !x.Type.Exact() {
		d.call(w, "sum", func() { d.call(w, "toNullable", x.Write) })
		return
	}
	total := func() {
		d.call(w, "sum", func() { d.call(w, "toNullable", func() { d.decimal(w, x.Write, x.Type.Scale) }) })
	}
	switch {
	case x.Type.Wide:
	case d.cluster:
		d.sumOfParts(w, x)
		return
	default:
		total()
		return
	}
	w.Text("if(throwIf(abs(sum(toFloat64(")
	x.Write()
	w.Text("))) >= 9e", strconv.Itoa(value.MaxPrecision-1-int(x.Type.Scale)), "), NULL, ")
	total()
	w.Text(")")
}

// sumOfParts writes a sum of numbers of 18 digits as two of integers, billions and the rest: a server of a cluster breaks
// over sums of 38 digits that others hand it.
func (d clickHouse) sumOfParts(w *Writer, x Arg) {
	var digits string
	w.Text("((toDecimal128(sum(intDiv(")
	digits = d.let(w, func() {
		w.Text("toNullable(toInt64(")
		if x.Type.Scale == 0 {
			x.Write()
		} else {
			d.decimal(w, x.Write, x.Type.Scale)
			w.Text(" * toDecimal128('", power10(int(x.Type.Scale)), "', 0)")
		}
		w.Text("))")
	})
	w.Text(", 1000000000)), 0) * toDecimal128('1000000000', 0) + toDecimal128(sum(", digits, " % 1000000000), 0))")
	if x.Type.Scale > 0 {
		s := strconv.Itoa(int(x.Type.Scale))
		w.Text(" * toDecimal128('0.", strings.Repeat("0", int(x.Type.Scale)-1), "1', ", s, ")")
	}
	w.Text(")")
}

// sample writes a measure of spread that one value alone has not.
func (d clickHouse) sample(w *Writer, name string, x Arg) {
	w.Text("if(count(")
	x.Write()
	w.Text(") < 2, NULL, ", name, "(")
	d.call(w, "toNullable", x.Write)
	w.Text("))")
}
