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
	t.Chdir(t.TempDir())
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
