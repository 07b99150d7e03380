package campaign_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// mixed is a scenario whose runs pass or fail, or are cut short, as their seeds fall.
func mixed(t testing.TB) *scenarios.Scenario {
	t.Helper()
	s, _ := scenarios.Find("baseline/fault-free")
	for _, set := range []string{"clients=2", "work.cycles=2", "lock.cleanup=none", "horizon=160ms"} {
		if err := s.Set(set); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	return &s
}

// serial counts the same runs one after another, with nothing that the campaign counts with.
func serial(s *scenarios.Scenario, first uint64, runs int) campaign.Tally {
	t := campaign.NewTally(s, first)
	t.Runs = runs
	property, sometimes := map[string]*stats.Count{}, map[string]*stats.Count{}
	untested := map[string]int{}
	for _, p := range s.Promises() {
		property[p.Name] = &stats.Count{}
	}
	for _, name := range s.Sometimes {
		sometimes[name] = &stats.Count{}
	}
	for i := range uint64(runs) {
		r := scenarios.Run(*s, first+i)
		t.Pass += count(r.Verdict == scenarios.Pass)
		t.Fail += count(r.Verdict == scenarios.Fail)
		t.Unknown += count(r.Verdict == scenarios.Unknown)
		t.Worsen(r.Verdict, first+i)
		if r.Verdict != scenarios.Pass {
			t.Unexpected = append(t.Unexpected, first+i)
		}
		for _, f := range r.Findings {
			property[f.Property].Add(f.Verdict)
			if r.Evidence.Vacuous(f) != "" {
				untested[f.Property]++
			}
		}
		for k := range t.BlackBox {
			t.BlackBox[k].Add(r.BlackBox[k].Verdict)
			t.BlackBox[k].Holds += count(r.BlackBox[k].Verdict == checker.Holds)
		}
		for _, f := range r.Seen {
			sometimes[f.Property].Add(f.Verdict)
		}
	}
	for i, p := range s.Promises() {
		c, n := *property[p.Name], untested[p.Name]
		t.Properties[i] = campaign.Frequency{Name: p.Name, Expect: s.Expected(p.Name), Holds: c.Holds() - n, Count: c, Untested: n}
	}
	for i, name := range s.Sometimes {
		c := *sometimes[name]
		t.Sometimes[i] = campaign.Frequency{Name: name, Expect: checker.Holds, Holds: c.Holds(), Count: c}
	}
	return t
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func TestTallyDoesNotDependOnTheWorkers(t *testing.T) {
	s := mixed(t)
	const first, runs = 1000, 500 // neither a whole number of batches
	want := serial(s, first, runs)
	if min(want.Pass, want.Unknown, want.Fail) == 0 {
		t.Fatalf("of the verdicts pass, unknown and fail there are %d, %d and %d: too little is put to the test", want.Pass, want.Unknown, want.Fail)
	}
	for _, workers := range []int{0, 1, 2, 7} {
		got := campaign.Plan{Scenario: s, First: first, Runs: runs, Workers: workers}.Run()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers count\n%+v, and a serial count is\n%+v", workers, got, want)
		}
		if !slices.IsSorted(got.Unexpected) {
			t.Errorf("%d workers: the unexpected seeds are not in order: %v", workers, got.Unexpected)
		}
	}
}

func TestEverySeedIsRunOnceHoweverFew(t *testing.T) {
	s := mixed(t)
	for _, runs := range []int{0, 1, 2, 63, 64, 65, 128} {
		want := serial(s, 7, runs)
		if got := (campaign.Plan{Scenario: s, First: 7, Runs: runs, Workers: 3}).Run(); !reflect.DeepEqual(got, want) {
			t.Errorf("%d runs count\n%+v, and a serial count is\n%+v", runs, got, want)
		}
	}
}

// fragile is a scenario in which a run panics if c1 begins its 14th attempt, which only some seeds reach.
func fragile() *scenarios.Scenario {
	s, _ := scenarios.Find("baseline/fault-free")
	s.Faults = faults.Schedule{{Kind: &faults.Kind{Name: "broken"}, Host: "c1", When: faults.Mark{Host: "c1", Name: "asking", Nth: 14}}}
	return &s
}

// breaks reports whether the run of a seed panics.
func breaks(s *scenarios.Scenario, seed uint64) (broke bool) {
	defer func() { broke = recover() != nil }()
	scenarios.Run(*s, seed)
	return false
}

// run returns the value that a campaign panics with.
func run(p campaign.Plan) (panicked any) {
	defer func() { panicked = recover() }()
	p.Run()
	return nil
}

func TestPanickingRunIsNamedOnAnyWorker(t *testing.T) {
	s := fragile()
	const first = 1
	seed := uint64(first)
	for !breaks(s, seed) {
		seed++
	}
	later := seed + 1
	for !breaks(s, later) {
		later++
	}
	if seed == first || later > first+300 {
		t.Fatalf("seeds %d and %d panic: choose another scenario", seed, later)
	}
	for _, workers := range []int{1, 2, 7} {
		for range 5 { // the workers fall in with each other differently each time
			p := run(campaign.Plan{Scenario: s, First: first, Runs: 1000, Workers: workers})
			b, ok := p.(campaign.Broken)
			if !ok || b.Scenario != s.ID || b.Seed != seed {
				t.Fatalf("%d workers: panic %v, want one that names seed %d", workers, p, seed)
			}
			if says := b.Error(); !strings.HasPrefix(says, "baseline/fault-free, seed ") || !strings.Contains(says, "no such kind") {
				t.Errorf("it says %s", says)
			}
			if !strings.Contains(string(b.Stack), "scenarios.(*Runner).Run") {
				t.Errorf("it does not say where:\n%s", b.Stack)
			}
		}
	}
	if p := run(campaign.Plan{Scenario: s, First: first, Runs: int(seed - first), Workers: 2}); p != nil {
		t.Errorf("the seeds before it panic: %v", p)
	}
}

func TestBrokenIsAnError(t *testing.T) {
	var b campaign.Broken
	if err := error(campaign.Broken{Seed: 7}); !errors.As(err, &b) || b.Seed != 7 {
		t.Error(err)
	}
}

// A run is the same run in a campaign as alone, whatever its worker has done before.
func TestARunHasTheSameHashInACampaignAsAlone(t *testing.T) {
	for i, s := range scenarios.Catalogue() {
		runs, crews := 20, []int{1, 3}
		if !long && i%9 > 0 {
			continue
		} else if !long {
			runs, crews = 3, []int{3}
		}
		for _, workers := range crews {
			var hashes sync.Map
			tally := campaign.Plan{Scenario: &s, First: 5, Runs: runs, Workers: workers, Each: func(r *scenarios.Result) {
				hashes.Store(r.Seed, r.Hash())
			}}.Run()
			if tally.Runs != runs {
				t.Fatalf("%d runs", tally.Runs)
			}
			for seed := uint64(5); seed < 5+uint64(runs); seed += 6 {
				if h, _ := hashes.Load(seed); h != scenarios.Run(s, seed).Hash() {
					t.Errorf("%s, seed %d: another hash with %d workers than alone", s.ID, seed, workers)
				}
			}
		}
	}
}
