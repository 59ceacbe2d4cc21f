package catalog

import (
	"regexp"
	"strconv"
	"time"
)

// rawRollup is a pre-aggregation as the file declares it.
type rawRollup struct {
	placed
	name            text
	dimensions      texts
	times           rawRollupTimes
	measures        texts
	refresh, maxAge span
	keep            text
}

func (p *rawRollup) shape() shape {
	return shape{what: "a rollup", keys: []key{
		{"name", &p.name, true},
		{"dimensions", &p.dimensions, false},
		{"time", &p.times, false},
		{"measures", &p.measures, true},
		{"refresh", &p.refresh, false},
		{"max_age", &p.maxAge, false},
		{"keep", &p.keep, false},
	}}
}

type rawRollupTime struct {
	placed
	field, grain text
}

func (t *rawRollupTime) shape() shape {
	return shape{what: "the time of a rollup", keys: []key{
		{"field", &t.field, true},
		{"grain", &t.grain, true},
	}}
}

// rawRollupTimes is one time or a list of them.
type rawRollupTimes struct{ list []*rawRollupTime }

func (t *rawRollupTimes) read(r *report, n *node) { t.list = oneOrMore[rawRollupTime](r, n) }

// span is a length of time: a whole number of seconds, minutes, hours or days. It is absent when at is zero.
type span struct {
	value time.Duration
	at    pos
}

var (
	spanText  = regexp.MustCompile(`^([1-9][0-9]{0,5})(s|m|h|d)$`)
	spanUnits = map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}
)

func (s *span) read(r *report, n *node) {
	parts := spanText.FindStringSubmatch(n.text)
	if n.kind != stringNode || parts == nil {
		r.add(n.at, "wanted a time such as 30s, 15m, 6h or 1d, got %s", described(n))
		return
	}
	count, _ := strconv.Atoi(parts[1])
	*s = span{time.Duration(count) * spanUnits[parts[2]], n.at}
}
