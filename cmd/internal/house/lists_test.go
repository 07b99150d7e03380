package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	goFile = regexp.MustCompile(`\b(\w+\.go)(?:[^\w.]|\.\s)`)
	system = regexp.MustCompile(`_(linux|other|unix|windows)\.go$`) // a part of a file, for some systems
)

// fileList returns what a package comment says wrongly of the package's files: those that it leaves out although it
// names half of them or more, and those that it names and that don't exist.
func fileList(comment string, files []string) (lacking, missing []string) {
	named := map[string]bool{}
	for _, m := range goFile.FindAllStringSubmatch(comment, -1) {
		named[m[1]] = true
	}
	for _, name := range files {
		if !named[name] {
			lacking = append(lacking, name)
		}
		delete(named, name)
	}
	if 2*len(lacking) > len(files) {
		lacking = nil
	}
	for name := range named {
		missing = append(missing, name)
	}
	return lacking, missing
}

// A package comment that lists the files of its package lists all of them, because readers look there first.
func TestEachListOfFilesIsWhole(t *testing.T) {
	atRoot(t)
	all, err := files(".go")
	if err != nil {
		t.Fatal(err)
	}
	inFolder, whole := map[string][]string{}, 0
	for _, file := range all {
		dir, name := filepath.Split(file)
		if name != "doc.go" && !strings.HasSuffix(name, "_test.go") && !system.MatchString(name) {
			inFolder[dir] = append(inFolder[dir], name)
		}
	}
	for dir, names := range inFolder {
		text, err := os.ReadFile(dir + "doc.go")
		if err != nil {
			continue // the tidy test asks for it
		}
		lacking, missing := fileList(string(text), names)
		for _, name := range lacking {
			t.Errorf("%sdoc.go lists the files, and leaves out %s: say what it has", dir, name)
		}
		for _, name := range missing {
			t.Errorf("%sdoc.go names %s, which does not exist", dir, name)
		}
		if goFile.Match(text) && len(lacking) == 0 {
			whole++
		}
	}
	if whole < 8 {
		t.Errorf("only %d lists were read", whole)
	}
}

func TestListsOfFilesCanFail(t *testing.T) {
	for _, c := range []struct{ comment, lacking, missing string }{
		{"a.go begins, b.go ends, c.go prints.\n", "", ""},
		{"a.go begins, b.go ends.", "c.go", ""},
		{"See a.go.", "", ""},
		{"a.go begins, b.go ends, c.go prints, d.go went, see pkg.go.dev/x.", "", "d.go"},
	} {
		lacking, missing := fileList(c.comment, []string{"a.go", "b.go", "c.go"})
		if strings.Join(lacking, " ") != c.lacking || strings.Join(missing, " ") != c.missing {
			t.Errorf("%s: leaves out %v, wrongly names %v", c.comment, lacking, missing)
		}
	}
}
