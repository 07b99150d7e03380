package command

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

func TestLiveRunFlagsAreChecked(t *testing.T) {
	for flags, want := range map[string]string{
		"--widen -1":                          "--widen: -1 is not from 0",
		"--late -1ms":                         "--late: -1ms is negative",
		"--scale 0.2 --servers sentinel":      "does not run on",
		"--scale 0.001 --widen 20 --late 1ms": "with its times scaled",
	} {
		args := append([]string{"live", "kleppmann/gc-pause"}, strings.Fields(flags)...)
		if out, errs, code := lockstorm(args...); code != cli.BadInput || !strings.Contains(errs, want) {
			t.Errorf("live %s: exit %d\n%s%s", flags, code, out, errs)
		}
	}
}

// The command prints the scale that it chose, and how to get it again. A scale from the user wins, with a warning if
// it is too small.
func TestLiveRunReportsItsScaleAndMargin(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needRedis(t)
	for flags, wants := range map[string][2]string{
		"--late 1ms": {"with times scaled by 0.2, made ", "The margin is 11ms; the machine was late by 1ms before it"},
		"--late 6ms": {"with times scaled by 0.35, made ", "The margin is 18.5ms"},
	} {
		args := append([]string{"live", "distlock/single-point-of-failure", "--no-store", "--attempts", "1"}, strings.Fields(flags)...)
		out, errs, _ := lockstorm(args...)
		for _, want := range wants {
			if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
				t.Errorf("live %s: there is no %q in\n%s%s", flags, want, out, errs)
			}
		}
	}
}
