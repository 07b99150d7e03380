package archive

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/lockstorm/lockstorm/scenarios"
)

// A Store is a directory with the results of work so far. They follow from a manifest: every process that does a part
// of the work writes the same files, byte for byte. They are the manifest, the scenario, and a packed file for each
// part. Each is written whole or not at all, by one process or by several. A Store is for one goroutine at a time.
type Store struct {
	Dir string

	head     *Head
	manifest []byte // its file
	hash     string // of that
	scenario []byte // its file
	disk     Disk
	writer   string // begins the names of what this process is writing
	packer   *gzip.Writer
	opener   gzip.Reader
	most     int64 // bytes that a part may unpack to
}

// The files of a Store, besides its parts.
const (
	ManifestFile = "manifest.json"
	ScenarioFile = "scenario.yaml"
	StudyFile    = "study.yaml" // only of an archive whose rows are of a study
)

// A Disk is what a Store needs of a file system in order to write. Tests have one that is full.
type Disk interface {
	Create(name string) (File, error) // empties it if it is there
	Rename(old, name string) error
}

// A File is being written.
type File interface {
	io.WriteCloser
	Sync() error
}

// realDisk is the file system of the machine.
type realDisk struct{}

func (realDisk) Create(name string) (File, error) { return os.Create(name) }
func (realDisk) Rename(src, name string) error    { return os.Rename(src, name) }

// NewStore returns the store of a manifest and its scenario, for the process that makes a shard. The directory doesn't
// have to exist yet. A nil Disk is the real one.
func NewStore(dir string, m Described, s *scenarios.Scenario, shard Shard, d Disk) *Store {
	if d == nil {
		d = realDisk{}
	}
	packer, err := gzip.NewWriterLevel(nil, packedAt)
	if err != nil {
		panic("archive: " + err.Error()) // there is such a level
	}
	return &Store{
		Dir: dir, head: m.Common(), manifest: m.JSON(), hash: hashOf(m.JSON()), scenario: s.YAML(),
		disk: d, writer: shard.prefix(), packer: packer, most: ownMost,
	}
}

// ownMost is more than any part unpacks to.
const ownMost = 1 << 30

// packedAt is the level at which parts are compressed. Rows are 6% to 8% larger than at the best level, in a third of the time.
const packedAt = 3

// ManifestHash returns the SHA-256 of the manifest's file: each part names it, so that one of other work is rejected.
func (s *Store) ManifestHash() string { return s.hash }

// ErrExists is that a directory has a store already, which is not to be resumed.
var ErrExists = errors.New("it has an archive already")

// ErrNone is that a directory has no store.
var ErrNone = errors.New("it is not an archive")

// Prepare begins the store, or continues what is in the directory. The function matches rejects the manifest of other
// work. Parts are files whose names match a pattern. Without a manifest, belongs rejects parts of other work.
func (s *Store) Prepare(resume bool, pattern string, matches func(manifest []byte) error, belongs func(part string) error) error {
	text, err := ReadManifest(s.Dir)
	switch {
	case errors.Is(err, ErrNone):
		parts := s.Parts(pattern)
		if len(parts) > 0 && !resume {
			return fmt.Errorf("%s: %w, without its %s", s.Dir, ErrExists, ManifestFile)
		}
		if len(parts) > 0 && belongs != nil {
			if err := belongs(parts[0]); err != nil {
				return err
			}
		}
		err = s.create()
	case err != nil:
	case !resume:
		err = fmt.Errorf("%s: %w", s.Dir, ErrExists)
	default:
		err = matches(text)
	}
	if err != nil {
		return err
	}
	return s.removeUnfinished()
}

// Parts lists the files whose names match a pattern, in order.
func (s *Store) Parts(pattern string) []string { return names(s.Dir, pattern) }

// names lists the files of a directory whose names match a pattern, in order.
func names(dir, pattern string) (names []string) {
	entries, _ := os.ReadDir(dir) // a missing directory has none, and work can't continue on an unreadable one
	for _, e := range entries {
		if is, _ := path.Match(pattern, e.Name()); is {
			names = append(names, e.Name())
		}
	}
	return names
}

// create begins a store in a directory that has none. The manifest is written last: if it is there, all is there.
func (s *Store) create() error {
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return err
	}
	if err := s.put(ScenarioFile, s.scenario); err != nil {
		return err
	}
	return s.put(ManifestFile, s.manifest)
}

// unfinished begins the names of files that are being written. Between it and the name of the file is the name of the
// writer, so that processes can share a directory.
const unfinished = ".writing-"

// put writes a file whole or not at all.
func (s *Store) put(name string, content []byte) error {
	temporary := filepath.Join(s.Dir, unfinished+s.writer+name)
	err := s.fill(temporary, content)
	if err == nil {
		err = s.disk.Rename(temporary, filepath.Join(s.Dir, name))
	}
	if err != nil {
		os.Remove(temporary) // if this fails, removeUnfinished does it later
	}
	return err
}

func (s *Store) fill(name string, content []byte) error {
	f, err := s.disk.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// removeUnfinished removes the files that a killed process left unfinished. It leaves the files of other writers.
func (s *Store) removeUnfinished() error {
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), unfinished+s.writer) {
			err = errors.Join(err, os.Remove(filepath.Join(s.Dir, e.Name())))
		}
	}
	return err
}

// SyncNames syncs the directory, so that the names of the files survive a power failure. Not every file system can.
func (s *Store) SyncNames() {
	if f, err := os.Open(s.Dir); err == nil {
		f.Sync() //nolint:errcheck // not every file system can
		f.Close()
	}
}

// has reports whether a part is there.
func (s *Store) has(name string) error {
	_, err := os.Lstat(filepath.Join(s.Dir, name))
	return err
}

// PutPart packs the text of a part, and writes its file.
func (s *Store) PutPart(name string, text []byte) error { return s.put(name, s.pack(nil, text)) }

// pack appends the packed text to dst. The gzip header has no name and no time, so the same build packs a text into the same
// bytes.
func (s *Store) pack(dst, text []byte) []byte {
	b := bytes.NewBuffer(dst)
	s.packer.Reset(b)
	_, err := s.packer.Write(text)
	if err = errors.Join(err, s.packer.Close()); err != nil {
		panic("archive: " + err.Error()) // a buffer takes everything
	}
	return b.Bytes()
}

// Unpack appends the text of a part to dst.
func (s *Store) Unpack(dst, packed []byte) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	err := s.opener.Reset(bytes.NewReader(packed))
	if err == nil {
		_, err = b.ReadFrom(io.LimitReader(&s.opener, s.most+1))
	}
	switch {
	case err != nil:
		err = fmt.Errorf("it can't be decompressed: %w", err)
	case int64(b.Len()-len(dst)) > s.most:
		err = fmt.Errorf("it can't be decompressed: it has more than the limit of %d bytes", s.most)
	}
	return b.Bytes(), err
}

// ReadSame returns the text of a part, which must be the same in each of some directories that has it, and the first of
// these; or fs.ErrNotExist. It calls read to check and unpack the file of each directory.
func ReadSame(
	dirs []string, name string, read func(dir string, packed []byte) (text []byte, err error),
) (first []byte, dir string, err error) {
	for _, d := range dirs {
		packed, err := os.ReadFile(filepath.Join(d, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var text []byte
		if err == nil {
			text, err = read(d, packed)
		}
		switch {
		case err != nil:
			return nil, "", err
		case first == nil:
			first, dir = bytes.Clone(text), d
		case !bytes.Equal(first, text):
			return nil, "", &unequal{name, d, dir}
		}
	}
	if first == nil {
		return nil, "", fs.ErrNotExist
	}
	return first, dir, nil
}

// An unequal is that the same part is not the same in two directories.
type unequal struct{ Name, Dir, Other string }

// Error returns both places.
func (u *unequal) Error() string {
	return fmt.Sprintf("%s differs from the one in %s", filepath.Join(u.Dir, u.Name), u.Other)
}

// CopyPart copies a part from another directory, unless it is here already. It packs the text again, so a merged store has
// the bytes of one that this build makes alone, whatever packed the part.
func (s *Store) CopyPart(name, dir string) error {
	if dir == s.Dir || s.has(name) == nil {
		return nil
	}
	packed, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	text, err := s.Unpack(nil, packed)
	if err != nil {
		return err
	}
	return s.PutPart(name, text)
}
