package execute

import (
	"maps"
	"slices"
)

// shrink drops rows as long as what is wrong stays wrong.
func (w *world) shrink(wrong func(*world) bool) *world {
	for size := 128; size > 0; size /= 2 {
		for i := range w.tables {
			for from := 0; from < len(w.tables[i].rows); {
				less := *w
				less.tables = slices.Clone(w.tables)
				rows := w.tables[i].rows
				less.tables[i].rows = slices.Concat(rows[:from], rows[min(len(rows), from+size):])
				if wrong(&less) {
					w = &less
				} else {
					from += size
				}
			}
		}
	}
	return w
}

// shrink drops parts of a payload as long as what is wrong stays wrong.
func shrink(p payload, wrong func(payload) bool) payload {
	for smaller := true; smaller; {
		smaller = false
		for _, candidate := range reductions(map[string]any(p)) {
			if c := payload(candidate.(map[string]any)); wrong(c) {
				p, smaller = c, true
				break
			}
		}
	}
	return p
}

// reductions returns every value that is one step smaller: a member or an entry less, or one of them smaller.
func reductions(v any) []any {
	var list []any
	switch v := v.(type) {
	case map[string]any:
		for key := range v {
			less := maps.Clone(v)
			delete(less, key)
			list = append(list, less)
		}
		for key, inner := range v {
			for _, r := range reductions(inner) {
				changed := maps.Clone(v)
				changed[key] = r
				list = append(list, changed)
			}
		}
	case []any:
		for i := range v {
			list = append(list, append(append([]any{}, v[:i]...), v[i+1:]...))
			for _, r := range reductions(v[i]) {
				changed := append([]any{}, v...)
				changed[i] = r
				list = append(list, changed)
			}
		}
	case []string:
		for i := range v {
			list = append(list, append(append([]string{}, v[:i]...), v[i+1:]...))
		}
	}
	return list
}
