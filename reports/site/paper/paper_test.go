package paper

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	_ "github.com/lockstorm/lockstorm/sim/simtest"
)

const page = "Text.\n\n<!-- lockstorm list -->\n```text\nold\n```\n\nMade by `lockstorm list`.\n<!-- end -->\n\n" +
	"<!-- lockstorm sweep a --runs 2 -->\n\n| a |\n\nMade by `lockstorm sweep a --runs 2`; the like as a study: `lockstorm study pause-map`.\n<!-- end -->\n\n" +
	"![It rises.](one.svg)\n\nMade by `lockstorm sweep a --store x` and `lockstorm report x`.\n\n![By hand.](two.svg)\n"

// The pages define the list of items: it is not written down a second time.
func TestItemsComeFromThePages(t *testing.T) {
	files := fstest.MapFS{"README.md": {Data: []byte(page)}, "deep/down/README.md": {Data: []byte(page)}, "deep/Claims.md": {Data: []byte(page)},
		"store/README.md": {Data: []byte(page)}, ".git/README.md": {Data: []byte(page)}, "deep/page.txt": {Data: []byte(page)},
		"whole.md": {Data: []byte("![All.](all.svg)\n\nMade by `lockstorm-full forecast b --format html`.\n")}, "all.csv": {Data: []byte("b,1\n")}}
	all, err := Items(files, []string{"pause"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, i := range all {
		names = append(names, i.Name)
	}
	want := []string{"readme-list", "readme-sweep", "figure-one", "claims-list", "claims-sweep", "figure-one-2", "down-list", "down-sweep", "figure-one-3", "figure-all", "data-all",
		"study-pause", "debate", "theorem"}
	if !slices.Equal(names, want) {
		t.Errorf("%q\nwant\n%q", names, want)
	}
	if f := all[8]; f.File != "deep/down/one.svg" || strings.Join(f.Command, " ") != "sweep a --store x && report x" || f.Page != "deep/down/README.md" {
		t.Errorf("%+v", f)
	}
	if d := all[10]; d.File != "all.csv" || strings.Join(d.Command, " ") != "forecast b --format csv" || d.Program != full || d.Page != "whole.md" {
		t.Errorf("%+v", d)
	}
}

// A page has exactly what With makes of the output, so one byte more or less is seen.
func TestExampleEqualsItsCommandsOutput(t *testing.T) {
	blocks := Snippets(page)
	if got := blocks[0].With("old\n"); got != blocks[0].Whole {
		t.Errorf("%s\nwant\n%s", got, blocks[0].Whole)
	}
	if got := blocks[1].With("| a |\n"); got != blocks[1].Whole {
		t.Errorf("%s\nwant\n%s", got, blocks[1].Whole)
	}
	if got := difference(blocks[0].Whole, blocks[0].With("new\n")); got != "line 3; - is committed, + was made now\n-old\n+new\n" {
		t.Error(got)
	}
	long := strings.Repeat("é", 300)
	if got := difference(long+"a", long+"b"); !strings.HasSuffix(got, "éa\n+"+long[:200]+"b\n") {
		t.Error(got)
	}
	cut := Snippet{Program: lockstorm, Command: "run x | head -2", Text: "```text\na\nb\n```\n"}
	if got := cut.With("a\nb\nc\n"); got != "<!-- lockstorm run x | head -2 -->\n```text\na\nb\n```\n<!-- end -->" {
		t.Error(got)
	}
}

// The costs are of items that there are.
func TestEachCostIsOfAnItem(t *testing.T) {
	all, err := Items(os.DirFS("../../.."), strings.Fields("away blackbox bounds calibration clocks crash efficiency grid late-writes latency lease matrix moments pause pause-map pauses restarts split-vote steps"))
	if err != nil || len(all) < 30 {
		t.Fatalf("%d items, %v", len(all), err)
	}
	for name := range costs { // order: they are independent
		if !slices.ContainsFunc(all, func(i Item) bool { return i.Name == name }) {
			t.Errorf("costs.txt has %s, which nobody makes", name)
		}
	}
}

// Sources that were unpacked have no git that lists them: all of them are sources, but what a run leaves at their root.
func TestUnpackedSourcesAreWhole(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "cmd/internal/store/store.go", ".ci/run", "store/latest/result.json", "mine/README.md", ".idea/x"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, nil, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Sources(dir, filepath.Join(dir, "mine"))
	if want := []string{".ci/run", "cmd/internal/store/store.go", "go.mod"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("they are %q, %v; want %q", got, err, want)
	}
}

// The output of a command that was killed, for example for lack of memory, is no result.
func TestKilledCommandYieldsNoResult(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "lockstorm")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho half\nkill -9 $$\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	m := remake{sources: dir, dir: filepath.Join(dir, "out"), program: program}
	if got, _, err := m.make(t.Context(), &Item{Name: "debate", Kind: Document, Command: []string{"debate"}}); got != failed || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}
