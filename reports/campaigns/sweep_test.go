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
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// swept returns the outcome of a sweep.
func swept(t *testing.T, id string, runs int, measure string, set []string, axes ...string) *study.Result {
	t.Helper()
	base := reportstest.Scenario(t, id)
	var all []campaign.Axis
	for _, text := range axes {
		a, err := campaign.ParseAxis(base, text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	made, err := study.Sweep(base, all)
	if err != nil {
		t.Fatal(err)
	}
	made.Title, made.Scenario, made.Set, made.Runs, made.Measure = "A sweep", id, set, runs, measure
	s, err := study.Parse("x.yaml", made.File())
	if err != nil {
		t.Fatal(err)
	}
	j, err := s.Job(base)
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Survey(j)
	if err != nil {
		t.Fatal(err)
	}
	j.Each(2, func(rows []campaign.Row) bool { v.AddAll(rows); return true })
	return s.Result(v)
}

func TestTranscriptsOfSweeps(t *testing.T) {
	const pause = "kleppmann/gc-pause"
	one := swept(t, pause, 150, "belief, validity", nil, "pause.for=9800ms..10200ms:lin:5")
	one.Command = "lockstorm run kleppmann/gc-pause"
	two := swept(t, pause, 60, "belief, fenced", nil, "lock.ttl=1s..16s:log:5", "pause.for=1s..16s:log:5")
	three := swept(t, pause, 50, "storage", nil, "lock.ttl=5s,20s", "nodes=3,5", "lock.contact=sequential,parallel")
	none := swept(t, pause, 500, "validity, quorum, fenced", nil)
	for _, c := range []struct{ file, prose, text string }{
		{"sweep-one", "How long a pause must be to outlast a lock of 10 s: what was counted, with intervals.", campaigns.Study(one).Text(reports.Screen{})},
		{"sweep-two", "Pauses against TTLs: a map, whose diagonal is the edge.", campaigns.Study(two).Text(reports.Screen{})},
		{"sweep-three", "Along more axes than two each line has several settings.", campaigns.Study(three).Text(reports.Screen{})},
		{"sweep-none", "Without an axis, one cell, and what can be claimed.", campaigns.Study(none).Text(reports.Screen{})},
		{"sweep-markdown", "The map as Markdown.", campaigns.Study(two).Markdown()},
		{"sweep-csv", "The map as CSV.", campaigns.Study(three).CSV()},
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
		return runs.Edges(s.Edges(all)).Text(reports.Screen{})
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
	x := s.Result(v)
	breaches := s.Broken(v)
	for _, l := range v.Job.Shrink(breaches, 80, 2, func() bool { return false }, func() {}) {
		x.Breaks(l, "", "")
	}
	reportstest.Golden(t, "matrix", "Locks on one node, against all that can go wrong.\n\n"+campaigns.Study(x).Text(reports.Screen{}))
	reportstest.Golden(t, "matrix-markdown", "The same as Markdown.\n\n"+campaigns.Study(x).Markdown())
	for line := range strings.Lines(campaigns.Study(x).Text(reports.Screen{})) {
		reportstest.Tidy(t, strings.TrimSuffix(line, "\n"))
	}
	var back study.Result
	if err := json.Unmarshal(reports.JSON(x), &back); err != nil || len(back.Cells) != len(back.Lines)*len(back.Columns)*len(s.Measures(0)) {
		t.Errorf("%v, and there are %d cells", err, len(back.Cells))
	}
	n := len(s.Measures(0))
	for place := 0; place < len(back.Cells); place += n {
		sought := false // the first of a place's promises that broke has a counterexample
		for i, c := range back.Cells[place : place+n] {
			broke := c.Violated > 0
			if c.Measure != s.Measures(0)[i] || broke != (c.FirstSeed != nil) || *c.Low > *c.High || broke && !sought != (c.Counterexample != nil) {
				t.Errorf("%+v", c)
			}
			sought = sought || broke
		}
	}
}

// The formats of a sweep agree.
func TestSweepCSVAgreesWithJSON(t *testing.T) {
	x := swept(t, "kleppmann/gc-pause", 50, "belief, storage", nil, "work.work=1ms..2ms,3ms", "lock.ttl=1s..20s:lin:3")
	lines, err := csv.NewReader(strings.NewReader(campaigns.Study(x).CSV())).ReadAll()
	if err != nil || len(lines) != 1+len(x.Cells) {
		t.Fatalf("%v, and %d lines", err, len(lines))
	}
	for i, line := range lines[1:] {
		c := x.Cells[i]
		if line[0] != c.Line || line[1] != c.Value || line[3] != fmt.Sprint(c.Violated) || line[9] != c.Measure.String() {
			t.Errorf("%v, and %+v", line, c)
		}
	}
}
