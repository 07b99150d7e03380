package campaigns_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// swept returns a small sweep.
func swept(t *testing.T, s *scenarios.Scenario, runs int, properties []string, axes ...string) campaigns.Sweep {
	t.Helper()
	w := campaign.Sweep{Scenario: s, First: 1, Runs: runs, Workers: 2, Tight: 100_000, Properties: properties}
	for _, text := range axes {
		a, err := campaign.ParseAxis(s, text)
		if err != nil {
			t.Fatal(err)
		}
		w.Axes = append(w.Axes, a)
	}
	if err := w.Check(); err != nil {
		t.Fatal(err)
	}
	return campaigns.NewSweep(&w, w.Run())
}

func TestTranscriptsOfSweeps(t *testing.T) {
	pause := reportstest.Scenario(t, "kleppmann/gc-pause")
	one := swept(t, pause, 150, []string{"belief", "validity"}, "pause.for=9800ms..10200ms:lin:5")
	one.Command = "lockstorm run kleppmann/gc-pause"
	two := swept(t, pause, 60, []string{"belief", "fenced"}, "lock.ttl=1s..16s:log:5", "pause.for=1s..16s:log:5")
	three := swept(t, pause, 50, []string{"storage"}, "lock.ttl=5s,20s", "nodes=3,5", "lock.contact=sequential,parallel")
	none := swept(t, pause, 500, []string{"validity", "quorum", "fenced"})
	for _, c := range []struct{ file, prose, text string }{
		{"sweep-one", "How long a pause must be to outlast a lock of 10 s: a table with bars, and cells that stop early.", one.Document().Text(reports.Screen{})},
		{"sweep-two", "Pauses against TTLs: a map, whose diagonal is the edge.", two.Document().Text(reports.Screen{})},
		{"sweep-three", "Along more axes than two there is a list.", three.Document().Text(reports.Screen{})},
		{"sweep-none", "Without an axis, one cell, and what can be claimed.", none.Document().Text(reports.Screen{})},
		{"sweep-markdown", "The map as Markdown.", two.Document().Markdown()},
		{"sweep-csv", "The list as CSV.", three.Document().CSV()},
		{"sweep-json", "One cell as JSON.", string(reports.JSON(none))},
	} {
		reportstest.Golden(t, c.file, c.prose+"\n\n"+c.text)
		if !strings.Contains(c.file, "markdown") {
			for line := range strings.Lines(c.text) {
				reportstest.Tidy(t, strings.TrimSuffix(line, "\n"))
			}
		}
	}
}

func TestTranscriptsOfEdges(t *testing.T) {
	edges := func(scenario *scenarios.Scenario, halve string, seeds int) string {
		t.Helper()
		s, err := study.Parse("edges.yaml", []byte(fmt.Sprintf("title: x\nabout: What is halved.\nscenario: %s\nruns: %d\nx: {halve: %q}\n",
			scenario.ID, seeds, halve)))
		if err != nil {
			t.Fatal(err)
		}
		all, err := s.Bounds(scenario)
		if err != nil {
			t.Fatal(err)
		}
		e := runs.NewEdges(s, []runs.Line{{Scenario: scenario, Edges: all[0].Edges()}})
		return e.Document().Text(reports.Screen{})
	}
	reportstest.Golden(t, "edges", "How long a node must stay away: where a bound is stated, and where none is.\n\n"+
		edges(reportstest.Scenario(t, "antirez/delayed-restart-short", "work.stagger=9s"), "restart.for=5s..11s", 3))
	reportstest.Golden(t, "edges-unstated", "A setting that no law speaks of.\n\n"+
		edges(reportstest.Scenario(t, "kleppmann/gc-pause"), "pause.for=1s..30s", 1))
}

func TestTranscriptsOfMatrices(t *testing.T) {
	need.Long(t)
	s, v := shipped(t, "matrix", "", 20, "single*")
	v.Job.Each(2, func(rows []campaign.Row) bool { v.AddAll(rows); return true })
	x := campaigns.NewStudy(s, v)
	breaches := s.Broken(v)
	for _, l := range v.Job.Shrink(breaches, 80, 2, func() bool { return false }, func() {}) {
		x.Breaks(l, "", "")
	}
	reportstest.Golden(t, "matrix", "Locks on one node, against all that can go wrong.\n\n"+x.Document().Text(reports.Screen{}))
	reportstest.Golden(t, "matrix-markdown", "The same as Markdown.\n\n"+x.Document().Markdown())
	for line := range strings.Lines(x.Document().Text(reports.Screen{})) {
		reportstest.Tidy(t, strings.TrimSuffix(line, "\n"))
	}
	var back campaigns.Study
	if err := json.Unmarshal(reports.JSON(x), &back); err != nil || len(back.Cells) != len(back.Lines)*len(back.Columns)*len(s.Measures(0)) {
		t.Errorf("%v, and there are %d cells", err, len(back.Cells))
	}
	n := len(s.Measures(0))
	for place := 0; place < len(back.Cells); place += n {
		sought := false // the first of a place's promises that broke has a counterexample
		for i, c := range back.Cells[place : place+n] {
			broke := c.Violated > 0
			if c.Measure != s.Measures(0)[i].Name || broke != (c.FirstSeed != nil) || *c.Low > *c.High || broke && !sought != (c.Counterexample != nil) {
				t.Errorf("%+v", c)
			}
			sought = sought || broke
		}
	}
}

// What the forms of a sweep say is the same.
func TestTheCSVOfASweepSaysWhatItsJSONSays(t *testing.T) {
	s := swept(t, reportstest.Scenario(t, "kleppmann/gc-pause"), 50, nil, "work.work=1ms..2ms,3ms", "lock.ttl=1s..20s:lin:3")
	lines, err := csv.NewReader(strings.NewReader(s.Document().CSV())).ReadAll()
	if err != nil || len(lines) != 1+len(s.Cells)*10 {
		t.Fatalf("%v, and %d lines", err, len(lines))
	}
	for i, line := range lines[1:] {
		c := s.Cells[i/10]
		if "work.work="+line[0] != c.Settings[0] || "lock.ttl="+line[1] != c.Settings[1] || line[3] != c.Properties[i%10].Name {
			t.Errorf("%v, and %+v", line, c)
		}
	}
}

// Rounding hides neither a single violation among many runs nor a single run without one.
func TestNeitherAFewNorAlmostAllLookLikeNoneOrAll(t *testing.T) {
	cells := func(violated, runs int) string {
		s := campaigns.NewSweep(&campaign.Sweep{Scenario: reportstest.Scenario(t, "kleppmann/gc-pause"), Axes: []campaign.Axis{{Key: "nodes", Values: []scenarios.Value{"3"}}}},
			[]campaign.CellResult{{Cell: campaign.Cell{{Key: "nodes", Value: "3"}}, Runs: runs, Properties: []campaign.Frequency{{Name: "belief", Count: stats.Count{Violated: violated, Runs: runs}}}}})
		return strings.Join(strings.Fields(s.Document().Text(reports.Screen{})), " ")
	}
	for _, c := range []struct {
		violated, runs int
		want           string
	}{
		{1, 10_000, " <0.1 % "}, {9_999, 10_000, " >99.9 % "}, {10_000, 10_000, " 100 % "}, {1, 3, " 33.3 % "}, {1, 1000, " 0.1 % "}, {1, 8, " 12.5 % "},
	} {
		if got := cells(c.violated, c.runs); !strings.Contains(got, c.want) {
			t.Errorf("%d of %d: %s", c.violated, c.runs, got)
		}
	}
}

// Each cell says where its fencing tokens come from, and the text does once where it is the same in all.
func TestASweepSaysWhereTokensComeFrom(t *testing.T) {
	sweep := func(values ...scenarios.Value) campaigns.Sweep {
		w := campaign.Sweep{Scenario: reportstest.Scenario(t, "fencing/written-back"), Axes: []campaign.Axis{{Key: "fencing.source", Values: values}}, First: 1, Runs: 1}
		return campaigns.NewSweep(&w, w.Run())
	}
	for _, c := range []struct {
		values []scenarios.Value
		want   string
	}{
		{[]scenarios.Value{"ideal"}, "Fencing tokens come from a perfect counter; no real system has one."},
		{[]scenarios.Value{"ideal", "node", "none"}, "Where fencing tokens come from depends on the cell: an oracle; INCR on n1; nowhere."},
	} {
		s := sweep(c.values...)
		if text := strings.Join(strings.Fields(s.Document().Text(reports.Screen{})), " "); !strings.Contains(text, c.want) {
			t.Errorf("%v: %s", c.values, text)
		}
		if s.Cells[0].Tokens != "an oracle" {
			t.Errorf("%v: %q", c.values, s.Cells[0].Tokens)
		}
	}
}
