package query

import (
	"math"

	"parlance/internal/fault"
)

// Over returns p with the keys of inner where p names none: inner's start or page where p has neither, and inner's
// limit or pageSize where p has neither (decision 32).
func (p Paging) Over(inner Paging) Paging {
	if p.Start == nil && p.Page == nil {
		p.Start, p.Page = inner.Start, inner.Page
	}
	if p.Limit == nil && p.PageSize == nil {
		p.Limit, p.PageSize = inner.Limit, inner.PageSize
	}
	return p
}

// Window returns the rows that the keys ask for: the first one, counted from 0, and how many. Start beats page and
// limit beats pageSize; a page is as long as the effective limit. Given reports whether a key named the limit.
// Every key that is there must be within its bounds, also one that another beats; nothing is clamped.
func (p Paging) Window(defaultLimit, maxLimit int64) (start, limit int64, given bool, err error) {
	for _, k := range []struct {
		name     string
		value    *int64
		min, max int64
	}{
		{"start", p.Start, 0, math.MaxInt64},
		{"limit", p.Limit, 0, maxLimit},
		{"page", p.Page, 1, math.MaxInt64},
		{"pageSize", p.PageSize, 0, maxLimit},
	} {
		if k.value == nil {
			continue
		}
		if *k.value < k.min {
			return 0, 0, false, outOfRange(k.name, *k.value, "at least", k.min)
		}
		if *k.value > k.max {
			return 0, 0, false, tooLarge(k.name, *k.value, k.max)
		}
	}
	limit = defaultLimit
	switch {
	case p.Limit != nil:
		limit, given = *p.Limit, true
	case p.PageSize != nil:
		limit, given = *p.PageSize, true
	}
	switch {
	case p.Start != nil:
		start = *p.Start
	case p.Page != nil:
		if limit > 0 && *p.Page-1 > math.MaxInt64/limit {
			return 0, 0, false, outOfRange("page", *p.Page, "at most", math.MaxInt64/limit+1)
		}
		start = (*p.Page - 1) * limit
	}
	return start, limit, given, nil
}

// tooLarge refuses a number of rows that nobody gets; the most that anybody gets is what is meant.
func tooLarge(key string, got, most int64) error {
	e := fault.As(outOfRange(key, got, "at most", most))
	e.Meant = formatInt(most)
	e.Hint = "ask for " + e.Meant + " and read on with start, or group and filter"
	return e
}

func outOfRange(key string, got int64, bound string, limit int64) error {
	return fault.Invalidf("out_of_range", key, "%s is %d; it must be %s %d", key, got, bound, limit).With(func(e *fault.Error) {
		e.Got = formatInt(got)
	})
}
