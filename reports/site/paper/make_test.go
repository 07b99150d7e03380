package paper

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// program acts as lockstorm: it prints a word, ends with a code, prints a page with a picture, or writes one to a
// file.
const program = `#!/bin/sh
case "$1" in
say) echo "$2" ;;
end) echo out; echo no >&2; exit "$2" ;;
draw) echo "<html><svg a></svg></html>" ;;
file) echo "<svg other></svg>" > a-other.svg; echo "<svg b></svg>" > "$2" ;;
esac
`

func put(file string, text []byte) error {
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, text, 0o644))
}

// planted returns a remake in new folders.
func planted(t *testing.T) *remake {
	t.Helper()
	m := &remake{sources: t.TempDir(), dir: t.TempDir(), program: filepath.Join(t.TempDir(), "program")}
	if err := os.WriteFile(m.program, []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, m.sources, "one.svg", "<svg a></svg>\n")
	write(t, m.sources, "two.svg", "<svg b></svg>\n")
	return m
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// printed returns an example whose page says that its command prints a text.
func printed(command, text string) Item {
	whole := "<!-- lockstorm " + command + " -->\n```text\n" + text + "\n```\n\nMade by `lockstorm " + command + "`.\n<!-- end -->"
	return Item{Name: "x", Kind: Example, Command: strings.Fields(command), snippet: Snippets(whole)[0]}
}

func figure(file, command string) Item {
	return Item{Name: "x", Kind: Figure, File: file, Command: strings.Fields(command)}
}

// Each item is compared with the committed one.
func TestItemOutcomes(t *testing.T) {
	study := func(command string) Item { return Item{Name: "x", Kind: Study, Command: strings.Fields(command)} }
	for _, c := range []struct {
		item Item
		want state
		says string
	}{
		{printed("say old", "old"), equal, ""},
		{printed("say new", "old"), differs, "line 3; - is committed, + was made now\n-old\n+new\n"},
		{printed("end 1", "out"), equal, ""}, // an example may show what a red run prints
		{printed("end 2", "out"), failed, "no\nexit status 2\n"},
		{study("say it"), made, ""},
		{study("end 1"), failed, "no\nexit status 1\n"},
		{figure("one.svg", "draw"), equal, ""},
		{figure("two.svg", "draw"), differs, "line 1; - is committed, + was made now\n-<svg b></svg>\n+<svg a></svg>\n"},
		{figure("two.svg", "file two.svg"), equal, ""},
	} {
		if got, note, err := planted(t).make(t.Context(), &c.item); err != nil || got != c.want || note != c.says {
			t.Errorf("%q: %s, %q, %v; want %s, %q", c.item.Command, got, note, err, c.want, c.says)
		}
	}
	nothing := figure("one.svg", "say nothing")
	if _, _, err := planted(t).make(t.Context(), &nothing); err == nil || !strings.Contains(err.Error(), "no picture one.svg") {
		t.Errorf("a command that draws nothing: %v", err)
	}
}
