package campaign

import (
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A Job is a campaign as data: all that it takes to make the same rows again, on any machine. It has a row for each cell
// and seed, numbered by cell and then by seed, and its rows come in blocks. Each block is a pure function of the job, so
// that it does not matter who makes it, when, or beside what.
type Job struct {
	Kind     string              // what it is for
	Scenario *scenarios.Scenario // must have passed Check; if it has a Search, each seed draws a universe of it
	Cells    []Cell              // at least one
	First    uint64              // the first seed of each cell
	Runs     int                 // how many seeds each cell has
	Size     int                 // how many rows a block has, but for the last of a cell; no block has rows of two cells
	Rule     Rule                // when a cell ends early; the zero Rule is never
}

// The kinds of jobs. Any other job is of the kind that its command is named.
const (
	FuzzJob   = "fuzz"
	SweepJob  = "sweep"
	MatrixJob = "matrix"
)

// A Cell is one place of a grid: what is changed in the scenario there. It may be nothing.
type Cell []scenarios.Assignment

// MaxSeed is the largest seed of a campaign: larger numbers do not survive readers that count in floating point.
const MaxSeed = 1<<53 - 1

// A Row is what a campaign keeps of one run.
type Row struct {
	Cell     int
	Seed     uint64
	Violated Set // of checker.Properties
	Unknown  Set // of checker.Properties
	Missing  Set // of the scenario's Sometimes: those that did not happen, or may not have
	Verdict  scenarios.Verdict
	Struck   Kinds // the kinds of faults that struck
	Steps    int
	Figures  []int64 // one for each of checker's figures; Absent where it is not known
}

// Absent is the value of a figure that a run does not have.
const Absent = -1

// A Set is a set of up to 64 things by their places in a list.
type Set uint64

// Has reports whether the i-th is in the set.
func (s Set) Has(i int) bool { return s>>i&1 == 1 }

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

// In returns the scenario of a cell. A search does not draw what is set there.
func (j *Job) In(cell int) (scenarios.Scenario, error) {
	s := *j.Scenario
	s.Mutants, s.Bounds = nil, nil // they are those of the scenario without the settings
	for _, a := range scenarios.KindFirst(j.Cells[cell], scenarios.Assignment.String) {
		if err := s.Set(a.String()); err != nil {
			return s, err
		}
		s.Hold(a.Key)
	}
	return s, s.Check()
}

// Check refuses a job that can't be done.
func (j *Job) Check() error {
	switch {
	case len(j.Cells) == 0 || j.Runs < 1 || j.Size < 1:
		return fmt.Errorf("a campaign needs a cell, a run and a row in a block; it has %d, %d and %d", len(j.Cells), j.Runs, j.Size)
	case j.First > MaxSeed || uint64(j.Runs-1) > MaxSeed-j.First:
		return fmt.Errorf("seeds stay below 2^53, so that every reader has them right; %d from %d on go beyond", j.Runs, j.First)
	case j.Runs > MaxSeed/len(j.Cells):
		return fmt.Errorf("%d cells of %d runs are more than 2^53 rows; make fewer runs", len(j.Cells), j.Runs)
	}
	if err := j.Rule.check(j.Size); err != nil {
		return err
	}
	for i := range j.Cells {
		if _, err := j.In(i); err != nil {
			return err
		}
	}
	return nil
}

// A Crew makes blocks of a job, several side by side.
type Crew struct {
	Job     *Job          // must have passed Check
	Blocks  iter.Seq[int] // which, in this order; each is asked for when it is about to be begun, one at a time
	Workers int           // how many side by side; at least one

	// NewMaker, if set, makes each worker's Maker, such as one that lets another process make the rows.
	NewMaker func() Maker

	// Done is shown each block, one at a time and in the order of Blocks, on whatever goroutine made it. Rows are valid
	// until it returns. If it returns false or an error, no more blocks are begun.
	Done func(block int, rows []Row) (more bool, err error)

	// Stop, when set, is asked before each block is begun, on whatever goroutine would make it, one at a time. When it is
	// true no more are begun; those in hand are made to their end, and Done is shown them.
	Stop func() bool
}

// Work makes the blocks. It returns the first error of Done. Should a run panic, Work panics with a Broken.
func (c *Crew) Work() error {
	next, stop := iter.Pull(c.Blocks)
	defer stop()
	s := shift{crew: c, next: next}
	s.turned.L = &s.mu
	var wg sync.WaitGroup
	for range c.workers() {
		wg.Go(s.work)
	}
	wg.Wait()
	if s.broken != nil {
		panic(*s.broken)
	}
	return s.err
}

// workers returns how many work side by side: where there are guests in this process, one, for they change what a process has
// only one of.
func (c *Crew) workers() int {
	if c.NewMaker == nil && c.Job.Hosted() {
		return 1
	}
	return max(c.Workers, 1)
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

// A shift is a crew at work.
type shift struct {
	crew   *Crew
	mu     sync.Mutex
	turned sync.Cond // turn is another, or it is over
	next   func() (block int, ok bool)
	taken  int // how many blocks were
	turn   int // how many were shown
	over   bool
	err    error
	broken *Broken
}

// take returns the next block to be made, and its turn to be shown.
func (s *shift) take() (block, turn int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || s.crew.Stop != nil && s.crew.Stop() {
		return 0, 0, false
	}
	if block, ok = s.next(); ok {
		s.taken++
	}
	return block, s.taken - 1, ok
}

func (s *shift) show(block, turn int, rows []Row) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.turn != turn && !s.over {
		s.turned.Wait()
	}
	if s.over {
		return
	}
	more, err := s.crew.Done(block, rows)
	s.turn, s.over, s.err = s.turn+1, !more || err != nil, err
	s.turned.Broadcast()
}

// work makes blocks until none is left. A panic must not leave the goroutine: it would end the process before anybody
// could say which run it was.
func (s *shift) work() {
	m := s.crew.maker()
	defer m.Close()
	defer func() {
		if p := recover(); p != nil {
			s.breaks(BrokenBy(p, s.crew.Job.Scenario.ID, m.Seed()))
		}
	}()
	for {
		block, turn, ok := s.take()
		if !ok {
			return
		}
		s.show(block, turn, m.Block(block))
	}
}

func (s *shift) breaks(b *Broken) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken, s.over = earlier(s.broken, b), true
	s.turned.Broadcast()
}

// A Maker makes rows. It is for one goroutine at a time.
type Maker interface {
	Block(i int) []Row // makes the rows of a block; they are valid until the next call
	Seed() uint64      // of the run that it is at
	Close()
}

func (c *Crew) maker() Maker {
	if c.NewMaker != nil {
		return c.NewMaker()
	}
	return NewMaker(c.Job)
}

// A RowMaker is a Maker in this process. It keeps its memory from block to block.
type RowMaker struct {
	job       *Job
	runner    *scenarios.Runner
	judge     checker.Judge
	cell      int
	universes *scenarios.Universes // of the cell
	seed      uint64
	rows      []Row
	figures   []int64
}

// NewMaker returns a maker of the job's rows. The job must have passed Check.
func NewMaker(j *Job) *RowMaker {
	return &RowMaker{job: j, runner: scenarios.NewRunner(), judge: checker.Judge{Unchecked: true}, cell: -1}
}

// Close frees what it holds.
func (m *RowMaker) Close() { m.runner.Close() }

// Seed returns the seed of the run that it is at.
func (m *RowMaker) Seed() uint64 { return m.seed }

// Block makes the rows of a block.
func (m *RowMaker) Block(i int) []Row {
	m.rows = m.rows[:0]
	m.Each(i, 0, func(r *Row) { m.rows = append(m.rows, *r) })
	return m.rows
}

// Each makes the rows of a block from one on, and calls do with each as soon as it is made.
func (m *RowMaker) Each(i, from int, do func(*Row)) {
	cell, first, n := m.job.Block(i)
	if cell != m.cell {
		s, err := m.job.In(cell)
		if err != nil {
			panic("campaign: " + err.Error()) // Check has been there
		}
		m.cell, m.universes = cell, s.Universes()
	}
	m.figures = m.figures[:0]
	defer m.explain()
	for m.seed = first + uint64(from); m.seed < first+uint64(n); m.seed++ {
		u := m.universes.At(m.seed)
		row := m.row(&u)
		do(&row)
	}
}

// explain adds to the panic of a run which one it was, and where the code of its lock broke.
func (m *RowMaker) explain() {
	p := recover()
	if p == nil {
		return
	}
	b := BrokenBy(p, m.job.Scenario.ID, m.seed)
	if at := m.runner.PanicStack(); at != nil {
		b.Stack = at
	}
	panic(*b)
}

func (m *RowMaker) row(u *scenarios.Scenario) Row {
	res := m.runner.Run(u, m.seed)
	row := RowOf(res)
	row.Cell = m.cell
	from := len(m.figures)
	for _, f := range m.judge.Figures(res.Evidence) {
		value := f.Value
		if !f.Known {
			value = Absent
		}
		m.figures = append(m.figures, value)
	}
	row.Figures = slices.Clip(m.figures[from:])
	return row
}

// RowOf returns the row of a run, without its cell and its figures.
func RowOf(res *scenarios.Result) Row {
	row := Row{Seed: res.Seed, Verdict: res.Verdict, Steps: res.Steps}
	for i, f := range res.Findings {
		row.Violated |= bit(f.Verdict == checker.Violated, i)
		row.Unknown |= bit(f.Verdict == checker.Unknown, i)
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

func bit(yes bool, i int) Set {
	if yes {
		return 1 << i
	}
	return 0
}
