package command

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/live"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// needRedis skips a test where no live run can be made.
func needRedis(t *testing.T) {
	t.Helper()
	need.System(t, "nothing is run live", "linux")
	need.Program(t, "nothing is run live on Redis", "redis-server")
}

// read returns a file's text.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestLiveRunIsKeptWithItsPageAndCanNotBeReplayed(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needRedis(t)
	dir := t.TempDir()
	out, errs, code := lockstorm("live", "kleppmann/gc-pause", "--store", dir, "--quiet")
	if code != cli.AsExpected && code != cli.Unknown { // a busy machine has no verdict
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	home := filepath.Join(dir, "live", "kleppmann", "gc-pause", "1")
	for _, name := range []string{"report.html", "timeline.svg"} {
		if text := read(t, filepath.Join(home, name)); len(text) == 0 {
			t.Errorf("%s is empty", name)
		}
	}
	if page := read(t, filepath.Join(home, "report.html")); !strings.Contains(page, "A live run on redis-server") {
		t.Error("the page does not say that the run was live")
	}
	for _, command := range []string{"replay", "report"} {
		if out, errs, code := lockstorm(command, home); code != cli.BadInput || !strings.Contains(errs, "is a live run") {
			t.Errorf("%s: exit %d\n%s%s", command, code, out, errs)
		}
	}
}

func TestLiveChecksInputBeforeItStarts(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	for _, c := range []struct {
		args string
		want string
	}{
		{"redlock/any", "search: each seed draws"},
		{"leases/slow-client", "runs at the machine's rate"},
		{"kleppmann/gc-pause --scale 2", `--scale: "2" is not a scale`},
		{"kleppmann/gc-pause --attempts 0", "--attempts: 0 is not positive"},
		{"", "takes one SCENARIO"},
		{"--doctor kleppmann/gc-pause", "leave out the SCENARIO"},
		{"--agree kleppmann/gc-pause --parallel -1", "--parallel: -1 is negative"},
		{"--agree no/such", "no scenario matches"},
		{"--agree --runs 0", "--runs: 0 is not positive"},
		{"--agree kleppmann/gc-pause --set lock.colour=red", "lock.colour"},
		{"--agree kleppmann/gc-pause --adapter a --adapter b", "there are 2; give one, or add --verdicts"},
	} {
		out, errs, code := lockstorm(append([]string{"live"}, strings.Fields(c.args)...)...)
		if code != cli.BadInput || !strings.Contains(errs, c.want) {
			t.Errorf("live %s: exit %d\n%s%s", c.args, code, out, errs)
		}
	}
	needRedis(t)
	for flag, want := range map[string]string{
		"--redis-server=/no/such": "there is no /no/such; install Redis 7",
		"--adapter=/no/such":      "the adapter can't be started",
	} {
		out, errs, code := lockstorm("live", "kleppmann/gc-pause", flag)
		if code != cli.BadInput || !strings.Contains(errs, want) {
			t.Errorf("live %s: exit %d\n%s%s", flag, code, out, errs)
		}
	}
}

func TestUnwritableLiveRunSuggestsTMPDIR(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needRedis(t)
	t.Setenv("TMPDIR", "/no/such")
	_, errs, code := lockstorm("live", "kleppmann/gc-pause", "--late", "1ms", "--no-store")
	if code != cli.BadInput || !strings.Contains(errs, "no such file or directory; name a place that can be written to with TMPDIR") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

// A clock step that hits no process would break a promise that the lock keeps: no verdict is better.
func TestServerWithoutTheLibraryHasNoVerdict(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needRedis(t)
	need.Program(t, "no server is deceived", "cc")
	program := filepath.Join(t.TempDir(), "redis-server")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nunset LD_PRELOAD\nexec redis-server \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	out, errs, code := lockstorm("live", "kleppmann/clock-jump", "--no-store", "--redis-server", program)
	if code != cli.Unknown || out != "" || !strings.Contains(errs, "can't be deceived") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

// mute writes an adapter that says that it is ready, and no more.
func mute(t *testing.T) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "mute")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nread l; echo 0 ready; while read l; do :; done\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return program
}

// A user who waits learns within seconds which adapter is silent, and again on ending the run, not only at the
// horizon.
func TestSilentAdapterIsNamedBeforeTheRunEnds(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needRedis(t)
	one := start(t, "live", "baseline/single-instance", "--no-store", "-q", "--late", "1ms", "--adapter", mute(t))
	table := start(t, "live", "--agree", "baseline/single-instance", "-q", "--late", "1ms", "--adapter", mute(t))
	for c, who := range map[*child]string{one: "", table: "baseline/single-instance: "} {
		want := "lockstorm: " + who + `Client c1 has not answered "1 acquire" for `
		for since := time.Now(); !strings.Contains(c.errs.String(), want) && time.Since(since) < time.Minute; {
			time.Sleep(5 * time.Millisecond)
		}
		_ = c.Process.Signal(os.Interrupt)
		c.end(t, cli.Interrupted)
		errs := c.errs.String()
		if first, again, _ := strings.Cut(errs, want); !strings.Contains(again, want) || strings.Contains(first, want) {
			t.Errorf("it says %s", errs)
		}
	}
}

// A user has to know which adapter has not answered, whether the verdict is unknown, as on a slow machine, or not.
func TestQuietFlagStillReportsSilentAdapters(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needRedis(t)
	out, errs, code := lockstorm("live", "baseline/single-instance", "--set", "horizon=300ms", "--set", "lock.ttl=100ms", "--no-store", "-q",
		"--late", "1ms", "--attempts", "1", "--adapter", mute(t))
	if code == cli.AsExpected || strings.Count(out, "\n") > 1 || !strings.Contains(errs, `Client c1 has not answered "1 acquire"`) {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

// An adapter that asks libc for the time sees its wall clock stepped, and no other process does. An adapter in Go
// would not see it, and is rejected.
func TestAdapterWallClockIsStepped(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	t.Parallel() // it mostly waits
	needRedis(t)
	dir := t.TempDir()
	shows := filepath.Join(dir, "shows")
	const script = "#!/bin/sh\nread l; name=${l#*name=}; name=${name%% *}; echo 0 ready\n" +
		"while read l; do echo $name $(date +%s) $(cut -d. -f1 /proc/uptime) >> FILE; done\n"
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		return file
	}
	adapter := write("adapter", strings.ReplaceAll(script, "FILE", shows))
	s := write("stepped.yaml", "title: A clock of a client is stepped.\nclients: 2\nnodes: 1\nlock: {kind: single}\nhorizon: 5s\n"+
		"work: {cycles: 1, stagger: 200ms}\nschedule: |\n  at 50ms jump c2 +1h\n")
	before := time.Now()
	out, errs, _ := lockstorm("live", s, "--no-store", "-q", "--attempts", "1", "--scale", "1", "--set", "work.warm=0s", "--adapter", adapter)
	text, err := os.ReadFile(shows)
	ahead := map[string]time.Duration{}
	for line := range strings.Lines(string(text)) {
		var name string
		var shown, up int64
		if _, err := fmt.Sscan(line, &name, &shown, &up); err == nil && ahead[name] == 0 {
			ahead[name] = time.Unix(shown, 0).Sub(before)
		}
	}
	if err != nil || ahead["c2"].Round(time.Minute) != time.Hour || ahead["c1"] > time.Minute {
		t.Errorf("%v: the clocks are ahead by %v\n%s%s", err, ahead, out, errs)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if _, errs, code := lockstorm("live", s, "--no-store", "-q", "--scale", "1", "--adapter", self); code == cli.AsExpected ||
		!strings.Contains(errs, "is a program in Go") {
		t.Errorf("exit %d\n%s", code, errs)
	}
}

func TestAgreementTableCountsEachRun(t *testing.T) {
	needRedis(t)
	out, errs, code := lockstorm("live", "--agree", "distlock/single-point-of-failure", "leases/slow-client", "--quiet", "--parallel", "2", "--late", "1ms")
	if !slices.Contains([]int{cli.AsExpected, cli.Unknown}, code) {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	for _, want := range []string{"scenario ", "distlock/single-point-of-failure ", "leases/slow-client is refused: "} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
}

func TestDoctorSaysWhatEachMissingPartCosts(t *testing.T) {
	out, errs, code := lockstorm("live", "--doctor", "--redis-server", "no-such-server")
	if code != cli.NotAsExpected || !strings.Contains(out, "lacks  Redis 7") || !strings.Contains(out, "no lock on Redis runs live") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

func TestVerdictTableCountsViolationsByLock(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needRedis(t)
	out, errs, code := lockstorm("live", "--verdicts", "distlock/single-point-of-failure", "--seed", "3", "--set", "lock.ttl=9s", "--adapter", "absent=/no/such", "--quiet", "--no-store", "--late", "1ms")
	if code != cli.Unknown { // the other lock was not tried
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	for _, want := range []string{"our own lock", "absent", " of 1", "refused", "single-point-of-failure, absent: the adapter can't be started"} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
}

func TestAdapterCanHaveAName(t *testing.T) {
	for text, want := range map[string][]string{
		"redsync=./redsync -v":  {"redsync", "./redsync", "-v"},
		"redsync= ./redsync -v": {"redsync", "./redsync", "-v"},
		"python3 a.py --x=y":    {"python3 a.py --x=y", "python3", "a.py", "--x=y"},
	} {
		if name, command := adapterOf(text); !slices.Equal(append([]string{name}, command...), want) {
			t.Errorf("%q is %q and %q, and should be %q", text, name, command, want)
		}
	}
}

func TestVerdictCellNamesViolationsAndMissingEvents(t *testing.T) {
	v := live.Verdicts{Runs: 3, Broken: map[string]int{"storage": 2, "belief": 3}, Unknown: map[string]int{"validity": 1}, Missing: map[string]int{"contended": 1}}
	if got, want := verdictCell(&v), "belief 3, storage 2 of 3; unknown: validity 1; no contended 1"; got != want {
		t.Errorf("it is %q, and should be %q", got, want)
	}
	if got, want := verdictCell(&live.Verdicts{Runs: 2}), "nothing of 2"; got != want {
		t.Errorf("it is %q, and should be %q", got, want)
	}
}

func TestFullyRejectedTableShowsNothing(t *testing.T) {
	if got := agreed([]live.Agreement{{Refused: "it has no servers"}, {Refused: "it has a clock"}}); got != cli.Unknown {
		t.Errorf("exit %d, and should be %d", got, cli.Unknown)
	}
	_, errs, code := lockstorm("live", "--agree", "etcd/stale-read", "sql/paused", "--quiet")
	if code != cli.Unknown || !strings.Contains(errs, "nothing was compared") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

func TestKnownDifferenceIsNoFailure(t *testing.T) {
	for want, a := range map[int]live.Agreement{
		cli.AsExpected:    {Differ: 1, Known: "so it is"},
		cli.NotAsExpected: {Differ: 1},
		cli.Unknown:       {Unknown: 1},
	} {
		if got := agreed([]live.Agreement{{Agree: 1}, a}); got != want {
			t.Errorf("%+v: exit %d, and should be %d", a, got, want)
		}
	}
}

func TestVerdictTableEndsByWhatOurLockKeeps(t *testing.T) {
	bouts := func(worst scenarios.Verdict, runs int) []bout {
		return []bout{{"a", ownLock, live.Verdicts{Runs: 1, Worst: scenarios.Fail}}, {"a", "mine", live.Verdicts{Runs: runs, Worst: worst}}}
	}
	for want, table := range map[int][]bout{
		cli.AsExpected: bouts(scenarios.Pass, 1), cli.NotAsExpected: bouts(scenarios.Fail, 1), cli.Unknown: bouts(scenarios.Unknown, 1),
	} {
		if got := judged(table); got != want {
			t.Errorf("%+v: exit %d, and should be %d", table, got, want)
		}
	}
	if got := judged(bouts(scenarios.Pass, 0)); got != cli.Unknown {
		t.Errorf("without a run: exit %d", got)
	}
}

// The table of all correct locks has no difference that isn't explained.
func TestDefaultTableHasNoUnexplainedDifference(t *testing.T) {
	need.Long(t)
	needRedis(t)
	if out, errs, code := lockstorm("live", "--agree", "--quiet", "--parallel", "2"); code == cli.NotAsExpected || code == cli.BadInput {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}
