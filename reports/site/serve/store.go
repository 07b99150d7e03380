package serve

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Bounds of what is read. The page names what lies beyond them, without reading it.
const (
	fileBytesMax = 16 << 20  // of a file that is shown as part of a page
	pageBytesMax = 256 << 20 // of everything that is read for one page
	entriesMax   = 100_000   // in one directory
	entryBytes   = 64        // what an entry of a directory counts for
	runsMax      = 2000      // in the list
)

// A Store is a directory in which runs and campaigns are kept, opened for reading.
type Store struct {
	name string
	root *os.Root
}

// Open opens a directory as a Store.
func Open(dir string) (*Store, error) {
	about, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no store %s; lockstorm run creates one, or name another directory", dir)
	case err != nil:
		return nil, fmt.Errorf("the store %s can't be read: %w", dir, reason(err))
	case !about.IsDir():
		return nil, fmt.Errorf("%s is not a directory; name a store that lockstorm run created", dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("the store %s can't be read: %w", dir, reason(err))
	}
	return &Store{dir, root}, nil
}

// Close ends the reading.
func (s *Store) Close() error { return s.root.Close() }

// reason leaves out the system call and its path, which the caller knows.
func reason(err error) error {
	if at, is := errors.AsType[*fs.PathError](err); is {
		return at.Err
	}
	return err
}

// isPlace reports whether a name can lead to something in the store: words between slashes, without a way out. A word
// that begins with a dot is hidden, or being written. Any other word is allowed, even one that is no text.
func isPlace(place string) bool {
	if place == "." {
		return true
	}
	for word := range strings.SplitSeq(place, "/") {
		if word == "" || strings.HasPrefix(word, ".") {
			return false
		}
	}
	return filepath.IsLocal(filepath.FromSlash(place))
}

var (
	errNoPlace  = errors.New("it is outside the store, or hidden")
	errNoFile   = errors.New("it is not a regular file")
	errTooLarge = errors.New("the store is too large to be listed; serve a directory in it")
)

// open opens a file or a directory; a pipe does not make it wait.
func (s *Store) open(name string) (*os.File, fs.FileInfo, error) {
	if !isPlace(name) {
		return nil, nil, errNoPlace
	}
	f, err := s.root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, reason(err)
	}
	about, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, nil, reason(err)
	}
	return f, about, nil
}

// file opens a regular file.
func (s *Store) file(name string) (*os.File, fs.FileInfo, error) {
	f, about, err := s.open(name)
	if err == nil && !about.Mode().IsRegular() {
		_ = f.Close()
		return nil, nil, errNoFile
	}
	return f, about, err
}

// A page reads the store for one page, as an fs.FS, until it has read enough.
type page struct {
	*Store
	left int64 // bytes
}

func (s *Store) page() *page { return &page{s, pageBytesMax} }

// Open opens a regular file or a directory.
func (p *page) Open(name string) (fs.File, error) {
	f, _, err := p.open(name)
	return f, err
}

// Stat returns what the system knows of a file or a directory.
func (p *page) Stat(name string) (fs.FileInfo, error) {
	if !isPlace(name) {
		return nil, errNoPlace
	}
	return p.root.Stat(filepath.FromSlash(name))
}

// ReadFile returns the content of a regular file that is not too large.
func (p *page) ReadFile(name string) ([]byte, error) {
	f, about, err := p.file(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var b bytes.Buffer
	b.Grow(int(min(about.Size(), fileBytesMax)) + bytes.MinRead)
	_, err = b.ReadFrom(io.LimitReader(f, fileBytesMax+1))
	p.left -= int64(b.Len())
	switch {
	case err != nil:
		return nil, reason(err)
	case b.Len() > fileBytesMax:
		return nil, fmt.Errorf("it has more than %d kB", fileBytesMax/1000)
	case p.left < 0:
		return nil, errTooLarge
	}
	return b.Bytes(), nil
}

// ReadDir returns the entries of a directory, sorted by name.
func (p *page) ReadDir(name string) ([]fs.DirEntry, error) {
	f, _, err := p.open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	all, err := f.ReadDir(entriesMax)
	if errors.Is(err, io.EOF) { // it is empty
		err = nil
	}
	if p.left -= int64(len(all)+1) * entryBytes; p.left < 0 || len(all) == entriesMax {
		err = errTooLarge
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return all, err
}
