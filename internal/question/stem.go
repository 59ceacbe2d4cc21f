package question

import "strings"

// irregular stems that no ending tells.
var irregular = map[string]string{
	"daily": "day", "people": "person", "men": "man", "women": "woman", "children": "child", "whats": "what", "whose": "who",
}

// stem takes the plural and -ly off an English word. Vocabulary and questions are stemmed alike, so that a stem need
// not be a word.
func stem(w string) string {
	if s, ok := irregular[w]; ok {
		return s
	}
	w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "'")
	switch n := len(w); {
	case n > 4 && strings.HasSuffix(w, "ies"):
		return w[:n-3] + "y"
	case n > 4 && hasAnySuffix(w, "sses", "shes", "ches", "xes", "zes"):
		return w[:n-2]
	case n > 3 && strings.HasSuffix(w, "s") && !hasAnySuffix(w, "ss", "us", "is"):
		return w[:n-1]
	case n > 5 && strings.HasSuffix(w, "ly"):
		return w[:n-2]
	}
	return w
}

// families lead the forms of verbs, and nouns made of them, to one root where endings do not tell.
var families = map[string]string{
	"sold": "sell", "sale": "sell", "bought": "buy", "spent": "spend", "paid": "pay", "payment": "pay", "made": "mak", "sent": "send",
	"shipment": "ship", "delivery": "deliver", "lost": "los", "loss": "los", "grew": "grow", "grown": "grow", "growth": "grow",
	"rose": "ris", "risen": "ris", "fell": "fall", "fallen": "fall", "taken": "tak", "took": "tak", "gave": "giv", "given": "giv",
	"held": "hold", "kept": "keep", "left": "leav", "met": "meet", "seen": "see", "saw": "see", "broken": "break", "broke": "break",
	"won": "win", "written": "writ", "wrote": "writ", "built": "build", "brought": "bring", "taught": "teach", "felt": "feel",
	"cancellation": "cancel", "reservation": "reserv", "registration": "register", "treatment": "treat", "measurement": "measur",
	"complaint": "complain", "admission": "admit", "response": "respond", "arrival": "arriv", "refusal": "refus", "reply": "repli",
	"replied": "repli", "failure": "fail", "success": "succe", "succeeded": "succe",
}

// root returns what the forms of a word share: sell for sold, selling and sales. It is only asked where a word as such
// means nothing.
func root(stemmed string) string {
	if r, ok := families[stemmed]; ok {
		return r
	}
	w := stemmed
	switch n := len(w); {
	case n > 6 && strings.HasSuffix(w, "ing"):
		w = w[:n-3]
	case n > 5 && strings.HasSuffix(w, "ed"):
		w = w[:n-2]
	case n > 7 && strings.HasSuffix(w, "ion"):
		w = w[:n-3]
	}
	if n := len(w); n > 4 && w[n-1] == w[n-2] && w != stemmed && !hasAnySuffix(w, "ll", "ss") || n > 6 && w != stemmed && strings.HasSuffix(w, "ll") {
		w = w[:n-1]
	}
	return strings.TrimSuffix(w, "e")
}

func hasAnySuffix(w string, suffixes ...string) bool {
	for _, s := range suffixes {
		if strings.HasSuffix(w, s) {
			return true
		}
	}
	return false
}
