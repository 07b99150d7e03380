package scenariostest_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/scenariostest"
	_ "github.com/lockstorm/lockstorm/sim/simtest" // properties draw from a fixed seed
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

func open(t testing.TB, name string) *scenarios.Scenario {
	s, err := scenarios.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return &s
}

func TestEveryUniverseIsSound(t *testing.T) {
	for _, name := range []string{"redlock/any", "kleppmann/gc-pause"} {
		universes := scenariostest.Universes(open(t, name))
		drawn := 0
		rapid.Check(t, func(t *rapid.T) {
			s := universes.Draw(t, "universe")
			if err := s.Check(); err != nil {
				t.Fatal(err)
			}
			drawn += len(s.Faults)
		})
		if drawn < 40 {
			t.Errorf("%s: only %d faults were drawn in all", name, drawn)
		}
	}
}

func TestEvidenceIsFromARun(t *testing.T) {
	evidence := scenariostest.Evidence(open(t, "redlock/any"))
	rapid.Check(t, func(t *rapid.T) {
		if err := evidence.Draw(t, "evidence").Check(); err != nil {
			t.Fatal(err)
		}
	})
}

// Some are legal, some are not, and all of them are well-formed.
func TestEveryHistoryIsWellFormed(t *testing.T) {
	mutex, _ := blackbox.LookupModel("mutex")
	mutex.Clients = 3
	seen := map[checker.Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		h := scenariostest.Histories(3).Draw(t, "history")
		if err := h.Check(); err != nil {
			t.Fatal(err)
		}
		seen[blackbox.Linearizable(h, mutex).Verdict]++
	})
	if seen[checker.Holds] < 10 || seen[checker.Violated] < 1 || seen[checker.Unknown] > 0 {
		t.Errorf("verdicts of a mutex: %v; want many that hold, some that are violated, and none unknown", seen)
	}
}

// TestShrunk fails, so that the test below sees to what rapid shrinks a universe.
func TestShrunk(t *testing.T) {
	need.Caller(t, "LOCKSTORM_SHRINK", "TestAUniverseShrinksToTheFaultThatMatters")
	universes := scenariostest.Universes(open(t, "redlock/any"))
	rapid.Check(t, func(t *rapid.T) {
		s := universes.Draw(t, "universe")
		for _, f := range s.Faults {
			if strings.Contains(f.String(), "pause") {
				t.Fatalf("%d faults: %v", len(s.Faults), s.Faults)
			}
		}
	})
}

func TestAUniverseShrinksToTheFaultThatMatters(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestShrunk$", "-rapid.nofailfile")
	cmd.Env = append(os.Environ(), "LOCKSTORM_SHRINK=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), " 1 faults: ") {
		t.Errorf("%v\n%s", err, out)
	}
}

// A user's property: tokens from an oracle rise, whatever goes wrong. In a test it goes into rapid.Check.
func ExampleRuns() {
	s, err := scenarios.Open("redlock/any")
	if err != nil {
		fmt.Println(err)
		return
	}
	run := scenariostest.Runs(&s).Example(1)
	for i := range run.Findings {
		if f := &run.Findings[i]; f.Property == "tokens" {
			fmt.Println(f.Property, f.Verdict)
		}
	}
	// Output: tokens holds
}

// A user's lock in a universe that rapid draws: an ordinary property of rapid, which shrinks the faults and the
// settings.
func ExampleUniverses() {
	s, err := scenarios.Open("redlock/any")
	if err != nil {
		fmt.Println(err)
		return
	}
	s.Lock.New = func(c locks.Config) locks.Lock { return locks.NewRedlock(c) } // in its place, yours
	universes := scenariostest.Universes(&s)
	property := func(rt *rapid.T) {
		u := universes.Draw(rt, "universe")
		if r := scenarios.Run(u, 1); r.VerdictOn("tokens") == checker.Violated {
			rt.Fatalf("under %v a token falls", u.Faults)
		}
	}
	_ = property // in a test: rapid.Check(t, property)
	u := universes.Example(1)
	fmt.Println(u.Check(), scenarios.Run(u, 1).VerdictOn("tokens"))
	// Output: <nil> holds
}

// Rapid draws the evidence of a run, so a user's judge can rely on what each run keeps.
func ExampleEvidence() {
	s, err := scenarios.Open("redlock/any")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(scenariostest.Evidence(&s).Example(1).Check())
	// Output: <nil>
}

// Histories are always well-formed, but not always legal: here two clients may both have held one lock.
func ExampleHistories() {
	verdicts := map[checker.Verdict]bool{}
	for i := range 100 {
		h := scenariostest.Histories(2).Example(i)
		verdicts[new(blackbox.Judge).Judge(h, 2, blackbox.Views[:1])[0].Verdict] = true
	}
	fmt.Println(verdicts[checker.Holds], verdicts[checker.Violated])
	// Output: true true
}
