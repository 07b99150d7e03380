package command

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
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
	put("LICENSE", "Do as you like.\n")
	put("CITATION.cff", "cff-version: 1.2.0\n")
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

// What is as it is committed is told from what is not, with the lines that differ; what was made is not made again.
func TestEveryTableIsMadeAgainAndAPlantedDifferenceIsSeen(t *testing.T) {
	t.Setenv(asCommand, "1")
	sources, out := planted(t), filepath.Join(t.TempDir(), "out")
	some := []string{"paper", "--program", os.Args[0], "--sources", sources, "--out", out, "--only", "right-study", "--only", "figure*"}
	if text := mustRun(t, 0, some...); !strings.Contains(text, "PASS: 2 items: 2 as committed; ") {
		t.Fatal(text)
	}
	bytesOf := func(name string) string {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	before := bytesOf("times.json")
	all := append(some, "--only", "wrong*")
	text, errs, code := lockstorm(all...)
	if want := "FAIL: 3 items: 2 as committed, 1 not; "; !strings.Contains(text, want) {
		t.Errorf("it lacks %q:\n%s", want, text)
	}
	if code != 1 || !strings.Contains(errs, "right-study: same, made before\n") || strings.Contains(errs, "wrong-run: differs, made before") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if d := bytesOf("differences.txt"); !strings.Contains(d, "\n-GOOD") || !strings.Contains(d, "\n+PASS") {
		t.Errorf("differences.txt has\n%s", d)
	}
	sums := bytesOf("SHA256SUMS")
	for line := range strings.Lines(sums) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if got := fmt.Sprintf("%x", sha256.Sum256([]byte(bytesOf(name)))); got != sum {
			t.Errorf("%s has the sum %s, and SHA256SUMS %s", name, got, sum)
		}
	}
	for _, want := range []string{"README.md", "CITATION.cff", "LICENSE", "environment.json", "sources.tar.gz", "results/wrong-run.txt", "results/figure-gc-pause.timeline.svg"} {
		if !strings.Contains(sums, "  "+want+"\n") {
			t.Errorf("SHA256SUMS lacks %s:\n%s", want, sums)
		}
	}
	for line := range strings.Lines(before) {
		if after := bytesOf("times.json"); strings.Contains(line, "seconds") && !strings.Contains(after, line) {
			t.Errorf("what was made before has other times now:\n%s\n%s", before, after)
		}
	}
	// Made once more, elsewhere, all is the same but the times.
	again := filepath.Join(t.TempDir(), "out")
	all[6] = again
	lockstorm(all...)
	a, b := unzipped(t, out+".zip"), unzipped(t, again+".zip")
	for name := range a {
		if a[name] != b[name] && name != "out/times.json" {
			t.Errorf("%s is another one when it is made again", name)
		}
	}
	if len(a) != len(b) || a["out/times.json"] == "" {
		t.Errorf("the archives have %d and %d files", len(a), len(b))
	}
	if text, _, code := lockstorm("paper", "--program", os.Args[0], "--sources", sources, "--out", filepath.Join(t.TempDir(), "few"), "--runs", "3", "--only", "right-fuzz"); code != 2 ||
		!strings.Contains(text, "UNKNOWN: 1 item: 1 tried with other numbers of runs, which is no comparison; ") {
		t.Errorf("few runs: exit %d\n%s", code, text)
	}
}

// blocks counts the blocks in a directory.
func blocks(dir string) int {
	found, _ := filepath.Glob(filepath.Join(dir, "block-*"))
	return len(found)
}

// until waits until a directory has more blocks than n.
func (c *child) until(t *testing.T, dir string, n int) {
	t.Helper()
	for range 12_000 {
		if blocks(dir) > n {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no block after %d within 2 minutes: %s%s", n, c.out.String(), c.errs.String())
}

func unzipped(t *testing.T, file string) map[string]string {
	t.Helper()
	z, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	all := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all[f.Name] = string(text)
	}
	return all
}

// A killed run goes on where it was: what was whole is kept, and of a search the rows.
func TestAKilledPaperGoesOn(t *testing.T) {
	t.Setenv(asCommand, "1")
	sources, out := planted(t), filepath.Join(t.TempDir(), "out")
	args := []string{"paper", "--program", os.Args[0], "--sources", sources, "--out", out, "--only", "right*"}
	c := start(t, args...)
	rows := filepath.Join(out, "work", "right-fuzz", "rows")
	c.until(t, rows, 2)
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	kept := blocks(rows)
	d := start(t, args...)
	d.until(t, rows, kept+2)
	if err := d.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- d.Wait() }()
	select {
	case <-ended:
	case <-time.After(2 * time.Minute):
		t.Fatal("an interrupt does not end it")
	}
	if code := d.ProcessState.ExitCode(); code != 130 || !bytes.Contains(d.errs.Bytes(), []byte("right-study: same, made before\n")) ||
		!strings.Contains(d.out.String(), "UNKNOWN: 2 items: 1 as committed, 1 left; ") {
		t.Errorf("exit %d\n%s%s", code, d.out.String(), d.errs.String())
	}
	var items []struct{ Name, State string }
	if text, err := os.ReadFile(filepath.Join(out, "items.json")); err != nil || json.Unmarshal(text, &items) != nil || items[1].State != "left" {
		t.Errorf("%+v, %v", items, err)
	}
}

func TestPaperSaysWhatItCantDo(t *testing.T) {
	dir := t.TempDir()
	for args, want := range map[string]string{
		"paper pause":                      "paper takes no argument",
		"paper --runs -1":                  "--runs: -1 is not positive",
		"paper --sources " + dir:           "has no go.mod of",
		"paper --only nothing":             "no item is called nothing",
		"paper --only [":                   "is not a pattern",
		"paper --out x --only no --runs 2": "no item is called no",
	} {
		if _, errs, code := lockstorm(strings.Fields(args)...); code != 254 || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d, %s; want %q", args, code, errs, want)
		}
	}
}
