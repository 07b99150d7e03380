package paper

import (
	"bytes"
	"errors"
	"fmt"
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

// remake returns a Remake in new folders, and what it prints.
func remake(t *testing.T) (*Remake, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	m := &Remake{Sources: t.TempDir(), Dir: t.TempDir(), Write: put, Out: &out}
	m.Program = filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(m.Program, []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, m.Sources, "one.svg", "<svg a></svg>\n")
	write(t, m.Sources, "two.svg", "<svg b></svg>\n")
	return m, &out
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
		want State
		says string
		file string
	}{
		{printed("say old", "old"), Equal, "", "old\n"},
		{printed("say new", "old"), Differs, "line 3; - is committed, + was made now\n-old\n+new\n", "new\n"},
		{printed("end 1", "out"), Equal, "", "out\n"}, // an example may show what a red run prints
		{printed("end 2", "out"), Failed, "no\nexit status 2\n", ""},
		{study("say it"), Made, "", "it\n"},
		{study("end 1"), Failed, "no\nexit status 1\n", ""},
		{figure("one.svg", "draw"), Equal, "", "<svg a></svg>\n"},
		{figure("two.svg", "draw"), Differs, "-<svg b></svg>\n+<svg a></svg>\n", "<svg a></svg>\n"},
		{figure("two.svg", "file two.svg"), Equal, "", "<svg b></svg>\n"},
	} {
		m, out := remake(t)
		counts, err := m.Make(t.Context(), []Item{c.item})
		line := fmt.Sprintf("%-7s  x:  %s\n", c.want, strings.Join(c.item.Command, " "))
		if said := out.String(); err != nil || counts[c.want] != 1 || !strings.HasPrefix(said, line) ||
			!strings.HasSuffix(said, c.says) || c.says == "" && said != line {
			t.Errorf("%q: %v, %v; want %s, %q\n%s", c.item.Command, counts, err, c.want, c.says, said)
		}
		var kept string
		files, err := filepath.Glob(filepath.Join(m.Dir, "results", "x.*"))
		for _, f := range files {
			text, failed := os.ReadFile(f)
			kept, err = kept+string(text), errors.Join(err, failed)
		}
		if kept != c.file || err != nil {
			t.Errorf("%q: %q, %v; want %q", c.item.Command, kept, err, c.file)
		}
	}
	m, _ := remake(t)
	if _, err := m.Make(t.Context(), []Item{figure("one.svg", "say nothing")}); err == nil || !strings.Contains(err.Error(), "no picture one.svg") {
		t.Errorf("a command that draws nothing: %v", err)
	}
}
