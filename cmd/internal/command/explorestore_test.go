package command

import (
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// units counts the units that are kept in a directory.
func units(dir string) int {
	found, _ := filepath.Glob(filepath.Join(dir, "unit-*"))
	return len(found)
}

// wait waits until more than most units are kept, or a process has ended.
func wait(ended chan struct{}, most int) {
	for units("killed") <= most {
		select {
		case <-ended:
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// An exploration that is killed and resumed leaves the same files and the same report as one that was not.
func TestKilledExplorationContinues(t *testing.T) {
	need.Long(t) // a campaign is killed in each test run
	const kills = 5
	for budget := 2000; budget < 5_000_000; budget *= 4 {
		t.Chdir(t.TempDir())
		args := []string{"explore", "redlock/small", "--deviations", "2", "--property", "fenced", "--workers", "2", "--budget", strconv.Itoa(budget), "-q"}
		killed := 0
		for seed := range kills {
			c := start(t, with(with(args, "--store", "killed"), "--resume")...)
			ended := make(chan struct{})
			go func() {
				c.Wait()
				close(ended)
			}()
			wait(ended, units("killed")+1+seed*7%19)
			c.Process.Kill()
			if <-ended; !c.ProcessState.Exited() {
				killed++
			}
		}
		if killed < kills { // it ended first
			continue
		}
		left := units("killed")
		again := mustRun(t, 2, with(args, "--store", "killed", "--resume")...)
		if want := mustRun(t, 2, with(args, "--store", "whole")...); again != want || want != mustRun(t, 2, args...) {
			t.Errorf("%s\nwant\n%s", again, want)
		}
		if !reflect.DeepEqual(contents(t, "killed"), contents(t, "whole")) || left == 0 || left >= units("whole") {
			t.Errorf("the stores differ; %d of %d units were left", left, units("whole"))
		}
		return
	}
	t.Fatal("each exploration came to its end before it was killed")
}

// Any number of processes share an exploration, each with any number of workers: the files and the report stay the
// same.
func TestMergedExplorationShardsEqualOneProcess(t *testing.T) {
	for _, more := range [][]string{nil, {"--budget", "1500"}, {"--property", "belief"}} {
		if !long && (more == nil || more[0] == "--property") {
			continue
		}
		t.Chdir(t.TempDir())
		args := with([]string{"explore", "redlock/small", "-q"}, more...)
		want, _, code := lockstorm(with(args, "--store", "whole", "--workers", "1")...)
		if again, _, _ := lockstorm(with(args, "--store", "two", "--workers", "2")...); again != want {
			t.Errorf("%s: two workers print\n%s\nand one\n%s", more, again, want)
		}
		for i, workers := range []string{"1", "2", "1"} {
			mustRun(t, 0, with(args, "--store", "part"+strconv.Itoa(i), "--shard", strconv.Itoa(i)+"/3", "--workers", workers)...)
		}
		merged, errs, ended := lockstorm("merge", "part2", "part0", "part1", "--store", "merged")
		if merged != want || ended != code || !strings.Contains(errs, "merged into merged: ") {
			t.Errorf("%s: merge prints %d\n%s%s\nwant %d\n%s", more, ended, errs, merged, code, want)
		}
		whole := contents(t, "whole")
		for _, dir := range []string{"two", "merged"} {
			if !reflect.DeepEqual(contents(t, dir), whole) {
				t.Errorf("%s: %s has other files", more, dir)
			}
		}
	}
}

// Shards that do not belong together are rejected, with the reason.
func TestStoreOfAnotherExplorationIsRejected(t *testing.T) {
	t.Chdir(t.TempDir())
	args := []string{"explore", "redlock/small", "-q", "--deviations", "0"}
	lockstorm(with(args, "--store", "own")...)
	mustRun(t, 0, "run", "redlock/any", "--runs", "3", "--store", "rows", "-q")
	refused := func(want string, args ...string) {
		t.Helper()
		if _, errs, code := lockstorm(args...); code != 254 || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s\nwant %s", args, code, errs, want)
		}
	}
	refused("it has an archive already; resume it with --resume", with(args, "--store", "own")...)
	for want, flags := range map[string][]string{
		"the scenario is redlock/small there, and my here":           {"explore", "my.yaml", "--deviations", "0"},
		"and pause clients for 30ms: up to 1, at any mark here":      with(args, "--fault", "pause clients for 30ms"),
		"the seed is 1 there, and 2 here":                            with(args, "--seed", "2"),
		"the list of properties is belief, validity":                 with(args, "--property", "belief"),
		"the budget is 0 there, and 9 here":                          with(args, "--budget", "9"),
		"the universe is ":                                           with(args, "--set", "nodes=4"),
		"the scenario's SHA-256 is ":                                 with(args, "--set", "horizon=900ms"),
		"the command is lockstorm explore redlock/small --deviation": with(args, "--set", "lock.kind=redlock"),
	} {
		if flags[1] == "my.yaml" {
			small, err := os.ReadFile(filepath.Join("own", "scenario.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			write(t, "my.yaml", string(small))
		}
		refused(want, with(flags, "--store", "own", "--resume", "-q")...)
	}
	refused("of the kind rows, and this is an exploration", with(args, "--store", "rows", "--resume")...)
	refused("it is of an exploration, which has no rows", "run", "--resume", "--store", "own")
	refused("it is of an exploration, which has no rows", "merge", "rows", "own", "--store", "out")
	refused("--resume: name the directory", with(args, "--resume")...)
	refused("the rows of a part must be kept", with(args, "--shard", "0/2")...)
	change := func(dir, file, from, to string) {
		t.Helper()
		if err := os.CopyFS(dir, os.DirFS("own")); err != nil {
			t.Fatal(err)
		}
		text := contents(t, dir)[file]
		if !strings.Contains(text, from) {
			t.Fatalf("%s has no %q", file, from)
		}
		write(t, filepath.Join(dir, file), strings.Replace(text, from, to, 1))
	}
	change("older", "manifest.json", `"lockstorm": "`, `"lockstorm": "0.0.1 or `)
	refused("was made by build 0.0.1", with(args, "--store", "older", "--resume")...)
	refused("was made by build 0.0.1", "merge", "own", "older", "--store", "out")
	change("future", "manifest.json", `"schema_version": 1`, `"schema_version": 2`)
	refused("it has schema version 2, and this Lockstorm reads version 1", with(args, "--store", "future", "--resume")...)
	change("edited", "scenario.yaml", "nodes: 3", "nodes: 5")
	refused("it has been changed", with(args, "--store", "edited", "--resume")...)
}

// A unit that is missing, or is not as Lockstorm wrote it, is noticed.
func TestDamagedUnitIsNoticed(t *testing.T) {
	t.Chdir(t.TempDir())
	args := []string{"explore", "redlock/small", "-q", "--budget", "900"}
	lockstorm(with(args, "--store", "own")...)
	whole := contents(t, "own")
	file, text := filepath.Join("own", "unit-2-000003.json.gz"), whole["unit-2-000003.json.gz"]
	for change, want := range map[string]string{
		text[:len(text)-3]:             "it can't be decompressed",
		whole["unit-2-000004.json.gz"]: "it is of unit 4 of level 2",
	} {
		write(t, file, change)
		if _, errs, code := lockstorm(with(args, "--store", "own", "--resume")...); code != 254 || !strings.Contains(errs, want) ||
			!strings.Contains(errs, "it held unit 3 of level 2. Remove the file") {
			t.Errorf("%d %s\nwant %s", code, errs, want)
		}
		if _, errs, code := lockstorm("merge", "own", "--store", "out"); code != 254 || !strings.Contains(errs, want) {
			t.Errorf("%d %s\nwant %s", code, errs, want)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := lockstorm("merge", "own", "--store", "out"); code != 254 || !strings.Contains(errs, "are in none of the directories: unit 3 of level 2") {
		t.Errorf("%d %s", code, errs)
	}
	if _, errs, code := lockstorm("merge", "own", "--store", "out", "--partial"); code != 0 {
		t.Errorf("%d %s", code, errs)
	}
	lockstorm(with(args, "--store", "out", "--resume")...)
	if !reflect.DeepEqual(contents(t, "out"), whole) {
		t.Error("what was missing is not made as it was")
	}
}
