package command

import (
	"fmt"
	"slices"
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

// What a black box sees takes minutes of runs. A sample of its rows is made again.
func TestTheDataOnTheBlackBoxHasTheRowsThatTheCommandPrints(t *testing.T) {
	data := fileText(t, "../../../scenarios/blackbox-views.csv")
	sample := []string{"kleppmann/gc-pause", "kleppmann/crash-restart", "fencing/check-not-atomic", "sql/any"}
	out := mustRun(t, 0, append([]string{"blackbox", "-q", "--format", "csv"}, sample...)...)
	for line := range strings.Lines(out) {
		if scenario, _, _ := strings.Cut(line, ","); slices.Contains(sample, scenario) && !strings.Contains(data, "\n"+line) {
			t.Errorf("scenarios/blackbox-views.csv lacks %s", line)
		}
	}
}

// The data has a row for each promise that a planned scenario breaks. The page counts all scenarios, and its prose has the numbers of
// its tables.
func TestThePageOnTheBlackBoxHasEachScenario(t *testing.T) {
	page, data := fileText(t, "../../../scenarios/blackbox.md"), fileText(t, "../../../scenarios/blackbox-views.csv")
	all := 0
	for _, s := range scenarios.Catalogue() {
		all++
		for _, p := range checker.Properties {
			if s.Expected(p.Name) == checker.Violated && !strings.Contains(data, "\n"+s.ID+","+p.Name+",") {
				t.Errorf("scenarios/blackbox-views.csv lacks %s, in which %s breaks; make it again: lockstorm blackbox --format csv", s.ID, p.Name)
			}
		}
	}
	if want := fmt.Sprintf("1000 runs of each of %d scenarios", all); !strings.Contains(page, want) {
		t.Errorf("scenarios/blackbox.md does not say %q; make it anew: lockstorm blackbox --format markdown", want)
	}
	prose, tables, _ := strings.Cut(page, "<!-- lockstorm blackbox")
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
	args := []string{"blackbox", "redlock/any", "--axis", "clients=2,3", "--axis", "work.work=5ms..5ms,1s..1s", "--runs", "40", "-q"}
	text := mustRun(t, 0, args...)
	for _, want := range []string{"40 runs of each of 4 scenarios", "redlock/any clients=3 work.work=1s..1s", "Why the view that asks nearest",
		"belief     Do two clients ever both go on as holders at the same true time?"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if page := mustRun(t, 0, append(args, "--format", "html")...); !strings.Contains(page, "<svg") || !strings.Contains(page, "the lease sees") {
		t.Error("the page has no figure")
	}
	if alone := mustRun(t, 0, "blackbox", "kleppmann/gc-pause", "--runs", "3", "-q", "--format", "csv"); !strings.Contains(alone, "belief,3 of 3,3,3,0,3,0,0") {
		t.Errorf("as CSV it is\n%s", alone)
	}
}

func TestWhatIsWrongWithABlackBoxIsSaid(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{"blackbox --set clients=3", "--set changes the scenarios that are named; name some"},
		{"blackbox --axis clients=2,3", "--axis is a setting of one scenario; 0 are named"},
		{"blackbox redlock/any single/any --axis clients=2,3", "2 are named"},
		{"blackbox redlock/any --axis client=2,3", "did you mean clients"},
		{"blackbox redlock/any --axis clients=0,3", "clients"},
		{"blackbox redlock/any --runs 1", "--runs: 1; give 2 to 1000000"},
		{"blackbox redlock/anny", "redlock/any"},
		{"blackbox redlock/any --set blackbox=1", "there is no setting"},
		{"sweep kleppmann/gc-pause --axis clients=2,3 --property blackbox.mutx", "did you mean blackbox.mutex"},
	} {
		_, errs, code := lockstorm(strings.Fields(c.command)...)
		if code != 254 || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit %d, %s; want %s", c.command, code, errs, c.want)
		}
	}
}
