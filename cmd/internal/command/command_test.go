package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/scenarios"
)

// lockstorm carries out a command line, and returns what it printed and its exit code.
func lockstorm(args ...string) (out, errs string, code int) {
	var o, e bytes.Buffer
	code = Run(args, &o, &e)
	return o.String(), e.String(), code
}

// mustRun carries out a command line that must end with this code, and returns what it printed.
func mustRun(t *testing.T, code int, args ...string) string {
	t.Helper()
	out, errs, got := lockstorm(args...)
	if got != code {
		t.Fatalf("lockstorm %s: exit %d, want %d\n%s%s", strings.Join(args, " "), got, code, out, errs)
	}
	return out
}

func TestFamousPauseIsReportedAndExplained(t *testing.T) {
	out := mustRun(t, 0, "run", "kleppmann/gc-pause", "--no-store", "--verbose")
	for _, want := range []string{
		"  One acting holder (belief)              violated    c1 and c2 both act as holder\n",
		"  No lost update (storage)                violated    c1 overwrites", "paused 15s",
		"c2's update (version 1, token 34)", "overwritten at 15.005755 s", "by c1 (token 33)", "fenced storage rejects it",
		`(fault: "pause c1"`, "the fault that hit at 0.003519 s has ended", "PASS", "lockstorm run kleppmann/gc-pause --seed 1",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	for _, line := range strings.Split(out, "\n") {
		if n := len([]rune(line)); n > 118 && !strings.HasPrefix(line, "PASS: ") {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
}

func TestRunReportIsShortWithoutVerbose(t *testing.T) {
	short := mustRun(t, 0, "run", "kleppmann/gc-pause", "--no-store")
	if n := strings.Count(short, "\n"); n > 40 || !strings.Contains(short, "\nPASS: two clients acted as holder at the same time and an update was lost, as\nthis scenario is meant to show. Seven other promises hold. Not tested, because\nno client asked for an extension: No hidden gap (continuity).\n") ||
		!strings.HasSuffix(short, "All of it: lockstorm run kleppmann/gc-pause --seed 1 --verbose\n") {
		t.Errorf("%d lines:\n%s", n, short)
	}
	if whole := mustRun(t, 0, "run", "kleppmann/gc-pause", "--no-store", "-v"); strings.Count(whole, "\n") < 60 {
		t.Errorf("--verbose prints\n%s", whole)
	}
	if out, errs, code := lockstorm("run", "kleppmann/gc-pause", "-v", "-q"); code != cli.BadInput || out != "" || !strings.Contains(errs, "--verbose: it needs --format text") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}

func TestExitCodeShowsTheMissingThirdStep(t *testing.T) {
	mustRun(t, 0, "run", "kleppmann/pause-before-reply", "--no-store")
	out := mustRun(t, 1, "run", "kleppmann/pause-before-reply", "--no-store", "--set", "lock.validity_check=false")
	for _, want := range []string{"FAIL", "FAIL: unexpectedly, two clients acted as holder at the same time and an update\nwas lost.", "--set lock.validity_check=false"} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
}

func TestRunCutShortExitsWithTwo(t *testing.T) {
	out := mustRun(t, 2, "run", "baseline/fault-free", "--no-store", "--set", "horizon=100ms")
	if !strings.Contains(out, "the run reached its time limit. Raise `horizon`.") {
		t.Errorf("it does not say why:\n%s", out)
	}
}

func TestJSONAgreesWithText(t *testing.T) {
	var r runJSON
	out := mustRun(t, 0, "run", "kleppmann/clock-jump", "--no-store", "--format", "json", "--seed", "5")
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if r.SchemaVersion != 1 || r.Scenario != "kleppmann/clock-jump" || r.Seed != 5 || r.Verdict != "pass" || len(r.Hash) != 64 {
		t.Errorf("%+v", r)
	}
	if p := r.Properties[0]; p.Name != "belief" || p.Expect != "violated" || p.Verdict != "violated" || p.Witness == nil ||
		p.Witness.Fault != "jump n3 +11s" || p.Witness.FromNanos >= p.Witness.ToNanos {
		t.Errorf("%+v", p)
	}
	if p := r.Properties[4]; p.Name != "fenced" || p.Verdict != "holds" || p.Witness != nil {
		t.Errorf("%+v", p)
	}
}

func TestManyRunsAreCountedAndOnlyUnexpectedKept(t *testing.T) {
	t.Chdir(t.TempDir())
	if !long {
		defer func(most int) { keptMost = most }(keptMost)
		keptMost = 5
	}
	out := mustRun(t, 0, "run", "kleppmann/gc-pause", "--runs", "60")
	if !strings.Contains(out, "60 as expected, 0 not, 0 unknown") {
		t.Error(out)
	}
	if found := entries(t, "store"); len(found) > 0 {
		t.Errorf("kept %v though all went as expected", found)
	}
	out = mustRun(t, 1, "run", "kleppmann/pause-before-reply", "--runs", "105", "--seed", "7",
		"--set", "lock.validity_check=false", "--format", "json")
	var m tallyJSON
	if err := json.Unmarshal([]byte(out), &m); err != nil {
		t.Fatal(err)
	}
	if m.Fail != 105 || m.Kept != keptMost || m.Unexpected[0] != 7 || m.Verdict != scenarios.Fail {
		t.Errorf("%+v", m)
	}
	if found := entries(t, filepath.Join("store", "kleppmann", "pause-before-reply")); len(found) != keptMost {
		t.Errorf("%d are kept", len(found))
	}
	mustRun(t, 1, "run", "kleppmann/pause-before-reply", "--seed", "7", "--quiet", "--no-store", "--set", m.Settings[0])
}

func TestCountsDoNotDependOnTheNumberOfCores(t *testing.T) {
	count := func(cores int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		return mustRun(t, 1, "run", "kleppmann/gc-pause", "--runs", "500", "--no-store", "--set", "lock.ttl=14s", "--format", "json")
	}
	if one, two := count(1), count(2); one != two {
		t.Errorf("on one core:\n%son two:\n%s", one, two)
	}
}

func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range found {
		names = append(names, e.Name())
	}
	return names
}

// kept returns the only result of a scenario in a store.
func kept(t *testing.T, dir string) string {
	t.Helper()
	names := entries(t, dir)
	if len(names) != 1 {
		t.Fatalf("%s holds %q, want one result", dir, names)
	}
	return filepath.Join(dir, names[0])
}

func TestStoreKeepsAWholeRunAndReplayRepeatsIt(t *testing.T) {
	dir := t.TempDir()
	set := []string{"--set", "work.work=2ms..3ms", "--set", "lock.contact=parallel"}
	for range 2 { // the second pass replaces the first
		mustRun(t, 0, append([]string{"run", "kleppmann/gc-pause", "--seed", "3", "--store", dir}, set...)...)
	}
	home := kept(t, filepath.Join(dir, "kleppmann", "gc-pause"))
	want := "build.txt history.edn history.jsonl report.html report.txt result.json scenario.yaml schedule.txt timeline.svg trace.jsonl"
	if got := strings.Join(entries(t, home), " "); got != want {
		t.Errorf("the store holds %s, want %s", got, want)
	}
	if got := strings.Join(entries(t, dir), " "); got != "kleppmann latest" {
		t.Errorf("beside it lies %s", got)
	}
	out := mustRun(t, 0, "replay", filepath.Join(dir, "latest"), "--verbose")
	report, err := os.ReadFile(filepath.Join(home, "report.txt"))
	if err != nil || !strings.HasPrefix(out, string(report)+"\nReplayed: ") {
		t.Errorf("replay printed\n%sand the report is\n%s", out, report)
	}
}

// The next build may draw a picture differently. That is no fault, and no other run: the hash shows it. If the build
// is the same, or the run is not, a difference is a fault.
func TestReplayDistinguishesAnotherBuildFromAnotherRun(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, 0, "run", "kleppmann/gc-pause", "--store", dir)
	latest := filepath.Join(dir, "latest")
	whole := contents(t, latest)
	if whole["build.txt"] != cli.Build()+"\n" || strings.Contains(whole["result.json"], cli.Build()) {
		t.Errorf("the store has the build %q; a result itself must not have it", whole["build.txt"])
	}
	otherwise := func(name string) {
		write(t, filepath.Join(latest, name), strings.Replace(whole[name], "s", "z", 1))
	}
	for _, c := range []struct {
		build string // "" for none
		spoil func()
		code  int
		says  string
	}{
		{"0.0.1\n", func() {}, 0, "all 9 files"},
		{"0.0.1\n", func() { otherwise("timeline.svg"); otherwise("report.html") }, 0, "is the same, by its hash; it was made by another version of the program, " +
			cli.Version + " of build 0.0.1, and this is " + cli.Named() + ". Not written or drawn as this one does: report.html, timeline.svg."},
		{"", func() { otherwise("timeline.svg") }, 0, "of a build that it doesn't name"},
		{"0.0.1\n", func() { os.Remove(filepath.Join(latest, "timeline.svg")) }, 0, "as this one does: timeline.svg."},
		{cli.Build() + "\n", func() { otherwise("timeline.svg") }, cli.BadInput, "timeline.svg differs"},
		{cli.Build() + "\n", func() { os.Remove(filepath.Join(latest, "timeline.svg")) }, cli.BadInput, "is not whole"},
		{"0.0.1\n", func() {
			write(t, filepath.Join(latest, "result.json"), strings.Replace(whole["result.json"], `"hash": "`, `"hash": "0`, 1))
		}, cli.BadInput, "the run is not the same; it was made by another version of the program"},
	} {
		write(t, filepath.Join(latest, "build.txt"), c.build)
		if c.build == "" {
			os.Remove(filepath.Join(latest, "build.txt"))
		}
		c.spoil()
		out, errs, code := lockstorm("replay", latest)
		if says := strings.Join(strings.Fields(out+errs), " "); code != c.code || !strings.Contains(says, c.says) {
			t.Errorf("build %q: exit %d, want %d and %q: %s", c.build, code, c.code, c.says, says)
		}
		for name, text := range whole {
			write(t, filepath.Join(latest, name), text)
		}
	}
}

// All files state the same version. A build is named as such, where it matters.
func TestSameVersionIsStatedEverywhere(t *testing.T) {
	t.Chdir(t.TempDir())
	mustRun(t, 0, "run", "kleppmann/gc-pause")
	for what, text := range map[string]string{
		"--version": mustRun(t, 0, "--version"), "JSON": mustRun(t, 0, "run", "kleppmann/gc-pause", "--no-store", "--format", "json"),
		"page": contents(t, filepath.Join("store", "latest"))["report.html"],
	} {
		stated := regexp.MustCompile(`(?:Lockstorm|lockstorm": "|lockstorm version|version of Lockstorm</th><td>)[ ]?[0-9]\S*`).FindAllString(text, -1)
		if len(stated) == 0 {
			t.Errorf("%s states no version", what)
		}
		for _, s := range stated {
			if v := s[strings.IndexAny(s, "0123456789"):]; strings.TrimRight(v, `.,"<>/tdr`) != cli.Version {
				t.Errorf("%s: %q; want the version %s", what, s, cli.Version)
			}
		}
	}
}

func TestReplayNoticesEveryDifference(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, 0, "run", "kleppmann/gc-pause", "--store", dir)
	latest := filepath.Join(dir, "latest")
	for _, c := range []struct{ file, old, new, says string }{
		{"result.json", `"schema_version": 1`, `"schema_version": 99`, "schema version 99"},
		{"result.json", "kleppmann/gc-pause", "../../etc/passwd", "report.txt differs"},
		{"result.json", `"seed": 1,`, `"seed": 2,`, "result.json differs"},
		{"result.json", `"seed": 1,`, `"seed": 9007199254740992,`, "seeds go up to"},
		{"result.json", `"source": "kleppmann/gc-pause"`, `"source": "mine.yaml"`, "result.json differs"},
		{"result.json", `"scenario_sha256": "`, `"scenario_sha256": "0`, "scenario.yaml has changed since the run"},
		{"scenario.yaml", "clients: 2", "clients: 3", "scenario.yaml has changed since the run"},
		{"scenario.yaml", "title: ", "title: New: ", "scenario.yaml:1:"},
		{"scenario.yaml", "clients: 2", "clients: two", `scenario.yaml:18:10: found "two"; want a whole number`},
		{"result.json", `"verdict": "pass"`, `"verdict": "fail"`, "result.json differs"},
		{"result.json", `"hash": "`, `"hash": "0`, "result.json differs"},
		{"result.json", "{", "", "result.json"},
		{"history.jsonl", "acquire", "release", "history.jsonl differs"},
		{"history.edn", ":nemesis", "7", "history.edn differs"},
		{"trace.jsonl", "sent", "lost", "trace.jsonl differs"},
		{"schedule.txt", "pause", "", "schedule.txt differs"},
		{"report.html", "</html>", "</html> ", "report.html differs"},
		{"timeline.svg", "</svg>", "</svg> ", "timeline.svg differs"},
	} {
		file := filepath.Join(latest, c.file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		write(t, file, strings.Replace(string(text), c.old, c.new, 1))
		if _, errs, code := lockstorm("replay", latest); code != cli.BadInput || strings.Count(errs, "\n") != 1 ||
			!strings.Contains(errs, c.says) {
			t.Errorf("%s for %s: exit %d, want 254 and one line that says %q: %s", c.new, c.old, code, c.says, errs)
		}
		write(t, file, string(text))
	}
	if err := os.Remove(filepath.Join(latest, "trace.jsonl")); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := lockstorm("replay", latest); code != cli.BadInput || !strings.Contains(errs, "not whole") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestStoreOverwritesNothingElse(t *testing.T) {
	for place, want := range map[string]struct {
		code int
		errs string
	}{
		"latest/mine":          {0, "is not the link that Lockstorm creates"},
		"latest":               {0, "is not the link that Lockstorm creates"},
		"kleppmann/gc-pause/1": {cli.BadInput, "is not a stored result"},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, place)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, file, "mine")
		_, errs, code := lockstorm("run", "kleppmann/gc-pause", "--store", dir)
		if code != want.code || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, want.errs) {
			t.Errorf("%s: exit %d: %s", place, code, errs)
		}
		if text, err := os.ReadFile(file); err != nil || string(text) != "mine" {
			t.Errorf("%s is now %q, %v", place, text, err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

func TestProcessesCanStoreTheSameRunInParallel(t *testing.T) {
	dir, times := t.TempDir(), 25
	if !long {
		times = 2
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range times {
				if _, errs, code := lockstorm("run", "kleppmann/clock-jump", "--store", dir, "--quiet"); code != 0 {
					t.Errorf("exit %d: %s", code, errs)
				}
			}
		})
	}
	wg.Wait()
	mustRun(t, 0, "replay", filepath.Join(dir, "latest"), "--verbose")
	if left := entries(t, dir); len(left) != 2 {
		t.Errorf("the store holds %v", left)
	}
}

// The error about a user's mistake is one line that says what would be right, and the command writes nothing.
func TestBadInputGetsOneLineErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		says string
	}{
		{"run kleppman/gc-pause", "did you mean kleppmann/gc-pause"},
		{"run gc-pause", "did you mean kleppmann/gc-pause"},
		{"run xyzzy", "see lockstorm list"},
		{"run " + file, "the name of a scenario file ends in .yaml"},
		{"run", "run takes one SCENARIO; lockstorm list names them"},
		{"run a b", "takes one SCENARIO at most, not 2"},
		{"replay", "takes one DIR"},
		{"replay nowhere", "not a stored result"},
		{"sprint", "unknown command"},
		{"run kleppmann/gc-pause --seed -1", `--seed must be a whole number, 0 or more, not "-1"`},
		{"run kleppmann/gc-pause --runs 99999999999999999999", "--runs: 99999999999999999999 is out of range"},
		{"run kleppmann/gc-pause -q=maybe", `--quiet must be true or false, not "maybe"`},
		{"run kleppmann/gc-pause --sed 1", "unknown flag"},
		{"run kleppmann/gc-pause --set lock.tll=1s", "did you mean lock.ttl"},
		{"run kleppmann/gc-pause --set lock.ttl", "write KEY=VALUE"},
		{"run kleppmann/gc-pause --set lock.ttl=fast", `lock.ttl: "fast" is not a time such as`},
		{"run kleppmann/gc-pause --set lock.ttl=10", `lock.ttl: "10" is not a time such as`},
		{"run kleppmann/gc-pause --set lock.ttl=0s", "lock.ttl: 0s is not positive"},
		{"run kleppmann/gc-pause --set lock.ttl=-1s", "lock.ttl: -1s is not positive"},
		{"run kleppmann/gc-pause --set lock.ttl=1500us", "whole number of milliseconds"},
		{"run kleppmann/gc-pause --set lock.timeout=10s", "lock.timeout: 10s is not less than lock.ttl"},
		{"run kleppmann/gc-pause --set nodes=0", "nodes: 0 are too few, because lock.kind redlock is on nodes; give 1 to 100"},
		{"run kleppmann/gc-pause --set nodes=many", `nodes: "many" is not a whole number`},
		{"run kleppmann/gc-pause --set lock.quorum=6", "6 votes are more than 5 nodes can give"},
		{"run kleppmann/gc-pause --set lock.quorum=-1", "lock.quorum: -1 is negative; give 0 or more"},
		{"run kleppmann/gc-pause --set lock.drift_factor=1.5", "lock.drift_factor"},
		{"run kleppmann/gc-pause --set lock.drift_factor=0.0000001", "fraction, up to six decimals"},
		{"run kleppmann/gc-pause --set lock.validity_check=yes", `"yes" is not one of true, false`},
		{"run kleppmann/gc-pause --set lock.contact=both", `"both" is not one of sequential, parallel`},
		{"run kleppmann/gc-pause --set work.work=2s..1s", "work.work: min 2s and max 1s are not a range"},
		{"run kleppmann/gc-pause --set network.loss=2", "network.loss"},
		{"run kleppmann/gc-pause --set fencing.source=node --set fencing.node=6", "fencing.node: there is no node n6"},
		{"run kleppmann/gc-pause --set fault.1.for=-1s", "a time is negative"},
		{"run kleppmann/gc-pause --set fault.2.for=1s", `there is no setting "fault.2.for"`},
		{"run kleppmann/gc-pause --set horizon=1000000h", "give up to a year"},
		{"run kleppmann/clock-jump --set nodes=4", `no host is named "n5"`},
		{"run kleppmann/gc-pause --runs 0", "--runs: 0 is not positive"},
		{"run kleppmann/gc-pause --seed 9007199254740992", "seeds go up to 9007199254740991"},
		{"run kleppmann/gc-pause --format xml", "not one of text, markdown, html, json, csv"},
		{"run kleppmann/gc-pause --format markdown --quiet", "--quiet: it needs --format text or json"},
		{"run kleppmann/gc-pause --color red", `--color: "red" is not one of auto, always, never`},
		{"list --color red", "not one of auto, always, never"},
		{"test --color red", "not one of auto, always, never"},
		{"replay nowhere --color red", "not one of auto, always, never"},
		{"replay nowhere --format xml", "not one of text, markdown, html, json, csv"},
		{"run kleppmann/gc-pause --store=", "names no directory"},
		{"run kleppmann/gc-pause --store " + file, "can't be written"},
		{"run kleppmann/gc-pause --runs 5 --store " + file + "/below", "can't be written"},
	} {
		dir := t.TempDir()
		t.Chdir(dir)
		out, errs, code := lockstorm(strings.Fields(c.args)...)
		if code != cli.BadInput || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, c.says) {
			t.Errorf("lockstorm %s\nexit %d, want 254 and one line that says %q: %s%s", c.args, code, c.says, out, errs)
		}
		if left := entries(t, dir); len(left) > 0 {
			t.Errorf("lockstorm %s leaves %v behind", c.args, left)
		}
	}
}

func TestHelpNamesEveryCommand(t *testing.T) {
	list := strings.Join(strings.Fields(mustRun(t, 0, "list")), " ")
	for _, s := range scenarios.Catalogue() {
		if !strings.Contains(list, s.ID+" "+s.Title) {
			t.Errorf("list does not show %s", s.ID)
		}
	}
	settings := mustRun(t, 0, "run", "kleppmann/gc-pause", "--help-set")
	for _, want := range []string{"lock.ttl", "10 s", "lock.validity_check", "true|false", "clients", "nodes", "pause.for", "15 s"} {
		if !strings.Contains(settings, want) {
			t.Errorf("--help-set does not show %s:\n%s", want, settings)
		}
	}
	if help := mustRun(t, 0); !strings.Contains(help, "replay") || !strings.Contains(help, "run") {
		t.Error(help)
	}
	if v := mustRun(t, 0, "--version"); v != "lockstorm version "+cli.Named()+"\n" {
		t.Error(v)
	}
}

func TestPanicIsReportedAsOurDefect(t *testing.T) {
	var errs bytes.Buffer
	code := Run([]string{"list"}, panicky{}, &errs)
	if code != cli.OwnFault || !strings.Contains(errs.String(), "Lockstorm's own") {
		t.Errorf("exit %d: %s", code, errs.String())
	}
}

type panicky struct{}

func (panicky) Write([]byte) (int, error) { panic("a broken promise") }

// Another program's output names that program: in front of an error, and in the commands that the error suggests.
func TestErrorsNameTheProgramThatWasRun(t *testing.T) {
	cli.CalledAs("lockstorm-full", "lockstorm-full")
	defer cli.CalledAs("lockstorm", "lockstorm")
	_, errs, code := lockstorm("rnu")
	if want := "lockstorm-full: unknown command \"rnu\"; did you mean run?; lockstorm-full --help lists them\n"; code != cli.BadInput || errs != want {
		t.Errorf("exit %d, %q, want %q", code, errs, want)
	}
}

// full is a disk that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestHelpThatCanNotBeWrittenIsAnError(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"run", "--help"}, {"help", "schedule"}, {}} {
		var errs bytes.Buffer
		if code := Run(args, full{}, &errs); code != cli.OwnFault || !strings.Contains(errs.String(), "can't print: no space left") {
			t.Errorf("%q: exit %d, %s", args, code, &errs)
		}
	}
	if out, _, code := lockstorm("run", "--help"); code != 0 || !strings.Contains(out, "--seed") {
		t.Errorf("exit %d, %s", code, out)
	}
}

func fileText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
