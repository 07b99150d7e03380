package campaign

import (
	"cmp"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// A Plan is many runs of one scenario.
type Plan struct {
	Scenario *scenarios.Scenario // must have passed Check
	First    uint64              // the first seed
	Runs     int                 // how many consecutive seeds
	Workers  int                 // how many run in parallel
	Drawn    bool                // each seed chooses a universe of the scenario

	// Each, if set, is called with every result, on the goroutine of the worker that made it: several in parallel, in
	// no order. A result is valid until Each returns.
	Each func(*scenarios.Result)

	// Stop, if set, is called before each batch of runs, on any goroutine, one at a time. If it returns true no more
	// begin: the tally then covers the first seeds only.
	Stop func() bool

	// Batch is how many runs a worker makes between two calls of Stop: 64 if it is 0, enough that taking them costs
	// nothing, few enough that the workers end together. A plan that a clock stops needs 1.
	Batch int
}

// A Tally is the result of a Plan, and its JSON: what lockstorm run --runs N --format json prints.
type Tally struct {
	SchemaVersion int               `json:"schema_version"`
	Lockstorm     string            `json:"lockstorm"` // the version, if a command makes the runs
	Scenario      string            `json:"scenario"`
	Seed          uint64            `json:"seed"` // the first
	Runs          int               `json:"runs"`
	Settings      []string          `json:"settings"`    // that a command has changed
	Tokens        string            `json:"tokens_from"` // where fencing tokens come from; empty where there are none
	Verdict       scenarios.Verdict `json:"verdict"`     // the worst
	Pass          int               `json:"pass"`
	Fail          int               `json:"fail"`
	Unknown       int               `json:"unknown"`
	Properties    []Frequency       `json:"properties"` // one for each promise of the scenario
	BlackBox      []View            `json:"black_box"`  // one for each view of a black box that the scenario has
	Sometimes     []Frequency       `json:"sometimes"`  // one for each of the scenario's Sometimes
	Unexpected    []uint64          `json:"unexpected"` // the seeds of the runs that did not pass, in order
	Kept          int               `json:"kept"`       // how many of them are in the store
	Command       string            `json:"command,omitempty"`

	worstSeed uint64
}

// A Frequency is how often a promise, or something that should happen, had each verdict.
type Frequency struct {
	Name   string          `json:"name"`
	Expect checker.Verdict `json:"expect"`
	Holds  int             `json:"holds"` // without the runs in which nothing could break it
	stats.Count
	Untested int `json:"untested,omitempty"` // those runs
}

// AsExpected returns the number of runs with the verdict that was expected. Unknown expects nothing.
func (f *Frequency) AsExpected() int {
	if f.Expect == checker.Unknown {
		return f.Runs
	}
	return f.With(f.Expect)
}

func (f *Frequency) add(v checker.Verdict, untested bool) {
	f.Count.Add(v)
	switch {
	case untested:
		f.Untested++
	case v == checker.Holds:
		f.Holds++
	}
}

// A View is how often a linearizability checker, which has only the clients' operations, had each verdict by one model.
type View struct {
	Model  string           `json:"model"`
	Expect *checker.Verdict `json:"expect,omitempty"` // if the scenario names it
	Holds  int              `json:"holds"`
	stats.Count
}

// Name is the view's name in scenario files and next to the promises.
func (v *View) Name() string { return scenarios.BlackBox + "." + v.Model }

const usualBatch = 64

// Run makes the runs and counts. If one of them panics, Run panics with a Broken.
func (p Plan) Run() Tally {
	all, workers := NewTally(p.Scenario, p.First), p.Workers
	if p.Scenario.Hosted() {
		workers = 1 // as in Job.Engine
	}
	p.Batch = cmp.Or(p.Batch, usualBatch)
	e := Engine[Tally]{
		Workers: workers, Pieces: Range(0, (p.Runs+p.Batch-1)/p.Batch), NewWorker: p.newWorker, Stop: p.Stop,
		Done: func(_ int, t Tally) (bool, error) { all.merge(t); return true, nil },
	}
	e.run()
	slices.Sort(all.Unexpected)
	return all
}

// newWorker returns a worker that makes the runs of batches, and counts each batch.
func (p Plan) newWorker() Worker[Tally] {
	runner, seed := scenarios.NewRunner(), uint64(0)
	var universes *scenarios.Universes
	if p.Drawn {
		universes = p.Scenario.Universes()
	}
	run := func(piece int) Tally {
		t := NewTally(p.Scenario, p.First)
		for i := piece * p.Batch; i < min((piece+1)*p.Batch, p.Runs); i++ {
			seed = p.First + uint64(i)
			s := p.Scenario
			if universes != nil {
				drawn := universes.At(seed)
				s = &drawn
			}
			r := runner.Run(s, seed)
			row := RowOf(r)
			t.count(&row)
			if p.Each != nil {
				p.Each(r)
			}
		}
		return t
	}
	return Worker[Tally]{Make: run, At: func() (string, uint64) { return p.Scenario.ID, seed }, Close: runner.Close}
}

// NewTally returns an empty tally of a scenario, with a place for everything that is counted.
func NewTally(s *scenarios.Scenario, first uint64) Tally {
	t := Tally{
		SchemaVersion: checker.SchemaVersion, Scenario: s.ID, Seed: first, Settings: []string{}, Tokens: s.TokensFrom(),
		Properties: []Frequency{}, BlackBox: []View{}, Sometimes: []Frequency{}, Unexpected: []uint64{},
	}
	for _, p := range s.Promises() {
		t.Properties = append(t.Properties, Frequency{Name: p.Name, Expect: s.Expected(p.Name)})
	}
	for _, m := range s.Views() {
		v := View{Model: m.Name}
		if want, named := s.ExpectedView(m.Name); named {
			v.Expect = &want
		}
		t.BlackBox = append(t.BlackBox, v)
	}
	for _, name := range s.Sometimes {
		t.Sometimes = append(t.Sometimes, Frequency{Name: name, Expect: checker.Holds})
	}
	return t
}

// WorstSeed returns the first seed whose run had the worst verdict; 0 if all passed.
func (t *Tally) WorstSeed() uint64 { return t.worstSeed }

// Count counts rows of the scenario. There is always more to count, and no error.
func (t *Tally) Count(_ int, rows []Row) (more bool, err error) {
	for i := range rows {
		t.count(&rows[i])
	}
	return true, nil
}

func (t *Tally) count(r *Row) {
	t.Runs++
	t.worsen(r.Verdict, r.Seed)
	switch r.Verdict {
	case scenarios.Pass:
		t.Pass++
	case scenarios.Fail:
		t.Fail++
	default:
		t.Unknown++
	}
	for i := range t.Properties {
		t.Properties[i].add(r.Of(i), r.Untested.Has(i))
	}
	for i := range t.BlackBox {
		v := &t.BlackBox[i]
		v.Add(r.Of(slices.Index(judged, v.Name())))
		v.Holds = v.Count.Holds()
	}
	for i := range t.Sometimes {
		t.Sometimes[i].add(r.sometimes(i), false)
	}
	if r.Verdict != scenarios.Pass {
		t.Unexpected = append(t.Unexpected, r.Seed)
	}
}

// worsen keeps the worst verdict, and the seed that first had it.
func (t *Tally) worsen(v scenarios.Verdict, seed uint64) {
	if v > t.Verdict || v == t.Verdict && v != scenarios.Pass && seed < t.worstSeed {
		t.Verdict, t.worstSeed = v, seed
	}
}

// merge adds the tally of other runs of the same scenario.
func (t *Tally) merge(o Tally) {
	t.Runs, t.Pass, t.Fail, t.Unknown = t.Runs+o.Runs, t.Pass+o.Pass, t.Fail+o.Fail, t.Unknown+o.Unknown
	t.worsen(o.Verdict, o.worstSeed)
	mergeFrequencies(t.Properties, o.Properties)
	mergeFrequencies(t.Sometimes, o.Sometimes)
	for i, v := range o.BlackBox {
		t.BlackBox[i].Count, t.BlackBox[i].Holds = t.BlackBox[i].Count.Plus(v.Count), t.BlackBox[i].Holds+v.Holds
	}
	t.Unexpected = append(t.Unexpected, o.Unexpected...)
}

func mergeFrequencies(into, more []Frequency) {
	for i, p := range more {
		f := &into[i]
		f.Count, f.Holds, f.Untested = f.Count.Plus(p.Count), f.Holds+p.Holds, f.Untested+p.Untested
	}
}
