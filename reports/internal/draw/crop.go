package draw

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports/layout"
)

// Of a long run not all is drawn. What is drawn is what its violations are about: their windows, if they are small; else
// the surroundings of what took part in each, for the window between may hold a hundred thousand operations of others.
// What is left out between is a gap, and is drawn as one.
const (
	wholeMost = 10_000 // operations of a run that is drawn whole
	cropMost  = 3000   // operations that are drawn of a longer one
	cropLeast = 400    // how many are drawn where less would do
	spotsMost = 24     // instants whose surroundings are drawn
)

// crop leaves out of a long run what is far from its violations, and of one without any all but its beginning.
func (s *Scene) crop() {
	h := s.Run.Evidence.History
	if len(h) <= wholeMost {
		return
	}
	first, last := s.window()
	what := "are the windows of its violations"
	switch {
	case len(s.Bands) == 0:
		what = "is its beginning"
	case last-first > cropMost:
		what = "is what its violations are about"
	}
	if last-first > cropMost {
		s.between(s.spots())
	} else {
		margin := max((cropLeast-(last-first))/2, 20)
		s.From, s.To = h[max(0, first-margin)].Time, h[min(len(h)-1, last+margin)].Time
	}
	seen := 0
	for _, op := range h {
		if s.Sees(op.Time, op.Time) {
			seen++
		}
	}
	s.Left = fmt.Sprintf("The run has %s operations and lasts %s. Drawn %s, from %s to %s, with %s of them.",
		layout.Grouped(len(h)), s.Run.Evidence.End, what, layout.Micros(s.From), layout.Micros(s.To), layout.Grouped(seen))
	if len(s.gaps) > 0 {
		s.Left += " What lies in the gaps is left out."
	}
}

// window returns the operations between which all violations are plain.
func (s *Scene) window() (first, last int) {
	if len(s.Bands) == 0 {
		return 0, 0
	}
	found := s.Bands[0]
	for _, b := range s.Bands {
		found.From, found.To = min(found.From, b.From), max(found.To, b.To)
	}
	h := s.Run.Evidence.History
	return opAt(h, found.From), opAt(h, found.To)
}

// spots returns the instants that the violations are about: first when each was plain, and when it was over, then what led
// to it.
func (s *Scene) spots() (all []clock.Instant) {
	add := func(at clock.Instant) {
		if at = min(at, s.Run.Evidence.End); len(all) < spotsMost && !slices.Contains(all, at) {
			all = append(all, at)
		}
	}
	for _, b := range s.Bands {
		add(b.From)
		add(b.To)
	}
	for _, f := range s.Run.Findings {
		if f.Verdict == checker.Violated {
			for _, m := range s.Run.Evidence.Story(f).Events {
				add(m.At)
			}
		}
	}
	return all
}

// between shows the surroundings of some instants: as many operations about each as there may be in all. What lies
// between them is a gap.
func (s *Scene) between(spots []clock.Instant) {
	h := s.Run.Evidence.History
	around := cropMost / (2 * len(spots))
	var shown []stretch
	for _, at := range spots {
		i := opAt(h, at)
		shown = append(shown, stretch{min(at, h[max(0, i-around)].Time), max(at, h[min(len(h)-1, i+around)].Time)})
	}
	slices.SortFunc(shown, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	shown = joinStretches(shown)
	s.From, s.To = shown[0].from, shown[len(shown)-1].to
	for i := range shown[1:] {
		s.gaps = append(s.gaps, stretch{shown[i].to + 1, shown[i+1].from - 1})
	}
}

// opAt returns the index of the first operation at or after an instant, or the last.
func opAt(h checker.History, at clock.Instant) int {
	i, _ := slices.BinarySearchFunc(h, at, func(op checker.Op, at clock.Instant) int { return cmp.Compare(op.Time, at) })
	return min(i, len(h)-1)
}

// Sees reports whether any of an interval is in the scene.
func (s *Scene) Sees(from, to clock.Instant) bool {
	return from <= s.To && to >= s.From && !slices.ContainsFunc(s.gaps, func(g stretch) bool { return from >= g.from && to <= g.to })
}
