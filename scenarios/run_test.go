package scenarios_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/scenarios"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// find returns a scenario of the catalogue.
func find(t testing.TB, id string) scenarios.Scenario {
	t.Helper()
	s, ok := scenarios.Find(id)
	if !ok {
		t.Fatalf("there is no scenario %q", id)
	}
	return s
}

// runner makes a Runner that ends with the test.
func runner(t testing.TB) *scenarios.Runner {
	r := scenarios.NewRunner()
	t.Cleanup(r.Close)
	return r
}

// complain says what went otherwise than expected.
func complain(t *testing.T, r *scenarios.Result) {
	t.Helper()
	t.Errorf("%s, seed %d: %s", r.Scenario.ID, r.Seed, r.Verdict)
	for _, f := range r.Findings {
		if want := r.Scenario.Expected(f.Property); f.Verdict != want {
			t.Errorf("  %s %s, want %s. %s", f.Property, f.Verdict, want, r.Evidence.Explain(f))
		}
	}
	for _, f := range r.Seen {
		if f.Verdict != checker.Holds {
			t.Errorf("  never happened: %s", f.Property)
		}
	}
	t.Logf("see it: lockstorm run %s --seed %d", r.Scenario.ID, r.Seed)
}

func TestEveryScenarioRunsAsExpectedOnAHundredSeeds(t *testing.T) {
	seeds := uint64(100)
	if !long {
		seeds = 1 // and TestGoldenHashes runs another
	}
	for _, s := range scenarios.Catalogue() {
		t.Run(s.ID, func(t *testing.T) {
			if err := s.Check(); err != nil {
				t.Fatal(err)
			}
			r := runner(t)
			for seed := range seeds {
				if res := r.Run(&s, seed); res.Verdict != scenarios.Pass {
					complain(t, res)
					return
				}
			}
		})
	}
}

// The golden hashes guard the law across commits and machines. They change only on purpose, and the changelog says so:
// go test ./scenarios -run Golden -update.
func TestGoldenHashes(t *testing.T) {
	const file = "testdata/golden.txt"
	var b strings.Builder
	for _, s := range scenarios.Catalogue() {
		fmt.Fprintf(&b, "%s  %s\n", scenarios.Run(s, 1).Hash(), s.ID)
	}
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the runs have changed:\n%swere\n%s", b.String(), want)
	}
}

// Each mutant is the reference with one option turned, and the scenario in which it breaks.
func TestTurningOneOptionBreaksWhatTheReferenceKeeps(t *testing.T) {
	for _, c := range []struct {
		scenario, set string
		breaks        []string
		keeps         []string
	}{
		{"kleppmann/pause-before-reply", "lock.validity_check=false", []string{"belief"}, []string{"validity", "quorum"}},
		{"antirez/delayed-restart", "fault.3.for=500ms", []string{"belief", "validity", "quorum"}, []string{"fenced"}},
		{"kleppmann/crash-restart", "persistence=aof-always", nil, []string{"belief", "validity", "quorum", "storage"}},
		{"kleppmann/crash-restart", "persistence=aof-everysec", nil, []string{"validity"}}, // synced immediately, as the first for a while
		{"distlock/power-loss-everysec", "persistence=aof-always", nil, []string{"validity"}},
		{"distlock/power-loss-stepped", "persistence=aof-always", nil, []string{"validity"}},
		{"kleppmann/clock-jump", "fault.3.by=-11s", nil, []string{"belief", "validity", "quorum"}},
		{"kleppmann/gc-pause", "fault.1.for=3s", nil, []string{"belief", "storage"}},
		{"kleppmann/gc-pause", "work.recheck=true", nil, []string{"storage"}},
		{"kleppmann/gc-pause", "fencing.source=none", []string{"fenced"}, []string{"validity"}},
		{"kleppmann/gc-pause", "lock.kind=single", []string{"belief", "storage"}, []string{"validity", "quorum", "fenced"}},
	} {
		t.Run(c.scenario+" "+c.set, func(t *testing.T) {
			s := find(t, c.scenario)
			if err := s.Set(c.set); err != nil {
				t.Fatal(err)
			}
			if err := s.Check(); err != nil {
				t.Fatal(err)
			}
			r := runner(t)
			for seed := range uint64(50) {
				res := r.Run(&s, seed)
				for _, name := range c.breaks {
					verdict(t, res, name, checker.Violated)
				}
				for _, name := range c.keeps {
					verdict(t, res, name, checker.Holds)
				}
			}
		})
	}
}

func verdict(t *testing.T, r *scenarios.Result, property string, want checker.Verdict) {
	t.Helper()
	for _, f := range r.Findings {
		if f.Property == property && f.Verdict != want {
			t.Fatalf("seed %d: %s %s, want %s. %s", r.Seed, property, f.Verdict, want, r.Evidence.Explain(f))
		}
	}
}

func TestCutRunProvesOnlyWhatItSaw(t *testing.T) {
	for _, set := range []string{"horizon=5s", "steps=100"} {
		s := find(t, "kleppmann/gc-pause")
		if err := s.Set(set); err != nil {
			t.Fatal(err)
		}
		r := scenarios.Run(s, 1)
		if r.Verdict != scenarios.Unknown || r.Evidence.Cut == "" {
			t.Errorf("%s: verdict %s, cut %q", set, r.Verdict, r.Evidence.Cut)
		}
	}
	s := find(t, "kleppmann/gc-pause")
	if err := s.Set("horizon=15001ms"); err != nil { // belief broke at ten seconds; what came after was not seen
		t.Fatal(err)
	}
	r := scenarios.Run(s, 1)
	verdict(t, r, "belief", checker.Violated)
	verdict(t, r, "validity", checker.Unknown)
	if got := [2]checker.Verdict{r.VerdictOn("blackbox.mutex"), r.VerdictOn("blackbox.register")}; got != [2]checker.Verdict{checker.Violated, checker.Unknown} {
		t.Errorf("to a black box, mutex and register are %v", got)
	}
}

func TestScenarioFailsIfItsFaultNeverHits(t *testing.T) {
	s := find(t, "antirez/delayed-restart")
	s.Faults[2].When.Name = "no such mark"
	if r := scenarios.Run(s, 1); r.Verdict != scenarios.Fail {
		t.Errorf("verdict %s though the restart never struck", r.Verdict)
	}
}

func TestMemoryStaysFlatOverManyRuns(t *testing.T) {
	s, r := find(t, "kleppmann/gc-pause"), runner(t)
	heap := func(runs uint64) uint64 {
		for seed := range runs {
			r.Run(&s, seed)
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	warm := heap(500)
	if after := heap(3000); after > warm+warm/10+100_000 {
		t.Errorf("the heap grew from %d to %d bytes in 3,000 runs", warm, after)
	}
}

// The judge of belief sees true time, and the black box only what clients saw. On the catalogue they must say the same.
func TestTheBlackBoxAgreesWithTheWhiteOne(t *testing.T) {
	exclusive, _ := blackbox.LookupModel("mutex")
	shared, ok := blackbox.LookupModel("rwlock")
	if !ok {
		t.Fatal("there is no model of a lock that is shared")
	}
	seeds := uint64(20)
	if !long {
		seeds = 2
	}
	r := runner(t)
	for _, s := range some(3) {
		mutex := exclusive
		if s.Work.Readers > 0 {
			mutex = shared
		}
		mutex.Clients = s.Clients
		for seed := range seeds {
			res := r.Run(&s, seed)
			if slices.Contains([]string{"redisson-rw/two-leases", "distlock/holder-gone", "redisson/holder-gone"}, s.ID) {
				continue // a client dies there for good, and no operation says that its hold has ended
			}
			got := blackbox.Linearizable(res.Evidence.History, mutex)
			if got.Err != nil || got.Verdict != res.Findings[0].Verdict {
				t.Fatalf("%s, seed %d: the history is %s as a %s, and belief %s: %v",
					s.ID, seed, got.Verdict, mutex.Name, res.Findings[0].Verdict, got.Err)
			}
		}
	}
}
