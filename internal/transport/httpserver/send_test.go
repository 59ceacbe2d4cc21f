package httpserver

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// reader is a line whose other end takes a part of an answer in so long.
type reader struct {
	*httptest.ResponseRecorder
	takes    time.Duration
	deadline time.Time
	parts    []int
}

var errLate = errors.New("too late")

func (r *reader) SetWriteDeadline(at time.Time) error {
	r.deadline = at
	return nil
}

func (r *reader) Write(b []byte) (int, error) {
	end := time.Now().Add(r.takes)
	if !r.deadline.IsZero() && r.deadline.Before(end) {
		time.Sleep(time.Until(r.deadline))
		return 0, errLate
	}
	time.Sleep(r.takes)
	r.parts = append(r.parts, len(b))
	return len(b), nil
}

// TestLargeAnswersAreTakenInParts: whoever takes none of them for ten seconds is cut off, whoever takes them slowly at the
// end of the time of the whole answer.
func TestLargeAnswersAreTakenInParts(t *testing.T) {
	const large = 3*sendPart + 1
	for name, c := range map[string]struct {
		takes time.Duration
		size  int
		parts []int
		after time.Duration
		err   error
	}{
		"fast":          {0, large, []int{sendPart, sendPart, sendPart, 1}, 0, nil},
		"slow":          {9 * time.Second, large, []int{sendPart, sendPart, sendPart, 1}, 36 * time.Second, nil},
		"not at all":    {time.Hour, large, nil, sendTime, errLate},
		"slow for long": {9 * time.Second, 20 * sendPart, []int{sendPart, sendPart, sendPart, sendPart, sendPart, sendPart}, time.Minute, errLate},
		"small":         {30 * time.Second, sendPart, []int{sendPart}, 30 * time.Second, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				line := &reader{ResponseRecorder: httptest.NewRecorder(), takes: c.takes}
				ctx := context.WithValue(t.Context(), http.ServerContextKey, &http.Server{WriteTimeout: time.Minute})
				a := &response{ResponseWriter: line, ctx: ctx, begun: time.Now()}
				began := time.Now()
				n, err := a.Write(make([]byte, c.size))
				sent := 0
				for _, part := range line.parts {
					sent += part
				}
				if !errors.Is(err, c.err) || time.Since(began) != c.after || n != sent || a.bytes != int64(sent) {
					t.Errorf("%d bytes, %v after %s", n, err, time.Since(began))
				}
				if diff := cmp.Diff(c.parts, line.parts); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}
