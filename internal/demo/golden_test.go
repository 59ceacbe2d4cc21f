package demo

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
	"testing"
	"time"
)

// golden is the digest of every cell of every table. It changes only when the demo's data is meant to change.
const golden = "446bf3322f6f1ed01581666f5869d77ec2ff0574f673c1a3b32ac15353475e05"

func TestSameBytesOnEveryMachine(t *testing.T) {
	if got := digest(Tables()); got != golden {
		t.Errorf("the demo's digest is %s, want %s", got, golden)
	}
}

func TestTablesCanBeReadTwice(t *testing.T) {
	tables := Tables()
	if first, second := digest(tables), digest(tables); first != second {
		t.Errorf("first reading %s, second %s", first, second)
	}
}

func TestReadingCanStopEarly(t *testing.T) {
	for _, table := range Tables() {
		n := 0
		for range table.Rows {
			n++
			if n == 2 {
				break
			}
		}
		if n != 2 {
			t.Errorf("%s: read %d rows, want 2", table.Name, n)
		}
	}
}

func digest(tables []Table) string {
	h := sha256.New()
	for _, table := range tables {
		write(h, table)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func write(h hash.Hash, table Table) {
	w := bufio.NewWriter(h)
	fmt.Fprintf(w, "%s %v\n", table.Name, table.Key)
	for _, c := range table.Columns {
		fmt.Fprintf(w, "%s %s %d %v\n", c.Name, c.Type.Name(), c.Type.Scale, c.NotNull)
	}
	var line []byte
	for row := range table.Rows {
		line = line[:0]
		for _, cell := range row {
			line = append(appendCell(line, cell), '\t')
		}
		fmt.Fprintf(w, "%s\n", line)
	}
	if err := w.Flush(); err != nil {
		panic(err) // a hash never fails
	}
}

func appendCell(line []byte, cell any) []byte {
	switch v := cell.(type) {
	case int64:
		return strconv.AppendInt(line, v, 10)
	case string:
		return append(line, v...)
	case bool:
		return strconv.AppendBool(line, v)
	case time.Time:
		return v.AppendFormat(line, time.RFC3339)
	}
	return append(line, "<nil>"...)
}

func BenchmarkTables(b *testing.B) {
	for b.Loop() {
		rows := 0
		for _, table := range Tables() {
			for range table.Rows {
				rows++
			}
		}
		if rows < 150_000 {
			b.Fatalf("only %d rows", rows)
		}
	}
}
