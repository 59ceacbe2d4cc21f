package question

import (
	"hash/maphash"
	"strings"

	"parlance/internal/semantic"
)

// valueIndex finds the fields that hold a value by the words of the value. It keeps each value's text once and sixteen
// bytes beside it, so that hundreds of thousands of values cost a few megabytes.
type valueIndex struct {
	fields  []*semantic.Field
	counts  []int // of values, by field
	entries []valueEntry
	slots   []uint32 // entry number + 1 by hash, linear probing; a power of two, at most half full
	text    []byte
	longest int // words of the longest value

	firsts []uint32 // hashes of first words, until starts are collected
}

// bitset may hold a hash that was not put in, and always holds one that was.
type bitset []uint64

func newBitset(n int) bitset {
	size := 1
	for size*64 < 16*n {
		size *= 2
	}
	return make(bitset, size)
}

func (b bitset) set(h uint32) { b[int(h>>6)&(len(b)-1)] |= 1 << (h & 63) }

func (b bitset) has(h uint32) bool { return len(b) > 0 && b[int(h>>6)&(len(b)-1)]&(1<<(h&63)) != 0 }

type valueEntry struct {
	hash  uint32
	at    uint32 // of the text
	size  uint16
	field uint16
}

// maxValues bounds the values of one model: what comes after them is not found.
const maxValues = 1 << 20

// hashSeed is one for the process, so that the hash of a phrase is computed once for all models.
var hashSeed = maphash.MakeSeed()

func hashOf(key string) uint32 { return uint32(maphash.String(hashSeed, key)) }

// add takes the values of a field.
func (x *valueIndex) add(f *semantic.Field, values []string) {
	if len(x.fields) > 1<<15 {
		return
	}
	number := uint16(len(x.fields))
	x.fields = append(x.fields, f)
	x.counts = append(x.counts, len(values))
	for _, v := range values {
		if len(x.entries) == maxValues || len(v) > 200 {
			continue
		}
		tokens := tokenise(v)
		if len(tokens) == 0 || len(tokens) > maxPhrase {
			continue
		}
		x.longest = max(x.longest, len(tokens))
		x.firsts = append(x.firsts, hashOf(tokens[0].word))
		x.entries = append(x.entries, valueEntry{hashOf(phrase(tokens)), uint32(len(x.text)), uint16(len(v)), number})
		x.text = append(x.text, v...)
	}
}

// seal builds the table once all values are there.
func (x *valueIndex) seal() {
	size := 1
	for size < 2*len(x.entries) {
		size *= 2
	}
	x.slots = make([]uint32, size)
	for i, e := range x.entries {
		at := int(e.hash) & (size - 1)
		for x.slots[at] != 0 {
			at = (at + 1) & (size - 1)
		}
		x.slots[at] = uint32(i + 1)
	}
}

// each calls f with every value whose words are the key.
func (x *valueIndex) each(key string, hash uint32, f func(f *semantic.Field, value string)) {
	if len(x.entries) == 0 {
		return
	}
	mask := len(x.slots) - 1
	for at := int(hash) & mask; x.slots[at] != 0; at = (at + 1) & mask {
		e := x.entries[x.slots[at]-1]
		if e.hash != hash {
			continue
		}
		if v := string(x.text[e.at : e.at+uint32(e.size)]); phrase(tokenise(v)) == key {
			f(x.fields[e.field], v)
		}
	}
}

// words calls f with every word of every value.
func (x *valueIndex) words(f func(word string)) {
	for _, e := range x.entries {
		for w := range strings.FieldsSeq(string(x.text[e.at : e.at+uint32(e.size)])) {
			f(w)
		}
	}
}

// bytes returns what the index holds in memory, about.
func (x *valueIndex) bytes() int { return len(x.text) + 16*len(x.entries) + 4*len(x.slots) }
