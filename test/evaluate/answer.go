package evaluate

import (
	"slices"

	"parlance/internal/semantic"
)

// maxRows is the most that a query may ask for.
const maxRows = 10_000

// answer reads the rows.
func (r *run) answer() (*Answer, error) {
	a := &Answer{Grouped: r.grouped}
	for _, o := range r.columns {
		a.Columns = append(a.Columns, o.Column)
	}
	kept := newGroup(nil)
	for _, fact := range r.facts() {
		rows, err := r.kept(fact)
		if err != nil {
			return nil, err
		}
		kept.parts[fact] = rows
		a.Examined += len(rows)
	}
	if r.grouped {
		return a, r.groupAnswer(a, kept)
	}
	lines, rows, err := r.rowLines(kept.parts[r.model])
	if err != nil {
		return nil, err
	}
	kept.parts[r.model] = rows
	if err := r.fill(a, lines); err != nil {
		return nil, err
	}
	return a, r.totals(a, kept)
}

// fill orders the lines and cuts the page.
func (r *run) fill(a *Answer, lines []line) error {
	for _, l := range r.arranged(lines) {
		a.All = append(a.All, l.cells)
		a.groups = append(a.groups, l.group)
	}
	a.Total = int64(len(a.All))
	return r.page(a)
}

// groupAnswer reads groups: those that pass, the first of them, and what is added up behind them.
func (r *run) groupAnswer(a *Answer, kept *group) error {
	groups, err := r.passed(kept)
	if err != nil {
		return err
	}
	scopes, ties := make([]*scope, len(groups)), make([][]Value, len(groups))
	for i, g := range groups {
		scopes[i], ties[i] = g.over(r.single), g.keys
	}
	set(scopes, ties)
	of := map[*group]*scope{}
	remaining := groups[:0:0]
	for i, g := range groups {
		ok, err := all(r.last, scopes[i])
		if err != nil {
			return err
		}
		if ok {
			remaining = append(remaining, g)
			of[g] = scopes[i]
		}
	}
	groups = remaining
	passed := newGroup(nil)
	for _, fact := range r.facts() {
		passed.parts[fact] = nil
	}
	for _, g := range groups {
		passed.add(g)
	}
	first, others, err := r.cutTop(groups)
	if err != nil {
		return err
	}
	lines := make([]line, len(first))
	for i, g := range first {
		if lines[i], err = r.line(of[g], g.keys); err != nil {
			return err
		}
		lines[i].group = g
	}
	if err := r.fill(a, lines); err != nil {
		return err
	}
	if err := r.addSummaries(a, groups, others); err != nil {
		return err
	}
	return r.totals(a, passed)
}

// addSummaries marks every row by its kind, and adds those that stand behind the page's.
func (r *run) addSummaries(a *Answer, groups []*group, others *group) error {
	q := r.input.Query
	if !q.Subtotals && (q.Top == nil || !q.Top.Others) {
		return nil
	}
	if q.Distinct || r.overlapping() || r.model.Multi != nil {
		return unclear("sums of distinct or overlapping groups, or of several facts")
	}
	if q.Subtotals && r.derivedKey() {
		return unclear("subtotals by a key that is made from another")
	}
	a.Columns = append(a.Columns, Column{Key: "_rowType"})
	for i, row := range a.Rows {
		a.Rows[i] = append(slices.Clone(row), Str("data"))
	}
	if _, limit, _, _ := q.Paging.Window(r.input.DefaultRows, maxRows); limit == 0 {
		return nil
	}
	if others != nil {
		row, err := r.summaryLine(others, nil, 0, "others")
		if err != nil {
			return err
		}
		a.Rows = append(a.Rows, row)
	}
	if !q.Subtotals {
		return nil
	}
	rows, err := r.subtotals(a.groups, groups)
	a.Rows = append(a.Rows, rows...)
	return err
}

// kept returns the base rows of a fact that the conditions on rows let through.
func (r *run) kept(fact *semantic.Model) ([]*base, error) {
	var kept []*base
	for _, row := range r.input.Data.rows(fact) {
		if r.sight.Keeps != nil && !r.sight.Keeps(fact, row.field) {
			continue
		}
		ok, err := all(r.before, &scope{row: row})
		if err != nil {
			return nil, err
		}
		if ok {
			kept = append(kept, row)
		}
	}
	return kept, nil
}

func all(conds []*node, s *scope) (bool, error) {
	for _, c := range conds {
		if ok, err := c.holds(s); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// rowLines returns a line for each row, its tie broken by the model's key, and the rows that they are of.
func (r *run) rowLines(rows []*base) (lines []line, of []*base, err error) {
	scopes, ties := make([]*scope, len(rows)), make([][]Value, len(rows))
	for i, row := range rows {
		scopes[i] = &scope{row: row}
		for _, column := range r.model.Key {
			ties[i] = append(ties[i], row.own[column])
		}
	}
	if r.sight.Keyless && r.windowed() {
		return nil, nil, unclear("ties within windows over rows whose key is not seen")
	}
	set(scopes, ties)
	for i, s := range scopes {
		ok, err := all(r.last, s)
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			continue
		}
		l, err := r.line(s, ties[i])
		if err != nil {
			return nil, nil, err
		}
		if r.sight.Keyless {
			l.tie = slices.Concat(l.cells, l.tie)
		}
		lines, of = append(lines, l), append(of, rows[i])
	}
	return lines, of, nil
}

// page cuts the page out of all rows.
func (r *run) page(a *Answer) error {
	start, limit, _, err := r.input.Query.Paging.Window(r.input.DefaultRows, maxRows)
	if err != nil {
		return refuse("out_of_range", "%v", err)
	}
	from := min(start, a.Total)
	to := min(a.Total, from+limit)
	a.Rows, a.groups = slices.Clone(a.All[from:to]), a.groups[from:to]
	return nil
}
