package explore_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim"
)

const (
	tracesFolder = modelsFolder + "/traces"
	tracesSaid   = tracesFolder + "/tlc.txt"
	runsTraced   = 100
	changedOnes  = 10
)

var traceFiles = []string{modelsFolder + "/Lease.tla", tracesFolder + "/TraceLease.tla", tracesFolder + "/TraceLease.cfg"}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A step is a line of a trace: a step of Lease.tla, and when it happened.
type step struct {
	at      clock.Instant
	name    string
	client  int16
	kind    string        // take or free
	token   clock.Instant // when the attempt began
	won     bool          // serve: the key was granted
	answers int           // 1 for an answer to take, 2 to free, that the client or the network handles in this step
}

// drawn returns a run of one server and two clients: with latencies and losses at random, and in each third run a pause, in
// each third a step of the server's clock.
func drawn(t *testing.T, seed int) *scenarios.Result {
	t.Helper()
	s, _ := scenarios.Find("redlock/small")
	for _, a := range []string{
		"lock.kind=single", "nodes=1", "network.tick=0s", "network.latency=100µs..4ms", "network.loss=0.1", "work.work=1ms..14ms", "work.stagger=3ms",
		"lock.retry.min=4ms", "lock.retry.max=9ms",
	} {
		if err := s.Set(a); err != nil {
			t.Fatal(err)
		}
	}
	s.Explore = scenarios.Explore{}
	at := 1 + seed%29
	var line string
	switch seed % 3 {
	case 1:
		line = fmt.Sprintf("at %dms for 25ms pause c%d", at, 1+seed%2)
	case 2:
		line = fmt.Sprintf("at %dms jump n1 +25ms", at)
	}
	var err error
	if s.Faults, err = faults.Parse(line); err != nil {
		t.Fatal(err)
	}
	return scenarios.Run(s, uint64(seed))
}

// steps returns the steps of Lease.tla that a run took.
func steps(r *scenarios.Result) (all []step) {
	const server, clients = 0, 2                                     // hosts: the server, storage, and two clients
	kinds, tokens := map[uint32]string{}, map[uint32]clock.Instant{} // by call; looked up only
	var asked [2]clock.Instant
	var asking, heard [2]bool // by client: whether it is asking, and whether the answer came in time
	for _, e := range r.Trace {
		s := step{at: e.At, client: e.Host - clients, kind: kinds[e.Call], token: tokens[e.Call]}
		if e.Host == server {
			s.client = e.Peer - clients
		}
		known, c := s.kind != "", s.client
		answer := map[string]int{"take": 1, "free": 2}[s.kind]
		switch {
		case e.Kind == sim.Stepped && e.Host == server && e.Body.(time.Duration) > 0: // it is set back when the run has ended
			s.name, s.client = "jump", 0
		case c < 0 || c > 1: // of storage, or of the probe
			continue
		case e.Kind == sim.Paused:
			s.name = "pause"
		case e.Kind == sim.Marked && e.Body == "asking":
			s.name, asked[c], asking[c], heard[c] = "ask", e.At, true, false
		case e.Kind == sim.Marked && e.Body == "acquired":
			s.name, s.answers, s.token, asking[c] = "hold", 1, asked[c], false
		case e.Kind == sim.Marked && e.Body == "before-release":
			s.name = "free"
		case e.Kind == sim.Sent && e.Peer == server:
			command := e.Body.([]string)[0]
			kinds[e.Call], tokens[e.Call] = map[bool]string{true: "take", false: "free"}[command == "SET"], asked[c]
			if command == "SET" || !asking[c] {
				continue
			}
			s.name, s.token, asking[c] = "clean", asked[c], false
			if heard[c] {
				s.answers = 1
			}
		case e.Kind == sim.Served && known:
			s.name, s.won = "serve", e.Body == "OK"
		case e.Kind == sim.Lost && known:
			s.name = "lost"
			if e.Host == server {
				s.answers = answer
			}
		case e.Kind == sim.Late && known:
			s.name, s.answers = "late", answer
		case e.Kind == sim.Received && s.kind == "take":
			heard[c] = true
			continue
		case e.Kind == sim.Received && s.kind == "free":
			s.name, s.answers = "freed", 2
		case e.Kind == sim.TimedOut && s.kind == "free":
			s.name = "freed"
		default:
			continue
		}
		all = append(all, s)
	}
	return all
}

// change changes one step: the server's answer to a request for the key, or what a client makes of its answer.
func change(all []step, n int) []step {
	all = append([]step(nil), all...)
	for i := range all {
		switch s := &all[i]; {
		case n%2 == 0 && s.name == "serve" && s.kind == "take":
			s.won = !s.won
			return all
		case n%2 == 1 && s.name == "hold":
			s.name = "clean"
			return all
		}
	}
	panic(fmt.Sprint("nothing to change in ", all))
}

// module returns a TLA+ module with the steps of some runs.
func module(runs [][]step) string {
	var b strings.Builder
	b.WriteString("---- MODULE Traces ----\nSteps == <<\n")
	for i, run := range runs {
		b.WriteString(strings.Repeat(",", min(i, 1)) + "<<\n")
		for j, s := range run {
			fmt.Fprintf(&b, "%s[time |-> %d, step |-> %q, client |-> %d, kind |-> %q, token |-> %d, won |-> %s, answer |-> %d]\n",
				strings.Repeat(",", min(j, 1)), s.at/1000, s.name, s.client+1, s.kind, s.token/1000, strings.ToUpper(fmt.Sprint(s.won)), s.answers)
		}
		b.WriteString(">>")
	}
	b.WriteString(">>\n====\n")
	return b.String()
}

// traced returns the module of a hundred runs and of ten of them with one step changed.
func traced(t *testing.T) (text string, runs int) {
	t.Helper()
	var all [][]step
	for seed := 1; seed <= runsTraced; seed++ {
		all = append(all, steps(drawn(t, seed)))
	}
	for i := range changedOnes {
		all = append(all, change(all[i], i))
	}
	return module(all), len(all)
}

var (
	accepted = regexp.MustCompile(`(?m)^<<"accepted", (\d+)>>$`)
	counted  = regexp.MustCompile(`(?m)^.*distinct states found, 0 states left.*$`)
)

// TLC, where there is one, accepts each run, and no run with one step changed.
func TestTLCAcceptsRunsAndNoChangedOnes(t *testing.T) {
	classes := classPath(t)
	text, n := traced(t)
	dir := t.TempDir()
	files := map[string][]byte{"Traces.tla": []byte(text)}
	for _, f := range traceFiles {
		files[filepath.Base(f)] = readFile(t, f)
	}
	for name, text := range files { // order: they are independent
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("java", "-XX:+UseSerialGC", "-cp", classes, "tlc2.TLC", "-workers", "1", "-metadir", dir, "-noGenerateSpecTE",
		filepath.Join(dir, "TraceLease.tla")).CombinedOutput()
	if !counted.Match(out) {
		t.Fatalf("%v\n%.5000s", err, out)
	}
	is := map[string]bool{}
	for _, m := range accepted.FindAllStringSubmatch(string(out), -1) {
		is[m[1]] = true
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nspecification and traces: sha256 %s\n", version.Find(out), traceHash(t, text))
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "run %d, accepted: %t\n", i, is[fmt.Sprint(i)])
		if is[fmt.Sprint(i)] != (i <= runsTraced) {
			t.Errorf("run %d of %d, the last %d of which have one step changed: accepted is %t", i, n, changedOnes, is[fmt.Sprint(i)])
		}
	}
	fmt.Fprintf(&b, "%s\n", counted.Find(out))
	if *update && !t.Failed() {
		if err := os.WriteFile(tracesSaid, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// traceHash returns the hash of the specification and of the traces.
func traceHash(t *testing.T, traces string) string {
	t.Helper()
	h := sha256.New()
	for _, f := range traceFiles {
		h.Write(readFile(t, f))
	}
	h.Write([]byte(traces))
	return hex.EncodeToString(h.Sum(nil))
}

// What TLC said is about these traces: runs that change must be checked again.
func TestTracesAreTheOnesThatTLCAccepted(t *testing.T) {
	said, err := os.ReadFile(tracesSaid)
	if err != nil {
		t.Fatal(err)
	}
	text, n := traced(t)
	if !strings.Contains(string(said), "sha256 "+traceHash(t, text)+"\n") {
		t.Errorf("%s is about other traces: run TestTLCAcceptsRunsAndNoChangedOnes with -update", tracesSaid)
	}
	if yes, no := strings.Count(string(said), "accepted: true"), strings.Count(string(said), "accepted: false"); yes != runsTraced || no != n-runsTraced {
		t.Errorf("%s: %d runs were accepted, and %d were not", tracesSaid, yes, no)
	}
}
