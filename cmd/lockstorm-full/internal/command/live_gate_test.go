package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// plain runs a suite with a lock in Python on one server.
func plain(t *testing.T, flaw string, args ...string) (out, errs string, code int) {
	t.Helper()
	needRedis(t)
	need.Program(t, "no lock in Python is run live", "python3")
	adapter := strings.TrimSpace("mine=python3 testdata/plain.py " + flaw)
	return lockstorm(with([]string{"live", "--adapter", adapter, "--lock", "single", "--no-store", "--late", "1ms", "--parallel", "1"},
		args...)...)
}

// The suite passes a right lock, and fails one that releases by a plain DEL. A busy machine may know neither verdict.
func TestSuitePassesARightLockAndFailsAPlainDelete(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	t.Parallel() // it mostly waits
	out, errs, code := plain(t, "", "distlock/blind-delete", "kleppmann/gc-pause", "distlock/extend", "kleppmann/crash-restart")
	if !slices.Contains([]int{cli.AsExpected, cli.Unknown}, code) {
		t.Errorf("a right lock: exit %d\n%s%s", code, out, errs)
	}
	for _, want := range []string{"Skipped: kleppmann/crash-restart (it needs more than one server)",
		"Skipped: distlock/extend (the adapter says that its lock can't extend)", "of 2 scenarios as expected"} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
	report := filepath.Join(t.TempDir(), "report.xml")
	out, errs, code = plain(t, "del", "distlock/blind-delete", "--junit", report)
	if !slices.Contains([]int{cli.NotAsExpected, cli.Unknown}, code) || code == cli.NotAsExpected && !strings.Contains(out, "FAIL") {
		t.Errorf("a plain DEL: exit %d\n%s%s", code, out, errs)
	}
	if text := read(t, report); code == cli.NotAsExpected && !strings.Contains(text, "<failure") {
		t.Errorf("the report says\n%s", text)
	}
	accepted := filepath.Join(t.TempDir(), "accepted")
	os.WriteFile(accepted, []byte("# an issue of ours\ndistlock/* belief validity quorum storage # until spring\n"), 0o644)
	out, errs, code = plain(t, "del", "distlock/blind-delete", "--accept", accepted)
	words := strings.Join(strings.Fields(out), " ")
	if !slices.Contains([]int{cli.AsExpected, cli.Unknown}, code) || !strings.Contains(words, "accepted: belief, validity, quorum, storage") {
		t.Errorf("an accepted break: exit %d\n%s%s", code, out, errs)
	}
}

func TestSilentAdapterPassesNoSuite(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	t.Parallel() // it mostly waits
	out, errs, code := plain(t, "hang", "baseline/single-instance", "--set", "horizon=1s", "--attempts", "1", "--for", "1ms")
	if code != cli.Unknown || !strings.Contains(out, "has not answered") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

func TestSuiteWithoutAScenarioIsUnknown(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	out, errs, code := plain(t, "", "distlock/extend", "kleppmann/crash-restart")
	if code != cli.Unknown || !strings.Contains(errs, "nothing was tried") || !strings.Contains(out, "UNKNOWN: 0 of 0") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

func TestSuiteChecksItsFlags(t *testing.T) {
	file := filepath.Join(t.TempDir(), "accepted")
	os.WriteFile(file, []byte("\nkleppmann/gc-pause luck\n"), 0o644)
	for flags, want := range map[string]string{
		"kleppmann/* baseline/*":                    "--lock: these scenarios are for locks of the kinds",
		"kleppmann/gc-pause --lock paper":           `--lock: there is no kind "paper"`,
		"kleppmann/gc-pause --accept " + file:       "line 2: ",
		"kleppmann/gc-pause --accept /no/such":      "--accept: ",
		"kleppmann/gc-pause --for -1s":              "--for: -1s is negative",
		"kleppmann/gc-pause --shard 1/1":            "1/1",
		"kleppmann/gc-pause --runs 2 --adapter b=c": "there are 2",
	} {
		args := append([]string{"live", "--adapter", "mine=./mine", "--late", "1ms"}, strings.Fields(flags)...)
		if out, errs, code := lockstorm(args...); code != cli.BadInput || !strings.Contains(errs, want) {
			t.Errorf("live %s: exit %d\n%s%s", flags, code, out, errs)
		}
	}
}
