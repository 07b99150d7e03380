package command

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestArithmeticFindsAQuorumThatIsTooSmall(t *testing.T) {
	dir := t.TempDir()
	out, errs, code := lockstorm("arithmetic", "redlock", "--set", "lock.quorum=2", "--out", dir)
	if code != 1 || errs != "" || !strings.Contains(out, "BROKEN     quorums-meet: of 4 nodes, 2 votes for one client and 2 votes for another") {
		t.Errorf("code %d, %q:\n%s", code, errs, out)
	}
	if out, _, code := lockstorm("run", filepath.Join(dir, "quorums-meet.yaml"), "--no-store"); code != 0 || !strings.Contains(out, "belief") {
		t.Errorf("the scenario that it wrote: code %d\n%s", code, out)
	}
	if out, errs, code := lockstorm("arithmetic", "redlock"); code != 0 || strings.Contains(out, "BROKEN") {
		t.Errorf("the reference: code %d, %q\n%s", code, errs, out)
	}
}

func TestWrongRequestsOfArithmeticAreErrors(t *testing.T) {
	for _, args := range []string{"", "single", "redlock --drift -1", "redlock --draws 0"} {
		if _, errs, code := lockstorm(append([]string{"arithmetic"}, strings.Fields(args)...)...); code != 254 || errs == "" {
			t.Errorf("%q: code %d, %q", args, code, errs)
		}
	}
}
