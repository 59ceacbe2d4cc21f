package service

import (
	"context"
	"slices"
	"strings"

	"parlance/internal/chart"
	"parlance/internal/fault"
	"parlance/internal/jsontree"
	"parlance/internal/question"
	"parlance/internal/semantic"
)

// answer runs the query that the question became. What the caller's rights or the data refuse is told in the reply,
// beside the query that was tried.
func (a *inquiry) answer(ctx context.Context, p *question.Proposal, others []question.Proposal) (*AskReply, error) {
	reply := &AskReply{
		Type: "result", Question: a.request.Text, Understood: p.Text, Model: p.Model, Payload: p.Query.JSON(),
		Confidence: hundredths(p.Confidence), Alternatives: choicesOf(others),
	}
	found, err := a.service.Query(ctx, a.view.caller, p.Model, p.Query, QueryOptions{DefaultRows: askRows, MaxBytes: askBytes, Diagnose: true})
	if err != nil {
		f := fault.As(err)
		if f.Kind == fault.Internal || f.Kind == fault.Unavailable {
			return nil, err
		}
		RecordOf(ctx).Entry().FailWith(f)
		reply.Type, reply.Message, reply.Confidence, reply.Alternatives = "error", f.Text(), nil, nil
		reply.Session = a.request.Session
		return reply, nil
	}
	defer found.Release()
	reply.Total, reply.Warnings = &found.Total, found.Warnings
	reply.Truncated = found.Truncated || p.Query.Paging.Limit == nil && found.HasMore()
	a.show(reply, p, found)
	reply.Session = a.service.sessions.keep(a.request.Session, a.owner, talk{previous: p})
	return reply, nil
}

// show puts the rows into the reply in the form that was asked for, with their summary.
func (a *inquiry) show(reply *AskReply, p *question.Proposal, found *Answer) {
	t := a.told(p, found)
	reply.Summary = t.summary()
	reply.Picture, reply.Chinese = t.picture(), t.chinese
	switch a.request.Format {
	case AskSummary:
		return
	case AskTable:
		reply.Table = markdownTable(found)
	case AskJSON, "":
		reply.Items = slices.Clone(found.Items)
	}
	reply.Chart = chart.Make(reply.Picture, chart.Options{Chinese: t.chinese})
}

// told is an answer as people are told of it.
type told struct {
	proposal *question.Proposal
	chinese  bool
	keys     []toldColumn
	values   []toldColumn
	rows     []map[string]jsontree.Node
	total    int64
	totals   map[string]jsontree.Node
	cut      bool
}

// toldColumn is a column with what its model knows of it.
type toldColumn struct {
	question.Named
	labels   map[string]string // of codes, in the language of the question
	additive bool
}

// told reads an answer.
func (a *inquiry) told(p *question.Proposal, found *Answer) told {
	t := told{proposal: p, chinese: p.Language == "zh", total: found.Total, cut: found.HasMore() && p.Query.Paging.Limit == nil}
	m := a.view.generation.ByName[p.Model]
	overlap := false
	for _, k := range p.Keys {
		f := m.Field(k.Key)
		overlap = overlap || f != nil && f.Tree
		t.keys = append(t.keys, toldColumn{Named: k, labels: labelsOf(f, t.chinese)})
	}
	for _, v := range p.Values {
		t.values = append(t.values, toldColumn{Named: v, additive: !overlap && addsUp(m, p.Query, v.Key)})
	}
	if items, err := jsontree.Parse(found.Items); err == nil {
		for _, row := range items.Items {
			t.rows = append(t.rows, membersOf(row))
		}
	}
	if totals, err := jsontree.Parse(found.TotalData); err == nil {
		t.totals = membersOf(totals)
	}
	return t
}

func membersOf(n jsontree.Node) map[string]jsontree.Node {
	cells := make(map[string]jsontree.Node, len(n.Members))
	for _, m := range n.Members {
		cells[m.Key] = m.Value
	}
	return cells
}

// labelsOf returns what codes are called: by their label or, in Chinese, by their first synonym that is Chinese.
func labelsOf(f *semantic.Field, chinese bool) map[string]string {
	if f == nil || f.Dictionary == nil || f.Role == semantic.CodeLabel {
		return nil
	}
	labels := map[string]string{}
	for _, e := range f.Dictionary.Entries {
		labels[e.Code] = e.Label
		if !chinese {
			continue
		}
		for _, word := range append([]string{e.Label}, e.Synonyms...) {
			if strings.ContainsFunc(word, isHan) {
				labels[e.Code] = word
				break
			}
		}
	}
	return labels
}

// picture returns the answer as charts read it. What compares a number with an earlier one is told, not drawn.
func (t told) picture() chart.Table {
	var p chart.Table
	var from []toldColumn
	for _, k := range t.keys {
		p.Columns = append(p.Columns, chart.Column{Key: k.Key, Name: k.Name, Time: k.Kind == question.TimeColumn})
		from = append(from, k)
	}
	for _, v := range t.values {
		if strings.HasSuffix(v.Key, "__diff") || strings.HasSuffix(v.Key, "__ratio") {
			continue
		}
		p.Columns = append(p.Columns, chart.Column{
			Key: v.Key, Name: v.Name, Number: true, Style: v.Type.Style, Unit: v.Unit, Additive: v.additive,
		})
		from = append(from, v)
	}
	for _, row := range t.rows {
		cells := make([]chart.Cell, len(from))
		for i, c := range from {
			cells[i] = chart.Cell{Text: c.label(row), Null: row[c.Key].Kind == jsontree.Null}
		}
		p.Rows = append(p.Rows, cells)
	}
	if t.cut {
		p.Total = t.total
	}
	return p
}

// label returns a cell for people; "" where there is none.
func (c toldColumn) label(row map[string]jsontree.Node) string {
	text := row[c.Key].Text
	if label, ok := c.labels[text]; ok && label != "" {
		return label
	}
	return text
}
