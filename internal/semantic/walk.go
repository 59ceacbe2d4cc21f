package semantic

import "iter"

// Dimensions returns the dimensions of a list and all that are nested in them, each before its own.
func Dimensions(list []*Dimension) iter.Seq[*Dimension] {
	return func(yield func(*Dimension) bool) { walk(list, yield) }
}

func walk(list []*Dimension, yield func(*Dimension) bool) bool {
	for _, d := range list {
		if !yield(d) || !walk(d.Dimensions, yield) {
			return false
		}
	}
	return true
}
