package faultstest_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/faults/faultstest"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

var cast = faults.Cast{Nodes: []string{"n1", "n2", "n3", "n4", "n5"}, Clients: []string{"c1", "c2"}, Others: []string{"s"}}

func ExampleSchedules() {
	storm := faults.Storm{Kinds: []*faults.Kind{faults.Pause, faults.Restart}, Most: 2, Span: 20 * time.Second, Marks: []string{"acquired"}}
	schedules := faultstest.Schedules(storm, cast)
	// In a test: rapid.Check(t, func(t *rapid.T) { schedule := schedules.Draw(t, "schedule"); … })
	fmt.Print(schedules.Example(1))
	// Output:
	// when c1 acquired pause n2 for 4µs
	// at 0.000005s for 74.091ms pause n1
}

// Whatever delays and pauses there are, the validities of two clients never overlap.
func TestNoDelayAndNoPauseBreaksValidity(t *testing.T) {
	s, _ := scenarios.Find("baseline/fault-free")
	kinds, err := faults.KindsOf([]string{"delay", "pause"})
	if err != nil {
		t.Fatal(err)
	}
	schedules := faultstest.Schedules(faults.Storm{Kinds: kinds, Span: 20 * time.Second, Near: []time.Duration{s.Lock.TTL}}, s.Cast())
	rapid.Check(t, func(t *rapid.T) {
		s := s
		s.Faults = schedules.Draw(t, "schedule")
		for _, f := range scenarios.Run(s, 1).Findings {
			if f.Property == "validity" && f.Verdict == checker.Violated {
				t.Fatalf("validity is violated under\n%s", s.Faults)
			}
		}
	})
}

const asked = "LOCKSTORM_SHRINK"

// This test fails, where it is asked to, whenever c2 is paused for a second or more.
func TestThatFails(t *testing.T) {
	need.Caller(t, asked, "TestRapidShrinksAScheduleToTheLeast")
	rapid.Check(t, func(t *rapid.T) {
		schedule := faultstest.Schedules(faults.Storm{Marks: []string{"acquired"}}, cast).Draw(t, "schedule")
		if slices.ContainsFunc(schedule, func(f faults.Fault) bool { return f.Kind == faults.Pause && f.Host == "c2" && f.For >= time.Second }) {
			t.Fatalf("least:\n%sthat is all", schedule)
		}
	})
}

func TestRapidShrinksAScheduleToTheLeast(t *testing.T) {
	// The seed is fixed: rapid stops shrinking after some tries, now and then before it reaches a smallest schedule.
	fails := exec.Command(os.Args[0], "-test.run=^TestThatFails$", "-rapid.nofailfile", "-rapid.checks=10000", "-rapid.seed=1")
	fails.Env = append(os.Environ(), asked+"=1")
	out, err := fails.CombinedOutput()
	least := regexp.MustCompile(`least:\s+(.*)\n\s+that is all`).FindSubmatch(out) // one line
	if err == nil || least == nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := string(least[1]); !regexp.MustCompile(`^(at 0s for [12][.0-9]*s pause c2|when any acquired pause c2 for [12][.0-9]*s)$`).MatchString(got) {
		t.Errorf("it shrank to %q", got)
	}
}
