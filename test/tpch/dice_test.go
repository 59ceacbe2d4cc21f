package tpch

import "strings"

// dice are the random numbers of one table, the same on every machine and with every version of Go.
type dice struct{ state uint64 }

// diceOf starts the numbers of a table. A table's numbers do not depend on those of another.
func diceOf(table string) *dice {
	d := &dice{state: 19920101}
	for _, b := range []byte(table) {
		d.state = d.state*1099511628211 + uint64(b)
	}
	return d
}

func (d *dice) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// between is a number from low to high, both of them included.
func (d *dice) between(low, high int64) int64 { return low + int64(d.next()%uint64(high-low+1)) }

func (d *dice) of(list []string) string { return list[d.next()%uint64(len(list))] }

// text is some words in a row.
func (d *dice) text(n int64) string {
	picked := make([]string, n)
	for i := range picked {
		picked[i] = d.of(words)
	}
	return strings.Join(picked, " ")
}

// around is a text that holds two words with others before, between and after them.
func (d *dice) around(first, second string) string {
	return strings.Join([]string{d.text(2), first, d.text(1), second, d.text(1)}, " ")
}

// address is a street that nobody lives in.
func (d *dice) address() string {
	const letters = "0123456789 abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	b := make([]byte, d.between(10, 30))
	for i := range b {
		b[i] = letters[d.next()%uint64(len(letters))]
	}
	return "x" + strings.TrimSpace(string(b))
}
