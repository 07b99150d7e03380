package simtest

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// TestDrawn prints what a property draws; the test below runs it in separate processes.
func TestDrawn(t *testing.T) {
	need.Caller(t, "LOCKSTORM_DRAW", "TestPropertiesDrawFromOneSeedUnlessFreshOnesAreAskedFor")
	rapid.Check(t, func(rt *rapid.T) { os.Stdout.WriteString(rapid.StringN(20, 20, -1).Draw(rt, "text") + "\n") })
}

func TestPropertiesDrawFromOneSeedUnlessFreshOnesAreAskedFor(t *testing.T) {
	draw := func(args []string, environ ...string) string {
		cmd := exec.Command(os.Args[0], append([]string{"-test.run=^TestDrawn$"}, args...)...)
		clean := slices.DeleteFunc(os.Environ(), func(v string) bool {
			return strings.HasPrefix(v, "LOCKSTORM_") || strings.HasPrefix(v, "RAPID_")
		})
		cmd.Env = append(append(clean, "LOCKSTORM_DRAW=1"), environ...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		out, _, _ = bytes.Cut(out, []byte("\nok ")) // how long it took
		return string(out)
	}
	fixed := draw(nil)
	for _, c := range []struct {
		name    string
		args    []string
		environ []string
		same    bool
	}{
		{name: "a second run", same: true},
		{name: "fresh seeds", environ: []string{"LOCKSTORM_FRESH=1"}},
		{name: "a seed of the environment", environ: []string{"RAPID_SEED=2"}},
		{name: "a seed of the command line", args: []string{"-rapid.seed=2"}},
		{name: "the fixed seed by its number", args: []string{"-rapid.seed=1"}, same: true},
	} {
		if same := draw(c.args, c.environ...) == fixed; same != c.same {
			t.Errorf("%s: the same draws: %t, want %t", c.name, same, c.same)
		}
	}
}
