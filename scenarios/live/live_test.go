package live

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/live/realtest"
	"github.com/lockstorm/lockstorm/scenarios/live/wall"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// TestMain lets the test binary be the clients and the watchdog of its runs, adapters that misbehave, and a driver that
// is killed.
func TestMain(m *testing.M) {
	args := os.Args[1:]
	switch {
	case Main(args):
	case len(args) == 2 && args[0] == "bad-adapter":
		badAdapter(args[1])
	case len(args) == 2 && args[0] == "driver":
		s, _ := scenarios.Find(args[1])
		if _, err := Run(context.Background(), &s, 1, Options{Attempts: 1, Late: calm.Late}); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	default:
		os.Exit(m.Run())
	}
}

// needServer skips a test where no live run can be made.
func needServer(t *testing.T) {
	t.Helper()
	need.System(t, "nothing is run live", "linux")
	program := need.Program(t, "nothing is run live on Redis", "redis-server")
	_, err := checkVersion(program)
	need.Possible(t, "nothing is run live on Redis", err)
}

// onRedis returns the options of runs on a redis-server.
func onRedis(program string) Options {
	return Options{Programs: map[string]string{"redis-server": program}, Late: calm.Late}
}

// calm is of a machine that was not late, whatever this one is busy with.
var calm = Options{Late: time.Millisecond}

// find returns a scenario of the catalogue.
func find(t *testing.T, id string) *scenarios.Scenario {
	t.Helper()
	s, ok := scenarios.Find(id)
	if !ok {
		t.Fatalf("no scenario %s", id)
	}
	return &s
}

// long reports whether the long proofs run too: see .ci/README.md.
var long = os.Getenv("LOCKSTORM_LONG") == "1"

// The scenarios here have a witness in reality. A machine that is too busy has no verdict, which is not a failure.
func TestRealServersMatchSimulatorVerdicts(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needServer(t)
	ids, stepped := []string{"kleppmann/gc-pause", "kleppmann/crash-restart", "distlock/failover", "errors/evicted", "errors/full", "errors/one-readonly"}, []string{"kleppmann/clock-jump"}
	if long {
		ids = append(ids, "distlock/late-release", "distlock/single-point-of-failure", "failover/wait", "failover/split-brain")
		stepped = append(stepped, "distlock/power-loss-stepped", "antirez/ntp-slew", "kleppmann/disk-stall")
		stepped = append(stepped, "distlock/power-loss-stalled")
	}
	if wall.Available() == nil {
		ids = append(ids, stepped...)
	}
	for _, id := range ids {
		t.Run(id, func(t *testing.T) {
			mustAgree(t, find(t, id))
		})
	}
}

// Each run has its own servers, ports, directory and noise. One that is ended leaves the rest as they are.
func TestLiveRunsInParallel(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needServer(t)
	var all []Trial
	const single = "distlock/single-point-of-failure"
	for _, id := range []string{single, "distlock/late-release", "leases/slow-client", "kleppmann/crash-restart"} {
		all = append(all, Trial{Name: id, Scenario: *find(t, id), Options: calm})
	}
	table := Agree(context.Background(), all, Plan{Seed: 1, Runs: 2, Parallel: 6})
	for i, a := range table {
		if i == 2 {
			if !strings.Contains(a.Refused, "runs at the machine's rate") {
				t.Errorf("%s is not refused: %+v", a.Name, a)
			}
		} else if a.Name != all[i].Name || a.Agree+a.Unknown != 2 || a.Differ > 0 || a.Refused != "" {
			t.Errorf("%s: %+v", all[i].Name, a)
		}
	}
	if left := directories(t, os.Getpid()); len(table) != len(all) || len(left) > 0 {
		t.Errorf("%d rows, and it left %s", len(table), left)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	some := []Trial{all[2], all[3], all[1], all[0]}
	for i := range some[1:] {
		some[i+1].Options.Scale = 1000
	}
	if table := Judge(ctx, some, Plan{Seed: 1, Runs: 1, Parallel: 2}); len(table) != 1 || table[0].Refused == "" {
		t.Errorf("of a table that was ended, the row that was made is not kept: %+v", table)
	}
}

// mustAgree makes a live run that must come out as in the simulator, or unknown on a machine that is too busy.
func mustAgree(t *testing.T, s *scenarios.Scenario) {
	t.Helper()
	res, err := Run(context.Background(), s, 1, calm)
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Evidence.Check(); err != nil {
		t.Error(err)
	}
	switch res.Verdict {
	case scenarios.Fail:
		t.Errorf("it does not come out as in the simulator: %+v\n%s", res.Findings, strings.Join(res.Live, "\n"))
	case scenarios.Unknown:
		t.Logf("unknown: %s", strings.Join(res.Live, "\n"))
	}
}

func TestAMutantIsCaughtOnRealServersToo(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needServer(t)
	s := find(t, "distlock/late-release")
	if err := s.Set("lock.free=delete"); err != nil {
		t.Fatal(err)
	}
	res, err := Run(context.Background(), s, 1, calm)
	if err != nil {
		t.Fatal(err)
	}
	if res.Verdict == scenarios.Pass {
		t.Errorf("a lock that deletes whatever key there is keeps its promises\n%s", strings.Join(res.Live, "\n"))
	}
}

// badAdapter is a client that misbehaves.
func badAdapter(how string) {
	if how == "plain" || how == "lies" {
		plainAdapter(how == "lies")
		return
	}
	who := ""
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		l, _ := parseLine(lines.Text())
		now := Monotonic()
		switch {
		case l.verb == "start" && strings.HasPrefix(how, "/"): // where it says that it has heard
			_ = os.WriteFile(filepath.Join(how, l.value("name")), nil, 0o600)
		case l.verb == "start":
			who = l.value("name")
			if how == "leaves" || how == "stays" {
				leaveChildren()
			}
			fmt.Println("0 ready")
		case how == "leaves":
			os.Exit(3)
		case how == "once" && l.id == 1 || how == "c2" && who != how:
			fmt.Printf("%d no begin=%d end=%d\n", l.id, now, now)
		case how == "closes":
			_ = os.Stdout.Close()
		case how == "long":
			fmt.Println(l.id, "no "+strings.Repeat("x", 70<<10))
		case how == "binary":
			fmt.Println("\x00\xff\x1b[31m" + strings.Repeat("\x01", 5000))
		case how == "nonsense":
			fmt.Println("hello?")
		case how == "dies":
			fmt.Fprintln(os.Stderr, "out of memory")
			os.Exit(3)
		case how == "early":
			fmt.Printf("%d yes begin=%d end=%d token=a left=1000000\n", l.id, now-int64(time.Second), now)
		case how == "backwards":
			fmt.Printf("%d yes begin=%d end=%d token=a left=1000000\n", l.id, now, now-1)
		case how == "future":
			fmt.Printf("%d yes begin=%d end=%d token=a left=1000000\n", l.id, now, now+int64(time.Hour))
		case how == "timeless":
			fmt.Printf("%d yes token=a\n", l.id)
		case how == "endless":
			fmt.Printf("%d yes begin=%d end=%d token=a left=abc\n", l.id, now, now)
		case how == "slip", how == "twice", how == "negative":
			more := map[string]string{"slip": "lefft=1000000", "twice": "left=1000000 left=5", "negative": "left=1000000 fence=-3"}[how]
			fmt.Printf("%d yes begin=%d end=%d token=a %s\n", l.id, now, now, more)
		case how == "nameless":
			fmt.Printf("%d yes begin=%d end=%d left=1000000\n", l.id, now, now)
		case how == "because":
			fmt.Printf("%d no begin=%d end=%d why=tired\n", l.id, now, now)
		case how == "stranger":
			fmt.Printf("%d yes begin=%d end=%d\n", l.id+7, now, now)
		}
	}
}

// leaveChildren starts two processes in new sessions, which hold this process's outputs open, and prints their IDs.
// One has a child with an empty environment.
func leaveChildren() {
	for _, script := range []string{"sleep 60 & echo left $! >&2; env -i sleep 60 & echo left $! >&2; wait", "exec sleep 60"} {
		c := exec.Command("setsid", "sh", "-c", script)
		c.Stdout, c.Stderr = os.Stdout, os.Stderr
		_ = c.Start()
		fmt.Fprintln(os.Stderr, "left", c.Process.Pid)
	}
	time.Sleep(300 * time.Millisecond) // until they have said so
}

func TestAnAdapterThatMisbehavesIsCaught(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needServer(t)
	for how, want := range map[string]string{
		"long":      "says a line of more than 64 KiB",
		"binary":    `"\x00\xff\x1b[31m\x01`,
		"nonsense":  "fewer than two words",
		"dies":      "out of memory",
		"closes":    "has closed its standard output",
		"early":     "and was asked at",
		"backwards": "before it began at",
		"future":    "and answered at",
		"timeless":  `begin="" is no whole number`,
		"endless":   `left="abc" is no whole number`,
		"nameless":  "names no token",
		"slip":      "it says lefft=1000000, which is none of begin=",
		"twice":     "it says left twice",
		"negative":  "it says fence=-3, which is below 0",
		"because":   "why=tired",
		"stranger":  "which it was not asked",
	} {
		t.Run(how, func(t *testing.T) {
			o := Options{Late: calm.Late, Adapter: []string{os.Args[0], "bad-adapter", how}}
			_, err := Run(context.Background(), find(t, "kleppmann/gc-pause"), 1, o)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("the error is %v, and should contain %q", err, want)
			}
		})
	}
}

func TestAnAdapterThatHangsIsNamed(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needServer(t)
	s := find(t, "baseline/single-instance")
	s.Horizon, s.Lock.TTL, s.Work.Cycles = 300*time.Millisecond, 100*time.Millisecond, 1
	o := Options{Late: calm.Late, Scale: 1000, Adapter: []string{os.Args[0], "bad-adapter", "hangs"}, grace: time.Millisecond}
	res, err := Run(context.Background(), s, 1, o)
	if err != nil {
		t.Fatal(err)
	}
	got, want := strings.Join(res.Live, "\n"), `Client c1 has not answered "1 acquire".`
	if res.Verdict != scenarios.Unknown || res.Attempts > 1 || !strings.Contains(got, want) { // it would hang again
		t.Errorf("%s after %d attempts, and it says %s", res.Verdict, res.Attempts, got)
	}
}

// A user who sees nothing for minutes needs to know why. So the driver reports a silent client during the run, and
// again when the user ends it.
func TestSilentClientIsReportedDuringRun(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needServer(t)
	for how, want := range map[string]string{
		"hangs": `Client c1 has not answered "1 acquire" for `,
		"once":  `Client c1 has not answered "2 acquire" for `,
		"c2":    `Client c2 has not answered "1 acquire" for `,
	} {
		t.Run(how, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var told []string
			o := Options{Attempts: 1, Late: calm.Late, Adapter: []string{os.Args[0], "bad-adapter", how}, grace: time.Millisecond}
			o.Tell = func(text string) {
				if told = append(told, text); strings.HasPrefix(text, want) {
					cancel()
				}
			}
			_, err := Run(ctx, find(t, "baseline/single-instance"), 1, o)
			if err == nil || !strings.Contains(told[0], "The run continues, up to its horizon of ") {
				t.Fatalf("%v, and it is told %q", err, told)
			}
			again := func(text string) bool { return strings.HasPrefix(text, want) && !strings.Contains(text, "goes on") }
			if !slices.ContainsFunc(told, again) {
				t.Errorf("at the end it is told %q", told)
			}
		})
	}
}

func TestUnreadyClientIsReportedWhenRunIsEnded(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needServer(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	dir := t.TempDir()
	s := find(t, "baseline/single-instance")
	go func() {
		for all, _ := os.ReadDir(dir); len(all) <= s.Clients && ctx.Err() == nil; all, _ = os.ReadDir(dir) {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(2 * s.Lock.Timeout) // at least
		cancel()
	}()
	var told []string
	o := Options{Adapter: []string{os.Args[0], "bad-adapter", dir}, Late: calm.Late, Tell: func(text string) { told = append(told, text) }}
	_, err := Run(ctx, s, 1, o)
	for i, name := range []string{"c1", "c2", "c3", "probe"} {
		if len(told) != 4 || !strings.HasPrefix(told[i], "Client "+name+` has not said "0 ready" for `) {
			t.Fatalf("%v, and it is told %q", err, told)
		}
	}
}

func TestARunThatItsCallerEndsLeavesNothing(t *testing.T) {
	needServer(t)
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(300*time.Millisecond, cancel)
	if _, err := Run(ctx, find(t, "kleppmann/gc-pause"), 1, Options{Scale: 1000, Late: calm.Late}); err == nil {
		t.Error("the run was not ended")
	}
	if left := directories(t, os.Getpid()); len(left) > 0 {
		t.Errorf("it left %s", left)
	}
}

// directories returns the directories of a process's runs.
func directories(t *testing.T, pid int) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(os.TempDir(), directoryPrefix+strconv.Itoa(pid)+"-*"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestADriverThatIsKilledLeavesNothing(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needServer(t)
	c := exec.Command(os.Args[0], "driver", "kleppmann/gc-pause")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	pid := c.Process.Pid
	var children []int
	eventually(t, "the run has no servers and clients", func() bool {
		children = realtest.Children(t, pid)
		return len(children) >= 5+3+1 // servers, clients with the probe, the watchdog
	})
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	eventually(t, "a process is left, or a file", func() bool {
		for _, p := range children {
			if realtest.Runs(p) {
				return false
			}
		}
		return len(directories(t, pid)) == 0
	})
}

// eventually waits until something is so, for so long that no machine is too slow.
func eventually(t *testing.T, otherwise string, is func() bool) {
	t.Helper()
	for since := time.Now(); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Since(since) > 30*time.Second {
			t.Fatal(otherwise)
		}
	}
}

func TestAServerThatDiesAtItsStartIsShownWithItsLog(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needServer(t)
	program := filepath.Join(t.TempDir(), "redis-server")
	script := "#!/bin/sh\nif [ \"$1\" = --version ]; then echo Redis server v=7.9.9; exit; fi\n" +
		"echo no room on the device >&2; exit 1\n"
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if program, err = filepath.Rel(here, program); err != nil { // which its server has to find from another directory
		t.Fatal(err)
	}
	_, err = Run(context.Background(), find(t, "kleppmann/gc-pause"), 1, onRedis(program))
	if err == nil || !strings.Contains(err.Error(), "no room on the device") {
		t.Errorf("the error is %v", err)
	}
}

// program writes a script that prints a version, or does what a test wants instead, and then runs a command.
func program(t *testing.T, version, then string) (name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "server")
	script := "#!/bin/sh\nif [ \"$1\" = --version ]; then " + version + "; exit; fi\n" + then + "\n"
	if err := os.WriteFile(name, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestAProgramThatIsNoServerIsNamedInSeconds(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needServer(t)
	const redis = "echo Redis server v=7.9.9"
	left := filepath.Join(t.TempDir(), "left") // the number of what a script has started
	for _, c := range []struct{ version, then, want string }{
		{redis, "exit 0", "ended at its start: exit status 0"},
		{"sleep 60 & echo $! > '" + left + "'; wait", "", "does not say its version within 5s"},
		{"echo no such library >&2; exit 127", "", "--version: exit status 127: no such library"},
		{"head -c 1000 /dev/urandom", "", "doesn't print its version as redis-server does"},
		{redis, "exec sleep 60", "does not answer within 10s"},
		{redis, "seq 100 >&2; echo 'write: no space left on device' >&2; seq 100 >&2; exit 1", "no space left on device\n…\n91"},
	} {
		began := time.Now()
		_, err := Run(context.Background(), find(t, "baseline/single-instance"), 1, onRedis(program(t, c.version, c.then)))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "%!") {
			t.Errorf("%s; %s: the error is %v, and should contain %q", c.version, c.then, err, c.want)
		}
		if took := time.Since(began); took > 3*StartWithin {
			t.Errorf("%s; %s: it took %s", c.version, c.then, took)
		}
	}
	text, _ := os.ReadFile(left)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "what hung goes on", func() bool { return !realtest.Runs(pid) })
}

func TestAServerIsCalledByItsName(t *testing.T) {
	for version, want := range map[string]string{
		"echo Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.2.1": "redis-server 7.0.15",
		"echo Valkey server v=8.0.1 sha=00000000:0 malloc=jemalloc-5.3.0": "valkey-server 8.0.1",
		"echo Server v=7.2.5 sha=00000000:0":                              "server 7.2.5",        // by its file: that is Valkey 7.2
		"sleep 1 & echo Redis server v=7.0.15":                            "redis-server 7.0.15", // as while another process is started
	} {
		if _, got, err := findRedis(program(t, version, "")); err != nil || got != want {
			t.Errorf("%s: it is %q, %v, and should be %q", version, got, err, want)
		}
	}
	dir := t.TempDir()
	if err := os.Symlink(program(t, "echo Valkey server v=8.0.1", ""), filepath.Join(dir, "valkey-server")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	if _, got, err := findRedis(""); err != nil || got != "valkey-server 8.0.1" {
		t.Errorf("without a redis-server there is %q, %v", got, err)
	}
}

func TestAnOldServerIsRefused(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needServer(t)
	program := filepath.Join(t.TempDir(), "redis-server")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho Redis server v=6.2.1 sha=0\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := Run(context.Background(), find(t, "kleppmann/gc-pause"), 1, onRedis(program))
	if err == nil || !strings.Contains(err.Error(), "PEXPIRETIME") {
		t.Errorf("the error is %v", err)
	}
}

// plainAdapter is a lock on one server that reports no marks, under a different key. If it lies, it reports a release
// without asking a server.
func plainAdapter(lies bool) {
	var c net.Conn
	var in *bufio.Reader
	ttl, token := "", 0
	ask := func(args ...string) any {
		if _, err := c.Write(encode(args...)); err != nil {
			return err
		}
		_, reply, err := readReply(in)
		if err != nil {
			return err
		}
		return reply
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		begin := Monotonic()
		l, _ := parseLine(lines.Text())
		said := "no"
		switch l.verb {
		case "start":
			ttl = l.value("ttl")
			c, _ = net.Dial("tcp", l.value("servers"))
			in = bufio.NewReader(c)
			fmt.Println("0 ready key=mine:lock")
			continue
		case "acquire":
			token++
			if ask("SET", "mine:lock", fmt.Sprint(os.Getpid(), "-", token), "NX", "PX", ttl) == "OK" {
				said = "yes"
			}
		case "release":
			if lies || ask("DEL", "mine:lock") == int64(1) {
				said = "yes"
			}
		}
		fmt.Printf("%d %s begin=%d end=%d token=%d-%d left=%s000000\n", l.id, said, begin, Monotonic(), os.Getpid(), token, ttl)
	}
}

// A library does not say when it passes a mark. The proxy holds what is on its way until the fault is in force.
func TestFaultHitsLibraryAtMark(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needServer(t)
	for _, mark := range []string{"asking", "answered"} {
		t.Run(mark, func(t *testing.T) {
			s := find(t, "kleppmann/gc-pause")
			s.ChangeKind(scenarios.Single)
			var err error
			if s.Faults, err = faults.Parse("when c1 " + mark + " pause c1 for 15s"); err != nil {
				t.Fatal(err)
			}
			res, err := Run(context.Background(), s, 1, Options{Attempts: 5, Late: calm.Late, Adapter: []string{os.Args[0], "bad-adapter", "plain"}})
			if err != nil {
				t.Fatal(err)
			}
			e := res.Evidence
			if len(e.Strikes) != 1 {
				t.Fatalf("the fault struck %d times: %s", len(e.Strikes), strings.Join(res.Live, "\n"))
			}
			try := e.Tries[slices.IndexFunc(e.Tries, func(y checker.Try) bool { return y.Client == 0 })]
			if strike := e.Strikes[0]; strike.From < try.From || try.To < strike.To {
				t.Errorf("the attempt took from %s to %s, and the pause from %s to %s", try.From, try.To, strike.From, strike.To)
			}
		})
	}
}

// Otherwise an adapter could make a leftover key an orphan, which is a broken promise.
func TestAdapterCannotFakeAcknowledgedRelease(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needServer(t)
	for how, want := range map[string]bool{"plain": true, "lies": false} {
		s := find(t, "baseline/single-instance")
		s.Horizon = 30 * time.Second
		res, err := Run(context.Background(), s, 1, Options{Attempts: 1, Late: calm.Late, Adapter: []string{os.Args[0], "bad-adapter", how}})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Evidence.Keys) == 0 {
			t.Errorf("%s: the key that the adapter named was not watched", how)
		}
		released := func(y checker.Try) bool { return y.Outcome == checker.Won && y.Clean }
		if got := slices.ContainsFunc(res.Evidence.Tries, released); got != want {
			t.Errorf("%s: a release was acknowledged: %v", how, got)
		}
	}
}
