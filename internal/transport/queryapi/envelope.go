package queryapi

import (
	"net/http"
	"strconv"
	"sync"

	"parlance/internal/result"
	"parlance/internal/service"
)

// keepBuffer is the largest buffer that waits for the next answer; a larger one is left to the collector.
const keepBuffer = 1 << 20

var buffers = sync.Pool{New: func() any { return new([]byte) }}

// jsonType is shared by all answers and never changed.
var jsonType = []string{"application/json"}

// success answers {code: 0, data, msg: success}, data being what add appends.
func (h *Handler) success(w http.ResponseWriter, add func([]byte) []byte) {
	buffer := buffers.Get().(*[]byte)
	b := append((*buffer)[:0], `{"code":0,"data":`...)
	b = add(b)
	b = append(b, `,"msg":"success"}`...)
	send(w, http.StatusOK, b)
	if cap(b) <= keepBuffer {
		*buffer = b
		buffers.Put(buffer)
	}
}

// appendAnswer appends data: {items, total, totalData?}.
func appendAnswer(b []byte, a *service.Answer) []byte {
	b = append(b, `{"items":`...)
	b = append(b, a.Items...)
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

// send writes a whole answer at once. A client that is gone is nobody's error.
func send(w http.ResponseWriter, status int, body []byte) {
	header := w.Header()
	header["Content-Type"] = jsonType
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
