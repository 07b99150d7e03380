package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the README's examples")

// example is a command in the README and what it prints.
var example = regexp.MustCompile("(?s)(<!-- lockstorm ([^\n]*) -->\n```text\n)(.*?)(```\n<!-- end -->)")

// The README shows what its commands print; this keeps it true. Rewrite it with go test ./cmd/lockstorm -update.
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
	found := 0
	want := example.ReplaceAllStringFunc(string(text), func(block string) string {
		found++
		part := example.FindStringSubmatch(block)
		out, _, _ := lockstorm(strings.Fields(part[2])...)
		return part[1] + out + part[4]
	})
	if found < 2 {
		t.Fatalf("only %d examples found", found)
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
