package datasource

import (
	"context"
	"strings"
)

// maxComment bounds what a comment adds to a statement.
const maxComment = 128

type commentKey struct{}

// WithComment returns a context whose statements carry text in a comment, so that who watches the database can tell
// whose they are. Of the text only letters, digits and - are kept.
func WithComment(ctx context.Context, text string) context.Context {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-':
			return r
		}
		return -1
	}, text)
	return context.WithValue(ctx, commentKey{}, clean[:min(len(clean), maxComment)])
}

// commented returns a statement behind the comment of its context.
func commented(ctx context.Context, text string) string {
	comment, _ := ctx.Value(commentKey{}).(string)
	if comment == "" {
		return text
	}
	return "/* " + comment + " */ " + text
}
