package semantic

// GrainNames returns the suffixes that cut a date or a timestamp to a period, coarsest first.
func GrainNames() []string {
	names := make([]string, len(grainNames))
	for i, g := range grainNames {
		names[i] = g.name
	}
	return names
}
