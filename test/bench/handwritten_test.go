package bench

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

// handwritten is what one writes who needs exactly one question answered, and cares: the statements are known, those of a
// page run side by side on a pool, rows are appended to a buffer that is used again.
type handwritten struct {
	db    *sql.DB
	asked question
	page  statement
	count *statement // nil: the page tells
	kpi   bool
	names [][]byte // "name": of each column
}

var handBuffers = sync.Pool{New: func() any { return new([]byte) }}

func (h *handwritten) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var payload map[string]any
	if err := json.Unmarshal(body, &payload); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	buffer := handBuffers.Get().(*[]byte)
	defer handBuffers.Put(buffer)
	if *buffer, err = h.answer(r.Context(), (*buffer)[:0]); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(*buffer)))
	_, _ = w.Write(*buffer)
}

func (h *handwritten) answer(ctx context.Context, b []byte) ([]byte, error) {
	if h.kpi {
		b = append(b, `{"code":0,"data":`...)
		b, _, err := h.rows(ctx, b, h.page)
		return append(b, `,"msg":"success"}`...), err
	}
	b = append(b, `{"code":0,"data":{"items":[`...)
	var total int64
	var err error
	if h.count == nil {
		b, total, err = h.rows(ctx, b, h.page)
	} else {
		g, ctx := errgroup.WithContext(ctx)
		g.Go(func() error { return h.db.QueryRowContext(ctx, h.count.text, h.count.args...).Scan(&total) })
		b, _, err = h.rows(ctx, b, h.page)
		if other := g.Wait(); err == nil {
			err = other
		}
	}
	b = append(b, `],"total":`...)
	b = strconv.AppendInt(b, total, 10)
	return append(b, `},"msg":"success"}`...), err
}

func (h *handwritten) rows(ctx context.Context, b []byte, st statement) ([]byte, int64, error) {
	rows, err := h.db.QueryContext(ctx, st.text, st.args...)
	if err != nil {
		return b, 0, err
	}
	defer rows.Close()
	cells, into := make([]any, len(h.names)), make([]any, len(h.names))
	for i := range cells {
		into[i] = &cells[i]
	}
	n := int64(0)
	for ; rows.Next(); n++ {
		if err := rows.Scan(into...); err != nil {
			return b, n, err
		}
		if n > 0 {
			b = append(b, ',')
		}
		b = append(b, '{')
		for i, c := range cells {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendHand(append(b, h.names[i]...), c)
		}
		b = append(b, '}')
	}
	return b, n, rows.Err()
}

// appendHand appends a cell as JSON; numbers that come as texts are texts here.
func appendHand(b []byte, cell any) []byte {
	switch c := cell.(type) {
	case nil:
		return append(b, "null"...)
	case int64:
		return strconv.AppendInt(b, c, 10)
	case int32:
		return strconv.AppendInt(b, int64(c), 10)
	case float64:
		return strconv.AppendFloat(b, c, 'g', -1, 64)
	case string:
		return strconv.AppendQuote(b, c)
	case []byte:
		return strconv.AppendQuote(b, string(c))
	case time.Time:
		return append(c.AppendFormat(append(b, '"'), time.DateOnly), '"')
	case *big.Int:
		return c.Append(b, 10)
	case fmt.Stringer:
		return append(b, c.String()...)
	}
	return fmt.Append(b, cell)
}

// serveHTTP serves a handler on a free port of this machine until the benchmark ends.
func serveHTTP(b *testing.B, h http.Handler) (addr string) {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	// The time-outs are those of the program: they cost a little on every request.
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: 2 * time.Minute, IdleTimeout: 2 * time.Minute}
	go func() { _ = server.Serve(l) }()
	b.Cleanup(func() { server.Close() })
	return l.Addr().String()
}

// nothing reads the body and writes the same bytes each time.
type nothing []byte

func (n nothing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, err := io.ReadAll(r.Body); err != nil {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(n)))
	_, _ = w.Write(n)
}
