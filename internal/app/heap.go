package app

import (
	"runtime"
	"runtime/debug"
)

// leastHeap is how far the heap may grow before memory is collected at all: a small heap that is collected every few
// requests costs them more than their answers do. The bytes themselves are never touched, so that they take no memory.
const leastHeap = 64 << 20

// holdHeap keeps collections apart until the returned function is called.
func holdHeap() (release func()) {
	room := make([]byte, leastHeap)
	return func() { runtime.KeepAlive(room) }
}

// loadingPercent is how far the heap may grow beyond what is in use while models are read: far more is read than is kept.
const loadingPercent = 40

// collectOften keeps the heap small until the returned function is called, which gives back what was read and not kept.
func collectOften() (end func()) {
	before := debug.SetGCPercent(loadingPercent)
	return func() {
		debug.SetGCPercent(before)
		debug.FreeOSMemory()
	}
}

// sparing is collectOften, but for the demo, which is small.
func (s *server) sparing() (end func()) {
	if s.config.Demo() {
		return func() {}
	}
	return collectOften()
}
