package questions

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parlance/internal/question"
)

// number is a measure with the ways to say it.
type number struct {
	model, name string
	says        []string
	money       bool
}

// split is a field with its singular and plural, by model.
type split struct {
	field string // with the date of the model for @
	says  [][2]string
	in    string // initials of the models that have it
}

// restriction is a filter with the ways to say it behind what is asked for.
type restriction struct {
	filter string
	says   []string
	in     string
}

// stretch is a period: its ends, or one of them.
type stretch struct {
	filter string // with the date of the model for @
	says   []string
}

// speech is all that sentences are made of.
type speech struct {
	numbers      []number
	splits       []split
	restrictions []restriction
	stretches    []stretch
	plain        []string // {m} {f} {d}
	grouped      []string // {m} {g} {f} {d}
	ranked       []string // {m} {gs} {n} {f} {d}, highest first
	lowest       []string
	tested       []string // {m} {gs} {x}
}

var initials = map[string]string{
	"S": "FactSalesQueryModel", "O": "FactOrderQueryModel", "P": "FactPaymentQueryModel", "R": "FactReturnQueryModel", "I": "FactInventorySnapshotQueryModel",
}

var dates = map[string]string{"S": "salesDate", "O": "orderDate", "P": "payDate", "R": "returnDate", "I": "snapshotDate"}

// counted are the measures that count the rows.
var counted = map[string]string{"S": "orderLines", "O": "orderCount", "P": "paymentCount"}

// sentence makes one random sentence and its meaning.
func (s speech) sentence(r *rand.Rand) (string, meaning, string) {
	n := pick(r, s.numbers)
	m := meaning{model: initials[n.model], values: []string{n.name}}
	text := map[string]string{"{m}": pick(r, n.says), "{f}": "", "{d}": ""}
	forms := [][]string{s.plain, s.grouped, s.grouped, s.ranked, s.lowest, s.tested}
	kind := r.IntN(len(forms))
	date := dates[n.model]
	g := split{}
	if kind > 0 {
		for !strings.Contains(g.in, n.model) {
			g = pick(r, s.splits)
		}
		said := pick(r, g.says)
		text["{g}"], text["{gs}"] = said[0], said[1]
		m.groups = []string{strings.ReplaceAll(g.field, "@", date)}
	}
	if r.IntN(2) == 0 {
		f := pick(r, s.restrictions)
		if strings.Contains(f.in, n.model) && !(len(m.groups) > 0 && strings.HasPrefix(f.filter, m.groups[0])) {
			text["{f}"] = pick(r, f.says)
			m.filters = append(m.filters, f.filter)
		}
	}
	if r.IntN(2) == 0 && n.model != "I" {
		d := pick(r, s.stretches)
		text["{d}"] = pick(r, d.says)
		m.filters = append(m.filters, strings.ReplaceAll(d.filter, "@", date+"$caption"))
	}
	switch kind {
	case 3, 4:
		m.limit = int64(2 + r.IntN(9))
		m.order = map[int]string{3: "-", 4: "+"}[kind] + n.name
		text["{n}"] = fmt.Sprint(m.limit)
	case 5:
		x := 1 + r.IntN(900)
		text["{x}"] = fmt.Sprint(x)
		m.filters = append(m.filters, fmt.Sprintf("%s > %d", n.name, x))
	}
	form := pick(r, forms[kind])
	for key, words := range text {
		form = strings.ReplaceAll(form, key, words)
	}
	return strings.Join(strings.Fields(form), " "), m, counted[n.model]
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func TestParaphrases(t *testing.T) {
	models := demoModels(t)
	for name, s := range map[string]speech{"English": spokenEnglish, "Chinese": spokenChinese} {
		t.Run(name, func(t *testing.T) {
			const sentences = 400
			r := rand.New(rand.NewPCG(7, 2026))
			right, wrong, back := 0, 0, 0
			for range sentences {
				text, want, counts := s.sentence(r)
				reading := question.Read(question.Ask{Text: text, Models: models})
				if reading.Answer == nil {
					if back++; back <= 25 {
						t.Logf("asked back: %s\n\t%s", text, reading.Message)
					}
					continue
				}
				if got := meaningOf(reading.Answer, counts, want.order != ""); got.String() != want.String() {
					if wrong++; wrong <= 25 {
						t.Errorf("%s\n got  %s\n want %s\n %s", text, got, want, reading.Answer.Text)
					}
					continue
				}
				right++
			}
			t.Logf("%s: %d sentences, %d right, %d asked back, %d wrong", name, sentences, right, back, wrong)
			if right < sentences*95/100 {
				t.Errorf("only %d of %d are right", right, sentences)
			}
		})
	}
}
