package faults_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/sim"
)

var storm = faults.Storm{Most: 8, Span: 30 * s, Near: []time.Duration{10 * s, 9898 * ms}, Marks: []string{"acquired", "before-write"}, Stays: true}

func drawn(storm faults.Storm, cast faults.Cast, seed uint64) faults.Schedule {
	c := sim.NewChance(seed, "storm")
	return storm.Draw(&c, cast)
}

// Every random schedule can happen, and can be written down.
func TestCheckFindsNoFaultWithWhatAStormDraws(t *testing.T) {
	casts := []faults.Cast{crowd, cast, {Nodes: []string{"n1"}, Clients: []string{"c1"}}, {Clients: []string{"c1"}}, {Nodes: []string{"n1", "n2", "n3"}}, {}}
	for i, cast := range casts {
		for _, st := range []faults.Storm{storm, {}, {Span: 1}, {Span: time.Nanosecond, Near: []time.Duration{s}}} {
			for seed := range uint64(2000) {
				schedule := drawn(st, cast, seed)
				if err := schedule.Check(cast, time.Minute); err != nil {
					t.Fatalf("cast %d, seed %d: %v", i, seed, err)
				}
				if again, err := faults.Parse(schedule.String()); err != nil || again.String() != schedule.String() {
					t.Fatalf("cast %d, seed %d: %v\n%s", i, seed, err, schedule)
				}
			}
		}
	}
}

// Every kind, shape, role and way to begin occurs, and some schedules have one kind alone.
func TestStormDrawsEverythingAllowed(t *testing.T) {
	seen, alone, none := map[string]int{}, map[*faults.Kind]int{}, 0
	lasting, timed, restarts := map[*faults.Kind]int{}, 0, 0
	for seed := range uint64(4000) {
		schedule := drawn(storm, crowd, seed)
		none += min(1, max(0, 1-len(schedule)))
		for _, word := range strings.Fields(schedule.String()) {
			seen[word]++
		}
		if len(schedule) > 1 && !slices.ContainsFunc(schedule, func(f faults.Fault) bool { return f.Kind != schedule[0].Kind }) {
			alone[schedule[0].Kind]++
		}
		for _, f := range schedule {
			if f.At > at(storm.Span) || f.For > storm.Span {
				t.Fatalf("%s goes beyond %s", f, storm.Span)
			}
			lasting[f.Kind] += min(1, int(f.For))
			if f.Kind == faults.Restart && f.For > 0 {
				restarts++
				timed += min(1, len(f.On))
			}
			if f.For > 9890*ms && f.For < 10010*ms {
				seen["about ten seconds"]++
			}
		}
	}
	want := append(strings.Fields("at when any c1 c3 acquired before-write 2nd holder a-client a-node minority majority nodes"+
		" isolate split ring bridge > | cleanly on 10s 9.898s"), "about ten seconds")
	for _, k := range faults.Kinds {
		want = append(want, k.String())
		if alone[k] < 5 {
			t.Errorf("only %d schedules are of %s alone", alone[k], k)
		}
		if lasting[k] < 5 && !k.EndsItself {
			t.Errorf("only %d faults of %s end before the run", lasting[k], k)
		}
	}
	for _, word := range want {
		if seen[word] < 5 {
			t.Errorf("%s came up %d times in 4000 schedules", word, seen[word])
		}
	}
	if timed < restarts/16 || timed > restarts/4 {
		t.Errorf("%d of %d restarts are timed by a clock, not one of eight", timed, restarts)
	}
	if none < 100 || none > 2000 {
		t.Errorf("%d of 4000 schedules are empty", none)
	}
}

func TestAStormKeepsToItsKinds(t *testing.T) {
	kinds, err := faults.KindsOf([]string{"delay", "pause", "slow"})
	if err != nil || !slices.Equal(kinds, []*faults.Kind{faults.Slow, faults.SlowNode, faults.Hold, faults.Pause}) {
		t.Fatal(kinds, err)
	}
	for seed := range uint64(500) {
		for _, f := range drawn(faults.Storm{Kinds: kinds}, crowd, seed) {
			if !slices.Contains(kinds, f.Kind) {
				t.Fatalf("seed %d: %s", seed, f)
			}
		}
	}
}

type zero struct{}

func (zero) Below(uint64) uint64 { return 0 }

// So a shrinker that lowers the draws ends with nothing.
func TestTheLowestDrawsAreNoFaultAtAll(t *testing.T) {
	if schedule := storm.Draw(zero{}, crowd); schedule != nil {
		t.Errorf("the lowest draws give\n%s", schedule)
	}
}

func TestEveryKindIsInOneClass(t *testing.T) {
	for _, k := range faults.Kinds {
		n := 0
		for _, c := range faults.Classes() {
			if slices.Contains(c.Kinds(), k) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s is in %d classes", k, n)
		}
	}
	if c := faults.Strobe.Class; c.Name != "jump" {
		t.Errorf("a strobe is in %q", c.Name)
	}
	if _, err := faults.KindsOf([]string{"puase"}); err == nil || !strings.Contains(err.Error(), "did you mean pause?") {
		t.Error(err)
	}
}

// A storm of at most one fault has one in about every second schedule, and never two.
func TestAStormOfOneFaultHasOne(t *testing.T) {
	one := 0
	for seed := range uint64(1000) {
		schedule := drawn(faults.Storm{Most: 1}, crowd, seed)
		if one += len(schedule); len(schedule) > 1 {
			t.Fatalf("seed %d: %s", seed, schedule)
		}
	}
	if one < 400 || one > 600 {
		t.Errorf("%d of 1000 schedules have a fault", one)
	}
}
