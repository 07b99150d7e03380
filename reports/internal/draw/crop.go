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

// A scene has only a part of a long run: the windows of its violations, if they are small. Otherwise it has the
// surroundings of the events of each, because the window may contain a hundred thousand other operations. The parts
// left out between are gaps.
const (
	wholeMost = 10_000 // a run with up to this many operations is shown whole
	cropMost  = 3000   // the operations shown of a longer run
	cropLeast = 400    // the same, if fewer matter
	spotsMost = 24     // the instants whose surroundings are shown
)

// crop leaves out the parts of a long run far from its violations, or without a violation all but the beginning.
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
	s.Left = fmt.Sprintf("The run has %s operations and lasts %s. Drawn %s, %s, with %s of them.",
		wording.Grouped(len(h)), s.Run.Evidence.End, what, during(s.From, s.To), wording.Grouped(seen))
	if len(s.gaps) > 0 {
		s.Left += " What lies in the gaps is left out."
	}
}

// window returns the first and the last operation of the windows of all violations.
func (s *Scene) window() (first, last int) {
	h := s.Run.Evidence.History
	for i, b := range s.Bands {
		from, to := opAt(h, b.From), opAt(h, b.To)
		if i == 0 {
			first = from
		}
		first, last = min(first, from), max(last, to)
	}
	return first, last
}

// spots returns the instants of the violations: first the beginning and the end of each, then the events of its story.
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
	for _, f := range s.violations() {
		for _, m := range s.Run.Evidence.Story(f).Events {
			add(m.At)
		}
	}
	return all
}

// between shows the surroundings of some instants, with an equal share of the operations for each. The rest between
// them is gaps.
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

// Sees reports whether a part of an interval is in the scene.
func (s *Scene) Sees(start, end clock.Instant) bool {
	hidden := func(g stretch) bool { return start >= g.from && end <= g.to }
	return start <= s.To && end >= s.From && !slices.ContainsFunc(s.gaps, hidden)
}

// drawable returns the part of a run that can be shown, and a sentence about what the run lacks. If evidence
// contradicts itself, only the hosts can be shown.
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

func lacking(e *checker.Evidence) string {
	var missing []string
	if len(e.History) == 0 && len(e.Tries)+len(e.Holds)+len(e.Writes) > 0 {
		missing = append(missing, "no history, so it shows no calls")
	}
	if len(e.Tries) == 0 && len(e.Holds) > 0 {
		missing = append(missing, "no attempts, so it shows no client waiting")
	}
	if len(missing) == 0 {
		return ""
	}
	return "The evidence has " + strings.Join(missing, "; it has ") + "."
}

// A Band is the window of the violations of some properties.
type Band struct {
	properties []string
	From, To   clock.Instant
}

// since returns when promises broke. An update is lost when another overwrites it: at the end of the window.
func (b Band) since() clock.Instant {
	lost := func(name string) bool { return name == "storage" || name == "fenced" }
	if others := slices.DeleteFunc(slices.Clone(b.properties), lost); len(others) == 0 {
		return b.To
	}
	return b.From
}

// band finds when properties were violated. Properties with the same window share a band.
func (s *Scene) band() {
	for _, f := range s.violations() {
		from, to := f.Witness.From, min(f.Witness.To, s.To)
		i := slices.IndexFunc(s.Bands, func(b Band) bool { return b.From == from && b.To == to })
		if i < 0 {
			i = len(s.Bands)
			s.Bands = append(s.Bands, Band{From: from, To: max(from, to)})
		}
		s.Bands[i].properties = append(s.Bands[i].properties, f.Property)
	}
}

// owners returns the client of each lock value, except of attempts that never ended.
func owners(e *checker.Evidence) map[string]int {
	owner := map[string]int{}
	for _, t := range e.Tries {
		owner[t.Token] = t.Client
	}
	return owner
}
