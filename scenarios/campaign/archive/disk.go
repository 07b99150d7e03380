package archive

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A Disk is what an archive needs of a file system in order to write. Tests have one that is full.
type Disk interface {
	Create(name string) (File, error) // empties it if it is there
	Rename(from, to string) error
}

// A File is being written.
type File interface {
	io.WriteCloser
	Sync() error
}

// disk is the real one.
type disk struct{}

func (disk) Create(name string) (File, error) { return os.Create(name) }
func (disk) Rename(from, to string) error     { return os.Rename(from, to) }

// unfinished begins the names of files that are being written. Between it and the name of the file is the name of the
// writer, so that processes can share a directory.
const unfinished = ".writing-"

// put writes a file whole or not at all.
func (a *Archive) put(name string, content []byte) error {
	temporary := filepath.Join(a.Dir, unfinished+a.writer+name)
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

// removeUnfinished removes the files that a killed process had not finished. It leaves those of other writers.
func (a *Archive) removeUnfinished() error {
	entries, err := os.ReadDir(a.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), unfinished+a.writer) {
			err = errors.Join(err, os.Remove(filepath.Join(a.Dir, e.Name())))
		}
	}
	return err
}

// syncNames syncs the directory, so that the names of the files survive a power failure. Not every file system can.
func (a *Archive) syncNames() {
	if d, err := os.Open(a.Dir); err == nil {
		d.Sync() //nolint:errcheck // not every file system can
		d.Close()
	}
}
