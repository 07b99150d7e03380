package campaign_test

import (
	"reflect"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// found returns a scenario of the catalogue, changed.
func found(t testing.TB, id string, set ...string) *scenarios.Scenario {
	t.Helper()
	s, ok := scenarios.Find(id)
	if !ok {
		t.Fatalf("there is no %s", id)
	}
	for _, change := range set {
		if err := s.Set(change); err != nil {
			t.Fatal(err)
		}
	}
	return &s
}

// Every flaw that the catalogue knows is brought to light within the runs it states, by a scenario that the reference
// goes through unharmed.
func TestEveryCatalogueMutantIsKilled(t *testing.T) {
	total := 0
	for i, s := range scenarios.Catalogue() {
		if !long && i%6 > 0 {
			continue
		}
		for _, m := range s.Mutants {
			total++
			d := campaign.Kill(&s, m, 1, 5, 2)
			if d.Verdict() != scenarios.Pass || d.Killed == 0 || d.First < 1 || d.First > uint64(m.Within) {
				t.Errorf("%s in %s: reference %v, mutant killed in %d of %d, first with seed %d, and should be within %d",
					m.Name, s.ID, d.Reference, d.Killed, d.Runs, d.First, m.Within)
			}
		}
	}
	if total < simtest.Times(10, 20) {
		t.Errorf("there are only %d mutants", total)
	}
}

func TestMutantWithoutChangeSurvives(t *testing.T) {
	s := found(t, "kleppmann/pause-before-reply")
	for _, m := range []scenarios.Mutant{
		{Name: "the reference", Breaks: []string{"belief"}, Within: 3},
		{Name: "another name for it", Set: []scenarios.Assignment{{Key: "lock.validity_check", Value: "true"}}, Breaks: []string{"belief"}, Within: 3},
		{Name: "a flaw that breaks less", Set: s.Mutants[0].Set, Breaks: []string{"belief", "fenced"}, Within: 3},
		{Name: "a flaw of which nothing is said", Set: s.Mutants[0].Set, Within: 3},
	} {
		d := campaign.Kill(s, m, 1, 10, 2)
		if d.Mutant != scenarios.Fail || d.Verdict() != scenarios.Fail || d.Killed != 0 || d.First != 0 || d.Reference.Verdict != scenarios.Pass {
			t.Errorf("%s: %+v", m.Name, d)
		}
	}
}

func TestFailingReferenceIsReported(t *testing.T) {
	s := found(t, "kleppmann/pause-before-reply", "lock.validity_check=false")
	d := campaign.Kill(s, s.Mutants[0], 7, 10, 2)
	if d.Mutant != scenarios.Pass || d.Verdict() != scenarios.Fail || d.Killed != 10 || d.First != 7 ||
		d.Reference.Fail != 10 || d.Reference.Unexpected[0] != 7 {
		t.Errorf("%+v", d)
	}
}

func TestCutMutantIsUnknown(t *testing.T) {
	s := found(t, "kleppmann/pause-before-reply", "horizon=1s")
	if d := campaign.Kill(s, s.Mutants[0], 1, 5, 2); d.Mutant != scenarios.Unknown || d.Killed != 0 {
		t.Errorf("%+v", d)
	}
}

func TestLateKillMeansTheMutantSurvives(t *testing.T) {
	s := found(t, "distlock/orphans-unanswered")
	m := s.Mutants[0]
	first := campaign.Kill(s, m, 1, 1, 2).First
	if first < 2 {
		t.Fatalf("it is killed with seed %d: choose another mutant", first)
	}
	for _, c := range []struct {
		within int
		want   scenarios.Verdict
	}{{int(first) - 1, scenarios.Fail}, {int(first), scenarios.Pass}} {
		m.Within = c.within
		d := campaign.Kill(s, m, 1, int(first), 2)
		if d.Mutant != c.want || d.First != first {
			t.Errorf("within %d: %v, first with seed %d; want %v, with seed %d", c.within, d.Mutant, d.First, c.want, first)
		}
	}
}

// A mutant's numbers are for the seeds from 1. With others it may be less lucky.
func TestMutantFromAnotherSeedCanTakeAllRuns(t *testing.T) {
	s := found(t, "distlock/orphans-unanswered")
	m := s.Mutants[0]
	m.Within = 1
	seed := uint64(2)
	for campaign.Kill(s, m, seed, 1, 2).Killed > 0 {
		seed++
	}
	if d := campaign.Kill(s, m, seed, 1, 2); d.Mutant != scenarios.Fail {
		t.Errorf("one run, in which it was not killed: %v", d.Mutant)
	}
	if d := campaign.Kill(s, m, seed, 30, 2); d.Mutant != scenarios.Pass || d.First == seed || d.Killed == 0 {
		t.Errorf("killed in %d of %d, first with seed %d: %v", d.Killed, d.Runs, d.First, d.Mutant)
	}
}

// With fewer runs than a mutant may take nothing would be known of one that was not killed yet.
func TestMutantGetsItsRuns(t *testing.T) {
	s := found(t, "distlock/orphans-unanswered")
	if d := campaign.Kill(s, s.Mutants[0], 1, 1, 2); d.Runs != s.Mutants[0].Within || d.Reference.Runs != d.Runs {
		t.Errorf("%d runs, and %d of the reference", d.Runs, d.Reference.Runs)
	}
}

func TestMutantResultIsTheSameForAnyWorkers(t *testing.T) {
	s := found(t, "distlock/orphans")
	want := campaign.Kill(s, s.Mutants[0], 100, simtest.Times(25, 50), 1)
	if want.Killed == want.Runs || want.Killed == 0 {
		t.Fatalf("killed in %d of %d: too little is put to the test", want.Killed, want.Runs)
	}
	for _, workers := range []int{0, 2, 7} {
		if got := campaign.Kill(s, s.Mutants[0], 100, simtest.Times(25, 50), workers); !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers: %+v, want %+v", workers, got, want)
		}
	}
}
