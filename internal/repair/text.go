package repair

import (
	"regexp"
	"strings"
	"unicode"

	"parlance/internal/query"
	"parlance/internal/semantic"
)

// worded is a text with a name of several words in it: alone, in a function, or with a direction.
var worded = regexp.MustCompile(`(?i)^(-|\w+\()?([^()]*? [^()]*?)(\).*| +desc| +asc)?$`)

// fieldInWords puts the field for its caption or another name of it that has several words.
func (m *mistake) fieldInWords() []Patch {
	p := worded.FindStringSubmatch(strings.TrimSpace(m.node.Text))
	if p == nil {
		return nil
	}
	if name := inWords(p[2], m.fields()); name != "" {
		return one(replace(m.at, text(p[1]+name+p[3])))
	}
	return nil
}

// inWords returns the one field that people call so, "" where none or several are.
func inWords(words string, fields []*semantic.Field) string {
	if names := same(words, fieldNames(fields)); len(names) == 1 {
		return names[0]
	}
	if called := calledSo(words, fields); len(called) == 1 {
		return called[0].Name
	}
	return ""
}

var trailing = regexp.MustCompile(`^(.*\))\s+(?:"([^"]*)"|'([^']*)'|(\pL[\pL\d_]*))$`)

// missingAs puts the word as between an aggregate and its alias.
func (m *mistake) missingAs() []Patch {
	p := trailing.FindStringSubmatch(strings.TrimSpace(m.node.Text))
	if m.clause() != "columns" || p == nil {
		return nil
	}
	alias := p[2] + p[3] + p[4]
	if query.CheckAlias(alias) != nil {
		return nil
	}
	return one(replace(m.at, text(p[1]+" as "+alias)))
}

// openParenthesis closes the one that is open at the end.
func (m *mistake) openParenthesis() []Patch {
	s := strings.TrimSpace(m.node.Text)
	if strings.Count(s, "(") != strings.Count(s, ")")+1 || strings.Contains(s, "'") {
		return nil
	}
	body, alias := s, ""
	if i := strings.LastIndex(strings.ToLower(s), " as "); i >= 0 {
		body, alias = s[:i], s[i:]
	}
	return one(replace(m.at, text(strings.TrimSpace(body)+")"+alias)))
}

var directed = regexp.MustCompile(`(?i)^(.*?)\s*[\s:,|]\s*([a-z+-]+(?: [a-z]+)*|[+-]?1)$`)

// directionInWords reads "a descending", "a:desc" and "a, desc".
func (m *mistake) directionInWords() []Patch {
	if m.clause() != "orderBy" && m.clause() != "topN" {
		return nil
	}
	p := directed.FindStringSubmatch(strings.TrimSpace(m.node.Text))
	if p == nil || p[1] == "" {
		return nil
	}
	direction := query.MeantDirection(p[2])
	if direction == "" {
		return nil
	}
	return one(replace(m.at, text(p[1]+" "+direction)))
}

var directionOf = regexp.MustCompile(`(?i)^(desc|asc)\((.*)\)$`)

// directionCall reads desc(a).
func (m *mistake) directionCall() []Patch {
	p := directionOf.FindStringSubmatch(strings.TrimSpace(m.node.Text))
	if m.clause() != "orderBy" || p == nil {
		return nil
	}
	return one(replace(m.at, text(p[2]+" "+strings.ToLower(p[1]))))
}

// functionMeant puts our function for the word of another language, or for a slip.
func (m *mistake) functionMeant() []Patch {
	to := m.fault.Meant
	if to == "" {
		to = meantName(m.fault.Got, m.fault.Closest)
	}
	if to == "" || !m.found {
		return nil
	}
	called := regexp.MustCompile(`(?i)(^|[^\pL\d_$.])` + regexp.QuoteMeta(m.fault.Got) + `(\s*\()`)
	var patch Patch
	walkTexts(m.node, m.at, func(p pointer, s string) {
		if mended := called.ReplaceAllString(s, "${1}"+to+"${2}"); mended != s {
			patch = append(patch, replace(p, text(mended)))
		}
	})
	if patch == nil {
		return nil
	}
	return []Patch{patch}
}

// aliasInQuotes makes a name of an alias that is in quotes or in several words, also where orders speak of it.
func (m *mistake) aliasInQuotes() []Patch {
	old := m.fault.Got
	name := identifier(strings.Trim(strings.TrimSpace(old), "'\"`[]“”"))
	if query.CheckAlias(name) != nil || !strings.HasSuffix(strings.TrimSpace(m.node.Text), old) {
		return nil
	}
	whole := strings.TrimSpace(m.node.Text)
	patch := Patch{replace(m.at, text(strings.TrimSuffix(whole, old)+name))}
	for _, clause := range []string{"orderBy", "having", "slice", "groupBy", "topN"} {
		n, _ := m.payload(clause)
		walkTexts(n, pointer{"payload", clause}, func(p pointer, s string) {
			if s == old || s == strings.Trim(old, "'\"`[]") && s != name {
				patch = append(patch, replace(p, text(name)))
			}
		})
	}
	return []Patch{patch}
}

// identifier joins the words of a name by _.
func identifier(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }), "_")
}
