package service

import (
	"sync"
	"testing"

	"parlance/internal/dialect"
)

// FuzzAsk holds that whatever is asked, there is a reply, and that what the reader proposes always resolves.
func FuzzAsk(f *testing.F) {
	for _, seed := range []string{
		"", "amount by status", "amount by brand in 2024, top 5", "finished amount last month", "amount'; drop table sales; --",
		"buyers by month not open", "stock over 5 by product", "highest amount", "2023 vs 2024 amount", "how many sales by brand", "平均amount",
	} {
		f.Add(seed)
	}
	var once sync.Once
	var s *Service
	f.Fuzz(func(t *testing.T, text string) {
		once.Do(func() { s = newService(shelfOf(salesModel(t)), &script{dialect: dialect.DuckDB()}) })
		reply, err := s.Ask(t.Context(), Caller{}, AskRequest{Text: text})
		if err != nil {
			if refusal(t, err).Reason != "internal" {
				t.Fatalf("%q is refused: %v", text, err)
			}
			return // a statement of one row got none from the script: it was compiled and run
		}
		if reply.Type == "error" && reply.Payload != nil {
			t.Fatalf("%q became %s, which does not resolve: %s", text, reply.Payload, reply.Message)
		}
		for _, c := range reply.Choices {
			if _, err := s.Query(t.Context(), Caller{}, c.Model, decode(t, string(c.Payload)), QueryOptions{Validate: true}); err != nil {
				t.Fatalf("%q offers %s, which does not resolve: %v", text, c.Payload, err)
			}
		}
	})
}
