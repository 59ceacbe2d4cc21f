package sqlitefn

import (
	"encoding/binary"
	"time"

	"parlance/internal/exact"
)

// instantMark begins the bytes of an instant; no number begins with it.
const instantMark = 0xfe

const instantSize = 9

// appendInstant appends an instant as bytes that sort: microseconds since 1970, the sign turned.
func appendInstant(b []byte, t time.Time) []byte {
	return binary.BigEndian.AppendUint64(append(b, instantMark), uint64(t.UnixMicro())^1<<63)
}

func instant(b []byte) (time.Time, bool) {
	if len(b) != instantSize || b[0] != instantMark {
		return time.Time{}, false
	}
	return time.UnixMicro(int64(binary.BigEndian.Uint64(b[1:]) ^ 1<<63)).UTC(), true
}

// Cell is what the bytes of a cell stand for: an exact number or an instant; ok is false for any other.
func Cell(b []byte) (n exact.Number, at time.Time, isTime, ok bool) {
	if at, isTime = instant(b); isTime {
		return n, at, true, true
	}
	n, ok = exact.Decode(b)
	return n, at, false, ok
}
