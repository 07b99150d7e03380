package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
)

// A table of live verdicts takes hours, and its process may be killed: the finished rows are not lost.
func TestKilledVerdictTableContinuesWithItsRows(t *testing.T) {
	needRedis(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "live", "verdicts.jsonl")
	table := []string{"live", "--verdicts", "distlock/single-point-of-failure", "distlock/blind-delete", "distlock/holder-gone", "--store", dir,
		"--late", "1ms", "--set", "lock.kind=single"}
	lines := func() int {
		text, _ := os.ReadFile(file) // there may be none yet
		return strings.Count(string(text), "\n")
	}
	c := start(t, table...)
	for began := time.Now(); lines() < 2 && time.Since(began) < 2*time.Minute; {
		time.Sleep(10 * time.Millisecond)
	}
	c.Process.Kill()
	c.Wait()
	before := read(t, file)
	if n := strings.Count(before, "\n"); n < 2 || n > 3 {
		t.Fatalf("killed after the first of three cells, it has %d lines:\n%s%s", n, before, c.errs.String())
	}
	if _, errs, code := lockstorm(table...); code != cli.BadInput || !strings.Contains(errs, "of 3 results of an unfinished table; continue with --resume") {
		t.Errorf("what is there would be lost: exit %d, %s", code, errs)
	}
	if _, errs, code := lockstorm(with(table, "--resume", "--seed", "2")...); code != cli.BadInput || !strings.Contains(errs, "is another table") {
		t.Errorf("another table goes on: exit %d, %s", code, errs)
	}
	os.WriteFile(file, []byte(before+`{"cell":1,"scen`), 0o644) // as if it had been killed while it wrote
	out, errs, code := lockstorm(with(table, "--resume")...)
	if kept := fmt.Sprintf("%d of 3 are kept in", strings.Count(before, "\n")-1); code != cli.AsExpected || !strings.Contains(errs, kept) {
		t.Errorf("exit %d, and it should say %q: %s", code, kept, errs)
	}
	if after := read(t, file); !strings.HasPrefix(after, before) || lines() != 4 {
		t.Errorf("what was kept is not what it was, or not all is there: %s\nbefore: %s", after, before)
	}
	for _, row := range []string{"distlock/single-point-of-failure ", "distlock/blind-delete ", "distlock/holder-gone "} {
		if !strings.Contains(out, row) {
			t.Errorf("there is no row %q in\n%s", row, out)
		}
	}
	if again, _, _ := lockstorm(with(table, "--resume")...); again != out {
		t.Errorf("of a finished table nothing is made anew, and it prints\n%s\nand not\n%s", again, out)
	}
}

func TestLiveRunFlagsAreChecked(t *testing.T) {
	for flags, want := range map[string]string{
		"--resume":                            "--resume: it needs --verdicts",
		"--verdicts --resume --no-store":      "without --no-store",
		"--widen -1":                          "--widen: -1 is not from 0",
		"--late -1ms":                         "--late: -1ms is negative",
		"--margin -1ms":                       "--margin: -1ms is negative",
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
	needRedis(t)
	for flags, wants := range map[string][2]string{
		"--late 1ms":             {"with times scaled by 0.2, made ", "The margin is 11ms; the machine was late by 1ms before it"},
		"--late 6ms":             {"with times scaled by 0.35, made ", "The margin is 18.5ms"},
		"--late 9ms --scale 0.2": {"--scale 0.2 leaves a margin of 11ms, and this machine needs 18ms, as it was late by 9ms at the start", "without --scale one is chosen"},
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
