package httpserver

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// TestEveryRequestHasADeadline: the statement's time-out and ten seconds more, on both interfaces.
func TestEveryRequestHasADeadline(t *testing.T) {
	const statement = 7 * time.Second
	var left time.Duration
	h := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		end, ok := r.Context().Deadline()
		if !ok {
			t.Error("no deadline")
		}
		left = time.Until(end)
	})
	before := time.Now()
	deadline(statement+requestMargin)(h).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/", nil))
	if spent := time.Since(before); left > statement+requestMargin || left < statement+requestMargin-spent {
		t.Errorf("%v left, %v spent", left, spent)
	}
}

// TestUntil: a context whose alarm is set late ends when any other would.
func TestUntil(t *testing.T) {
	type key struct{}
	parent := context.WithValue(context.Background(), key{}, "held")
	made := func(parent context.Context) *until { return &until{Context: parent, end: time.Now().Add(time.Minute)} }
	t.Run("by the clock alone", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			u := made(parent)
			time.Sleep(time.Minute - time.Nanosecond)
			if u.Err() != nil || u.Value(key{}) != "held" {
				t.Errorf("before its end: %v, %v", u.Err(), u.Value(key{}))
			}
			time.Sleep(time.Nanosecond)
			if !errors.Is(u.Err(), context.DeadlineExceeded) || u.alarm.Load() != nil {
				t.Errorf("at its end: %v, alarm %v", u.Err(), u.alarm.Load())
			}
			<-u.Done()
		})
	})
	t.Run("for those who wait", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			u := made(parent)
			begun := time.Now()
			inner, cancel := context.WithCancel(u)
			defer cancel()
			<-inner.Done()
			if took := time.Since(begun); took != time.Minute || !errors.Is(inner.Err(), context.DeadlineExceeded) || !errors.Is(u.Err(), context.DeadlineExceeded) || u.Value(key{}) != "held" {
				t.Errorf("after %v: %v, %v", took, inner.Err(), u.Err())
			}
		})
	})
	t.Run("with its parent", func(t *testing.T) {
		leaving, leave := context.WithCancel(parent)
		early, waited := made(leaving), made(leaving)
		inner, cancel := context.WithTimeout(waited, time.Hour)
		defer cancel()
		leave()
		<-inner.Done()
		if !errors.Is(early.Err(), context.Canceled) || !errors.Is(context.Cause(early), context.Canceled) || !errors.Is(inner.Err(), context.Canceled) {
			t.Errorf("%v, %v, %v", early.Err(), context.Cause(early), inner.Err())
		}
	})
	t.Run("not after its parent", func(t *testing.T) {
		sooner, cancel := context.WithDeadline(parent, time.Now().Add(time.Second))
		defer cancel()
		want, _ := sooner.Deadline()
		if got, ok := made(sooner).Deadline(); !ok || !got.Equal(want) {
			t.Errorf("%v, want %v", got, want)
		}
	})
	t.Run("when it is over", func(t *testing.T) {
		u := made(parent)
		done := u.Done()
		u.stop()
		<-done
		if !errors.Is(u.Err(), context.Canceled) {
			t.Errorf("%v", u.Err())
		}
		made(parent).stop()
	})
}
