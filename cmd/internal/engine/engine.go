package engine

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Module is the module of which the engine is built.
const Module = "github.com/lockstorm/lockstorm"

// A Source is what an engine is built of: a folder that has the module, or else a version of it.
type Source struct {
	Dir      string // a clone
	Version  string // of the module, such as v0.1.0, if there is no Dir
	Named    string // the version of Lockstorm, as the engine tells it
	Revision string // the commit, as the engine tells it; empty if nobody knows
}

// An Engine is what a page loads.
type Engine struct {
	Wasm    []byte // compressed by gzip
	Size    int    // of Wasm, before it was compressed
	Support []byte // wasm_exec.js of the Go that built it
}

// Build builds the engine.
func Build(s Source) (*Engine, error) {
	dir, err := os.MkdirTemp("", "lockstorm-engine-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	raw, err := s.compile(dir)
	if err != nil {
		return nil, fmt.Errorf("the engine can't be built: %w", err)
	}
	root, err := output("", "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	support, err := os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, fmt.Errorf("this Go has no support for WebAssembly in a page: %w", err)
	}
	return &Engine{Wasm: compressed(raw), Size: len(raw), Support: support}, nil
}

// compile returns the engine as go build makes it.
func (s Source) compile(dir string) ([]byte, error) {
	root, err := output("", "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	list, err := overlay(root, dir)
	if err != nil {
		return nil, err
	}
	in, flags := s.Dir, []string{}
	if in == "" {
		if in, err = s.within(dir); err != nil {
			return nil, err
		}
		flags = append(flags, "-mod=mod")
	}
	file := filepath.Join(dir, "engine.wasm")
	flags = append(flags, "-trimpath", "-buildvcs=false", "-overlay", list, "-o", file,
		"-ldflags", fmt.Sprintf("-s -w -buildid= -X main.version=%s -X main.revision=%s", s.Named, s.Revision))
	if _, err := output(in, "go", append(append([]string{"build"}, flags...), Module+"/cmd/lockstorm-play")...); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

// within makes a module that requires the version, and returns its folder.
func (s Source) within(dir string) (string, error) {
	if s.Version == "" {
		return "", errors.New("there is neither a clone nor a version of " + Module + " to build it of")
	}
	text := "module engine\n\ngo 1.26\n\nrequire " + Module + " " + s.Version + "\n"
	return dir, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644)
}

// output returns what a command prints. Its error has what it says of what is wrong.
func output(dir, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off", "GOWASM=")
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, args[0], err, strings.TrimSpace(errs.String()))
	}
	return strings.TrimSpace(string(out)), nil
}

// compressed returns a file compressed, always to the same bytes.
func compressed(raw []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(raw)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic("engine: " + err.Error()) // a buffer takes everything
	}
	return b.Bytes()
}
