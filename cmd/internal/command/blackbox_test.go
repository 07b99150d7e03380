package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// linesOf returns the rows of a table in Markdown that are about a scenario.
func linesOf(text, scenario string) (rows []string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "| "+scenario+" |") {
			rows = append(rows, line)
		}
	}
	return rows
}

// The page on what a black box sees is of minutes of runs. A sample of its rows is made anew.
func TestThePageOnTheBlackBoxHasTheRowsThatTheCommandPrints(t *testing.T) {
	page, err := os.ReadFile("../../../scenarios/blackbox.md")
	if err != nil {
		t.Fatal(err)
	}
	sample := []string{"kleppmann/gc-pause", "kleppmann/crash-restart", "fencing/check-not-atomic", "sql/any"}
	args := []string{"study", "blackbox", "-q", "--format", "markdown"}
	for _, id := range sample {
		args = append(args, "--only", id)
	}
	out := mustRun(t, 0, args...)
	for _, scenario := range sample {
		got, want := linesOf(out, scenario), linesOf(string(page), scenario)
		if len(got) == 0 || strings.Join(got, "") != strings.Join(want, "") {
			t.Errorf("the command prints\n%s\nand the page has\n%s", strings.Join(got, ""), strings.Join(want, ""))
		}
	}
}

// Of each planned scenario that breaks a promise, the page has a row for that; it counts all scenarios, and its prose has the
// numbers of its tables.
func TestThePageOnTheBlackBoxHasEachScenario(t *testing.T) {
	text, err := os.ReadFile("../../../scenarios/blackbox.md")
	if err != nil {
		t.Fatal(err)
	}
	page, all := string(text), 0
	for _, s := range scenarios.Catalogue() {
		all++
		for _, p := range checker.Properties {
			if s.Expected(p.Name) == checker.Violated && !strings.Contains(page, "\n| "+s.ID+" | "+p.Name+" |") {
				t.Errorf("the table of scenarios/blackbox.md lacks %s, in which %s breaks; make it anew: lockstorm study blackbox --format markdown", s.ID, p.Name)
			}
		}
	}
	if want := fmt.Sprintf("1000 runs of each of %d scenarios", all); !strings.Contains(page, want) {
		t.Errorf("scenarios/blackbox.md does not say %q; make it anew: lockstorm study blackbox --format markdown", want)
	}
	prose, tables, _ := strings.Cut(page, "<!-- lockstorm study blackbox")
	total, why, _ := strings.Cut(tables, "Why the view")
	for _, c := range []struct {
		table, row string
		cell       int
	}{{total, "none broke", 3}, {total, "none broke", 2}, {total, "none broke", 8}, {total, "storage", 2}, {why, "storage", 8}, {why, "storage", 7}, {why, "quorum", 6}} {
		cell := strings.Fields(strings.Split(linesOf(c.table, c.row)[0], " | ")[c.cell-1])[0]
		if n, _ := strconv.Atoi(cell); !strings.Contains(strings.ReplaceAll(prose, ",", ""), cell) {
			t.Errorf("%s, column %d: the table has %d, which the prose before it does not name", c.row, c.cell, n)
		}
	}
}

func TestABlackBoxIsCountedAlongAGrid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "grid.yaml")
	text := "title: x\nabout: It is counted.\nscenario: redlock/any\nruns: 40\nmeasure: blackbox\nx: {label: clients, values: 2 3, set: [clients=@]}\n" +
		"lines: [{name: short, set: ['work.work=5ms..5ms']}, {name: long, set: ['work.work=1s..1s']}]\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got := mustRun(t, 0, "study", file, "-q")
	for _, want := range []string{"It is counted. Here are 40 runs of each of 4 scenarios", "long 3", "Why the view that asks nearest",
		"belief     Do two clients ever both go on as holders at the same true time?"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	dir := t.TempDir()
	for _, shard := range []string{"0", "1"} {
		mustRun(t, 0, "study", file, "-q", "--store", filepath.Join(dir, shard), "--shard", shard+"/2")
	}
	all := filepath.Join(dir, "all")
	mustRun(t, 0, "merge", filepath.Join(dir, "0"), filepath.Join(dir, "1"), "--store", all)
	if merged := mustRun(t, 0, "study", file, "-q", "--store", all, "--resume"); merged != got {
		t.Errorf("two shards make\n%s\nand all at once\n%s", merged, got)
	}
	if page := mustRun(t, 0, "study", "lease", "--runs", "40", "-q", "--format", "html"); !strings.Contains(page, "<svg") || !strings.Contains(page, "the lease sees") {
		t.Error("the page has no figure")
	}
	if alone := mustRun(t, 0, "study", "blackbox", "--only", "kleppmann/gc-pause", "--runs", "3", "-q", "--format", "csv"); !strings.Contains(alone, "belief,3 of 3,3,3,0,3,0,0") {
		t.Errorf("as CSV it is\n%s", alone)
	}
}
