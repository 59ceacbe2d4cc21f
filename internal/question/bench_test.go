package question

import (
	"fmt"
	"testing"
	"time"

	"parlance/internal/access"
)

// sites are n help desks, each with words of its own beside those that they share, and so many names of agents in all.
func sites(t testing.TB, n, names int) []Asked {
	t.Helper()
	var models []Asked
	for i := range n {
		m := tickets(t)
		m.Name, m.Caption = fmt.Sprintf("Tickets%d", i), fmt.Sprintf("Tickets of site %d", i)
		if i > 0 {
			m.Synonyms = []string{fmt.Sprintf("requests %d", i)}
		}
		for j, ms := range m.Measures {
			if i > 0 {
				ms.Synonyms = []string{fmt.Sprintf("%s at %d", ms.Caption, i)}
				m.Measures[j].Caption = fmt.Sprintf("%s of site %d", ms.Caption, i)
			}
		}
		if clash := m.Index(); clash != "" {
			t.Fatal(clash)
		}
		values := map[string][]string{"agent$shift": {"Night", "Day"}}
		for k := range names / n {
			values["agent$caption"] = append(values["agent$caption"], fmt.Sprintf("%s%c %s-%d", syllable(k), 'a'+rune(i%26), syllable(k*7+i), k))
		}
		v := Index(m, access.For(access.Identity{}, m), values)
		models = append(models, Asked{v, time.Date(2026, 5, 13, 15, 0, 0, 0, time.UTC)})
	}
	return models
}

func syllable(k int) string {
	const consonants, vowels = "bcdfghklmnprstvw", "aeiou"
	return string([]byte{consonants[k%16] - 32, vowels[k/16%5], consonants[k/80%16], vowels[k/1280%5], consonants[k/6400%16]})
}

func BenchmarkRead(b *testing.B) {
	for _, c := range []struct {
		name           string
		models, values int
	}{{"1 model", 1, 0}, {"50 models, 100000 values", 50, 100_000}, {"1 model, 100000 values", 1, 100_000}} {
		models := sites(b, c.models, c.values)
		bytes := 0
		for _, m := range models {
			_, n := m.Size()
			bytes += n
		}
		for _, q := range []string{
			"Which agents have more than 20 urgent tickets by month in 2025?", "top 5 agents by replies in the night shift last year excluding solved tickets",
			"Plese shwo tickts by statsu", "2025年已解决的工单数，按班次",
		} {
			b.Run(c.name+"/"+q[:6], func(b *testing.B) {
				for b.Loop() {
					Read(Ask{Text: q, Models: models})
				}
				b.ReportMetric(float64(bytes), "index-bytes")
			})
		}
	}
}
