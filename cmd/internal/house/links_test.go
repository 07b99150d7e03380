package house

import (
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
	unsaid  = regexp.MustCompile(`[^\pL\pN _-]`) // anchors leave these characters out
)

// Every link of a page that leads into the repository leads to a file, and to a heading of it if it names one.
func TestEveryLinkHasATarget(t *testing.T) {
	atRoot(t)
	pages, err := files(".md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range pages {
		for _, m := range link.FindAllStringSubmatch(read(t, file), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if found++; !leads(t, file, m[1]) {
				t.Errorf("%s: the link %s leads nowhere", file, m[1])
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d links", found)
	}
}

// leads reports whether the target of a link exists.
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
