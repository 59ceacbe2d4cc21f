package mcp

import (
	"crypto/rand"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parlance/internal/service"
	"parlance/internal/transport/jsonrpc"
)

// ServeHTTP answers one POST: with a JSON-RPC answer, or 202 where there is nothing to answer. Whatever is refused
// before that carries its own status and an invalid-request body (decision 06).
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		refuse(w, r, http.StatusMethodNotAllowed, "use POST, not "+jsonrpc.Clip(r.Method))
		return
	}
	if t := r.Header.Get("Content-Type"); !isJSON(t) {
		refuse(w, r, http.StatusUnsupportedMediaType, "the content type must be application/json, not "+jsonrpc.Clip(t))
		return
	}
	body, err := readBody(r)
	if err != nil {
		status, why := bodyFailure(err)
		refuse(w, r, status, why)
		return
	}
	h.answer(w, r, body)
}

// answer sends the answer to a body. The era decides how errors travel: with 200 before the stateless protocol, with a
// status of their own since.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, body []byte) {
	d := &dispatcher{handler: h, caller: h.caller(r), headers: headersOf(r.Header)}
	version := d.headers.version
	rpc, message := h.rpc, jsonrpc.Read(body)
	if isModern(version) {
		rpc.Single, d.stateless = true, true
	} else if _, meta := metaOf(message.Params()); !legacy(version) && !speaksModern(meta) {
		refuse(w, r, http.StatusBadRequest, badVersionHeader(version))
		return
	}
	ctx, job := h.cancellable(r.Context(), client(r.Header), message)
	if job != nil {
		defer h.running.end(job)
	}
	reply := noted(ctx, rpc.Answer(ctx, message, d.caller.TraceID, d))
	if message.Method() == "initialize" && reply.Err == nil && !d.stateless {
		w.Header().Set(sessionHeader, rand.Text())
	}
	switch {
	case job != nil && job.cancelled.Load():
		w.WriteHeader(http.StatusAccepted) // nobody waits for an answer
	case reply.Body == nil && !legacy(version) && version != modernVersion:
		refuse(w, r, http.StatusBadRequest, badVersionHeader(version))
	case reply.Body == nil:
		h.cancel(client(r.Header), message)
		w.WriteHeader(http.StatusAccepted)
	case d.stateless:
		send(w, statusOf(reply.Err), reply.Body)
	default:
		send(w, http.StatusOK, reply.Body)
	}
}

// legacy reports whether a header names a version that begins with initialize; clients older than the header name none.
func legacy(version string) bool { return version == "" || slices.Contains(versions, version) }

func badVersionHeader(version string) string {
	return "unsupported " + versionHeader + " " + jsonrpc.Clip(version) + "; supported: " + strings.Join(supported(), ", ")
}

// isJSON accepts application/json and its +json kin; an absent content type counts as JSON.
func isJSON(contentType string) bool {
	if contentType == "" {
		return true
	}
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return false
	}
	return media == "application/json" || strings.HasPrefix(media, "application/") && strings.HasSuffix(media, "+json")
}

// maxPresized bounds the buffer that a Content-Length alone may claim.
const maxPresized = 64 << 10

func readBody(r *http.Request) ([]byte, error) {
	buf := make([]byte, 0, min(max(r.ContentLength, 0), maxPresized)+1)
	for {
		n, err := r.Body.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if errors.Is(err, io.EOF) {
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, max(512, len(buf)))
		}
	}
}

func bodyFailure(err error) (status int, why string) {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return http.StatusRequestEntityTooLarge, "the body is larger than " + strconv.FormatInt(tooLarge.Limit, 10) + " bytes"
	}
	return http.StatusBadRequest, "the body could not be read"
}

func refuse(w http.ResponseWriter, r *http.Request, status int, why string) {
	record := service.RecordOf(r.Context())
	record.Fail(jsonrpc.InvalidRequest.String())
	record.Code = status
	send(w, status, jsonrpc.AppendError(nil, nil, &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: "Invalid request: " + why}))
}

func send(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that went away is no error of ours
}
