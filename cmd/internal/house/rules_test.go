package house

// These rules keep the module plain. They say what may be exported, where formats are written, where goroutines start, and which
// words a type may have as its name. proof_test.go shows that each rule can fail.

import (
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// starters are the packages that may start goroutines, and why.
var starters = map[string]string{
	"scenarios/campaign":       "the engine that makes runs side by side",
	"scenarios/internal/stuck": "a lock that never goes on is left where it is",
	"cmd/internal/work":        "a signal is awaited during the work",
}

// checkStarters finds goroutines that are started anywhere else: there is one engine.
func checkStarters(u *unit, report reporter) {
	if _, ok := starters[u.path]; ok || u.under(noThreads) {
		return
	}
	for _, pos := range starts(u) {
		report(pos, "%s may not start a goroutine: the engine in scenarios/campaign makes runs side by side", u.path)
	}
}

// starts returns where a package starts goroutines.
func starts(u *unit) (all []token.Pos) {
	for _, f := range u.files {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			id, named := n.(*ast.Ident)
			if _, ok := n.(*ast.GoStmt); ok || named && slices.Contains(startingFuncs, u.fullName(id)) {
				all = append(all, n.Pos())
			}
			return true
		})
	}
	return all
}

// A row of starters that starts none would hide the first goroutine that is added there.
func TestEachStarterStartsAGoroutine(t *testing.T) {
	atRoot(t)
	units, err := load()
	if err != nil {
		t.Fatal(err)
	}
	started := map[string]bool{}
	for _, u := range units {
		started[u.path] = len(starts(u)) > 0
	}
	for name := range starters {
		if !started[name] {
			t.Errorf("%s starts no goroutine: remove its row", name)
		}
	}
}

// formats are the packages of the standard library that write HTML or CSV, and the packages here that may import them.
var formats = map[string][]string{
	"html":          {"reports"},
	"html/template": {"reports"},
	"encoding/csv":  {"reports", "scenarios/campaign/table"}, // a table of millions of rows is no document
}

// checkFormats wants each format written in one place.
func checkFormats(u *unit, report reporter) {
	for _, f := range u.files {
		for _, spec := range f.tree.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			if may, ok := formats[name]; ok && !slices.Contains(may, u.path) {
				report(spec.Pos(), "%s may not import %s: make a Document, and let %s write it", u.path, name, list(may))
			}
		}
	}
}

// commandLinesMax bounds the file of a command, which makes a cobra.Command: flags, one call, one print.
const commandLinesMax = 120

func makesCommand(tree *ast.File) bool {
	return slices.ContainsFunc(tree.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		return ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "new") && f.Type.Params.NumFields() == 0
	})
}

func checkCommands(u *unit, report reporter) {
	if u.path != "cmd/internal/command" {
		return
	}
	for _, f := range u.files {
		if n := strings.Count(string(f.text), "\n"); n > commandLinesMax && makesCommand(f.tree) {
			report(f.tree.Package, "%s has %d lines: a command is flags, one call, one print, in at most %d; what computes goes down",
				path.Base(f.name), n, commandLinesMax)
		}
	}
}

// checkHiddenFields finds fields that a form of output leaves out: a fact has one type, and a second one needs a reason on its
// line.
func checkHiddenFields(u *unit, report reporter) {
	for _, f := range u.files {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			field, ok := n.(*ast.Field)
			if !ok || field.Tag == nil {
				return true
			}
			tag, _ := strconv.Unquote(field.Tag.Value)
			if reflect.StructTag(tag).Get("json") == "-" && field.Comment == nil {
				report(field.Pos(), "a field that JSON leaves out needs its reason as a comment on its line: is this a second type for "+
					"one fact?")
			}
			return true
		})
	}
}

// prepositions are no names for parameters.
var prepositions = []string{"by", "at", "from", "of"}

func checkWords(u *unit, report reporter) {
	for _, f := range u.files {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			fun, ok := n.(*ast.FuncType)
			if !ok {
				return true
			}
			for _, p := range fun.Params.List {
				for _, name := range p.Names {
					if slices.Contains(prepositions, name.Name) {
						report(name.Pos(), "no parameter is named %q: name what it is, such as t, d or start", name.Name)
					}
				}
			}
			return true
		})
		for _, d := range f.tree.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && documented(d.Doc) && d.Name.Name != "init" && !opensWith(d.Doc.Text(), d.Name.Name) {
				report(d.Pos(), "the comment of %s must open with its name, and go on with a verb", d.Name.Name)
			}
		}
	}
}

// glossary has the meaning of some words, as in scenarios/glossary.md. Outside reports, only these packages may have a
// type of such a name. Where the list is nil, no type has the name. Where several packages have it, it means the same
// thing at another stage, or in a format.
var glossary = map[string][]string{
	"scenario":  {"scenarios"},
	"property":  {"checker"},
	"promise":   {},
	"verdict":   {"checker", "scenarios", "scenarios/campaign/explore"},
	"finding":   {"checker"},
	"host":      {"sim"},
	"kind":      {"faults", "scenarios", "sim", "checker/codec/internal/forms"}, // of a fault, a lock, an event, a form
	"witness":   {"checker"},
	"evidence":  {"checker", "scenarios/platform"},
	"history":   {"checker"},
	"hold":      {"checker"},
	"window":    {"checker"},
	"platform":  {"scenarios/platform"},
	"schedule":  {"faults", "scenarios/campaign/explore"},
	"mark":      {"faults", "scenarios"},
	"target":    {},
	"reference": {"scenarios/campaign"},
	"mutant":    {"scenarios"},
	"campaign":  {},
	"row":       {"scenarios/campaign", "scenarios/campaign/explore", "scenarios/locks"}, // of a table of runs, and of a database
	"block":     {},
	"sweep":     {"scenarios/campaign"},
	"driver":    {},
	"guest":     {"scenarios"},
	"adapter":   {},
	"law":       {"scenarios/arithmetic"},
	"flaw":      {"scenarios/arithmetic"},
	"signature": {"scenarios/campaign"},
	"cell":      {"scenarios/campaign", "scenarios/campaign/explore"},
	"count":     {"scenarios/campaign/stats"},
	"strike":    {"checker", "faults"},
	"worker":    {"scenarios/campaign"},
	"study":     {"scenarios/campaign/study"},
	"look":      {"reports"},
	"crew":      nil, // these were words for a worker
	"shift":     nil,
	"hand":      nil,
	"maker":     nil,
	"leveling":  nil,
	"util":      nil,
	"helper":    nil,
	"manager":   nil,
}

// checkGlossary finds types that use a word of the glossary with another meaning.
func checkGlossary(u *unit, report reporter) {
	for _, f := range u.files {
		for _, d := range f.tree.Decls {
			types, ok := d.(*ast.GenDecl)
			if !ok || types.Tok != token.TYPE {
				continue
			}
			for _, spec := range types.Specs {
				name := spec.(*ast.TypeSpec).Name
				homes, known := glossary[strings.ToLower(name.Name)]
				told := strings.HasPrefix(u.path, "reports") && homes != nil && strings.ToLower(name.Name) != "look"
				if known && !told && !slices.Contains(homes, u.path) {
					report(name.Pos(), "%s has another meaning: see scenarios/glossary.md, and name this type what it is", name.Name)
				}
			}
		}
	}
}

// The page has each word that has one meaning.
func TestGlossaryMatchesItsPage(t *testing.T) {
	atRoot(t)
	text, err := os.ReadFile("scenarios/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	for word, homes := range glossary {
		told := regexp.MustCompile(`(?m)^\|.*\b` + word + `\b`).Match(text)
		if len(homes) > 0 && !told {
			t.Errorf("scenarios/glossary.md does not say what %q means", word)
		}
	}
}

// opensWith reports whether a comment's first sentence is about name.
func opensWith(doc, name string) bool {
	words := strings.Fields(doc)
	if len(words) > 1 && slices.Contains([]string{"A", "An", "The"}, words[0]) {
		words = words[1:]
	}
	return words[0] == name || strings.HasPrefix(words[0], "Deprecated:")
}

// public reports whether another module can import the package.
func public(pkg string) bool {
	return pkg != "." && !slices.Contains(strings.Split(pkg, "/"), "internal") && !strings.HasPrefix(pkg, "cmd/")
}

// unused returns the exported names of public packages that no other package of the module names, and no example. Names
// in an exported declaration of the same package may stay, because a user meets them there; and so may constants of
// such a type.
func unused(units []*unit, others []*ast.File) (names []string) {
	named := map[string]bool{} // by path and name
	for _, tree := range others {
		nameUses(tree, func(string) bool { return true }, named)
	}
	for _, u := range units {
		for _, f := range slices.Concat(u.files, u.tests) {
			shown := strings.HasPrefix(path.Base(f.name), "example") || slices.Contains(forTests, u.path)
			nameUses(f.tree, func(pkg string) bool { return pkg != u.path || shown }, named)
		}
	}
	for _, u := range units {
		if !public(u.path) || u.pkg == nil {
			continue
		}
		mentioned := mentions(u)
		for _, name := range u.pkg.Scope().Names() {
			obj := u.pkg.Scope().Lookup(name)
			if !obj.Exported() || named[u.path+"."+name] || mentioned[name] {
				continue
			}
			if c, ok := obj.(*types.Const); ok {
				if t, ok := c.Type().(*types.Named); ok && (mentioned[t.Obj().Name()] || named[u.path+"."+t.Obj().Name()]) {
					continue
				}
			}
			names = append(names, u.path+"."+name)
		}
	}
	return names
}

// forTests are packages that the tests of others call: what their own tests name from outside is in use.
var forTests = []string{"checker/checkertest", "checker/recorder", "faults/faultstest", "scenarios/arithmetic",
	"scenarios/locktest", "scenarios/scenariostest",
	"reports/site/playground"}

// nameUses adds to named what a file names of packages of this module.
func nameUses(tree *ast.File, counts func(pkg string) bool, named map[string]bool) {
	imports := map[string]string{}
	for _, spec := range tree.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		below, ok := strings.CutPrefix(p, modulePath+"/")
		if !ok || !counts(below) {
			continue
		}
		as := path.Base(below)
		if spec.Name != nil {
			as = spec.Name.Name
		}
		imports[as] = below
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && imports[x.Name] != "" {
				named[imports[x.Name]+"."+sel.Sel.Name] = true
			}
		}
		return true
	})
}

// mentions returns the names that exported declarations of a package mention in their types.
func mentions(u *unit) map[string]bool {
	all := map[string]bool{}
	note := func(n ast.Node) {
		if n == nil || reflect.ValueOf(n).IsNil() {
			return
		}
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				all[id.Name] = true
			}
			return true
		})
	}
	for _, f := range u.files {
		for _, d := range f.tree.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() {
					note(d.Type.Params)
					note(d.Type.Results)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						if s.Name.IsExported() {
							note(s.Type)
						}
					case *ast.ValueSpec:
						if s.Names[0].IsExported() {
							if s.Type != nil {
								note(s.Type)
							}
							for _, v := range s.Values {
								note(v)
							}
						}
					}
				}
			}
		}
	}
	return all
}

// exportedAnyway has exported names that no other package and no example uses, and says who needs each.
var exportedAnyway = map[string]string{
	"sim.Digester": "services and messages of one's own implement it, so that runs of them can be " +
		"explored",
	"sim.ErrReset":                       "callers compare an error with it",
	"sim/consensus.Revoke":               "an operation of the service, which no lock of ours asks for",
	"scenarios.FileError":                "callers get it by errors.As",
	"scenarios/arithmetic.Unanswered":    "rules of one's own panic with it",
	"scenarios/campaign/archive.ErrNone": "callers compare an error with it",
	"scenarios/campaign/stats.Unsure":    "an interval that holds whatever the unknown runs would have shown",
	"scenarios/locks.Leased":             "locks of one's own implement it",
}

func TestEveryExportedNameIsUsed(t *testing.T) {
	atRoot(t)
	units, err := load()
	if err != nil {
		t.Fatal(err)
	}
	all, err := sources()
	if err != nil {
		t.Fatal(err)
	}
	var others []*ast.File
	for _, s := range all {
		if !s.root {
			others = append(others, s.tree)
		}
	}
	for _, name := range unused(units, others) {
		if exportedAnyway[name] != "" {
			continue
		}
		t.Errorf("%s is exported, and no other package and no example names it: unexport it, or show its use in an Example", name)
	}
}
