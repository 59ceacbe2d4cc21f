package httpserver

import (
	"net/http"
	"time"
)

const (
	sendPart = 64 << 10         // bytes; what is larger is sent in parts
	sendTime = 10 * time.Second // in which a part must be taken
)

// send writes an answer. Large ones hold memory that all share: who takes no part of his in time is cut off, long before
// the time of the whole answer is over.
func (a *response) send(b []byte) (n int, err error) {
	if len(b) <= sendPart {
		return a.ResponseWriter.Write(b)
	}
	line := http.NewResponseController(a.ResponseWriter)
	for len(b) > 0 && err == nil {
		_ = line.SetWriteDeadline(a.endOf(sendTime)) // where there is no line there is none to be held
		var sent int
		sent, err = a.ResponseWriter.Write(b[:min(len(b), sendPart)])
		n, b = n+sent, b[sent:]
	}
	return n, err
}

// endOf is the moment so long from now, or that of the whole answer where it comes first.
func (a *response) endOf(d time.Duration) time.Time {
	end := time.Now().Add(d)
	server, _ := a.ctx.Value(http.ServerContextKey).(*http.Server)
	if server == nil || server.WriteTimeout <= 0 {
		return end
	}
	if last := a.begun.Add(server.WriteTimeout); last.Before(end) {
		return last
	}
	return end
}
