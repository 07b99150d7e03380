package command

import (
	"os"
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

func TestProgramWithoutSoundAnswerIsAnError(t *testing.T) {
	script := filepath.Join(t.TempDir(), "rules.sh")
	for _, c := range []struct{ text, want string }{
		{"exit 3", `"quorum 5": the program ended with exit status 3`},
		{"echo oops >&2; exit 1", "its last words: oops"},
		{"while read q; do echo; done", `the program answers ""`},
		{"while read q; do echo unknown; done", "answers unknown to every question"},
	} {
		if err := os.WriteFile(script, []byte(c.text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if out, errs, code := lockstorm("arithmetic", "--command", "sh "+script); code != 254 || !strings.Contains(errs, c.want) {
			t.Errorf("%s: code %d, %q, want %q\n%s", c.text, code, errs, c.want, out)
		}
	}
	for _, args := range []string{"", "single", "redlock --command x", "redlock --drift -1", "redlock --draws 0", "--command x --set a=b"} {
		if _, errs, code := lockstorm(append([]string{"arithmetic"}, strings.Fields(args)...)...); code != 254 || errs == "" {
			t.Errorf("%q: code %d, %q", args, code, errs)
		}
	}
}
