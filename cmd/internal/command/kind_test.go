package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// addKind puts a kind at the end of the table for one test. It is restart under another name, in a separate class.
func addKind(t *testing.T, name string) *faults.Kind {
	t.Helper()
	k, all := *faults.Restart, faults.Kinds
	k.Name, k.Form, k.About = name, name+" HOST", "it is there for a test"
	k.Class = &faults.Class{Name: name + "-class", About: "it is there for a test"}
	faults.Kinds = append(slices.Clip(all), &k)
	t.Cleanup(func() { faults.Kinds = all })
	return &k
}

// A new kind needs a file and a line in the table. The rest of the program reads the table. The schema is a file,
// which a test of scenarios compares with the table.
func TestAddedKindIsKnownEverywhere(t *testing.T) {
	k := addKind(t, "muffle")
	if help := mustRun(t, 0, "help", "schedule"); !strings.Contains(help, "\n    muffle HOST ") {
		t.Errorf("the help does not show how it is written:\n%s", help)
	}
	s, _ := scenarios.Find("redlock/any")
	if search := s.DefaultSearch(); !slices.Contains(search.Faults, k.Class.Name) {
		t.Errorf("a search that says nothing draws %s", search.Faults)
	}
	if columns := campaign.Columns(); !slices.Contains(columns[len(columns)-2].Classes, k.Class.Name) ||
		!slices.Contains(columns[len(columns)-1].Classes, k.Class.Name) {
		t.Error("the matrix has no column for its class, or leaves it out where all are together")
	}
	if _, errs, code := lockstorm("fuzz", "redlock/any", "--faults", "mufle"); code != 254 || !strings.Contains(errs, "did you mean muffle") {
		t.Errorf("exit code %d for a misspelt one: %s", code, errs)
	}
}

func TestAddedKindWorksInRunsAndCampaigns(t *testing.T) {
	addKind(t, "muffle")
	dir := t.TempDir()
	file, rows := filepath.Join(dir, "muffled.yaml"), filepath.Join(dir, "rows")
	s, _ := scenarios.Find("baseline/fault-free")
	s.Faults, _ = faults.Parse("when c1 acquired muffle n1 cleanly")
	s.Sometimes = append(s.Sometimes, "fault-struck")
	write(t, file, string(s.YAML()))
	store := filepath.Join(dir, "store")
	mustRun(t, 0, "run", file, "--set", "muffle.for=70ms", "--store", store)
	if text, err := os.ReadFile(filepath.Join(kept(t, filepath.Join(store, "muffled")), "schedule.txt")); err != nil || !strings.Contains(string(text), "muffle n1 cleanly for 70ms") {
		t.Errorf("the store keeps the schedule %s, %v", text, err)
	}
	found := mustRun(t, 1, "fuzz", "redlock/any", "--faults", "muffle", "--property", "quorum", "--runs", "50", "--store", rows)
	if !strings.Contains(found, "quorum-muffle") {
		t.Errorf("no search finds and shrinks it:\n%s", found)
	}
	if table := mustRun(t, 0, "export", "--csv", rows); !strings.Contains(table, ",muffle,") {
		t.Errorf("no row says that it struck:\n%.2000s", table)
	}
}
