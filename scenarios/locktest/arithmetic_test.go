package locktest_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/arithmetic"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/locktest"
	_ "github.com/lockstorm/lockstorm/sim/simtest" // properties draw from a fixed seed
)

func init() {
	cases["arithmetic"] = func(t *testing.T) {
		locktest.Arithmetic(t, locktest.Rules{Validity: func(ttl, _ time.Duration) time.Duration { return ttl }})
	}
	cases["no arithmetic"] = func(t *testing.T) { locktest.Arithmetic(t, locktest.Rules{}) }
}

func TestTheReferencesArithmeticKeepsEveryLaw(t *testing.T) {
	locktest.Arithmetic(t, arithmetic.Of(locks.Reference()))
}

func TestArithmeticFlawHasItsSumAndAScenario(t *testing.T) {
	dir := t.TempDir()
	red(t, dir, "arithmetic", "validity-within-key: with a TTL of [0-9.]+m?s, after an attempt of", `\(belief\)`, "lockstorm run testdata/lockstorm/")
	if files, err := os.ReadDir(filepath.Join(dir, "testdata", "lockstorm")); err != nil || len(files) != 1 {
		t.Errorf("%v: %d scenarios are kept, want 1", err, len(files))
	}
	red(t, dir, "no arithmetic", "these Rules have no function")
}
