package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// planted is a small repository with four things to make: what a command prints, what another does not print, a figure, and a search
// that takes long.
func planted(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("go.mod", "module github.com/lockstorm/lockstorm\n")
	list := mustRun(t, 0, "study")
	run := mustRun(t, 0, "run", "baseline/fault-free", "--no-store")
	block := func(command, out string) string {
		return "<!-- lockstorm " + command + " -->\n```text\n" + strings.TrimRight(out, "\n") + "\n```\n\nMade by `lockstorm " + command + "`.\n<!-- end -->\n\n"
	}
	put("right.md", block("study", list)+block("fuzz redlock/any --runs 400000 --store rows", "It takes long."))
	put("wrong.md", block("run baseline/fault-free --no-store", strings.Replace(run, "PASS", "GOOD", 1))+
		"![A figure](gc-pause.timeline.svg)\n\nMade by `lockstorm run kleppmann/gc-pause` and `lockstorm report store/latest`.\n")
	svg, err := os.ReadFile("../../../../reports/pictures/gc-pause.timeline.svg")
	if err != nil {
		t.Fatal(err)
	}
	put("gc-pause.timeline.svg", string(svg))
	return dir
}

// The report separates the items that equal the commit from the others, and shows the first line that differs.
func TestEveryTableIsRemadeAndAPlantedDifferenceFound(t *testing.T) {
	t.Setenv(asCommand, "1")
	sources, out := planted(t), filepath.Join(t.TempDir(), "out")
	some := []string{"paper", "--program", os.Args[0], "--sources", sources, "--out", out, "--only", "right-study", "--only", "figure*"}
	if text := mustRun(t, 0, some...); !strings.Contains(text, "2 items: 2 equal, 0 differ, 0 made with nothing to compare, 0 failed\n") {
		t.Fatal(text)
	}
	bytesOf := func(name string) string {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	text, _, code := lockstorm(append(some, "--only", "wrong*")...)
	if want := "3 items: 2 equal, 1 differ, "; !strings.Contains(text, want) || !strings.Contains(text, "\n-GOOD") || !strings.Contains(text, "\n+PASS") {
		t.Errorf("it lacks %q or the difference:\n%s", want, text)
	}
	if code != 1 || !strings.Contains(text, "equal    right-study: lockstorm study\n") {
		t.Errorf("exit %d: %s", code, text)
	}
	if bytesOf("results/wrong-run.txt") == "" || bytesOf("results/figure-gc-pause.timeline.svg") == "" {
		t.Error("a result is empty")
	}
}

// An interrupt ends the running command, and the report counts what was made.
func TestInterruptKeepsTheRest(t *testing.T) {
	t.Setenv(asCommand, "1")
	sources, out := planted(t), filepath.Join(t.TempDir(), "out")
	c := start(t, "paper", "--program", os.Args[0], "--sources", sources, "--out", out, "--only", "right*")
	for range 12_000 {
		if found, _ := filepath.Glob(filepath.Join(out, "work", "right-fuzz", "rows", "block-*")); len(found) > 2 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	c.end(t, 130)
	if !strings.Contains(c.out.String(), "2 items: 1 equal, 0 differ, ") {
		t.Errorf("it prints\n%s%s", c.out.String(), c.errs.String())
	}
}

func TestPaperRejectsBadInput(t *testing.T) {
	dir := t.TempDir()
	for args, want := range map[string]string{
		"paper pause":             "paper takes no argument",
		"paper --sources " + dir:  "has no go.mod of",
		"paper --only nothing":    "no item is called nothing",
		"paper --only [":          "is not a pattern",
		"paper --out x --only no": "no item is called no",
	} {
		if _, errs, code := lockstorm(strings.Fields(args)...); code != 254 || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d, %s; want %q", args, code, errs, want)
		}
	}
}
