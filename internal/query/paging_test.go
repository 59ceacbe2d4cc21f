package query

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/fault"
)

func TestWindow(t *testing.T) {
	for _, c := range []struct {
		name         string
		p            Paging
		start, limit int64
		given        bool
	}{
		{"nothing", Paging{}, 0, 10, false},
		{"page", Paging{Page: ptr(3)}, 20, 10, false},
		{"page and pageSize", Paging{Page: ptr(3), PageSize: ptr(7)}, 14, 7, true},
		{"start beats page", Paging{Page: ptr(3), Start: ptr(5)}, 5, 10, false},
		{"limit beats pageSize", Paging{Limit: ptr(4), PageSize: ptr(7)}, 0, 4, true},
		{"a page is as long as the effective limit", Paging{Page: ptr(3), Limit: ptr(4), PageSize: ptr(7)}, 8, 4, true},
		{"start with pageSize", Paging{Start: ptr(1), PageSize: ptr(7)}, 1, 7, true},
		{"limit 0", Paging{Page: ptr(3), Limit: ptr(0)}, 0, 0, true},
		{"the maximum", Paging{Limit: ptr(10_000)}, 0, 10_000, true},
		{"far start", Paging{Start: ptr(math.MaxInt64)}, math.MaxInt64, 10, false},
		{"last page of one row each", Paging{Page: ptr(math.MaxInt64), Limit: ptr(1)}, math.MaxInt64 - 1, 1, true},
	} {
		start, limit, given, err := c.p.Window(10, 10_000)
		if err != nil || start != c.start || limit != c.limit || given != c.given {
			t.Errorf("%s: %d, %d, %v, %v", c.name, start, limit, given, err)
		}
	}
}

func TestWindowRefuses(t *testing.T) {
	for _, c := range []struct {
		p       Paging
		path    string
		message string
	}{
		{Paging{Page: ptr(0)}, "page", "page is 0; it must be at least 1"},
		{Paging{Page: ptr(-3)}, "page", "page is -3; it must be at least 1"},
		{Paging{Start: ptr(-1)}, "start", "start is -1; it must be at least 0"},
		{Paging{Limit: ptr(-1)}, "limit", "limit is -1; it must be at least 0"},
		{Paging{PageSize: ptr(-1)}, "pageSize", "pageSize is -1; it must be at least 0"},
		{Paging{Limit: ptr(10_001)}, "limit", "limit is 10001; it must be at most 10000"},
		{Paging{PageSize: ptr(10_001)}, "pageSize", "pageSize is 10001; it must be at most 10000"},
		{Paging{Start: ptr(5), Page: ptr(0)}, "page", "page is 0; it must be at least 1"},
		{Paging{Limit: ptr(5), PageSize: ptr(20_000)}, "pageSize", "pageSize is 20000; it must be at most 10000"},
		{Paging{Page: ptr(math.MaxInt64)}, "page", "page is 9223372036854775807; it must be at most 922337203685477581"},
		{Paging{Page: ptr(922337203685477582)}, "page", "page is 922337203685477582; it must be at most 922337203685477581"},
	} {
		_, _, _, err := c.p.Window(10, 10_000)
		if err == nil {
			t.Errorf("%s: accepted", c.message)
			continue
		}
		if f := fault.As(err); f.Kind != fault.Invalid || f.Path != c.path || f.Message != c.message {
			t.Errorf("%q at %q, want %q at %q", f.Message, f.Path, c.message, c.path)
		}
	}
	if start, _, _, err := (Paging{Page: ptr(922337203685477581)}).Window(10, 10_000); err != nil || start != 9223372036854775800 {
		t.Errorf("the last page: %d, %v", start, err)
	}
}

func TestPagingOver(t *testing.T) {
	outer := Paging{Page: ptr(2)}
	inner := Paging{Start: ptr(7), Limit: ptr(3)}
	if diff := cmp.Diff(Paging{Page: ptr(2), Limit: ptr(3)}, outer.Over(inner)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(inner, Paging{}.Over(inner)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Paging{Start: ptr(7), PageSize: ptr(5)}, Paging{PageSize: ptr(5)}.Over(inner)); diff != "" {
		t.Error(diff)
	}
}

func TestPagingSet(t *testing.T) {
	var p Paging
	for _, key := range []string{"start", "limit", "page", "pageSize"} {
		if known, err := p.Set(key, parsed(t, "5")); !known || err != nil {
			t.Errorf("%s: %v, %v", key, known, err)
		}
	}
	if diff := cmp.Diff(Paging{ptr(5), ptr(5), ptr(5), ptr(5)}, p); diff != "" {
		t.Error(diff)
	}
	if known, err := p.Set("param", parsed(t, "5")); known || err != nil {
		t.Errorf("param: %v, %v", known, err)
	}
	if _, err := p.Set("page", parsed(t, "true")); err == nil || fault.As(err).Path != "page" {
		t.Errorf("err = %v", err)
	}
}
