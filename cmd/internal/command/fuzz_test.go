package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

func TestFuzzReportsWhatBrokeAndHowToRepeatIt(t *testing.T) {
	t.Chdir(t.TempDir())
	out := mustRun(t, cli.NotAsExpected, "fuzz", "redlock/any", "--faults", "restart", "--runs", "60", "--property", "validity,quorum")
	for _, want := range []string{
		"redlock/any, 60 runs from seed 1\n", "Faults of restart hit within the first 6s.\n", "  validity  ", " of 60: between ", "<< not as expected",
		"The lock was valid for two clients at the same time in ", "Repeat it: lockstorm fuzz redlock/any --runs 60 --faults restart --property validity --property quorum\n",
		"FAIL: redlock/any, 60 runs from seed 1: the lock was valid for two clients at the same time and a valid lock lost its majority, in 2 ways.\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "belief") {
		t.Errorf("it tells of a property that was not asked for:\n%s", out)
	}
	commands := regexp.MustCompile(`See it: lockstorm (run \S+\.yaml --seed \d+)\n`).FindAllStringSubmatch(out, -1)
	if len(commands) != 2 {
		t.Fatalf("%d commands:\n%s", len(commands), out)
	}
	for _, c := range commands {
		mustRun(t, cli.AsExpected, append(strings.Fields(c[1]), "--no-store")...)
	}
}

func TestFuzzPassesWithoutUnexpectedViolations(t *testing.T) {
	t.Chdir(t.TempDir())
	out := mustRun(t, cli.AsExpected, "fuzz", "redlock/any", "--faults", "loss,crash", "--runs", "50")
	if !strings.Contains(out, "validity        0 of 50: below 7.1% at 95% confidence\n") || !strings.Contains(out, "PASS: redlock/any, 50 runs from seed 1: no promise broke.") {
		t.Error(out)
	}
	out = mustRun(t, cli.AsExpected, "fuzz", "kleppmann/gc-pause", "--faults", "none", "--runs", "5", "-q")
	if want := "PASS: kleppmann/gc-pause, 5 runs from seed 1: two clients acted as holder at the same time and an update was lost, in 2 ways.\n"; out != want {
		t.Errorf("%s\nwant %s", out, want)
	}
}

// Any scenario can be searched: the report says which faults are possible there.
func TestScenarioWithoutASearchGetsOne(t *testing.T) {
	out, errs, code := lockstorm("fuzz", "baseline/single-instance", "--runs", "20", "--store", t.TempDir())
	said := strings.Join(strings.Fields(out), " ")
	if code > 2 || !strings.Contains(said, "has no search block, so faults of class delay (slow, slow-node, hold), class loss (") || !strings.Contains(said, " hit within the first 30s.") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

// The document has these fields, no more and no less.
func TestSearchJSONHasExactlyTheseFields(t *testing.T) {
	need.Long(t)
	t.Chdir(t.TempDir())
	out := mustRun(t, cli.NotAsExpected, "fuzz", "redlock/any", "--faults", "restart", "--runs", "40", "--format", "json", "--workers", "1")
	d := json.NewDecoder(strings.NewReader(out))
	d.DisallowUnknownFields()
	var doc struct {
		SchemaVersion int    `json:"schema_version"`
		Scenario      string `json:"scenario"`
		Runs          int    `json:"runs"`
		Properties    []struct {
			Name      string  `json:"name"`
			Violated  int     `json:"violated"`
			Low, High float64 `json:""`
		} `json:"properties"`
		Signatures []struct {
			Property  string   `json:"property"`
			Kinds     []string `json:"kinds"`
			Runs      int      `json:"runs"`
			FirstSeed uint64   `json:"first_seed"`
			Schedule  []string `json:"schedule"`
			File      string   `json:"file"`
		} `json:"signatures"`
	}
	if err := d.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	if doc.SchemaVersion != 1 || doc.Scenario != "redlock/any" || doc.Runs != 40 || len(doc.Properties) != 10 || len(doc.Signatures) < 2 {
		t.Errorf("%+v", doc)
	}
	for _, p := range doc.Properties {
		if share := float64(p.Violated) / 40; p.Low > share || p.High < share || p.High == 0 {
			t.Errorf("%+v", p)
		}
	}
	for _, g := range doc.Signatures {
		if len(g.Schedule) == 0 || g.Kinds[0] != "restart" || g.FirstSeed == 0 || g.Runs == 0 {
			t.Errorf("%+v", g)
		}
		if _, err := os.Stat(g.File); err != nil {
			t.Error(err)
		}
	}
	if again := mustRun(t, cli.NotAsExpected, "fuzz", "redlock/any", "--faults", "restart", "--runs", "40", "--format", "json", "--workers", "3"); again != out {
		t.Errorf("with three workers it is another:\n%s\nthan with one:\n%s", again, out)
	}
}

// A search that ends early says how far it came, so that it can be repeated.
func TestInterruptedSearchCanBeRepeated(t *testing.T) {
	need.Long(t)
	for _, args := range [][]string{{"--stop-after", "1"}, {"--for", "1ms"}} {
		t.Chdir(t.TempDir())
		search := append([]string{"fuzz", "redlock/any", "--faults", "restart"}, args...)
		out := mustRun(t, cli.NotAsExpected, search...)
		command := regexp.MustCompile(`Repeat it: lockstorm (fuzz redlock/any --runs (\d+) --faults restart)\n`).FindStringSubmatch(out)
		if command == nil {
			t.Fatalf("no command:\n%s", out)
		}
		if runs, _ := strconv.Atoi(command[2]); runs < 1 || runs > 2000 {
			t.Errorf("%s: %d runs", args, runs)
		}
		if again := mustRun(t, cli.NotAsExpected, strings.Fields(command[1])...); again != out {
			t.Errorf("%s: again it is\n%s\nand was\n%s", args, again, out)
		}
	}
}

func TestFuzzAndShrinkRejectBadInput(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "broken.yaml", "title: x\nclients: many\n")
	write(t, "quiet.yaml", "title: x\nsource: x\n")
	for _, c := range []struct{ args, says string }{
		{"fuzz", "takes one SCENARIO"},
		{"fuzz redlock/any redlock/any", "takes one SCENARIO"},
		{"fuzz redlock/ani", "did you mean redlock/any?"},
		{"fuzz broken.yaml", "broken.yaml:2:10"},
		{"fuzz nowhere.yaml", "can't be read"},
		{"fuzz redlock/any --faults puase", `no fault is named "puase"`},
		{"fuzz redlock/any --faults puase", "did you mean pause"},
		{"fuzz redlock/any --faults none,pause", `no fault is named "none"`},
		{"fuzz redlock/any --faults=", "--faults: the list is empty"},
		{"fuzz redlock/any --runs 0", "--runs: 0 is not positive"},
		{"fuzz redlock/any --runs -5", "--runs: -5 is not positive"},
		{"fuzz redlock/any --runs 10 --for 1s", "--for and --runs"},
		{"fuzz redlock/any --for 0s", "--for: 0s is not positive"},
		{"fuzz redlock/any --for soon", "soon"},
		{"fuzz redlock/any --stop-after -1", "--stop-after: -1 is negative"},
		{"fuzz redlock/any --workers -1", "--workers: -1 is negative; give 0 for all cores"},
		{"fuzz redlock/any --resume", "--resume: name the directory to resume"},
		{"fuzz redlock/any --seed 9007199254740991 --runs 2", "--runs: seeds go up to 9007199254740991, so from 9007199254740991 on there are only 1"},
		{"fuzz redlock/any --runs 9223372036854775807", "--runs: seeds go up to 9007199254740991, so from 1 on"},
		{"fuzz redlock/any --seed 9007199254740992", "--seed: seeds go up to 9007199254740991"},
		{"fuzz redlock/any --property valdity", "did you mean validity?"},
		{"fuzz redlock/any --property contended", `no promise "contended"`},
		{"fuzz redlock/any --set lock.tll=1s", "lock.ttl"},
		{"fuzz redlock/any --set lock.ttl=-1s", "lock.ttl"},
		{"fuzz redlock/any --format xml", "--format"},
		{"fuzz redlock/any --format json -q", "--quiet"},
		{"fuzz redlock/any --store=", "--store"},
		{"fuzz redlock/any --store broken.yaml", "can't be written"},
		{"shrink", "takes one DIR or FILE"},
		{"run a b", "lockstorm run takes one SCENARIO at most, not 2"},
		{"shrink nowhere", "is not a stored result"},
		{"shrink broken.yaml", "broken.yaml:2:10"},
		{"shrink quiet.yaml", "quiet.yaml, seed 1, breaks no promise"},
		{"shrink quiet.yaml --property valdity", "did you mean validity?"},
		{"shrink quiet.yaml --runs 0", "--runs: 0 is not positive"},
		{"shrink quiet.yaml --out here", "must end in .yaml"},
	} {
		if out, errs, code := lockstorm(strings.Fields(c.args)...); code != cli.BadInput || !strings.Contains(errs, c.says) || out != "" {
			t.Errorf("%s: exit %d, want 254 and %q: %s%s", c.args, code, c.says, errs, out)
		}
	}
}

// violated stores a run of many faults that breaks something, and returns its directory.
func violated(t *testing.T) (dir string) {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, "many.yaml", "title: Many faults.\nsource: x\nclients: 3\nwork: {cycles: 4, work: 1ms..900ms}\nlock: {ttl: 1s, timeout: 20ms}\nschedule: |\n"+
		"  at 100ms for 50ms pause c2\n  when c1 acquired for 1ms restart nodes\n  at 1s for 100ms slow c1>n2 by 3ms\n  at 2s for 100ms jump n3 +1s\n"+
		"sometimes: [contended]\n")
	text, err := os.ReadFile("many.yaml")
	if err != nil {
		t.Fatal(err)
	}
	write(t, "many.yaml", strings.Replace(string(text), "sometimes: [contended]\n", "", 1))
	if _, errs, code := lockstorm("run", "many.yaml", "--seed", "3"); code > 2 {
		t.Fatal(errs)
	}
	return filepath.Join("store", "many", "3")
}

// The smallest scenario runs as shrink says. If its runs were used up, shrinking that file goes further.
func TestSmallestScenarioRunsAsItSays(t *testing.T) {
	dir := violated(t)
	out := mustRun(t, cli.AsExpected, "shrink", dir, "--property", "quorum", "--out", "whole.yaml")
	for _, want := range []string{"breaks quorum\n", "What helped:\n", " tries helped, ", "no single step helps any more", "See it: lockstorm run whole.yaml --seed "} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	see := regexp.MustCompile(`See it: lockstorm run (\S+) --seed (\d+)\n`)
	told := mustRun(t, cli.AsExpected, "shrink", dir, "--property", "quorum", "--runs", "15")
	for calls := 0; !strings.Contains(told, "no single step helps"); calls++ {
		if calls > 100 {
			t.Fatal("it never ends")
		}
		at := see.FindStringSubmatch(told)
		if out := mustRun(t, cli.AsExpected, "run", at[1], "--seed", at[2], "--no-store"); !strings.Contains(out, "a valid lock lost its majority") {
			t.Errorf("%s shows something else:\n%s", at, out)
		}
		left, file := strings.Count(told[strings.Index(told, "What is left:\n"):], "\n    ")-1, fileText(t, at[1])
		if n := strings.Count(file[strings.Index(file, "schedule: "):strings.Index(file, "expect:")], "\n  "); left != n {
			t.Errorf("left are %d faults, and the file has %d:\n%s%s", left, n, told, file)
		}
		told = mustRun(t, cli.AsExpected, "shrink", at[1], "--seed", at[2], "--property", "quorum", "--runs", "150")
	}
	at := see.FindStringSubmatch(out)
	mustRun(t, cli.AsExpected, "run", at[1], "--seed", at[2], "--no-store")
	for _, c := range []struct{ flag, value, says string }{
		{"--seed", "3", "has the seed 3"}, {"--property", "deadlock-free", "deadlock-free is not violated"},
	} {
		if _, errs, code := lockstorm("shrink", dir, c.flag, c.value); code != cli.BadInput || !strings.Contains(errs, c.says) {
			t.Errorf("exit %d: %s", code, errs)
		}
	}
}

// A random run is shrunk, whether the run was kept or comes from a file.
func TestRandomRunIsShrunk(t *testing.T) {
	t.Chdir(t.TempDir())
	text := mustRun(t, cli.AsExpected, "new", "redlock/any")
	write(t, "drawn.yaml", strings.Replace(text, "validity_check: true", "validity_check: false", 1))
	if out, errs, _ := lockstorm("run", "drawn.yaml", "-q", "--seed", "16"); !strings.Contains(out, "a valid lock lost its majority") {
		t.Fatal(out, errs)
	}
	kept := mustRun(t, cli.AsExpected, "shrink", filepath.Join("store", "drawn", "16"), "-q", "--out", "kept.yaml")
	made := mustRun(t, cli.AsExpected, "shrink", "drawn.yaml", "--seed", "16", "-q", "--out", "made.yaml")
	if fileText(t, "kept.yaml") != fileText(t, "made.yaml") || !strings.Contains(kept, "no single step helps") {
		t.Errorf("kept it is\n%sand made of the file\n%s", kept, made)
	}
}

// A signal ends the runs: the result so far is written, and runs.
func TestSignalEndsShrinkingCleanly(t *testing.T) {
	s := campaign.Shrinker{Seed: 1, Property: "belief"}
	s.Least, _ = scenarios.Find("kleppmann/gc-pause")
	tries := 0
	s.Tried = func(string, *scenarios.Scenario, bool) { tries++ }
	s.Stop = func() bool { return tries == 3 }
	if s.Run() || tries != 3 || s.Runs != 3 {
		t.Errorf("it ends after %d tries and %d runs", tries, s.Runs)
	}
}
