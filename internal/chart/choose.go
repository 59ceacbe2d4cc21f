package chart

import (
	"math"
	"slices"
)

const (
	maxNumbers = 4  // series that are numbers of their own
	maxSeries  = 6  // members of a second key
	maxBars    = 20 // labels of a chart of bars
	maxGroups  = 10 // labels of a chart of grouped bars
	leastTimes = 3  // fewer periods are compared rather than followed
)

// choose lays the table out as the form that suits it; nil: none does.
func choose(t Table, o Options) *frame {
	f := &frame{words: wordsOf(o.Chinese), chinese: o.Chinese}
	var keys, numbers []int
	for i, c := range t.Columns {
		if c.Number {
			numbers = append(numbers, i)
		} else {
			keys = append(keys, i)
		}
	}
	if len(t.Rows) == 0 || len(numbers) == 0 || len(keys) > 2 {
		return nil
	}
	switch len(keys) {
	case 0:
		f.single(t, numbers)
	case 1:
		f.oneKey(t, keys[0], numbers)
	case 2:
		f.twoKeys(t, keys, numbers)
	}
	if _, _, ok := f.ends(); !ok && f.kind != Value {
		return nil
	}
	return f
}

// single shows the numbers of the only row.
func (f *frame) single(t Table, numbers []int) {
	f.kind, f.labels = Value, []string{""}
	for _, i := range numbers[:min(len(numbers), maxNumbers)] {
		f.y = append(f.y, t.Columns[i])
		f.series = append(f.series, newSeries(t.Columns[i], t.Rows[:1], i))
	}
	f.leaveOut(t, numbers[len(f.y):])
}

// oneKey shows every number that is of the first one's kind.
func (f *frame) oneKey(t Table, key int, numbers []int) {
	f.x, f.hasX = t.Columns[key], true
	alike, others := sameKind(t, numbers)
	rows := f.inTime(t.Rows, key)
	f.kind = Bar
	if f.steps != nil {
		f.kind = Line
	} else if len(alike) > 1 {
		f.kind = Grouped
	}
	rows = f.fewer(rows, int(t.Total))
	for _, row := range rows {
		f.labels = append(f.labels, label(row[key]))
	}
	for _, i := range alike {
		f.y = append(f.y, t.Columns[i])
		f.series = append(f.series, newSeries(t.Columns[i], rows, i))
	}
	f.leaveOut(t, others)
}

// inTime finds out whether the rows follow one another in time, and returns them in its course, without those that have
// no time.
func (f *frame) inTime(rows [][]Cell, key int) [][]Cell {
	if !f.x.Time {
		return rows
	}
	timed := slices.DeleteFunc(slices.Clone(rows), func(row []Cell) bool { return row[key].Null })
	labels := make([]string, len(timed))
	for i, row := range timed {
		labels[i] = row[key].Text
	}
	places := placesOf(labels)
	if places == nil {
		slices.Reverse(labels)
		if places = placesOf(labels); places != nil {
			slices.Reverse(timed)
		}
	}
	if len(places) < leastTimes {
		return rows
	}
	if without := len(rows) - len(timed); without > 0 {
		f.left = append(f.left, f.words.notDrawn([]string{none}))
	}
	f.steps, f.step = places, usualStep(places)
	return timed
}

// fewer returns as many rows as bars can show, and notes how many there are.
func (f *frame) fewer(rows [][]Cell, total int) [][]Cell {
	most := len(rows)
	switch f.kind {
	case Bar:
		most = maxBars
	case Grouped:
		most = maxGroups
	case Line, Stacked, Value:
	}
	shown := rows[:min(len(rows), most)]
	if total = max(total, len(rows)); len(shown) < total && f.kind != Line || total > len(rows) {
		f.left = append(f.left, f.words.shown(len(shown), total))
	}
	return shown
}

// sameKind returns the numbers that can stand on one axis with the first, and the others.
func sameKind(t Table, numbers []int) (alike, others []int) {
	first := t.Columns[numbers[0]]
	for _, i := range numbers {
		c := t.Columns[i]
		if len(alike) < maxNumbers && c.Style == first.Style && c.Unit == first.Unit {
			alike = append(alike, i)
		} else {
			others = append(others, i)
		}
	}
	return alike, others
}

func (f *frame) leaveOut(t Table, numbers []int) {
	var names []string
	for _, i := range numbers {
		names = append(names, cut(clean(t.Columns[i].Name), 40))
	}
	if len(names) > 0 {
		f.left = append(f.left, f.words.notDrawn(names))
	}
}

func newSeries(c Column, rows [][]Cell, i int) series {
	s := series{name: clean(c.Name)}
	for _, row := range rows {
		v := number(row[i])
		s.values = append(s.values, v)
		s.texts = append(s.texts, told(row[i], v, c))
	}
	return s
}

// told returns a number as it is told in full.
func told(cell Cell, v float64, c Column) string {
	if math.IsNaN(v) {
		return none
	}
	return Exact(cell.Text, c.Style, c.Unit)
}

func label(c Cell) string {
	if text := clean(c.Text); !c.Null && text != "" {
		return cut(text, 80)
	}
	return none
}
