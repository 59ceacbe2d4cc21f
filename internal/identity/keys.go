package identity

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

const (
	keysFresh   = 10 * time.Minute // after which keys are read again, so that one that was withdrawn goes
	keysUsable  = time.Hour        // for which keys are trusted while the issuer cannot be reached
	keysPause   = 5 * time.Second  // between two readings at least, whatever tokens ask for
	keysTimeout = 5 * time.Second  // of one reading, and of a request that waits for it
)

var errNoAnswer = errors.New("the issuer has not answered yet")

// keySet is the keys of one issuer, read when they are needed and kept. At most one reading runs at a time, and one
// begins at most every few seconds.
type keySet struct {
	source source
	log    *slog.Logger
	now    func() time.Time

	mu      sync.Mutex
	keys    []publicKey
	loaded  time.Time     // when keys were read; zero: never
	tried   time.Time     // when the last reading began, or ended if it has
	failed  error         // what the last reading met; nil: nothing
	reading chan struct{} // closed when the reading that runs ends; nil: none runs
	running sync.WaitGroup
	ctx     context.Context // of readings, which outlive the request that begins one
	cancel  context.CancelFunc
}

func newKeySet(s source, log *slog.Logger, now func() time.Time) *keySet {
	k := &keySet{source: s, log: log, now: now}
	k.ctx, k.cancel = context.WithCancel(context.Background())
	return k
}

// close ends a reading that runs; none begins after it.
func (k *keySet) close() {
	k.mu.Lock()
	k.cancel()
	k.mu.Unlock()
	k.running.Wait()
}

// find returns the keys that may have signed the token. None is found where the issuer has no such key; an
// Unavailable fault says that it is not known what keys the issuer has.
func (k *keySet) find(ctx context.Context, s signed) ([]publicKey, error) {
	found, usable, wait := k.look(s)
	if len(found) > 0 && usable || wait == nil {
		return found, k.unless(usable)
	}
	timeout := time.NewTimer(keysTimeout)
	defer timeout.Stop()
	select {
	case <-wait:
	case <-timeout.C:
	case <-ctx.Done():
		return nil, noKeys(ctx.Err())
	}
	found, usable, _ = k.look(s)
	return found, k.unless(usable)
}

// look returns what the keys at hand have for a token, whether they may be trusted, and, where another reading could
// tell more, what to wait for. It begins that reading if it is time for one.
func (k *keySet) look(s signed) (found []publicKey, usable bool, wait <-chan struct{}) {
	k.mu.Lock()
	defer k.mu.Unlock()
	age := k.now().Sub(k.loaded)
	usable = !k.loaded.IsZero() && age < keysUsable
	if usable {
		found = candidates(k.keys, s)
	}
	if len(found) == 0 || age >= keysFresh {
		k.begin()
	}
	return found, usable, k.reading
}

// begin starts a reading unless one runs or has run just now. The caller holds the lock.
func (k *keySet) begin() {
	if k.reading != nil || !k.tried.IsZero() && k.now().Sub(k.tried) < keysPause || k.ctx.Err() != nil {
		return
	}
	k.tried = k.now()
	done := make(chan struct{})
	k.reading = done
	k.running.Go(func() {
		ctx, cancel := context.WithTimeout(k.ctx, keysTimeout)
		defer cancel()
		keys, err := k.source.read(ctx)
		k.keep(keys, err)
		close(done)
	})
}

func (k *keySet) keep(keys []publicKey, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.reading = nil
	begun := k.tried
	k.tried = k.now() // the pause begins when a slow reading ends
	first := k.loaded.IsZero()
	mended := k.failed != nil && err == nil
	k.failed = err
	switch {
	case err == nil:
		k.keys, k.loaded = keys, begun
		if first || mended {
			k.log.Info("keys of the issuer read", "issuer", k.source.issuer, "keys", len(keys))
		}
	case k.ctx.Err() != nil:
	case first:
		k.log.Error("keys of the issuer cannot be read: every token of it is refused until they can", "issuer", k.source.issuer, "error", err)
	default:
		k.log.Error("keys of the issuer cannot be read again: the earlier ones are trusted for an hour since they were read",
			"issuer", k.source.issuer, "read", k.loaded, "error", err)
	}
}

// unless returns the fault of a set that cannot be trusted.
func (k *keySet) unless(usable bool) error {
	if usable {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.failed == nil {
		return noKeys(errNoAnswer)
	}
	return noKeys(k.failed)
}
