package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the examples of the README and its pages")

// example is a command in the README, and what it prints: text in a fence, Markdown without one.
var example = regexp.MustCompile("(?s)<!-- lockstorm ([^\n]*) -->\n(.*?)<!-- end -->")

// current gives the example as it should be.
func current(t *testing.T, block string) string {
	part := example.FindStringSubmatch(block)
	out, errs, code := lockstorm(strings.Fields(part[1])...)
	finds := strings.HasPrefix(part[1], "check ") || strings.HasPrefix(part[1], "fuzz redlock/any ") // which are there to find something
	if code != exitAsExpected && (code != exitNotAsExpected || !finds) {
		t.Errorf("lockstorm %s: exit %d\n%s%s", part[1], code, out, errs)
	}
	before, after := "\n", "\n"
	if strings.HasPrefix(part[2], "```text\n") {
		before, after = "```text\n", "```\n"
	}
	return "<!-- lockstorm " + part[1] + " -->\n" + before + out + after + "<!-- end -->"
}

// pages are the README and those that it leads to, with how many examples each has.
var pages = []struct {
	file     string
	examples int
}{
	{"README.md", 4},
	{"scenarios/README.md", 3},
	{"scenarios/campaign/README.md", 5},
	{"checker/README.md", 3},
}

// The pages show what their commands print; this keeps them true. Rewrite them with go test ./cmd/lockstorm -update.
func TestThePagesShowWhatTheirCommandsPrint(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes tables of whole suites: the run without -short has it")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir() // for the store; the files that commands name are found as from the root of the repository
	if err := os.Symlink(filepath.Join(root, "cmd"), filepath.Join(dir, "cmd")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, page := range pages {
		file := filepath.Join(root, page.file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		want := example.ReplaceAllStringFunc(string(text), func(block string) string {
			found++
			return current(t, block)
		})
		if found != page.examples {
			t.Errorf("%s has %d examples, want %d", page.file, found, page.examples)
		}
		switch {
		case want == string(text):
		case !*update:
			t.Errorf("the examples of %s are not current: run go test ./cmd/lockstorm -update", page.file)
		default:
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The page on judging shows the history that it judges.
func TestThePageOnJudgingShowsTheHistoryThatItJudges(t *testing.T) {
	readme, err := os.ReadFile("../../checker/README.md")
	if err != nil {
		t.Fatal(err)
	}
	history, err := os.ReadFile("testdata/history.edn")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "```clojure\n"+string(history)+"```\n") {
		t.Error("checker/README.md shows another history than testdata/history.edn")
	}
}
