package execute

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"parlance/internal/semantic"
)

// breaksLaw holds one answered query to laws 4, 5 and 6 of the design, on the pipeline alone.
func (p *pipeline) breaksLaw(ctx context.Context, d dice, m *semantic.Model, q payload) string {
	if q["withSubtotals"] != nil || q["topN"] != nil {
		return "" // rows of other kinds stand on every page
	}
	for _, law := range []func(context.Context, dice, *semantic.Model, payload) (string, error){p.pagesJoin, p.groupsSum, p.columnDrops} {
		why, err := law(ctx, d, m, q)
		if err != nil {
			return "a query that follows from an answered one fails: " + err.Error()
		}
		if why != "" {
			return why
		}
	}
	return ""
}

// table of an answer: rows of cells, the total, the totals.
type sheet struct {
	rows   [][]cell
	total  int64
	totals []cell
}

// sameCells reports whether two rows are the same but for the last digits of doubles, which depend on the order in which
// a server reads.
func sameCells(a, b []cell) bool {
	return slices.EqualFunc(a, b, func(x, y cell) bool { return x.key == y.key && alike(x.text, y.text) })
}

func (p *pipeline) sheet(ctx context.Context, m *semantic.Model, q payload) (sheet, error) {
	decoded, err := decode(q.String())
	if err != nil {
		return sheet{}, err
	}
	a, err := p.run(ctx, m.Name, decoded)
	if err != nil {
		return sheet{}, fmt.Errorf("%s: %w", q, err)
	}
	defer a.Release()
	s := sheet{total: a.Total}
	if s.rows, err = readRows(a.Items); err != nil {
		return s, err
	}
	if a.TotalData != nil {
		totals, err := readRows([]byte("[" + string(a.TotalData) + "]"))
		if err != nil {
			return s, err
		}
		s.totals = totals[0]
	}
	return s, nil
}

func (p payload) unpaged() payload {
	c := maps.Clone(p)
	for _, key := range []string{"start", "limit", "page", "pageSize"} {
		delete(c, key)
	}
	return c
}

// pagesJoin is law 6: the pages put together are the unpaged rows, and paging touches no total.
func (p *pipeline) pagesJoin(ctx context.Context, _ dice, m *semantic.Model, q payload) (string, error) {
	whole := q.unpaged()
	all, err := p.sheet(ctx, m, whole)
	if err != nil {
		return "", err
	}
	size := max(1, len(all.rows)/3)
	var joined [][]cell
	for start := 0; start < len(all.rows); start += size {
		page := maps.Clone(whole)
		page["start"], page["limit"] = start, size
		one, err := p.sheet(ctx, m, page)
		if err != nil {
			return "", err
		}
		if one.total != all.total || !sameCells(one.totals, all.totals) {
			return fmt.Sprintf("law 6: a page from %d has another total: %v, not %v", start, one.totals, all.totals), nil
		}
		joined = append(joined, one.rows...)
	}
	if !slices.EqualFunc(joined, all.rows, sameCells) {
		return fmt.Sprintf("law 6: pages of %d are not the unpaged rows", size), nil
	}
	return "", nil
}

// groupsSum is law 5: the groups of an additive measure sum to its total.
func (p *pipeline) groupsSum(ctx context.Context, d dice, m *semantic.Model, q payload) (string, error) {
	if m.Multi != nil || q["distinct"] != nil {
		return "", nil
	}
	c := maps.Clone(q.unpaged())
	c["columns"], c["returnTotal"] = []string{"amount", "qty", "rows"}, true
	c["groupBy"] = []any{pick(d, m.Fields()).Name, "item.place$caption"}
	for _, key := range []string{"exColumns", "orderBy", "having", "calculatedFields", "withSubtotals", "topN"} {
		delete(c, key)
	}
	if keyless(m.Field(c["groupBy"].([]any)[0].(string))) || usesNames(c["slice"]) {
		return "", nil
	}
	s, err := p.sheet(ctx, m, c)
	if err != nil {
		return "", err
	}
	for j, t := range s.totals[1:] {
		sum := new(big.Rat)
		for _, row := range s.rows {
			if n, ok := new(big.Rat).SetString(row[j].text); ok {
				sum.Add(sum, n)
			}
		}
		if total, ok := new(big.Rat).SetString(t.text); !ok || total.Cmp(sum) != 0 {
			return fmt.Sprintf("law 5: the groups of %s sum to %s, the total is %s, for %s", t.key, sum.RatString(), t.text, c), nil
		}
	}
	return "", nil
}

// keyless reports whether a field makes no groups that stand apart: a measure, or a hierarchy's view.
func keyless(f *semantic.Field) bool { return f.Measure != nil || f.Tree }

// usesNames reports whether conditions may name an alias or a calculated field.
func usesNames(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		if f, ok := v["field"].(string); ok && strings.IndexByte("xcw", f[0]) >= 0 && len(f) < 4 {
			return true
		}
		for _, inner := range v {
			if usesNames(inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, usesNames)
	}
	return false
}

// columnDrops is law 4: leaving a column out of a detail query changes no row and no other value.
func (p *pipeline) columnDrops(ctx context.Context, d dice, m *semantic.Model, q payload) (string, error) {
	columns, _ := q["columns"].([]string)
	if len(columns) < 2 || q["groupBy"] != nil || q["distinct"] != nil || q["exColumns"] != nil || q["having"] != nil || m.Multi != nil {
		return "", nil
	}
	decoded, err := decode(q.String())
	if err != nil {
		return "", err
	}
	a, err := p.run(ctx, m.Name, decoded)
	if err != nil || a.Applied.Mode != "detail" {
		return "", err
	}
	a.Release()
	whole := q.unpaged()
	all, err := p.sheet(ctx, m, whole)
	if err != nil {
		return "", err
	}
	at := d.IntN(len(columns))
	name := outputName(columns[at])
	if usedElsewhere(q, name) || len(all.rows) > 0 && len(all.rows[0]) != len(columns) {
		return "", nil
	}
	c := maps.Clone(whole)
	c["columns"] = slices.Delete(slices.Clone(columns), at, at+1)
	less, err := p.sheet(ctx, m, c)
	if err != nil {
		return "", err
	}
	without := make([][]cell, len(all.rows))
	for i, row := range all.rows {
		without[i] = slices.Delete(slices.Clone(row), at, at+1)
	}
	if less.total != all.total || !slices.EqualFunc(less.rows, without, sameCells) {
		return fmt.Sprintf("law 4: without %s the rows are others", columns[at]), nil
	}
	return "", nil
}

// usedElsewhere reports whether an alias is named beyond the columns.
func usedElsewhere(q payload, name string) bool {
	for _, key := range []string{"orderBy", "slice"} {
		if q[key] != nil && contains(q[key], name) {
			return true
		}
	}
	return false
}

func contains(v any, name string) bool {
	switch v := v.(type) {
	case string:
		return v == name || v == "-"+name
	case map[string]any:
		for _, inner := range v {
			if contains(inner, name) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(inner any) bool { return contains(inner, name) })
	}
	return false
}
