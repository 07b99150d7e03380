package serve

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/lockstorm/lockstorm/reports/site/internal/browse"
)

// Bounds of what is looked at. What is beyond them is named, not read.
const (
	resultBytesMax   = 4 << 20  // of a result.json, which has a few thousand
	pageBytesMax     = 16 << 20 // of a page that a timeline is cut out of
	blockBytesMax    = 16 << 20 // of a block of rows
	leastBytesMax    = 8 << 10  // of a least scenario, which has some hundred; there may be many to read for one page
	directoriesMax   = 200_000  // in the store
	entriesMax       = 100_000  // in one directory
	depthMax         = 12
	readAlwaysMax    = 2000    // runs in a list; of more, the page that is asked for is read
	rememberedMax    = 200_000 // runs
	cellsMax         = 10_000  // of a campaign that is counted
	countedRowsMax   = 20_000_000
	countedAtOnceMax = 200_000 // rows that the list counts; of larger campaigns their own page tells
)

// A Store is a directory in which runs and campaigns are kept, opened for reading.
type Store struct {
	name string
	root *os.Root

	one     sync.Mutex // one list is made at a time
	mu      sync.Mutex // guards what is below
	runs    map[string]remembered
	tallies map[string]browse.Campaign // by place; Lockstorm writes a block once
}

// What was read from a file is good as long as the file is the same.
type remembered struct {
	size  int64
	wrote time.Time
	run   browse.Run
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
	return &Store{name: dir, root: root, runs: map[string]remembered{}, tallies: map[string]browse.Campaign{}}, nil
}

// Name returns the name of the directory, as it was opened.
func (s *Store) Name() string { return s.name }

// Close ends the reading.
func (s *Store) Close() error { return s.root.Close() }

// reason leaves out what the system call was called, and on what: whoever asked knows that.
func reason(err error) error {
	if at, is := errors.AsType[*fs.PathError](err); is {
		return at.Err
	}
	return err
}

// isPlace reports whether a name can lead to something in the store: words between slashes, and none of them a way out.
// What begins with a dot is hidden, or being written. A word may be any other, even one that is no text.
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
	errNoPlace = errors.New("it is outside the store, or hidden")
	errNoFile  = errors.New("it is not a regular file")
)

// open opens a regular file.
func (s *Store) open(name string) (*os.File, fs.FileInfo, error) {
	if !isPlace(name) {
		return nil, nil, errNoPlace
	}
	f, err := s.root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe must not make us wait
	if err != nil {
		return nil, nil, reason(err)
	}
	about, err := f.Stat()
	if err == nil && !about.Mode().IsRegular() {
		err = errNoFile
	}
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return f, about, nil
}

// read returns all of a file, if that is not too much.
func (s *Store) read(name string, most int64) ([]byte, error) {
	f, about, err := s.open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return readAll(f, about.Size(), most)
}

// readAll reads a file of about this size.
func readAll(f io.Reader, size, most int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(min(size, most)) + bytes.MinRead)
	_, err := b.ReadFrom(io.LimitReader(f, most+1))
	if err == nil && int64(b.Len()) > most {
		err = fmt.Errorf("it has more than %d kB", most/1000)
	}
	if err != nil {
		return nil, reason(err)
	}
	return b.Bytes(), nil
}

// A survey is what a walk through the store came upon.
type survey struct {
	runs, campaigns []string
	cut             bool  // there is more, and it was not looked at
	wrong           error // why a directory could not be read, of the first
	left            int   // directories that may still be opened
}

// survey walks through the store. It follows no links.
func (s *Store) survey() survey {
	v := survey{left: directoriesMax}
	s.walk(&v, ".", 0)
	slices.Sort(v.campaigns) // the system gives a directory's names in any order; runs are sorted as the query says
	return v
}

func (s *Store) walk(v *survey, place string, depth int) {
	if v.left--; v.left < 0 || depth > depthMax {
		v.cut = true
		return
	}
	entries, cut, err := s.listed(place)
	v.cut = v.cut || cut
	if err != nil && v.wrong == nil {
		v.wrong = fmt.Errorf("the store %s can't be read: %s: %w", s.name, place, reason(err))
	}
	below, is := classify(entries)
	switch is {
	case aRun:
		v.runs = append(v.runs, place)
		return
	case aCampaign:
		v.campaigns = append(v.campaigns, place)
	}
	for _, name := range below {
		s.walk(v, path.Join(place, name), depth+1)
	}
}

// entries lists a directory. One that can't be read has none.
func (s *Store) entries(place string) (all []fs.DirEntry, cut bool) {
	all, cut, _ = s.listed(place) // what could be read is what there is
	return all, cut
}

func (s *Store) listed(place string) (all []fs.DirEntry, cut bool, err error) {
	f, err := s.root.OpenFile(filepath.FromSlash(place), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = f.Close() }()
	all, err = f.ReadDir(entriesMax)
	if errors.Is(err, io.EOF) { // it is empty
		err = nil
	}
	return all, len(all) == entriesMax, err
}

type kind int

const (
	aFolder kind = iota
	aRun
	aCampaign
)

// classify finds out what a directory is by what is in it, and which directories to look at below it.
func classify(entries []fs.DirEntry) (below []string, is kind) {
	var manifest, rows, found, left bool
	for _, e := range entries {
		name := e.Name()
		switch {
		case name == "result.json":
			return nil, aRun
		case strings.HasPrefix(name, "."):
		case e.IsDir() && name == "found":
			found = true
		case e.IsDir() && name != "figures" && name != "counterexamples":
			below = append(below, name)
		case name == "manifest.json":
			manifest = true
		case isBlock(name), name == "scenario.yaml":
			rows = true
		case name == "history.jsonl", name == "trace.jsonl":
			left = true
		}
	}
	switch {
	case manifest && rows, found:
		return below, aCampaign
	case left: // by a run of which the result is gone
		return nil, aRun
	}
	return below, aFolder
}
