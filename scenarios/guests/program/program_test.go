// Package program_test calls the program of cmd/lockstorm-full as its users do, on libraries.
package program_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios/guests"
	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
	"github.com/lockstorm/lockstorm/scenarios/locktest"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// program is the program's file: built as users build it, for outside of go test some things are otherwise.
var program = sync.OnceValues(func() (string, error) {
	file := filepath.Join(dir, "lockstorm-full")
	out, err := exec.Command("go", "build", "-C", "../../../cmd/lockstorm-full", "-o", file, ".").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return file, err
})

// dir is where it is built.
var dir string

func TestMain(m *testing.M) {
	var err error
	if dir, err = os.MkdirTemp("", "lockstorm-full"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// run calls the program in a directory.
func run(t *testing.T, dir string, args ...string) (out, errs string, code int) {
	t.Helper()
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(file, args...)
	var o, e bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = dir, &o, &e
	if err := c.Run(); err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return o.String(), e.String(), c.ProcessState.ExitCode()
}

// mustRun calls the program, which must end with a code and print what matches.
func mustRun(t *testing.T, dir string, want int, wants string, args ...string) string {
	t.Helper()
	out, errs, code := run(t, dir, args...)
	if code != want {
		t.Fatalf("%q: exit code %d, want %d\n%s%s", args, code, want, out, errs)
	}
	if !regexp.MustCompile(wants).MatchString(out + errs) {
		t.Errorf("%q prints %s%s; want %s in it", args, out, errs, wants)
	}
	return out
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

const paused = "title: A client of redsync is paused.\nclients: 2\nlock:\n  kind: redsync\nwork:\n  cycles: 1\n  stagger: 100ms\n  recheck: false\n  stop_at_deadline: false\n" +
	"schedule: |\n  when c1 before-write pause c1 for 15s\nexpect:\n  belief: violated\n  storage: violated\n"

func TestALibraryRunsAsAKindOfLock(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "my.yaml", paused)
	mustRun(t, dir, 0, `It repeats 3 of 3, \d of them`, "run", "my.yaml", "--quiet")
	page, err := os.ReadFile(filepath.Join(dir, "store", "my", "1", "report.html"))
	if err != nil || !strings.Contains(string(page), "It repeats 3 of 3") {
		t.Errorf("the page: %v", err)
	}
	mustRun(t, dir, 0, `"repeats": \{\s+"of": 3,\s+"alike": 3,`, "run", "my.yaml", "--format", "json", "--no-store")
	mustRun(t, dir, 0, `belief +violated +0 +5`, "run", "my.yaml", "--runs", "5", "--no-store")
	mustRun(t, dir, 0, `PASS: two clients acted as holder at the same time and an update was lost`, "replay", "store/latest")
	mustRun(t, dir, 0, `1 cycle`, "shrink", "store/latest", "--property", "belief")
	least, err := os.ReadFile(filepath.Join(dir, "store", "latest", "least-belief.yaml"))
	if err != nil || !strings.Contains(string(least), "kind: redsync\n") || !strings.Contains(string(least), "It repeats 3 of 3") {
		t.Errorf("the least: %v\n%s", err, least)
	}
	mustRun(t, dir, 0, `2 scenarios`, "test", "my.yaml", "kleppmann/gc-pause", "--runs", "2")
	mustRun(t, dir, 0, `redsync-redigo`, "run", "my.yaml", "--help-set")
	mustRun(t, dir, 0, `"zookeeper",\s+"redisson-rw",\s+"redisson-fair",\s+"redisson-sentinel",\s+"record",\s+"consul",\s+"lease",\s+"etcd-grpc",\s+"redsync",`, "new", "--schema")
}

func TestALibraryIsSearched(t *testing.T) {
	dir := t.TempDir()
	found := mustRun(t, dir, 1, `The lock was valid for two clients at the same time in .* Cause: clock jump\.`, "fuzz", "redlock/any", "--set", "lock.kind=redsync-redigo", "--faults", "jump",
		"--property", "validity", "--stop-after", "1", "--runs", "300")
	again := regexp.MustCompile(`See it: lockstorm-full (.*)`).FindStringSubmatch(found)
	if again == nil {
		t.Fatalf("it names no command: %s", found)
	}
	mustRun(t, dir, 0, `PASS: .*valid for two clients`, append(strings.Fields(again[1]), "--quiet")...)
}

// Separate processes compute the rows of libraries.
func TestSeveralProcessesMakeTheRowsOfALibrary(t *testing.T) {
	mustRun(t, t.TempDir(), 0, `seeds 1 to 60: 60 as expected, 0 not, 0 unknown`, "run", "kleppmann/gc-pause", "--set", "lock.kind=redsync",
		"--runs", "60", "--workers", "2", "--store", "rows", "-q")
}

func TestALibraryHasARowInTheMatrix(t *testing.T) {
	mustRun(t, t.TempDir(), 0, `redsync +\d+ .* – `,
		"study", "matrix", "--only", "redsync", "--runs", "3", "--least", "0", "--measure", "quorum", "-q")
}

func TestALibraryIsSweptAndServed(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, dir, 0, `redlock +5 of 5 +100%(?s).*redsync-redigo +5 of 5 +100%`, "sweep", "kleppmann/gc-pause", "--axis", "lock.kind=redlock,redsync-redigo",
		"--property", "belief", "--runs", "5", "--store", "store/grid", "-q")
	mustRun(t, dir, 0, `^PASS`, "run", "kleppmann/gc-pause", "--set", "lock.kind=redislock", "--quiet")
	file, _ := program()
	c := exec.Command(file, "serve")
	c.Dir = dir
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Process.Kill(); _ = c.Wait() }()
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"": "lock.kind=redislock", "grid/": "study.yaml"} {
		answer, err := http.Get(strings.TrimSpace(url) + path)
		if err != nil {
			t.Fatal(err)
		}
		page, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || !strings.Contains(string(page), want) {
			t.Errorf("%s%s: %v, and no %s", url, path, err, want)
		}
	}
}

// Each library with an adapter is a kind of lock, and its keys are found under its own name for them.
func TestEachLibraryKeepsItsPromisesWithoutFaults(t *testing.T) {
	for _, l := range guests.Libraries {
		if l.Name == "leaderelection-kept" {
			continue // each change of leader takes a LeaseDuration, and there are more than the scenario has time for
		}
		mustRun(t, t.TempDir(), 0, `^PASS`, "run", "baseline/fault-free", "--set", "lock.kind="+l.Name, "--no-store", "--quiet")
	}
}

func TestUnsuitableScenarioIsRejected(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "jump.yaml", strings.Replace(paused, "when c1 before-write pause c1 for 15s", "at 1s jump c1 +1s", 1))
	write(t, dir, "asleep.yaml", strings.Replace(paused, "pause c1", "suspend c1", 1))
	write(t, dir, "fast.yaml", paused+"clocks:\n  c1: +100ppm\n")
	write(t, dir, "quorum.yaml", strings.Replace(paused, "kind: redsync", "kind: redsync\n  quorum: 2", 1))
	write(t, dir, "unknown.yaml", strings.Replace(paused, "redsync\nwork", "redsink\nwork", 1))
	for _, c := range []struct{ args, want string }{
		{"run jump.yaml", `jump.yaml:11:\d+: .*client libraries share one clock.*all servers`},
		{"run asleep.yaml", `asleep.yaml:11:\d+: .*give pause`},
		{"run fast.yaml", `fast.yaml:16:\d+: clocks.c1: client libraries share one clock`},
		{"run quorum.yaml", `quorum.yaml:5:\d+: lock.quorum: lock.kind redsync has no such option`},
		{"run unknown.yaml", `unknown.yaml:4:\d+: found "redsink".* did you mean redsync`},
		{"run kleppmann/gc-pause --set lock.kind=redsync --set lock.clock=wall", `lock.clock: lock.kind redsync has no such option`},
		{"run kleppmann/gc-pause --set lock.kind=rueidis --set lock.renew.every=1s", `lock.renew.every: lock.kind rueidis has no such option`},
		{"run kleppmann/gc-pause --set lock.kind=asynq --set lock.ttl=500ms", `lock.ttl: 500ms is too short for asynq; give 1s or more`},
		{"run kleppmann/gc-pause --set lock.kind=redsink", `lock.kind: there is no kind "redsink"; did you mean redsync\?`},
		{"study matrix --only redsnc", `no line matches "redsnc"; did you mean redsync`},
	} {
		if out, errs, code := run(t, dir, strings.Fields(c.args)...); code != 254 || !regexp.MustCompile(c.want).MatchString(errs) {
			t.Errorf("%s: exit code %d, %s%s; want %s", c.args, code, out, errs, c.want)
		}
	}
}

// TestSought is run by the next test, in a separate process, and must fail.
func TestSought(t *testing.T) {
	need.Caller(t, "CLIENTS_SOUGHT", "TestWhatIsFoundOfALibraryIsKeptAndTriedFirst")
	guest.Fuzz(t, "redlock/any", redigo(), locktest.Promises("validity"), locktest.Faults("jump"), locktest.Seeds(200))
}

func TestWhatIsFoundOfALibraryIsKeptAndTriedFirst(t *testing.T) {
	dir := t.TempDir()
	for _, want := range []string{`validity breaks in \d+ of \d+ universes(?s).*kept in testdata/lockstorm/TestSought\.validity-(jump|strobe)`, `validity: it still breaks as when it was found(?s).*It\s+repeats 3 of 3`} {
		c := exec.Command(os.Args[0], "-test.run=^TestSought$")
		c.Dir, c.Env = dir, append(os.Environ(), "CLIENTS_SOUGHT=1")
		if out, err := c.CombinedOutput(); err == nil || !regexp.MustCompile(want).Match(out) {
			t.Errorf("%v\n%s; want %s", err, out, want)
		}
	}
	least, _ := filepath.Glob(filepath.Join(dir, "testdata", "lockstorm", "*.find"))
	if len(least) == 0 {
		t.Error("nothing is kept")
	}
}

// redigo is redsync over redigo.
func redigo() guest.Constructor {
	i := slices.IndexFunc(guests.Libraries, func(l guests.Library) bool { return l.Name == "redsync-redigo" })
	return guests.Libraries[i].New
}
