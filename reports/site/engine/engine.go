package engine

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// A Source is the input of an engine's build: a clone, with the root module and the module of the site.
type Source struct {
	Dir   string
	Named string // the version of Lockstorm, as the engine reports it
}

// least is the first Go that builds the engine.
const least = "1.26"

// An Engine is the program that a page loads.
type Engine struct {
	Wasm    []byte // compressed by gzip
	Size    int    // of Wasm, before it was compressed
	Support []byte // wasm_exec.js of the Go that built it
}

// Build builds the engine.
func Build(s Source) (*Engine, error) {
	dir, err := os.MkdirTemp("", "lockstorm-engine-")
	if err != nil {
		return nil, fmt.Errorf("the engine can't be built: %w; name a directory that can be written in TMPDIR", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	e, err := s.make(dir)
	if err != nil {
		return nil, fmt.Errorf("the engine can't be built: %w", err)
	}
	return e, nil
}

// make builds the engine in a folder.
func (s Source) make(dir string) (*Engine, error) {
	if err := s.module(dir); err != nil {
		return nil, err
	}
	t, err := toolsFor(dir)
	if err != nil {
		return nil, err
	}
	raw, err := s.compile(t, dir)
	if err != nil {
		return nil, fmt.Errorf("%w\nIt takes Go %s, modules of GOMODCACHE or GOPROXY, and room in GOCACHE, GOMODCACHE and TMPDIR",
			err, least)
	}
	support, err := os.ReadFile(filepath.Join(t.root, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, fmt.Errorf("this Go has no support for WebAssembly in a page: %w", err)
	}
	return &Engine{Wasm: compressed(raw), Size: len(raw), Support: support}, nil
}

// tools are the Go that builds a module.
type tools struct {
	root        string   // where it is
	environment []string // how it is called
}

// toolsFor returns the Go that builds the module in a folder. If the module asks for a later Go than the one on the
// PATH, Go takes that from GOPROXY, into the cache of modules. There an overlay must not replace files, so it is
// called by a link.
func toolsFor(dir string) (tools, error) {
	text, err := output(dir, nil, "go", "env", "GOROOT", "GOMODCACHE")
	if errors.Is(err, exec.ErrNotFound) {
		return tools{}, errors.New("there is no Go on the PATH to build it: install Go " + least + " or later")
	}
	root, cache, _ := strings.Cut(text, "\n")
	if err == nil && cache == "" {
		err = errors.New("there is nowhere for Go to keep modules: set HOME, or GOPATH and GOCACHE")
	}
	if err != nil {
		return tools{}, err
	}
	if below, err := filepath.Rel(cache, root); err == nil && filepath.IsLocal(below) {
		link := filepath.Join(dir, "goroot")
		if err := os.Symlink(root, link); err != nil {
			return tools{}, fmt.Errorf("%w; install Go %s or later, in place of the one that Go keeps in %s", err, least, cache)
		}
		root = link
	}
	return tools{root, []string{"GOROOT=" + root, "GOTOOLCHAIN=local"}}, nil
}

// compile returns the engine as go build makes it.
func (s Source) compile(t tools, dir string) ([]byte, error) {
	list, err := overlay(t.root, dir)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "engine.wasm")
	if _, err := output(dir, t.environment, filepath.Join(t.root, "bin", "go"), "build", "-trimpath", "-buildvcs=false",
		"-overlay", list, "-o", file,
		"-ldflags", fmt.Sprintf("-s -w -buildid= -X 'main.version=%s'", s.Named),
		siteModule+"/engine/wasm"); err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(file)
	if err == nil && !whole(raw) {
		err = fmt.Errorf("go build left a part of it, %d bytes: is the disk of %s full?", len(raw), dir)
	}
	return raw, err
}

// whole reports whether a file is WebAssembly up to its end. On a full disk Go's linker writes what there is room for,
// and reports no error. A file consists of sections, which begin with their kind and their length.
func whole(wasm []byte) bool {
	const data = 11 // the section that comes last of those that a program needs
	rest, is := bytes.CutPrefix(wasm, []byte("\x00asm\x01\x00\x00\x00"))
	last := byte(0)
	for len(rest) > 0 && is {
		last = max(last, rest[0])
		size, n := binary.Uvarint(rest[1:])
		if is = n > 0 && size < uint64(len(rest)-n); is {
			rest = rest[1+n+int(size):]
		}
	}
	return is && last >= data
}

// module writes a module in which the engine is built, below a folder: one that requires the sources, and has a smaller
// protobuf. Folders in it are named from there, so that the engine, which knows its modules, is the same wherever that is.
func (s Source) module(dir string) error {
	if err := writeProtobuf(dir); err != nil {
		return err
	}
	text, err := s.clone(dir)
	if err != nil {
		return err
	}
	text += "\nreplace google.golang.org/protobuf => ./protobuf\n"
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644)
}

// The modules that make up the engine.
const (
	rootModule = "github.com/lockstorm/lockstorm"
	siteModule = rootModule + "/reports/site"
)

// clone puts the clone into the folder, as a link, with the checksums of its requirements. It returns a module file
// that requires the clone and everything that the module of the site requires.
func (s Source) clone(dir string) (mod string, err error) {
	site := filepath.Join(s.Dir, "reports", "site")
	sums, err := os.ReadFile(filepath.Join(site, "go.sum"))
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644); err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(site, "go.mod"))
	if err != nil {
		return "", err
	}
	place := "./lockstorm"
	if os.Symlink(s.Dir, filepath.Join(dir, "lockstorm")) != nil { // some systems let only few make links
		place = filepath.ToSlash(s.Dir)
	}
	mod = strings.Replace(string(text), "module "+siteModule, "module engine", 1)
	mod = strings.Replace(mod, "=> ../..\n", "=> "+strconv.Quote(place)+"\n", 1)
	return mod + "\nrequire " + siteModule + " v0.0.0\n" +
		"\nreplace " + siteModule + " => " + strconv.Quote(place+"/reports/site") + "\n", nil
}

// output returns what a command prints. On failure, the error has the command's message.
func output(dir string, environment []string, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=-mod=mod", "GOWORK=off", "GOWASM=")
	c.Env = append(c.Env, environment...)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), args[0], err, strings.TrimSpace(errs.String()))
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
