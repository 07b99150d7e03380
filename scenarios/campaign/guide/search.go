package guide

import (
	"fmt"
	"sync"
	"sync/atomic"

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
	Watched  campaign.Set        // of checker.Properties: what it should break

	// Done is called with each run, in order. If it returns false, the search ends.
	Done func(*Run) (more bool)

	forget func(*Run) // takes away what a run showed, to test that it matters

	universes *scenarios.Universes
	corpus    corpus
	hands     []hand
	marks     []string // at which faults may strike
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
	broken   *campaign.Broken
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
	s.marks = storm.Marks
	s.hands = make([]hand, max(s.Workers, 1))
	for i := range s.hands {
		s.hands[i].runner = scenarios.NewRunner()
		defer s.hands[i].runner.Close()
	}
	for done := 0; done < s.Runs; {
		next := make([]Run, min(max(done/8, leastSize), mostSize, s.Runs-done))
		for i := range next {
			next[i].Number = done + i + 1
			s.universe(&next[i])
		}
		s.make(next)
		if !s.add(next) {
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

// make makes the runs of a generation, side by side.
func (s *Search) make(runs []Run) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for i := range s.hands {
		wg.Go(func() {
			for n := int(next.Add(1)); n <= len(runs); n = int(next.Add(1)) {
				s.hands[i].make(&runs[n-1], s.marks)
			}
		})
	}
	wg.Wait()
}

// add adds the runs of a generation to the corpus.
func (s *Search) add(runs []Run) (more bool) {
	for i := range runs {
		r := &runs[i]
		if r.broken != nil {
			panic(*r.broken)
		}
		if s.forget != nil {
			s.forget(r)
		}
		s.corpus.add(r)
		if !s.Done(r) {
			return false
		}
	}
	return true
}

// A hand makes runs, one after another.
type hand struct{ runner *scenarios.Runner }

// make makes a run. A panic must not leave the goroutine: it would end the process before the run is named.
func (h *hand) make(r *Run, marks []string) {
	defer func() {
		if p := recover(); p != nil {
			r.broken = campaign.BrokenBy(p, fmt.Sprintf("%s, guided run %d with the schedule\n%s", r.Universe.ID, r.Number, r.Universe.Faults), r.Row.Seed)
		}
	}()
	res := h.runner.Run(&r.Universe, r.Row.Seed)
	r.Row = campaign.RowOf(res)
	judge := checker.Judge{Unchecked: true}
	l := look{e: res.Evidence, run: r, names: marks}
	l.gather(res, &judge)
}
