package store

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
)

// WriteAll writes files into a directory, and makes it if needed. It writes each file as a whole or not at all, and
// replaces only files.
func WriteAll(dir string, files []reports.File) error {
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if i, err := os.Lstat(name); err == nil && !i.Mode().IsRegular() {
			return fmt.Errorf("%s exists and is not a file", name)
		}
	}
	for _, f := range files {
		if err := Write(filepath.Join(dir, filepath.FromSlash(f.Name)), f.Content); err != nil {
			return err
		}
	}
	return nil
}

// Replace writes a file whole or not at all: it writes it under another name first.
func Replace(name string, content []byte) error {
	t, err := os.CreateTemp(filepath.Dir(name), ".writing-")
	if err != nil {
		return err
	}
	defer os.Remove(t.Name()) // it is gone already if all went well
	_, err = t.Write(content)
	if err = cmp.Or(err, t.Close()); err == nil {
		err = os.Chmod(t.Name(), 0o644) // CreateTemp lets no other user in
	}
	if err != nil {
		return err
	}
	return os.Rename(t.Name(), name)
}

// ProbeFile returns an error if no file can be made in the directory of a file.
func ProbeFile(name string) error {
	t, err := os.CreateTemp(filepath.Dir(name), ".writing-")
	if err != nil {
		return err
	}
	return errors.Join(t.Close(), os.Remove(t.Name()))
}

// Write is Replace in a directory that is made if need be.
func Write(file string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return Replace(file, text)
}

// WriteLeast writes a smallest scenario in brief, and returns its file's name and the command that runs it.
func WriteLeast(file string, s *scenarios.Scenario, seed uint64) (named, command string, err error) {
	r := cli.Request{Named: filepath.ToSlash(file)}
	return r.Named, r.Command(seed), Write(file, s.Brief())
}
