package command

import (
	"os"
	"strings"
	"testing"
)

// What an exploration finds, run repeats.
func TestExplorationCounterexampleCanBeRun(t *testing.T) {
	t.Chdir(t.TempDir())
	out, errs, code := lockstorm("explore", "redlock/small", "--deviations", "0", "--property", "belief", "--property", "fenced", "-q")
	if code != 0 || !strings.Contains(out, "when c1 acquired pause c1 for 25ms") || !strings.Contains(out, "(fenced)  holds") {
		t.Fatalf("%d %s\n%s", code, errs, out)
	}
	if out, errs, code := lockstorm("run", "store/redlock/small/explored/belief.yaml", "--seed", "1"); code != 0 || !strings.Contains(out, "(belief)") {
		t.Errorf("%d %s\n%s", code, errs, out)
	}
	// With a weaker lock the same properties are known to break, and no others.
	flaw := []string{"explore", "redlock/small", "--deviations", "0", "--set", "lock.free=delete", "-q"}
	if out, errs, code := lockstorm(flaw...); code != 1 || !strings.Contains(out, "not as expected") {
		t.Errorf("%d %s\n%s", code, errs, out)
	}
}

func TestUnexplorableScenarioIsRejected(t *testing.T) {
	t.Chdir(t.TempDir())
	file := "my.yaml"
	grid := "network: {latency: 1ms..1ms, tick: 1ms}\nlock: {ttl: 20ms, timeout: 5ms, drift_factor: 0, drift_constant: 1ms, retry: {min: 4ms, max: 4ms}}\n" +
		"work: {work: 2ms..2ms, think: 0s..0s, storage_timeout: 10ms}\n"
	for _, c := range []struct{ text, says string }{
		{"", "network.tick: an exploration needs a grid"},
		{grid, "explore: nothing may change"},
		{grid + "explore: {lost: true}\n", "there is only one schedule within these limits"},
		{grid + "explore: {lost: true, deviations: 1}\nclients: 1\nsometimes: [acquired-by-two]\n", "acquired-by-two never happens in the run without changes"},
		{grid + "explore: {late: [1500us]}\n", "my.yaml:5:18: explore.late.1: 1.5ms is not on the grid of 1ms; give 1ms or 2ms"},
		{grid + "explore: {late: [soon]}\n", `my.yaml:5:18: explore.late.1: "soon" is not a delay`},
		{grid + "explore: {breaks: [belif]}\n", `my.yaml:5:20: explore.breaks.1: there is no promise "belif"`},
		{grid + "explore: {latte: [1ms]}\n", "my.yaml:5:11: there is no \"latte\" in explore"},
		{grid + "explore: {faults: [pause n9 for 1s]}\n", "my.yaml:5:20"},
		{grid + "explore: {faults: [cut c1>n1 for 1s]}\n", "hits links"},
		{grid + "explore: {lost: true}\nschedule: at 1s pause c1\nsometimes: [fault-struck, acquired]\n", "schedule: an exploration starts without faults"},
		{strings.Replace(grid, "timeout: 5ms", "timeout: 5500us", 1) + "explore: {lost: true}\n", "lock.timeout: 5.5ms is not on the grid"},
		{strings.Replace(grid, "latency: 1ms..1ms", "latency: 1ms..2ms", 1), "network.latency"},
	} {
		if err := os.WriteFile(file, []byte("title: t\n"+c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, errs, code := lockstorm("explore", file, "-q"); code != 254 || !strings.Contains(errs, c.says) {
			t.Errorf("%s%d %s\nwant %s", c.text, code, errs, c.says)
		}
	}
}

// An exploration without an end needs a budget.
func TestEndlessExplorationNeedsABudget(t *testing.T) {
	t.Chdir(t.TempDir())
	if _, errs, code := lockstorm("explore", "redlock/small", "--deviations", "6", "-q"); code != 254 || !strings.Contains(errs, "--budget") {
		t.Errorf("%d %s", code, errs)
	}
	if out, errs, code := lockstorm("explore", "redlock/small", "--deviations", "6", "--property", "fenced", "--budget", "500", "-q"); code != 2 ||
		!strings.Contains(out, "(fenced)  unknown") || !strings.Contains(out, "It reached its budget after every schedule with at most 1 change.") {
		t.Errorf("%d %s\n%s", code, errs, out)
	}
}

// Whatever a lock does, no run of one client shows that it excludes any other; so every command that counts such runs
// says it.
func TestOneClientProvesNoExclusion(t *testing.T) {
	t.Chdir(t.TempDir())
	const rest = "network: {latency: 1ms..1ms, tick: 1ms}\n" +
		"lock: {ttl: 20ms, timeout: 5ms, drift_factor: 0, drift_constant: 1ms, retry: {min: 4ms, max: 4ms}}\n" +
		"work: {cycles: 1, work: 2ms..2ms, think: 0s..0s, storage_timeout: 10ms}\nexplore: {late: [6ms], deviations: 1}\n"
	write(t, "one.yaml", "title: Alone.\nclients: 1\n"+rest)
	write(t, "two.yaml", "title: Not alone.\nclients: 2\n"+rest)
	for _, args := range [][]string{
		{"run", "--runs", "2", "--no-store"}, {"test", "--runs", "2"}, {"fuzz", "--runs", "2", "--faults", "pause"}, {"explore", "-q"},
		{"sweep", "--axis", "nodes=3,5", "--runs", "2", "-q"},
	} {
		for file, alone := range map[string]bool{"one.yaml": true, "two.yaml": false} {
			out, errs, code := lockstorm(append(args, file)...)
			says := strings.Contains(strings.Join(strings.Fields(out), " "), "one client, so the runs show nothing of belief and validity")
			if says != alone || alone && code != 0 {
				t.Errorf("%q of %s: exit %d\n%s%s", args, file, code, out, errs)
			}
		}
	}
}
