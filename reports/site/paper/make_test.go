package paper

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports"
)

// program acts as lockstorm: it prints a word, ends with a code, prints a page with a picture, or writes one to a
// file.
const program = `#!/bin/sh
case "$1" in
say) echo "$2" ;;
end) echo out; echo no >&2; exit "$2" ;;
plot) mkdir figures; echo "<svg c></svg>" > figures/c.svg; echo "$2" ;;
draw) echo "<html><svg a></svg></html>" ;;
file) echo "<svg other></svg>" > a-other.svg; echo "<svg b></svg>" > "$2" ;;
esac
`

func put(file string, text []byte) error {
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, text, 0o644))
}

// remake returns a Remake in new folders.
func remake(t *testing.T, has string) *Remake {
	t.Helper()
	m := &Remake{Sources: t.TempDir(), Dir: t.TempDir(), Write: put, Log: io.Discard}
	m.Program = filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(m.Program, []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
	m.Has = func(_, flag string) bool { return slices.Contains(strings.Fields(has), flag) }
	write(t, m.Sources, "one.svg", "<svg a></svg>\n")
	write(t, m.Sources, "two.svg", "<svg b></svg>\n")
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

// Each item is compared with the committed one, except items that were made with another number of runs.
func TestItemOutcomes(t *testing.T) {
	study := func(command string) Item { return Item{Name: "x", Kind: Study, Command: strings.Fields(command)} }
	for _, c := range []struct {
		item Item
		runs int
		has  string // flags of the command
		want State
		says string
		file string
	}{
		{printed("say old", "old"), 0, "runs", Same, "", "old\n"},
		{printed("say new", "old"), 0, "runs", Differs, "from line 3 on", "new\n"},
		{printed("say old --runs 2", "old"), 0, "runs", Same, "", "old\n"},
		{printed("say old", "old"), 5, "", Same, "", "old\n"},
		{printed("say new", "old"), 5, "", Differs, "from line 3 on", "new\n"},
		{printed("say new", "old"), 5, "runs", Tried, "", "new\n"},
		{printed("end 1", "out"), 0, "", Same, "", "out\n"}, // an example may show what a red run prints
		{printed("end 2", "out"), 0, "", Failed, "no", ""},
		{study("plot it"), 0, "", New, "", "it\n"},
		{study("plot it"), 5, "", Tried, "", "it\n"},
		{study("end 1"), 0, "", Failed, "no", ""},
		{figure("one.svg", "draw"), 0, "", Same, "", "<svg a></svg>\n"},
		{figure("two.svg", "draw"), 0, "", Differs, "+<svg a>", "<svg a></svg>\n"},
		{figure("two.svg", "file two.svg"), 0, "", Same, "", "<svg b></svg>\n"},
	} {
		m := remake(t, c.has)
		m.Runs = c.runs
		all, err := m.Make(context.Background(), []Item{c.item})
		if err != nil || len(all) != 1 {
			t.Fatalf("%q: %v, %v", c.item.Command, all, err)
		}
		r := all[0]
		if r.State != c.want || !strings.Contains(r.Difference, c.says) || c.says == "" && r.Difference != "" {
			t.Errorf("%q, %d runs: %s, %q; want %s, %q", c.item.Command, c.runs, r.State, r.Difference, c.want, c.says)
		}
		if text := Report(all).Text(reports.Screen{}); !strings.Contains(text, r.Difference) {
			t.Errorf("%q: the report does not say %q", c.item.Command, r.Difference)
		}
		if c.file == "" {
			continue
		}
		if text, err := os.ReadFile(filepath.Join(m.Dir, r.Files[0])); string(text) != c.file || err != nil {
			t.Errorf("%q: %q, %v; want %q", c.item.Command, text, err, c.file)
		}
	}
	m := remake(t, "")
	if _, err := m.Make(context.Background(), []Item{figure("one.svg", "say nothing")}); err == nil || !strings.Contains(err.Error(), "no picture one.svg") {
		t.Errorf("a command that draws nothing: %v", err)
	}
}

// A command shows no progress, and makes few runs where few are wanted.
func TestACommandIsAdaptedToItsFlags(t *testing.T) {
	for _, c := range []struct{ has, command, want string }{
		{"progress", "sweep a --store kept", "sweep a --store kept --progress none"},
		{"resume", "sweep a", "sweep a"},
		{"runs more", "bound a", "bound a --runs 7 --more 0"},
		{"runs", "run a", "run a"},
		{"progress", "bound a --quiet", "bound a --quiet"},
	} {
		m := remake(t, c.has)
		m.Runs = 7
		if got := strings.Join(m.adapted(strings.Fields(c.command)), " "); got != c.want {
			t.Errorf("%s, with %s: %s, want %s", c.command, c.has, got, c.want)
		}
	}
}
