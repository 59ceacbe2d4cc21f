package semantic

import "time"

// Caching is how long answers about a model may be used again. The zero Caching is not at all.
type Caching struct {
	TTL     time.Duration
	Refresh []Refresh // all of them must give what they gave when an answer was computed
}

// Refresh is a statement of the model's author whose answer changes when the data does.
type Refresh struct {
	SQL   string
	Every time.Duration // it is asked no more often
}

// Strictest returns what is within the bounds of both.
func (c Caching) Strictest(other Caching) Caching {
	both := Caching{TTL: min(c.TTL, other.TTL)}
	both.Refresh = append(append(both.Refresh, c.Refresh...), other.Refresh...)
	return both
}
