package fault

// maxRepeated is how many characters of a caller's text an error repeats.
const maxRepeated = 64

// Clip returns as much of a caller's text as an error repeats, with an ellipsis where it was cut.
func Clip(text string) string {
	seen := 0
	for i := range text {
		if seen == maxRepeated {
			return text[:i] + "…"
		}
		seen++
	}
	return text
}
