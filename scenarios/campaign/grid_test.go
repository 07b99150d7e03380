package campaign_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// grid returns a job with a cell for each combination of the axes' values, of a scenario that has passed its check.
func grid(t *testing.T, s *scenarios.Scenario, runs int, axes ...string) *campaign.Job {
	t.Helper()
	j := &campaign.Job{Kind: "test", Scenario: s, Cells: []campaign.Cell{nil}, First: 1, Runs: runs, Size: 50}
	for _, text := range axes {
		a, err := campaign.ParseAxis(s, text)
		if err != nil {
			t.Fatal(err)
		}
		var cells []campaign.Cell
		for _, c := range j.Cells {
			for _, v := range a.Values {
				cells = append(cells, append(slices.Clip(c), scenarios.Assignment{Key: a.Key, Value: v}))
			}
		}
		j.Cells = cells
	}
	if err := j.Check(); err != nil {
		t.Fatal(err)
	}
	return j
}

// The allowance of 102 ms in 10 s covers a clock that runs fast by A/(T-A), 10305.112 ppm. Up to there the majority is
// never lost. Beyond, it is, as soon as the way of a request and a millisecond are used up: always from 10,500 ppm on.
func TestNoMajorityIsLostBelowTheComputedRateAndSomeAboveIt(t *testing.T) {
	j := grid(t, found(t, "antirez/rate-drift", hasty), 40, "clocks.n3=0ppm,5000ppm,10305.112ppm,10380ppm,10500ppm,20000ppm")
	var got []int
	for _, c := range surveyed(t, j).Cells {
		got = append(got, c.Measured[judgedPlace("quorum")].Violated)
	}
	if got[0]+got[1]+got[2] > 0 || got[3] == 0 || got[3] == 40 || got[4] != 40 || got[5] != 40 {
		t.Errorf("lost in %v of 40 runs", got)
	}
}

// What a cell counts is what single runs show, one after the other.
func TestCellCountEqualsSingleRuns(t *testing.T) {
	j := grid(t, found(t, "kleppmann/gc-pause"), 60, "lock.ttl=5s,15s", "pause.for=14900ms,15100ms")
	r := scenarios.NewRunner()
	defer r.Close()
	mixed := false
	for _, spot := range surveyed(t, j).Cells {
		s := found(t, "kleppmann/gc-pause", spot.Cell[0].String(), spot.Cell[1].String())
		want := make([]campaign.Measured, len(s.Promises()))
		for seed := uint64(1); seed <= 60; seed++ {
			for k, f := range r.Run(s, seed).Findings {
				want[k].Name, want[k].Runs = f.Property, 60
				if f.Verdict == checker.Violated {
					if want[k].Violated++; want[k].Violated == 1 {
						want[k].FirstSeed = seed
					}
				}
			}
		}
		mixed = mixed || want[0].Violated > 0 && want[0].Violated < 60
		got := slices.Clone(spot.Measured)
		for k := range got {
			got[k].Values = nil
		}
		if !reflect.DeepEqual(got, want) || spot.Runs != 60 {
			t.Errorf("at %s: %+v of %d, want %+v", spot.Cell, got, spot.Runs, want)
		}
	}
	if !mixed {
		t.Error("no cell has a share between nothing and all: the test shows little")
	}
}

// A search picks settings at random; it must not change the setting of an axis.
func TestSearchLeavesTheSettingOfAnAxis(t *testing.T) {
	j := grid(t, found(t, "redlock/any"), 5, "lock.ttl=100ms,5s", "clients=1,4")
	for i := range j.Cells {
		s, err := j.In(i)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(20) {
			u := s.Universes().At(seed)
			if u.Lock.TTL != s.Lock.TTL || u.Clients != s.Clients {
				t.Errorf("at %s seed %d draws a TTL of %s and %d clients", j.Cells[i], seed, u.Lock.TTL, u.Clients)
			}
		}
	}
}

// With many seeds the edge is where the first of them breaks: no seed has an edge within.
func TestEdgeOfManySeedsIsTheFirstBreak(t *testing.T) {
	s := found(t, "antirez/rate-drift", hasty)
	e := campaign.EdgesOf(s, 1, 6)[0]
	least, at := rate(t, "+50000ppm"), uint64(0)
	for seed := uint64(1); seed <= 6; seed++ {
		if alone := rate(t, campaign.Edges(s, seed)[0].Holds); alone < least {
			least, at = alone, seed
		}
	}
	if rate(t, e.Holds) != least || *e.Seed != at || !e.Stated {
		t.Errorf("%+v; seed %d breaks first, beyond %s", e, at, least)
	}
}

// A stated bound is next to the edge, however the setting is named. If the scenario states no bound, the error says
// so.
func TestBoundSearchUsesStatedBounds(t *testing.T) {
	s := found(t, "antirez/delayed-restart-short", hasty)
	span, err := campaign.ParseSpan(s, "restart.for=5s..11s")
	if err != nil {
		t.Fatal(err)
	}
	b := campaign.BoundSearch{Scenario: s, Span: span, Properties: []string{"quorum", "belief", "tokens"}, First: 1, Seeds: 1}
	if err := b.Check(); err != nil {
		t.Fatal(err)
	}
	edges := b.Edges()
	if e := edges[1]; e.Bound.Property != "quorum" || !e.Stated || e.Computed != "9.898s" || describeEdge(e) == "" {
		t.Errorf("%+v", e)
	}
	if e := edges[0]; e.Bound.Property != "belief" || e.Stated || e.Computed != "" || e.None != "" {
		t.Errorf("%+v", e)
	}
	if e := edges[2]; e.None != "No bound lies between 5s and 11s: tokens holds at both ends, and at 7 values between." {
		t.Errorf("%+v", e)
	}
	s.Bounds = s.Bounds[:1]
	if want := campaign.Edges(s, 1)[0]; want.Holds != edges[1].Holds || want.Breaks != edges[1].Breaks {
		t.Errorf("%+v and %+v", want, edges[1])
	}
}

// A pause of 0 s is one for the rest of the run. So both ends break, and what is between must be looked at.
func TestBreakAtBothEndsCanHoldBetween(t *testing.T) {
	b := campaign.BoundSearch{
		Scenario: found(t, "kleppmann/gc-pause"), Span: campaign.Span{Key: "pause.for", From: "0s", To: "20s"}, Properties: []string{"belief"},
		First: 1, Seeds: 2,
	}
	want := "There is more than one bound between 0s and 20s for belief: it breaks at 0s, holds at 2.5s, breaks at 12.5s. " +
		"Look between two of these values."
	if e := b.Edges()[0]; e.None != want || e.Holds != "" {
		t.Errorf("%+v", e)
	}
	runs := 0
	b.Span.From, b.Stop = "1s", func() bool { runs++; return runs > 5 }
	if all := b.Edges(); len(all) > 0 || runs != 6 {
		t.Errorf("stopped at run %d, it gives %+v", runs, all)
	}
}

// One seed that breaks the property is enough, though others were cut short before they could.
func TestBrokenSeedCountsMoreThanACutOne(t *testing.T) {
	s := found(t, "kleppmann/gc-pause", "horizon=10300ms")
	b := campaign.BoundSearch{Scenario: s, Span: campaign.Span{Key: "pause.for", From: "1s", To: "30s"}, Properties: []string{"belief"}, First: 1, Seeds: 20}
	e := b.Edges()[0]
	cut := campaign.Plan{Scenario: found(t, "kleppmann/gc-pause", "horizon=10300ms", "pause.for=30s"), First: 1, Runs: 20, Workers: 1}.Run().Properties[0]
	if cut.Violated == 0 || cut.Unknown == 0 {
		t.Fatalf("the seeds agree: %+v", cut)
	}
	if e.None != "" && !strings.Contains(e.None, "cut short") || e.None == "" && duration(t, e.Breaks) < 10*time.Second {
		t.Errorf("%+v", e)
	}
	b.Span.From, b.Span.To = "29s", "30s"
	if e := b.Edges()[0]; e.None != "No bound lies between 29s and 30s: belief breaks at both ends, and at 7 values between." {
		t.Errorf("%+v", e)
	}
}

// However a job is divided, each row is in one block, and the rows of the parts are the rows of the whole.
func TestTheBlocksOfAJobHaveEachRowOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		j := &campaign.Job{Cells: make([]campaign.Cell, rapid.IntRange(1, 9).Draw(t, "cells")), First: 7,
			Runs: rapid.IntRange(1, 2000).Draw(t, "runs"), Size: rapid.IntRange(1, 400).Draw(t, "size")}
		next, at := uint64(7), 0
		for i := range j.Blocks() {
			cell, first, n := j.Block(i)
			if cell != at || first != next || n < 1 || n > j.Size {
				t.Fatalf("block %d has %d rows of cell %d from seed %d on", i, n, cell, first)
			}
			if next += uint64(n); next == 7+uint64(j.Runs) {
				next, at = 7, at+1
			}
		}
		if at != len(j.Cells) {
			t.Fatalf("there are %d cells, of %d", at, len(j.Cells))
		}
	})
}

// How often a pause loses an update depends on the client, not on the lock: clients that look and stop lose next to
// none, those that never look lose about two in five, with either lock. Where a watchdog extends the lease, there is no
// deadline to look at.
func TestUpdatesLostByPausesDependOnTheClient(t *testing.T) {
	const runs = 200
	for name, want := range map[string][2]int{ // order: each is a separate test
		"redlock":                                   {0, 2},
		"redlock, clients look once":                {0, 10},
		"redlock, clients never look":               {60, 110},
		"redisson":                                  {20, 60},
		"redisson, clients never look":              {20, 60},
		"redisson, fixed lease":                     {0, 2},
		"redisson, fixed lease, clients look once":  {0, 10},
		"redisson, fixed lease, clients never look": {60, 110},
	} {
		all := campaign.MatrixVariants()
		i := slices.IndexFunc(all, func(v campaign.Variant) bool { return v.Name == name })
		if i < 0 {
			t.Fatalf("the matrix has no row %q", name)
		}
		s, _ := scenarios.Find("redlock/any")
		if err := s.Change(append([]string{"search.faults=pause,suspend", "search.spare=nodes"}, all[i].Set...)); err != nil {
			t.Fatal(err)
		}
		lost, universes := 0, s.Universes()
		for seed := uint64(1); seed <= runs; seed++ {
			if scenarios.Run(universes.At(seed), seed).VerdictOn("storage") == checker.Violated {
				lost++
			}
		}
		if lost < want[0] || lost > want[1] {
			t.Errorf("%s: an update is lost in %d of %d runs, want %d to %d", name, lost, runs, want[0], want[1])
		}
	}
	for _, v := range campaign.LockVariants() {
		if strings.Contains(v.Name, "look") {
			t.Errorf("%s is a client, and is listed among the locks", v.Name)
		}
	}
}
