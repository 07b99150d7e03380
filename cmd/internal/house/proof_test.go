package house

import (
	"fmt"
	"go/token"
	"go/types"
	"path"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// A sample is a small package of one file, and what tidy must say about it.
type sample struct {
	title string
	path  string // of the package, as the house names it
	file  string // its name; sample.go when empty
	src   string // without the package clause, when it opens with a line break
	want  string // part of the one message; empty for a package without offence
}

var samples = []sample{
	{title: "nothing wrong", path: "sim", src: "\n// A Door is a way in.\ntype Door struct{ open bool }\n"},

	// The import table.
	{title: "checker knows nothing of sim", path: "checker", src: "\nimport _ \"" + modulePath + "/sim\"\n",
		want: "checker may not import sim, only clock: hand the value in"},
	{title: "sim knows nothing of locks", path: "sim", src: "\nimport _ \"" + modulePath + "/scenarios/locks\"\n",
		want: "sim may not import scenarios/locks, only clock"},
	{title: "a lower package may be imported", path: "faults", src: "\nimport _ \"" + modulePath + "/sim\"\n"},
	{title: "only sim/redis has miniredis", path: "scenarios", src: "\nimport _ \"github.com/alicebob/miniredis/v2\"\n",
		want: "scenarios may not import github.com/alicebob/miniredis/v2, only the standard library: put it behind the package that owns it"},
	{title: "sim/redis has miniredis and what is below it", path: "sim/redis", src: "\nimport _ \"github.com/alicebob/miniredis/v2/server\"\n"},
	{title: "a prefix of a name is another name", path: "sim/redis", src: "\nimport _ \"github.com/alicebob/miniredis/v22\"\n",
		want: "sim/redis may not import"},
	{title: "a package without a row", path: "sim/etcd", src: "\n", want: "sim/etcd is not in the house: give it a row"},
	{title: "tests may import upward", path: "clock", file: "clock_test.go", src: "\nimport _ \"" + modulePath + "/sim\"\n"},

	// Ways in which the machine could leak into a run.
	{title: "the wall clock", path: "sim", src: "\nimport \"time\"\n\nvar t = time.Now()\n",
		want: "sim may not use time.Now: ask a sim.Proc"},
	{title: "the wall clock, passed on under another name", path: "faults", src: "\nimport wall \"time\"\n\nvar now = wall.Now\n",
		want: "faults may not use time.Now"},
	{title: "the wall clock, to measure", path: "scenarios/campaign", src: "\nimport \"time\"\n\nvar d = time.Since(time.Time{})\n",
		want: "may not use time.Since"},
	{title: "sleep", path: "scenarios/locks", src: "\nimport \"time\"\n\nfunc f() { time.Sleep(1) }\n",
		want: "may not use time.Sleep: let a sim.Proc sleep"},
	{title: "a timer", path: "scenarios", src: "\nimport \"time\"\n\nvar t = time.NewTimer(1)\n", want: "may not use time.NewTimer"},
	{title: "a deadline", path: "sim", src: "\nimport \"context\"\n\nvar f = context.WithTimeout\n", want: "may not use context.WithTimeout"},
	{title: "durations are free", path: "sim", src: "\nimport \"time\"\n\nvar d = 3 * time.Second\n"},
	{title: "the time zone", path: "sim", src: "\nimport \"time\"\n\nvar z = time.Local\n", want: "may not use time.Local: use UTC"},
	{title: "global chance", path: "faults", src: "\nimport _ \"math/rand\"\n", want: "may not import math/rand: draw from a named sim.Chance"},
	{title: "global chance, second edition", path: "faults", src: "\nimport _ \"math/rand/v2\"\n", want: "draw from a named sim.Chance"},
	{title: "real chance", path: "scenarios/locks", src: "\nimport _ \"crypto/rand\"\n", want: "draw from a named sim.Chance"},
	{title: "the environment", path: "scenarios", src: "\nimport \"os\"\n\nvar home = os.Getenv(\"HOME\")\n",
		want: "may not use os.Getenv: make it an option"},
	{title: "the network", path: "sim/redis", src: "\nimport _ \"net\"\n", want: "may not import net: model it as a sim.Service"},
	{title: "the command may read the clock", path: "cmd/lockstorm", src: "\nimport \"time\"\n\nvar t = time.Now()\n"},
	{title: "tests may read the clock", path: "sim", file: "speed_test.go", src: "\nimport \"time\"\n\nvar t = time.Now()\n"},

	{title: "properties without a fixed seed", path: "clock", file: "clock_test.go", src: "\nimport _ \"pgregory.net/rapid\"\n",
		want: "must import sim/simtest"},
	{title: "properties with one", path: "clock", file: "clock_test.go",
		src: "\nimport (\n\t_ \"pgregory.net/rapid\"\n\n\t_ \"" + modulePath + "/sim/simtest\"\n)\n"},

	// Words, and sections that belong in one place.
	{title: "a parameter that is a preposition", path: "sim", src: "\nfunc f(at int) {}\n", want: "no parameter is named \"at\""},
	{title: "a comment without its subject", path: "sim", src: "\n// Does nothing.\nfunc f() {}\n", want: "the comment of f must open with its name"},
	{title: "a word with a second meaning", path: "sim", src: "\n// A Cell is a part of a world.\ntype Cell struct{ open bool }\n", want: "Cell has another meaning"},
	{title: "another place that starts goroutines", path: "cmd/internal/cli", src: "\nfunc f() { go f() }\n", want: "the engine in scenarios/campaign"},
	{title: "a goroutine in a group, in another place", path: "cmd/internal/command", src: "\nimport \"sync\"\n\nvar g sync.WaitGroup\n\nfunc f() { g.Go(f) }\n",
		want: "the engine in scenarios/campaign"},
	{title: "CSV elsewhere", path: "cmd/internal/cli", src: "\nimport _ \"encoding/csv\"\n", want: "make a Document"},
	{title: "a long command", path: "cmd/internal/command", src: "\nfunc newX() {}\n" + strings.Repeat("\n// more\n", 61), want: "a command is flags, one call, one print"},
	{title: "a field that JSON leaves out", path: "scenarios", src: "\n// T is a fact.\ntype T struct {\n\tn int `json:\"-\"`\n}\n", want: "is this a second type"},
	{title: "and why", path: "scenarios", src: "\n// T is a fact.\ntype T struct {\n\tn int `json:\"-\"` // its reason\n}\n"},

	// Threads.
	{title: "a goroutine", path: "sim", src: "\nfunc f() { go f() }\n", want: "sim may not start a goroutine: write a sim.Proc"},
	{title: "a goroutine in a group", path: "sim", src: "\nimport \"sync\"\n\nvar g sync.WaitGroup\n\nfunc f() { g.Go(f) }\n",
		want: "may not use (*sync.WaitGroup).Go"},
	{title: "a channel", path: "checker", src: "\nvar c chan int\n", want: "checker may not have a channel"},
	{title: "select", path: "clock", src: "\nfunc f() {\n\tselect {}\n}\n", want: "clock may not select"},
	{title: "runs go side by side", path: "scenarios/campaign", src: "\nvar c = make(chan int)\n\nfunc f() {\n\tgo f()\n\tselect {\n\tcase <-c:\n\t}\n}\n"},

	// The order of a map.
	{title: "a map in its own order", path: "sim", src: "\nfunc f(m map[int]int) {\n\tfor k := range m {\n\t\t_ = k\n\t}\n}\n",
		want: "sim may not range over a map: range over slices.Sorted"},
	{title: "a map by another name", path: "reports", src: "\ntype set map[int]bool\n\nfunc f(m set) {\n\tfor _, v := range m {\n\t\t_ = v\n\t}\n}\n",
		want: "reports may not range over a map"},
	{title: "a map in a type parameter", path: "checker", src: "\nfunc f[M ~map[int]V, V any](m M) {\n\tfor k := range m {\n\t\t_ = k\n\t}\n}\n",
		want: "checker may not range over a map"},
	{title: "a map in an iterator", path: "sim", src: "\nimport (\n\t\"maps\"\n\t\"slices\"\n)\n\nfunc f(m map[int]int) []int { return slices.Collect(maps.Keys(m)) }\n",
		want: "may not use maps.Keys: range over slices.Sorted"},
	{title: "a map, sorted", path: "sim", src: "\nimport (\n\t\"maps\"\n\t\"slices\"\n)\n\nfunc f(m map[int]int) []int { return slices.Sorted(maps.Keys(m)) }\n"},
	{title: "a map, counted", path: "sim", src: "\nfunc f(m map[int]int) (n int) {\n\tfor range m {\n\t\tn++\n\t}\n\treturn n\n}\n"},
	{title: "a map with a reason above", path: "sim",
		src: "\nfunc f(m map[int]int) (n int) {\n\t// order: a sum is the same in any order,\n\t// as addition commutes\n\tfor _, v := range m {\n\t\tn += v\n\t}\n\treturn n\n}\n"},
	{title: "a map with a reason beside", path: "sim",
		src: "\nfunc f(m map[int]int) (n int) {\n\tfor _, v := range m { // order: a sum is the same in any order\n\t\tn += v\n\t}\n\treturn n\n}\n"},
	{title: "a map with an empty reason", path: "sim", src: "\nfunc f(m map[int]int) {\n\t// order:\n\tfor k := range m {\n\t\t_ = k\n\t}\n}\n",
		want: "may not range over a map"},
	{title: "a reason is for one line", path: "sim",
		src:  "\nfunc f(m map[int]int) {\n\tfor range m { // order: of the line above\n\t\tfor k := range m {\n\t\t\t_ = k\n\t\t}\n\t}\n}\n",
		want: "may not range over a map"},

	// Floats.
	{title: "a float constant", path: "scenarios/locks", src: "\nconst factor = 0.01\n", want: "may not use floats: use integers"},
	{title: "a float type", path: "clock", src: "\ntype rate float64\n", want: "clock may not use floats"},
	{title: "a float from elsewhere", path: "sim", src: "\nimport \"time\"\n\nfunc f(d time.Duration) bool { return d.Seconds() > 1 }\n", want: "sim may not use floats"},
	{title: "a float among results", path: "sim", src: "\nimport \"strconv\"\n\nfunc f() { _, _ = strconv.ParseFloat(\"1\", 64) }\n", want: "sim may not use floats"},
	{title: "a float that decides nothing", path: "sim", src: "\n// float: printed, never compared\nconst factor = 0.01\n"},
	{title: "an integer that looks like a float", path: "sim", src: "\nvar n int64 = 1e9\n"},
	{title: "a picture has coordinates", path: "reports", src: "\nconst width = 0.5\n"},

	// Package comments.
	{title: "a second package comment", path: "sim", src: "// Package sim is told twice.\npackage sim\n", want: "a second package comment: move what it says into doc.go"},
	{title: "a package comment that opens wrong", path: "sim", file: "doc.go", src: "// This is sim.\npackage sim\n", want: `must open with "Package sim "`},
	{title: "a command's comment", path: "cmd/lockstorm", file: "doc.go", src: "// Command lockstorm runs scenarios.\npackage main\n"},

	// Names.
	{title: "a vague package", path: "sim", file: "doc.go", src: "// Package util is a heap.\npackage util\n", want: "util is a name for nothing: name the package"},
	{title: "a parameter without a name for its type", path: "sim", src: "\ntype door int\n\nfunc Open(d door) {}\n",
		want: "sim.Open shows " + modulePath + "/sim.door, which its user can't name"},
	{title: "a field of such a type", path: "sim", src: "\ntype door int\n\ntype House struct{ Doors []*door }\n", want: "sim.House shows"},
	{title: "a field of one that is embedded", path: "sim", src: "\ntype door int\n\ntype wall struct{ Door door }\n\ntype House struct{ wall }\n",
		want: "sim.House shows"},
	{title: "a method of an interface", path: "sim", src: "\ntype door int\n\ntype House interface{ Enter(map[string]door) }\n", want: "sim.House shows"},
	{title: "a result that has an unexported type only inside", path: "sim", src: "\ntype door int\n\ntype House struct{ d door }\n\nfunc Build() (h House) { return h }\n"},
	{title: "a type that has another name", path: "sim", src: "\ntype door int\n\ntype Door = door\n\nfunc Open(d door) {}\n"},
	{title: "a command is for nobody", path: "cmd/lockstorm", src: "\ntype door int\n\nfunc Open(d door) {}\n"},
	{title: "a vague file", path: "sim", file: "helpers_test.go", src: "\n", want: "helpers_test.go is a name for nothing: name the file"},
}

func TestTidyCatchesEachOffence(t *testing.T) {
	atRoot(t)
	need.Long(t)
	for _, s := range samples {
		t.Run(s.title, func(t *testing.T) {
			u := s.unit(t)
			var told []string
			for _, c := range checks {
				for _, o := range c.offences(u) {
					told = append(told, o.msg)
				}
			}
			switch {
			case s.want == "" && len(told) > 0:
				t.Errorf("tidy found fault with it: %q", told)
			case s.want != "" && (len(told) != 1 || !strings.Contains(told[0], s.want)):
				t.Errorf("tidy said %q, want one message with %q", told, s.want)
			}
		})
	}
}

func TestTidyRequiresADocFile(t *testing.T) {
	atRoot(t)
	u := &unit{path: "sim", fset: token.NewFileSet()}
	u.add("sim/host.go", []byte("package sim\n"))
	told := check{"packageDoc", checkPackageDoc}.offences(u)
	if len(told) != 1 || !strings.Contains(told[0].msg, "package sim has no doc.go") {
		t.Errorf("tidy said %v", told)
	}
}

func TestTidyRejectsStrayFolders(t *testing.T) {
	atRoot(t)
	got := strayFolders([]string{".github", "sim", "store", "lib", "clock", "pkg"})
	if want := "[lib pkg]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestTidyTablesNameRealPackages checks the tables themselves: a row with a wrong package name would forbid nothing.
func TestTidyTablesNameRealPackages(t *testing.T) {
	atRoot(t)
	for name, r := range house {
		for _, below := range r.module {
			if _, ok := house[below]; !ok {
				t.Errorf("%s may import %s, which is not in the house", name, below)
			}
		}
		if top, _, _ := strings.Cut(name, "/"); name != "." && len(strayFolders([]string{top})) > 0 {
			t.Errorf("%s is in no top-level folder of the house", name)
		}
	}
	all, err := goList()
	if err != nil {
		t.Fatal(err)
	}
	imports := newExporter(token.NewFileSet(), all)
	for _, b := range banned {
		for _, name := range b.names {
			if err := exists(imports, name); err != nil {
				t.Errorf("banned %s: %v", name, err)
			}
		}
	}
}

// exists says whether the standard library has a name, written as fullName writes it, or a package of that path.
func exists(imports *exporter, name string) error {
	plain := strings.NewReplacer("(", "", "*", "", ")", "").Replace(name)
	if !strings.Contains(plain, ".") {
		if !imports.known[plain] {
			return fmt.Errorf("no such package among those listed")
		}
		return nil
	}
	dot := strings.Index(plain, ".")
	pkg, err := imports.Import(plain[:dot])
	if err != nil {
		return err
	}
	first, method, isMethod := strings.Cut(plain[dot+1:], ".")
	obj := pkg.Scope().Lookup(first)
	if obj == nil {
		return fmt.Errorf("no %s in %s", first, pkg.Path())
	}
	if !isMethod {
		return nil
	}
	if found, _, _ := types.LookupFieldOrMethod(obj.Type(), true, pkg, method); found == nil {
		return fmt.Errorf("no method %s", method)
	} else if f, ok := found.(*types.Func); !ok || f.FullName() != name {
		return fmt.Errorf("it is written %s", found)
	}
	return nil
}

// unit makes the package of a sample, with a doc.go unless the sample is one.
func (s sample) unit(t *testing.T) *unit {
	t.Helper()
	all, err := goList()
	if err != nil {
		t.Fatal(err)
	}
	name := path.Base(s.path)
	if s.path == "cmd/lockstorm" {
		name = "main"
	}
	src := s.src
	if strings.HasPrefix(src, "\n") {
		src = strings.TrimRight("package "+name+"\n"+src, "\n") + "\n"
	}
	u := &unit{path: s.path, fset: token.NewFileSet()}
	base := s.file
	if base == "" {
		base = "sample.go"
	}
	u.add(s.path+"/"+base, []byte(src))
	if base != "doc.go" {
		opening := "// Package " + name
		if name == "main" {
			opening = "// Command " + path.Base(s.path)
		}
		u.add(s.path+"/doc.go", []byte(opening+" is a sample.\npackage "+name+"\n"))
	}
	u.check(pretender{newExporter(u.fset, all)}, modulePath+"/"+s.path, len(u.files))
	for _, err := range u.fails {
		t.Errorf("the sample is wrong: %v", err)
	}
	return u
}

// A pretender imports the standard library, and replaces every other package by an empty one.
type pretender struct{ std *exporter }

func (p pretender) Import(name string) (*types.Package, error) {
	if strings.Contains(strings.Split(name, "/")[0], ".") {
		empty := types.NewPackage(name, path.Base(name))
		empty.MarkComplete()
		return empty, nil
	}
	return p.std.Import(name)
}
