package suites_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/reports/suites"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

func text(s suites.Suite, elapsed time.Duration) string {
	out := suites.Head(reports.Screen{}, s)
	for i := range len(s.Scenarios) + len(s.Mutants) {
		out += suites.Line(reports.Screen{}, s, i)
	}
	return out + suites.Summary(s, elapsed) + "\n"
}

// equal compares a text with the expected one, which begins on a new line.
func equal(t *testing.T, got, want string) {
	t.Helper()
	if want = strings.TrimPrefix(want, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSuiteHasALinePerScenarioAndFailuresBelow(t *testing.T) {
	equal(t, text(mixed(), 12345*time.Millisecond), `
PASS     kleppmann/gc-pause  20 runs; belief and storage break; quorum breaks in 1
FAIL     my files/mine.yaml  20 runs, 2 not as expected, 1 unknown; belief breaks in 2
         belief should hold, and is violated in 2 of 20 runs and is unknown in 1 of 20 runs.
         contended should happen, and never did in 1 of 20 runs.
         lockstorm run 'my files/mine.yaml' --seed 7
UNKNOWN  antirez/short       20 runs, 1 unknown
         fenced should be violated, and is unknown in 1 of 20 runs.
         lockstorm run antirez/short --seed 9
FAIL: 1 of 3 scenarios as expected, 1 not, 1 unknown (60 runs from seed 5, 12.3s).
`)
}

func TestTheKillTableHasBothColumns(t *testing.T) {
	equal(t, text(killed(), 0), `
                                    reference   mutant      first
         mutant    scenario         survives    killed      seed
PASS     no-check  kleppmann/pause  20 of 20    19 of 20    2
FAIL     harmless  mine.yaml        100 of 100  0 of 100    never
         the mutant should break quorum, and survives 100 runs.
         lockstorm run mine.yaml --seed 1 --set a=b
FAIL     two       kleppmann/pause  19 of 20    20 of 20    1
         of the reference, belief should hold, and is violated in 1 of 20 runs.
         lockstorm run kleppmann/pause --seed 3
FAIL: 1 of 3 mutants killed where the reference survives, 2 not (280 runs from seed 1).
`)
}

func TestTheColumnsAreAsWideAsTheirHeads(t *testing.T) {
	s := suites.Suite{Verdict: scenarios.Pass, Seed: 1, Mutants: []suites.MutantResult{{Mutant: "m", Scenario: "s", Verdict: scenarios.Pass, Runs: 1, Survived: 1, Killed: 1, First: new(uint64(1))}}}
	equal(t, text(s, 0), `
                           reference  mutant     first
         mutant  scenario  survives   killed     seed
PASS     m       s         1 of 1     1 of 1     1
PASS: 1 of 1 mutant killed where the reference survives (2 runs from seed 1).
`)
}

// The lines are printed as they are done, so their layout must not depend on what is not known yet.
func TestLineDoesNotDependOnLaterLines(t *testing.T) {
	for _, whole := range []suites.Suite{mixed(), killed()} {
		early := whole
		early.Scenarios, early.Mutants = append([]suites.Case{}, whole.Scenarios...), append([]suites.MutantResult{}, whole.Mutants...)
		for i := range early.Scenarios[min(1, len(early.Scenarios)):] {
			c := &early.Scenarios[i+1]
			*c = suites.Case{Scenario: c.Scenario, File: c.File, Runs: c.Runs}
		}
		for i := range early.Mutants[min(1, len(early.Mutants)):] {
			d := &early.Mutants[i+1]
			*d = suites.MutantResult{Scenario: d.Scenario, File: d.File, Mutant: d.Mutant, Runs: d.Runs}
		}
		if suites.Head((reports.Screen{}), early) != suites.Head((reports.Screen{}), whole) || suites.Line((reports.Screen{}), early, 0) != suites.Line((reports.Screen{}), whole, 0) {
			t.Errorf("%s%s", suites.Head(reports.Screen{}, early), suites.Line(reports.Screen{}, early, 0))
		}
	}
}

func TestSummaryOmitsUnknownTime(t *testing.T) {
	s := mixed()
	for elapsed, want := range map[time.Duration]string{
		0: "seed 5).", 1: ", 1ms).", 26*time.Millisecond + 400_000: ", 26ms).", 83*time.Second + 77*time.Millisecond: ", 1m23.1s).",
	} {
		if got := suites.Summary(s, elapsed); !strings.HasSuffix(got, want) {
			t.Errorf("%v: %s", elapsed, got)
		}
	}
}

// A summary names ten scenarios of those that were skipped for one reason, and counts the others. Thousands are set apart.
func TestEndCountsWhatWasSkipped(t *testing.T) {
	s := mixed()
	s.Scenarios[0].Runs = 23900
	for i := range 12 {
		s.Skip(&scenarios.Scenario{ID: fmt.Sprint("s", i)}, "", "it is slow")
	}
	end, line := suites.End(reports.Screen{}, s, 0), suites.Line(reports.Screen{}, s, 0)
	if !strings.Contains(end, "s9 and 2 more (it is slow).") || !strings.Contains(end, "23,9") || !strings.Contains(line, "23,900 runs") {
		t.Errorf("%s\n%s", end, line)
	}
}

// A line of search.draw that never hit fails its case, whose every run was as expected.
func TestLineThatNeverHitFailsItsCase(t *testing.T) {
	c := suites.Case{Verdict: scenarios.Pass, Runs: 20}
	c.Unhit([]string{"at ~poisson(1/h) pause c1 for 5s"})
	const want = "pause c1 for 5s\" of search.draw never hit, or changed nothing, in 20 runs"
	if c.Verdict != scenarios.Fail || len(c.Wrong) != 1 || !strings.Contains(c.Wrong[0], want) {
		t.Errorf("%v %q", c.Verdict, c.Wrong)
	}
}

func TestASuiteAsMarkdown(t *testing.T) {
	equal(t, document(mixed()).Markdown(), `
**FAIL**: 1 of 3 scenarios as expected, 1 not, 1 unknown (60 runs from seed 5).

- **FAIL** `+"`my files/mine.yaml`"+`: belief should hold, and is violated in 2 of 20 runs and is unknown in 1 of 20 runs; contended should happen, and never did in 1 of 20 runs. See it: `+"`lockstorm run 'my files/mine.yaml' --seed 7`"+`
- **UNKNOWN** `+"`antirez/short`"+`: fenced should be violated, and is unknown in 1 of 20 runs. See it: `+"`lockstorm run antirez/short --seed 9`"+`

| verdict | scenario | as expected | what it shows |
| --- | --- | --- | --- |
| pass | `+"`kleppmann/gc-pause`"+` | 20 of 20 | A pause. |
| **FAIL** | `+"`my files/mine.yaml`"+` | 17 of 20 | A \| b &lt;i&gt;\*\_\`+"`c\\`"+` |
| **UNKNOWN** | `+"`antirez/short`"+` | 19 of 20 | Short. |
`)
	all := killed()
	all.Verdict, all.Mutants = scenarios.Pass, all.Mutants[:1]
	equal(t, document(all).Markdown(), `
**PASS**: 1 of 1 mutant killed where the reference survives (40 runs from seed 1).

| mutant, and the scenario | breaks | reference survives | mutant killed | first seed | seen, or warned of |
| --- | --- | --- | --- | --- | --- |
| `+"`no-check` in `kleppmann/pause`"+` | belief, storage | 20 of 20 | 19 of 20 | 2 | a \| library #1 |

| promise | asks |
| --- | --- |
| `+"`belief`"+` | Do two clients act as holder together? |
| `+"`storage`"+` | Is an update lost if storage accepts every write? |
`)
	if got := document(killed()).Markdown(); !strings.Contains(got, "\n| **FAIL** `harmless` in `mine.yaml` | quorum | 100 of 100 | 0 of 100 | never | none |\n") {
		t.Error(got)
	}
}

func TestTheClaimsAreGroupedByWhoMadeThem(t *testing.T) {
	equal(t, claims(mixed()).Text(reports.Screen{}), `
Kleppmann

  A pause corrupts the data.
      kleppmann/gc-pause: belief and storage break in 20 of 20 runs, quorum breaks in 1 of 20 runs;
      late-write happens in each.
      Confirmed.

antirez

  It is short.
      antirez/short: nothing breaks in 20 runs; NOT AS EXPECTED: fenced should be violated, and is
      unknown in 1 of 20 runs.
      Confirmed.
      See it: lockstorm run antirez/short --seed 9

me

  It holds.
      my files/mine.yaml: belief breaks in 2 of 20 runs; NOT AS EXPECTED: belief should hold, and is
      violated in 2 of 20 runs and is unknown in 1 of 20 runs; contended should happen, and never
      did in 1 of 20 runs.
      Refuted.
      See it: lockstorm run 'my files/mine.yaml' --seed 7

`)
	s := mixed()
	s.Scenarios = s.Scenarios[:1]
	equal(t, claims(s).Markdown(), `
| claimed by Kleppmann | tested by | measured | finding |
| --- | --- | --- | --- |
| A pause corrupts the data. | `+"`kleppmann/gc-pause`"+` | belief and storage break in 20 of 20 runs, quorum breaks in 1 of 20 runs; late-write happens in each | Confirmed. |
`)
	if got := claims(mixed()).Markdown(); strings.Count(got, "| --- | --- | --- | --- |") != 3 || !strings.Contains(got, "**nothing breaks in 20 runs; NOT AS EXPECTED") {
		t.Error(got)
	}
}

func TestJUnitHasACaseForEachAndTheCommandInTheBody(t *testing.T) {
	equal(t, string(suites.JUnit("lockstorm test", entriesOf(mixed()), []time.Duration{1500 * time.Millisecond, 0, 2 * time.Second})), `
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="lockstorm" tests="3" failures="1" errors="1" time="3.500">
  <testsuite name="lockstorm test" tests="3" failures="1" errors="1" skipped="0" time="3.500">
    <testcase classname="kleppmann" name="gc-pause" time="1.500">
      <properties>
        <property name="blackbox.mutex" value="violated in 20 of 20 runs"></property>
        <property name="blackbox.lease" value="violated in 2, unknown in 1 and holds in 17 of 20 runs"></property>
        <property name="blackbox.register" value="holds"></property>
      </properties>
    </testcase>
    <testcase classname="files" name="my files/mine.yaml" file="my files/mine.yaml" time="0.000">
      <failure message="belief should hold, and is violated in 2 of 20 runs and is unknown in 1 of 20 runs; contended should happen, and never did in 1 of 20 runs" type="not-as-expected">
belief should hold, and is violated in 2 of 20 runs and is unknown in 1 of 20 runs.
contended should happen, and never did in 1 of 20 runs.
See it: lockstorm run &#39;my files/mine.yaml&#39; --seed 7
</failure>
    </testcase>
    <testcase classname="antirez" name="short" time="2.000">
      <error message="fenced should be violated, and is unknown in 1 of 20 runs" type="unknown">
fenced should be violated, and is unknown in 1 of 20 runs.
See it: lockstorm run antirez/short --seed 9
</error>
    </testcase>
  </testsuite>
</testsuites>
`)
	got := string(suites.JUnit("lockstorm test", entriesOf(killed()), nil))
	for _, want := range []string{
		`tests="3" failures="2" errors="0" time="0.000"`, `<testcase classname="kleppmann/pause" name="no-check" time="0.000"></testcase>`,
		`<testcase classname="mine.yaml" name="harmless" file="mine.yaml" time="0.000">`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %s in\n%s", want, got)
		}
	}
}

// XML knows no control characters, and no text that is not UTF-8, whatever a file is named.
func TestJUnitIsAlwaysValidXML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		odd := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
			rapid.SampledFrom([]string{"]]>", "<!--", "&", "\"'", "\x00\x01\x1f", "\xff\xfe", "\ufffe", "a\r\nb"}))
		s := mixed()
		for i := range s.Scenarios {
			c := &s.Scenarios[i]
			c.Scenario, c.File, c.Command = odd.Draw(t, "id"), odd.Draw(t, "file"), odd.Draw(t, "command")
			c.Wrong = append(c.Wrong, odd.Draw(t, "wrong"))
		}
		d := xml.NewDecoder(bytes.NewReader(suites.JUnit("lockstorm test", entriesOf(s), nil)))
		cases := 0
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "testcase" {
				cases++
			}
		}
		if cases != 3 {
			t.Fatalf("%d cases", cases)
		}
	})
}

// A row of a table stays one row, with as many cells as its head.
func TestMarkdownRowStaysOneRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := mixed()
		s.Scenarios = s.Scenarios[:1]
		c := &s.Scenarios[0]
		c.Title = rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("|\\`\n\r<> a")))).Draw(t, "title")
		c.File = rapid.StringOf(rapid.SampledFrom([]rune("|\\`\n a."))).Draw(t, "file")
		c.Claim.Says = c.Title
		for _, text := range []string{document(s).Markdown(), claims(s).Markdown()} {
			lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			row := strings.NewReplacer(`\\`, "", `\|`, "").Replace(lines[len(lines)-1])
			if !strings.HasPrefix(lines[len(lines)-2], "| ---") || strings.Count(row, "|") != 5 {
				t.Fatalf("%s", text)
			}
		}
	})
}

func TestAnnotationsAreNineAndACount(t *testing.T) {
	equal(t, suites.Annotations(entriesOf(mixed())), `
::error title=FAIL my files/mine.yaml,file=my files/mine.yaml::belief should hold, and is violated in 2 of 20 runs and is unknown in 1 of 20 runs.%0Acontended should happen, and never did in 1 of 20 runs.%0ASee it: lockstorm run 'my files/mine.yaml' --seed 7
::error title=UNKNOWN antirez/short::fenced should be violated, and is unknown in 1 of 20 runs.%0ASee it: lockstorm run antirez/short --seed 9
`)
	odd := mixed()
	odd.Scenarios = odd.Scenarios[1:2]
	odd.Scenarios[0].File, odd.Scenarios[0].Wrong, odd.Scenarios[0].Command = "a:b,100%\r\n.yaml", []string{"50%: a,\r\nb"}, "do"
	equal(t, suites.Annotations(entriesOf(odd)),
		"::error title=FAIL a%3Ab%2C100%25%0D%0A.yaml,file=a%3Ab%2C100%25%0D%0A.yaml::50%25: a,%0D%0Ab.%0ASee it: do\n")
	for n, last := range map[int]string{0: "", 9: "s9", 10: "::1 more is not as expected; the summary of the job names them all.", 12: "::3 more are not as expected"} {
		var s suites.Suite
		for i := range n {
			s.Scenarios = append(s.Scenarios, suites.Case{Scenario: fmt.Sprintf("a/s%d", i+1), Verdict: scenarios.Fail, Wrong: []string{"x"}}, suites.Case{Verdict: scenarios.Pass})
		}
		lines := strings.Split(strings.TrimSuffix(suites.Annotations(entriesOf(s)), "\n"), "\n")
		if n > 0 && len(lines) != min(n, 10) || !strings.Contains(lines[len(lines)-1], last) {
			t.Errorf("%d: %q", n, lines)
		}
	}
}

func TestSuiteSurvivesJSON(t *testing.T) {
	for _, s := range []suites.Suite{mixed(), killed()} {
		var again suites.Suite
		if err := json.Unmarshal(reports.JSON(s), &again); err != nil || !bytes.Equal(reports.JSON(again), reports.JSON(s)) {
			t.Errorf("%v\n%s", err, reports.JSON(s))
		}
	}
	want := `{
  "schema_version": 1,
  "lockstorm": "9.9.9",
  "seed": 1,
  "runs": 20,
  "verdict": "fail",
  "scenarios": [],
  "mutants": [
    {
      "mutant": "no-check",
      "scenario": "kleppmann/pause",
      "about": "",
      "precedent": "a | library #1",
      "breaks": [
        "belief",
        "storage"
      ],
      "within": 1,
      "runs": 20,
      "verdict": "pass",
      "reference_survived": 20,
      "mutant_caught": 19,
      "first_caught": 2,
`
	if got := string(reports.JSON(killed())); !strings.HasPrefix(got, want) {
		t.Error(got)
	}
}

func TestTheVerdictOfASuiteIsTheWorst(t *testing.T) {
	for words, want := range map[string]scenarios.Verdict{
		"pass pass": scenarios.Pass, "pass unknown pass": scenarios.Unknown, "unknown fail pass": scenarios.Fail, "fail": scenarios.Fail,
	} {
		var s, m suites.Suite
		for _, word := range strings.Fields(words) {
			var v scenarios.Verdict
			if err := v.UnmarshalText([]byte(word)); err != nil {
				t.Fatal(err)
			}
			s.Scenarios = append(s.Scenarios, suites.Case{Verdict: v})
			m.Mutants = append(m.Mutants, suites.MutantResult{Verdict: v})
		}
		if got := s.Conclude(); got != want || s.Verdict != want || m.Conclude() != want {
			t.Errorf("%s: %v, %s", words, got, s.Verdict)
		}
	}
}

// tally counts runs, each given by its verdict, the verdicts of belief and storage, and whether contended happened.
func tally(runs ...[4]uint8) (t campaign.Tally) {
	t.Properties = []campaign.Frequency{{Name: "belief"}, {Name: "storage"}}
	t.Sometimes = []campaign.Frequency{{Name: "contended"}}
	for _, r := range runs {
		t.Runs++
		switch scenarios.Verdict(r[0]) {
		case scenarios.Pass:
			t.Pass++
		case scenarios.Fail:
			t.Fail++
		default:
			t.Unknown++
		}
		t.Properties[0].Add(checker.Verdict(r[1]))
		t.Properties[1].Add(checker.Verdict(r[2]))
		t.Sometimes[0].Add(checker.Verdict(r[3]))
		for k := range t.Properties {
			t.Properties[k].Holds = t.Properties[k].Count.Holds()
		}
		t.Sometimes[0].Holds = t.Sometimes[0].Count.Holds()
		t.Verdict = max(t.Verdict, scenarios.Verdict(r[0]))
	}
	return t
}

func TestCaseNamesWhatWasUnexpected(t *testing.T) {
	const holds, unknown, violated = uint8(checker.Holds), uint8(checker.Unknown), uint8(checker.Violated)
	const pass, fail = uint8(scenarios.Pass), uint8(scenarios.Fail)
	broken := []scenarios.Expectation{{Property: "belief", Verdict: checker.Violated}}
	for _, c := range []struct {
		expect []scenarios.Expectation
		tally  campaign.Tally
		want   []string
	}{
		{nil, tally([4]uint8{pass, holds, holds, holds}), []string{}},
		{broken, tally([4]uint8{pass, violated, holds, holds}), []string{}},
		{nil, tally([4]uint8{fail, violated, violated, holds}), []string{"belief and storage should hold, and are violated in 1 of 1 run"}},
		{nil, tally([4]uint8{fail, violated, holds, holds}, [4]uint8{uint8(scenarios.Unknown), unknown, unknown, holds}),
			[]string{"belief should hold, and is violated in 1 of 2 runs and is unknown in 1 of 2 runs", "storage should hold, and is unknown in 1 of 2 runs"}},
		{broken, tally([4]uint8{fail, holds, holds, violated}, [4]uint8{fail, violated, holds, unknown}),
			[]string{"belief should be violated, and holds in 1 of 2 runs",
				"contended should happen, and never did in 1 of 2 runs and is not known to have happened in 1 of 2 runs"}},
	} {
		s := &scenarios.Scenario{ID: "a/b", Expect: c.expect}
		got := suites.New("", 1, 9).Add(s, "")
		for k := range c.tally.Properties {
			c.tally.Properties[k].Expect = s.Expected(c.tally.Properties[k].Name)
		}
		got.Ran(s, c.tally, "do it")
		if !reflect.DeepEqual(got.Wrong, c.want) || (got.First == nil) != (c.tally.Verdict == scenarios.Pass) || got.Command != "do it" {
			t.Errorf("%q, first %v, want %q", got.Wrong, got.First, c.want)
		}
	}
}

func TestMutantResultNamesSurvivors(t *testing.T) {
	m := scenarios.Mutant{Name: "m", Breaks: []string{"belief", "quorum"}, Within: 3}
	good, bad := tally([4]uint8{}, [4]uint8{}), tally([4]uint8{}, [4]uint8{uint8(scenarios.Fail), uint8(checker.Violated)})
	for _, c := range []struct {
		death   campaign.MutantResult
		verdict scenarios.Verdict
		wrong   []string
	}{
		{campaign.MutantResult{Runs: 9, Reference: good, Killed: 1, First: 3, Mutant: scenarios.Pass}, scenarios.Pass, []string{}},
		{campaign.MutantResult{Runs: 9, Reference: good, Mutant: scenarios.Fail}, scenarios.Fail, []string{"the mutant should break belief and quorum, and survives 9 runs"}},
		{campaign.MutantResult{Runs: 9, Reference: good, Killed: 1, First: 7, Mutant: scenarios.Fail}, scenarios.Fail,
			[]string{"the mutant should be killed within 3 runs, and is first killed with seed 7"}},
		{campaign.MutantResult{Runs: 9, Reference: good, Mutant: scenarios.Unknown}, scenarios.Unknown,
			[]string{"the mutant is not known to break belief and quorum: runs were cut short"}},
		{campaign.MutantResult{Runs: 9, Reference: bad, Killed: 9, First: 1, Mutant: scenarios.Pass}, scenarios.Fail,
			[]string{"of the reference, belief should hold, and is violated in 1 of 2 runs"}},
	} {
		s := &scenarios.Scenario{ID: "a/b"}
		d := suites.New("", 1, 1).AddMutant(s, m, "")
		if d.Runs != 3 {
			t.Errorf("%d runs are promised, and it may take 3", d.Runs)
		}
		d.Ran(s, c.death, "do it")
		if d.Verdict != c.verdict || !reflect.DeepEqual(d.Wrong, c.wrong) || (d.First == nil) != (c.death.Killed == 0) ||
			d.Survived != c.death.Reference.Pass || d.Killed != c.death.Killed {
			t.Errorf("%+v, want %s %q", d, c.verdict, c.wrong)
		}
	}
}

// A finding is about the runs that were made. Of what no run can show it says so.
var verdictOfAClaim = regexp.MustCompile(`^(Holds|Not as stated|Depends on)\b`)

// What the two said in their debate, as far as the locks here can express it: who said it, and the scenario that tests
// it. The table of claims must not lose one.
func TestNoClaimOfTheDebateIsMissing(t *testing.T) {
	want := map[string]string{
		"kleppmann/gc-pause": "Kleppmann", "kleppmann/pause-after-check": "Kleppmann", "kleppmann/delayed-write": "Kleppmann",
		"kleppmann/clock-jump": "Kleppmann", "kleppmann/clock-jump-together": "Kleppmann", "kleppmann/crash-restart-together": "Kleppmann",
		"kleppmann/crash-restart": "Kleppmann", "kleppmann/delayed-restart-jump": "Kleppmann",
		"kleppmann/pause-before-reply": "Kleppmann", "fencing/counter-loss": "Kleppmann", "fencing/diverging-counters": "Kleppmann",
		"fencing/counter-unavailable": "Kleppmann", "fencing/written-back": "Kleppmann",
		"kleppmann/asynchronous-redlock": "Kleppmann", "kleppmann/asynchronous-row-lock": "Kleppmann", "antirez/monotonic-expiry": "antirez",
		"efficiency/dedup": "Kleppmann", "kleppmann/disk-stall": "Kleppmann",
		"kleppmann/delayed-reply": "antirez", "antirez/delayed-restart": "antirez", "antirez/client-clock-back": "antirez",
		"antirez/ntp-slew": "antirez", "antirez/rate-drift": "antirez", "antirez/token-cas": "antirez", "antirez/lock-order": "antirez",
	}
	for id, by := range want {
		if c := reportstest.Scenario(t, id).Claim; c.By != by || c.Says == "" || c.Finding == "" {
			t.Errorf("%s has the claim %+v, which should be of %s", id, c, by)
		}
	}
	for _, s := range scenarios.Catalogue() {
		if (s.Claim.By == "Kleppmann" || s.Claim.By == "antirez") && want[s.ID] == "" {
			t.Errorf("%s is not in this list", s.ID)
		}
		if c := s.Claim; c.Says != "" && (!strings.HasSuffix(c.Says, ".") || !strings.HasSuffix(c.Finding, ".") || c.By == "") {
			t.Errorf("%s has half a claim: %+v", s.ID, c)
		}
		if c := s.Claim; c.Says != "" && !verdictOfAClaim.MatchString(c.Finding) {
			t.Errorf("%s: %q says more or less than runs show; begin with Holds, Not as stated or Depends on", s.ID, c.Finding)
		}
	}
}

func entriesOf(s suites.Suite) []suites.Entry { return s.Entries() }

func document(s suites.Suite) *reports.Document { return s.Document() }
func claims(s suites.Suite) *reports.Document   { return s.Claims() }
