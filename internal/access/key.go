package access

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"parlance/internal/query"
)

// Key tells grants apart that may not share an answer: two grants on one model have the same key only when they show the
// same fields, masks, rows and groups. The key of a grant that narrows nothing is "".
func (g Grant) Key() string {
	if !g.open {
		return "closed"
	}
	if g.narrows == nil {
		return ""
	}
	n := g.narrows
	n.spelled.Do(func() { n.key = n.spell() })
	return n.key
}

// spell writes all that a narrowing leaves, in a few bytes.
func (n *narrowing) spell() string {
	var parts []string
	for f, c := range n.closed {
		parts = append(parts, "field "+strconv.Quote(f.Name)+strconv.FormatBool(c.hidden)+strconv.FormatBool(c.masked)+string(c.mask))
	}
	for fact, own := range n.facts {
		parts = append(parts, "fact "+strconv.Quote(fact.Name)+own.Key())
	}
	for _, r := range n.groups {
		parts = append(parts, "groups "+strconv.Quote(r.Of.Name)+strconv.FormatInt(r.N, 10))
	}
	slices.Sort(parts)
	for _, c := range n.rows {
		parts = append(parts, "rows "+strconv.Quote(spelled(c)))
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:])
}

// spelled writes a condition so that no two that differ are written alike.
func spelled(c query.Condition) string {
	switch x := c.(type) {
	case *query.Logic:
		parts := make([]string, len(x.Conds))
		for i, inner := range x.Conds {
			parts[i] = strconv.Quote(spelled(inner))
		}
		return strconv.Itoa(int(x.Op)) + "(" + strings.Join(parts, ",") + ")"
	case *query.Compare:
		text := strconv.Quote(x.Field.String()) + " " + x.Op.String()
		if x.MaxDepth != nil {
			text += "<" + strconv.FormatInt(*x.MaxDepth, 10)
		}
		for _, v := range valuesOf(x.Value) {
			text += " " + strconv.Itoa(int(v.Kind)) + strconv.Quote(v.Text)
		}
		return text
	}
	return c.String()
}

func valuesOf(o query.Operand) query.List {
	switch v := o.(type) {
	case query.Scalar:
		return query.List{v}
	case query.List:
		return v
	}
	return nil
}
