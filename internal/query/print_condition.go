package query

import (
	"strconv"
	"strings"
)

// opWords are the operators whose words differ from their spelling in a payload.
var opWords = map[Op]string{
	Contains:       "contains",
	EndsWith:       "ends with",
	StartsWith:     "starts with",
	NotContains:    "does not contain",
	NotEndsWith:    "does not end with",
	NotStartsWith:  "does not start with",
	NullOrEmpty:    "is null or empty",
	NotNullOrEmpty: "is not null or empty",
	BitsSet:        "has bits",
}

// String returns the comparison in words: orderStatus = 'PAID', salesDate$id >= 20240101 and salesDate$id < 20240201.
func (c *Compare) String() string {
	field := operandText(c.Field)
	if bounds, ok := c.Value.(List); ok && c.Op.Arity() == TakesInterval && len(bounds) == 2 {
		return c.Op.interval(field, bounds[0], bounds[1])
	}
	word, ok := opWords[c.Op]
	if !ok {
		word = c.Op.String()
	}
	text := field + " " + word
	if c.Value != nil {
		text += " " + c.Value.String()
	}
	if c.MaxDepth != nil {
		text += " maxDepth " + strconv.FormatInt(*c.MaxDepth, 10)
	}
	return text
}

// interval writes the bounds as comparisons; a null bound is open and left out.
func (op Op) interval(field string, from, to Scalar) string {
	above, below := " >= ", " <= "
	if op == OpenInterval || op == LeftOpenInterval {
		above = " > "
	}
	if op == OpenInterval || op == RightOpenInterval {
		below = " < "
	}
	var parts []string
	if from.Kind != NullLiteral {
		parts = append(parts, field+above+from.String())
	}
	if to.Kind != NullLiteral {
		parts = append(parts, field+below+to.String())
	}
	if len(parts) == 0 {
		return field + " between null and null"
	}
	return strings.Join(parts, " and ")
}

// String returns the conditions in words, each that is itself joined in parentheses.
func (c *Logic) String() string {
	word := " and "
	if c.Op == AnyOf {
		word = " or "
	}
	parts := make([]string, len(c.Conds))
	for i, cond := range c.Conds {
		parts[i] = cond.String()
		if joined(cond) && len(c.Conds) > 1 {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	text := strings.Join(parts, word)
	if c.Op == NoneOf {
		return "not (" + text + ")"
	}
	return text
}

// joined reports whether a condition's words hold an and or an or of their own.
func joined(c Condition) bool {
	switch c := c.(type) {
	case *Logic:
		return c.Op != NoneOf
	case *ExprCondition:
		return levelOf(c.Expr) <= andLevel
	case *Compare:
		return c.Op.Arity() == TakesInterval
	}
	return false
}

// String returns the expression.
func (c *ExprCondition) String() string { return c.Expr.String() }

// String returns the constant as the expression language writes it.
func (s Scalar) String() string { return s.Kind.quote(s.Text) }

// String returns the values in parentheses.
func (l List) String() string {
	parts := make([]string, len(l))
	for i, s := range l {
		parts[i] = s.String()
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// String returns the other field.
func (f FieldRef) String() string { return operandText(f.Expr) }

// operandText writes an expression as one side of a comparison.
func operandText(e Expr) string {
	var p printer
	p.expr(e, addLevel)
	return p.String()
}
