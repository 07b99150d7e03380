package campaign_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// matrix makes a small one.
func matrix(t *testing.T, m campaign.Matrix) []campaign.Plot {
	t.Helper()
	if m.Properties == nil {
		m.Properties = campaign.MatrixProperties
	}
	if m.First == 0 {
		m.First = 1
	}
	m.Workers = max(m.Workers, 2)
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	return m.Run()
}

// at finds a cell.
func at(t *testing.T, plots []campaign.Plot, lock, faults string) campaign.Plot {
	t.Helper()
	i := slices.IndexFunc(plots, func(p campaign.Plot) bool { return p.Variant.Name == lock && p.Faults.Name == faults })
	if i < 0 {
		t.Fatalf("there is no cell of %s and %s", lock, faults)
	}
	return plots[i]
}

func TestEveryVariantIsAnotherScenarioThatPassesItsCheck(t *testing.T) {
	need.Long(t)
	var seen []string
	for _, v := range campaign.MatrixVariants() {
		for _, w := range campaign.Columns() {
			s, err := v.Scenario(w)
			if err != nil {
				t.Errorf("%s, %s: %v", v.Name, w.Name, err)
			}
			text := string(s.YAML())
			if slices.Contains(seen, text) && !slices.Contains([]string{"crash, disk", "crash, lost", "failover"}, w.Name) { // a lock's own settings stay there
				t.Errorf("%s, %s is another one", v.Name, w.Name)
			}
			seen = append(seen, text)
		}
	}
}

// What the literature says, measured: validity and majority survive slow and lost messages, pauses, sleep, crashes and
// partitions; they do not survive nodes that forget, unless their disks or a delay make up for it, nor clocks that step.
func TestTheMatrixShowsWhatTheDebateWasAbout(t *testing.T) {
	need.Long(t)
	broken := counted(t, matrix(t, campaign.Matrix{Locks: "redlock*", Runs: 60}))
	for _, faults := range []string{"none", "delay, loss", "client pause", "client crash", "partition", "crash, disk", "client step", "server drift", "failover"} {
		if broken("redlock, no disk", faults, "validity")+broken("redlock, no disk", faults, "quorum")+broken("redlock, no disk", faults, "fenced") > 0 {
			t.Errorf("%s breaks Redlock", faults)
		}
	}
	for _, faults := range []string{"crash, lost", "server step"} {
		if broken("redlock, no disk", faults, "validity") == 0 {
			t.Errorf("%s does not break Redlock", faults)
		}
	}
	for _, lock := range []string{"redlock", "redlock, delayed restart"} {
		if broken(lock, "crash, lost", "quorum") > 0 {
			t.Errorf("a restart breaks %s", lock)
		}
	}
	if broken("redlock", "client pause", "belief") == 0 || broken("redlock, two votes", "none", "validity") == 0 ||
		broken("redlock, wall clock", "client step", "validity") == 0 || broken("redlock, no drift allowance", "client drift", "quorum") == 0 {
		t.Error("a pause harms nobody's belief, or two votes of five are enough, or clocks can be relied upon")
	}
}

// counted gives how often a property broke in a cell.
func counted(t *testing.T, plots []campaign.Plot) func(lock, faults, property string) int {
	return func(lock, faults, property string) int {
		t.Helper()
		return at(t, plots, lock, faults).Found[slices.Index(campaign.MatrixProperties, property)].Violated
	}
}

// The shape that is expected of all locks side by side. The one exception is measured, too: a counter that is lost with
// its node's data fences nothing.
func TestTheMatrixOfAllKindsHasItsExpectedShape(t *testing.T) {
	need.Long(t)
	steps := []string{"server step", "client step"}
	for _, v := range []struct {
		lock  string
		clock bool // it depends on the wall clocks of servers
	}{
		{"redlock", true}, {"single instance", true}, {"fenced", true}, {"failover", true}, {"failover, WAIT 1", true}, {"redisson", true},
		{"redisson-red", true}, {"etcd, ideal client", false}, {"zookeeper, ideal client", false}, {"sql-row-lock", false},
	} {
		broken := counted(t, matrix(t, campaign.Matrix{Locks: v.lock, Runs: 16}))
		if broken(v.lock, "client pause", "belief") == 0 {
			t.Errorf("a pause of clients leaves the belief of %s alone", v.lock)
		}
		if stepped := broken(v.lock, steps[0], "validity"); (stepped > 0) != v.clock || broken(v.lock, steps[1], "validity") > 0 {
			t.Errorf("clocks that step break %s %d times", v.lock, stepped)
		}
		if (strings.HasSuffix(v.lock, "ideal client") || v.lock == "sql-row-lock") && broken(v.lock, "server drift", "validity") > 0 {
			t.Errorf("servers that drift break %s", v.lock)
		}
		for _, w := range campaign.Columns() {
			if broken(v.lock, w.Name, "fenced") > 0 || v.lock == "sql-row-lock" && broken(v.lock, w.Name, "storage") > 0 {
				t.Errorf("%s, %s: data is lost in spite of fencing", v.lock, w.Name)
			}
		}
	}
	if broken := counted(t, matrix(t, campaign.Matrix{Locks: "fenced, no disk", Runs: 40})); broken("fenced, no disk", "crash, lost", "fenced") == 0 {
		t.Error("a counter that is lost fences as before")
	}
}

func TestACellOfTheMatrixCountsWhatSingleRunsShow(t *testing.T) {
	p := at(t, matrix(t, campaign.Matrix{Locks: "single instance", Runs: 40, First: 7}), "single instance", "crash, lost")
	s, err := p.Variant.Scenario(p.Faults)
	if err != nil {
		t.Fatal(err)
	}
	u, want := s.Universes(), make([]int, len(p.Found))
	for seed := uint64(7); seed < 47; seed++ {
		drawn := u.At(seed)
		r := scenarios.Run(drawn, seed)
		for i, name := range campaign.MatrixProperties {
			if find(r, name) == checker.Violated {
				want[i]++
			}
		}
	}
	for i, f := range p.Found {
		if f.Name != campaign.MatrixProperties[i] || f.Violated != want[i] || p.Runs != 40 {
			t.Errorf("%+v of %d, want %d", f, p.Runs, want[i])
		}
	}
	if want[0] == 0 || want[0] == 40 {
		t.Errorf("%d of 40 show little", want[0])
	}
}

// A counterexample is a scenario of its own: it breaks what it is said to break.
func TestEachCounterexampleBreaksWhatItSays(t *testing.T) {
	m, least := campaign.Matrix{Locks: "single*", Runs: 20, Shrink: 150}, 20
	if !long {
		m, least = campaign.Matrix{Locks: "single, get then set", Runs: 2, Shrink: 20}, 5
	}
	plots, seen := matrix(t, m), 0
	for _, p := range plots {
		first := slices.IndexFunc(p.Found, func(f campaign.Frequency) bool { return f.Violated > 0 })
		if (p.Least == nil) != (first < 0) {
			t.Errorf("%s, %s: %+v and %v", p.Variant.Name, p.Faults.Name, p.Found, p.Least)
		}
		if p.Least == nil {
			continue
		}
		seen++
		s, err := scenarios.Parse("least.yaml", p.Least.Scenario.YAML())
		if err != nil {
			t.Fatal(err)
		}
		r := scenarios.Run(s, p.Least.Seed)
		if r.Verdict == scenarios.Fail { // a lock that is stuck leaves some unknown
			t.Errorf("%s, %s: as a file of its own it is a %s", p.Variant.Name, p.Faults.Name, r.Verdict)
		}
		if v := find(r, p.Least.Property); v != checker.Violated || p.Least.Property != p.Found[first].Name {
			t.Errorf("%s, %s: %s %s with seed %d", p.Variant.Name, p.Faults.Name, p.Least.Property, v, p.Least.Seed)
		}
	}
	if seen < least {
		t.Errorf("only %d cells break", seen)
	}
}

func TestAMatrixIsTheSameWithAnyNumberOfWorkers(t *testing.T) {
	m := campaign.Matrix{Locks: "single, plain delete", Runs: 5, Shrink: 15, Workers: 2}
	want := matrix(t, m)
	m.Workers = 5
	if got := matrix(t, m); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\n%+v", got, want)
	}
}

// Shrinker goes on side by side with more of it; a panic in it is still one that names the run, and no end of the process.
func TestARunThatPanicsWhileItIsShrunkIsNamed(t *testing.T) {
	odd := campaign.Frequency{Name: "no-property", Count: stats.Count{Violated: 1, Runs: 1}, FirstSeed: 7}
	plots := make([]campaign.Plot, 5)
	for i := range plots {
		plots[i] = campaign.Plot{Variant: &campaign.Variants()[0], Faults: campaign.Columns()[0], Found: []campaign.Frequency{odd}}
	}
	defer func() {
		p := recover()
		if b, ok := p.(campaign.Broken); !ok || b.Seed != 7 || b.Scenario != "redlock/any (being shrunk)" || len(b.Stack) == 0 {
			t.Errorf("it panics with %v, not with a Broken that names seed 7", p)
		}
	}()
	m := campaign.Matrix{Workers: 2, Shrink: 10}
	m.ShrinkAll(plots, func() bool { return false }, func() {})
}

// Whoever has the cells of a matrix alone, as an archive has, can name its rows and columns.
func TestTheCellsOfAMatrixHaveTheirLocksAndFaults(t *testing.T) {
	m := campaign.Matrix{Locks: "redlock*", Runs: 1}
	j := m.Job()
	locks, classes := j.LocksAndFaults()
	if !slices.Contains(locks, "redlock, no disk") || locks[0] != "redlock" || classes[0] != "none" || classes[len(classes)-1] != "all" ||
		len(locks)*len(classes) != len(j.Cells) {
		t.Errorf("%q against %q, of %d cells", locks, classes, len(j.Cells))
	}
	n := len(classes)
	j.Cells[1], j.Cells[2] = j.Cells[2], j.Cells[1]
	if locks, _ := j.LocksAndFaults(); locks != nil {
		t.Errorf("cells in another order are those of %q", locks)
	}
	for _, j := range []*campaign.Job{{Kind: "sweep", Cells: m.Job().Cells}, {Kind: campaign.MatrixJob, Cells: m.Job().Cells[:n+1]}, {Kind: campaign.MatrixJob}} {
		if locks, _ := j.LocksAndFaults(); locks != nil {
			t.Errorf("%s of %d cells: %q", j.Kind, len(j.Cells), locks)
		}
	}
}
