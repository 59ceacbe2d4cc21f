package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"

	"parlance/internal/service"
	"parlance/internal/transport/jsonrpc"
)

// line is one message of a stream, or why there is none any more.
type line struct {
	text    []byte
	tooLong bool // text is nil
	err     error
}

// readLines reads the messages of a stream until it fails or stop is closed; the last line that it gives is the failure,
// io.EOF at a stream's end. Lines without text are none.
func readLines(in io.Reader, most int, stop <-chan struct{}) <-chan line {
	lines := make(chan line)
	go func() {
		r := bufio.NewReader(in)
		for {
			l := nextLine(r, most)
			if l.err == nil && !l.tooLong && len(bytes.TrimSpace(l.text)) == 0 {
				continue
			}
			select {
			case lines <- l:
			case <-stop:
				return
			}
			if l.err != nil {
				return
			}
		}
	}()
	return lines
}

// nextLine reads a line without its newline and without keeping more than most bytes of it. A stream that ends without a newline ends its last
// line.
func nextLine(r *bufio.Reader, most int) line {
	var l line
	for {
		part, err := r.ReadSlice('\n')
		part = bytes.TrimSuffix(part, []byte("\n"))
		if len(l.text)+len(part) > most {
			l.text, l.tooLong = nil, true
		}
		if !l.tooLong {
			l.text = append(l.text, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil && (l.tooLong || len(l.text) > 0):
			return l // the failure comes again
		default:
			l.err = err
			return l
		}
	}
}

// refuseLine returns the answer to a line that is longer than most bytes.
func refuseLine(record *service.Record, most int) []byte {
	record.Fail("body_too_large")
	record.Code = http.StatusRequestEntityTooLarge
	return jsonrpc.AppendError(nil, nil, &jsonrpc.Error{
		Code: jsonrpc.InvalidRequest, Message: "Invalid request: the message is longer than " + strconv.Itoa(most) + " bytes",
	})
}
