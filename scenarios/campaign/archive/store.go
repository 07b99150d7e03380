package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// The files of an archive, besides its blocks.
const (
	ManifestFile = "manifest.json"
	scenarioFile = "scenario.yaml"
	StudyFile    = "study.yaml" // only of an archive whose rows are of a study
)

// A Disk is what an archive needs of a file system in order to write. Tests have one that is full.
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

// ownMost is more than any block unpacks to.
const ownMost = 1 << 30

// packedAt is the level at which blocks are compressed. Rows are 6% to 8% larger than at the best level, in a third of the time.
const packedAt = 3

// ErrExists is that a directory has an archive already, which is not to be resumed.
var ErrExists = errors.New("it has an archive already")

// ErrNone is that a directory has no archive.
var ErrNone = errors.New("it is not an archive")

// prepare begins the archive, or continues what is in the directory. It rejects the manifest of other work and, without
// a manifest, blocks of other work.
func (a *Archive) prepare(resume bool) error {
	text, err := readManifest(a.Dir)
	switch {
	case errors.Is(err, ErrNone):
		blocks := names(a.Dir, blockPattern)
		if len(blocks) > 0 && !resume {
			return fmt.Errorf("%s: %w, without its %s", a.Dir, ErrExists, ManifestFile)
		}
		if len(blocks) > 0 {
			if err := a.belongs(blocks[0]); err != nil {
				return err
			}
		}
		err = a.create()
	case err != nil:
	case !resume:
		err = fmt.Errorf("%s: %w", a.Dir, ErrExists)
	default:
		err = a.matches(text)
	}
	if err != nil {
		return err
	}
	return a.removeUnfinished()
}

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

// create begins an archive in a directory that has none. The manifest is written last: if it is there, all is there.
func (a *Archive) create() error {
	if err := os.MkdirAll(a.Dir, 0o755); err != nil {
		return err
	}
	if err := a.put(scenarioFile, a.scenario); err != nil {
		return err
	}
	return a.put(ManifestFile, a.manifest)
}

// unfinished begins the names of files that are being written.
const unfinished = ".writing-"

// put writes a file whole or not at all.
func (a *Archive) put(name string, content []byte) error {
	temporary := filepath.Join(a.Dir, unfinished+name)
	err := a.fill(temporary, content)
	if err == nil {
		err = a.disk.Rename(temporary, filepath.Join(a.Dir, name))
	}
	if err != nil {
		os.Remove(temporary) // if this fails, removeUnfinished does it later
	}
	return err
}

func (a *Archive) fill(name string, content []byte) error {
	f, err := a.disk.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// removeUnfinished removes the files that a killed process left unfinished.
func (a *Archive) removeUnfinished() error {
	entries, err := os.ReadDir(a.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), unfinished) {
			err = errors.Join(err, os.Remove(filepath.Join(a.Dir, e.Name())))
		}
	}
	return err
}

// syncNames syncs the directory, so that the names of the files survive a power failure. Not every file system can.
func (a *Archive) syncNames() {
	if f, err := os.Open(a.Dir); err == nil {
		f.Sync() //nolint:errcheck // not every file system can
		f.Close()
	}
}

// pack appends the packed text to dst. The gzip header has no name and no time, so the same build packs a text into the
// same bytes.
func (a *Archive) pack(dst, text []byte) []byte {
	b := bytes.NewBuffer(dst)
	a.packer.Reset(b)
	_, err := a.packer.Write(text)
	if err = errors.Join(err, a.packer.Close()); err != nil {
		panic("archive: " + err.Error()) // a buffer takes everything
	}
	return b.Bytes()
}

// unzip appends the text of a block to dst.
func (a *Archive) unzip(dst, packed []byte) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	err := a.opener.Reset(bytes.NewReader(packed))
	if err == nil {
		_, err = b.ReadFrom(io.LimitReader(&a.opener, a.most+1))
	}
	switch {
	case err != nil:
		err = fmt.Errorf("it can't be decompressed: %w", err)
	case int64(b.Len()-len(dst)) > a.most:
		err = fmt.Errorf("it can't be decompressed: it has more than the limit of %d bytes", a.most)
	}
	return b.Bytes(), err
}
