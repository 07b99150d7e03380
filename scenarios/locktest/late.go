package locktest

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A lock that returns a grant past its own deadline lacks the last step of acquiring. One run proves that: it takes no
// reference and no promise.

func isLate(res *scenarios.Result) bool { return len(res.Late) > 0 }

// lateGrant says how the first late grant of a run came about.
func lateGrant(res *scenarios.Result) string {
	g := res.Late[0]
	looked := "it did not look at its clock after the replies"
	if g.Looked {
		looked = "it looked at its clock after the replies, and took the lock"
	}
	return fmt.Sprintf("c%d got the lock when no validity was left of it, by the lock's own deadline: %s; such a grant must be "+
		"refused (a lock that no clock ends has the deadline locks.NoDeadline)", g.Client+1, looked)
}

// reportLate fails the test if a universe of the search had a late grant. It shows the smallest.
func (tr *trial) reportLate(t *testing.T, h *search) {
	t.Helper()
	if len(h.late) == 0 {
		return
	}
	first := slices.MinFunc(h.late, func(a, b hit) int { return cmp.Compare(a.faults, b.faults) })
	plain := *h.scenario
	plain.Search = scenarios.Search{}
	least := campaign.Shrinker{Least: h.at(first.seed), Seed: first.seed, Broken: isLate, Plain: &plain, Most: shrinkRuns}
	tr.reportBroken(t, h, tr.guarded(t, h, func() {
		least.Run()
		least.Prune()
	}))
	res := scenarios.Run(least.Least, least.Seed)
	said := fmt.Sprintf("%s; the deadline had passed %v before the last reply came; grants are late in %d of %d universes",
		lateGrant(res), res.Late[0].Over, len(h.late), h.runs)
	repeat, kept := tr.write(t, h, &least.Least, least.Seed, "late-grant", []string{said})
	tr.keep(t, res)
	t.Errorf("%s\n%s\n\n%s", said, kept, reportOf(res, repeat))
}
