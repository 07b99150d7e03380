package campaigns_test

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/bounds"
	"github.com/lockstorm/lockstorm/reports/internal/campaigns"
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
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
		{"sweep-one", "How long a pause must be to outlast a lock of 10 s: a table with bars, and cells that stop early.", one.Document().Text(layout.Screen{})},
		{"sweep-two", "Pauses against TTLs: a map, whose diagonal is the edge.", two.Document().Text(layout.Screen{})},
		{"sweep-three", "Along more axes than two there is a list.", three.Document().Text(layout.Screen{})},
		{"sweep-none", "Without an axis, one cell, and what can be claimed.", none.Document().Text(layout.Screen{})},
		{"sweep-markdown", "The map as Markdown.", two.Document().Markdown()},
		{"sweep-csv", "The list as CSV.", three.Document().CSV()},
		{"sweep-json", "One cell as JSON.", string(layout.JSON(none))},
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
	s := reportstest.Scenario(t, "antirez/delayed-restart-short", "work.stagger=9s")
	span, err := campaign.ParseSpan(s, "restart.for=5s..11s")
	if err != nil {
		t.Fatal(err)
	}
	b := campaign.BoundSearch{Scenario: s, Span: span, First: 1, Seeds: 3}
	reportstest.Golden(t, "edges", "How long a node must stay away: where a bound is stated, and where none is.\n\n"+
		edgesText(bounds.NewEdges(s, 1, 3, b.Edges())))
	pause := reportstest.Scenario(t, "kleppmann/gc-pause")
	if span, err = campaign.ParseSpan(pause, "pause.for=1s..30s"); err != nil {
		t.Fatal(err)
	}
	b = campaign.BoundSearch{Scenario: pause, Span: span, First: 1, Seeds: 1}
	reportstest.Golden(t, "edges-unstated", "A setting that no law speaks of.\n\n"+edgesText(bounds.NewEdges(pause, 1, 1, b.Edges())))
}

func TestTranscriptsOfMatrices(t *testing.T) {
	need.Long(t)
	m := campaign.Matrix{Locks: "single*", First: 1, Runs: 20, Workers: 2, Shrink: 80, Properties: campaign.MatrixProperties}
	x := campaigns.NewMatrix(&m, m.Run())
	reportstest.Golden(t, "matrix", "Locks on one node, against all that can go wrong.\n\n"+x.Document().Text(layout.Screen{}))
	reportstest.Golden(t, "matrix-markdown", "The same as Markdown.\n\n"+x.Document().Markdown())
	for line := range strings.Lines(x.Document().Text(layout.Screen{})) {
		reportstest.Tidy(t, strings.TrimSuffix(line, "\n"))
	}
	var back campaigns.Matrix
	if err := json.Unmarshal(layout.JSON(x), &back); err != nil || len(back.Cells) != len(back.Locks)*len(back.Faults)*len(back.Properties) {
		t.Errorf("%v, and there are %d cells", err, len(back.Cells))
	}
	n := len(back.Properties)
	for place := 0; place < len(back.Cells); place += n {
		sought := false // the first of a place's properties that broke has a counterexample
		for i, c := range back.Cells[place : place+n] {
			broke := c.Verdict == checker.Violated
			if c.Property != back.Properties[i] || broke != (c.FirstSeed != nil) || c.Low > c.High || broke && !sought != (c.Counterexample != nil) {
				t.Errorf("%+v", c)
			}
			sought = sought || broke
		}
	}
	sentences := strings.Split(strings.TrimSuffix(x.Sentences().Text(layout.Screen{}), "\n"), "\n")
	reportstest.Golden(t, "matrix-sentences", "What each cell supports.\n\n"+strings.Join(sentences[:40], "\n")+"\n")
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
			[]campaign.Spot{{Cell: campaign.Cell{{Key: "nodes", Value: "3"}}, Runs: runs, Properties: []campaign.Frequency{{Name: "belief", Count: stats.Count{Violated: violated, Runs: runs}}}}})
		return strings.Join(strings.Fields(s.Document().Text(layout.Screen{})), " ")
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

func TestACellOfTheMatrixIsRoundedToWholePerCent(t *testing.T) {
	for _, c := range []struct {
		violated, runs int
		want           string
	}{
		{0, 300, "0"}, {1, 300, "<1"}, {2, 3, "67"}, {1, 3, "33"}, {1, 8, "13"}, {299, 300, ">99"}, {300, 300, "100"},
	} {
		m := campaign.Matrix{First: 1, Runs: c.runs, Properties: []string{"belief"}}
		var plots []campaign.Plot
		for _, w := range campaign.Columns() {
			plots = append(plots, campaign.Plot{Variant: &campaign.Variants()[0], Faults: w, Runs: c.runs, Found: []campaign.Frequency{{Name: "belief", Count: stats.Count{Violated: 1, Runs: c.runs}}}})
		}
		plots[0].Found[0].Violated = c.violated
		x := campaigns.NewMatrix(&m, plots)
		for line := range strings.Lines(x.Document().Text(layout.Screen{})) {
			if words := strings.Fields(line); len(words) == 14 && words[0] == "redlock" && words[1] != c.want {
				t.Errorf("%d of %d is shown as %s, want %s", c.violated, c.runs, words[1], c.want)
			}
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
		{[]scenarios.Value{"ideal"}, "Fencing tokens come from an oracle, which no system has."},
		{[]scenarios.Value{"ideal", "node", "none"}, "Where fencing tokens come from depends on the cell: an oracle; INCR on n1; nowhere."},
	} {
		s := sweep(c.values...)
		if text := strings.Join(strings.Fields(s.Document().Text(layout.Screen{})), " "); !strings.Contains(text, c.want) {
			t.Errorf("%v: %s", c.values, text)
		}
		if s.Cells[0].Tokens != "an oracle" {
			t.Errorf("%v: %q", c.values, s.Cells[0].Tokens)
		}
	}
}

func edgesText(e bounds.Edges) string { return e.Document().Text(layout.Screen{}) }
