package service

import (
	"context"
	"time"
)

// CacheControl is what a request says about answers that are used again. The zero value leaves it to the model.
type CacheControl struct {
	NoCache bool          // the database is asked, and the answer kept for others
	NoStore bool          // the database is asked, and the answer kept for nobody
	MaxAge  time.Duration // the oldest answer that the caller takes; 0: as the model says
}

// refuses reports whether an answer is too old that a run gives which began so long before it was asked for.
func (c CacheControl) refuses(age time.Duration) bool {
	return c.NoCache && age > 0 || c.MaxAge > 0 && age >= c.MaxAge
}

// CacheUse tells where an answer came from, where answers of its model may be used again.
type CacheUse struct {
	Source string `json:"source"`     // cache, database, or shared: the run of another who asked the same
	Age    int64  `json:"ageSeconds"` // since the database was asked
	TTL    int64  `json:"ttlSeconds"` // for how long it may be used, all in all
}

type cacheControlKey struct{}

// WithCacheControl returns a context that carries what the request says.
func WithCacheControl(ctx context.Context, c CacheControl) context.Context {
	if c == (CacheControl{}) {
		return ctx
	}
	return context.WithValue(ctx, cacheControlKey{}, c)
}

func cacheControlOf(ctx context.Context) CacheControl {
	c, _ := ctx.Value(cacheControlKey{}).(CacheControl)
	return c
}
