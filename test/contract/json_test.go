package contract

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"parlance/internal/jsontree"
)

// comparison is how two documents are compared.
type comparison struct {
	exact bool // key order and number text count
	trace string
}

// differ returns the first difference between what is wanted and what came, or "".
func (c comparison) differ(path string, want, got jsontree.Node) string {
	if want.Kind == jsontree.String {
		if known, ok := c.placeholder(want.Text, got); known {
			if ok {
				return ""
			}
			return fmt.Sprintf("%s: want %s, got %s", path, want.Text, got.Raw)
		}
	}
	if want.Kind != got.Kind {
		return fmt.Sprintf("%s: want %s, got %s", path, want.Raw, got.Raw)
	}
	switch want.Kind {
	case jsontree.Array:
		return c.arrays(path, want, got)
	case jsontree.Object:
		return c.objects(path, want, got)
	case jsontree.Number:
		if want.Text == got.Text || (!c.exact && sameNumber(want.Text, got.Text)) {
			return ""
		}
	case jsontree.Null, jsontree.Bool, jsontree.String:
		if want.Text == got.Text {
			return ""
		}
	}
	return fmt.Sprintf("%s: want %s, got %s", path, want.Raw, got.Raw)
}

// placeholder reports whether the text is one, and whether the value fits it.
func (c comparison) placeholder(text string, got jsontree.Node) (known, ok bool) {
	switch text {
	case "<any>":
		return true, true
	case "<string>":
		return true, got.Kind == jsontree.String && got.Text != ""
	case "<number>":
		return true, got.Kind == jsontree.Number
	case "<trace>":
		return true, got.Kind == jsontree.String && c.trace != "" && got.Text == c.trace
	}
	return false, false
}

func (c comparison) arrays(path string, want, got jsontree.Node) string {
	for i := range min(len(want.Items), len(got.Items)) {
		if d := c.differ(fmt.Sprintf("%s[%d]", path, i), want.Items[i], got.Items[i]); d != "" {
			return d
		}
	}
	if len(want.Items) != len(got.Items) {
		return fmt.Sprintf("%s: want %d elements, got %d", path, len(want.Items), len(got.Items))
	}
	return ""
}

func (c comparison) objects(path string, want, got jsontree.Node) string {
	wantKeys, gotKeys := keys(want), keys(got)
	if !c.exact {
		slices.Sort(wantKeys)
		slices.Sort(gotKeys)
	}
	if !slices.Equal(wantKeys, gotKeys) {
		return fmt.Sprintf("%s: want the keys %v, got %v", path, wantKeys, gotKeys)
	}
	for _, m := range want.Members {
		other, _ := got.Get(m.Key)
		if d := c.differ(path+"."+m.Key, m.Value, other); d != "" {
			return d
		}
	}
	return ""
}

func keys(n jsontree.Node) []string {
	var names []string
	for _, m := range n.Members {
		names = append(names, m.Key)
	}
	return names
}

func sameNumber(a, b string) bool {
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	return okX && okY && x.Cmp(y) == 0
}

// lookup follows a path: $ or @, then .key, ["key"], [0], [*] and !. It returns nil where the path leads nowhere.
func lookup(root jsontree.Node, path string) (*jsontree.Node, error) {
	if rest, ok := strings.CutPrefix(path, "@"); ok {
		path = "$.result.content[0].text!" + rest
	}
	rest, ok := strings.CutPrefix(path, "$")
	if !ok {
		return nil, fmt.Errorf("a path starts with $ or @, got %q", path)
	}
	return follow(root, rest)
}

func follow(n jsontree.Node, rest string) (*jsontree.Node, error) {
	switch {
	case rest == "":
		return &n, nil
	case rest[0] == '!':
		inner, err := jsontree.Parse([]byte(n.Text))
		if err != nil {
			return nil, fmt.Errorf("a text that should be JSON: %w", err)
		}
		return follow(inner, rest[1:])
	case rest[0] == '.':
		end := strings.IndexAny(rest[1:], ".[!") + 1
		if end == 0 {
			end = len(rest)
		}
		return member(n, rest[1:end], rest[end:])
	case rest[0] == '[':
		inside, after, ok := strings.Cut(rest[1:], "]")
		if !ok {
			return nil, fmt.Errorf("an open bracket in %q", rest)
		}
		if inside == "*" {
			return each(n, after)
		}
		if key, err := strconv.Unquote(inside); err == nil {
			return member(n, key, after)
		}
		i, err := strconv.Atoi(inside)
		if err != nil {
			return nil, fmt.Errorf("no index: %q", inside)
		}
		if i >= len(n.Items) {
			return nil, nil
		}
		return follow(n.Items[i], after)
	}
	return nil, fmt.Errorf("no path: %q", rest)
}

func member(n jsontree.Node, key, rest string) (*jsontree.Node, error) {
	value, ok := n.Get(key)
	if !ok {
		return nil, nil
	}
	return follow(value, rest)
}

// each gathers what rest leads to from every element.
func each(n jsontree.Node, rest string) (*jsontree.Node, error) {
	gathered := jsontree.Node{Kind: jsontree.Array, Raw: []byte("…")}
	for _, item := range n.Items {
		value, err := follow(item, rest)
		if err != nil {
			return nil, err
		}
		if value != nil {
			gathered.Items = append(gathered.Items, *value)
		}
	}
	return &gathered, nil
}
