package campaign_test

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// drawnJob draws a job of a scenario that the catalogue may have or not.
func drawnJob(t *rapid.T) *campaign.Job {
	s, _ := scenarios.Find(rapid.SampledFrom([]string{"redlock/any", "kleppmann/gc-pause", "efficiency/dedup"}).Draw(t, "scenario"))
	if rapid.Bool().Draw(t, "own") {
		s.ID, s.Clients = "my/own", s.Clients+1
	}
	settings := []scenarios.Assignment{
		{Key: "lock.ttl", Value: "3s"}, {Key: "nodes", Value: "3"}, {Key: "lock.drift_factor", Value: "0"}, {Key: "search.faults", Value: "none"},
	}
	cell := rapid.Custom(func(t *rapid.T) campaign.Cell {
		return rapid.SliceOfNDistinct(rapid.SampledFrom(settings), 0, -1, func(a scenarios.Assignment) string { return a.Key }).Draw(t, "cell")
	})
	j := &campaign.Job{
		Kind: rapid.StringMatching(`[a-z]{0,8}`).Draw(t, "kind"), Scenario: &s, Cells: rapid.SliceOfN(cell, 1, 4).Draw(t, "cells"),
		First: rapid.Uint64Range(0, 1<<52).Draw(t, "first"), Runs: rapid.IntRange(1, 1<<30).Draw(t, "runs"), Size: 50,
	}
	return j
}

// A job is a value that can be written down: what is read is what was written, to the byte and to the last setting.
func TestJobSurvivesItsFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		j := drawnJob(t)
		if j.Check() != nil {
			t.Skip("its settings do not fit together")
		}
		text := j.JSON()
		read, err := campaign.ParseJob("job.json", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if again := read.JSON(); !bytes.Equal(again, text) {
			t.Fatalf("%s\nwant\n%s", again, text)
		}
		for i, c := range read.Cells {
			if c.String() != j.Cells[i].String() {
				t.Fatalf("cell %d is %s; want %s", i, c, j.Cells[i])
			}
		}
		read.Cells, read.Scenario = j.Cells, j.Scenario // an empty cell may be nil; of the scenario, the same text is the same
		if !reflect.DeepEqual(read, j) {
			t.Fatalf("%+v\nwant\n%+v", read, j)
		}
	})
}

// The rows follow from the file.
func TestTheRowsOfAJobFollowFromItsFile(t *testing.T) {
	j := grid(t, found(t, "kleppmann/gc-pause"), 4, "lock.ttl=10s,15s")
	read, err := campaign.ParseJob("job.json", j.JSON())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(read.All(2, nil), j.All(2, nil)) || string(read.JSON()) != string(j.JSON()) {
		t.Error("the file has other rows")
	}
}

// A cell may have another scenario, with its own faults: its rows are the rows of a job of that scenario.
func TestCellMayHaveItsOwnScenarioAndFaults(t *testing.T) {
	const schedule = "at 1s for 2ms pause c2\nat 2s for 3ms pause c1\n"
	pause := campaign.Cell{{Key: "scenario", Value: "kleppmann/gc-pause"}}
	j := &campaign.Job{Kind: "test", Scenario: found(t, "redlock/any"), First: 1, Runs: 3, Size: 2, Cells: []campaign.Cell{
		nil,
		append(slices.Clone(pause), scenarios.Assignment{Key: "lock.ttl", Value: "8s"}),
		append(slices.Clone(pause), scenarios.Assignment{Key: "faults", Value: schedule}),
	}}
	read, err := campaign.ParseJob("job.json", j.JSON())
	if err != nil {
		t.Fatal(err)
	}
	shorter, other := *found(t, "kleppmann/gc-pause"), *found(t, "kleppmann/gc-pause")
	if err := shorter.Set("lock.ttl=8s"); err != nil {
		t.Fatal(err)
	}
	if other.Faults, err = faults.Parse(schedule); err != nil {
		t.Fatal(err)
	}
	rows := read.All(2, nil)
	for cell, s := range []*scenarios.Scenario{&shorter, &other} {
		alone := campaign.Job{Kind: "test", Scenario: s, Cells: []campaign.Cell{nil}, First: 1, Runs: 3, Size: 2}
		for k, want := range alone.All(1, nil) {
			got := rows[3*(cell+1)+k]
			want.Missing = 0 // what did not happen is of the list of the job's own scenario
			if got.Cell = 0; !reflect.DeepEqual(got, want) {
				t.Errorf("cell %d, seed %d: %+v, and alone %+v", cell+1, want.Seed, got, want)
			}
		}
	}
}

func TestInvalidJobFileIsRejected(t *testing.T) {
	j := small(t)
	for name, c := range map[string]struct{ from, to, want string }{
		"no JSON":             {`"kind": "test",`, `"kind": "test"`, "job.json:4: invalid character"},
		"another field":       {`"kind"`, `"kin"`, `job.json:3: unknown field "kin"`},
		"more than a job":     {"\n}\n", "\n}\n{}", "more after the end"},
		"a word for a number": {`"runs": 25`, `"runs": "many"`, "cannot unmarshal string"},
		"another schema":      {`"schema_version": 1`, `"schema_version": 2`, "schema_version is 2; this Lockstorm reads 1"},
		"no such scenario":    {`"redlock/any"`, `"redlock/none"`, `there is no scenario "redlock/none" in the catalogue; give scenario_file`},
		"no setting":          {`"nodes=3"`, `"nodes"`, `job.json:7: "nodes" is not a setting; write KEY=VALUE`},
		"no list":             {"[\n      \"nodes=3\"\n    ]", `"nodes=3"`, "a cell is a list of settings"},
		"no such setting":     {`"nodes=5"`, `"modes=5"`, "cell 2 of 2 (lock.drift_factor=0 modes=5): there is no setting \"modes\""},
		"no such value":       {`"nodes=5"`, `"nodes=five"`, "cell 2 of 2"},
		"no such place":       {`"nodes=5"`, `"scenario=redlock/any"`, "cell 2 of 2"},
		"another catalogue":   {`"nodes=3"`, `"scenario=redlock/none"`, `scenario: there is no scenario "redlock/none" in the catalogue`},
		"no fault":            {`"nodes=3"`, `"faults=at 1s puase c1"`, "faults: "},
		"no runs":             {`"runs": 25`, `"runs": 0`, "it has 2, 0 and 7"},
	} {
		text := string(j.JSON())
		if !strings.Contains(text, c.from) {
			t.Fatalf("%s: the file has no %q:\n%s", name, c.from, text)
		}
		if _, err := campaign.ParseJob("job.json", []byte(strings.Replace(text, c.from, c.to, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %s", name, err, c.want)
		}
	}
}
