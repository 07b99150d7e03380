package locktest

import (
	"flag"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// Check tests a lock in one universe, as a case of a property of rapid:
//
//	universes := scenariostest.Universes(&s)
//	rapid.Check(t, func(rt *rapid.T) {
//		locktest.Check(rt, universes.Draw(rt, "universe"), mylock.New)
//	})
//
// The property draws the universe, and rapid draws the seed of the run. What the lock must keep there, and what counts
// as a violation, is as in [Fuzz]: a promise that breaks is tried again with 200 other seeds, and with 2,000 for the
// reference. The case fails only if the lock breaks it markedly more often. So at most one in 1,000 properties of right
// locks fails, with as many cases as -rapid.checks says. While rapid shrinks, each smaller universe is tried in the
// same way, so the smallest is a violation too.
//
// Of the options, it takes [Expect], [Promises] and [Everything]. It looks at one run of each universe. [Fuzz] chooses
// from many universes those that break most often, so Check needs more draws to find what Fuzz finds.
func Check(rt *rapid.T, universe scenarios.Scenario, lock Constructor, options ...Option) {
	rt.Helper()
	u := &universe
	tr := beginTrial(rt, own(lock), options)
	if len(tr.changes) > 0 || tr.seeds > 0 || tr.artifacts || tr.anyTTL {
		rt.Fatalf("locktest: Check takes the options Expect, Promises and Everything; change the scenario before you draw from it, " +
			"and let -rapid.checks say how many are drawn")
	}
	if err := tr.prepare(u); err != nil {
		rt.Fatalf("locktest: %s: %v", u.ID, err)
	}
	f := found{universe: universe, seed: rapid.Uint64Range(1, 1<<16).Draw(rt, "seed")}
	r := scenarios.NewRunner()
	defer tr.close(r)
	if why := tr.lacks(rt, r, u); why != "" {
		rt.Fatalf("locktest: the lock can't be tried in %s: %s", u.ID, why)
	}
	h := tr.newSearch(u)
	owed, res := h.requires(u), tr.runSeed(rt, r, u, f.seed)
	if isLate(res) {
		rt.Fatalf("%s\n%s", lateGrant(res), reportOf(res, "as rapid says below"))
	}
	if campaign.RowOf(res).Violated&owed == 0 {
		return
	}
	if b := tr.guarded(rt, h, func() { f.promises = h.compare(u, f.seed, draws()*count(owed)) }); b != nil {
		rt.Fatalf("%s, seed %d: the run panics: %v\n\n%s", u.ID, b.Seed, b.Panic, ofLock(b.Stack))
	}
	names := namesOf(f.convicted(h.named))
	if len(names) == 0 {
		return
	}
	r.Repeat(res)
	rt.Fatalf("%s %s\n%s%s", strings.Join(names, ", "), breaksUnder(&f), h.told(&f),
		reportOf(res, "as rapid says below"))
}

// draws returns how many cases rapid makes of a property.
func draws() int {
	f := flag.Lookup("rapid.checks")
	if f == nil {
		return 1
	}
	n, _ := strconv.Atoi(f.Value.String())
	return max(n, 1)
}
