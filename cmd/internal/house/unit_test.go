package house

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// A unit is one package as the checks see it.
type unit struct {
	path  string // within the module, as the house names it
	fset  *token.FileSet
	files []*file // without tests
	tests []*file
	info  types.Info
	pkg   *types.Package
	fails []error // what the parser and the type checker said
}

type file struct {
	name string // from the root of the module
	text []byte
	tree *ast.File
}

func (u *unit) room() room        { return house[u.path] }
func (u *unit) under(l laws) bool { return u.room().laws&l != 0 }

// fullName names what an identifier refers to, as in time.Now and (*sync.Map).Range.
func (u *unit) fullName(id *ast.Ident) string {
	switch obj := u.info.Uses[id].(type) {
	case *types.Func:
		return obj.FullName()
	case *types.Var:
		if obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
			return obj.Pkg().Path() + "." + obj.Name()
		}
	}
	return ""
}

// excused reports whether a comment that begins with word and has a reason is on the line of pos or right above it.
func (f *file) excused(fset *token.FileSet, pos token.Pos, word string) bool {
	line := fset.Position(pos).Line
	for _, group := range f.tree.Comments {
		from, to := fset.Position(group.Pos()), fset.Position(group.End())
		above := to.Line == line-1 && f.alone(from)
		if from.Line != line && !above {
			continue
		}
		for _, c := range group.List {
			reason, ok := strings.CutPrefix(c.Text, "// "+word)
			if ok && strings.TrimSpace(reason) != "" {
				return true
			}
		}
	}
	return false
}

// alone reports whether only space is before pos on its line.
func (f *file) alone(pos token.Position) bool {
	return len(bytes.TrimSpace(f.text[pos.Offset-pos.Column+1:pos.Offset])) == 0
}

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir, Export           string
	Standard                          bool
	Module                            *struct{ Main bool }
	GoFiles, CgoFiles, IgnoredGoFiles []string
	TestGoFiles, XTestGoFiles         []string
	Error                             *struct{ Err string }
}

// goList names the packages of the module after those they import, and with them the packages of the standard library
// that the proofs below import. Of net/http it learns only that it exists: no package here imports it, and it takes the
// compiler seconds.
var goList = sync.OnceValues(func() ([]listed, error) {
	all, err := listPackages("-export", "-deps", "./...", "context", "crypto/rand", "hash/maphash", "maps", "math/rand",
		"math/rand/v2", "net", "os", "os/exec", "os/signal", "reflect", "slices", "strconv", "sync", "syscall", "time")
	if err != nil {
		return nil, err
	}
	named, err := listPackages("-find", "net/http")
	return append(all, named...), err
})

// listPackages runs go list.
func listPackages(args ...string) ([]listed, error) {
	args = append([]string{"list", "-e",
		"-json=ImportPath,Dir,Export,Standard,Module,GoFiles,CgoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles,Error"}, args...)
	var stderr bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, &stderr)
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		all = append(all, l)
	}
}

// An exporter imports packages of other modules from the compiler's files, and packages of this module from what has
// been checked already.
type exporter struct {
	done  map[string]*types.Package
	files map[string]string
	known map[string]bool // which packages exist
	gc    types.Importer
}

func newExporter(fset *token.FileSet, all []listed) *exporter {
	e := &exporter{done: map[string]*types.Package{}, files: map[string]string{}, known: map[string]bool{}}
	for _, l := range all {
		e.known[l.ImportPath] = l.Error == nil
		e.files[l.ImportPath] = l.Export
	}
	e.gc = importer.ForCompiler(fset, "gc", func(name string) (io.ReadCloser, error) { return os.Open(e.files[name]) })
	return e
}

func (e *exporter) Import(name string) (*types.Package, error) {
	if p, ok := e.done[name]; ok {
		return p, nil
	}
	return e.gc.Import(name)
}

// load parses and type-checks every package of the module.
func load() ([]*unit, error) {
	all, err := goList()
	if err != nil {
		return nil, err
	}
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	imports := newExporter(fset, all)
	var units []*unit
	for _, l := range all {
		if l.Module == nil || !l.Module.Main {
			continue
		}
		u, err := loadUnit(fset, root, l)
		if err != nil {
			return nil, err
		}
		u.check(imports, l.ImportPath, len(l.GoFiles)+len(l.CgoFiles))
		if l.Error != nil && len(u.fails) == 0 {
			u.fails = append(u.fails, errors.New(l.Error.Err))
		}
		imports.done[l.ImportPath] = u.pkg
		units = append(units, u)
	}
	return units, nil
}

func loadUnit(fset *token.FileSet, root string, l listed) (*unit, error) {
	u := &unit{fset: fset, path: "."}
	if below, ok := strings.CutPrefix(l.ImportPath, modulePath+"/"); ok {
		u.path = below
	}
	dir, err := filepath.Rel(root, l.Dir)
	if err != nil {
		return nil, err
	}
	for _, base := range slices.Concat(l.GoFiles, l.CgoFiles, l.IgnoredGoFiles, l.TestGoFiles, l.XTestGoFiles) {
		name := filepath.ToSlash(filepath.Join(dir, base))
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		u.add(name, text)
	}
	return u, nil
}

// add parses a file. One that does not parse is kept out of the checks; the compiler reports it.
func (u *unit) add(name string, text []byte) {
	tree, err := parser.ParseFile(u.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		u.fails = append(u.fails, err)
		return
	}
	f := &file{name, text, tree}
	if strings.HasSuffix(name, "_test.go") {
		u.tests = append(u.tests, f)
	} else {
		u.files = append(u.files, f)
	}
}

// check finds the types of the first n files: those that this machine builds come before those for other machines.
func (u *unit) check(imports types.Importer, name string, n int) {
	u.info = types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	conf := types.Config{
		Importer: imports,
		Sizes:    types.SizesFor("gc", runtime.GOARCH),
		Error:    func(err error) { u.fails = append(u.fails, err) },
	}
	var trees []*ast.File
	for _, f := range u.files[:min(n, len(u.files))] {
		trees = append(trees, f.tree)
	}
	u.pkg, _ = conf.Check(name, u.fset, trees, &u.info) // its errors have been kept, one by one
}
