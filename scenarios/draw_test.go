package scenarios_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

const drawing = `title: A client freezes for as long as its collector stops it.
nodes: 1
clients: 2
lock: {kind: single, ttl: 1s}
search:
  draw:
    - when any acquired +~uniform(0s,300ms) pause holder for ~loguniform(10ms,10s)
    - at ~poisson(6/1h) jump nodes +-~exponential(1s,1m)
  within: 30m
horizon: 1h
`

func drawn(t *testing.T, text string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("drawn.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return &s
}

// TestRandomLinesDifferBySeed wants the same plain faults for a seed each time: one of the first line, and some of the
// second.
func TestRandomLinesDifferBySeed(t *testing.T) {
	s := drawn(t, drawing)
	u := s.Universes()
	jumps, schedules := 0, map[string]bool{}
	for seed := range uint64(200) {
		one := u.At(seed)
		text := one.Faults.String()
		if again := s.Universes().At(seed); again.Faults.String() != text {
			t.Fatalf("seed %d draws\n%s and then\n%s", seed, text, again.Faults)
		}
		if err := one.Check(); err != nil || strings.Count(text, "pause holder for") != 1 || strings.Contains(text, "~") {
			t.Fatalf("seed %d draws\n%s: %v", seed, text, err)
		}
		schedules[text] = true
		jumps += strings.Count(text, "jump nodes")
	}
	if len(schedules) != 200 || jumps < 520 || jumps > 680 {
		t.Errorf("200 seeds draw %d schedules and %d jumps; want 200 and 600", len(schedules), jumps)
	}
}

// TestRandomLinesAreIndependent leaves out a line, and writes one twice.
func TestRandomLinesAreIndependent(t *testing.T) {
	s := drawn(t, drawing)
	without, twice := *s, *s
	without.Search.Draw = s.Search.Draw[:1]
	twice.Search.Draw = []string{s.Search.Draw[0], s.Search.Draw[0]}
	for seed := range uint64(20) {
		all, one, two := s.Universes().At(seed).Faults, without.Universes().At(seed).Faults, twice.Universes().At(seed).Faults
		if len(one) != 1 || len(two) != 2 || one[0].String() != all[0].String() || two[0].String() != one[0].String() ||
			two[1].String() == two[0].String() {
			t.Fatalf("seed %d draws\n%sone line alone\n%sand it twice\n%s", seed, all, one, two)
		}
	}
}

// TestRandomFaultsEqualTheirSchedule compares a run of a seed with a run of its random schedule.
func TestRandomFaultsEqualTheirSchedule(t *testing.T) {
	s := drawn(t, strings.NewReplacer("30m", "10s", "1h\n", "1m\n", "6/1h", "1/1s").Replace(drawing))
	struck := 0
	for seed := range uint64(20) {
		one := s.Universes().At(seed)
		planned, err := faults.Parse(one.Faults.String())
		if err != nil {
			t.Fatal(err)
		}
		plain := *s
		plain.Search, plain.Faults = scenarios.Search{}, planned
		a, b := scenarios.Run(one, seed), scenarios.Run(plain, seed)
		if a.Hash() != b.Hash() {
			t.Fatalf("seed %d: the schedule\n%s has another run", seed, planned)
		}
		struck += len(a.Evidence.Strikes)
	}
	if struck == 0 {
		t.Error("nothing strikes")
	}
}

func TestInvalidRandomLinesAreRejectedWithTheirPlace(t *testing.T) {
	for line, want := range map[string]string{
		"at 1s puase c1":                        "f.yaml:5:13: search.draw.1: found \"puase\"; want one of pause, suspend, crash, restart, jump, drift, slew, strobe, partition, cut, hold, slow, slow-node, lossy, stall-disk, refuse, evict; did you mean pause?",
		"at 1s pause c9 for ~constant(1s)":      "f.yaml:5:7: search.draw.1: \"at 1s for 1s pause c9\" may be drawn, and no host is named \"c9\"; there are n1, n2, n3, n4, n5, s, c1, c2, c3",
		"at 1s pause c1 for ~pareto(1ms,x,60s)": "f.yaml:5:26: search.draw.1: found \"~pareto(1ms,x,60s)\"; want a distribution such as ~uniform(1ms,10s); \"x\" is not a shape such as 1.2, from 0.05 to 100",
		"at ~poisson(1/1ms) pause c1":           "f.yaml:5:7: search.draw.1: it hits 60000 times within 1m0s on average; give a rate of at most 100 faults",
		"at ~uniform(0s,2h) pause c1":           "f.yaml:5:7: search.draw.1: \"at 3600s pause c1\" may be drawn, and it would hit after the run's horizon of 5m0s; give an earlier time",
		"at 1s pause n1 for ~constant(3)":       "f.yaml:5:26: search.draw.1: found \"~constant(3)\"; want a distribution such as ~uniform(1ms,10s); \"3\" is not an amount such as 3s; it has no unit: write 3ms, 3s or 3ppm",
	} {
		_, err := scenarios.Parse("f.yaml", []byte("title: x\nsearch:\n  within: 1m\n  draw:\n    - "+line+"\n"))
		if err == nil {
			t.Errorf("%q is read", line)
		} else if err.Error() != want {
			t.Errorf("%q:\n%v\nwant\n%s", line, err, want)
		}
	}
	if _, err := scenarios.Parse("f.yaml", []byte("title: x\nsearch: {draw: [at ~poisson(1/1h) pause c1]}\n")); err == nil ||
		!strings.Contains(err.Error(), "within") {
		t.Errorf("a rate within no time: %v", err)
	}
}

// TestRandomLinesRoundTripInFilesAndSettings writes the scenario, and sets its lines as a cell does.
func TestRandomLinesRoundTripInFilesAndSettings(t *testing.T) {
	s := drawn(t, drawing)
	again := drawn(t, string(s.YAML()))
	set := scenarios.Base()
	set.Search.Within, set.Horizon = 30*time.Minute, time.Hour
	if err := set.Set("search.draw=" + strings.Join(s.Search.Draw, ";")); err != nil {
		t.Fatal(err)
	}
	for i, line := range s.Search.Draw {
		if again.Search.Draw[i] != line || set.Search.Draw[i] != line {
			t.Errorf("%q is %q in a file and %q as a setting", line, again.Search.Draw[i], set.Search.Draw[i])
		}
	}
}
