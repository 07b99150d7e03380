package command

import (
	"io"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// The calibration wants the shape of what Jepsen published, not its digits: a share of that order, and a remedy that works.
func TestTheCalibrationHasTheShapeOfJepsensFigure(t *testing.T) {
	need.Long(t)
	shares := make([]float64, len(calibrations))
	for i, k := range calibrations {
		s, _ := scenarios.Find("session/jepsen-etcd")
		for _, a := range k.set {
			if err := s.Set(a); err != nil {
				t.Fatal(err)
			}
		}
		q := calibrateCommand{countingCommand: countingCommand{runs: 10, seed: 1, workers: 2}, progress: work.NewProgress(io.Discard, work.ModeFor(io.Discard, "none", true), 10)}
		l := q.losses(&s, k.fenced)
		if l.Trials < 400 {
			t.Errorf("%s: only %d updates", k.what, l.Trials)
		}
		shares[i] = float64(l.Hits) / float64(l.Trials)
	}
	if shares[0] < 0.09 || shares[0] > 0.36 {
		t.Errorf("%.3f is lost, which is no more than half and no less than twice what Jepsen found", shares[0])
	}
	if shares[1] > shares[0]/4 || shares[2] > 0 || shares[3] > 0 {
		t.Errorf("with the remedies %v is lost", shares[1:])
	}
}

func TestTheCalibrationTellsItsTable(t *testing.T) {
	out, errs, code := lockstorm("calibrate", "--runs", "2", "--format", "markdown")
	if code != cli.AsExpected || strings.Count(out, "\n| ") != len(calibrations)+2 || !strings.Contains(out, published) {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	for _, bad := range [][]string{{"--runs", "1"}, {"--format", "xml"}, {"more"}} {
		if _, errs, code := lockstorm(append([]string{"calibrate"}, bad...)...); code != cli.BadInput || errs == "" {
			t.Errorf("calibrate %v: exit %d, %q", bad, code, errs)
		}
	}
}
