package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// commandLinesMost is how long a command's file may be: it is flags, one call, one print.
const commandLinesMost = 120

func TestCommandIsShortAndItsHelpIsAFile(t *testing.T) {
	made := regexp.MustCompile(`(?m)^func new\w+\(\) \*cobra\.Command`)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(text), "\n"); !strings.HasSuffix(name, "_test.go") && made.Match(text) && lines > commandLinesMost {
			t.Errorf("%s has %d lines, more than %d: move what it computes down, and what it checks and writes beside it", name, lines, commandLinesMost)
		}
	}
	told := map[string]bool{}
	for _, c := range newRoot().Commands() {
		told["help/"+c.Name()+".txt"] = true
		for _, below := range c.Commands() {
			told["help/"+c.Name()+"-"+below.Name()+".txt"] = true
		}
	}
	for _, name := range must(filepath.Glob("help/*")) {
		if !told[filepath.ToSlash(name)] {
			t.Errorf("%s is the help of no command", name)
		}
	}
}

func must(names []string, err error) []string {
	if err != nil {
		panic(err)
	}
	return names
}
