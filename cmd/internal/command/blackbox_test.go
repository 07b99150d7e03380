package command

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim/simtest"
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

// What a black box sees takes minutes of runs. A sample of its rows is made again.
func TestBlackBoxDataEqualsTheCommandsRows(t *testing.T) {
	data := fileText(t, "../../../scenarios/blackbox-views.csv")
	sample := []string{"kleppmann/gc-pause", "kleppmann/crash-restart", "fencing/check-not-atomic", "sql/any"}
	if !long {
		sample = sample[:1]
	}
	args := []string{"study", "blackbox", "-q", "--format", "csv"}
	for _, id := range sample {
		args = append(args, "--only", id)
	}
	out := mustRun(t, 0, args...)
	for line := range strings.Lines(out) {
		if scenario, _, _ := strings.Cut(line, ","); slices.Contains(sample, scenario) && !strings.Contains(data, "\n"+line) {
			t.Errorf("scenarios/blackbox-views.csv lacks %s", line)
		}
	}
}

// The data has a row for each promise that a planned scenario breaks. The page counts all scenarios, and its prose has
// the numbers of its tables.
func TestThePageOnTheBlackBoxHasEachScenario(t *testing.T) {
	page, data := fileText(t, "../../../scenarios/blackbox.md"), fileText(t, "../../../scenarios/blackbox-views.csv")
	all := 0
	for _, s := range scenarios.Catalogue() {
		all++
		for _, p := range checker.Properties {
			if s.Expected(p.Name) == checker.Violated && !strings.Contains(data, "\n"+s.ID+","+p.Name+",") {
				t.Errorf("scenarios/blackbox-views.csv lacks %s, in which %s breaks; make it again: lockstorm study blackbox --format csv", s.ID, p.Name)
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
	runs := strconv.Itoa(simtest.Times(15, 40))
	text := "title: x\nabout: It is counted.\nscenario: redlock/any\nruns: " + runs + "\nmeasure: blackbox\nx: {label: clients, values: 2 3, set: [clients=@]}\n" +
		"lines: [{name: short, set: ['work.work=5ms..5ms']}, {name: long, set: ['work.work=1s..1s']}]\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got := mustRun(t, 0, "study", file, "-q")
	for _, want := range []string{"It is counted. Here are " + runs + " runs of each of 4 scenarios", "long 3", "Why the view that asks nearest",
		"belief     Do two clients act as holder together?"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if page := mustRun(t, 0, "study", "lease", "--runs", runs, "-q", "--format", "html"); !strings.Contains(page, "<svg") || !strings.Contains(page, "the lease sees") {
		t.Error("the page has no figure")
	}
	if alone := mustRun(t, 0, "study", "blackbox", "--only", "kleppmann/gc-pause", "--runs", "3", "-q", "--format", "csv"); !strings.Contains(alone, "belief,3 of 3,3,3,0,3,0,0") {
		t.Errorf("as CSV it is\n%s", alone)
	}
}
