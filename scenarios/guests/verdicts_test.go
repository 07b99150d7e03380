package guests_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests"
)

// verdicts are the outcome of a library in a scenario, next to our own lock of its kind, with seeds from 1 up.
type verdicts struct {
	Scenario  string
	Seeds     int
	Broken    counts
	Reference counts
	Empty     counts `json:",omitempty"` // runs in which something never happened that the scenario needs in order to prove anything
	Warm      counts `json:",omitempty"` // what broke in the first of these seeds, each run begun warm
	WarmSeeds int    `json:",omitempty"`
}

// sources are the scenarios that put a lock itself on trial. The others are about storage, or about other kinds of locks.
var sources = []string{"antirez/", "baseline/", "distlock/", "etcd/", "kleppmann/", "leases/", "session/"}

// slow are scenarios whose runs take a tenth of a second each: they get one seed in twenty.
var slow = []string{
	"antirez/delayed-restart-short", "antirez/drift-constant", "antirez/ntp-slew", "antirez/rate-drift", "baseline/bad-weather",
	"baseline/partitions", "distlock/orphans", "distlock/orphans-unanswered", "distlock/split-vote", "distlock/split-vote-no-jitter",
	"distlock/split-vote-sequential", "leases/fast-server", "leases/slow-server",
}

var (
	errStorage = errors.New("it is about storage, or about a search")
	errOneNode = errors.New("on one node it proves nothing")
)

// enter puts a library into a scenario of the catalogue, or says why it does not belong there.
func enter(l *guests.Library, id string) (s scenarios.Scenario, err error) {
	s, _ = scenarios.Find(id)
	if !slices.ContainsFunc(sources, func(source string) bool { return strings.HasPrefix(id, source) }) {
		return s, errStorage
	}
	kind := s.Lock.Kind
	if err := l.Fit(&s); err != nil {
		return s, err
	}
	if s.Lock.Kind == kind {
		return s, nil
	}
	if _, known := onOneNode[id]; !known {
		onOneNode[id] = proves(scenarios.Run(reference(s), 1))
	}
	if !onOneNode[id] {
		return s, errOneNode
	}
	return s, nil
}

// onOneNode says of scenarios whether they prove anything on one node.
var onOneNode = map[string]bool{}

// proves reports whether a run has all verdicts, and everything happened that must.
func proves(res *scenarios.Result) bool {
	for _, f := range slices.Concat(res.Findings, res.Seen) {
		if f.Verdict == checker.Unknown {
			return false
		}
	}
	return !slices.ContainsFunc(res.Seen, func(f checker.Finding) bool { return f.Verdict != checker.Holds })
}

// try runs a library, and our own lock, in a scenario, until this many seeds have been measured.
func (v *verdicts) try(t *testing.T, l *guests.Library, s scenarios.Scenario, seeds int) {
	t.Helper()
	r := scenarios.NewRunner()
	defer r.Close()
	ours := reference(s)
	for ; v.Seeds < seeds; v.Seeds++ {
		seed := uint64(v.Seeds) + 1
		v.Reference.add(r.Run(&ours, seed).Findings)
		res := run(t, l, &s, seed)
		if res == nil {
			v.Broken["unknown"]++
			continue
		}
		v.Broken.addRun(res)
		for _, f := range res.Seen {
			if f.Verdict != checker.Holds {
				v.Empty[f.Property]++
			}
		}
	}
}

// warm runs a library with the first seeds once more, warm.
func (v *verdicts) warm(t *testing.T, l *guests.Library, s scenarios.Scenario, seeds int) {
	t.Helper()
	s.Work.Warm = time.Second
	for v.Warm = (counts{}); v.WarmSeeds < seeds; v.WarmSeeds++ {
		if res := run(t, l, &s, uint64(v.WarmSeeds)+1); res != nil {
			v.Warm.addRun(res)
		} else {
			v.Warm["unknown"]++
		}
	}
}

// noVerdicts are the verdicts of a scenario before its first seed.
func noVerdicts(id string) verdicts {
	return verdicts{Scenario: id, Broken: counts{}, Reference: counts{}, Empty: counts{}}
}

// A library breaks in each scenario what its page says. The short run repeats the first seeds of some scenarios. What
// never breaks with all seeds must not break with these; what always breaks must.
func TestVerdictsMatchPages(t *testing.T) {
	each(t, func(t *testing.T, l *guests.Library) {
		if *update {
			measureVerdicts(t, l)
			return
		}
		for i, v := range load(t, l).Verdicts {
			if !long && (slices.Contains(slow, v.Scenario) || i%5 > 0) {
				continue
			}
			s, err := enter(l, v.Scenario)
			if err != nil {
				t.Errorf("%s is in the table, and the library can't be in it: %v", v.Scenario, err)
				continue
			}
			n := 2
			if long {
				n = v.Seeds
			}
			is := noVerdicts(v.Scenario)
			is.try(t, l, s, n)
			compareVerdicts(t, v, is)
		}
	})
}

// measureVerdicts measures what is asked for, and keeps it after each scenario. The rest is what it was.
func measureVerdicts(t *testing.T, l *guests.Library) {
	m := load(t, l)
	was := m.Verdicts
	m.Verdicts = nil
	for _, id := range scenarios.IDs() {
		if _, err := enter(l, id); err != nil {
			continue
		}
		v := noVerdicts(id)
		if i := slices.IndexFunc(was, func(v verdicts) bool { return v.Scenario == id }); i >= 0 {
			v = was[i]
		}
		m.Verdicts = append(m.Verdicts, v)
	}
	for i := range m.Verdicts {
		v := &m.Verdicts[i]
		if *scenario != "" && *scenario != v.Scenario {
			continue
		}
		if !*more {
			*v = noVerdicts(v.Scenario)
		}
		if v.Empty == nil {
			v.Empty = counts{}
		}
		n := *seeds
		if slices.Contains(slow, v.Scenario) {
			n = max(1, n/20)
		}
		s, _ := enter(l, v.Scenario)
		v.try(t, l, s, n)
		v.warm(t, l, s, min(n, 20))
		store(t, l, m)
	}
}

// compareVerdicts compares what was measured with what is repeated, with the same seeds or fewer.
func compareVerdicts(t *testing.T, was, is verdicts) {
	t.Helper()
	promises := maps.Clone(was.Broken)
	maps.Copy(promises, is.Broken)
	for p := range promises {
		most, least := was.Broken[p], is.Seeds-(was.Seeds-was.Broken[p])
		if n := is.Broken[p]; n > most || n < least {
			t.Errorf("%s: %s breaks in %d of %d runs, and the page says in %d of %d", was.Scenario, p, n, is.Seeds, most, was.Seeds)
		}
	}
}
