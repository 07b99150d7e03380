package house

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// These numbers may only fall. A change that would pass one of them removes as much in the same commit.
const (
	rootLinesMax = 70_000 // lines of Go outside tests in the root module
	allLinesMax  = 93_000 // lines of Go outside tests in all modules together
	wideMax      = 460    // Go files with a line of more than columnsMax characters
	dialectMax   = 120    // words of the dialect in comments and pages
	wordsMax     = 50_000 // words of all pages
)

// columnsMax bounds a line of code. A tab counts as one. A raw string may be wider, because it may quote a script.
const columnsMax = 120

// dialect has words and phrases that a newcomer stumbles over. Plain English has a shorter one for each. Harmless uses
// are counted too.
var dialect = regexp.MustCompile(`(?i)\b(` + strings.Join([]string{
	"stands?", "nobody", "beside", "(of|on) (its|their|his|one's) own", "(goes|go|went) on", "so (many|much)", "ow(e|es|ed)", "whoever",
	"somebody('s)?", "(is|are) to", "(comes|come|came) (to|of)", "none of", "(that|those) of", "of which", "that which",
	"all that", "(all|what) else", "can be had", "at hand", "anew", "may not", "need not", "at once", "side by side",
	"(make|makes|made) (a )?runs?", "strikes?", "struck", "drawn", "the least", "(is|are) over", "tells?", "told", "but for",
	"an? find", "nor", "gives?",
}, "|") + `)\b`)

// dialectIn counts words of the dialect in a text. A phrase may be broken across lines.
func dialectIn(text string) int {
	return len(dialect.FindAllString(strings.Join(strings.Fields(text), " "), -1))
}

// A source is a Go file of any module.
type source struct {
	name string
	root bool // its module is the root module
	text []byte
	tree *ast.File
	fset *token.FileSet
}

func (s source) isTest() bool { return strings.HasSuffix(s.name, "_test.go") }

// files returns the names of the files with an extension in all modules, in the order of a walk. Test data, kept runs
// and what is hidden, such as .git and .ci, are left out.
func files(extension string) (names []string, err error) {
	err = filepath.WalkDir(".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (name == "store" || e.Name() == "testdata" || e.Name() == "node_modules" || strings.HasPrefix(e.Name(), ".") && name != "." && name != ".ci" && name != ".github"):
			return filepath.SkipDir
		case !e.IsDir() && filepath.Ext(name) == extension:
			names = append(names, filepath.ToSlash(name))
		}
		return nil
	})
	return names, err
}

// isOfAnotherModule reports whether a go.mod file lies between a file and the root folder.
func isOfAnotherModule(name string) bool {
	for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return true
		}
	}
	return false
}

// sources reads every Go file of all modules.
var sources = sync.OnceValues(func() (all []source, err error) {
	names, err := files(".go")
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		tree, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		all = append(all, source{name, !isOfAnotherModule(name), text, tree, fset})
	}
	return all, nil
})

// wide returns the first line that has too many characters; 0 for none.
func (s source) wide() int {
	raw := map[int]bool{}
	ast.Inspect(s.tree, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && strings.HasPrefix(lit.Value, "`") {
			for l := s.fset.Position(lit.Pos()).Line; l <= s.fset.Position(lit.End()).Line; l++ {
				raw[l] = true
			}
		}
		return true
	})
	for i, line := range strings.Split(string(s.text), "\n") {
		if len([]rune(line)) > columnsMax && !raw[i+1] {
			return i + 1
		}
	}
	return 0
}

// TestNumbersDoNotRise compares the repository with the numbers above.
func TestNumbersDoNotRise(t *testing.T) {
	atRoot(t)
	all, err := sources()
	if err != nil {
		t.Fatal(err)
	}
	pages, err := files(".md")
	if err != nil {
		t.Fatal(err)
	}
	root, lines, wide, words, spoken := 0, 0, 0, 0, 0
	var places []string // of the dialect
	speak := func(name, text string) {
		spoken += dialectIn(text)
		for _, word := range dialect.FindAllString(text, -1) {
			places = append(places, name+": "+word)
		}
	}
	for _, s := range all {
		if n := bytes.Count(s.text, []byte("\n")); !s.isTest() {
			lines += n
			if s.root {
				root += n
			}
		}
		if s.wide() > 0 {
			wide++
		}
		for _, c := range s.tree.Comments {
			speak(s.name, c.Text())
		}
	}
	for _, name := range pages {
		text := read(t, name)
		words += len(strings.Fields(text))
		speak(name, text)
	}
	for _, n := range []struct {
		what      string
		have, may int
		instead   string
	}{
		{"lines of Go outside tests in the root module", root, rootLinesMax, "remove as many"},
		{"lines of Go outside tests in all modules", lines, allLinesMax, "remove as many"},
		{"Go files with a line over 120 columns", wide, wideMax, "wrap the lines"},
		{"words of the dialect in comments and pages", spoken, dialectMax, "write in plain words"},
		{"words in all pages", words, wordsMax, "shorten a page"},
	} {
		t.Logf("%d %s, at most %d", n.have, n.what, n.may)
		if n.have > n.may {
			t.Errorf("%d %s, and at most %d are allowed: %s", n.have, n.what, n.may, n.instead)
		}
	}
	if spoken > dialectMax {
		t.Log(strings.Join(places, "\n"))
	}
}

func TestDialectIsFoundAcrossLines(t *testing.T) {
	atRoot(t)
	for text, want := range map[string]int{
		"It stands beside the door.": 2, "A lock of its\nown. Nobody\ngoes  on.": 3, "The standard lock belongs to one client.": 0,
	} {
		if got := dialectIn(text); got != want {
			t.Errorf("%q has %d, want %d", text, got, want)
		}
	}
}

func TestWideLineIsFound(t *testing.T) {
	atRoot(t)
	wide := strings.Repeat("x", columnsMax)
	for text, want := range map[string]int{"// " + wide: 3, "const c = `" + wide + "`": 0, "// " + wide[3:]: 0} {
		fset := token.NewFileSet()
		s := source{text: []byte("package a\n\n" + text + "\n"), fset: fset}
		var err error
		if s.tree, err = parser.ParseFile(fset, "a.go", s.text, parser.ParseComments); err != nil || s.wide() != want {
			t.Errorf("%s: line %d, want %d: %v", text, s.wide(), want, err)
		}
	}
}
