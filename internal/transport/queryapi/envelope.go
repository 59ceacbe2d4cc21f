package queryapi

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"parlance/internal/result"
	"parlance/internal/service"
)

// keepBuffer is the largest buffer that waits for the next answer; a larger one is left to the collector.
const keepBuffer = 1 << 20

var buffers = sync.Pool{New: func() any { return new([]byte) }}

// jsonType is shared by all answers and never changed.
var jsonType = []string{"application/json"}

const (
	head = `{"code":0,"data":`
	tail = `,"msg":"success"}`
	// largeAnswer is the size from which rows are sent from where they are, not copied into the envelope first.
	largeAnswer = 64 << 10
)

// success answers {code: 0, data, msg: success}, data being what add appends.
func (h *Handler) success(w http.ResponseWriter, add func([]byte) []byte) {
	buffer := buffers.Get().(*[]byte)
	b := append((*buffer)[:0], head...)
	b = append(add(b), tail...)
	send(w, http.StatusOK, b)
	if cap(b) <= keepBuffer {
		*buffer = b
		buffers.Put(buffer)
	}
}

// answer sends a page: data is {items, total, totalData?}.
func (h *Handler) answer(w http.ResponseWriter, a *service.Answer) {
	if len(a.Items) < largeAnswer {
		h.success(w, func(b []byte) []byte { return appendAfter(append(append(b, items...), a.Items...), a) })
		return
	}
	send(w, http.StatusOK, []byte(head+items), a.Items, append(appendAfter(nil, a), tail...))
}

const items = `{"items":`

// appendAfter appends what stands behind the items.
func appendAfter(b []byte, a *service.Answer) []byte {
	b = append(b, `,"total":`...)
	b = strconv.AppendInt(b, a.Total, 10)
	if a.TotalData != nil {
		b = append(b, `,"totalData":`...)
		b = append(b, a.TotalData...)
	}
	return append(b, '}')
}

// sendError answers {code, data: null, msg}.
func sendError(w http.ResponseWriter, status, code int, msg string) {
	b := append([]byte(`{"code":`), strconv.Itoa(code)...)
	b = append(b, `,"data":null,"msg":`...)
	send(w, status, append(result.AppendString(b, msg), '}'))
}

const (
	sendTime = 30 * time.Second // that a client has to take an answer, whatever its size
	sendRate = 128 << 10        // bytes a second that it must take beyond that
)

// send writes a whole answer. A client that is gone is nobody's error, and one that does not read large answers is cut
// off, for they take memory meanwhile.
func send(w http.ResponseWriter, status int, parts ...[]byte) {
	length := 0
	for _, p := range parts {
		length += len(p)
	}
	if length >= largeAnswer {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(sendTime + time.Duration(length/sendRate)*time.Second))
	}
	header := w.Header()
	header["Content-Type"] = jsonType
	header["Content-Length"] = []string{strconv.Itoa(length)}
	w.WriteHeader(status)
	for _, p := range parts {
		if _, err := w.Write(p); err != nil {
			return
		}
	}
}
