package campaign_test

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"math/bits"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/sim/redis"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// The table of the page: which known flaws of Redlock random faults bring to light, and with which seed first.
func TestTheSearchFindsTheFlawsOfRedlock(t *testing.T) {
	need.Long(t)
	search := flawSearch{First: 1, Runs: 500, Workers: 2}
	for _, pattern := range []string{"redlock/*", "single/any"} {
		ids, err := scenarios.Matching(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			if s := found(t, id); s.Search.Drawn() {
				search.grounds = append(search.grounds, groundsOf(s)...)
			}
		}
	}
	ofRedlock := slices.DeleteFunc(scenarios.Catalogue(), func(s scenarios.Scenario) bool {
		return s.Lock.Kind != scenarios.Redlock && s.Lock.Kind != scenarios.Single
	})
	rows := [][]string{{"mutant", "breaks", "in", "faults", "first seed", "limit", "runs in all"}}
	for _, m := range mutantsOf(ofRedlock) {
		f, seed := search.kill(m), "not found"
		switch {
		case f.Found:
			seed = strconv.FormatUint(*f.Seed, 10)
		case f.Unfit != "":
			seed = "not searched"
		}
		class := cmp.Or(f.Faults, "none")
		if !f.Found {
			class = "-"
		}
		rows = append(rows, []string{f.Mutant, cmp.Or(f.Property, "-"), cmp.Or(f.Scenario, "-"), class, seed,
			strconv.Itoa(search.Runs), strconv.Itoa(f.Searched)})
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	if *reportstest.Update {
		if err := os.WriteFile("flaws-found.csv", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("flaws-found.csv")
	if err != nil || b.String() != string(want) {
		t.Errorf("%v: flaws-found.csv would be\n%s", err, b.String())
	}
}

// Flaws that only one kind of trouble brings to light: clocks at their limits, a server without its processor, a
// promotion, a message that is lost, a restart of what should be on a disk.
func TestFlawsOfOtherLocksAreFound(t *testing.T) {
	need.Long(t)
	for _, c := range []struct{ in, class, key, value string }{
		{"etcd/drifting", "partition", "lock.session.margin", "0"},
		{"etcd/any", "restart", "persistence", "none"},
		{"failover/late-promotion", "partition", "replicas.min_good", "0"},
		{"failover/any", "partition", "lock.failover.once", "true"},
		{"redisson/waiting", "loss", "lock.redisson.fallback", "false"},
	} {
		grounds := slices.DeleteFunc(groundsOf(found(t, c.in)), func(g ground) bool { return g.Class != c.class })
		search := flawSearch{First: 1, Runs: 100, Workers: 2, grounds: grounds}
		m := scenarios.Mutant{Name: c.key, Set: []scenarios.Assignment{{Key: c.key, Value: scenarios.Value(c.value)}}}
		if got := search.kill(m); !got.Found {
			t.Errorf("%s=%s is not found under %s: %+v", c.key, c.value, c.class, got)
		}
	}
}

// A mutant is found by what it breaks and the reference keeps; a change that breaks nothing is not found.
func TestMutantsAreFoundWhereTheReferenceSurvives(t *testing.T) {
	c := flawSearch{First: 1, Runs: 60, Workers: 2, grounds: groundsOf(found(t, "redlock/any"))}
	if !long {
		c.Runs = 30
	}
	set := func(key, value string) scenarios.Mutant {
		return scenarios.Mutant{Name: key, Set: []scenarios.Assignment{{Key: key, Value: scenarios.Value(value)}}}
	}
	broken := []scenarios.Mutant{set("lock.free", "delete"), set("lock.clock", "awake"), set("lock.cleanup", "none")}
	for _, m := range broken {
		if got := c.kill(m); !got.Found || got.Seed == nil || got.Property == "" || got.Unfit != "" {
			t.Errorf("%s is not found: %+v", m.Name, got)
		}
	}
	if got := c.kill(set("lock.drift_factor", "0.02")); got.Found {
		t.Errorf("a more careful lock is found: seed %d breaks %s on %q", *got.Seed, got.Property, got.Faults)
	}
	got := c.kill(set("lock.timeout", "9.9s"))
	if got.Found || got.Searched != 0 || !strings.Contains(got.Unfit, "9.9s is not less than") {
		t.Errorf("a mutant that fits nowhere: %+v", got)
	}
}

// A ground is a scenario with one class of faults that may hit there, on which mutants are searched for. Under one
// class at a time the reference keeps most of its promises, and only a promise that the reference keeps can kill a
// mutant.
type ground struct {
	Scenario scenarios.Scenario
	Class    string // of faults; empty for none
}

// grounds lists the grounds of a scenario's search: without any fault, and with each class that it names and that the
// lock is made to tolerate. Other classes break even the reference, and some so seldom that a mutant could be blamed
// for it.
func groundsOf(s *scenarios.Scenario) (all []ground) {
	for _, class := range slices.Concat([]string{""}, s.Search.Faults) {
		if !tolerates(s, class) {
			continue
		}
		g := ground{*s, class}
		if g.Scenario.Search.Faults = nil; class != "" {
			g.Scenario.Search.Faults = []string{class}
		}
		all = append(all, g)
	}
	return all
}

// tolerates reports whether the lock is made to tolerate a class of faults. It does not tolerate clocks at any rate,
// or nodes that forget, unless each command is on a disk. Nodes count time by their wall clocks, so those must not be
// stepped.
func tolerates(s *scenarios.Scenario, word string) bool {
	kinds, _ := faults.KindsOf([]string{word}) // Check has found it; an unknown word has no kinds
	return !slices.ContainsFunc(kinds, func(k *faults.Kind) bool {
		switch k.Class {
		case faults.Restart.Class, faults.Evict.Class:
			return s.Persistence != redis.AOFAlways
		case faults.Jump.Class:
			return !slices.Contains(s.Search.Spare, faults.Nodes)
		case faults.Drift.Class:
			return true
		}
		return false
	})
}

// A flawSearch searches for mutants on grounds: in rounds of some seeds on each ground, so that a mutant that is killed
// early on any ground is found early. A mutant is found when a run of it breaks a property that the
// reference keeps there with all seeds of the search.
type flawSearch struct {
	grounds []ground
	First   uint64
	Runs    int // how many seeds each ground has at most
	Workers int

	kept []campaign.Set // on each ground, the properties that the reference keeps; 0 where it has not been asked
}

// A flawFind is the outcome of the search for one mutant.
type flawFind struct {
	Mutant   string
	Set      []string
	Found    bool
	Property string  // the first that broke there and that the reference keeps
	Scenario string  // where it was found
	Faults   string  // the class of faults there; empty for none
	Seed     *uint64 // the first seed that shows it there
	Searched int     // how many runs it took on all grounds
	Unfit    string  // if its settings suit no ground: why not, on the first
}

// roundSeeds is how many seeds each ground has in a round.
const roundSeeds = 100

// kill searches for a run that kills a mutant.
func (c *flawSearch) kill(m scenarios.Mutant) flawFind {
	killing := flawFind{Mutant: m.Name, Set: []string{}}
	for _, a := range m.Set {
		killing.Set = append(killing.Set, a.String())
	}
	grounds, unfit := c.fitting(m)
	fits := func(g *scenarios.Scenario) bool { return g != nil }
	if unfit != nil && !slices.ContainsFunc(grounds, fits) {
		killing.Unfit = strings.ReplaceAll(unfit.Error(), "\n", "; ")
	}
	for from := 0; from < c.Runs && !killing.Found; from += roundSeeds {
		for i, g := range grounds {
			if g != nil && c.round(&killing, i, g, from) {
				break
			}
		}
	}
	return killing
}

// fitting returns the mutant on each ground, nil where it does not fit, and why it does not fit the first of those.
func (c *flawSearch) fitting(m scenarios.Mutant) (all []*scenarios.Scenario, unfit error) {
	all = make([]*scenarios.Scenario, len(c.grounds))
	for i := range c.grounds {
		s, err := c.grounds[i].Scenario.Mutate(m)
		if unfit = cmp.Or(unfit, err); err == nil {
			all[i] = &s
		}
	}
	return all, unfit
}

// round searches on one ground, from a seed on.
func (c *flawSearch) round(killing *flawFind, i int, mutant *scenarios.Scenario, src int) (found bool) {
	rows(mutant, c.First+uint64(src), min(roundSeeds, c.Runs-src), c.Workers, func(row *campaign.Row) bool {
		killing.Searched++
		if row.Violated == 0 {
			return true
		}
		if broken := row.Violated & c.keeps(i); broken != 0 {
			found = true
			g, seed := &c.grounds[i], row.Seed
			killing.Found, killing.Scenario, killing.Faults, killing.Seed = true, g.Scenario.ID, g.Class, &seed
			killing.Property = checker.Properties[bits.TrailingZeros64(uint64(broken))].Name
		}
		return !found
	})
	return found
}

// keeps returns the properties that the reference keeps on a ground.
func (c *flawSearch) keeps(i int) campaign.Set {
	if c.kept == nil {
		c.kept = make([]campaign.Set, len(c.grounds))
	}
	const asked = 1 << 63 // no property
	if c.kept[i] == 0 {
		broken := campaign.Set(0)
		rows(&c.grounds[i].Scenario, c.First, c.Runs, c.Workers, func(row *campaign.Row) bool {
			broken |= row.Violated | row.Unknown
			return true
		})
		c.kept[i] = campaign.All()&^broken | asked
	}
	return c.kept[i] &^ asked
}

// rows calls do with the rows of consecutive seeds of a scenario, in order, until it returns false.
func rows(s *scenarios.Scenario, first uint64, n, workers int, do func(*campaign.Row) (more bool)) {
	job := campaign.Job{Scenario: s, Cells: []campaign.Cell{{}}, First: first, Runs: n, Size: 25}
	job.Each(workers, func(rows []campaign.Row) (more bool) {
		return !slices.ContainsFunc(rows, func(r campaign.Row) bool { return !do(&r) })
	})
}

// mutantsOf lists the mutants of scenarios, without repeating mutants of the same settings.
func mutantsOf(all []scenarios.Scenario) (list []scenarios.Mutant) {
	for i := range all {
		for _, m := range all[i].Mutants {
			same := func(o scenarios.Mutant) bool { return slices.Equal(o.Set, m.Set) }
			if !slices.ContainsFunc(list, same) {
				list = append(list, m)
			}
		}
	}
	return list
}
