package house

import (
	"regexp"
	"strings"
	"testing"
)

// pageMax bounds the words of a page, with those that commands print.
const pageMax = 2_500

var opening = regexp.MustCompile(`^# .+\n\nFor `)

// Each page says first who needs it. README is for everybody, and .github has forms.
func TestEachPageBeginsWithItsReaders(t *testing.T) {
	atRoot(t)
	pages, err := files(".md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range pages {
		text := read(t, name)
		if name != "README.md" && !strings.HasPrefix(name, ".github/") && !opening.MatchString(text) {
			t.Errorf("%s: begin with the readers, and what they can do after the page: For users who …", name)
		}
		if n := len(strings.Fields(text)); n > pageMax {
			t.Errorf("%s has %d words, and at most %d are allowed: shorten or split it", name, n, pageMax)
		}
	}
}

// The README has a path for each kind of reader.
func TestTheReadmeHasAPathForEachReader(t *testing.T) {
	atRoot(t)
	_, table, _ := strings.Cut(read(t, "README.md"), "## Where to go\n")
	table, _, _ = strings.Cut(table, "\n## ")
	for _, reader := range []string{"test your lock", "run it in CI", "follow the debate", "measure", "contribute"} {
		if !regexp.MustCompile(`(?m)^\| ` + reader + `[^|]*\| .*\]\(`).MatchString(table) {
			t.Errorf("README names no page for a reader who wants to %s", reader)
		}
	}
}
