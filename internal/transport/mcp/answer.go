package mcp

import (
	"slices"
	"strconv"

	"parlance/internal/compile"
	"parlance/internal/result"
	"parlance/internal/service"
	"parlance/internal/transport/jsonrpc"
)

// answer is the outcome of a query on its way into a text of at most maxBytes (decisions 23, 24).
type answer struct {
	service.Answer
	layout   result.Layout
	maxBytes int
	patch    []byte // on the arguments, JSON: what a warning suggests; nil if none does
}

// noteBytes is room for what a cut adds to the text: truncated, next and the hint.
const noteBytes = 400

// text returns the result. Rows that do not fit beside the rest are left out, and the result says so.
func (a *answer) text() ([]byte, error) {
	applied, err := marshal(a.Applied)
	if err != nil {
		return nil, err
	}
	head, tail := a.appendHead(nil), a.appendTail(nil, applied)
	if room := a.maxBytes - len(head) - len(tail); len(a.Items) > room {
		a.Items, a.Returned = cutItems(a.Items, room-noteBytes)
		a.Truncated = true
		tail = a.appendTail(nil, applied)
	}
	text := make([]byte, 0, len(head)+len(a.Items)+len(tail))
	text = append(text, head...)
	text = append(text, a.Items...)
	return append(text, tail...), nil
}

// appendHead appends what stands before the rows.
func (a *answer) appendHead(dst []byte) []byte {
	dst = append(dst, '{')
	if a.layout == result.Objects {
		return appendKey(dst, "items")
	}
	dst = append(appendKey(dst, "columns"), '[')
	for i, c := range a.Columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonrpc.AppendString(dst, c.Key)
	}
	return appendKey(append(dst, ']'), "rows")
}

// appendTail appends what stands after the rows.
func (a *answer) appendTail(dst, applied []byte) []byte {
	dst = append(dst, `,"total":`...)
	dst = strconv.AppendInt(dst, a.Total, 10)
	if a.TotalData != nil {
		dst = append(appendKey(dst, "totalData"), a.TotalData...)
	}
	dst = a.appendSchema(dst)
	dst = a.appendPagination(dst)
	dst = a.appendCut(dst)
	dst = appendStrings(dst, "warnings", a.Warnings)
	dst = a.appendPatch(dst)
	dst = append(appendKey(dst, "applied"), applied...)
	dst = appendStrings(dst, "sql", a.SQL)
	return append(dst, '}')
}

// appendValidated appends the result of a query that was checked and not run.
func (a *answer) appendValidated(dst []byte) ([]byte, error) {
	applied, err := marshal(a.Applied)
	if err != nil {
		return nil, err
	}
	dst = append(dst, `{"valid":true`...)
	dst = a.appendSchema(dst)
	dst = appendStrings(dst, "warnings", a.Warnings)
	dst = a.appendPatch(dst)
	dst = append(appendKey(dst, "applied"), applied...)
	dst = appendStrings(dst, "sql", a.SQL)
	return append(dst, '}'), nil
}

func (a *answer) appendPatch(dst []byte) []byte {
	if a.patch == nil {
		return dst
	}
	return append(appendKey(dst, "patch"), a.patch...)
}

func (a *answer) appendSchema(dst []byte) []byte {
	dst = append(appendKey(dst, "schema"), '[')
	for i, c := range a.Columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '{')
		dst = jsonrpc.AppendString(appendKey(dst, "name"), c.Key)
		dst = jsonrpc.AppendString(appendKey(dst, "dataType"), c.Type.Name())
		dst = jsonrpc.AppendString(appendKey(dst, "caption"), c.Caption)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

func (a *answer) appendPagination(dst []byte) []byte {
	dst = append(appendKey(dst, "pagination"), '{')
	dst = appendNumber(dst, "start", a.Start)
	dst = appendNumber(dst, "limit", a.Limit)
	dst = appendField(dst, "limitSource", string(a.LimitSource))
	dst = appendNumber(dst, "returned", a.Returned)
	dst = appendNumber(dst, "totalCount", a.Total)
	dst = strconv.AppendBool(appendKey(dst, "hasMore"), a.HasMore())
	return append(dst, '}')
}

// appendCut appends where to read on, and, where rows were left out that the caller did not ask to leave out, says so.
func (a *answer) appendCut(dst []byte) []byte {
	byDefault := a.LimitSource == compile.LimitDefault && a.HasMore()
	if a.Truncated || byDefault {
		dst = append(appendKey(dst, "truncated"), "true"...)
	}
	if a.HasMore() && a.Returned > 0 {
		dst = append(appendKey(dst, "next"), '{')
		dst = appendNumber(dst, "start", a.Start+a.Returned)
		dst = appendNumber(dst, "limit", a.nextLimit())
		dst = append(dst, '}')
	}
	return appendField(dst, "hint", a.hint(byDefault))
}

// nextLimit is the rest of a page that was asked for and cut, otherwise a page of the same size.
func (a *answer) nextLimit() int64 {
	if a.Truncated && a.LimitSource == compile.LimitGiven && a.Limit > a.Returned {
		return a.Limit - a.Returned
	}
	return a.Limit
}

func (a *answer) hint(byDefault bool) string {
	rows := strconv.FormatInt(a.Returned, 10) + " of " + strconv.FormatInt(a.Total, 10) + " rows are here"
	switch {
	case a.Truncated && a.Returned == 0:
		return "One row alone is larger than a result may be; name fewer columns."
	case a.Truncated && a.layout == result.Objects:
		return rows + ", cut for size. Name fewer columns, use format compact, group or filter; next reads on."
	case a.Truncated:
		return rows + ", cut for size. Name fewer columns, group or filter; next reads on."
	case byDefault:
		return rows + ". Group by a field or use returnTotal for figures over all of them, filter with slice, or name a limit; next reads on."
	}
	return ""
}

// cutItems returns the longest beginning of a JSON array that has whole elements and at most room bytes, and how many
// elements it has.
func cutItems(items []byte, room int) ([]byte, int64) {
	end, kept := 1, int64(0)
	for at := range elementEnds(items) {
		if at+1 > room {
			break
		}
		end, kept = at, kept+1
	}
	return append(slices.Clip(items[:end]), ']'), kept
}

// countItems returns how many elements a JSON array has; what is no array has none.
func countItems(items []byte) (n int64) {
	for range elementEnds(items) {
		n++
	}
	return n
}

// elementEnds yields the offset behind each element of a compact JSON array.
func elementEnds(items []byte) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		depth, quoted := 0, false
		for i := 0; i < len(items); i++ {
			switch c := items[i]; {
			case quoted && c == '\\':
				i++
			case c == '"':
				quoted = !quoted
			case quoted:
			case c == '[' || c == '{':
				depth++
			case c == ',' && depth == 1:
				if !yield(i) {
					return
				}
			case c == ']' || c == '}':
				if depth--; depth == 0 && i > 1 {
					yield(i)
					return
				}
			}
		}
	}
}
