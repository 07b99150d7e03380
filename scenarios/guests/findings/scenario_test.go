package findings_test

import (
	"os"
	"slices"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guest"
	"github.com/lockstorm/lockstorm/scenarios/guests"
)

// Findings 1 and 3 in simulated time: rueidislock breaks what the file says, and a plain lock over the same client does not let two
// hold the lock.
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

// Finding 15 in simulated time: redsync breaks it with its own loop, as its README has it, and with one try for each attempt it does
// not.
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
	res, err := guest.Run(t, &s, 1, guests.Libraries[i].New)
	if err != nil {
		t.Fatal(err)
	}
	return res
}
