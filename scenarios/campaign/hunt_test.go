package campaign_test

import (
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// hunted searches a scenario with some classes of faults.
func hunted(t testing.TB, id string, runs, workers int, words ...string) *campaign.Hunt {
	t.Helper()
	s, ok := scenarios.Find(id)
	if !ok {
		t.Fatalf("there is no %s", id)
	}
	s.Search.Faults = words
	h := &campaign.Hunt{
		Job:     &campaign.Job{Scenario: &s, Cells: []campaign.Cell{{}}, First: 1, Runs: runs, Size: 20},
		Watched: campaign.All(),
	}
	h.Begin()
	h.Job.Each(workers, h.AddAll)
	return h
}

func place(property string) int {
	return slices.IndexFunc(checker.Properties, func(p checker.Property) bool { return p.Name == property })
}

// The theory of the reference: honest clocks, and nodes that forget nothing, keep validity and quorum whatever happens
// to messages and clients.
func TestLatenessLossAndPausesKeepValidityAndQuorum(t *testing.T) {
	runs := 6000
	if !long {
		runs = 120
	}
	h := hunted(t, "redlock/any", runs, 2, "delay", "loss", "pause")
	for _, name := range []string{"validity", "quorum", "fenced", "tokens", "continuity", "deadlock-free", "fault-tolerant"} {
		if n := h.Counts[place(name)].Violated; n > 0 || h.Counts[place(name)].Unknown > 0 {
			t.Errorf("%s is violated in %d of %d runs", name, n, runs)
		}
	}
	for _, name := range []string{"belief", "storage", "leak-free"} {
		if h.Counts[place(name)].Violated == 0 {
			t.Errorf("%s never breaks, so too little happened", name)
		}
	}
}

// A step of a clock, or a node that forgets, breaks them soon; and what is left of it is the textbook case.
func TestStepsAndAmnesiaShrinkToTheTextbookCase(t *testing.T) {
	runs := 400
	if !long {
		runs = 60
	}
	for _, class := range []string{"jump", "restart"} {
		if !long && class == "restart" {
			continue
		}
		h := hunted(t, "redlock/any", runs, 2, class)
		for _, name := range []string{"validity", "quorum"} {
			at := slices.IndexFunc(h.Signatures, func(g campaign.Signature) bool { return g.Property == name })
			if at < 0 {
				t.Fatalf("with %s, %s never breaks", class, name)
			}
			g := &h.Signatures[at]
			if least := g.Shrinker.Least; !g.Shrunk || least.Clients > 2 || len(least.Faults) > 2 {
				t.Errorf("with %s, %s is shrunk to %d clients and\n%s", class, name, least.Clients, least.Faults)
			}
		}
	}
}

// Each counterexample is a file that a person reads in one look. It reads back as itself, and runs as it says, also if
// shrinking ended early and some faults hit nothing.
func TestCounterexamplesRunAsExpected(t *testing.T) {
	runs := 300
	if !long {
		runs = 80
	}
	h := hunted(t, "redlock/any", runs, 2, "delay", "pause", "restart", "jump", "drift")
	if len(h.Signatures) < 5 {
		t.Fatalf("only %d signatures are put to the test", len(h.Signatures))
	}
	universes, pruned := h.Job.Scenario.Universes(), 0
	for i := range h.Signatures {
		g := &h.Signatures[i]
		s := g.Counterexample("lockstorm fuzz redlock/any")
		text := string(s.Brief())
		again, err := scenarios.Parse(s.ID+".yaml", []byte(text))
		if err != nil || string(again.YAML()) != string(s.YAML()) {
			t.Errorf("%s does not come back: %v\n%s", s.ID, err, text)
			continue
		}
		if r := scenarios.Run(again, g.Shrinker.Seed); r.Verdict != scenarios.Pass || again.Expected(g.Property) != checker.Violated {
			t.Errorf("%s, seed %d: %s\n%s", s.ID, g.Shrinker.Seed, r.Verdict, text)
		}
		if lines := strings.Count(text, "\n"); lines > 45 {
			t.Errorf("%s takes %d lines:\n%s", s.ID, lines, text)
		}
		early := campaign.Shrinker{Least: universes.At(g.First), Seed: g.First, Property: g.Property, Most: 1}
		early.Run()
		s = early.Counterexample()
		if again, err := scenarios.Parse(s.ID+".yaml", s.Brief()); err != nil || scenarios.Run(again, early.Seed).Verdict != scenarios.Pass ||
			again.Expected(g.Property) != checker.Violated {
			t.Errorf("%s of seed %d, hardly shrunk (%v):\n%s", g.Property, early.Seed, err, s.Brief())
		}
		pruned += len(early.Least.Faults) - len(s.Faults)
	}
	if pruned == 0 {
		t.Error("each fault struck where shrinking ended early")
	}
}

// haul returns everything that a hunt found, as text.
func haul(h *campaign.Hunt) string {
	var b strings.Builder
	for i := range h.Signatures {
		g := &h.Signatures[i]
		b.WriteString(strings.Join([]string{g.Name(), g.Shrinker.Least.Faults.String()}, "\n"))
		b.WriteString(string(rune('0'+g.Runs%10)) + string(g.Shrinker.Least.YAML()))
	}
	return b.String()
}

func TestHuntDoesNotDependOnTheWorkers(t *testing.T) {
	one := hunted(t, "redlock/any", simtest.Times(50, 100), 1, "delay", "restart", "drift")
	many := hunted(t, "redlock/any", simtest.Times(50, 100), 3, "delay", "restart", "drift")
	if haul(one) != haul(many) || !slices.Equal(one.Counts, many.Counts) || one.Runs != many.Runs {
		t.Errorf("three workers find\n%s\nand one\n%s", haul(many), haul(one))
	}
	if len(one.Signatures) < 3 {
		t.Errorf("only %d signatures are put to the test", len(one.Signatures))
	}
}

// broke returns a row of one violated property and some kinds of faults that hit.
func broke(seed uint64, property string, kinds ...*faults.Kind) *campaign.Row {
	r := campaign.Row{Seed: seed, Violated: 1 << place(property)}
	for _, k := range kinds {
		r.Struck |= campaign.KindsOf(faults.Schedule{{Kind: k}})
	}
	return &r
}

// A signature counts the runs in which all its kinds hit, whatever else did; each property has its own.
func TestRunCountsForSignaturesWhoseKindsHit(t *testing.T) {
	h := hunted(t, "redlock/any", 30, 1, "restart")
	if len(h.Signatures) == 0 || h.Signatures[0].Kinds.Words()[0] != "restart" {
		t.Fatal("no signature of a restart is there to begin with")
	}
	at := slices.IndexFunc(h.Signatures, func(g campaign.Signature) bool { return g.Property == "quorum" })
	before, shrunk := h.Signatures[at].Runs, len(h.Signatures)
	h.Shrinks = 1 // which there have been, so no other run is shrunk to the same
	h.AddAll([]campaign.Row{*broke(1000, "quorum", faults.Restart)})
	h.AddAll([]campaign.Row{*broke(1001, "quorum", faults.Pause, faults.Restart)})
	if got := h.Signatures[at].Runs; got != before+2 || len(h.Signatures) != shrunk {
		t.Errorf("%d runs count, and %d did before; there are %d signatures, and were %d", got, before, len(h.Signatures), shrunk)
	}
}

// Without end nothing may be shrunk: each takes as long as hundreds of runs.
func TestNumberOfShrunkRunsIsLimited(t *testing.T) {
	s := *found(t, "redlock/any")
	s.Search.Faults = []string{"restart", "jump"}
	h := campaign.Hunt{
		Job: &campaign.Job{Scenario: &s, Cells: []campaign.Cell{{}}, First: 1, Runs: 150, Size: 10}, Watched: 1 << place("quorum"), Shrinks: 1,
	}
	h.Begin()
	h.Job.Each(2, h.AddAll)
	at := place("quorum")
	if len(h.Signatures) != 1 || h.Unshrunk[at] == 0 || h.Counts[at].Violated != h.Unshrunk[at]+sum(h.Signatures) {
		t.Errorf("%d are violated, %d not shrunk, %d of %d signatures", h.Counts[at].Violated, h.Unshrunk[at], sum(h.Signatures), len(h.Signatures))
	}
	if h.Counts[place("validity")].Violated > 0 {
		t.Error("a property counts that is not watched")
	}
}

func sum(all []campaign.Signature) (runs int) {
	for _, g := range all {
		runs += g.Runs
	}
	return runs
}

func TestASearchEndsWithItsLastSignature(t *testing.T) {
	whole := hunted(t, "redlock/any", 150, 2, "restart", "pause")
	s := *whole.Job.Scenario
	h := campaign.Hunt{Job: &campaign.Job{Scenario: &s, Cells: []campaign.Cell{{}}, First: 1, Runs: 150, Size: 20}, Watched: campaign.All(), Most: 2}
	h.Begin()
	h.Job.Each(2, h.AddAll)
	if len(h.Signatures) < 2 || h.Runs >= whole.Runs || h.Signatures[1].Name() != whole.Signatures[1].Name() {
		t.Errorf("it ends after %d runs with %d signatures", h.Runs, len(h.Signatures))
	}
}

// BenchmarkHunt compares two workers with one. They alternate, so that other load slows both alike.
func BenchmarkHunt(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(scenarios.GCPercent)) // as the program does
	var took [3]time.Duration
	for b.Loop() {
		for workers := 1; workers <= 2; workers++ {
			began := time.Now()
			hunted(b, "redlock/any", 4000, workers, "loss", "crash")
			took[workers] += time.Since(began)
		}
	}
	b.ReportMetric(float64(took[1])/float64(took[2]), "ratio")
	b.ReportMetric(float64(took[2])/float64(b.N)/4000, "ns/seed")
}
