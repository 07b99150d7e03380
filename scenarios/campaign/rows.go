package campaign

import (
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A Row is what a campaign keeps of one run.
type Row struct {
	Cell        int
	Seed        uint64
	Violated    Set // of checker.Properties
	Unknown     Set // of checker.Properties
	Untested    Set // of checker.Properties: those that nothing in the run could break
	BoxViolated Set // of blackbox.Views: those that are violated
	BoxUnknown  Set // of blackbox.Views: those that are unknown, or that the run does not have
	Missing     Set // of the scenario's Sometimes: what did not happen, or perhaps did not
	Verdict     scenarios.Verdict
	Struck      Kinds // the kinds of faults that hit
	Steps       int
	Figures     []int64 // one for each of Figures; Absent where it is not known
}

// Absent is the value of a figure that a run does not have.
const Absent = -1

// A Set is a set of up to 64 things by their places in a list.
type Set uint64

// Of returns the verdict on the i-th of scenarios.Judged: of checker.Properties, or of the views that come after them.
func (r *Row) Of(i int) checker.Verdict {
	switch {
	case r.Broke().Has(i):
		return checker.Violated
	case (r.Unknown | r.BoxUnknown<<len(checker.Properties)).Has(i):
		return checker.Unknown
	}
	return checker.Holds
}

// Word returns the verdict on the i-th of scenarios.Judged in a word, or checker.Untested.
func (r *Row) Word(i int) string {
	if r.Untested.Has(i) {
		return checker.Untested
	}
	return r.Of(i).String()
}

// sometimes returns the verdict on the i-th of the scenario's Sometimes. What is missing may still have happened if
// the run was cut short. No promise holds in such a run, except perhaps deadlock-free, which the time after the run
// decides.
func (r *Row) sometimes(i int) checker.Verdict {
	switch holds := All() &^ (r.Violated | r.Unknown | afterRun | ofTicks); {
	case !r.Missing.Has(i):
		return checker.Holds
	case holds == 0:
		return checker.Unknown
	}
	return checker.Violated
}

// afterRun is the promise that the time after the run decides, ofTicks the one that only workloads with ticks have.
var (
	afterRun = bit(true, slices.Index(judged, "deadlock-free"))
	ofTicks  = bit(true, slices.Index(judged, "once"))
)

// Broke returns which of scenarios.Judged are violated.
func (r *Row) Broke() Set { return r.Violated | r.BoxViolated<<len(checker.Properties) }

// judged is scenarios.Judged, made once.
var judged = scenarios.Judged()

// Has reports whether the i-th is in the set.
func (s Set) Has(i int) bool { return s>>i&1 == 1 }

func bit(yes bool, i int) Set {
	if yes {
		return 1 << i
	}
	return 0
}

// All is the set of all of checker.Properties.
func All() Set { return 1<<len(checker.Properties) - 1 }

// Kinds is a set of kinds of faults, by their places in faults.Kinds.
type Kinds uint64

// KindsOf returns the kinds of the faults in a schedule.
func KindsOf(all faults.Schedule) (k Kinds) {
	for _, f := range all {
		k.add(f.Kind)
	}
	return k
}

func (k *Kinds) add(kind *faults.Kind) { *k |= 1 << kind.Index() }

// Has reports whether a kind is in the set.
func (k Kinds) Has(kind *faults.Kind) bool { return k>>kind.Index()&1 == 1 }

// Words returns the names of the kinds in the set, in the order of faults.Kinds.
func (k Kinds) Words() []string {
	words := []string{}
	for _, kind := range faults.Kinds {
		if k.Has(kind) {
			words = append(words, kind.Name)
		}
	}
	return words
}

// RowOf returns the row of a run, without its cell and its figures.
func RowOf(res *scenarios.Result) Row {
	row := Row{Seed: res.Seed, Verdict: res.Verdict, Steps: res.Steps}
	for i, f := range res.Findings {
		row.Violated |= bit(f.Verdict == checker.Violated, i)
		row.Unknown |= bit(f.Verdict == checker.Unknown, i)
		row.Untested |= bit(res.Evidence.Vacuous(f) != "", i)
	}
	for i := range blackbox.Views {
		view, has := res.View(blackbox.Views[i].Name)
		row.BoxViolated |= bit(has && view.Verdict == checker.Violated, i)
		row.BoxUnknown |= bit(!has || view.Verdict == checker.Unknown, i)
	}
	for i, f := range res.Seen {
		row.Missing |= bit(f.Verdict != checker.Holds, i)
	}
	for _, s := range res.Evidence.Strikes {
		if !s.Idle {
			row.Struck.add(res.Scenario.Faults[s.Index].Kind)
		}
	}
	return row
}

// Engine returns the engine that makes all rows of the job, block by block. With guests it has one worker, because
// they change what a process has only once. The job must have passed Check.
func (j *Job) Engine(workers int) *Engine[[]Row] {
	if j.Hosted() {
		workers = 1
	}
	return &Engine[[]Row]{
		Workers: workers, Pieces: Range(0, j.Blocks()), InOrder: true,
		NewWorker: func() Worker[[]Row] { return newRowWorker(j).worker() },
	}
}

// Each makes all rows of the job and shows them block by block, in order, until show returns false. They are valid
// until it returns. The job must have passed Check.
func (j *Job) Each(workers int, show func(rows []Row) (more bool)) {
	e := j.Engine(workers)
	e.Done = func(_ int, rows []Row) (bool, error) { return show(rows), nil }
	e.run()
}

// All makes all rows of the job and returns them in order. It calls done, if set, for each block. The job must have
// passed Check.
func (j *Job) All(workers int, done func(rows []Row)) []Row {
	all := make([]Row, 0, j.Rows())
	j.Each(workers, func(rows []Row) bool {
		for _, r := range rows {
			r.Figures = slices.Clone(r.Figures)
			all = append(all, r)
		}
		if done != nil {
			done(rows)
		}
		return true
	})
	return all
}

// Hosted reports whether runs of any cell have guests.
func (j *Job) Hosted() bool {
	for i := range j.Cells {
		if s, err := j.In(i); err == nil && s.Hosted() {
			return true
		}
	}
	return false
}

// RowMaker returns a function that makes the rows of a block from one on, one after another, in this process. The job
// must have passed Check.
func (j *Job) RowMaker() func(block, first int, do func(*Row)) { return newRowWorker(j).each }

// A rowWorker makes rows. It keeps its memory from block to block.
type rowWorker struct {
	job       *Job
	runner    *scenarios.Runner
	judge     checker.Judge
	cell      int
	universes *scenarios.Universes // of the cell
	seed      uint64               // of the run that it is at
	rows      []Row
	figures   []int64
}

func newRowWorker(j *Job) *rowWorker {
	return &rowWorker{job: j, runner: scenarios.NewRunner(), judge: checker.Judge{Unchecked: true}, cell: -1}
}

func (w *rowWorker) worker() Worker[[]Row] {
	return Worker[[]Row]{
		Make: func(block int) []Row {
			w.rows = w.rows[:0]
			w.each(block, 0, func(r *Row) { w.rows = append(w.rows, *r) })
			return w.rows
		},
		At:    func() (scenario string, seed uint64) { return w.job.Scenario.ID, w.seed },
		Close: w.runner.Close,
	}
}

// each makes the rows of a block from one on, and calls do with each as soon as it is made.
func (w *rowWorker) each(block, src int, do func(*Row)) {
	cell, first, n := w.job.Block(block)
	if cell != w.cell {
		s, err := w.job.In(cell)
		if err != nil {
			panic("campaign: " + err.Error()) // Check has been there
		}
		w.cell, w.universes = cell, s.Universes()
	}
	w.figures = w.figures[:0]
	defer w.explain()
	for w.seed = first + uint64(src); w.seed < first+uint64(n); w.seed++ {
		u := w.universes.At(w.seed)
		row := w.row(&u)
		do(&row)
	}
}

// explain adds to the panic of a run where the code of its lock broke.
func (w *rowWorker) explain() {
	p := recover()
	if p == nil {
		return
	}
	b := BrokenBy(p, w.job.Scenario.ID, w.seed)
	if stack := w.runner.PanicStack(); stack != nil {
		b.Stack = stack
	}
	panic(*b)
}

func (w *rowWorker) row(u *scenarios.Scenario) Row {
	res := w.runner.Run(u, w.seed)
	row := RowOf(res)
	row.Cell = w.cell
	if u.ID != w.job.Scenario.ID { // of another scenario, whose list of sometimes no reader of the job has
		row.Missing = 0
	}
	from := len(w.figures)
	for _, f := range w.judge.Figures(res.Evidence) {
		value := f.Value
		if !f.Known {
			value = Absent
		}
		w.figures = append(w.figures, value)
	}
	for _, c := range rowCounts {
		w.figures = append(w.figures, int64(c.count(res.Evidence)))
	}
	row.Figures = slices.Clip(w.figures[from:])
	return row
}
