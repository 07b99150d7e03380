package guests_test

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests"
)

var (
	update    = flag.Bool("update", false, "measure anew, and write what was measured to testdata; write the tables of the pages anew")
	library   = flag.String("library", "", "measure this library only")
	scenario  = flag.String("scenario", "", "with -update: measure verdicts in this scenario only")
	seeds     = flag.Int("seeds", 1000, "with -update: how many seeds of each scenario to measure")
	universes = flag.Int("universes", 20000, "with -update: how many universes of faults to search")
	more      = flag.Bool("more", false, "with -update: go on after the seeds and universes that were measured; they must be of the same code")
)

func init() { guests.LogTo(nil) }

// long is set for whole measurements.
var long = os.Getenv("LOCKSTORM_LONG") != ""

// A measured library is what the tables of its page are made of. It is kept in testdata.
type measured struct {
	Versions []string
	Verdicts []verdicts
	Fuzz     []fuzz // one for each of searches
	Repeats  repeats
	Speed    speed
}

// counts say in how many runs each promise was violated.
type counts map[string]int

// add counts what a run has violated. A verdict that is unknown counts as a promise of that name.
func (c counts) add(findings []checker.Finding) {
	unknown := false
	for _, f := range findings {
		switch f.Verdict {
		case checker.Violated:
			c[f.Property]++
		case checker.Unknown:
			unknown = true
		}
	}
	if unknown {
		c["unknown"]++
	}
}

// addRun counts what a run has violated, and whether a call hung.
func (c counts) addRun(res *scenarios.Result) {
	c.add(res.Findings)
	if res.Hangs != nil {
		c["hangs"]++
	}
}

// file is where a library's measurements are kept.
func file(l *guests.Library) string { return "testdata/" + l.Name + ".json" }

// load reads what was measured of a library; nothing, if nothing was.
func load(t *testing.T, l *guests.Library) (m measured) {
	t.Helper()
	b, err := os.ReadFile(file(l))
	if err == nil {
		err = json.Unmarshal(b, &m)
	}
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return m
}

// store keeps what was measured.
func store(t *testing.T, l *guests.Library, m measured) {
	t.Helper()
	m.Versions = versions(t, l)
	b, err := json.MarshalIndent(m, "", " ")
	if err == nil {
		err = os.WriteFile(file(l), append(b, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// versions returns the versions of the modules under test, from go.mod.
func versions(t *testing.T, l *guests.Library) (all []string) {
	t.Helper()
	b, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(b), "\n") {
		if f := strings.Fields(line); len(f) == 2 && slices.Contains(l.Modules, f[0]) {
			all = append(all, strings.TrimPrefix(f[0], "github.com/")+" "+f[1])
		}
	}
	return all
}

// each makes a subtest for each library that is asked for.
func each(t *testing.T, do func(t *testing.T, l *guests.Library)) {
	for i := range guests.Libraries {
		if l := &guests.Libraries[i]; *library == "" || *library == l.Name {
			t.Run(l.Name, func(t *testing.T) { do(t, l) })
		}
	}
}

// run makes one run. It returns nil if the guests misbehaved.
func run(t *testing.T, l *guests.Library, s *scenarios.Scenario, seed uint64) *scenarios.Result {
	t.Helper()
	res, err := l.Guest().Run(t, s, seed)
	if err != nil {
		t.Logf("%s, seed %d: %v\n%s", s.ID, seed, err, s.Faults)
		return nil
	}
	return res
}

// breaks says what a library violates in a run. One in which the guests misbehaved is unknown.
func breaks(t *testing.T, l *guests.Library, s *scenarios.Scenario, seed uint64) counts {
	t.Helper()
	broken := counts{}
	if res := run(t, l, s, seed); res != nil {
		broken.addRun(res)
	} else {
		broken["unknown"]++
	}
	return broken
}

// reference is the scenario for our own lock of the same kind.
func reference(s scenarios.Scenario) scenarios.Scenario {
	s.Lock.Key = ""
	return s
}
