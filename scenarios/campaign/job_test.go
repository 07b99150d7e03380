package campaign_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// small is a job of two cells, in blocks that do not divide its runs.
func small(t *testing.T) *campaign.Job {
	t.Helper()
	j := &campaign.Job{
		Kind: "test", Scenario: found(t, "redlock/any"), First: 10, Runs: 25, Size: 7,
		Cells: []campaign.Cell{{{Key: "nodes", Value: "3"}}, {{Key: "lock.drift_factor", Value: "0"}, {Key: "nodes", Value: "5"}}},
	}
	if err := j.Check(); err != nil {
		t.Fatal(err)
	}
	return j
}

// collect makes blocks and copies their rows.
func collect(t *testing.T, j *campaign.Job, workers int, blocks ...int) (all []campaign.Row) {
	t.Helper()
	e := j.Engine(workers)
	e.Pieces = slices.Values(blocks)
	e.Done = func(_ int, rows []campaign.Row) (bool, error) {
		for _, r := range rows {
			r.Figures = slices.Clone(r.Figures)
			all = append(all, r)
		}
		return true, nil
	}
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	return all
}

func every(j *campaign.Job) (blocks []int) {
	for i := range j.Blocks() {
		blocks = append(blocks, i)
	}
	return blocks
}

// A block has the same rows on any worker, and next to any other: so a campaign can be cut into parts and put together.
func TestRowsAreTheSameOnAnyWorker(t *testing.T) {
	j := small(t)
	want := collect(t, j, 1, every(j)...)
	if len(want) != j.Rows() || j.Blocks() != 8 {
		t.Fatalf("%d rows in %d blocks", len(want), j.Blocks())
	}
	for i, r := range want {
		if r.Cell != i/25 || r.Seed != uint64(10+i%25) {
			t.Fatalf("row %d is of cell %d and seed %d", i, r.Cell, r.Seed)
		}
	}
	for _, workers := range []int{0, 2, 5} {
		if got := collect(t, j, workers, every(j)...); !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers make other rows", workers)
		}
	}
	apart := slices.Concat(collect(t, j, 2, 0, 1), collect(t, j, 1, 2, 3, 4), collect(t, j, 2, 5, 6, 7))
	if !reflect.DeepEqual(apart, want) {
		t.Error("parts make other rows")
	}
}

// A row says of its run what the run says of itself.
func TestRowEqualsItsRun(t *testing.T) {
	j := small(t)
	struck, violated := 0, 0
	var judge checker.Judge
	for _, row := range collect(t, j, 1, every(j)...) {
		s, err := j.In(row.Cell)
		if err != nil {
			t.Fatal(err)
		}
		u := s.Universes().At(row.Seed)
		res := scenarios.Run(u, row.Seed)
		for i, f := range res.Findings {
			if row.Violated.Has(i) != (f.Verdict == checker.Violated) || row.Unknown.Has(i) != (f.Verdict == checker.Unknown) {
				t.Errorf("seed %d: %s is %s", row.Seed, f.Property, f.Verdict)
			}
		}
		for _, st := range res.Evidence.Strikes {
			if kind := u.Faults[st.Index].Kind; !st.Idle && !row.Struck.Has(kind) {
				t.Errorf("seed %d: %s struck", row.Seed, kind)
			}
		}
		for i, f := range judge.Figures(res.Evidence) {
			if want := f.Value; f.Known && row.Figures[i] != want || !f.Known && row.Figures[i] != campaign.Absent {
				t.Errorf("seed %d: %s is %d; want %v", row.Seed, f.Name, row.Figures[i], f)
			}
		}
		if row.Verdict != res.Verdict || row.Steps != res.Steps {
			t.Errorf("seed %d: %v, %d steps", row.Seed, row.Verdict, row.Steps)
		}
		struck, violated = struck+min(1, int(row.Struck)), violated+min(1, int(row.Violated))
	}
	if struck < 20 || violated == 0 {
		t.Errorf("faults struck in %d runs, and promises broke in %d: too little is put to the test", struck, violated)
	}
}

func TestBlocksAreShownInOrderUntilEnough(t *testing.T) {
	j := small(t)
	for _, workers := range []int{1, 4} {
		var seen []int
		e := j.Engine(workers)
		e.Pieces = slices.Values([]int{6, 1, 4, 0, 3})
		e.Done = func(block int, _ []campaign.Row) (bool, error) {
			seen = append(seen, block)
			return len(seen) < 3, nil
		}
		if err := e.Run(); err != nil || !slices.Equal(seen, []int{6, 1, 4}) {
			t.Errorf("%d workers: %v, %v", workers, seen, err)
		}
		full := errors.New("the disk is full")
		e.Done = func(int, []campaign.Row) (bool, error) { return true, full }
		if err := e.Run(); !errors.Is(err, full) {
			t.Errorf("%d workers: %v", workers, err)
		}
	}
}

// A caller that stops a job gets what was begun: nothing that cost time is thrown away.
func TestStoppedJobShowsItsBegunBlocks(t *testing.T) {
	j := small(t)
	for _, workers := range []int{1, 4} {
		for at := range j.Blocks() + 1 {
			var seen []int
			asked := 0
			e := j.Engine(workers)
			e.Stop = func() bool { asked++; return asked > at }
			e.Done = func(block int, _ []campaign.Row) (bool, error) {
				seen = append(seen, block)
				return true, nil
			}
			if err := e.Run(); err != nil || !slices.Equal(seen, every(j)[:at]) {
				t.Errorf("%d workers, stopped after %d: %v, %v", workers, at, seen, err)
			}
		}
	}
}

func TestImpossibleJobIsRejected(t *testing.T) {
	for want, spoil := range map[string]func(*campaign.Job){
		"0, 25 and 7":        func(j *campaign.Job) { j.Cells = nil },
		"2, 0 and 7":         func(j *campaign.Job) { j.Runs = 0 },
		"below 2^53":         func(j *campaign.Job) { j.First = campaign.MaxSeed - 23 },
		"no setting":         func(j *campaign.Job) { j.Cells[1][0].Key = "lock.tlt" },
		"not a whole number": func(j *campaign.Job) { j.Cells[0][0].Value = "three" },
		"too few":            func(j *campaign.Job) { j.Cells[0][0].Value = "0" },
	} {
		j := small(t)
		spoil(j)
		if err := j.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
	j := small(t)
	if j.First = campaign.MaxSeed - 24; j.Check() != nil {
		t.Error("the last seed of all is refused")
	}
}

func TestRowHasTheKindsThatHit(t *testing.T) {
	k := campaign.KindsOf(faults.Schedule{{Kind: faults.Jump}, {Kind: faults.Lossy}})
	if !k.Has(faults.Jump) || !k.Has(faults.Lossy) || k.Has(faults.Pause) {
		t.Error("it does not")
	}
}

// A run has not all views: of a lock that readers share it has another than the mutex, which the rows call by its name.
func TestRowsNameTheViewOfASharedLock(t *testing.T) {
	s := found(t, "redisson-rw/crash-restart")
	row := campaign.RowOf(scenarios.NewRunner().Run(s, 1))
	for i, m := range blackbox.Views {
		if want := m.Name == "rwlock"; row.BoxViolated.Has(i) != want {
			t.Errorf("%s is violated: %v", m.Name, !want)
		}
		if has := m.Name == "rwlock" || strings.HasSuffix(m.Name, "register"); row.BoxUnknown.Has(i) == has {
			t.Errorf("%s is unknown: %v", m.Name, has)
		}
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
	text, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	var read campaign.Job // as another process gets it
	if err := json.Unmarshal(text, &read); err != nil {
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
