package scenarios_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// The finding of kleppmann/pause-before-reply names the step's limit. A pause up to the reading of the clock is caught,
// and one after it is not. Between the two lies a step of the client, which takes a random time.
func TestPauseBeforeTheClockReadingIsCaught(t *testing.T) {
	const runs = 200
	for _, c := range []struct {
		pause       string
		least, most int // runs in which two clients act as holders
	}{
		{"when c1 asking +50µs pause c1 for 15s", 0, 0},
		{"when c1 answered pause c1 for 15s", 0, 0},
		{"when c1 answered +2µs pause c1 for 15s", runs / 4, runs * 3 / 4},
		{"when c1 acquired pause c1 for 15s", runs, runs},
	} {
		s := find(t, "kleppmann/pause-before-reply")
		var err error
		if s.Faults, err = faults.Parse(c.pause); err != nil {
			t.Fatal(err)
		}
		if n := countBroken(t, &s, "belief", runs); n < c.least || n > c.most {
			t.Errorf("%s: belief breaks in %d of %d runs, want %d to %d", c.pause, n, runs, c.least, c.most)
		}
	}
}

// The finding of antirez/rate-drift names what was tried. The allowance covers up to 10,303 ppm on one node.
func TestTheDriftClaimHoldsAtEachRateTriedThatTheAllowanceCovers(t *testing.T) {
	runs := uint64(10)
	if !long {
		runs = 3
	}
	for _, ppm := range []int{-50000, -20000, -10000, -5000, -1000, -100, 100, 1000, 5000, 9000, 10000, 11000, 15000, 20000, 50000} {
		s := find(t, "antirez/rate-drift")
		if err := s.Set(fmt.Sprintf("clocks.n3=%+dppm", ppm)); err != nil {
			t.Fatal(err)
		}
		if n := countBroken(t, &s, "validity", runs); (n > 0) != (ppm > 10_303) {
			t.Errorf("%+d ppm: validity breaks in %d of %d runs", ppm, n, runs)
		}
	}
}

// Two clients that count in parallel, under a lock that has failed, get one number. Their names make the tokens differ.
func TestClientNumbersMakeCrossedCountsDiffer(t *testing.T) {
	s := find(t, "fencing/crossed-counts")
	if n := countBroken(t, &s, "fenced", 20); n != 20 {
		t.Errorf("without names fenced breaks in %d of 20 runs", n)
	}
	if err := s.Set("fencing.named=true"); err != nil {
		t.Fatal(err)
	}
	if n := countBroken(t, &s, "fenced", 20) + countBroken(t, &s, "tokens", 20); n != 0 {
		t.Errorf("with names fenced or tokens break in %d runs", n)
	}
}

// Where nodes keep what they have acknowledged, counts that are written back rise under every class of faults, also
// where the lock itself fails. Where nodes forget, they do not. The largest count as it is does not rise either.
func TestWrittenBackTokensRiseIfNodesKeepThem(t *testing.T) {
	const all = "delay,loss,pause,suspend,crash,restart,jump,drift,partition"
	for _, c := range []struct {
		source, keeps, faults string
		breaks                bool
	}{{"quorum", "aof-always", all, false}, {"quorum", "none", all, true}, {"nodes", "aof-always", "partition", true}} {
		s, broken := find(t, "redlock/any"), 0
		for _, set := range []string{"fencing.source=" + c.source, "fencing.named=true", "persistence=" + c.keeps, "search.faults=" + c.faults} {
			if err := s.Set(set); err != nil {
				t.Fatal(err)
			}
		}
		r, universes := runner(t), s.Universes()
		for seed := uint64(1); seed <= 200; seed++ {
			u := universes.At(seed)
			for _, f := range r.Run(&u, seed).Findings {
				if f.Property == "tokens" && f.Verdict == checker.Violated {
					broken++
				}
			}
		}
		if (broken > 0) != c.breaks {
			t.Errorf("%s on nodes that keep %s: tokens break in %d of 200 runs", c.source, c.keeps, broken)
		}
	}
}

// Where the lock itself fails and only writes carry tokens, the order of the writes decides. Both clients have read. If
// the older token writes first, its update is lost. If the newer one does, storage rejects the older one.
func TestTokensOnWritesAloneLoseOnlyWhereTheOlderWritesFirst(t *testing.T) {
	for _, id := range []string{"kleppmann/clock-jump", "kleppmann/crash-restart"} {
		s := find(t, id)
		for _, set := range []string{"fencing.reads_mark=false", "work.work=1ms..6s"} {
			if err := s.Set(set); err != nil {
				t.Fatal(err)
			}
		}
		r, first := runner(t), map[bool]int{}
		for seed := uint64(1); seed <= 60; seed++ {
			res := r.Run(&s, seed)
			w := res.Evidence.Writes
			if res.VerdictOn("storage") != checker.Violated || len(w) != 2 {
				continue
			}
			older := w[0].Fence < w[1].Fence
			first[older]++
			if lost := res.VerdictOn("fenced") == checker.Violated; lost != older {
				t.Errorf("%s, seed %d: the older token writes first: %t; an update is lost: %t", id, seed, older, lost)
			}
		}
		if first[true] == 0 || first[false] == 0 {
			t.Errorf("%s: the older token writes first in %d runs, and the newer in %d", id, first[true], first[false])
		}
	}
	for _, page := range []string{"../checker/promises.md", "campaign/matrix.md", "catalogue/kleppmann/clock-jump.yaml",
		"catalogue/kleppmann/crash-restart.yaml", "../reports/debate/argument.txt"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), "older token writes first") {
			t.Errorf("%s doesn't say that the older token must write first", page)
		}
	}
}

// countBroken counts the runs that break a property, from seed 1.
func countBroken(t *testing.T, s *scenarios.Scenario, property string, runs uint64) (n int) {
	r := runner(t)
	for seed := range runs {
		for _, f := range r.Run(s, seed+1).Findings {
			if f.Property == property && f.Verdict == checker.Violated {
				n++
			}
		}
	}
	return n
}

// kleppmann/clock-jump breaks nothing if nodes count the lives of keys by a monotonic clock. Random steps of all nodes'
// clocks break nothing then either, though they do if nodes count by the wall clock.
func TestStepsBreakNothingWhereKeysExpireByAMonotonicClock(t *testing.T) {
	s := find(t, "kleppmann/clock-jump")
	if err := s.Set("expiry=monotonic"); err != nil {
		t.Fatal(err)
	}
	if n := countBroken(t, &s, "validity", 20) + countBroken(t, &s, "quorum", 20) + countBroken(t, &s, "storage", 20); n != 0 {
		t.Errorf("a step breaks promises in %d runs", n)
	}
	for expiry, breaks := range map[string]bool{"wall": true, "monotonic": false} { // order: each is a separate test
		s, broken := find(t, "redlock/any"), 0
		for _, set := range []string{"expiry=" + expiry, "search.faults=jump"} {
			if err := s.Set(set); err != nil {
				t.Fatal(err)
			}
		}
		r, universes := runner(t), s.Universes()
		for seed := uint64(1); seed <= 100; seed++ {
			u := universes.At(seed)
			for _, f := range r.Run(&u, seed).Findings {
				if f.Property == "quorum" && f.Verdict == checker.Violated {
					broken++
				}
			}
		}
		if (broken > 0) != breaks {
			t.Errorf("expiry by a %s clock: steps break quorum in %d of 100 runs", expiry, broken)
		}
	}
}
