package tpch

import "testing"

// BenchmarkTPCH asks the questions on every engine, served and by hand. A served question of several steps sends
// them all; each step is the page and its count.
func BenchmarkTPCH(b *testing.B) {
	tables, list := generate(scale(b)), questions(b)
	for _, engine := range engines {
		b.Run(engine.name, func(b *testing.B) {
			p := start(b, engine.open(b), tables)
			for _, q := range list {
				b.Run(q.name+"/served", func(b *testing.B) {
					for b.Loop() {
						if _, err := p.ask(b.Context(), q); err != nil {
							b.Fatal(err)
						}
					}
				})
				text := q.byHand(b, engine.sql)
				b.Run(q.name+"/by-hand", func(b *testing.B) {
					for b.Loop() {
						if _, err := p.hand(b.Context(), text); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		})
	}
}
