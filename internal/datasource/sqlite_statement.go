package datasource

import "strings"

// reads reports whether a text is one statement that reads. A connection that cannot write could still be told to
// write elsewhere, by a second statement for one.
func reads(text string) bool {
	rest := strings.TrimLeft(text, " \t\r\n")
	if strings.HasPrefix(rest, "/*") { // whose it is
		rest = strings.TrimLeft(rest[min(behind(rest, 2, "*/")+1, len(rest)):], " \t\r\n")
	}
	word := rest
	for i := range len(rest) {
		if c := rest[i] | 0x20; c < 'a' || c > 'z' {
			word = rest[:i]
			break
		}
	}
	switch strings.ToUpper(word) {
	case "SELECT", "WITH", "VALUES":
		return single(text)
	}
	return false
}

// single reports whether no statement follows another: no semicolon outside of texts, names and comments.
func single(text string) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ';':
			return strings.Trim(text[i:], "; \t\r\n") == ""
		case '\'', '"', '`':
			i = behind(text, i+1, string(c))
		case '[':
			i = behind(text, i+1, "]")
		case '-':
			if strings.HasPrefix(text[i:], "--") {
				i = behind(text, i+2, "\n")
			}
		case '/':
			if strings.HasPrefix(text[i:], "/*") {
				i = behind(text, i+2, "*/")
			}
		}
	}
	return true
}

// behind returns where the mark that closes something ends. A doubled quote opens the same thing again.
func behind(text string, from int, mark string) int {
	at := strings.Index(text[min(from, len(text)):], mark)
	if at < 0 {
		return len(text)
	}
	return from + at + len(mark) - 1
}
