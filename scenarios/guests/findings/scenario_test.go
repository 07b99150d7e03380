package findings_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests"
)

func init() { guests.LogTo(nil) }

// Findings 1 and 3 in simulated time: rueidislock breaks what the file says, and a plain lock over the same client does
// not let two hold the lock.
func TestFindingsInSimulatedTime(t *testing.T) {
	for _, file := range []string{"rueidislock-partition.yaml", "rueidislock-clock.yaml"} {
		res := simulate(t, file, "rueidislock")
		for _, f := range slices.Concat(res.Findings, res.Seen) {
			if want := res.Scenario.Expected(f.Property); f.Verdict != want {
				t.Errorf("%s: %s is %v, and should be %v", file, f.Property, f.Verdict, want)
			}
		}
		for _, f := range simulate(t, file, "rueidis").Findings {
			if f.Property == "validity" && f.Verdict != checker.Holds {
				t.Errorf("%s: for a plain lock validity is %v", file, f.Verdict)
			}
		}
	}
}

// Finding 15 in simulated time: redsync breaks it with its own loop, as its README has it, and with one try for each
// attempt it does not.
func TestALaterTryIsFreedInSimulatedTime(t *testing.T) {
	for library, want := range map[string]checker.Verdict{"redsync-readme": checker.Violated, "redsync-loop": checker.Violated, "redsync": checker.Holds} {
		res := simulate(t, "redsync-late-release.yaml", library)
		for _, f := range slices.Concat(res.Findings, res.Seen) {
			if f.Property == "validity" && f.Verdict != want || f.Property == "fault-struck" && f.Verdict != checker.Holds {
				t.Errorf("%s: %s is %v", library, f.Property, f.Verdict)
			}
		}
	}
}

// Findings 17 and 18 in simulated time: the context of a leader that releases outlives the lease, and without
// ReleaseOnCancel it does not. It releases the next leader's lease, so that a third candidate leads at the same time.
func TestALeaderIsFreedInSimulatedTime(t *testing.T) {
	for library, want := range map[string]checker.Verdict{
		"leaderelection": checker.Violated, "leaderelection-untimed": checker.Violated, "leaderelection-kept": checker.Holds,
	} {
		res := simulate(t, "leaderelection-release.yaml", library)
		for _, f := range slices.Concat(res.Findings, res.Seen) {
			if f.Property == "validity" && f.Verdict != want {
				t.Errorf("%s: %s is %v", library, f.Property, f.Verdict)
			}
		}
		if library != "leaderelection-untimed" {
			continue
		}
		h := res.Evidence.Holds
		if len(h) < 3 || h[1].Client == h[0].Client || h[2].Client == h[0].Client || h[2].From.Sub(h[1].From) > 6*time.Second ||
			h[1].Valid.Sub(h[2].From) < 9*time.Second {
			t.Errorf("%+v; want two that hold beside each other, after c1", h)
		}
	}
}

// Findings 19 and 20 in simulated time: an election is won without a key, but a mutex is not; the holder learns late
// that its session has ended. Our own lock on the same servers keeps its word.
func TestASessionThatHasEndedInSimulatedTime(t *testing.T) {
	for _, c := range []struct {
		file, library string
		want          checker.Verdict
	}{
		{"concurrency-election.yaml", "concurrency-election", checker.Violated},
		{"concurrency-election.yaml", "concurrency", checker.Holds},
		{"concurrency-session.yaml", "concurrency", checker.Violated},
		{"concurrency-session.yaml", "concurrency-election", checker.Violated},
	} {
		res := simulate(t, c.file, c.library)
		for _, f := range slices.Concat(res.Findings, res.Seen) {
			if f.Property == "validity" && f.Verdict != c.want || f.Property == "fault-struck" && f.Verdict != checker.Holds {
				t.Errorf("%s, %s: %s is %v", c.file, c.library, f.Property, f.Verdict)
			}
		}
		ours := *res.Scenario
		ours.Lock.New = nil
		for _, f := range scenarios.Run(ours, 1).Findings {
			if f.Property == "validity" && f.Verdict != checker.Holds {
				t.Errorf("%s, our own lock: %s is %v", c.file, f.Property, f.Verdict)
			}
		}
	}
}

// seeds are the seeds of files in which the first client is random.
var seeds = map[string]uint64{
	"rueidislock-partition.yaml": 1, "rueidislock-clock.yaml": 1, "redsync-late-release.yaml": 1, "leaderelection-release.yaml": 2,
	"concurrency-election.yaml": 1, "concurrency-session.yaml": 1,
}

// simulate runs a scenario of a file with a library.
func simulate(t *testing.T, file, library string) *scenarios.Result {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(guests.Libraries, func(l guests.Library) bool { return l.Name == library })
	if err := guests.Libraries[i].Fit(&s); err != nil {
		t.Fatal(err)
	}
	res, err := guests.Libraries[i].Guest().Run(t, &s, seeds[file])
	if err != nil {
		t.Fatal(err)
	}
	return res
}
