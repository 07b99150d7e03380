package draw

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
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
		wording.Grouped(len(h)), s.Run.Evidence.End, what, wording.Micros(s.From), wording.Micros(s.To), wording.Grouped(seen))
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
	add := func(t clock.Instant) {
		if t = min(t, s.Run.Evidence.End); len(all) < spotsMost && !slices.Contains(all, t) {
			all = append(all, t)
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
func opAt(h checker.History, t clock.Instant) int {
	i, _ := slices.BinarySearchFunc(h, t, func(op checker.Op, t clock.Instant) int { return cmp.Compare(op.Time, t) })
	return min(i, len(h)-1)
}

// Sees reports whether any of an interval is in the scene.
func (s *Scene) Sees(start, end clock.Instant) bool {
	hidden := func(g stretch) bool { return start >= g.from && end <= g.to }
	return start <= s.To && end >= s.From && !slices.ContainsFunc(s.gaps, hidden)
}

// drawable returns what of a run can be drawn, and says in a sentence what it lacks. Evidence that contradicts itself is no
// picture of anything, so nothing of it is drawn but who was there.
func drawable(r *scenarios.Result) (drawn *scenarios.Result, lacks string) {
	e := r.Evidence
	if err := e.Check(); err != nil {
		bare := *r
		bare.Evidence = &checker.Evidence{Clients: r.Scenario.Clients, Lanes: e.Lanes, End: max(e.End, 0)}
		bare.Findings, bare.Copies = nil, nil
		why := strings.ReplaceAll(err.Error(), "\n", ". ")
		return &bare, wording.PlainLong("The evidence is not sound, so nothing of it is drawn. " + why + ".")
	}
	return r, lacking(e)
}

// lacking names the lists that evidence lacks and most evidence has.
func lacking(e *checker.Evidence) string {
	var missing []string
	if len(e.History) == 0 && len(e.Tries)+len(e.Holds)+len(e.Writes) > 0 {
		missing = append(missing, "no history, so it shows no calls")
	}
	if len(e.Tries) == 0 && len(e.Holds) > 0 {
		missing = append(missing, "no attempts, so it shows nobody waiting")
	}
	if len(missing) == 0 {
		return ""
	}
	return "The evidence has " + strings.Join(missing, "; it has ") + "."
}

// A Band is the time in which it is plain that properties are violated.
type Band struct {
	properties []string
	From, To   clock.Instant
}

// band finds when properties were violated; those with the same window share a band.
func (s *Scene) band() {
	for _, f := range s.Run.Findings {
		if f.Verdict != checker.Violated {
			continue
		}
		from, to := f.Witness.From, min(f.Witness.To, s.To)
		i := slices.IndexFunc(s.Bands, func(b Band) bool { return b.From == from && b.To == to })
		if i < 0 {
			i = len(s.Bands)
			s.Bands = append(s.Bands, Band{From: from, To: max(from, to)})
		}
		s.Bands[i].properties = append(s.Bands[i].properties, f.Property)
	}
}

// owners returns the client of each token. That of an attempt which never ended is not known.
func owners(e *checker.Evidence) map[string]int {
	owner := map[string]int{}
	for _, t := range e.Tries {
		owner[t.Token] = t.Client
	}
	return owner
}
