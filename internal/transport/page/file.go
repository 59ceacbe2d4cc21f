package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

// security is the same for every file. Scripts, styles and requests of other hosts are refused, and so is anything
// inline: a cell's text that became markup could still do nothing. Images of the page's own making are charts to save.
var security = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob:; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), geolocation=(), microphone=()",
	"Referrer-Policy":              "no-referrer",
	"X-Content-Type-Options":       "nosniff",
}

// types are the kinds of files that a build makes. The system's own table is not asked: it differs between machines.
var types = map[string]string{
	".css":   "text/css; charset=utf-8",
	".html":  "text/html; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".svg":   "image/svg+xml",
	".txt":   "text/plain; charset=utf-8",
	".woff2": "font/woff2",
}

const (
	hashedFolder = "built/" // names there change with the content
	forEver      = "public, max-age=31536000, immutable"
	askAgain     = "no-cache" // kept, and used after the server said that nothing changed
)

// file is one file, as it is and compressed.
type file struct {
	content   []byte
	squeezed  func() []byte // gzip; nil content where that would save nothing
	mediaType string
	cache     string
	tag       string
}

func newFile(name string, content []byte) *file {
	sum := sha256.Sum256(content)
	f := &file{
		content: content, mediaType: types[path.Ext(name)], cache: askAgain,
		tag: `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`,
	}
	f.squeezed = sync.OnceValue(func() []byte { return squeeze(content) })
	if strings.HasPrefix(name, hashedFolder) {
		f.cache = forEver
	}
	return f
}

// squeeze compresses as far as it goes, once a file, and returns nil for what is compressed already.
func squeeze(content []byte) []byte {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil
	}
	if _, err := w.Write(content); err != nil || w.Close() != nil || out.Len() >= len(content)*9/10 {
		return nil
	}
	return out.Bytes()
}

// ServeHTTP answers GET and HEAD, with 304 for what the caller has already.
func (f *file) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	for name, value := range security {
		h.Set(name, value)
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "Method not allowed", http.StatusMethodNotAllowed)
		return
	}
	h.Set("Cache-Control", f.cache)
	h.Set("ETag", f.tag)
	h.Set("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("If-None-Match"), f.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", f.mediaType)
	body := f.content
	if small := f.squeezed(); small != nil && acceptsGzip(r) {
		h.Set("Content-Encoding", "gzip")
		body = small
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // a client that is gone is nobody's error
	}
}

// acceptsGzip reports whether the caller takes gzip; a quality of nought means that it does not.
func acceptsGzip(r *http.Request) bool {
	for _, part := range strings.Split(r.Header.Get("Accept-Encoding"), ",") {
		word, quality, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(word, "gzip") || word == "*" {
			q := strings.TrimPrefix(strings.TrimSpace(quality), "q=")
			return q == "" || strings.Trim(q, "0.") != ""
		}
	}
	return false
}
