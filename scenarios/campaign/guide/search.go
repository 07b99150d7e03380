package guide

import (
	"fmt"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/sim"
)

// A Search is a guided search.
type Search struct {
	Scenario *scenarios.Scenario // must have passed Check, have a search that draws, and no guests
	Seed     uint64              // the first
	Runs     int                 // how many at most
	Workers  int                 // how many side by side
	Watched  campaign.Set        // of scenarios.Judged: what it should break

	// Done is called with each run, in order. If it returns false, the search ends.
	Done func(*Run) (more bool)

	forget func(*Run) // takes away what a run showed, to test that it matters

	universes *scenarios.Universes
	corpus    corpus
	runners   []*scenarios.Runner // of the workers
}

// A Run is one run of a search.
type Run struct {
	Number   int // from 1
	Parent   int // the run whose universe was changed; 0 where it was drawn
	Universe scenarios.Scenario
	Row      campaign.Row // without its figures

	features []feature
	margins  [margins]int64
	moments  []clock.Instant // at which something happened, in order
	marks    [][]faults.Mark // that clients passed, those of each name together
	begins   []clock.Instant // when each fault of the universe struck; never where it did not
}

// never is when a fault struck that did not strike.
const never clock.Instant = -1

const (
	uniform   = 16 // runs before the first is guided
	drawnIn   = 20 // one in so many of the others is drawn, too
	leastSize = 8  // runs of a generation
	mostSize  = 64
)

// Work makes the runs, until Done returns false. Should a run panic, Work panics with a campaign.Broken.
func (s *Search) Work() {
	s.universes = s.Scenario.Universes()
	s.corpus = newCorpus(s.Watched)
	storm, _ := s.universes.Storm(s.Scenario)
	s.runners = make([]*scenarios.Runner, max(s.Workers, 1))
	for i := range s.runners {
		s.runners[i] = scenarios.NewRunner()
		defer s.runners[i].Close()
	}
	for done := 0; done < s.Runs; {
		next := make([]Run, min(max(done/8, leastSize), mostSize, s.Runs-done))
		for i := range next {
			next[i].Number = done + i + 1
			s.universe(&next[i])
		}
		if !s.make(next, storm.Marks) {
			return
		}
		done += len(next)
	}
}

// universe sets a run's universe and seed.
func (s *Search) universe(r *Run) {
	r.Row.Seed = s.Seed + uint64(r.Number-1)
	c := sim.NewChance(r.Row.Seed, "guide")
	if r.Number > uniform && c.Below(drawnIn) > 0 && len(s.corpus.known) > 0 {
		child := child{Chance: &c, universes: s.universes, corpus: &s.corpus}
		if child.make(r) {
			return
		}
	}
	r.Universe = s.universes.At(r.Row.Seed)
}

// make makes the runs of a generation, side by side, and adds them to the corpus in order.
func (s *Search) make(runs []Run, marks []string) (more bool) {
	more = true
	begun := 0
	e := campaign.Engine[*Run]{
		Workers: len(s.runners), Pieces: campaign.Range(0, len(runs)), InOrder: true,
		NewWorker: func() campaign.Worker[*Run] {
			begun++
			return newWorker(s.runners[begun-1], runs, marks)
		},
		Done: func(_ int, r *Run) (bool, error) {
			more = s.add(r)
			return more, nil
		},
	}
	if err := e.Run(); err != nil {
		panic("guide: " + err.Error()) // Done returns none
	}
	return more
}

// add adds a run to the corpus.
func (s *Search) add(r *Run) (more bool) {
	if s.forget != nil {
		s.forget(r)
	}
	s.corpus.add(r)
	return s.Done(r)
}

// newWorker returns a worker that makes runs of a generation, and gathers what they show.
func newWorker(runner *scenarios.Runner, runs []Run, marks []string) campaign.Worker[*Run] {
	var r *Run
	return campaign.Worker[*Run]{
		Make: func(i int) *Run {
			r = &runs[i]
			res := runner.Run(&r.Universe, r.Row.Seed)
			r.Row = campaign.RowOf(res)
			judge := checker.Judge{Unchecked: true}
			l := gatherer{e: res.Evidence, run: r, names: marks}
			l.gather(res, &judge)
			return r
		},
		At: func() (scenario string, seed uint64) {
			return fmt.Sprintf("%s, guided run %d with the schedule\n%s", r.Universe.ID, r.Number, r.Universe.Faults), r.Row.Seed
		},
	}
}
