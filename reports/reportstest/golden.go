package reportstest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// Update reports whether tests must rewrite golden files.
var Update = flag.Bool("update", false, "rewrite golden files")

// Scenario returns a scenario of the catalogue, changed.
func Scenario(t testing.TB, id string, set ...string) *scenarios.Scenario {
	t.Helper()
	s, ok := scenarios.Find(id)
	if !ok {
		t.Fatalf("there is no scenario %q", id)
	}
	for _, change := range set {
		if err := s.Set(change); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	return &s
}

// Golden compares a text with its file, or rewrites the file.
func Golden(t *testing.T, name, got string) {
	t.Helper()
	GoldenFile(t, name+".txt", got)
}

// GoldenFile compares a text with a file of testdata.
func GoldenFile(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *Update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not current: run its test with -update and read the difference.\n%s", file, got)
	}
}

// Tidy sees that a line fits a page and ends in no blank.
func Tidy(t *testing.T, line string) {
	t.Helper()
	if n := utf8.RuneCountInString(line); n > 120 {
		t.Errorf("a line of %d columns: %s", n, line)
	}
	if strings.TrimRight(line, " \t") != line || !utf8.ValidString(line) {
		t.Errorf("a line ends in blanks, or is no text: %q", line)
	}
}

// Long reports whether the long proofs run too; CONTRIBUTING says what they are.
var Long = simtest.Long
