package app

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"

	"parlance/internal/identity"
)

// secretFile is a file of tokens, or a certificate with its key: what is read again when it changes. What cannot be
// used leaves the earlier state in force.
type secretFile struct {
	what  string // for the log
	paths []string
	apply func(texts [][]byte) ([]any, error) // returns what the log line has beside the paths

	mu   sync.Mutex
	seen [sha256.Size]byte
}

// read applies what stands in the files; changed is false, and nothing is done, where that is what stood there before
// and always is not set.
func (f *secretFile) read(always bool) (attrs []any, changed bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	texts := make([][]byte, len(f.paths))
	sum := sha256.New()
	for i, path := range f.paths {
		text, failed := readSmall(path)
		if failed != nil {
			err = errors.Join(err, failed)
		}
		one := sha256.Sum256(text)
		sum.Write(one[:])
		texts[i] = text
	}
	now := [sha256.Size]byte(sum.Sum(nil))
	if now == f.seen && !always {
		return nil, false, nil
	}
	f.seen = now
	if err == nil {
		attrs, err = f.apply(texts)
	}
	return attrs, true, err
}

// secretFiles are the files of a configuration.
type secretFiles struct {
	files []*secretFile
	log   *slog.Logger
}

// load reads every file for the first time; one that cannot be used is an error.
func (s secretFiles) load() error {
	for _, f := range s.files {
		attrs, _, err := f.read(true)
		if err != nil {
			return err
		}
		s.log.Info(f.what+" loaded", append(attrs, "file", filepath.Base(f.paths[0]))...)
	}
	return nil
}

// refresh reads the files again; where always is not set, those that have changed.
func (s secretFiles) refresh(always bool) {
	for _, f := range s.files {
		attrs, changed, err := f.read(always)
		switch {
		case err != nil:
			s.log.Error(f.what+" not changed: the earlier ones stay in force", "error", err)
		case changed:
			s.log.Info(f.what+" loaded", append(attrs, "file", filepath.Base(f.paths[0]))...)
		}
	}
}

// stillness is how long the files must be left alone before they are read: a pair is written one by one.
const stillness = 150 * time.Millisecond

// watch reads files again when they change, until ctx ends. Whole folders are watched, so that files that are
// replaced, also by links that are turned elsewhere, are seen.
func (s secretFiles) watch(ctx context.Context) error {
	if len(s.files) == 0 {
		return nil
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer w.Close()
	if err := s.addFolders(w); err != nil {
		return err
	}
	timer := time.NewTimer(0) // what changed before the watch began
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case e := <-w.Events:
			if e.Op != fsnotify.Chmod {
				timer.Reset(stillness)
			}
		case <-w.Errors: // events were lost: anything may have changed
			timer.Reset(stillness)
		case <-timer.C:
			_ = s.addFolders(w) // where links lead now
			s.refresh(false)
		}
	}
}

func (s secretFiles) addFolders(w *fsnotify.Watcher) error {
	for _, f := range s.files {
		for _, path := range f.paths {
			if err := w.Add(filepath.Dir(path)); err != nil {
				return err
			}
			if leads, err := filepath.EvalSymlinks(path); err == nil {
				_ = w.Add(filepath.Dir(leads))
			}
		}
	}
	return nil
}

// tokensOf returns the file of a table of tokens, for the namespaces that use it.
func tokensOf(path string, namespaces []string, gate *identity.Gate) *secretFile {
	return &secretFile{what: "tokens", paths: []string{path}, apply: func(texts [][]byte) ([]any, error) {
		tokens, problems := readTokens(path, texts[0], namespaces)
		if problems != nil {
			return nil, problems
		}
		gate.SetTokens(path, tokens)
		return []any{"tokens", len(tokens)}, nil
	}}
}

// certificateOf returns the files of a certificate, which current holds once they are read.
func certificateOf(c TLSConfig, current *atomic.Pointer[tls.Certificate]) *secretFile {
	return &secretFile{what: "certificate", paths: []string{c.Cert, c.Key}, apply: func(texts [][]byte) ([]any, error) {
		pair, err := tls.X509KeyPair(texts[0], texts[1])
		if err != nil {
			return nil, err
		}
		current.Store(&pair)
		return []any{"subject", pair.Leaf.Subject.String(), "until", pair.Leaf.NotAfter}, nil
	}}
}
