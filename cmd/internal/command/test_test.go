package command

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/suites"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// The tests may run on GitHub themselves, and must print no annotations there.
func TestMain(m *testing.M) {
	cli.Build = func() string { return cli.Version + "-test" }
	if os.Getenv(asCommand) != "" {
		os.Exit(Run(os.Args[1:], os.Stdout, os.Stderr))
	}
	for _, name := range []string{"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"} {
		os.Unsetenv(name)
	}
	os.Unsetenv("GITHUB_ACTIONS")
	os.Exit(m.Run())
}

// Scenario files: the first fails on purpose, the second is cut short, the third goes as it expects, and its first mutant
// dies while the second, which changes what does not matter, survives.
const (
	failing = "title: A pause that is expected to do no harm.\nclients: 2\n" +
		"work: {cycles: 1, work: 5s..6s, stagger: 1s, recheck: false, stop_at_deadline: false}\nschedule: |\n  when c1 read pause c1 for 15s\n"
	cut   = "title: It is cut short.\nhorizon: 100ms\n"
	fine  = "title: Nothing goes wrong.\nclients: 2\nwork: {cycles: 2}\n"
	mutes = fine + "mutants:\n" +
		"  - {name: deadly, set: {lock.take: get-then-set, lock.quorum: 1, lock.contact: parallel, lock.retry.min: 1ms, lock.retry.max: 2ms}, breaks: [quorum], within: 5}\n" +
		"  - {name: harmless, about: a, precedent: b, set: {lock.ttl: 20s}, breaks: [belief], within: 2}\n"
)

// inFiles changes to an empty directory, with the scenario files in it.
func inFiles(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{"fail.yaml": failing, "cut.yaml": cut, "fine.yaml": fine, "mutants.yaml": mutes} {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

// names returns the first words of the lines of a suite after its verdicts.
func names(out string) (all []string) {
	for line := range strings.Lines(out) {
		if f := strings.Fields(line); len(f) > 1 && (f[0] == "PASS" || f[0] == "FAIL" || f[0] == "UNKNOWN") {
			all = append(all, f[1])
		}
	}
	return all
}

func TestSuiteExitCodeFollowsTheWorstVerdict(t *testing.T) {
	inFiles(t)
	for args, want := range map[string]int{
		"fine.yaml": 0, "fail.yaml": 1, "cut.yaml": 2, "fine.yaml cut.yaml": 2, "cut.yaml fail.yaml fine.yaml": 1, "fine.yaml gc-pause": 0,
		"--mutants pause-before-reply": 0, "--mutants mutants.yaml": 1, "--claims antirez": 0,
	} {
		for _, more := range []string{"", "--quiet", "--format markdown", "--format json", "--junit x.xml"} {
			if strings.Contains(args, "claims") && strings.Contains(more, "json") {
				continue
			}
			if _, errs, code := lockstorm(strings.Fields(fmt.Sprintf("test --runs %d %s %s", simtest.Times(2, 5), args, more))...); code != want || errs != "" {
				t.Errorf("lockstorm test %s %s: exit %d, want %d: %s", args, more, code, want, errs)
			}
		}
	}
}

func TestScenariosAreSelectedByPatternPrefixNameAndFile(t *testing.T) {
	inFiles(t)
	for args, want := range map[string]string{
		"kleppmann/gc-pause": "kleppmann/gc-pause",
		"gc-pause":           "kleppmann/gc-pause",
		"leases":             "leases/fast-client leases/fast-server leases/slow-client leases/slow-server",
		"leases/":            "leases/fast-client leases/fast-server leases/slow-client leases/slow-server",
		"leases/fast-*":      "leases/fast-client leases/fast-server",
		"*-reply":            "distlock/extend-late-reply distlock/slow-last-reply kleppmann/delayed-reply kleppmann/pause-before-reply",
		"*/token-cas":        "antirez/token-cas",
		"fine.yaml":          "fine.yaml",
		"gc-pause fine.yaml kleppmann/gc-* ./fine.yaml": "kleppmann/gc-pause fine.yaml ./fine.yaml",
		"gc-pause gc-pause fine.yaml fine.yaml":         "kleppmann/gc-pause fine.yaml",
	} {
		out := mustRun(t, 0, strings.Fields("test --runs 1 "+args)...)
		if got := strings.Join(names(out), " "); got != want {
			t.Errorf("lockstorm test %s runs %s, want %s", args, got, want)
		}
	}
}

// A shell that finds no file leaves a pattern unchanged. A quoted pattern, such as the action's inputs, comes
// unchanged too.
func TestFolderOrFilePatternSelectsItsScenarios(t *testing.T) {
	inFiles(t)
	for _, dir := range []string{"locks/deep", "locks/.hidden", "kleppmann"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"locks/a.yaml", "locks/b.yml", "locks/deep/c.yaml", "kleppmann/mine.yaml"} {
		write(t, name, fine)
	}
	for _, name := range []string{"locks/note.md", "locks/.hidden/d.yaml", "locks/.e.yaml"} {
		write(t, name, "no scenario")
	}
	write(t, "[odd].yaml", fine)
	for args, want := range map[string]string{
		"locks":              "locks/a.yaml locks/b.yml locks/deep/c.yaml",
		"locks/":             "locks/a.yaml locks/b.yml locks/deep/c.yaml",
		"./locks":            "locks/a.yaml locks/b.yml locks/deep/c.yaml",
		"locks/*.yaml":       "locks/a.yaml",
		"locks/*":            "locks/a.yaml locks/b.yml locks/deep/c.yaml",
		"*/deep/*.yaml":      "locks/deep/c.yaml",
		"f*.yaml locks/deep": "fail.yaml fine.yaml locks/deep/c.yaml",
		"./kleppmann":        "kleppmann/mine.yaml",
		"kleppmann/gc-*":     "kleppmann/gc-pause",
		"[odd].yaml":         "[odd].yaml",
	} {
		out, errs, code := lockstorm(strings.Fields("test --runs 1 " + args)...)
		if got := strings.Join(names(out), " "); got != want || code > 1 {
			t.Errorf("lockstorm test %s runs %s, want %s: exit %d %s", args, got, want, code, errs)
		}
	}
}

func TestSuiteShardsAddUpToTheSuite(t *testing.T) {
	whole := names(mustRun(t, 0, "test", "leases", "gc-pause", "--runs", "1"))
	var parts []string
	for i := range 3 {
		parts = append(parts, names(mustRun(t, 0, "test", "leases", "gc-pause", "--runs", "1", "--shard", fmt.Sprintf("%d/3", i)))...)
	}
	if len(whole) != 5 || !slices.Equal(parts, whole) {
		t.Errorf("%q, want %q", parts, whole)
	}
	if out := mustRun(t, 0, "test", "pause-before-reply", "leases", "--mutants", "--runs", "1", "--shard", "0/1"); len(names(out)) != 2 {
		t.Error(out)
	}
}

// However short the time is, each has some runs: a suite that left one out would be green for nothing.
func TestTimedSuiteRunsEachScenario(t *testing.T) {
	var s suiteJSON
	if err := json.Unmarshal([]byte(mustRun(t, 0, "test", "baseline/single-instance", "baseline/fault-free", "--for", "1ns", "--format", "json")), &s); err != nil {
		t.Fatal(err)
	}
	if s.Runs != 0 || len(s.Scenarios) != 2 {
		t.Errorf("%+v", s)
	}
	for _, c := range s.Scenarios {
		if c.Pass < 1 {
			t.Errorf("%+v", c)
		}
	}
	free, err := cli.Select([]string{"baseline/fault-free"})
	if err != nil {
		t.Fatal(err)
	}
	runs := 0
	p := campaign.Plan{Runs: forever, Batch: 1, Workers: 1, Stop: func() bool { runs++; return runs > 3 }}
	p.Scenario = &free[0].Scenario
	if tally := p.Run(); tally.Runs != 3 {
		t.Errorf("%d runs before the clock is read a fourth time, want 3", tally.Runs)
	}
	short := testCommand{signal: &work.Interrupt{}, started: time.Now(), lasting: 1}
	long := testCommand{signal: &work.Interrupt{}, started: time.Now(), lasting: time.Hour}
	if stop := short.share(2); stop() || !stop() {
		t.Error("it ends before the first batch, or does not end")
	}
	stop := long.share(2)
	for range 2 {
		if stop() {
			t.Error("it ends within a second of an hour")
		}
	}
}

// Of a suite that a signal ended there may be nothing to sum up.
func TestSuiteStoppedImmediatelyIsUnknown(t *testing.T) {
	all, err := cli.Select([]string{"leases"})
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	c := newTest()
	c.SetErr(&errs)
	q := testCommand{subjects: all, left: all}
	_ = q.interrupted(c)
	if want := "lockstorm: stopped before any scenario was through, so that nothing is known of one. For all of them:\n"; !strings.HasPrefix(errs.String(), want) {
		t.Errorf("it says %s", &errs)
	}
}

// The rest of a suite is run as the user ran the suite. Only what would overwrite a report of the first part is left out,
// and the shard, because the scenarios that are left are named.
func TestRestOfSuiteKeepsEachFlag(t *testing.T) {
	var errs bytes.Buffer
	c := newTest()
	c.SetErr(&errs)
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if err := c.Flags().Set(f.Name, f.DefValue); err != nil {
			t.Fatal(err)
		}
	})
	_ = (&testCommand{}).interrupted(c)
	c.Flags().VisitAll(func(f *pflag.Flag) {
		left := slices.Contains([]string{"shard", "junit", "json"}, f.Name)
		if told := regexp.MustCompile(` --` + f.Name + `\b`).Match(errs.Bytes()); told == left {
			t.Errorf("--%s is repeated: %v, in %s", f.Name, told, &errs)
		}
	})
}

// Neither report hides that the other can't be written, before the runs or after them.
func TestBothUnwrittenReportsAreNamed(t *testing.T) {
	dir := inFiles(t)
	q := testCommand{suite: suites.New(cli.Version, 1, 1), junit: store.ReportFile(dir), json: store.ReportFile(dir)}
	_, before, _ := lockstorm("test", "fine.yaml", "--junit", dir, "--json", dir)
	for _, errs := range []string{before, fmt.Sprint(q.writeReports())} {
		for _, want := range []string{"--junit: the report can't be written", "--json: the report can't be written"} {
			if !strings.Contains(errs, want) {
				t.Errorf("it does not say %q: %s", want, errs)
			}
		}
	}
}

func TestBadTestArgumentsGetOneLineErrors(t *testing.T) {
	dir := inFiles(t)
	write(t, "broken.yaml", "title: a\nclients: none\n")
	if err := os.Mkdir("empty", 0o755); err != nil {
		t.Fatal(err)
	}
	for args, says := range map[string]string{
		"kelppmann":                              "did you mean kleppmann?",
		"kleppmann/gc-pauze":                     "did you mean kleppmann/gc-pause?",
		"xyzzy":                                  `no scenario matches "xyzzy"; see lockstorm list`,
		"gc-pause xyzzy":                         "xyzzy",
		"[":                                      `"[" is not a pattern`,
		"nowhere.yaml":                           "can't be read",
		"--runs 0":                               "--runs: 0 is not positive",
		"--runs -1":                              "--runs: -1 is not positive",
		"--workers -1":                           "--workers: -1 is negative",
		"--seed 9007199254740992":                "seeds go up to",
		"--seed 9007199254740991":                "seeds go up to",
		"--format xml":                           `--format: "xml" is not one of text, markdown, html, json, csv`,
		"--mutants --claims":                     "two suites",
		"--claims --format json":                 "without --claims",
		"--quiet --format json":                  "--quiet goes with --format text",
		"-q --format markdown":                   "--quiet goes with --format text",
		"--junit - --format json":                "--junit -: the report takes all of the output",
		"--junit - --quiet":                      "--junit -",
		"--junit - --claims":                     "--junit -",
		"--mutants gc-pause":                     "these scenarios name no mutant",
		"--claims fine.yaml":                     "these scenarios name no claim",
		"--junit " + dir:                         "--junit: the report can't be written",
		"--junit " + dir + "/fine.yaml/x.xml":    "--junit: the report can't be written",
		"--junit new.xml xyzzy":                  "xyzzy",
		"--json -":                               "--json -: name a file; --format json prints it",
		"--json " + dir:                          "--json: the report can't be written",
		"mine/**/*.yaml":                         "name the folder, and all files in and below it are run: mine",
		"*.yml":                                  "no scenario file is named like",
		"nowhere/*.yaml":                         `no scenario file is named like "nowhere/*.yaml"`,
		"./empty":                                "./empty: it has no scenario file; their names end in .yaml",
		"./kleppmann":                            `no scenario matches "./kleppmann"`,
		"--shard 3/3":                            `"3/3" is not a shard`,
		"--shard 2":                              `--shard: "2" is not a shard`,
		"leases --shard 4/5":                     "--shard 4/5 has nothing to do, because there are only 4 scenarios",
		"--for 0s":                               "--for: 0s is not a time to run for",
		"--for 1m --runs 3":                      "--for and --runs",
		"--for 1m --mutants":                     "with --mutants, give --runs",
		"--runs 1000000000 --junit fine.yaml/x ": "can't be written", // and not after long work
	} {
		out, errs, code := lockstorm(strings.Fields("test " + args)...)
		if code != cli.BadInput || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, says) {
			t.Errorf("lockstorm test %s\nexit %d, want 254 and one line that says %q: %s%s", args, code, says, out, errs)
		}
	}
	if _, err := os.Stat("new.xml"); err == nil {
		t.Error("a report was begun for arguments that are wrong")
	}
}

func TestFailureComesWithItsCommand(t *testing.T) {
	inFiles(t)
	out := mustRun(t, 1, "test", "fine.yaml", "fail.yaml", "--runs", "5", "--seed", "30")
	for _, want := range []string{
		"PASS     fine.yaml  5 runs; not tested: continuity\n", "FAIL     fail.yaml  5 runs, 5 not as expected; belief and storage break; not tested: continuity\n",
		"         belief and storage should hold, and are violated in 5 of 5 runs.\n", "         lockstorm run fail.yaml --seed 30\n",
		"FAIL: 1 of 2 scenarios as expected, 1 not (10 runs from seed 30, ", "\nNot as expected: fail.yaml.\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	mustRun(t, 1, "run", "fail.yaml", "--seed", "30", "--no-store")
}

func TestSurvivingMutantComesWithItsCommand(t *testing.T) {
	inFiles(t)
	out := mustRun(t, 1, "test", "mutants.yaml", "--mutants", "--runs", "5")
	if got := strings.Join(names(out), " "); got != "deadly harmless" || !strings.Contains(out, "FAIL     harmless  mutants.yaml  5 of 5") ||
		!strings.Contains(out, "PASS     deadly    mutants.yaml  5 of 5     5 of 5     1\n") {
		t.Errorf("%s\n%s", got, out)
	}
	if want := "         lockstorm run mutants.yaml --seed 1 --set lock.ttl=20s\n"; !strings.Contains(out, want) {
		t.Errorf("it does not say %q:\n%s", want, out)
	}
	mustRun(t, 0, "run", "mutants.yaml", "--seed", "1", "--set", "lock.ttl=20s", "--no-store")
}

func TestQuietPrintsOnlyTheLastLine(t *testing.T) {
	inFiles(t)
	for _, args := range []string{"fail.yaml", "--mutants mutants.yaml", "--claims gc-pause"} {
		out, _, _ := lockstorm(strings.Fields("test -q --runs 2 " + args)...)
		if strings.Count(out, "\n") != 1 || !strings.Contains(out, " from seed 1, ") {
			t.Errorf("%s: %s", args, out)
		}
	}
}

func TestDocumentsDoNotDependOnTheWorkers(t *testing.T) {
	inFiles(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	for i, args := range []string{"--format json fail.yaml kleppmann", "--format markdown cut.yaml antirez/token-cas", "--mutants --format json mutants.yaml",
		"--mutants --format markdown pause-before-reply", "--claims --format markdown kleppmann"} {
		if !long && i%2 > 0 {
			continue
		}
		args := strings.Fields("test --runs 70 " + args)
		one, _, code := lockstorm(append(args, "--workers", "1")...)
		many, _, again := lockstorm(append(args, "--workers", "7")...)
		if one != many || code != again || one == "" {
			t.Errorf("%s: with one worker\n%swith seven\n%s", args, one, many)
		}
	}
}

func TestSuiteJSONAgreesWithText(t *testing.T) {
	inFiles(t)
	var s suiteJSON
	out := mustRun(t, 1, "test", "gc-pause", "fail.yaml", "cut.yaml", "--runs", "3", "--seed", "4", "--format", "json")
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		t.Fatal(err)
	}
	if s.SchemaVersion != 1 || s.Lockstorm != cli.Version || s.Seed != 4 || s.Runs != 3 || s.Verdict != scenarios.Fail || len(s.Scenarios) != 3 || s.Mutants == nil {
		t.Fatalf("%+v", s)
	}
	a, b, c := s.Scenarios[0], s.Scenarios[1], s.Scenarios[2]
	if a.Scenario != "kleppmann/gc-pause" || a.Verdict != scenarios.Pass || a.Pass != 3 || a.First != nil || a.Claim.By != "Kleppmann" || a.File != "" ||
		b.File != "fail.yaml" || b.Verdict != scenarios.Fail || b.Fail != 3 || *b.First != 4 || b.Command != "lockstorm run fail.yaml --seed 4" || b.Claim != nil ||
		c.Verdict != scenarios.Unknown || c.Unknown != 3 || len(c.Wrong) == 0 {
		t.Errorf("%+v", s)
	}
	if !strings.Contains(out, `"claim": null`) || !strings.Contains(out, `"mutants": []`) || !strings.Contains(out, `"wrong": []`) {
		t.Error(out)
	}
}

// junit is as much of a report as a CI system reads.
type junit struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Cases    []struct {
		Class   string  `xml:"classname,attr"`
		Name    string  `xml:"name,attr"`
		Failure *string `xml:"failure"`
		Error   *string `xml:"error"`
	} `xml:"testsuite>testcase"`
}

func readJUnit(t *testing.T, text []byte) (x junit) {
	t.Helper()
	if err := xml.Unmarshal(text, &x); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return x
}

func TestJUnitReportIsWrittenForEveryVerdict(t *testing.T) {
	inFiles(t)
	write(t, "x.xml", strings.Repeat("an old report, longer than the new one\n", 1000))
	mustRun(t, 1, "test", "gc-pause", "fail.yaml", "cut.yaml", "--runs", "3", "--junit", "x.xml")
	text, err := os.ReadFile("x.xml")
	if err != nil {
		t.Fatal(err)
	}
	x := readJUnit(t, text)
	if x.Tests != 3 || x.Failures != 1 || x.Errors != 1 || len(x.Cases) != 3 {
		t.Fatalf("%+v", x)
	}
	if c := x.Cases[0]; c.Class != "kleppmann" || c.Name != "gc-pause" || c.Failure != nil || c.Error != nil {
		t.Errorf("%+v", c)
	}
	if c := x.Cases[1]; c.Name != "fail.yaml" || c.Failure == nil || !strings.Contains(*c.Failure, "lockstorm run fail.yaml --seed 1") {
		t.Errorf("%+v", c)
	}
	if c := x.Cases[2]; c.Failure != nil || c.Error == nil || !strings.Contains(*c.Error, "lockstorm run cut.yaml --seed 1") {
		t.Errorf("%+v", c)
	}
	out := mustRun(t, 0, "test", "--mutants", "pause-before-reply", "--runs", "1", "--junit", "-")
	if x := readJUnit(t, []byte(out)); x.Tests != 2 || !strings.HasPrefix(out, "<?xml") || x.Cases[0].Class != "kleppmann/pause-before-reply" {
		t.Error(out)
	}
}

// A file with mistakes must not hide the verdicts of the other files, or the mistakes of another one.
func TestFileWithMistakesIsAFailedCase(t *testing.T) {
	inFiles(t)
	if err := os.Mkdir("mine", 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, "mine/a.yaml", "title: a\nclients: none\nnodez: 3\n")
	write(t, "mine/b.yaml", fine)
	write(t, "mine/c.yaml", "nodes: 5\n")
	t.Setenv("GITHUB_ACTIONS", "true")
	out := mustRun(t, 1, "test", "mine", "--runs", "2", "--junit", "new/folder/x.xml")
	for _, want := range []string{"FAIL     mine/a.yaml  not run: the file has mistakes", "mine/a.yaml:2:10: ", "mine/a.yaml:3:1: ",
		"PASS     mine/b.yaml  2 runs", "mine/c.yaml:1:1: there is no title", "lockstorm validate mine/c.yaml", "1 of 3 scenarios as expected, 2 not",
		"::error title=FAIL mine/a.yaml,file=mine/a.yaml::", "::error title=FAIL mine/c.yaml,file=mine/c.yaml::"} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	text, err := os.ReadFile("new/folder/x.xml")
	if x := readJUnit(t, text); err != nil || x.Tests != 3 || x.Failures != 2 || x.Cases[0].Failure == nil {
		t.Errorf("%v: %s", err, text)
	}
	if _, errs, code := lockstorm("test", "--mutants", "mine"); code != 254 || strings.Count(errs, "mine/") != 3 {
		t.Errorf("exit %d: %s", code, errs)
	}
	out, errs, code := lockstorm("validate", "mine")
	if code != 254 || out != "mine/b.yaml is sound: Nothing goes wrong.\n" || strings.Count(errs, "mine/") != 3 {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

// Should the suite never end, an old report must not pass for the new one.
func TestOldJUnitReportIsRemovedFirst(t *testing.T) {
	inFiles(t)
	write(t, "x.xml", "old")
	var errs strings.Builder
	if code := Run([]string{"test", "fine.yaml", "--runs", "1", "--junit", "x.xml"}, panicky{}, &errs); code != cli.OwnFault {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	if text, err := os.ReadFile("x.xml"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%q, %v", text, err)
	}
}

func TestGitHubGetsAnnotationsAndASummaryTable(t *testing.T) {
	dir := inFiles(t)
	summary := filepath.Join(dir, "summary.md")
	args := []string{"test", "fail.yaml", "gc-pause", "--runs", "3"}
	if out, errs, _ := lockstorm(args...); strings.Contains(out+errs, "::error") {
		t.Errorf("annotated where nobody reads it:\n%s%s", out, errs)
	}
	t.Setenv("GITHUB_ACTIONS", "true")
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	write(t, summary, "what was there\n")
	const annotation = "::error title=FAIL fail.yaml,file=fail.yaml::belief and storage should hold"
	out, errs, code := lockstorm(args...)
	if code != 1 || errs != "" || strings.Count(out, "::error ") != 1 || !strings.Contains(out, "\n"+annotation) {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	document, errs, code := lockstorm(append(args, "--format", "json")...)
	if code != 1 || !json.Valid([]byte(document)) || !strings.HasPrefix(errs, annotation) {
		t.Errorf("exit %d\n%s%s", code, document, errs)
	}
	text, _ := os.ReadFile(summary)
	if got := string(text); !strings.HasPrefix(got, "what was there\n**FAIL**") || strings.Count(got, "| **FAIL** | `fail.yaml` | 0 of 3 |") != 2 {
		t.Error(got)
	}
	t.Setenv("GITHUB_STEP_SUMMARY", filepath.Join(dir, "no", "where"))
	if _, errs, code := lockstorm("test", "fine.yaml", "--runs", "1"); code != 0 || !strings.Contains(errs, "the summary of the job can't be written") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

func TestClaimsListOnlyScenariosWithClaims(t *testing.T) {
	inFiles(t)
	out := mustRun(t, 0, "test", "--claims", "kleppmann", "fine.yaml", "baseline", "--runs", "2")
	if !strings.HasPrefix(out, "Kleppmann\n\n  ") || !strings.Contains(out, "\nantirez\n\n") || strings.Contains(out, "fine.yaml") ||
		!strings.Contains(out, "kleppmann/gc-pause: belief and storage break, shown by one run, the same in 2") || !strings.Contains(out, "PASS: 13 of 13 scenarios as expected") {
		t.Error(out)
	}
}

// What failed is kept where it can be looked at, and its story is in the report that a pipeline keeps.
func TestSuiteKeepsFailedRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "bad.yaml", strings.Replace(mine, "title:", "expect: {belief: violated}\ntitle:", 1))
	write(t, "good.yaml", mine)
	out := mustRun(t, cli.NotAsExpected, "test", "bad.yaml", "good.yaml", "--runs", "3", "--store", "kept", "--junit", "-")
	if got := entries(t, "kept"); len(got) != 2 || got[0] != "bad" || got[1] != "latest" {
		t.Errorf("the store has %q", got)
	}
	mustRun(t, cli.NotAsExpected, "replay", filepath.Join("kept", "latest"))
	if _, after, ok := strings.Cut(out, "<system-out>"); !ok || !strings.Contains(after, "FAIL: expected that two clients acted as holder at the same time; that did not") || strings.Count(out, "<system-out>") != 1 {
		t.Errorf("the report has no story, or too many:\n%s", out)
	}
}

// A fault that met no lock tests nothing. The line of a file that passes says so.
func TestAFileThatPassesInVainSaysSo(t *testing.T) {
	t.Chdir(t.TempDir())
	const file = "title: a\nclients: 2\nschedule: |\n  when c1 asking pause c1 for 15s\n"
	if err := os.WriteFile("a.yaml", []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	const want = "c1 did not hold the lock when it was paused"
	if out := mustRun(t, 0, "test", "a.yaml", "--runs", "3"); !strings.Contains(out, "runs; not tested: continuity; "+want) {
		t.Errorf("test does not say so:\n%s", out)
	}
	if out := mustRun(t, 0, "run", "a.yaml", "--no-store"); !strings.Contains(out, "(continuity). "+want+".") {
		t.Errorf("run does not say so:\n%s", out)
	}
}

// A promise that no run could break proves nothing, and a file must not claim that it held.
func TestAPromiseThatNoRunTestsIsToldAndNotClaimed(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		file, untested, claimed string
	}{
		{"", "continuity", ""},
		{"fencing: {source: none}\n", "fenced, tokens, continuity", ""},
		{"fencing: {source: none}\nexpect: {fenced: holds, tokens: holds, belief: holds}\n", "fenced, tokens, continuity", "fenced and tokens should hold, and no run tested them"},
		{"expect: {continuity: holds}\n", "continuity", "continuity should hold, and no run tested it"},
		{"lock: {ttl: 1s, renew: {every: 300ms}}\nwork: {cycles: 2, work: 1s..2s}\nexpect: {continuity: holds}\n", "", ""},
	} {
		write(t, "a.yaml", "title: a\nclients: 2\n"+c.file)
		out, errs, code := lockstorm("test", "--runs", "2", "--junit", "a.xml", "--json", "a.json", "a.yaml")
		if errs != "" || (code == 1) != (c.claimed != "") || !strings.Contains(out, c.claimed) ||
			strings.Contains(out, "not tested: ") != (c.untested != "") {
			t.Errorf("%s%d %s\n%s", c.file, code, errs, out)
		}
		xml, _ := os.ReadFile("a.xml")
		if strings.Contains(string(xml), `<property name="not tested" value="`+c.untested+`"`) != (c.untested != "") {
			t.Errorf("%s%s", c.file, xml)
		}
		var suite struct {
			Scenarios []struct{ Untested []string }
		}
		data, _ := os.ReadFile("a.json")
		if err := json.Unmarshal(data, &suite); err != nil || strings.Join(suite.Scenarios[0].Untested, ", ") != c.untested {
			t.Errorf("%s%v %v", c.file, err, suite)
		}
	}
}

// A test takes the random faults of a file. One that never hits tests nothing.
func TestALineOfSearchDrawThatNeverHitsFails(t *testing.T) {
	t.Chdir(t.TempDir())
	for line, want := range map[string]string{
		"at ~poisson(1/8760h) pause c1 for 5s":              "never hit, or changed nothing, in 20 runs",
		"when c1 acquired pause holder for 1ns":             "never hit, or changed nothing, in 20 runs",
		"when c1 acquired pause holder for ~constant(50ms)": "",
	} {
		write(t, "a.yaml", "title: a\nclients: 2\nsearch:\n  within: 10s\n  draw:\n    - "+line+
			"\n    - when c2 acquired pause c2 for ~uniform(1ms,20ms)\n")
		out, errs, code := lockstorm("test", "--runs", "20", "a.yaml")
		if errs != "" || (code == 1) != (want != "") || !strings.Contains(out, want) || strings.Contains(out, "when c2") {
			t.Errorf("%s: %d %s\n%s", line, code, errs, out)
		}
	}
}
