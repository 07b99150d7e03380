package command

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// asCommand makes this test, started again, the command itself: a child that can be killed.
const asCommand = "LOCKSTORM_TEST_AS_COMMAND"

// A child is the command in a separate process.
type child struct {
	*exec.Cmd
	out, errs bytes.Buffer
}

func start(t *testing.T, args ...string) *child {
	t.Helper()
	c := &child{Cmd: exec.Command(os.Args[0], args...)}
	c.Env = append(os.Environ(), asCommand+"=1")
	c.Stdout, c.Stderr = &c.out, &c.errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill() })
	return c
}

// blocks counts the blocks in a directory.
func blocks(dir string) int {
	found, _ := filepath.Glob(filepath.Join(dir, "block-*"))
	return len(found)
}

// until waits until a directory has more blocks than n.
func (c *child) until(t *testing.T, dir string, n int) {
	t.Helper()
	for range 12_000 {
		if blocks(dir) > n {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no block after %d within 2 minutes: %s%s", n, c.out.String(), c.errs.String())
}

func (c *child) end(t *testing.T, code int) {
	t.Helper()
	c.Wait() // the code says it
	if got := c.ProcessState.ExitCode(); got != code {
		t.Fatalf("exit %d; want %d\n%s%s", got, code, c.out.String(), c.errs.String())
	}
}

// inTime calls try with campaigns of more and more runs, of 16 blocks each, until one takes so long that it is stopped
// before its end: try reports whether it was. How many runs that takes depends on the machine, and on how busy it is.
func inTime(t *testing.T, try func(runs int, rows []string) bool) {
	t.Helper()
	for runs := 400; runs < 1_000_000; runs *= 4 {
		if try(runs, []string{"run", "kleppmann/gc-pause", "--runs", strconv.Itoa(runs), "--workers", "2"}) {
			return
		}
	}
	t.Fatal("each campaign came to its end before it was stopped")
}

// A campaign that is killed and resumed leaves the same files and the same report as one that was not.
func TestKilledCampaignContinues(t *testing.T) {
	kills := 1
	if long {
		kills = 3
	}
	inTime(t, func(_ int, rows []string) bool {
		home := t.TempDir()
		whole, dir := filepath.Join(home, "whole"), filepath.Join(home, "killed")
		args := with(rows, "--store", dir)
		for range kills {
			c := start(t, args...)
			c.until(t, dir, blocks(dir)+1)
			c.Process.Kill()
			if c.Wait(); c.ProcessState.Success() {
				return false
			}
			args = with(rows, "--store", dir, "--resume")
		}
		left := blocks(dir)
		again := mustRun(t, 0, args...)
		if told := mustRun(t, 0, with(rows, "--store", whole)...); again != strings.ReplaceAll(told, whole, dir) {
			t.Errorf("%s; want as %s", again, told)
		}
		if !reflect.DeepEqual(contents(t, dir), contents(t, whole)) {
			t.Error("the archives differ")
		}
		return left < blocks(whole)
	})
}

func TestSignalEndsLongWorkCleanly(t *testing.T) {
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if !long && sig == syscall.SIGTERM {
			continue
		}
		inTime(t, func(runs int, rows []string) bool {
			home := t.TempDir()
			dir, whole := filepath.Join(home, "my rows"), filepath.Join(home, "whole")
			c := start(t, with(rows, "--store", dir, "--set", "nodes=3")...)
			c.until(t, dir, 1)
			_ = c.Process.Signal(sig) // it may have ended
			if c.Wait(); c.ProcessState.Success() {
				return false
			}
			c.end(t, 130)
			for _, want := range []string{"finishing the runs in work", "stopped after", fmt.Sprintf("of %d runs", runs), "--resume"} {
				if !strings.Contains(c.errs.String(), want) {
					t.Errorf("it does not say %q: %s", want, c.errs.String())
				}
			}
			for name := range contents(t, dir) {
				if strings.HasPrefix(name, ".writing") {
					t.Errorf("%s is left", name)
				}
			}
			lines := strings.Split(strings.TrimSpace(c.errs.String()), "\n")
			shell := exec.Command("sh", "-c", strings.Replace(lines[len(lines)-1], cli.Program, "exec "+os.Args[0], 1))
			shell.Env = append(os.Environ(), asCommand+"=1")
			if out, err := shell.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", lines[len(lines)-1], err, out)
			}
			mustRun(t, 0, with(rows, "--store", whole, "--set", "nodes=3")...)
			if !reflect.DeepEqual(contents(t, dir), contents(t, whole)) {
				t.Error("the archives differ")
			}
			return true
		})
	}
}

// A suite that a signal ends reports the outcome of what it ran, and names what it did not run; the two together are
// the suite.
func TestInterruptedSuiteReportsTheRest(t *testing.T) {
	inTime(t, func(runs int, _ []string) bool {
		many := strconv.Itoa(runs / 8)
		report := filepath.Join(t.TempDir(), "x.xml")
		c := start(t, "test", "leases", "gc-pause", "kleppmann/clock-jump", "--runs", many, "--junit", report)
		for range 12_000 {
			if len(names(c.out.String())) > 0 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		_ = c.Process.Signal(os.Interrupt) // it may have ended
		if c.Wait(); c.ProcessState.Success() {
			return false
		}
		c.end(t, 130)
		errs := c.errs.String()
		for _, want := range []string{"finishing the runs in work", "of 6 scenarios; what is printed is of these. For the rest:\n  lockstorm test ", " --runs " + many + "\n"} {
			if !strings.Contains(errs, want) {
				t.Errorf("it does not say %q: %s", want, errs)
			}
		}
		out := c.out.String()
		done := names(out)
		if !strings.Contains(out, fmt.Sprintf("PASS: %d of %[1]d scenario", len(done))) {
			t.Errorf("%d were done: %s", len(done), out)
		}
		text, _ := os.ReadFile(report)
		if x := readJUnit(t, text); x.Tests != len(done) {
			t.Errorf("the report has %d, and %d were run", x.Tests, len(done))
		}
		lines := strings.Split(strings.TrimSpace(errs), "\n")
		rest := strings.Fields(strings.Replace(lines[len(lines)-1], "--runs "+many, "--runs 1", 1))[1:]
		all := append(done, names(mustRun(t, 0, rest...))...)
		want := []string{"leases/fast-client", "leases/fast-server", "leases/slow-client", "leases/slow-server", "kleppmann/gc-pause", "kleppmann/clock-jump"}
		if !slices.Equal(all, want) {
			t.Errorf("%q, want %q", all, want)
		}
		return true
	})
}

func TestSecondSignalEndsWorkImmediately(t *testing.T) {
	dir := t.TempDir()
	c := start(t, "run", "redlock/any", "--runs", "1000000", "--store", dir, "--resume", "--workers", "1") // blocks of many seconds
	for range 12_000 {
		if _, err := os.Stat(filepath.Join(dir, archive.ManifestFile)); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	for range 100 { // until it hears
		c.Process.Signal(os.Interrupt)
		time.Sleep(20 * time.Millisecond)
		if c.Process.Signal(syscall.Signal(0)) != nil {
			break
		}
		if text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.Process.Pid)); strings.Contains(string(text), ") Z ") {
			break
		}
	}
	c.end(t, 130)
	if blocks(dir) > 0 {
		t.Error("it went on to the end of a block")
	}
}

func TestBadInputToLongWorkIsRejectedWithAdvice(t *testing.T) {
	t.Chdir(t.TempDir())
	mustRun(t, 0, "run", "kleppmann/gc-pause", "--runs", "60", "--store", "done")
	mustRun(t, 0, "run", "kleppmann/gc-pause", "--runs", "61", "--store", "other")
	mustRun(t, 0, "run", "kleppmann/gc-pause", "--store", "single")
	write(t, "file", "")
	for want, args := range map[string]string{
		"single has single runs":                      "run kleppmann/gc-pause --runs 100 --store single",
		"name the directory to resume: --store DIR":   "run --resume",
		"run takes one SCENARIO":                      "run --store new",
		"there is no scenario \"kleppman/gc-pause\"":  "run kleppman/gc-pause --runs 100 --store new",
		"--workers: -1 is negative":                   "run kleppmann/gc-pause --runs 100 --store new --workers -1",
		"--runs: 0 is not positive":                   "run kleppmann/gc-pause --runs 0 --store new",
		"seeds go up to":                              "run kleppmann/gc-pause --runs 100 --store new --seed 9007199254740991",
		"resume it with --resume":                     "run kleppmann/gc-pause --runs 60 --store done",
		"the number of runs is 60 there, and 61 here": "run kleppmann/gc-pause --runs 61 --store done --resume",
		"the scenario is kleppmann/gc-pause there, and kleppmann/clock-jump here": "run kleppmann/clock-jump --runs 60 --store done --resume",
		"not a directory": "run kleppmann/gc-pause --runs 9 --store file/rows",
		"it is not an archive: there is no manifest.json": "run --store new --resume",
		"says that already":          "run --store done --resume --runs 7",
		"say --csv, the only format": "export done",
		"export takes one DIR":       "export --csv",
	} {
		out, errs, code := lockstorm(strings.Fields(args)...)
		if code != 254 || !strings.Contains(errs, want) || out != "" {
			t.Errorf("%s: exit %d\n%s%swant %s", args, code, out, errs, want)
		}
	}
}
