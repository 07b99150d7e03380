package study_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
	"github.com/lockstorm/lockstorm/sim/simtest"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// shipped returns a study that ships, with some of its lines and a number of runs.
func shipped(t testing.TB, name string, runs int, lines ...string) (*study.Study, *campaign.Job) {
	t.Helper()
	text, _ := study.Text(name)
	s, err := study.Parse(name+".yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	if s.Runs = runs; len(lines) > 0 {
		if err := s.Only(lines); err != nil {
			t.Fatal(err)
		}
	}
	return s, job(t, s)
}

// surveyed makes its runs.
func surveyed(t testing.TB, s *study.Study, j *campaign.Job, workers int) *campaign.Survey {
	t.Helper()
	v, err := s.Survey(j)
	if err != nil {
		t.Fatal(err)
	}
	j.Each(workers, func(rows []campaign.Row) bool { v.AddAll(rows); return true })
	return v
}

// counted returns how often a property broke in a cell of the matrix of some locks.
func counted(t testing.TB, runs int, locks ...string) func(lock, faults, property string) int {
	s, j := shipped(t, "matrix", runs, locks...)
	v := surveyed(t, s, j, 2)
	return func(lock, faults, property string) int {
		t.Helper()
		line := slices.IndexFunc(s.Lines, func(l study.Line) bool { return l.Name == lock })
		column := slices.Index(s.X.Points, faults)
		k := slices.IndexFunc(s.Measures(0), func(m campaign.Measure) bool { return m.Name == property })
		if line < 0 || column < 0 || k < 0 {
			t.Fatalf("there is no cell of %s, %s and %s", lock, faults, property)
		}
		return v.Cells[line*len(s.X.Points)+column].Measured[k].Violated
	}
}

func TestEveryLockIsAnotherScenarioUnderEachColumn(t *testing.T) {
	need.Long(t)
	s, j := shipped(t, "matrix", 1)
	var seen []string
	for i := range j.Cells {
		x, err := j.In(i)
		line, column := s.Place(i)
		if err != nil {
			t.Errorf("%s, %s: %v", s.Lines[line].Name, s.X.Points[column], err)
		}
		text := string(x.YAML())
		if slices.Contains(seen, text) && !slices.Contains([]string{"crash, disk", "crash, lost", "failover"}, s.X.Points[column]) { // a lock's own settings stay there
			t.Errorf("%s, %s is another one", s.Lines[line].Name, s.X.Points[column])
		}
		seen = append(seen, text)
	}
}

// The literature's statements, measured: validity and majority survive slow and lost messages, pauses, sleep, crashes
// and partitions. They do not survive clocks that step. They do not survive nodes that forget either, unless their
// disks or a delay make up for it.
func TestMatrixAgreesWithTheLiterature(t *testing.T) {
	need.Long(t)
	broken := counted(t, 60, "redlock*")
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

// The shape that is expected of all locks. The one exception is measured, too: a counter that is lost with its node's
// data fences nothing.
func TestTheMatrixOfAllKindsHasItsExpectedShape(t *testing.T) {
	need.Long(t)
	for _, v := range []struct {
		lock  string
		clock bool // it depends on the wall clocks of servers
	}{
		{"redlock", true}, {"single instance", true}, {"fenced", true}, {"failover", true}, {"failover, WAIT 1", true}, {"redisson", true},
		{"redisson-red", true}, {"etcd, ideal client", false}, {"zookeeper, ideal client", false}, {"sql-row-lock", false},
	} {
		broken := counted(t, 16, v.lock)
		if broken(v.lock, "client pause", "belief") == 0 {
			t.Errorf("a pause of clients leaves the belief of %s alone", v.lock)
		}
		if stepped := broken(v.lock, "server step", "validity"); (stepped > 0) != v.clock || broken(v.lock, "client step", "validity") > 0 {
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
	if counted(t, 40, "fenced, no disk")("fenced, no disk", "crash, lost", "fenced") == 0 {
		t.Error("a counter that is lost fences as before")
	}
}

func TestMatrixCellEqualsSingleRuns(t *testing.T) {
	s, j := shipped(t, "matrix", 40, "single instance")
	j.First = 7
	v := surveyed(t, s, j, 2)
	place := slices.Index(s.X.Points, "crash, lost")
	in, err := j.In(place)
	if err != nil {
		t.Fatal(err)
	}
	u, want := in.Universes(), make([]int, len(s.Measures(0)))
	for seed := uint64(7); seed < 47; seed++ {
		r := scenarios.Run(u.At(seed), seed)
		for i, m := range s.Measures(0) {
			if r.VerdictOn(m.Name) == checker.Violated {
				want[i]++
			}
		}
	}
	for i, n := range v.Cells[place].Measured {
		if n.Violated != want[i] || n.Runs != 40 {
			t.Errorf("%+v, want %d", n, want[i])
		}
	}
	if want[0] == 0 || want[0] == 40 {
		t.Errorf("%d of 40 show little", want[0])
	}
}

// A counterexample is a scenario by itself: it breaks the promise that it names. It is the same with any number of
// workers.
func TestEachCounterexampleBreaksItsPromise(t *testing.T) {
	lines, runs, most, fewest := "single*", 20, 150, 20
	if !simtest.Long {
		lines, runs, most, fewest = "single, get then set", 2, 20, 5
	}
	s, j := shipped(t, "matrix", runs, lines)
	breaches := s.Broken(surveyed(t, s, j, 2))
	shrink := func(workers int) []*campaign.Counterexample {
		return j.Shrink(breaches, most, workers, func() bool { return false }, func() {})
	}
	all := shrink(2)
	if len(all) < fewest {
		t.Errorf("only %d cells break", len(all))
	}
	for i, l := range all {
		x, err := scenarios.Parse("least.yaml", l.Scenario.YAML())
		if err != nil {
			t.Fatal(err)
		}
		r := scenarios.Run(x, l.Seed)
		if r.Verdict == scenarios.Fail { // a lock that is stuck leaves some unknown
			t.Errorf("cell %d: as a file it is a %s", l.Cell, r.Verdict)
		}
		if v := r.VerdictOn(l.Property); v != checker.Violated || l.Property != breaches[i].Property || l.Cell != breaches[i].Cell {
			t.Errorf("cell %d: %s %s with seed %d", l.Cell, l.Property, v, l.Seed)
		}
	}
	if len(all) < 10 && !reflect.DeepEqual(shrink(5), all) {
		t.Error("with more workers it finds others")
	}
}

// A panic in a Shrinker is still one that names the run, and no end of the process.
func TestPanicWhileShrinkingNamesItsRun(t *testing.T) {
	_, j := shipped(t, "matrix", 1, "redlock")
	odd := make([]campaign.Breach, 5)
	for i := range odd {
		odd[i] = campaign.Breach{Cell: i, Seed: 7, Property: "no-property"}
	}
	defer func() {
		p := recover()
		if b, ok := p.(campaign.Broken); !ok || b.Seed != 7 || b.Scenario != "redlock/any (being shrunk)" || len(b.Stack) == 0 {
			t.Errorf("it panics with %v, not with a Broken that names seed 7", p)
		}
	}()
	j.Shrink(odd, 10, 2, func() bool { return false }, func() {})
}

// Without faults no job is done twice; and nodes that forget let a single one do more harm than five, unless it writes
// to disk.
func TestDuplicatesAreCountedAndHaveTheirCauses(t *testing.T) {
	need.Long(t)
	s, j := shipped(t, "efficiency", 40)
	v := surveyed(t, s, j, 2)
	of := map[string]int{}
	for i, c := range v.Cells {
		line, value := s.Place(i)
		n, place := c.Measured[0].Sums, s.Lines[line].Name+", "+s.X.Points[value]
		if of[place] = n.Hits; n.Runs != 40 || n.Trials < 40*13 || n.Trials > 40*15 {
			t.Errorf("%s: %+v", place, n)
		}
		if s.X.Points[value] == "none" && n.Hits > 0 {
			t.Errorf("duplicates without a fault: %+v", n)
		}
	}
	single, five, disk := of["single, restart"], of["redlock, restart"], of["single, on disk, restart"]
	if five == 0 || single <= five || disk > 0 {
		t.Errorf("restarts cost one node %d, five %d, and one with a disk %d", single, five, disk)
	}
}

// The calibration wants the shape of what Jepsen published, not its digits: a share of that order, and a remedy that
// works.
func TestTheCalibrationHasTheShapeOfJepsensFigure(t *testing.T) {
	need.Long(t)
	s, j := shipped(t, "calibration", 10)
	var shares []float64
	for i, c := range surveyed(t, s, j, 2).Cells {
		n := c.Measured[0].Sums
		if n.Trials < 400 {
			t.Errorf("%s: only %d updates", s.Lines[i].Name, n.Trials)
		}
		shares = append(shares, float64(n.Hits)/float64(n.Trials))
	}
	if shares[0] < 0.09 || shares[0] > 0.36 {
		t.Errorf("%.3f is lost, which is no more than half and no less than twice what Jepsen found", shares[0])
	}
	if shares[1] > shares[0]/4 || shares[2] > 0 || shares[3] > 0 {
		t.Errorf("with the remedies %v is lost", shares[1:])
	}
}

// What a study of bounds finds is what each scenario's own search finds; another range has every promise.
func TestStudyFindsTheStatedBounds(t *testing.T) {
	bounds := func(s *study.Study) []campaign.BoundSearch {
		t.Helper()
		base, err := scenarios.Open(s.Scenario)
		if err != nil {
			t.Fatal(err)
		}
		all, err := s.Bounds(&base)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	s, _ := shipped(t, "bounds", 2)
	if n := len(bounds(s)); n != 8 {
		t.Errorf("%d scenarios state bounds", n)
	}
	s, _ = shipped(t, "bounds", 2, "antirez/rate-drift")
	x, _ := scenarios.Find("antirez/rate-drift")
	if got, want := bounds(s)[0].Edges(), campaign.EdgesOf(&x, 1, 2); len(got) != 1 || got[0].Holds != want[0].Holds || got[0].Computed != want[0].Computed {
		t.Errorf("%+v, want %+v", got, want)
	}
	for _, c := range []struct {
		halve, measure, want string
		edges                int
	}{
		{"clocks.n3=0ppm..50000ppm", "", "", len(x.Promises())}, {"clocks.n3=0ppm..50000ppm", "quorum, belief", "", 2},
		{"stated", "storage", "it states no bound of that", 0}, {"lock.ttl=1ms..2s", "quorum", "lock.timeout: 5ms is not less", 0},
		{"clocks.n3=0ppm", "quorum", "is not a range", 0}, {"stated", "nothing", `no promise or figure "nothing"`, 0},
	} {
		s, err := study.Parse("x.yaml", []byte("title: x\nscenario: antirez/rate-drift\nx: {halve: '"+c.halve+"'}\nmeasure: '"+c.measure+"'"))
		var all []campaign.BoundSearch
		if err == nil {
			all, err = s.Bounds(&x)
		}
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v: %v", c, err)
			}
		} else if err != nil || all[0].Many() != c.edges {
			t.Errorf("%v: %v, %v", c, all, err)
		}
	}
}
