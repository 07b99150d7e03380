package runs_test

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// measured returns the bounds of a scenario of the catalogue with seed 1. All tests share them, because measuring
// takes some tens of runs.
func measured(s *scenarios.Scenario) []campaign.Edge {
	edges, known := kept[s.ID]
	if !known {
		edges = campaign.Edges(s, 1)
		kept[s.ID] = edges
	}
	return edges
}

var kept = map[string][]campaign.Edge{}

// section returns the lines of a report below a headline, up to the next empty line.
func section(report, head string) []string {
	_, below, found := strings.Cut(report, "\n"+head+"\n")
	if !found {
		return nil
	}
	body, _, _ := strings.Cut(below, "\n\n")
	return strings.Split(body, "\n")
}

// A report shows the figures that its scenario measures.
func TestReportShowsTheScenariosFigures(t *testing.T) {
	for _, c := range []struct{ id, name, least string }{
		{"antirez/majority-crash", "unavailable", "7.900000"},
		{"antirez/majority-crash", "unavailable-longest", "7.900000"},
		{"distlock/partition-after-acquire", "unavailable", "19.900000"},
		{"distlock/partition-after-acquire", "unavailable-longest", "9.900000"},
		{"distlock/split-vote", "first-winner", "0.000001"},
		{"distlock/split-vote-no-jitter", "first-winner", "0.000001"},
		{"distlock/split-vote-sequential", "first-winner", "0.000001"},
		{"antirez/lock-order", "overtaken", "1"},
	} {
		report := textOf(reports.Screen{}, scenarios.Run(*reportstest.Scenario(t, c.id), 1), runs.Making{})
		shown := ""
		for _, line := range section(report, "figures:") {
			if f := strings.Fields(line); f[0] == c.name {
				shown = f[1]
			}
		}
		if len(shown) < len(c.least) || len(shown) == len(c.least) && shown < c.least {
			t.Errorf("%s shows %q as %s, want at least %s", c.id, shown, c.name, c.least)
		}
	}
}

func TestEmptyFiguresAreOmittedExceptUnavailable(t *testing.T) {
	r := &scenarios.Result{Scenario: reportstest.Scenario(t, "baseline/fault-free"), Evidence: &checker.Evidence{Clients: 1, Lanes: []string{"n1"}, End: 1}}
	report := textOf(reports.Screen{}, r, runs.Making{})
	got := strings.Join(section(report, "figures:"), "\n")
	if !strings.HasPrefix(got, "  unavailable  0.00000") || strings.Contains(got, " 0  ") {
		t.Errorf("%s", got)
	}
	r.Evidence.Lanes, r.Evidence.Clients = nil, 0
	if got := section(textOf((reports.Screen{}), r, runs.Making{}), "figures:"); got != nil {
		t.Errorf("nothing is known, and it says %q", got)
	}
}

// A count is next to its partner, also where that is 0.
func TestFigureIsNextToItsPartner(t *testing.T) {
	report := textOf(reports.Screen{}, scenarios.Run(*reportstest.Scenario(t, "kleppmann/clock-jump"), 1), runs.Making{})
	got := strings.Join(strings.Fields(strings.Join(section(report, "figures:"), " ")), " ")
	for _, want := range []string{"attempts 2 ", "attempts-lost 0 ", "updates-lost-plain 1 ", "updates-lost-fenced 0 "} {
		if !strings.Contains(got, want) {
			t.Errorf("it has no %q: %s", want, got)
		}
	}
}

// JSON has all figures, and null for those that are not known.
func TestFiguresAsJSON(t *testing.T) {
	r := scenarios.Run(*reportstest.Scenario(t, "kleppmann/gc-pause"), 1)
	got, want := runs.Describe(r, runs.Making{}).Figures, new(checker.Judge).Figures(r.Evidence)
	if len(got) != len(want) || len(got) < 16 {
		t.Fatalf("%d figures, want %d", len(got), len(want))
	}
	for i, f := range want {
		if got[i].Name != f.Name || got[i].Unit != f.Unit.String() || (got[i].Value != nil) != f.Known || f.Known && *got[i].Value != f.Value {
			t.Errorf("%+v is described as %+v", f, got[i])
		}
	}
	nobody := reports.JSON(runs.Describe(scenarios.Run(*reportstest.Scenario(t, "kleppmann/gc-pause", "network.loss=1", "lock.retry.attempts=1"), 1), runs.Making{}))
	if want := "\"name\": \"wait-max\",\n      \"unit\": \"nanoseconds\",\n      \"value\": null\n"; !strings.Contains(string(nobody), want) {
		t.Errorf("it has no %s", want)
	}
}

// The measured bound is next to the computed one, and both have their law in words.
func TestReportComparesMeasuredAndComputedBounds(t *testing.T) {
	s := reportstest.Scenario(t, "antirez/rate-drift")
	m := runs.Making{Edges: measured(s)}
	r := scenarios.Run(*s, 1)
	want := `  property  setting    computed       holds at   breaks at  runs
  quorum    clocks.n3  +10305.112ppm  +10405ppm  +10406ppm  18
  Computed as A / (T - A): at that rate the key is gone when the validity ends. T is the TTL, 10s; A
  is the allowance for drift, 102ms. The measured bound may be higher, because the key is set after
  the moment from which validity counts, and is kept a moment longer, in Redis to the end of a
  millisecond.`
	if got := strings.Join(section(textOf((reports.Screen{}), r, m), "bounds, each measured by halving:"), "\n"); got != want {
		t.Errorf("it says\n%s\nwant\n%s", got, want)
	}
	b := runs.Describe(r, m).Bounds
	if len(b) != 1 || b[0] != (campaign.Bound{
		Property: "quorum", Setting: "clocks.n3", From: "0ppm", To: "50000ppm", Formula: "fast-node",
		Law: "A / (T - A): at that rate the key is gone when the validity ends", Computed: "+10305.112ppm",
		Holds: "+10405ppm", Breaks: "+10406ppm", Runs: 18,
	}) {
		t.Errorf("%+v", b)
	}
}

func TestReportNamesMissingBounds(t *testing.T) {
	s := reportstest.Scenario(t, "leases/fast-client")
	m := runs.Making{Edges: measured(s)}
	r := scenarios.Run(*s, 1)
	want := `  property  setting    computed  holds at  breaks at  runs
  quorum    clocks.c1  none      -         -          2
  No bound lies between 0ppm and 50000ppm: quorum holds at both ends.
  Computed as none: in this direction a clock costs time, and breaks nothing.`
	if got := strings.Join(section(textOf((reports.Screen{}), r, m), "bounds, each measured by halving:"), "\n"); got != want {
		t.Errorf("it says\n%s\nwant\n%s", got, want)
	}
	if b := runs.Describe(r, m).Bounds[0]; b.Holds != "" || b.None == "" || b.Computed != "none" {
		t.Errorf("%+v", b)
	}
	if text := string(reports.JSON(runs.Describe(r, runs.Making{}))); !strings.Contains(text, `"bounds": []`) {
		t.Error("without bounds there is no empty list")
	}
}

// A formula is explained once, however many bounds it has.
func TestLawIsExplainedOnce(t *testing.T) {
	s := reportstest.Scenario(t, "antirez/delayed-restart-short")
	text := textOf(reports.Screen{}, scenarios.Run(*s, 1), runs.Making{Edges: measured(s)})
	if n := strings.Count(text, "Computed as T - A"); n != 1 {
		t.Errorf("it is told %d times", n)
	}
}

// A report is for reading: no line is too wide or ends in blanks, and no headline is without content.
func TestTheReportOfEachScenarioIsTidy(t *testing.T) {
	for i, s := range scenarios.Catalogue() {
		if !simtest.Long && i%6 > 0 {
			continue
		}
		report := textOf(reports.Screen{}, scenarios.Run(s, 1), runs.Making{Command: "again", Edges: measured(&s)})
		if rows := len(section(report, "bounds, each measured by halving:")); rows > 0 != (len(s.Bounds) > 0) || rows == 1 {
			t.Errorf("%s has %d bounds, and %d lines of them", s.ID, len(s.Bounds), rows)
		}
		lines := strings.Split(strings.TrimSuffix(report, "\n"), "\n")
		for i, line := range lines {
			if i < len(lines)-2 {
				reportstest.Tidy(t, line)
			}
			if strings.HasSuffix(line, ":") && strings.TrimSpace(lines[min(i+1, len(lines)-1)]) == "" {
				t.Errorf("%s: nothing stands below %q", s.ID, line)
			}
			if line == "" && lines[i-1] == "" {
				t.Errorf("%s: two empty lines before %q", s.ID, lines[i+1])
			}
		}
	}
}
