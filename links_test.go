package lockstorm_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	unsaid  = regexp.MustCompile(`[^\pL\pN _-]`) // what an anchor leaves out of its heading
)

// Every link of the documents that leads into the repository leads to a file, and to a heading of it if it names one.
func TestEveryLinkOfTheDocumentsLeadsSomewhere(t *testing.T) {
	found := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "store"):
			return fs.SkipDir
		case filepath.Ext(file) != ".md":
			return nil
		}
		for _, m := range link.FindAllStringSubmatch(read(t, file), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if found++; !leads(t, file, m[1]) {
				t.Errorf("%s: the link %s leads nowhere", file, m[1])
			}
		}
		return nil
	})
	if err != nil || found < 20 {
		t.Errorf("%d links, %v", found, err)
	}
}

// leads reports whether a link of a document leads somewhere.
func leads(t *testing.T, from, to string) bool {
	path, anchor, _ := strings.Cut(to, "#")
	file := from
	if path != "" {
		file = filepath.Join(filepath.Dir(from), path)
	}
	if _, err := os.Stat(file); err != nil || anchor == "" {
		return err == nil
	}
	return slices.ContainsFunc(heading.FindAllStringSubmatch(read(t, file), -1), func(m []string) bool {
		return strings.ReplaceAll(unsaid.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-") == anchor
	})
}

func read(t *testing.T, file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
