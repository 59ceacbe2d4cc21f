package question

import (
	"fmt"

	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// Proposal is a query over a model, in words and ready to run.
type Proposal struct {
	Text     string // the query in one sentence, in the language of the question
	Model    string
	Query    *query.Query
	Language string // "en" or "zh"

	// Confidence is how far the reading stands out, from 0 to 1: 1 where every word has one meaning and no other reading
	// comes near. It falls with the nearness of the next reading and with words that were guessed.
	Confidence float64

	Keys   []Named // of the groups, in the order of the columns; ids that only tell groups apart are not among them
	Values []Named // of the numbers

	state *state
}

// Named is a column of the answer: its key in the rows, its name for people, and what a chart needs to know of it.
type Named struct {
	Key  string
	Name string
	Kind ColumnKind
	Type value.Type // its style tells money and percent from plain numbers
	Unit string     // of a number: CNY, hours; "" if it has none
}

// ColumnKind is how a column is drawn.
type ColumnKind string

// The kinds of columns.
const (
	TimeColumn     ColumnKind = "time"
	CategoryColumn ColumnKind = "category"
	NumberColumn   ColumnKind = "number"
)

func (d *draft) keyColumn(g group) Named {
	n := Named{Key: g.field.Name, Name: g.text, Kind: CategoryColumn, Type: g.field.Type}
	if d.ofTime(g.field) && g.field.Type.Kind != value.Boolean {
		n.Kind = TimeColumn
	}
	return n
}

// comparedColumns are what a time window adds to a number: its value in the earlier period, and the difference.
func (d *draft) comparedColumns(n Named) []Named {
	words := sayings[d.lang]
	prior, diff, ratio := n, n, n
	prior.Key, prior.Name = n.Key+"__prior", fmt.Sprintf(words.prior, n.Name)
	diff.Key, diff.Name = n.Key+"__diff", fmt.Sprintf(words.difference, n.Name)
	ratio.Key, ratio.Name, ratio.Unit = n.Key+"__ratio", fmt.Sprintf(words.ratio, n.Name), ""
	ratio.Type = value.Type{Kind: value.Decimal, Scale: value.MinRatioScale}
	return []Named{prior, diff, ratio}
}

func (d *draft) valueColumn(a ask, key string) Named {
	n := Named{Key: key, Name: d.phraseOf(a), Kind: NumberColumn, Type: value.Type{Kind: value.Integer, Wide: true}}
	if a.field == nil || a.agg == semantic.Count || a.agg == semantic.CountDistinct {
		return n
	}
	n.Type = a.field.Type
	if a.agg == semantic.Avg || a.agg == semantic.Median {
		n.Type = semantic.RatioType(n.Type)
	}
	if a.field.Measure != nil {
		n.Unit = a.field.Measure.Unit
	}
	return n
}
