package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the README's examples")

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

// slow are the commands whose tables take seconds.
var slow = []string{"calibrate ", "test ", "matrix ", "efficiency ", "fuzz redlock/* "}

// The README shows what its commands print; this keeps it true. Rewrite it with go test ./cmd/lockstorm -update. With
// -short the tables of whole suites, and the matrix, which take seconds, are believed as they stand.
func TestTheReadmeShowsWhatItsCommandsPrint(t *testing.T) {
	file, err := filepath.Abs("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir() // for the store; the files that commands name are found as from the root of the repository
	if err := os.Symlink(filepath.Join(filepath.Dir(file), "cmd"), filepath.Join(dir, "cmd")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	found, suites := 0, 0
	want := example.ReplaceAllStringFunc(string(text), func(block string) string {
		found++
		if slices.ContainsFunc(slow, func(command string) bool { return strings.HasPrefix(block, "<!-- lockstorm "+command) }) {
			if suites++; testing.Short() {
				t.Log("not made again, for -short: " + strings.SplitN(block, "\n", 2)[0])
				return block
			}
		}
		return current(t, block)
	})
	if found < 7 || suites < 3 {
		t.Fatalf("only %d examples found, %d of them of suites", found, suites)
	}
	switch {
	case want == string(text):
	case !*update:
		t.Error("the README's examples are not current: run go test ./cmd/lockstorm -update")
	default:
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The README shows the history that it judges.
func TestTheReadmeShowsTheHistoryThatItJudges(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	history, err := os.ReadFile("testdata/history.edn")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "```clojure\n"+string(history)+"```\n") {
		t.Error("the README shows another history than testdata/history.edn")
	}
}
