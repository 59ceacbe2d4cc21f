package catalog

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io/fs"
	"path"
	"runtime"
	"strings"
	"sync"
)

// sourceFile is the bytes of one file of a namespace.
type sourceFile struct {
	path string
	data []byte // nil where the generation before has decoded the same bytes
	sum  [32]byte
}

// readFiles returns the model files and dictionaries of a folder, in the order of their paths. Hidden files and
// folders are passed over. The generation before may be nil.
func readFiles(dir fs.FS, before *Generation) ([]sourceFile, []Problem) {
	var files []sourceFile
	var read bytes.Buffer
	known := decodedBy(before)
	var problems []Problem
	refuse := func(name string, err error) {
		p := Problem{File: name, Message: "cannot be read: " + reasonOf(err)}
		if name == "." {
			p = Problem{Message: "the folder of model files " + p.Message}
		}
		problems = append(problems, p)
	}
	err := fs.WalkDir(dir, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			refuse(name, err)
			return nil
		case name != "." && strings.HasPrefix(path.Base(name), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir() || !isModelFile(name):
			return nil
		}
		read.Reset()
		if err := readInto(&read, dir, name); err != nil {
			refuse(name, err)
			return nil
		}
		file := sourceFile{path: name, sum: sha256.Sum256(read.Bytes())}
		if d := known[name]; d == nil || d.sum != file.sum {
			file.data = bytes.Clone(read.Bytes())
		}
		files = append(files, file)
		return nil
	})
	if err != nil {
		refuse(".", err)
	}
	return files, problems
}

func readInto(b *bytes.Buffer, dir fs.FS, name string) (err error) {
	f, err := dir.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = b.ReadFrom(f)
	return err
}

// decodedBy returns the files of a generation by their paths.
func decodedBy(g *Generation) map[string]*decoded {
	known := map[string]*decoded{}
	if g != nil {
		for _, d := range g.decoded {
			known[d.path] = d
		}
	}
	return known
}

// reasonOf returns why a file cannot be read, without the path that the operating system repeats.
func reasonOf(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// digest tells two states of a folder apart.
func digest(files []sourceFile) [32]byte {
	h := sha256.New()
	for _, f := range files {
		h.Write([]byte(f.path))
		h.Write([]byte{0})
		h.Write(f.sum[:])
	}
	return [32]byte(h.Sum(nil))
}

// decodeAll decodes every file, on all cores, and takes over what previous already has of the same bytes.
func decodeAll(files []sourceFile, previous *Generation) []*decoded {
	known := decodedBy(previous)
	out := make([]*decoded, len(files))
	next := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				out[i] = decode(files[i])
			}
		})
	}
	for i, f := range files {
		if d := known[f.path]; d != nil && d.sum == f.sum {
			out[i] = d
			continue
		}
		next <- i
	}
	close(next)
	workers.Wait()
	return out
}
