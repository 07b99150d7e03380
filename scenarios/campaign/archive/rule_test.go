package archive_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// ruled returns a job of five cells, some of them with an early result, and some with a late one. Its blocks are small.
func ruled(t testing.TB) (*campaign.Job, *campaign.Sweep) {
	t.Helper()
	s, _ := scenarios.Find("kleppmann/gc-pause")
	w := &campaign.Sweep{Scenario: &s, First: 3, Runs: 330, Tight: 150_000, Workers: 2, Properties: []string{"belief"}}
	a, err := campaign.ParseAxis(&s, "lock.ttl=14s,14750ms,15s,15250ms,16s")
	if err != nil {
		t.Fatal(err)
	}
	w.Axes = []campaign.Axis{a}
	j := w.Job()
	if j.Size = 100; j.Check() != nil {
		t.Fatal(j.Check())
	}
	return j, w
}

// measured does ruled work, and returns what a grid counts of it, and how many rows were skipped.
func measured(t testing.TB, w archive.Work) (spots []campaign.CellResult, skipped int) {
	t.Helper()
	j, _ := ruled(t)
	g := j.Grid(nil)
	w.Job, w.Lockstorm, w.Workers = j, "1", max(w.Workers, 1)
	w.Done = func(block int, rows []campaign.Row, _ bool) (bool, error) { return g.Count(block, rows) }
	w.RowsSkipped = func(rows int) { skipped += rows }
	if err := w.Do(); err != nil {
		t.Fatal(err)
	}
	return g.Cells, skipped
}

// Alone or in parallel, in shards or in several goes: the archive has the rows of each cell up to its end and no more,
// and the counts are the same.
func TestCellsThatEndEarlyEndAtTheSameRowForAll(t *testing.T) {
	home := t.TempDir()
	want := filepath.Join(home, "alone")
	spots, skipped := measured(t, archive.Work{Dir: want})
	_, sweep := ruled(t)
	if !reflect.DeepEqual(spots, sweep.Run()) {
		t.Errorf("%+v\nis not what a sweep finds", spots)
	}
	rows, ends := 0, map[int]bool{}
	for _, s := range spots {
		rows, ends[s.Runs] = rows+s.Runs, true
	}
	if rows+skipped != 5*330 || len(ends) < 3 || skipped < 330 {
		t.Fatalf("%d rows made, %d skipped, and cells end after %v: the test shows little", rows, skipped, ends)
	}
	if a, err := archive.Open(want); err != nil {
		t.Error(err)
	} else if blocks, err := a.Missing(); blocks != nil || err != nil {
		t.Errorf("missing: %v, %v", blocks, err)
	}
	for _, w := range []archive.Work{{Workers: 3}, {Workers: 3, Dir: filepath.Join(home, "three")}} {
		if got, _ := measured(t, w); !reflect.DeepEqual(got, spots) {
			t.Errorf("three workers count\n%+v\nand one\n%+v", got, spots)
		}
	}
	same(t, filepath.Join(home, "three"), want)
	var parts []string
	for i := range 8 {
		parts = append(parts, filepath.Join(home, fmt.Sprint(i)))
		measured(t, archive.Work{Dir: parts[i], Shard: archive.Shard{Index: i, Of: 8}, Workers: 2})
	}
	merged := filepath.Join(home, "merged")
	if _, err := (&archive.Merger{Dirs: parts, Out: merged}).Merge(); err != nil {
		t.Fatal(err)
	}
	same(t, merged, want)
}

func TestCellsThatEndEarlyEndAtTheSameRowWhenWorkIsResumed(t *testing.T) {
	home := t.TempDir()
	want := filepath.Join(home, "alone")
	spots, _ := measured(t, archive.Work{Dir: want})
	all := len(content(t, want))
	for at := 1; at < all; at += 5 {
		dir, asked := filepath.Join(home, fmt.Sprint(at)), 0
		measured(t, archive.Work{Dir: dir, Workers: 2, Stop: func() bool { asked++; return asked > at }})
		if got, _ := measured(t, archive.Work{Dir: dir, Resume: true, Workers: 2}); !reflect.DeepEqual(got, spots) {
			t.Errorf("stopped after %d blocks and resumed, it counts\n%+v\nnot\n%+v", at, got, spots)
		}
		same(t, dir, want)
	}
	a, err := archive.Open(want)
	if err != nil {
		t.Fatal(err)
	}
	for cell, s := range spots { // a hole, at any place, is seen and filled
		var gone string
		for i := range a.Job.Blocks() {
			if c, first, rows := a.Job.Block(i); c == cell && int(first-3)+rows == s.Runs {
				gone = fmt.Sprintf("block-%06d.jsonl.gz", i)
			}
		}
		text := content(t, want)
		if err := os.Remove(filepath.Join(want, gone)); err != nil {
			t.Fatal(err)
		}
		if blocks, err := a.Missing(); err != nil || len(blocks) != 1 {
			t.Errorf("without %s it misses %v, %v", gone, blocks, err)
		}
		gap := new(archive.Gap)
		if _, err := (&archive.Merger{Dirs: []string{want}, Out: filepath.Join(home, "gap")}).Merge(); !errors.As(err, &gap) {
			t.Errorf("without %s: %v", gone, err)
		}
		measured(t, archive.Work{Dir: want, Resume: true})
		if !reflect.DeepEqual(content(t, want), text) {
			t.Errorf("%s was not made again", gone)
		}
	}
}

// Rows behind a gap do not show where their cell ends: when parts are merged, gaps and all, these rows stay.
func TestBehindAGapNoCellEnds(t *testing.T) {
	home := t.TempDir()
	dir, merged := filepath.Join(home, "gaps"), filepath.Join(home, "merged")
	measured(t, archive.Work{Dir: dir})
	a, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Job.Blocks() {
		if a.Job.Level(i) == 0 {
			if err := os.Remove(filepath.Join(dir, fmt.Sprintf("block-%06d.jsonl.gz", i))); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := (&archive.Merger{Dirs: []string{dir}, Out: merged, Partial: true}).Merge(); err != nil {
		t.Fatal(err)
	}
	same(t, merged, dir)
}

// Blocks beyond the end of a cell, however they got there, are no part of the work.
func TestWhatLiesBeyondTheEndOfACellIsLeftOut(t *testing.T) {
	home := t.TempDir()
	want, dir := filepath.Join(home, "alone"), filepath.Join(home, "more")
	spots, _ := measured(t, archive.Work{Dir: want})
	measured(t, archive.Work{Dir: dir})
	a, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []int
	for i := range a.Job.Blocks() {
		all = append(all, i)
	}
	if err := a.Remake(all, 2); err != nil {
		t.Fatal(err)
	}
	if len(content(t, dir)) <= len(content(t, want)) {
		t.Fatal("there is nothing beyond")
	}
	if got, _ := measured(t, archive.Work{Dir: dir, Resume: true}); !reflect.DeepEqual(got, spots) {
		t.Errorf("it counts %+v", got)
	}
	g := a.Job.Grid(nil)
	rows := 0
	if err := a.Each(func(block int, r []campaign.Row) error { rows += len(r); _, err := g.Count(block, r); return err }); err != nil {
		t.Fatal(err)
	}
	for _, s := range spots {
		rows -= s.Runs
	}
	if rows != 0 || !reflect.DeepEqual(g.Cells, spots) {
		t.Errorf("%d rows more are read", rows)
	}
	merged := filepath.Join(home, "merged")
	if _, err := (&archive.Merger{Dirs: []string{dir}, Out: merged}).Merge(); err != nil {
		t.Fatal(err)
	}
	same(t, merged, want)
}

func TestOtherRulesAreOtherWork(t *testing.T) {
	dir := t.TempDir()
	measured(t, archive.Work{Dir: dir, Stop: func() bool { return true }, Resume: true})
	for want, change := range map[string]func(*campaign.Rule){
		"is 150000 millionths of belief there, and 10000 millionths of belief here": func(r *campaign.Rule) { r.Tight = 10_000 },
		"is 150000 millionths of belief there, and 150000 millionths here":          func(r *campaign.Rule) { r.Properties = nil },
		"is 150000 millionths of belief there, and none here":                       func(r *campaign.Rule) { *r = campaign.Rule{} },
	} {
		j, _ := ruled(t)
		change(&j.Rule)
		w := archive.Work{Job: j, Dir: dir, Lockstorm: "1", Resume: true, Workers: 1}
		if err := w.Do(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}
