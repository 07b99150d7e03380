package archive

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// A Folder is a directory to which files are written whole or not at all, by one process or by several.
type Folder struct {
	Dir    string
	disk   Disk
	writer string // begins the names of what this process is writing
}

// NewFolder returns the folder of a directory for the process that makes a shard. A nil Disk is the real one.
func NewFolder(dir string, s Shard, d Disk) Folder {
	if d == nil {
		d = disk{}
	}
	return Folder{dir, d, s.prefix()}
}

// unfinished begins the names of files that are being written. Between it and the name of the file is the name of the
// writer, so that processes can share a directory.
const unfinished = ".writing-"

// Put writes a file whole or not at all.
func (d *Folder) Put(name string, content []byte) error {
	temporary := filepath.Join(d.Dir, unfinished+d.writer+name)
	err := d.fill(temporary, content)
	if err == nil {
		err = d.disk.Rename(temporary, filepath.Join(d.Dir, name))
	}
	if err != nil {
		os.Remove(temporary) // if this fails, RemoveUnfinished does it later
	}
	return err
}

func (d *Folder) fill(name string, content []byte) error {
	f, err := d.disk.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// RemoveUnfinished removes the files that a killed process had not finished. It leaves those of other writers.
func (d *Folder) RemoveUnfinished() error {
	entries, err := os.ReadDir(d.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), unfinished+d.writer) {
			err = errors.Join(err, os.Remove(filepath.Join(d.Dir, e.Name())))
		}
	}
	return err
}

// SyncNames syncs the directory, so that the names of the files survive a power failure. Not every file system can.
func (d *Folder) SyncNames() {
	if f, err := os.Open(d.Dir); err == nil {
		f.Sync() //nolint:errcheck // not every file system can
		f.Close()
	}
}
