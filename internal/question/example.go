package question

import (
	"fmt"
	"strings"

	"parlance/internal/access"
	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// example answers a question that a model's author wrote down with the query beside it, or returns nil. Where two models
// have the question, or the caller may not see all that the query names, it is read like any other.
func example(l *line, models []Asked) *Proposal {
	var found *Proposal
	asked := bareWords(l.tokens)
	for _, m := range models {
		for _, e := range m.model.Examples {
			if bareWords(tokenise(e.Question)) != asked {
				continue
			}
			q := m.exampleQuery(e.Payload)
			if q == nil || found != nil {
				return nil
			}
			p := m.exampleProposal(q, l.lang)
			found = &p
		}
	}
	return found
}

// within reports whether every column of an answer is one of an example's.
func (p *Proposal) within(example *Proposal) bool {
	if p.Model != example.Model {
		return false
	}
	has := map[string]bool{}
	for _, c := range example.Query.Columns {
		has[c.Key()] = true
	}
	for _, c := range p.Query.Columns {
		if !has[c.Key()] && !strings.HasSuffix(c.Key(), "$id") {
			return false
		}
	}
	return true
}

// bareWords returns the words of a question without its commas.
func bareWords(tokens []token) string {
	var list []string
	for _, t := range tokens {
		if t.word != "," {
			list = append(list, t.word)
		}
	}
	return strings.Join(list, " ")
}

// exampleQuery decodes a payload that names nothing but what the caller may see.
func (a Asked) exampleQuery(payload string) *query.Query {
	tree, err := jsontree.Parse([]byte(payload))
	if err != nil {
		return nil
	}
	q, err := query.Decode(tree, query.DecodeOptions{})
	if err != nil || q.Top != nil || q.Time != nil || len(q.Calculated) > 0 {
		return nil
	}
	ok := true
	see := func(e query.Expr) bool {
		if r, isRef := e.(*query.Ref); isRef {
			f := a.model.Field(r.Name)
			ok = ok && (f == nil || a.grant.Field(f) == access.Visible)
		}
		return true
	}
	for _, c := range q.Columns {
		query.Walk(c.Expr, see)
	}
	for _, g := range q.GroupBy {
		see(&query.Ref{Name: g.Field})
	}
	for _, o := range q.OrderBy {
		query.Walk(o.Expr, see)
	}
	for _, c := range append(q.Slice, q.Having...) {
		compare, plain := c.(*query.Compare)
		if !plain {
			return nil
		}
		query.Walk(compare.Field, see)
	}
	if !ok {
		return nil
	}
	return q
}

// exampleProposal puts an example's query into words.
func (a Asked) exampleProposal(q *query.Query, lang language) Proposal {
	p := Proposal{Model: a.model.Name, Query: q, Language: lang.tag(), Confidence: 1}
	d := &draft{Asked: a, line: &line{lang: lang}}
	var names []string
	for _, c := range q.Columns {
		n := Named{Key: c.Key(), Name: c.Key(), Kind: NumberColumn}
		r, plain := c.Expr.(*query.Ref)
		f := (*semantic.Field)(nil)
		if plain {
			f = a.model.Field(r.Name)
		}
		switch {
		case f == nil:
			p.Values = append(p.Values, n)
		case f.Measure != nil || f.Type.Numeric() && len(q.GroupBy) == 0 && f.Role == semantic.Plain:
			n.Name, n.Type = called(f, lang), f.Type
			p.Values = append(p.Values, n)
		default:
			k := d.keyColumn(group{field: f, text: called(f, lang)})
			n.Name = k.Name
			if f.Role != semantic.ID {
				p.Keys = append(p.Keys, k)
			}
		}
		names = append(names, lower(n.Name))
	}
	for i := range p.Values {
		if p.Values[i].Type == (value.Type{}) {
			p.Values[i].Type = value.Type{Kind: value.Decimal}
		}
	}
	p.Text = a.exampleWords(q, names, lang)
	return p
}

// conditionWords says a condition as a filter does, or as the query writes it.
func (a Asked) conditionWords(c query.Condition, lang language) string {
	compare, plain := c.(*query.Compare)
	if !plain {
		return c.String()
	}
	f := a.model.Field(compare.Field.String())
	v, single := compare.Value.(query.Scalar)
	if f == nil || !single || compare.Op != query.Equal {
		return c.String()
	}
	of := filter{field: f, values: []query.Scalar{v}}
	if lang == chinese {
		return of.wordsHan()
	}
	return of.words()
}

// exampleWords restates an example's query.
func (a Asked) exampleWords(q *query.Query, names []string, lang language) string {
	words := sayings[lang]
	text := upper(strings.Join(names, words.separator))
	for _, c := range append(q.Slice, q.Having...) {
		text += words.separator + a.conditionWords(c, lang)
	}
	for _, o := range q.OrderBy {
		name := o.Expr.String()
		if f := a.model.Field(name); f != nil {
			name = lower(called(f, lang))
		}
		direction := words.lowestFirst
		if o.Desc {
			direction = words.highestFirst
		}
		text += words.separator + fmt.Sprintf(direction, name)
	}
	if q.Paging.Limit != nil {
		text += words.separator + fmt.Sprintf(words.firstRows, *q.Paging.Limit)
	}
	return text + fmt.Sprintf(words.ofModel, calledModel(a.model, lang))
}
