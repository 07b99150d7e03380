package command

import (
	"os"
	"strings"
	"testing"
)

// The README stays short enough to be read.
func TestReadmeIsShort(t *testing.T) {
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if lines, words := strings.Count(string(text), "\n"), len(strings.Fields(string(text))); lines > 200 || words > 2000 {
		t.Errorf("README.md has %d lines and %d words; want at most 200 and 2000", lines, words)
	}
}

// The page on judging shows the history that it judges.
func TestJudgingPageShowsTheHistoryItJudges(t *testing.T) {
	readme, err := os.ReadFile("../../../checker/README.md")
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
