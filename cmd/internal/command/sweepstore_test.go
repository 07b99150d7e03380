package command

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// grid is a sweep of five cells.
var grid = []string{"sweep", "kleppmann/gc-pause", "--axis", "lock.ttl=14s..15s:lin:5", "--property", "belief", "--runs", "210"}

// with returns a command line with more words.
func with(args []string, more ...string) []string { return append(args[:len(args):len(args)], more...) }

func TestStoredSweepPrintsTheSame(t *testing.T) {
	t.Chdir(t.TempDir())
	want := mustRun(t, 0, with(grid, "--store", "whole", "--workers", "1")...)
	if unstored := mustRun(t, 0, grid...); unstored != want {
		t.Errorf("stored it is\n%s\nand was\n%s", want, unstored)
	}
	if again := mustRun(t, 0, with(grid, "--store", "whole", "--resume")...); again != want {
		t.Errorf("resumed it is\n%s\nand was\n%s", again, want)
	}
	_, errs, code := lockstorm("report", "whole")
	if says := "whole has the rows of many runs. To see what they show, repeat the command"; code != cli.BadInput || !strings.Contains(errs, says) {
		t.Errorf("exit %d: %s; want %s", code, errs, says)
	}
}

// resumed runs the command that is printed last.
func resumed(t *testing.T, errs string) string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(errs), "\n")
	shell := exec.Command("sh", "-c", strings.Replace(lines[len(lines)-1], cli.Program, "exec "+os.Args[0], 1))
	shell.Env = append(os.Environ(), asCommand+"=1")
	out, err := shell.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", errs, err, out)
	}
	return string(out)
}

// A sweep and a matrix are killed, and then ended by a signal. They continue where they were, with the same result.
func TestMeasuringContinuesAfterAnInterrupt(t *testing.T) {
	need.Long(t)
	for _, args := range [][]string{
		{"sweep", "redlock/any", "--axis", "nodes=3,4,5", "--axis", "lock.ttl=200ms..2s:lin:4", "--runs", "50", "--workers", "2"},
		{"study", "matrix", "--only", "single instance", "--runs", "50", "--measure", "validity", "--least", "20", "--workers", "2"},
	} {
		t.Chdir(t.TempDir())
		want := mustRun(t, 0, with(args, "--store", "whole")...)
		c := start(t, with(args, "--store", "left")...)
		c.until(t, "left", 1)
		c.Process.Kill()
		c.end(t, -1)
		c = start(t, with(args, "--store", "left", "--resume")...)
		c.until(t, "left", blocks("left"))
		if err := c.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		c.end(t, 130)
		if errs := c.errs.String(); !strings.Contains(errs, "stopped after ") || !strings.Contains(c.out.String(), "This is a part: ") {
			t.Errorf("%s%s", c.out.String(), errs)
		}
		if got := resumed(t, c.errs.String()); strings.ReplaceAll(got, "left/", "whole/") != want {
			t.Errorf("resumed it is\n%s\nand was\n%s", got, want)
		}
		if !reflect.DeepEqual(rowsIn(t, "left"), rowsIn(t, "whole")) {
			t.Errorf("%s: the archives differ", args[0])
		}
	}
}

// rowsIn returns the files of an archive, except the counterexamples.
func rowsIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range entries(t, dir) {
		if name == "found" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(text)
	}
	return all
}

// Each counterexample of a matrix has its name, and a file that shows it; another matrix uses the same name.
func TestMatrixCounterexamplesCanBeRun(t *testing.T) {
	t.Chdir(t.TempDir())
	args := []string{"study", "matrix", "--runs", "12", "--measure", "validity,belief", "--least", "30", "--only"}
	out := mustRun(t, 0, with(args, "single, get then*", "--store", "m")...)
	commands := regexp.MustCompile(`See it: lockstorm (run m/found/(\S+)\.yaml --seed \d+)\n`).FindAllStringSubmatch(out, -1)
	if len(commands) < 2 {
		t.Fatal(out)
	}
	without := mustRun(t, 0, with(args, "single, get then set")...)
	if !strings.Contains(without, "With --store DIR each cell's own is kept as DIR/found/NAME.yaml") {
		t.Error(without)
	}
	again := 0
	for _, c := range commands {
		mustRun(t, 0, with(strings.Fields(c[1]), "--no-store")...)
		if strings.Contains(without, "  "+c[2]+", ") {
			again++
		}
	}
	if again == 0 {
		t.Errorf("none of %q is in\n%s", commands, without)
	}
}

// A signal ends many runs after the runs in work, with the tally of the first ones.
func TestManyRunsEndCleanly(t *testing.T) {
	t.Chdir(t.TempDir())
	c := start(t, "run", "baseline/single-instance", "--runs", "1000000", "--seed", "5", "--set", "work.cycles=1", "--workers", "1")
	for range 12_000 { // just before it begins, it reads the store
		if _, err := os.Stat("store"); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond)
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	c.end(t, 130)
	told := regexp.MustCompile(`baseline/single-instance, (\d+) runs? from seed 5\n`).FindStringSubmatch(c.out.String())
	rest := regexp.MustCompile(`stopped after (\d+) of 1000000 runs; no rows are kept. With --store DIR the work can be resumed\n`).
		FindStringSubmatch(c.errs.String())
	if told == nil || rest == nil || told[1] != rest[1] {
		t.Fatalf("%s%s", c.out.String(), c.errs.String())
	}
	n, _ := strconv.Atoi(told[1])
	seeds := fmt.Sprintf("seeds 5 to %d: %d as expected, 0 not, 0 unknown", 4+n, n)
	if !strings.Contains(c.out.String(), seeds) {
		t.Errorf("it does not say %q: %s", seeds, c.out.String())
	}
}

// go build does not continue what go run began. The error must say why, because both have the same code.
func TestWorkOfAnotherExecutableIsRejectedWithReason(t *testing.T) {
	for made, want := range map[string]string{
		"0.1.0-dev+4b180a4ac167":            "go run and go build make different ones",
		"0.0.0-20261121181614-0cfccdd3a509": "go install github.com/lockstorm/lockstorm/cmd/lockstorm@v0.0.0-20261121181614-0cfccdd3a509",
	} {
		if err := work.ExplainBuild(&archive.OtherBuild{Dir: "rows", Made: made, Now: "x"}); !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

// Two processes that do the same work in one directory remove each other's unfinished files. The one that notices
// ends, and no finished work is lost.
func TestTwoProcessesInOneStore(t *testing.T) {
	t.Chdir(t.TempDir())
	work.Disk = sweptDisk{}
	t.Cleanup(func() { work.Disk = nil })
	_, errs, code := lockstorm("run", "kleppmann/gc-pause", "--runs", "3", "--store", "shared")
	for _, want := range []string{"another process works in shared", "resume with:", "lockstorm run kleppmann/gc-pause --runs 3 --store shared --resume\n"} {
		if code != 254 || !strings.Contains(errs, want) {
			t.Errorf("exit %d: %s; want %s", code, errs, want)
		}
	}
}

// A sweptDisk is one from which another process removes what is being written.
type sweptDisk struct{}

func (sweptDisk) Create(name string) (archive.File, error) { return os.Create(name) }

func (sweptDisk) Rename(from, to string) error {
	if strings.Contains(to, "block-") {
		os.Remove(from)
	}
	return os.Rename(from, to)
}

// No one can predict how long it takes to halve a range. So the command reports its progress.
func TestHalvingEndsCleanly(t *testing.T) {
	need.Long(t)
	t.Chdir(t.TempDir())
	first, rest, code := interrupted(t, "study", "bounds", "--runs", "1000000")
	if code != cli.Interrupted || !strings.Contains(first, " runs, ") ||
		!strings.HasSuffix(rest, "nothing is kept. With --store DIR the work can be resumed\n") {
		t.Errorf("exit %d: %s%s", code, first, rest)
	}
}

// interrupted returns what a command says before and after a signal that comes with its first line, and its exit code.
func interrupted(t *testing.T, args ...string) (first, rest string, code int) {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), asCommand+"=1")
	pipe, err := c.StderrPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	errs := bufio.NewReader(pipe)
	if first, err = errs.ReadString('\n'); err != nil {
		t.Errorf("it ends with %q: %v", first, err)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	last, _ := io.ReadAll(errs)
	c.Wait()
	return first, string(last), c.ProcessState.ExitCode()
}

// --for keeps the first seeds of a search, and the next call continues after them.
func TestTimedSearchIsKeptAndContinues(t *testing.T) {
	need.Long(t)
	t.Chdir(t.TempDir())
	args := []string{"fuzz", "baseline/single-instance", "--faults", "none", "--set", "work.cycles=1", "--set", "clients=1", "--for", "1ms", "--store", "hunt", "-q"}
	for i, more := range [][]string{nil, {"--resume"}} {
		out := mustRun(t, 0, with(args, more...)...)
		if n := blocks("hunt"); n < i+1 || out != fmt.Sprintf("PASS: baseline/single-instance, %d runs from seed 1: nothing broke.\n", n*1000) {
			t.Errorf("%d blocks: %s", n, out)
		}
	}
}

func TestRunInRowsIsShrunk(t *testing.T) {
	t.Chdir(t.TempDir())
	mustRun(t, 1, "run", "redlock/any", "--runs", "60", "--store", "rows")
	_, errs, code := lockstorm("shrink", "rows")
	if code != 254 || !strings.Contains(errs, "rows has the rows of many runs; say which with --seed N") {
		t.Errorf("exit %d: %s", code, errs)
	}
	rows := strings.Split(mustRun(t, 0, "export", "--csv", "rows"), "\n")
	belief := slices.Index(strings.Split(rows[0], ","), "belief")
	seed := ""
	for _, row := range rows[1 : len(rows)-1] {
		if cells := strings.Split(row, ","); seed == "" && cells[belief] == "violated" {
			seed = cells[slices.Index(strings.Split(rows[0], ","), "seed")]
		}
	}
	one := mustRun(t, 0, "shrink", "rows", "--seed", seed, "--property", "belief", "--runs", "60", "-q")
	if file := "rows/found/seed-" + seed + "-belief.yaml"; !strings.HasPrefix(one, file+": rows, seed "+seed+", shrunk in 60 runs") {
		t.Error(one)
	}
	if text := mustRun(t, 0, "shrink", "rows", "--seed", seed, "--property", "belief", "--runs", "60", "--format", "json"); !json.Valid([]byte(text)) {
		t.Errorf("not JSON:\n%s", text)
	}
	for args, want := range map[string]string{
		"shrink rows --seed 1":              "no row of seed 1 in rows breaks anything",
		"shrink rows --seed 1 --property x": `there is no promise "x"`,
	} {
		if out, errs, code := lockstorm(strings.Fields(args)...); code != 254 || !strings.Contains(errs, want) || out != "" {
			t.Errorf("%s: exit %d: %s%s; want %s", args, code, errs, out, want)
		}
	}
}

// The commands that make rows reject the same input in the same words, and touch nothing.
func TestBadInputToEachKindOfLongWorkIsRejected(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "file", "")
	for _, command := range []string{
		"fuzz kleppmann/gc-pause --faults none --runs 60", "sweep kleppmann/gc-pause --axis lock.ttl=5s,9s --runs 60",
		"study matrix --only single* --runs 60", "run kleppmann/gc-pause --runs 60",
	} {
		for flags, want := range map[string]string{
			"--store file/rows":                            "not a directory",
			"--store new --workers -1":                     "--workers: -1 is negative",
			"--store new --seed 9007199254740991":          "seeds go up to",
			"--store new --runs 9007199254740991 --seed 7": "seeds go up to",
			"--store new --resume=false --runs x":          "must be a whole number",
		} {
			out, errs, code := lockstorm(strings.Fields(command + " " + flags)...)
			if code != 254 || !strings.Contains(errs, want) || out != "" {
				t.Errorf("%s %s: exit %d\n%s%swant %s", command, flags, code, out, errs, want)
			}
		}
		const want = "--resume: name the directory to resume: --store DIR"
		if _, errs, code := lockstorm(strings.Fields(command + " --resume")...); code != 254 || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d: %s; want %s", command, code, errs, want)
		}
	}
	if left := strings.Join(entries(t, "."), " "); left != "file new store" && left != "file store" && left != "file" {
		t.Errorf("left behind: %s", left)
	}
}

// A broken disk is full, or can't be written, after a number of files.
type brokenDisk struct {
	left *int
	why  syscall.Errno
}

func (d brokenDisk) Create(name string) (archive.File, error) {
	if *d.left--; *d.left < 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: d.why}
	}
	return os.Create(name)
}

func (brokenDisk) Rename(from, to string) error { return os.Rename(from, to) }

// On a full or read-only disk, each kind of long work reports that and how to continue, and has kept what was
// finished. The same holds for a block that is not whole, and for work of another build.
func TestLongWorkSurvivesBrokenDisks(t *testing.T) {
	t.Cleanup(func() { work.Disk = nil })
	for _, args := range [][]string{
		{"fuzz", "kleppmann/gc-pause", "--faults", "none", "--runs", "60", "-q"},
		{"sweep", "kleppmann/gc-pause", "--axis", "lock.ttl=5s,9s,20s", "--runs", "20", "-q"},
		{"study", "matrix", "--only", "single instance", "--runs", "5", "--least", "0", "-q"},
		{"run", "kleppmann/gc-pause", "--runs", "60", "-q"},
	} {
		if !long && args[0] != "sweep" {
			continue
		}
		t.Chdir(t.TempDir())
		whole := mustRun(t, 0, with(args, "--store", "whole")...)
		for why, room := range map[syscall.Errno]int{syscall.ENOSPC: 4, syscall.EROFS: 0} {
			left, dir := room, "dir-"+strconv.Itoa(int(why))
			work.Disk = brokenDisk{&left, why}
			out, errs, code := lockstorm(with(args, "--store", dir)...)
			again := "Fix that, and resume with:\n  lockstorm " + args[0]
			if code != 254 || out != "" || !strings.Contains(errs, "--store: "+dir+" can't be written: ") || !strings.Contains(errs, why.Error()) ||
				!strings.Contains(errs, again) || !strings.HasSuffix(errs, " --resume\n") {
				t.Errorf("%s: exit %d: %s%s", args[0], code, out, errs)
			}
			files := 2 // and the study, if it is one
			if args[0] == "study" || args[0] == "sweep" {
				files = 3
			}
			if n := blocks(dir); n != max(room-files, 0) {
				t.Errorf("%s: %d blocks are kept", args[0], n)
			}
			work.Disk = nil
			if got := resumed(t, errs); strings.ReplaceAll(got, dir, "whole") != whole {
				t.Errorf("resumed it is\n%s\nand was\n%s", got, whole)
			}
		}
		damaged(t, args, whole)
	}
}

// damaged cuts a block short, and follows the advice of the error; then it comes with another build.
func damaged(t *testing.T, args []string, want string) {
	t.Helper()
	if err := os.Truncate(filepath.Join("whole", "block-000001.jsonl.gz"), 100); err != nil {
		t.Fatal(err)
	}
	_, errs, code := lockstorm(with(args, "--store", "whole", "--resume")...)
	seeds := regexp.MustCompile(`whole/block-000001.jsonl.gz: it can't be decompressed: .*; it held seeds \d+ to \d+ of cell \d`)
	if code != 254 || !seeds.MatchString(errs) || !strings.HasSuffix(errs, ". Remove that file, and repeat the command that made the rows, with --resume\n") {
		t.Fatalf("%s: exit %d: %s", args[0], code, errs)
	}
	if err := os.Remove(filepath.Join("whole", "block-000001.jsonl.gz")); err != nil {
		t.Fatal(err)
	}
	if got := mustRun(t, 0, with(args, "--store", "whole", "--resume")...); got != want {
		t.Errorf("mended it is\n%s\nand was\n%s", got, want)
	}
	mine := cli.Build
	defer func() { cli.Build = mine }()
	cli.Build = func() string { return "0.0.1" }
	_, errs, code = lockstorm(with(args, "--store", "whole", "--resume")...)
	if want := "whole was made by build " + mine() + ", and this is build 0.0.1; no archive has rows of both. Use that build"; code != 254 || !strings.Contains(errs, want) {
		t.Errorf("%s: exit %d: %s; want %s", args[0], code, errs, want)
	}
}
