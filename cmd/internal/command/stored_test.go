package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
)

const mine = `title: The holder is cut off for twelve seconds.
clients: 2
work: {cycles: 1}
lock: {retry: {min: 1s, max: 2s}}
schedule: |
  when c1 acquired partition holder | nodes for 12s
sometimes: [fault-struck, acquired-by-two]
`

// The store has the scenario as it was run, so later changes to the file do not matter.
func TestStoredFileRunIsReplayedWithoutTheFile(t *testing.T) {
	for name, become := range map[string]func(t *testing.T, file string){
		"nothing becomes of it": func(*testing.T, string) {},
		"it is deleted": func(t *testing.T, file string) {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		},
		"it is edited": func(t *testing.T, file string) { write(t, file, strings.Replace(mine, "12s", "3s", 1)) },
		"it is broken": func(t *testing.T, file string) { write(t, file, "nonsense") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			write(t, "my.yaml", mine)
			report := mustRun(t, 0, "run", "my.yaml", "--seed", "7", "--set", "network.latency=0s", "--set", "clients=3")
			become(t, "my.yaml")
			home := kept(t, filepath.Join("store", "my"))
			before := contents(t, home)
			same := fmt.Sprintf("Replayed: all %d files that the run leaves in %s are the same, byte for byte; build.txt is not compared, "+
				"for it names the build that stored them.", len(before)-1, home)
			again := mustRun(t, 0, "replay", home)
			if after, found := strings.CutPrefix(again, report); !found || !strings.HasPrefix(strings.Join(strings.Fields(after), " "), same) {
				t.Errorf("replay prints\n%sand the run printed\n%s", again, report)
			}
			if again := mustRun(t, 0, "replay", filepath.Join("store", "latest"), "--format", "json"); again != before["result.json"] {
				t.Errorf("replay prints\n%s", again)
			}
			var run runJSON
			if err := json.Unmarshal([]byte(before["result.json"]), &run); err != nil || run.Source != "my.yaml" || run.Scenario != "my" {
				t.Errorf("it says that it came from %q: %v", run.Source, err)
			}
		})
	}
}

// contents returns the files of a directory.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range entries(t, dir) {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(text)
	}
	return all
}

// The stored scenario is a file like any other: run unchanged, it repeats the run.
func TestStoredScenarioCanBeRunAsAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	mustRun(t, 0, "run", "kleppmann/clock-jump", "--seed", "2", "--set", "work.stagger=9ms")
	stored := contents(t, filepath.Join("store", "latest"))
	mustRun(t, 0, "validate", filepath.Join("store", "latest", "scenario.yaml"))
	mustRun(t, 0, "run", filepath.Join("store", "latest", "scenario.yaml"), "--seed", "2")
	again := contents(t, filepath.Join("store", "scenario", "2"))
	for _, name := range []string{"scenario.yaml", "history.jsonl", "trace.jsonl", "schedule.txt"} {
		if again[name] != stored[name] || again[name] == "" {
			t.Errorf("%s is another one", name)
		}
	}
}

// A file may have any name. Its results stay in the store, and replace nothing there.
func TestFileNamesCanNotLeaveTheStore(t *testing.T) {
	for name, home := range map[string]string{
		"...yaml":        "_..",
		"..yaml":         "_.",
		".yaml":          "_",
		"....yaml":       "_...",
		"latest.yaml":    "_latest",
		".hidden.yaml":   "_.hidden",
		"-rf.yaml":       "-rf",
		"a b;c$(d).yaml": "a b;c$(d)",
		`..\..\up.yaml`:  "up",
		"kleppmann.yaml": "kleppmann",
		"überfall.yml":   "überfall",
	} {
		t.Run(name, func(t *testing.T) {
			outer := t.TempDir()
			dir := filepath.Join(outer, "work")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			t.Chdir(dir)
			write(t, name, mine)
			mustRun(t, 0, "run", "kleppmann/gc-pause") // latest points at something
			before := contents(t, filepath.Join("store", "kleppmann", "gc-pause", "1"))
			mustRun(t, 0, "run", "--", name)
			if _, err := os.Stat(filepath.Join("store", home, "1", "result.json")); err != nil {
				t.Errorf("it is not where it should be: %v; the store holds %q", err, entries(t, "store"))
			}
			mustRun(t, 0, "replay", filepath.Join("store", "latest"))
			mustRun(t, 0, "replay", filepath.Join("store", "kleppmann", "gc-pause", "1"))
			if got := contents(t, filepath.Join("store", "kleppmann", "gc-pause", "1")); len(got) != len(before) {
				t.Errorf("the result of another scenario holds %d files, and did %d", len(got), len(before))
			}
			if found := append(entries(t, outer), entries(t, dir)...); len(found) != 3 {
				t.Errorf("outside of the store lies %q", found)
			}
		})
	}
}

func TestBoundsAreReportedByRunReplayAndJSON(t *testing.T) {
	t.Chdir(t.TempDir())
	text := mustRun(t, 0, "run", "antirez/delayed-restart-short", "--verbose")
	if !strings.Contains(text, "  quorum    fault.3.for  9.898s    9.892994s  9.892993s  24\n") {
		t.Errorf("it does not tell the bound:\n%s", text)
	}
	var run runJSON
	if err := json.Unmarshal([]byte(mustRun(t, 0, "run", "leases/slow-client", "--format", "json", "--set", "work.stagger=9s")), &run); err != nil {
		t.Fatal(err)
	}
	if again := mustRun(t, 0, "replay", "store/latest", "--verbose"); !strings.Contains(again, "  quorum    clocks.c1  -10200ppm  -10298ppm  -10299ppm") {
		t.Errorf("replay tells\n%s", again)
	}
	if len(run.Bounds) != 1 || run.Bounds[0].Computed != "-10200ppm" || run.Bounds[0].HoldsAt != "-10298ppm" || len(run.Figures) < 16 {
		t.Errorf("%+v", run)
	}
}

// A run has the bounds of the changed scenario. If no bound is left, the run says so, and continues.
func TestBoundsBelongToTheChangedScenario(t *testing.T) {
	text := mustRun(t, 0, "run", "antirez/rate-drift", "--set", "work.stagger=9s", "--no-store", "--verbose", "--set", "lock.drift_factor=0.02")
	if !strings.Contains(text, "+20616.452ppm") || !strings.Contains(text, "allowance for drift, 202ms") {
		t.Errorf("it tells another bound:\n%s", text)
	}
	text = mustRun(t, 0, "run", "antirez/rate-drift", "--set", "work.stagger=9s", "--no-store", "--verbose", "--set", "lock.drift_factor=0.06")
	if !strings.Contains(text, "No bound lies between 0ppm and 50000ppm: quorum holds at both ends.") {
		t.Errorf("it does not say that there is none:\n%s", text)
	}
	if text = mustRun(t, 0, "run", "antirez/rate-drift", "--set", "work.stagger=9s", "--no-store", "--runs", "3"); strings.Contains(text, "bounds") {
		t.Errorf("many runs have bounds:\n%s", text)
	}
	t.Chdir(t.TempDir()) // kept runs of a campaign state their bounds as single runs do
	mustRun(t, 1, "run", "antirez/rate-drift", "--set", "work.stagger=9s", "--runs", "2", "--set", "lock.drift_factor=0")
	mustRun(t, 1, "replay", filepath.Join("store", "latest"))
}

// A changed run is kept next to the original, so that the two can be compared; so are two files of one name.
func TestResultsOfDifferentScenariosAreKeptApart(t *testing.T) {
	t.Chdir(t.TempDir())
	home := filepath.Join("store", "kleppmann", "gc-pause")
	mustRun(t, 0, "run", "kleppmann/gc-pause", "--seed", "7")
	before := contents(t, filepath.Join(home, "7"))
	lockstorm("run", "kleppmann/gc-pause", "--seed", "7", "--set", "lock.ttl=20s")
	lockstorm("run", "kleppmann/gc-pause", "--seed", "7", "--set", "lock.ttl=30s")
	lockstorm("run", "kleppmann/gc-pause", "--seed", "7", "--set", "lock.ttl=30s")
	found := entries(t, home)
	if len(found) != 3 || found[0] != "7" || !strings.HasPrefix(found[1], "7-") || len(found[1]) != len("7-1a2b3c4d") {
		t.Fatalf("the store has %q", found)
	}
	if after := contents(t, filepath.Join(home, "7")); after["result.json"] != before["result.json"] {
		t.Error("the original was replaced")
	}
	for _, name := range found {
		if _, errs, code := lockstorm("replay", filepath.Join(home, name)); code > 1 {
			t.Errorf("%s: %s", name, errs)
		}
	}
	if latest := contents(t, filepath.Join("store", "latest"))["result.json"]; !strings.Contains(latest, "lock.ttl=30s") {
		t.Error("latest is not the last one")
	}
	for i, text := range []string{mine, mine + "horizon: 50s\n", mine + "horizon: 50s\n"} {
		dir := fmt.Sprint("dir", i)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "my.yaml"), text)
		mustRun(t, 0, "run", filepath.Join(dir, "my.yaml"))
	}
	if found := entries(t, filepath.Join("store", "my")); len(found) != 2 {
		t.Errorf("of two files of one name the store has %q", found)
	}
}

// One scenario and one seed are one run, whether fuzz makes it or run does.
func TestRunUsesTheSameUniverseAsFuzz(t *testing.T) {
	t.Chdir(t.TempDir())
	broke, _, _ := lockstorm("fuzz", "redlock/any", "--seed", "16", "--runs", "1", "--format", "json")
	if !strings.Contains(broke, `"quorum"`) {
		t.Fatalf("fuzz finds\n%s", broke)
	}
	if out := mustRun(t, cli.NotAsExpected, "run", "redlock/any", "--seed", "16", "-q"); !strings.Contains(out, "a valid lock lost its majority") {
		t.Errorf("run finds %s", out)
	}
	if out := mustRun(t, cli.NotAsExpected, "run", "redlock/any", "--seed", "15", "--runs", "3", "-q"); !strings.Contains(out, " not, 0 unknown") || strings.Contains(out, "3 as expected") {
		t.Errorf("three runs find %s", out)
	}
	mustRun(t, cli.NotAsExpected, "replay", filepath.Join("store", "redlock", "any", "16"))
	calm := mustRun(t, 0, "run", "redlock/any", "--seed", "16", "--no-search", "-q")
	if !strings.Contains(calm, "nine promises hold. No fault hit. Not tested") {
		t.Errorf("a run without a fault says %s", calm)
	}
	mustRun(t, 0, "replay", filepath.Join("store", "latest"))
}
