package archive

import (
	"io"
	"os"
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
