package explore_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

const (
	tracesFolder = modelsFolder + "/traces"
	tracesSaid   = tracesFolder + "/tlc.txt"
	runsTraced   = 100
	changedOnes  = 10
)

// tracedSpecs are the specifications, with the settings of a run of each.
var tracedSpecs = []struct {
	name string
	set  []string
}{
	{"Lease", []string{"lock.kind=single", "nodes=1", "fencing.source=none"}},
	{"Redlock", []string{"network.latency=100µs..3ms"}},
	{"Fencing", []string{"lock.kind=single", "nodes=1"}},
}

// traceFiles are what TLC reads, without the traces.
func traceFiles(t *testing.T, spec string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range []string{
		modelsFolder + "/Lease.tla", modelsFolder + "/" + spec + ".tla", tracesFolder + "/TraceSteps.tla", tracesFolder + "/TraceLease.tla",
		tracesFolder + "/Trace" + spec + ".tla", tracesFolder + "/Trace" + spec + ".cfg",
	} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(name)] = string(text)
	}
	return all
}

// drawn returns what run --format tla prints of a run of two clients: with latencies and losses at random, and in each
// fourth run a pause, a step of a node's clock, or a restart of a node.
func drawn(t *testing.T, seed int, set []string) string {
	t.Helper()
	s, _ := scenarios.Find("redlock/small")
	for _, a := range append([]string{
		"network.tick=0s", "network.latency=100µs..4ms", "network.loss=0.1", "work.work=1ms..14ms", "work.stagger=3ms",
		"lock.retry.min=4ms", "lock.retry.max=9ms",
	}, set...) {
		if err := s.Set(a); err != nil {
			t.Fatal(err)
		}
	}
	s.Explore = scenarios.Explore{}
	at := 1 + seed%29
	line := [...]string{
		"",
		fmt.Sprintf("at %dms for 25ms pause c%d", at, 1+seed/4%2),
		fmt.Sprintf("at %dms jump n1 +25ms", at),
		fmt.Sprintf("at %dms for 7ms restart n1", at),
	}[seed%4]
	var err error
	if s.Faults, err = faults.Parse(line); err != nil {
		t.Fatal(err)
	}
	text, err := runs.TLA(scenarios.Run(s, uint64(seed)))
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	return text
}

// change changes one step of a trace: a server's answer to a request for the key, what a client makes of its answers,
// or whether storage took a write.
func change(t *testing.T, trace string, n int) string {
	t.Helper()
	flip := strings.NewReplacer("won |-> TRUE", "won |-> FALSE", "won |-> FALSE", "won |-> TRUE")
	lines := strings.SplitAfter(trace, "\n")
	for i, line := range lines {
		is := func(step, kind string) bool {
			return strings.Contains(line, fmt.Sprintf("step |-> %q", step)) && strings.Contains(line, fmt.Sprintf("kind |-> %q", kind))
		}
		switch {
		case n%3 == 0 && is("serve", "take"), n%3 == 2 && is("serve", "write"):
			lines[i] = flip.Replace(line)
		case n%3 == 1 && is("hold", "take"):
			lines[i] = strings.Replace(line, `"hold"`, `"clean"`, 1)
		default:
			continue
		}
		return strings.Join(lines, "")
	}
	return change(t, trace, n-1) // no write was stored
}

// traced returns the module of a hundred runs, and of ten of them with one step changed.
func traced(t *testing.T, fenced bool, set []string) (text string, runs int) {
	t.Helper()
	var head string
	var all []string
	for seed := 1; seed <= runsTraced; seed++ {
		before, steps, _ := strings.Cut(drawn(t, seed, set), "Steps == <<")
		head = before
		all = append(all, strings.TrimSuffix(steps, ">>\n====\n"))
	}
	kinds := 2 // without fencing, storage is no part of the specification
	if fenced {
		kinds = 3
	}
	for i := range changedOnes {
		all = append(all, change(t, all[i], i%kinds))
	}
	return head + "Steps == <<\n" + strings.Join(all, ",") + ">>\n====\n", len(all)
}

var (
	said    = regexp.MustCompile(`(?m)^<<"run", (\d+), "(accepted|refused at step)".*$`)
	counted = regexp.MustCompile(`(?m)^.*distinct states found, 0 states left.*$`)
)

// TLC, where there is one, accepts each run, and no run with one step changed.
func TestTLCAcceptsRunsAndNoChangedOnes(t *testing.T) {
	classes := classPath(t)
	var b strings.Builder
	for _, spec := range tracedSpecs {
		text, n := traced(t, spec.name == "Fencing", spec.set)
		dir := t.TempDir()
		files := traceFiles(t, spec.name)
		files["Traces.tla"] = text
		for name, text := range files { // order: they are independent
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out, err := exec.Command("java", "-XX:+UseSerialGC", "-cp", classes, "tlc2.TLC", "-workers", "1", "-metadir", dir, "-noGenerateSpecTE",
			filepath.Join(dir, "Trace"+spec.name+".tla")).CombinedOutput()
		if !counted.Match(out) {
			t.Fatalf("%v\n%.5000s", err, out)
		}
		if b.Len() == 0 {
			fmt.Fprintf(&b, "%s\n", version.Find(out))
		}
		fmt.Fprintf(&b, "\n== %s, specification and traces: sha256 %s\n", spec.name, traceHash(t, spec.name, text))
		is := map[string]string{}
		for _, m := range said.FindAllStringSubmatch(string(out), -1) {
			is[m[1]] = m[2]
			fmt.Fprintln(&b, m[0])
		}
		fmt.Fprintf(&b, "%s\n", counted.Find(out))
		for i := 1; i <= n; i++ {
			if got := is[fmt.Sprint(i)]; (got == "accepted") != (i <= runsTraced) {
				t.Errorf("%s: run %d of %d, the last %d of which have one step changed: %q", spec.name, i, n, changedOnes, got)
			}
		}
	}
	if t.Failed() {
		t.Log(b.String())
	} else if *update {
		if err := os.WriteFile(tracesSaid, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// traceHash returns the hash of a specification and of its traces.
func traceHash(t *testing.T, spec, traces string) string {
	t.Helper()
	h := sha256.New()
	files := traceFiles(t, spec)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h.Write([]byte(files[name]))
	}
	h.Write([]byte(traces))
	return hex.EncodeToString(h.Sum(nil))
}

// What TLC said is about these traces: runs that change must be checked again.
func TestTracesAreTheOnesThatTLCAccepted(t *testing.T) {
	all, err := os.ReadFile(tracesSaid)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range tracedSpecs {
		text, n := traced(t, spec.name == "Fencing", spec.set)
		_, after, found := strings.Cut(string(all), "sha256 "+traceHash(t, spec.name, text)+"\n")
		if !found {
			t.Errorf("%s is about other traces of %s: run TestTLCAcceptsRunsAndNoChangedOnes with -update", tracesSaid, spec.name)
		}
		after, _, _ = strings.Cut(after, "\n== ")
		if yes, no := strings.Count(after, `"accepted"`), strings.Count(after, `"refused at step"`); yes != runsTraced || no != n-runsTraced {
			t.Errorf("%s, %s: %d runs were accepted, and %d were not", tracesSaid, spec.name, yes, no)
		}
	}
}
