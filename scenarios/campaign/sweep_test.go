package campaign_test

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// sweep is a sweep of a scenario that has passed its check.
func sweep(t *testing.T, s *scenarios.Scenario, runs int, axes ...string) *campaign.Sweep {
	t.Helper()
	w := &campaign.Sweep{Scenario: s, First: 1, Runs: runs, Workers: 2}
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
	return w
}

// The allowance of 102 ms in 10 s covers a clock that runs fast by A/(T-A), 10305.112 ppm. Up to there the majority is
// never lost. Beyond, it is, as soon as the way of a request and a millisecond are used up: always from 10,500 ppm on.
func TestNoMajorityIsLostBelowTheComputedRateAndSomeAboveIt(t *testing.T) {
	w := sweep(t, found(t, "antirez/rate-drift", hasty), 40, "clocks.n3=0ppm,5000ppm,10305.112ppm,10380ppm,10500ppm,20000ppm")
	w.Properties = []string{"quorum"}
	var got []int
	for _, spot := range w.Run() {
		got = append(got, spot.Properties[0].Violated)
	}
	if got[0]+got[1]+got[2] > 0 || got[3] == 0 || got[3] == 40 || got[4] != 40 || got[5] != 40 {
		t.Errorf("lost in %v of 40 runs", got)
	}
}

// A cell's counts match single runs, one after the other.
func TestACellCountsWhatSingleRunsShow(t *testing.T) {
	w := sweep(t, found(t, "kleppmann/gc-pause"), 60, "lock.ttl=5s,15s", "pause.for=14900ms,15100ms")
	r := scenarios.NewRunner()
	defer r.Close()
	mixed := false
	for i, spot := range w.Run() {
		s := found(t, "kleppmann/gc-pause", spot.Cell[0].String(), spot.Cell[1].String())
		if want := fmt.Sprintf("lock.ttl=%s pause.for=%s", w.Axes[0].Values[i/2], w.Axes[1].Values[i%2]); spot.Cell.String() != want {
			t.Errorf("cell %d is %s, want %s", i, spot.Cell, want)
		}
		want := make([]campaign.Frequency, len(checker.Properties))
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
		if !reflect.DeepEqual(spot.Properties, want) || spot.Runs != 60 {
			t.Errorf("at %s: %+v of %d, want %+v", spot.Cell, spot.Properties, spot.Runs, want)
		}
	}
	if !mixed {
		t.Error("no cell has a share between nothing and all: the test shows little")
	}
}

func TestASweepIsTheSameWithAnyNumberOfWorkersAndStopsAtTheSameRuns(t *testing.T) {
	for _, tight := range []int{0, 150_000} {
		w := sweep(t, found(t, "kleppmann/gc-pause"), 330, "lock.ttl=14s..16s:lin:3")
		w.Tight = tight
		w.Workers = 1
		want := w.Run()
		for _, workers := range []int{2, 7} {
			w.Workers = workers
			if got := w.Run(); !reflect.DeepEqual(got, want) {
				t.Errorf("with %d workers:\n%+v\nwith one:\n%+v", workers, got, want)
			}
		}
		runs := map[int]bool{}
		for _, spot := range want {
			runs[spot.Runs] = true
		}
		if tight == 0 && !(len(runs) == 1 && runs[330]) || tight > 0 && len(runs) < 2 {
			t.Errorf("cells within %d millionths made %v runs", tight, runs)
		}
	}
}

// A cell that continues has not shown enough at the last look. One that has stopped has at this look, and had not at
// the look before.
func TestCellStopsAtTheFirstSufficientLook(t *testing.T) {
	w := sweep(t, found(t, "kleppmann/gc-pause"), 330, "lock.ttl=14500ms..15500ms:lin:7")
	w.Tight = 150_000
	looks := []int{50, 100, 200, 330} // after 1, 2, 4 and all of 7 blocks
	full := *w
	full.Tight = 0
	made := map[int][]campaign.CellResult{}
	for i, spot := range w.Run() {
		want := 0
		for _, n := range looks {
			if made[n] == nil {
				cut := full
				cut.Runs = n
				made[n] = cut.Run()
			}
			want = n
			if enough(made[n][i], 150_000) {
				break
			}
		}
		if spot.Runs != want {
			t.Errorf("at %s it stops after %d runs, want %d", spot.Cell, spot.Runs, want)
		}
	}
}

func enough(s campaign.CellResult, width int) bool {
	for _, p := range s.Properties {
		i := stats.Wilson(p.Violated, s.Runs, stats.Confidence)
		if (i.High-i.Low)*1e6 > float64(width) {
			return false
		}
	}
	return true
}

// A run that was cut short may have gone either way, and a cell of such runs never shows enough.
func TestRunsThatAreCutShortKeepACellOpen(t *testing.T) {
	w := sweep(t, found(t, "kleppmann/gc-pause"), 200, "horizon=1s,5m")
	w.Tight, w.Properties = 200_000, []string{"quorum"}
	spots := w.Run()
	if p := spots[0].Properties[0]; spots[0].Runs != 200 || p.Unknown != 200 || p.Violated != 0 {
		t.Errorf("%+v", spots[0])
	}
	if spots[1].Runs >= 200 {
		t.Errorf("%+v", spots[1])
	}
}

// A search draws settings; along an axis it must not.
func TestASearchDoesNotDrawWhatAnAxisSets(t *testing.T) {
	w := sweep(t, found(t, "redlock/any"), 5, "lock.ttl=100ms,5s", "clients=1,4")
	j := w.Job()
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

// With many seeds an edge is where the first of them breaks: no seed has an edge further in.
func TestEdgeOfManySeedsIsTheFirstToBreak(t *testing.T) {
	s := found(t, "antirez/rate-drift", hasty)
	e := campaign.EdgesOf(s, 1, 6)[0]
	least, at := rate(t, "+50000ppm"), uint64(0)
	for seed := uint64(1); seed <= 6; seed++ {
		if alone := rate(t, campaign.Edges(s, seed)[0].Holds); alone < least {
			least, at = alone, seed
		}
	}
	if rate(t, e.Holds) != least || e.Seed != at || !e.Stated {
		t.Errorf("%+v; seed %d breaks first, beyond %s", e, at, least)
	}
}

// A stated bound is next to the edge, however the setting is spelled; a missing bound is reported.
func TestABoundingKnowsWhatTheScenarioStates(t *testing.T) {
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
func TestBreakAtBothEndsMayHoldBetween(t *testing.T) {
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
func TestBreakingSeedOutweighsACutRun(t *testing.T) {
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

// Making all rows in blocks of another size, and counting them with a Grid, has the same result.
func TestAGridStopsAtTheSameRunsWhateverTheBlocks(t *testing.T) {
	w := sweep(t, found(t, "kleppmann/gc-pause"), 330, "lock.ttl=14500ms..15500ms:lin:5")
	w.Tight = 150_000
	want := w.Run()
	for _, size := range []int{50, 100, 12800} {
		j := w.Job()
		j.Size = size
		if err := j.Check(); err != nil {
			t.Fatal(err)
		}
		g := j.Grid(nil)
		e := j.Engine(2)
		if e.Done = g.Count; e.Run() != nil {
			t.Fatal("Count returns an error")
		}
		if !reflect.DeepEqual(g.Cells, want) {
			t.Errorf("in blocks of %d:\n%+v\nwant\n%+v", size, g.Cells, want)
		}
	}
}

// Where a rule may end cells, the blocks of a cell end at its looks: nothing is made beyond the look that ends it.
func TestTheBlocksOfACellThatMayEndEarlyEndAtItsLooks(t *testing.T) {
	for _, c := range []struct{ tight, size, runs, want string }{
		{"0", "6400", "20000", "6400 6400 6400 800"},
		{"10000", "6400", "20000", "400 400 800 1600 3200 6400 6400 800"},
		{"150000", "200", "1000", "50 50 100 200 200 200 200"},
		{"10000", "200", "500", "200 200 100"},
		{"10000", "6400", "900", "400 400 100"},
		{"10000", "6400", "800", "400 400"},
		{"10000", "6400", "801", "400 400 1"},
		{"10000", "6400", "100", "100"},
		{"1", "6400", "6401", "6400 1"},
		{"1000000", "100", "330", "50 50 100 100 30"},
	} {
		n := func(text string) int {
			i, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			return i
		}
		j := &campaign.Job{Cells: make([]campaign.Cell, 3), First: 7, Runs: n(c.runs), Size: n(c.size), Rule: campaign.Rule{Tight: n(c.tight)}}
		var got []string
		next := uint64(7)
		for i := range j.Blocks() {
			cell, first, rows := j.Block(i)
			if cell == 1 {
				got = append(got, strconv.Itoa(rows))
				if first != next || rows < 1 || j.Level(i) != len(got)-1 {
					t.Errorf("%+v: block %d begins at %d, not %d", c, i, first, next)
				}
				next += uint64(rows)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// However a job is divided, each block comes once, and the rows of the parts are the rows of the whole.
func TestTheOrderOfAJobHasEachBlockOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		j := &campaign.Job{Cells: make([]campaign.Cell, rapid.IntRange(1, 9).Draw(t, "cells")), Runs: rapid.IntRange(1, 2000).Draw(t, "runs"),
			Size: 50 << rapid.IntRange(0, 3).Draw(t, "size"), Rule: campaign.Rule{Tight: rapid.SampledFrom([]int{0, 10_000, 150_000}).Draw(t, "tight")}}
		cut := rapid.IntRange(0, j.Pieces()).Draw(t, "cut")
		seen := slices.Concat(slices.Collect(j.Order(0, cut)), slices.Collect(j.Order(cut, j.Pieces())))
		rows := 0
		for _, b := range seen {
			_, _, n := j.Block(b)
			rows += n
		}
		if slices.Sort(seen); !slices.Equal(seen, every(j)) || rows != j.Rows() || j.RowsIn(0, cut)+j.RowsIn(cut, j.Pieces()) != rows {
			t.Fatalf("%v, %d rows of %d", seen, rows, j.Rows())
		}
	})
}
