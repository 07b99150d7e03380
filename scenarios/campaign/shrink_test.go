package campaign_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// stormy returns a plain scenario, and the first seed with which it breaks a property under many faults of some kinds.
func stormy(t testing.TB, property string, words ...string) (plain *scenarios.Scenario, shrinking campaign.Shrinker) {
	t.Helper()
	kinds, err := faults.KindsOf(words)
	if err != nil {
		t.Fatal(err)
	}
	plain = found(t, "baseline/fault-free")
	storm := faults.Storm{
		Kinds: kinds, Most: 40, Span: 30 * time.Second, Near: []time.Duration{plain.Lock.TTL},
		Marks: []string{"asking", "acquired", "before-write"},
	}
	r := scenarios.NewRunner()
	defer r.Close()
	for seed := range uint64(2000) {
		s := *plain
		c := sim.NewChance(seed, "storm")
		if s.Faults = storm.Draw(&c, s.Cast()); len(s.Faults) >= 30 && violates(r, &s, seed, property) {
			return plain, campaign.Shrinker{Least: s, Seed: seed, Property: property, Plain: plain}
		}
	}
	t.Fatalf("no storm of %s breaks %s", words, property)
	return nil, shrinking
}

func violates(r *scenarios.Runner, s *scenarios.Scenario, seed uint64, property string) bool {
	return slices.ContainsFunc(r.Run(s, seed).Findings, func(f checker.Finding) bool {
		return f.Property == property && f.Verdict == checker.Violated
	})
}

// Of thirty faults and more, one or two are left: the cases in the literature.
func TestAStormShrinksToTheTextbookCase(t *testing.T) {
	need.Long(t)
	for _, c := range []struct {
		property string
		words    []string
		want     string // a word of the smallest schedule
	}{
		{"validity", []string{"restart", "pause", "delay"}, "restart"},
		{"quorum", []string{"jump", "loss", "partition"}, "jump|strobe"},
		{"belief", []string{"pause", "delay"}, "pause|slow|hold"},
	} {
		_, s := stormy(t, c.property, c.words...)
		from := len(s.Least.Faults)
		at := time.Now()
		done := s.Run()
		t.Logf("%s: from %d faults, in %d runs and %s, to seed %d, %d clients, %d cycles and\n%s",
			c.property, from, s.Runs, time.Since(at), s.Seed, s.Least.Clients, s.Least.Work.Cycles, s.Least.Faults)
		if !done || len(s.Least.Faults) > 2 || s.Least.Clients > 2 {
			t.Errorf("%s is not shrunk", c.property)
		}
		if !slices.ContainsFunc(strings.Split(c.want, "|"), func(word string) bool { return strings.Contains(s.Least.Faults.String(), word) }) {
			t.Errorf("there is no %s in\n%s", c.want, s.Least.Faults)
		}
		if err := s.Least.Check(); err != nil {
			t.Error(err)
		}
		r := scenarios.NewRunner()
		if !violates(r, &s.Least, s.Seed, c.property) {
			t.Errorf("%s holds in the end", c.property)
		}
		r.Close()
	}
}

// In one go or in many, the result is the same; and once it is done, nothing more happens.
func TestShrinkingResumes(t *testing.T) {
	need.Long(t)
	_, whole := stormy(t, "validity", "jump", "pause")
	parts := whole
	if !whole.Run() {
		t.Fatal("it takes too many runs")
	}
	calls := 0
	for parts.Most = 10; !parts.Run(); parts.Most += 50 {
		if calls++; calls > 1000 {
			t.Fatal("it never ends")
		}
	}
	if calls < 2 {
		t.Errorf("it was over after %d calls: too little is put to the test", calls)
	}
	if got, want := parts.Least.Faults.String(), whole.Least.Faults.String(); got != want || parts.Seed != whole.Seed {
		t.Errorf("in parts: seed %d\n%swhole: seed %d\n%s", parts.Seed, got, whole.Seed, want)
	}
	before, runs := whole.Least.Faults.String(), whole.Runs
	whole.Most = whole.Runs + 2000
	again := campaign.Shrinker{Least: whole.Least, Seed: whole.Seed, Property: "validity"}
	if !again.Run() || again.Least.Faults.String() != before {
		t.Errorf("there was more to shrink: %s", again.Least.Faults)
	}
	if !whole.Run() || whole.Least.Faults.String() != before || whole.Runs != runs {
		t.Errorf("there was more to shrink: %s", whole.Least.Faults)
	}
}

// Random settings return to their old values, except those that breaking the property needs.
func TestShrinkingRestoresPlainSettings(t *testing.T) {
	plain := found(t, "kleppmann/pause-before-reply")
	s := *plain
	for _, set := range []string{"lock.ttl=8s", "lock.validity_check=false", "work.recheck=false", "nodes=7", "lock.drift_factor=0.02"} {
		if err := s.Set(set); err != nil {
			t.Fatal(err)
		}
	}
	sh := campaign.Shrinker{Least: s, Seed: 1, Property: "belief", Plain: plain}
	var tried []string
	sh.Tried = func(what string, _ *scenarios.Scenario, breaks bool) {
		if breaks {
			tried = append(tried, what)
		}
	}
	if !sh.Run() || sh.Least.Nodes != plain.Nodes || sh.Least.Lock.TTL != plain.Lock.TTL || sh.Least.Lock.DriftFactor != plain.Lock.DriftFactor {
		t.Errorf("left are nodes %d, TTL %s after %q", sh.Least.Nodes, sh.Least.Lock.TTL, tried)
	}
	if !slices.Contains(tried, "a setting as it was") {
		t.Errorf("it tells of %q", tried)
	}
}

// Shrinking must have done what a person would do next by hand.
func TestShrunkScenarioIsPlain(t *testing.T) {
	short := *found(t, "baseline/fault-free")
	var err error
	if short.Faults, err = faults.Parse("when c1 before-write restart majority for 39µs"); err != nil {
		t.Fatal(err)
	}
	wide := *found(t, "baseline/fault-free")
	if wide.Faults, err = faults.Parse("when c1 read restart nodes for 1ms"); err != nil {
		t.Fatal(err)
	}
	search := found(t, "redisson/any")
	plain := *search
	plain.Search = scenarios.Search{}
	for _, c := range []struct {
		shrinking campaign.Shrinker
		want      string
	}{
		{campaign.Shrinker{Least: short, Seed: 1, Property: "quorum"}, "when c1 before-write restart majority for 10µs\n"},
		{campaign.Shrinker{Least: search.Universes().At(13), Seed: 13, Property: "leak-free", Plain: &plain}, "at 0s for 20ms hold c1>n1\n"},
		{campaign.Shrinker{Least: wide, Seed: 1, Property: "quorum"}, "when c1 read restart majority for 1ms\n"},
	} {
		s := c.shrinking
		if !s.Run() || s.Least.Faults.String() != c.want || s.Least.Clients != 1 || s.Least.Work.Cycles != 1 {
			t.Errorf("left are %d clients, %d cycles and\n%swant one of each and\n%s", s.Least.Clients, s.Least.Work.Cycles, s.Least.Faults, c.want)
		}
	}
}

func TestShrinkingLeavesAHoldingScenario(t *testing.T) {
	s := campaign.Shrinker{Least: *found(t, "antirez/delayed-restart"), Seed: 1, Property: "validity"}
	before := s.Least.Faults.String()
	if !s.Run() || s.Least.Faults.String() != before || s.Seed != 1 {
		t.Errorf("it became\n%s", s.Least.Faults)
	}
}

// BenchmarkShrinkThirtyFaults reports how many runs it takes to shrink a schedule of thirty faults and more. They
// should be under 2,000, and take under five seconds.
func BenchmarkShrinkThirtyFaults(b *testing.B) {
	_, stormy := stormy(b, "validity", "restart", "pause", "delay")
	runs := 0
	for b.Loop() {
		s := stormy
		if !s.Run() {
			b.Fatal("it takes too many runs")
		}
		runs += s.Runs
	}
	b.ReportMetric(float64(runs)/float64(b.N), "runs")
	b.ReportMetric(float64(len(stormy.Least.Faults)), "faults")
}
