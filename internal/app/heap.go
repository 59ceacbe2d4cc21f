package app

import "runtime"

// leastHeap is how far the heap may grow before memory is collected at all: a small heap that is collected every few
// requests costs them more than their answers do. The bytes themselves are never touched, so that they take no memory.
const leastHeap = 64 << 20

// holdHeap keeps collections apart until the returned function is called.
func holdHeap() (release func()) {
	room := make([]byte, leastHeap)
	return func() { runtime.KeepAlive(room) }
}
