package lockstorm_test

// The rules of this file keep the house small and plain: budgets of lines, what may be exported, where formats are written, where
// goroutines are started, and words. tidy_proof_test.go shows that each can fail.

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A budget is how many lines, without those of tests, the packages at and below some folders may have together. A change that
// needs more raises the number in the same commit, with the reason: a user who would miss what the lines do.
type budget struct {
	folders []string
	lines   int
	aim     int    // what the design sets out; where lines is more, the room is still to be made smaller, or why says for whom not
	why     string // who would miss what is more
}

var budgets = []budget{
	{folders: []string{"clock"}, lines: 560, aim: 550},
	{folders: []string{"sim"}, lines: 3_385, aim: 3_100, why: "WithFault and digests: whoever explores; watches that guests " +
		"keep open: whoever tries a library of etcd"},
	{folders: []string{"sim/simtest"}, lines: 140, aim: 40, why: "whoever adds a field to what is explored: tests hold it to " +
		"the digest"},
	{folders: []string{"sim/redis"}, lines: 4_170, aim: 3_300,
		why: "an adapter that writes lines is understood, scripts are known by what they do, and a key that several hold; whoever tries " +
			"a lock with Lua of its own waits twice as long, and not 25 times"},
	{folders: []string{"sim/consensus"}, lines: 1_825, aim: 1_700, why: "a front that speaks etcd's own protocol"},
	{folders: []string{"sim/storage", "sim/sql"}, lines: 1_030, aim: 990,
		why: "storage that takes only a higher token, as the UPDATE does that people print, and a page that has no engine for SQL"},
	{folders: []string{"faults"}, lines: 2_690, aim: 2_450, why: "whether a strike came to anything"},
	{folders: []string{"faults/size"}, lines: 840, aim: 840},
	{folders: []string{"checker"}, lines: 4_775, aim: 4_200,
		why: "checks of evidence, for live runs and guests, what a run shows nothing of, a sentence for each way to break a " +
			"promise, holds that are shared, a holder refused, a client kept out, and what struck while a lock was held"},
	{folders: []string{"checker/codec", "checker/blackbox", "checker/recorder"}, lines: 6_745, aim: 5_500,
		why: "histories of Jepsen, Knossos and others as they are, no word or number of theirs overlooked, each key that is passed " +
			"over listed, a history that shows nothing refused, readers, and writers " +
			"who turn readers, judges " +
			"for a million operations and for every run"},
	{folders: []string{"scenarios"}, lines: 6_945, aim: 5_000,
		why: "one way to open a scenario, which cmd had, the invariants of Runner, what a black box sees of each run, marks that no " +
			"lock owes, kinds of locks on servers of somebody's own, what a sentence rests on and assumes, or why on no run, warm starts, " +
			"what a slider needs to know of a setting, what ends a call whose message is lost, that a search which draws nothing is refused, and what one " +
			"client alone shows nothing of"},
	{folders: []string{"scenarios/arithmetic", "scenarios/scenariostest"}, lines: 1_180, aim: 1_180},
	{folders: []string{"scenarios/locks"}, lines: 2_562, aim: 2_050, why: "Redisson's fair lock, its read-write lock, and its " +
		"lock on a master with replicas, which its users have, and values that the clock makes"},
	{folders: []string{"scenarios/platform"}, lines: 1_307, aim: 1_200,
		why: "what servers of somebody's own begin with, and what they owe"},
	{folders: []string{"scenarios/campaign"}, lines: 9_428, aim: 7_300,
		why: "rows know what a black box sees, and how much of what breaks it sees is counted, rows that are kept can be made again and compared, a " +
			"file whose shrinking ended early has no fault that strikes nothing, and values between the ends of " +
			"an axis have no more digits than they need"},
	{folders: []string{"scenarios/campaign/environment", "scenarios/campaign/forecast"}, lines: 2_550, aim: 2_000,
		why: "whoever asks how often it would happen to him, and which settings would do: files of rates with a schema, eleven logs " +
			"to make them from, the estimate, a bound on what takes no event, advice with its costs, and readers that end with a file " +
			"that does not"},
	{folders: []string{"scenarios/campaign/study"}, lines: 470, aim: 400,
		why: "a sweep can be had as a study, maps have the edge of theory, locks come from the table, and an editor has a schema"},
	{folders: []string{"scenarios/guest", "scenarios/guest/overlay", "scenarios/locktest"}, lines: 4_330, aim: 2_350,
		why: "marks are passed around what a guest asks, a call that hangs is found, names are not looked up; a lock of one's own " +
			"is judged by what its kind keeps, a find is repeated beside the reference, also in somebody's own property, what " +
			"doesn't fit is skipped, a clock that is read late is found, libraries that speak HTTP to servers of their own, or ask any server " +
			"of a service, clocks of guests, by an overlay, what libraries draw follows from the seed, and whoever keeps a key " +
			"that we don't know is told so"},
	{folders: []string{"scenarios/live"}, lines: 6_185, aim: 4_300,
		why: "a live server of another kind, also one for adapters alone, comes in from another module, no word of an adapter is " +
			"believed that is not " +
			"understood, a server " +
			"is proved to be deceived, what an adapter leaves behind is found, runs go on at once, Redis's own sentinels promote, and " +
			"times follow from how late the machine is, and whoever waits hears within seconds for whom"},
	{folders: []string{"reports/play", "reports/shell"}, lines: 1_600, aim: 1_300,
		why: "whoever plays with a scenario in a browser: all that a page asks, answered by the code of the command"},
	{folders: []string{"cmd/internal/engine", "cmd/lockstorm-play"}, lines: 830, aim: 700,
		why: "the simulator in a browser at two thirds of its size: without it a page needs a server; and strangers, whose Go fetched " +
			"the Go that builds it, or whose disk is full"},
	{folders: []string{"reports/internal/site"}, lines: 1_330, aim: 1_200,
		why: "whoever reads the results without a program, searches them or wants their data, and whoever shows runs without a server, or " +
			"the suite of a CI build with the runs that it kept"},
	{folders: []string{"reports/internal/site/playground"}, lines: 200, aim: 200,
		why: "whoever would rather move a slider than read; its scripts and styles are counted by a test of its own"},
	{folders: []string{"reports"}, lines: 20_990, aim: 10_500,
		why: "pages are written as blocks, with the words that their templates had, which no budget counted; pictures have words, " +
			"numbers in their cells, and a close-up of what is too short to be seen, and counts of runs have what a black box sees, " +
			"labels keep off arrows, the theorem is a grid, advice has its table, an axis names what was measured, a timeline says " +
			"where it shows what, a page may have markup of its own, pages stand in the frame of a site, and a suite is read " +
			"from its file, whose verdicts are held to its counts, and keys of a history that were passed over; a page says its verdict first, " +
			"and a store shows explorations"},
	{folders: []string{"cmd"}, lines: 9_140, aim: 6_800, why: "live tables that were killed go on, studies, also all at once, environments with their schema, " +
		"forecasts with advice, arithmetic, tests that end after a time or at a signal, and the folder of a site, in which nothing of " +
		"anybody's is lost"},
	{folders: []string{"cmd/internal/work/paper"}, lines: 1_025, aim: 700,
		why: "a referee: every table and figure made again, compared, resumed, and packed with sources and checksums"},
}

// budgetOf returns the index of the budget that a package counts to: that of the longest folder at or above it; -1 for none.
func budgetOf(pkg string) (found int) {
	found, longest := -1, -1
	for i, b := range budgets {
		for _, f := range b.folders {
			if (pkg == f || strings.HasPrefix(pkg, f+"/")) && len(f) > longest {
				found, longest = i, len(f)
			}
		}
	}
	return found
}

func checkBudgets(units []*unit) (over []string) {
	sums := make([]int, len(budgets))
	for _, u := range units {
		for _, f := range u.files {
			if i := budgetOf(u.path); i >= 0 {
				sums[i] += strings.Count(string(f.text), "\n")
			} else if u.path != "." {
				over = append(over, u.path+": this package has no budget: give its room one")
			}
		}
	}
	for i, b := range budgets {
		if sums[i] > b.lines {
			over = append(over,
				fmt.Sprintf("%s: %d lines outside tests, and the budget is %d: find what can go, or raise it with its reason",
					strings.Join(b.folders, " + "), sums[i], b.lines))
		}
	}
	return over
}

func TestBudgets(t *testing.T) {
	units, err := load()
	if err != nil {
		t.Fatal(err)
	}
	for _, msg := range checkBudgets(units) {
		t.Error(msg)
	}
}

// starters are the packages that may start goroutines, and why.
var starters = map[string]string{
	"scenarios/live/realtest": "a test's real server is waited for",
	"scenarios/campaign":      "the engine that makes runs side by side",
	"scenarios/guest":         "client libraries have goroutines of their own",
	"scenarios/live":          "real servers",
	"cmd/internal/command":    "a second signal ends the program",
	"cmd/internal/work":       "a process is waited for beside its output",
}

// checkStarters finds goroutines that are started anywhere else: there is one engine.
func checkStarters(u *unit, report reporter) {
	if _, ok := starters[u.path]; ok || u.under(noThreads) {
		return
	}
	for _, f := range u.files {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if g, ok := n.(*ast.GoStmt); ok {
				report(g.Pos(), "%s may not start a goroutine: the engine in scenarios/campaign makes runs side by side", u.path)
			}
			return true
		})
	}
}

// formats are the packages of the standard library that write HTML or CSV, and those of this module that may import them.
var formats = map[string][]string{
	"html":          {"reports/internal/layout"},
	"html/template": {"reports/internal/layout"},
	"encoding/csv":  {"reports/internal/layout", "scenarios/campaign/table"}, // a table of millions of rows is no document
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

// lineMax bounds a line of code. One with a raw string is free: a script of somebody else's has the lines that it has.
const lineMax = 130

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
		raw := rawLines(u.fset, f.tree)
		for i, line := range strings.Split(string(f.text), "\n") {
			if n := len([]rune(line)); n > lineMax && !raw[i+1] {
				report(u.fset.File(f.tree.FileStart).LineStart(i+1), "a line of %d characters: %d are enough", n, lineMax)
			}
		}
		for _, d := range f.tree.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && documented(d.Doc) && d.Name.Name != "init" && !opensWith(d.Doc.Text(), d.Name.Name) {
				report(d.Pos(), "the comment of %s must open with its name, and go on with a verb", d.Name.Name)
			}
		}
	}
}

// glossary is what some words mean, as the table of words in CONTRIBUTING.md has it: outside reports, which tell of them, a
// type may have such a name only in these packages. Where it is nil, nothing is called so. Where several have it, it is the
// same thing at another stage, or in a format.
var glossary = map[string][]string{
	"scenario":  {"scenarios"},
	"property":  {"checker"},
	"promise":   {"scenarios/campaign/forecast"},
	"verdict":   {"checker", "scenarios", "scenarios/campaign/explore"},
	"finding":   {"checker"},
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
	"driver":    {"scenarios/live"},
	"guest":     {"scenarios", "scenarios/guest"},
	"adapter":   {},
	"law":       {"scenarios/arithmetic"},
	"flaw":      {"scenarios/arithmetic"},
	"signature": {"scenarios/campaign"},
	"cell":      {"scenarios/campaign", "scenarios/campaign/explore"},
	"count":     {"scenarios/campaign/stats"},
	"strike":    {"checker", "faults"},
	"worker":    {"scenarios/campaign", "scenarios/live"},
	"study":     {"scenarios/campaign/study"},
	"forecast":  {"scenarios/campaign/forecast"},
	"look":      {"reports/internal/layout"},
	"crew":      nil, // these were words for a worker
	"shift":     nil,
	"hand":      nil,
	"maker":     nil,
	"leveling":  nil,
	"util":      nil,
	"helper":    nil,
	"manager":   nil,
}

// checkGlossary finds types that give a word of the glossary another meaning.
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
					report(name.Pos(), "%s has another meaning: see the words in CONTRIBUTING.md, and name this type what it is", name.Name)
				}
			}
		}
	}
}

// Each word that has one meaning is told to whoever comes new, but for those that nothing is to be called.
func TestTheGlossaryIsThatOfContributing(t *testing.T) {
	text, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, words, _ := strings.Cut(string(text), "## Words")
	for word, homes := range glossary {
		told := regexp.MustCompile(`(?m)^\|[^|]*\b` + word + `\b[^|]*\|`).MatchString(words)
		if len(homes) > 0 && !told {
			t.Errorf("CONTRIBUTING.md does not say what %q means", word)
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

// rawLines returns the lines on which raw strings stand.
func rawLines(fset *token.FileSet, tree *ast.File) map[int]bool {
	lines := map[int]bool{}
	ast.Inspect(tree, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && strings.HasPrefix(lit.Value, "`") {
			for l := fset.Position(lit.Pos()).Line; l <= fset.Position(lit.End()).Line; l++ {
				lines[l] = true
			}
		}
		return true
	})
	return lines
}

// public reports whether another module can import the package.
func public(pkg string) bool {
	return pkg != "." && !slices.Contains(strings.Split(pkg, "/"), "internal") && !strings.HasPrefix(pkg, "cmd/")
}

// unused returns the exported names of public packages that nothing outside their package names: no other package of the module
// and no example. What an exported declaration of the same package mentions may stay, for a user meets it there; and so may
// constants of such a type.
func unused(units []*unit, beside []*ast.File) (names []string) {
	named := map[string]bool{} // by path and name
	for _, tree := range beside {
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
	"scenarios/guest", "scenarios/locktest",
	"scenarios/scenariostest"}

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

// modulesBeside returns the files of the modules of their own that are in this repository.
func modulesBeside(t *testing.T) (trees []*ast.File) {
	err := filepath.WalkDir(".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") {
			return err
		}
		for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
			if nested(dir) {
				tree, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
				trees = append(trees, tree)
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return trees
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

// exportedAnyway are names that no other package and no example names, and the users that they are for.
var exportedAnyway = map[string]string{
	"sim.Digester": "services and messages of one's own implement it, so that runs of them can be " +
		"explored",
	"sim.ErrReset":                            "callers compare an error with it",
	"sim/consensus.Revoke":                    "an operation of the service, which no lock of ours asks for",
	"scenarios.FileError":                     "callers get it by errors.As",
	"scenarios/arithmetic.Unanswered":         "rules of one's own panic with it",
	"scenarios/campaign/archive.ErrNone":      "callers compare an error with it",
	"scenarios/campaign/explore.Budgets":      "the rows of the table that the package makes",
	"scenarios/campaign/stats.ClopperPearson": "an interval for rates that are rare, beside Wilson's",
	"scenarios/guest.Notifier":                "adapters implement it",
	"scenarios/campaign/stats.Unsure":         "an interval that holds whatever the unknown runs would have shown",
	"scenarios/locks.Leased":                  "locks of one's own implement it",
}

func TestNothingIsExportedForNobody(t *testing.T) {
	units, err := load()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range unused(units, modulesBeside(t)) {
		if exportedAnyway[name] != "" {
			continue
		}
		t.Errorf("%s is exported, and no other package and no example names it: unexport it, or show its use in an Example", name)
	}
}

func TestAPackageCountsToTheNearestBudget(t *testing.T) {
	for pkg, want := range map[string]string{
		"sim": "sim", "sim/redis": "sim/redis", "checker/codec/internal/forms": "checker/codec",
		"scenarios/internal/yamlform": "scenarios",
		"scenarios/campaign/archive":  "scenarios/campaign", "cmd/internal/cli": "cmd",
	} {
		if i := budgetOf(pkg); i < 0 || budgets[i].folders[0] != want {
			t.Errorf("%s counts to another budget than that of %s", pkg, want)
		}
	}
	if budgetOf("simulator") >= 0 {
		t.Error("simulator is not below sim")
	}
	text := []byte(strings.Repeat("\n", budgets[0].lines+1))
	if over := checkBudgets([]*unit{{path: "clock", files: []*file{{text: text}}}}); len(over) != 1 ||
		!strings.Contains(over[0], "clock: 561 lines") {
		t.Errorf("a room that is over its budget: %q", over)
	}
}
