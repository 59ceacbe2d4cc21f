//go:build race

package app

// raced reports that the race detector watches, which makes SQLite, a program of Go here, twenty times slower.
const raced = true
