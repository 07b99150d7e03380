package house

// Tidy is the house style as a test. It reads every package of the root module, and reports for each offence where it is and
// what to write instead. This file has the tables and the checks. unit_test.go reads the packages, and proof_test.go shows
// that each check can fail. Only names, length and format are checked in tests.

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A room is what one package of the house may import, and the laws it lives under.
type room struct {
	module []string // packages of this module, each named exactly
	others []string // packages of other modules, each with all below it
	laws   laws
}

// laws are the promises a package keeps so that a run is a pure function of scenario and seed.
type laws uint8

const (
	noAmbient  laws = 1 << iota // reads no wall clock, no global chance, no environment, no network
	noThreads                   // starts no goroutine and has no channel
	noMapOrder                  // ranges over no map where order can show
	noFloats                    // decides nothing with floats: they may differ between machines

	simulated  = noAmbient | noThreads | noMapOrder | noFloats
	sideBySide = simulated &^ noThreads // many runs in parallel, each of them single-threaded
	pure       = simulated &^ noFloats  // a picture has coordinates, and still the same bytes each time
	free       = laws(0)
)

// house lists, for every package of the module, what it may import. Imports of the standard library are free, except
// those in banned. Test files may import anything. "." is the root package.
var house = map[string]room{
	".":     {laws: simulated},
	"clock": {laws: simulated},

	"sim":              {laws: simulated, module: []string{"clock"}},
	"sim/simtest":      {laws: simulated &^ noAmbient, others: []string{"pgregory.net/rapid"}}, // tests alone import it; it reads the environment
	"sim/simtest/need": {laws: simulated &^ noAmbient},                                         // tests alone import it; it looks for programs
	"sim/redis": {laws: simulated, module: []string{"clock", "sim"},
		others: []string{"github.com/alicebob/miniredis/v2", "github.com/yuin/gopher-lua"}}, // and no other package imports them
	"sim/storage":   {laws: simulated, module: []string{"clock", "sim"}},
	"sim/sql":       {laws: simulated, module: []string{"clock", "sim", "sim/storage"}}, // it answers what storage answers
	"sim/consensus": {laws: simulated, module: []string{"clock", "sim"}, others: []string{"go.etcd.io/raft/v3"}},

	"faults":      {laws: simulated, module: []string{"clock", "sim"}},
	"faults/size": {laws: pure, module: []string{"clock", "faults"}}, // floats make a table of whole numbers before any run

	"checker": {laws: simulated, module: []string{"clock"}},
	"checker/blackbox": {laws: simulated, module: []string{"clock", "checker", "checker/codec"},
		others: []string{"github.com/anishathalye/porcupine"}},
	"checker/checkertest":          {laws: simulated, module: []string{"clock", "checker"}},
	"checker/recorder":             {laws: simulated &^ noAmbient, module: []string{"clock", "checker", "checker/codec"}}, // it records tests that run in real time
	"checker/codec":                {laws: simulated, module: []string{"clock", "checker", "checker/codec/internal/forms"}},
	"checker/codec/internal/forms": {laws: simulated},

	"scenarios/arithmetic": {laws: simulated, module: []string{"checker", "scenarios", "scenarios/locks"}, others: []string{"pgregory.net/rapid"}},
	"scenarios/locks":      {laws: simulated},
	"scenarios/sentence":   {laws: simulated},
	"scenarios/platform": {laws: simulated, module: []string{
		"clock", "sim", "sim/redis", "sim/sql", "sim/consensus", "checker", "scenarios/locks"}},
	"scenarios": {laws: simulated, module: []string{
		"clock", "sim", "sim/redis", "sim/sql", "sim/storage", "sim/consensus", "faults", "faults/size", "checker", "checker/blackbox",
		"checker/codec", "scenarios/internal/clocks", "scenarios/internal/yamlform", "scenarios/locks", "scenarios/sentence", "scenarios/platform"}},
	"scenarios/internal/clocks":   {laws: simulated},
	"scenarios/internal/stuck":    {laws: free}, // it watches goroutines and the processor's time
	"scenarios/internal/yamlform": {laws: simulated, module: []string{"faults"}, others: []string{"github.com/goccy/go-yaml"}},
	"scenarios/scenariostest": {laws: simulated, module: []string{"clock", "sim", "faults", "faults/faultstest", "checker", "scenarios"},
		others: []string{"pgregory.net/rapid"}}, // tests alone import it
	"scenarios/locktest": {laws: free, module: []string{ // tests of others call it, and it writes files for them
		"checker", "faults", "scenarios", "scenarios/arithmetic", "scenarios/locks", "scenarios/campaign", "scenarios/campaign/stats",
		"scenarios/internal/stuck", "reports", "reports/runs"},
		others: []string{"pgregory.net/rapid"}},
	"scenarios/campaign": {laws: sideBySide, module: []string{
		"clock", "sim", "sim/redis", "sim/storage", "sim/consensus", "faults", "checker", "checker/blackbox", "scenarios/locks", "scenarios", "scenarios/campaign/stats"}},

	"scenarios/campaign/study": {laws: simulated, module: []string{"checker", "faults", "scenarios", "scenarios/campaign",
		"scenarios/campaign/stats", "scenarios/internal/yamlform"}},
	"scenarios/campaign/stats": {laws: pure, module: []string{"checker"}, others: []string{"gonum.org/v1/gonum"}},

	"faults/faultstest":          {laws: simulated, module: []string{"faults"}, others: []string{"pgregory.net/rapid"}},
	"scenarios/campaign/archive": {laws: simulated, module: []string{"checker", "checker/blackbox", "faults", "scenarios", "scenarios/campaign"}},
	"scenarios/campaign/explore": {laws: simulated, module: []string{"checker", "clock", "faults", "sim", "scenarios", "scenarios/campaign", "scenarios/campaign/archive"}},
	"scenarios/campaign/table": {laws: simulated, module: []string{
		"checker", "faults", "scenarios", "scenarios/campaign", "scenarios/campaign/archive"}},

	"reports":                   {laws: pure, module: []string{"checker", "reports/internal/wording"}},
	"reports/internal/wording":  {laws: pure, module: []string{"checker", "clock"}},
	"reports/shell":             {laws: pure},
	"reports/stores":            {laws: pure, module: []string{"scenarios/campaign/archive", "reports", "reports/internal/wording", "reports/runs", "reports/suites"}},
	"reports/reportstest":       {laws: free, module: []string{"scenarios", "sim/simtest"}}, // tests alone import it
	"reports/internal/draw/svg": {laws: pure, module: []string{"reports/internal/wording"}},
	"reports/internal/draw": {laws: pure, module: []string{"checker", "clock", "faults", "scenarios", "reports", "reports/internal/wording",
		"reports/internal/draw/svg"}},
	"reports/histories": {laws: pure, module: []string{"checker", "checker/blackbox", "checker/codec", "scenarios", "reports", "reports/internal/wording",
		"scenarios/campaign", "reports/suites"}},
	"reports/runs": {laws: pure, module: []string{"checker", "checker/blackbox", "checker/codec", "clock", "sim", "sim/redis", "sim/storage",
		"scenarios", "scenarios/locks", "scenarios/campaign",
		"scenarios/campaign/study",
		"reports", "reports/internal/wording", "reports/internal/draw"}},
	"reports/campaigns": {laws: pure, module: []string{"checker", "checker/blackbox", "faults", "scenarios", "scenarios/campaign", "scenarios/campaign/explore",
		"scenarios/campaign/stats", "scenarios/campaign/study", "reports", "reports/internal/wording", "reports/internal/plot", "reports/runs"}},
	"reports/suites": {laws: pure, module: []string{"checker", "scenarios", "scenarios/campaign", "reports/campaigns", "reports", "reports/internal/wording"}},
	"reports/debate": {laws: pure, module: []string{"checker", "scenarios", "scenarios/sentence", "scenarios/campaign", "scenarios/campaign/stats",
		"scenarios/campaign/study", "reports", "reports/campaigns", "reports/internal/wording", "reports/runs", "reports/internal/draw", "reports/internal/plot"}},
	"reports/internal/plot": {laws: pure, module: []string{"reports/internal/draw/svg", "reports"}, others: []string{
		"gonum.org/v1/plot", "golang.org/x/image", "codeberg.org/go-pdf/fpdf"}}, // what gonum draws with

	"cmd/internal/cli": {laws: free, module: []string{"checker", "checker/codec", "faults", "scenarios", "scenarios/campaign", "reports", "reports/runs", "reports/shell"},
		others: []string{"github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/term"}},
	"cmd/internal/store": {laws: free, module: []string{
		"scenarios", "scenarios/campaign/archive", "reports", "reports/runs", "cmd/internal/cli"}},
	"cmd/internal/work": {laws: free, module: []string{
		"checker", "scenarios", "scenarios/campaign", "scenarios/campaign/archive", "reports", "reports/runs", "cmd/internal/cli"},
		others: []string{"github.com/spf13/cobra", "github.com/spf13/pflag"}},
	"cmd/internal/command": {laws: free, module: []string{
		"clock", "faults", "checker", "checker/blackbox", "checker/codec", "scenarios", "scenarios/arithmetic", "scenarios/campaign",
		"scenarios/campaign/archive", "scenarios/campaign/explore",
		"scenarios/campaign/stats", "scenarios/campaign/study", "scenarios/campaign/table",
		"reports", "reports/campaigns", "reports/debate", "reports/histories", "reports/runs", "reports/stores", "reports/suites",
		"cmd/internal/cli", "cmd/internal/store", "cmd/internal/work"},
		others: []string{"github.com/spf13/cobra"}},
	"cmd/internal/house": {laws: free}, // tests alone
	"cmd/lockstorm":      {laws: free, module: []string{"cmd/internal/command"}},
}

// folders are the top-level folders, all of them: exactly those that the project's card names. A new idea finds a room
// inside one of them. Packages that no one outside should import are below an internal of that room. Dot-folders and
// store, where runs are kept, are not part of the house.
var folders = []string{"sim", "clock", "faults", "checker", "scenarios", "cmd", "reports"}

// banned names what the laws forbid: imports by path, functions and variables by their full name.
var banned = []struct {
	law     laws
	names   []string
	instead string
}{
	{noAmbient, []string{"time.Now", "time.Since", "time.Until"},
		"ask a sim.Proc for the clock of its host, or the sim.World for true time"},
	{noAmbient, []string{"time.Sleep", "time.After", "time.Tick", "time.NewTimer", "time.NewTicker", "time.AfterFunc",
		"context.WithTimeout", "context.WithTimeoutCause", "context.WithDeadline", "context.WithDeadlineCause"},
		"let a sim.Proc sleep, or put an event on the sim.World"},
	{noAmbient, []string{"time.Local", "time.LoadLocation", "(time.Time).Local"},
		"use UTC: the time zone is the machine's"},
	{noAmbient, []string{"math/rand", "math/rand/v2", "crypto/rand", "hash/maphash"},
		"draw from a named sim.Chance"},
	{noAmbient, []string{"os.Getenv", "os.LookupEnv", "os.Environ", "os.ExpandEnv", "os.Hostname", "os.Getpid", "syscall.Getenv", "syscall.Environ"},
		"make it an option of the scenario, and let cmd read the environment"},
	{noAmbient, []string{"net", "net/http", "os/exec", "os/signal"},
		"model it as a sim.Service, or do it in cmd"},
	{noThreads, startingFuncs, threadsInstead},
	{noMapOrder, []string{"maps.Keys", "maps.Values", "maps.All", "(*sync.Map).Range", "(reflect.Value).MapKeys", "(reflect.Value).MapRange"},
		mapsInstead},
}

// startingFuncs are functions that start a goroutine.
var startingFuncs = []string{"(*sync.WaitGroup).Go", "context.AfterFunc"}

const (
	threadsInstead = "write a sim.Proc; runs go side by side in scenarios/campaign only"
	mapsInstead    = "range over slices.Sorted(maps.Keys(m)) or keep a slice, or say on the line before `// order: why it can't show`"
	floatsInstead  = "use integers or a ratio of two, or say on the line before `// float: why nothing is decided by it`"
)

// vague are names that say nothing, for packages and for files.
var vague = []string{"util", "utils", "common", "helper", "helpers", "manager", "managers", "misc"}

// An offence is one thing to put right.
type offence struct {
	pos token.Position
	msg string
}

// A check looks at one package and reports each offence.
type check struct {
	name string
	run  func(u *unit, report reporter)
}

type reporter func(at token.Pos, format string, args ...any)

var checks = []check{
	{"imports", checkImports},
	{"uses", checkUses},
	{"threads", checkThreads},
	{"maps", checkMaps},
	{"floats", checkFloats},
	{"packageDoc", checkPackageDoc},
	{"names", checkVagueNames},
	{"signatures", checkSignatures},
	{"surface", checkSurface},
	{"seeds", checkSeeds},
	{"starters", checkStarters},
	{"formats", checkFormats},
	{"commands", checkCommands},
	{"hiddenFields", checkHiddenFields},
	{"words", checkWords},
	{"glossary", checkGlossary},
}

const modulePath = "github.com/lockstorm/lockstorm"

// checkImports holds the package to its row of the house.
func checkImports(u *unit, report reporter) {
	if _, ok := house[u.path]; !ok {
		at := token.NoPos
		if all := slices.Concat(u.files, u.tests); len(all) > 0 {
			at = all[0].tree.Package
		}
		report(at, "package %s is not in the house: give it a row in the table at the top of cmd/internal/house/tidy_test.go, with what it may import and its laws", u.path)
		return
	}
	for _, f := range u.files {
		for _, spec := range f.tree.Imports {
			checkImport(u, spec, report)
		}
	}
}

func checkImport(u *unit, spec *ast.ImportSpec, report reporter) {
	name, _ := strconv.Unquote(spec.Path.Value)
	r := u.room()
	if below, ok := strings.CutPrefix(name, modulePath+"/"); ok {
		if !slices.Contains(r.module, below) {
			report(spec.Pos(), "%s may not import %s, only %s: hand the value in from above, or move the code up", u.path, below, list(r.module))
		}
		return
	}
	if strings.Contains(strings.Split(name, "/")[0], ".") { // a host name: not the standard library
		within := func(other string) bool { return name == other || strings.HasPrefix(name, other+"/") }
		if !slices.ContainsFunc(r.others, within) {
			report(spec.Pos(), "%s may not import %s, only %s: put it behind the package that owns it, or give that package the import in cmd/internal/house/tidy_test.go",
				u.path, name, list(r.others))
		}
		return
	}
	if instead, ok := bannedIn(u, name); ok {
		report(spec.Pos(), "%s may not import %s: %s", u.path, name, instead)
	}
}

func list(names []string) string {
	if len(names) == 0 {
		return "the standard library"
	}
	return strings.Join(names, ", ")
}

func bannedIn(u *unit, name string) (instead string, ok bool) {
	for _, b := range banned {
		if u.under(b.law) && slices.Contains(b.names, name) {
			return b.instead, true
		}
	}
	return "", false
}

// checkUses finds uses of banned functions and variables, called or passed on. Functions of maps have a way out, which
// is checked here too: a sorted collection of keys shows no order.
func checkUses(u *unit, report reporter) {
	for _, f := range u.files {
		sorted := map[*ast.Ident]bool{}
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && u.fullName(called(call)) == "slices.Sorted" {
				if inner, ok := call.Args[0].(*ast.CallExpr); ok {
					sorted[called(inner)] = true
				}
			}
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			name := u.fullName(id)
			instead, ok := bannedIn(u, name)
			if ok && !(instead == mapsInstead && (sorted[id] || f.excused(u.fset, id.Pos(), "order:"))) {
				report(id.Pos(), "%s may not use %s: %s", u.path, name, instead)
			}
			return true
		})
	}
}

// called returns the name in a call such as f(x), p.F(x) or p.F[T](x).
func called(call *ast.CallExpr) *ast.Ident {
	fun := call.Fun
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X
	}
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	}
	return nil
}

// checkThreads finds goroutines and channels.
func checkThreads(u *unit, report reporter) {
	if !u.under(noThreads) {
		return
	}
	for _, f := range u.files {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				report(n.Pos(), "%s may not start a goroutine: %s", u.path, threadsInstead)
			case *ast.ChanType:
				report(n.Pos(), "%s may not have a channel: %s", u.path, threadsInstead)
			case *ast.SelectStmt:
				report(n.Pos(), "%s may not select: %s", u.path, threadsInstead)
			}
			return true
		})
	}
}

// checkMaps finds ranges over a map that name a key or value, and so can show the order in which they come.
func checkMaps(u *unit, report reporter) {
	if !u.under(noMapOrder) {
		return
	}
	for _, f := range u.files {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			loop, ok := n.(*ast.RangeStmt)
			if ok && (named(loop.Key) || named(loop.Value)) && isMap(u.info.TypeOf(loop.X)) && !f.excused(u.fset, loop.Pos(), "order:") {
				report(loop.Pos(), "%s may not range over a map: %s", u.path, mapsInstead)
			}
			return true
		})
	}
}

func named(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return e != nil && !(ok && id.Name == "_")
}

// isMap says whether t is a map, or a type parameter that may be one.
func isMap(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Map:
		return true
	case *types.Interface: // the constraint of a type parameter
		for e := range t.EmbeddedTypes() {
			if isMap(e) {
				return true
			}
		}
	case *types.Union:
		for term := range t.Terms() {
			if isMap(term.Type()) {
				return true
			}
		}
	}
	return false
}

// checkFloats finds expressions whose type is a float, at most one a line. 1e9 as an integer is no float.
func checkFloats(u *unit, report reporter) {
	if !u.under(noFloats) {
		return
	}
	for _, f := range u.files {
		lines := map[int]bool{}
		ast.Inspect(f.tree, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok || !isFloat(u.info.TypeOf(e)) || f.excused(u.fset, e.Pos(), "float:") {
				return true
			}
			if line := u.fset.Position(e.Pos()).Line; !lines[line] {
				lines[line] = true
				report(e.Pos(), "%s may not use floats: %s", u.path, floatsInstead)
			}
			return true
		})
	}
}

func isFloat(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&(types.IsFloat|types.IsComplex) != 0
	case *types.Tuple:
		for v := range t.Variables() {
			if isFloat(v.Type()) {
				return true
			}
		}
	}
	return false
}

func documented(doc *ast.CommentGroup) bool { return strings.TrimSpace(doc.Text()) != "" }

// checkPackageDoc wants the package comment in doc.go, and nowhere else.
func checkPackageDoc(u *unit, report reporter) {
	if len(u.files) == 0 {
		return
	}
	found := false
	for _, f := range u.files {
		if path.Base(f.name) != "doc.go" {
			if documented(f.tree.Doc) {
				report(f.tree.Doc.Pos(), "a second package comment: move what it says into doc.go")
			}
			continue
		}
		found = true
		opening := "Package " + f.tree.Name.Name + " "
		if f.tree.Name.Name == "main" {
			opening = "Command " + path.Base(u.path) + " "
		}
		if !strings.HasPrefix(f.tree.Doc.Text(), opening) {
			report(f.tree.Package, "the package comment must open with %q: its one idea, then its words, then what the caller owes", opening)
		}
	}
	if !found {
		report(u.files[0].tree.Package, "package %s has no doc.go: give it one, with the package comment", u.path)
	}
}

// checkSeeds requires that property tests draw from fixed seeds by default, which importing sim/simtest sees to.
func checkSeeds(u *unit, report reporter) {
	var rapid token.Pos
	for _, f := range u.tests {
		for _, spec := range f.tree.Imports {
			switch name, _ := strconv.Unquote(spec.Path.Value); name {
			case "pgregory.net/rapid":
				rapid = spec.Pos()
			case modulePath + "/sim/simtest":
				return
			}
		}
	}
	if rapid.IsValid() && u.path != "sim/simtest" {
		report(rapid, "the tests of %s draw with rapid from a new seed each time: one of their files must import sim/simtest, which fixes it", u.path)
	}
}

// checkVagueNames finds packages and files named for nothing.
func checkVagueNames(u *unit, report reporter) {
	for _, f := range slices.Concat(u.files, u.tests) {
		base := strings.TrimSuffix(strings.TrimSuffix(path.Base(f.name), ".go"), "_test")
		if slices.Contains(vague, base) {
			report(f.tree.Package, "%s is a name for nothing: name the file for its noun", path.Base(f.name))
		}
		if slices.Contains(vague, strings.TrimSuffix(f.tree.Name.Name, "_test")) {
			report(f.tree.Package, "%s is a name for nothing: name the package for its noun", f.tree.Name.Name)
		}
	}
}

// checkSignatures finds types that a public package exports and its user can't name: unexported ones, and types of an
// internal package unless the package has an alias for them. A user can't build a value with such a field, or write a
// function that takes one.
func checkSignatures(u *unit, report reporter) {
	if u.pkg == nil || u.pkg.Name() == "main" || isInternal(u.path) {
		return
	}
	s := signatures{aliased: map[*types.TypeName]bool{}, seen: map[types.Type]bool{}}
	scope := u.pkg.Scope()
	for _, name := range scope.Names() {
		if t, ok := scope.Lookup(name).(*types.TypeName); ok && t.IsAlias() && t.Exported() {
			if n, ok := types.Unalias(t.Type()).(*types.Named); ok {
				s.aliased[n.Obj()] = true
			}
		}
	}
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if !obj.Exported() {
			continue
		}
		s.hidden = func(at token.Pos, t *types.TypeName) {
			report(cmp.Or(at, obj.Pos()), "%s.%s shows %s, which its user can't name: export that type, give it an alias here, or hide what shows it",
				u.pkg.Name(), name, t.Type())
		}
		if t, ok := obj.(*types.TypeName); ok {
			s.content(t.Type())
		} else {
			s.shown(obj.Pos(), obj.Type())
		}
	}
}

// surfaces limit how many names some packages export: before you add one, look for a name that fits, or remove one.
var surfaces = map[string]int{"reports": 40}

// checkSurface counts the names that a package exports.
func checkSurface(u *unit, report reporter) {
	most, ok := surfaces[u.path]
	if !ok || u.pkg == nil {
		return
	}
	n := 0
	for _, name := range u.pkg.Scope().Names() {
		if token.IsExported(name) {
			n++
		}
	}
	if n > most {
		report(token.NoPos, "%s exports %d names, and at most %d are wanted", u.path, n, most)
	}
}

// isInternal reports whether only a part of the module can import a package.
func isInternal(name string) bool { return slices.Contains(strings.Split(name, "/"), "internal") }

// signatures walks through the types that a package shows.
type signatures struct {
	aliased map[*types.TypeName]bool // they have a public name
	seen    map[types.Type]bool      // whose content has been walked
	hidden  func(at token.Pos, t *types.TypeName)
}

// content walks through what the user of a type sees of it: exported fields and methods, also those that it embeds.
func (s *signatures) content(t types.Type) {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || s.seen[n] {
		return
	}
	s.seen[n] = true
	for m := range n.Methods() {
		if m.Exported() {
			s.shown(m.Pos(), m.Type())
		}
	}
	if _, ok := n.Underlying().(*types.Named); !ok {
		s.shown(n.Obj().Pos(), n.Underlying())
	}
}

// shown walks through a type that is part of something exported.
func (s *signatures) shown(at token.Pos, t types.Type) {
	switch t := t.(type) {
	case *types.Alias:
		if !t.Obj().Exported() || isInternal(t.Obj().Pkg().Path()) {
			s.shown(at, types.Unalias(t))
		}
	case *types.Named:
		obj := t.Obj()
		if obj.Pkg() != nil && (!obj.Exported() || isInternal(obj.Pkg().Path())) && !s.aliased[obj] {
			s.hidden(at, obj)
		}
		for arg := range t.TypeArgs().Types() {
			s.shown(at, arg)
		}
	case *types.Struct:
		for f := range t.Fields() {
			switch {
			case f.Exported():
				s.shown(f.Pos(), f.Type())
			case f.Embedded():
				s.content(f.Type())
			}
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			if m.Exported() {
				s.shown(m.Pos(), m.Type())
			}
		}
		for e := range t.EmbeddedTypes() {
			s.shown(at, e)
		}
	case *types.Signature:
		s.shown(at, t.Params())
		s.shown(at, t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			s.shown(v.Pos(), v.Type())
		}
	case *types.Map:
		s.shown(at, t.Key())
		s.shown(at, t.Elem())
	case interface{ Elem() types.Type }: // a pointer, a list or a channel
		s.shown(at, t.Elem())
	}
}

// strayFolders returns the top-level folders that the house doesn't have.
func strayFolders(names []string) (stray []string) {
	for _, name := range names {
		if !strings.HasPrefix(name, ".") && name != "store" && !slices.Contains(folders, name) {
			stray = append(stray, name)
		}
	}
	return stray
}

// offences returns what one check reports of a unit, in the order of the source.
func (c check) offences(u *unit) (all []offence) {
	c.run(u, func(at token.Pos, format string, args ...any) {
		all = append(all, offence{u.fset.Position(at), fmt.Sprintf(format, args...)})
	})
	slices.SortStableFunc(all, func(a, b offence) int {
		return cmp.Or(strings.Compare(a.pos.Filename, b.pos.Filename), cmp.Compare(a.pos.Line, b.pos.Line))
	})
	return all
}

func TestTidy(t *testing.T) {
	atRoot(t)
	units, err := load()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("compiles", func(t *testing.T) {
		for _, u := range units {
			if n := len(u.fails); n > 0 {
				t.Errorf("%v (%d in all): %s doesn't compile, so only half of the checks saw it", u.fails[0], n, u.path)
			}
		}
	})
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			for _, u := range units {
				for _, o := range c.offences(u) {
					t.Errorf("%v: %s", o.pos, o.msg)
				}
			}
		})
	}
	t.Run("folders", func(t *testing.T) {
		entries, err := os.ReadDir(".")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range entries {
			if e.IsDir() {
				names = append(names, e.Name())
			}
		}
		for _, name := range strayFolders(names) {
			t.Errorf("%s: not a top-level folder of the house: find it a room inside one of %s", name, list(folders))
		}
	})
	t.Run("unread", func(t *testing.T) {
		for _, name := range unread(t, units) {
			t.Errorf("%s: go list names no package for this file, so nothing checked it", name)
		}
	})
}

// unread returns the Go files of the root module that no unit has.
func unread(t *testing.T, units []*unit) (names []string) {
	known := map[string]bool{}
	for _, u := range units {
		for _, f := range slices.Concat(u.files, u.tests) {
			known[f.name] = true
		}
	}
	all, err := sources()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if s.root && !known[s.name] {
			names = append(names, s.name)
		}
	}
	return names
}
