package guests_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests"
)

// A fuzz is what a search over universes of faults found.
type fuzz struct {
	Search    string
	Faults    []string // what may go wrong
	Universes int
	Broken    counts
	Reference counts // what our own lock broke in the same universes
	Finds     []find `json:",omitempty"`
}

// find is the first universe in which a library breaks a promise, with as few faults as possible.
type find struct {
	Promise string
	Seed    uint64
	Repeats int // of three
	Faults  []string
}

// A search draws another schedule for each seed, and finds no violation that the page does not name. Most universes
// only have faults that a lock survives; one in eleven has faults of every kind.
func TestSearchMatchesPages(t *testing.T) {
	each(t, func(t *testing.T, l *guests.Library) {
		m := load(t, l)
		if *update {
			if !*more || len(m.Fuzz) != 2 {
				m.Fuzz = []fuzz{noFuzz(l, survivableBy(l)), noFuzz(l, everything)}
			}
			for n := 0; n < *universes; {
				n = min(n+500, *universes) // what is done is kept
				m.Fuzz[0].hunt(t, l, n)
				m.Fuzz[1].hunt(t, l, n/10)
				store(t, l, m)
			}
			return
		}
		for _, was := range m.Fuzz {
			n := 10
			if long {
				n = was.Universes
			}
			is := noFuzz(l, was.Faults)
			is.hunt(t, l, n)
			for p, found := range is.Broken {
				if found > was.Broken[p] {
					t.Errorf("%s breaks in %d of %d universes, and in %d of %d by the page", p, found, n, was.Broken[p], was.Universes)
				}
			}
		}
	})
}

// noFuzz is a search before its first universe.
func noFuzz(l *guests.Library, faults []string) fuzz {
	return fuzz{Search: search(l), Faults: faults, Broken: counts{}, Reference: counts{}}
}

// hunt searches further universes, until n have been searched.
func (f *fuzz) hunt(t *testing.T, l *guests.Library, n int) {
	r := scenarios.NewRunner()
	defer r.Close()
	skip := f.Universes
	for u := range drawn(l, f.Faults, n) {
		if skip > 0 {
			skip--
			continue
		}
		ours := reference(u.scenario)
		f.Reference.add(r.Run(&ours, u.seed).Findings)
		for _, p := range slices.Sorted(maps.Keys(breaks(t, l, &u.scenario, u.seed))) {
			f.Broken[p]++
			f.note(t, l, u, p)
		}
		f.Universes++
	}
}

// note shrinks the first universe in which a promise breaks.
func (f *fuzz) note(t *testing.T, l *guests.Library, u universe, promise string) {
	if !*update || slices.ContainsFunc(f.Finds, func(d find) bool { return d.Promise == promise }) {
		return
	}
	least := shrink(t, l, u, promise)
	d := find{Promise: promise, Seed: u.seed, Faults: strings.Split(strings.TrimSpace(least.Faults.String()), "\n")}
	for range 3 {
		if breaks(t, l, &least, u.seed)[promise] > 0 {
			d.Repeats++
		}
	}
	f.Finds = append(f.Finds, d)
}

// shrink leaves out each fault that is not needed.
func shrink(t *testing.T, l *guests.Library, u universe, promise string) scenarios.Scenario {
	s := u.scenario
	for i := 0; i < len(s.Faults); {
		less := s
		less.Faults = slices.Delete(slices.Clone(s.Faults), i, i+1)
		if breaks(t, l, &less, u.seed)[promise] > 0 {
			s = less
		} else {
			i++
		}
	}
	return s
}
