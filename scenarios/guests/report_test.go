package guests_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios/guests"
	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
	"github.com/lockstorm/lockstorm/scenarios/locktest"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// TestRed is run by the next test, in a separate process, and must fail.
func TestRed(t *testing.T) {
	scenario := need.Caller(t, "GUESTS_RED", "TestWhatIsReportedSaysHowOftenItRepeats")
	guest.Test(t, scenario, redigo(), locktest.Expect("validity", checker.Holds), locktest.Seeds(1))
}

func TestWhatIsReportedSaysHowOftenItRepeats(t *testing.T) {
	for scenario, wants := range map[string][]string{
		"kleppmann/clock-jump":   {"validity should hold, and is violated", "repeats 3 of 3, 3 of them to the last message", "go test -run"},
		"distlock/skewed-client": {"is not for a client library", "change the clocks of all servers"},
	} {
		c := exec.Command(os.Args[0], "-test.run=^TestRed$")
		c.Env = append(os.Environ(), "GUESTS_RED="+scenario)
		out, err := c.CombinedOutput()
		if err == nil {
			t.Errorf("%s passes", scenario)
		}
		for _, want := range wants {
			if !strings.Contains(strings.Join(strings.Fields(string(out)), " "), want) {
				t.Errorf("%s: %q is missing in\n%s", scenario, want, out)
			}
		}
	}
}

// redigo is redsync over redigo.
func redigo() guest.Constructor {
	i := slices.IndexFunc(guests.Libraries, func(l guests.Library) bool { return l.Name == "redsync-redigo" })
	return guests.Libraries[i].New
}
