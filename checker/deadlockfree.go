package checker

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/clock"
)

var deadlockFree = Property{
	Name: "deadlock-free", Conflict: "deadlocked", Liveness: true, find: (*Judge).deadlockFree, after: true,
	needs:    func(e *Evidence) bool { return e.Probe.Bound > 0 },
	wants:    "no fresh client asked for the lock after the run",
	Asks:     "Once every fault has healed, can a fresh client acquire the lock within its TTL and a bound?",
	sentence: (*Evidence).deadlock,
	summary: func(*Evidence, Witness) string {
		return "a fresh client waits too long for the lock, though every fault is healed"
	},
	argument: (*Evidence).obstacle,
	story:    (*Story).probe,
}

// deadlockFree reports whether the probe, the acquire of a fresh client when every fault has healed, took longer than its
// bound. The probe comes after the run, so it is judged even when the run was cut short.
func (j *Judge) deadlockFree() (Witness, bool) {
	p := &j.e.Probe
	return Witness{First: -1, Second: -1, From: p.Asked, To: p.Won}, p.Won.Sub(p.Asked) > p.Bound
}

// deadlock returns: A fresh client asked for the lock at 60s, when every fault had healed, and had it at 90s, …
func (e *Evidence) deadlock(w Witness) string {
	had := "had it at " + seconds(w.To)
	if w.To == clock.Forever {
		had = "never had it"
	}
	return "A fresh client asked for the lock at " + seconds(w.From) + ", when every fault had healed, and " + had +
		"; it should take no longer than " + seconds(clock.Instant(e.Probe.Bound))
}

// obstacle names the clients whose keys were in the way of a client that waited.
func (e *Evidence) obstacle(w Witness) []string {
	if e.alone() != "" {
		return e.occupied(w.From)
	}
	var names []string
	for n := range e.Lanes {
		for i := range e.Keys {
			if s := &e.Keys[i]; s.Lane == n && s.From <= w.From && w.From < s.To {
				names = append(names, e.lane(n)+" (a key of "+e.ownerOf(s.Token)+")")
				break
			}
		}
	}
	free := strconv.Itoa(len(e.Lanes) - len(names))
	if len(names) == 0 {
		return []string{"At " + seconds(w.From) + " no node had a key: none was in the way."}
	}
	return []string{"At " + seconds(w.From) + " " + free + " of " + strconv.Itoa(len(e.Lanes)) + " nodes were free; " +
		strconv.Itoa(Majority(len(e.Lanes))) + " are needed. Keys were on " + strings.Join(names, ", ") + "."}
}

// occupied names the client for which the service held the lock.
func (e *Evidence) occupied(at clock.Instant) []string {
	i := slices.IndexFunc(e.Keys, func(s Span) bool { return s.From <= at && at < s.To })
	if i < 0 {
		return []string{"At " + seconds(at) + " " + e.alone() + " held the lock for nobody."}
	}
	return []string{"At " + seconds(at) + " " + e.alone() + " held the lock for " + e.ownerOf(e.Keys[i].Token) + "."}
}
