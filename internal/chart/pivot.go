package chart

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// pivot is a number of two keys: a row for each member of the one, a column for each of the other.
type pivot struct {
	rows, columns []string
	cells         map[[2]string]float64
	texts         map[[2]string]string
}

// twoKeys shows the first number; the key that tells when, or the one of more members, runs along the axis.
func (f *frame) twoKeys(t Table, keys, numbers []int) {
	along, across := keys[0], keys[1]
	switch a, b := t.Columns[along], t.Columns[across]; {
	case a.Time != b.Time:
		if b.Time {
			along, across = across, along
		}
	case members(t.Rows, across) > members(t.Rows, along):
		along, across = across, along
	}
	f.x, f.by, f.hasX, f.hasBy = t.Columns[along], t.Columns[across], true, true
	f.y = []Column{t.Columns[numbers[0]]}
	p := pivotOf(t, along, across, numbers[0])
	f.pivoted(p, int(t.Total) > len(t.Rows))
	f.leaveOut(t, numbers[1:])
}

func members(rows [][]Cell, key int) int {
	seen := map[Cell]bool{}
	for _, row := range rows {
		seen[row[key]] = true
	}
	return len(seen)
}

func pivotOf(t Table, along, across, value int) *pivot {
	p := &pivot{cells: map[[2]string]float64{}, texts: map[[2]string]string{}}
	for _, row := range t.Rows {
		at := [2]string{label(row[along]), label(row[across])}
		if !slices.Contains(p.rows, at[0]) {
			p.rows = append(p.rows, at[0])
		}
		if !slices.Contains(p.columns, at[1]) {
			p.columns = append(p.columns, at[1])
		}
		v := number(row[value])
		if had, ok := p.cells[at]; ok && !math.IsNaN(had) && !math.IsNaN(v) && t.Columns[value].Additive {
			v += had // two members of one name
			p.texts[at] = Exact(strconv.FormatFloat(v, 'f', -1, 64), t.Columns[value].Style, t.Columns[value].Unit)
		} else {
			p.texts[at] = told(row[value], v, t.Columns[value])
		}
		p.cells[at] = v
	}
	return p
}

func (f *frame) pivoted(p *pivot, more bool) {
	additive, negative := f.y[0].Additive, p.negative()
	f.order(p, additive)
	f.kind = Grouped
	switch {
	case f.steps != nil:
		f.kind = Line
	case additive && !negative:
		f.kind = Stacked
	}
	most := maxBars
	if f.kind == Grouped {
		most = maxGroups
	}
	if all := len(p.rows); f.kind != Line && all > most {
		p.rows = p.rows[:most]
		f.left = append(f.left, f.words.shown(most, all))
	}
	if more {
		f.left = append(f.left, "…")
	}
	f.labels = p.rows
	f.members(p, additive)
}

// order puts time in its course, and everything else by what its parts add up to.
func (f *frame) order(p *pivot, additive bool) {
	if f.x.Time {
		rows := slices.DeleteFunc(slices.Clone(p.rows), func(r string) bool { return r == none })
		slices.Sort(rows)
		if places := placesOf(rows); len(places) >= leastTimes {
			if len(rows) < len(p.rows) {
				f.left = append(f.left, f.words.notDrawn([]string{none}))
			}
			p.rows, f.steps, f.step = rows, places, usualStep(places)
		}
		return
	}
	if additive {
		slices.SortStableFunc(p.rows, func(a, b string) int { return cmp.Compare(p.sum(b, true), p.sum(a, true)) })
	}
}

// members makes a series of each member of the second key, the largest first. Those beyond the bound are one, where their
// numbers add up.
func (f *frame) members(p *pivot, additive bool) {
	slices.SortStableFunc(p.columns, func(a, b string) int {
		return cmp.Compare(math.Abs(p.sum(b, false)), math.Abs(p.sum(a, false)))
	})
	shown, rest := p.columns, []string(nil)
	if all := len(p.columns); all > maxSeries {
		shown = p.columns[:maxSeries]
		if additive {
			shown, rest = p.columns[:maxSeries-1], p.columns[maxSeries-1:]
		} else {
			f.left = append(f.left, f.words.series(maxSeries, all))
		}
	}
	for _, column := range shown {
		s := series{name: column}
		for _, row := range p.rows {
			v, ok := p.cells[[2]string{row, column}]
			text := p.texts[[2]string{row, column}]
			if !ok {
				v, text = math.NaN(), none
			}
			s.values, s.texts = append(s.values, v), append(s.texts, text)
		}
		f.series = append(f.series, s)
	}
	if rest != nil {
		f.series = append(f.series, f.remainder(p, rest))
	}
}

// remainder adds up the members that have no series of their own.
func (f *frame) remainder(p *pivot, rest []string) series {
	s := series{name: f.words.other + " (" + strconv.Itoa(len(rest)) + ")", rest: true}
	for _, row := range p.rows {
		sum, text := math.NaN(), none
		for _, column := range rest {
			if v, ok := p.cells[[2]string{row, column}]; ok && !math.IsNaN(v) {
				if math.IsNaN(sum) {
					sum = 0
				}
				sum += v
			}
		}
		if !math.IsNaN(sum) {
			text = Exact(strconv.FormatFloat(sum, 'f', 2, 64), f.y[0].Style, f.y[0].Unit)
		}
		s.values, s.texts = append(s.values, sum), append(s.texts, text)
	}
	return s
}

// sum adds up a row or a column.
func (p *pivot) sum(of string, row bool) float64 {
	total := 0.0
	others := p.columns
	if !row {
		others = p.rows
	}
	for _, other := range others { // in a fixed order: floats add up differently in another
		at := [2]string{of, other}
		if !row {
			at = [2]string{other, of}
		}
		if v := p.cells[at]; !math.IsNaN(v) {
			total += v
		}
	}
	return total
}

func (p *pivot) negative() bool {
	for _, v := range p.cells {
		if v < 0 {
			return true
		}
	}
	return false
}
