package blackbox_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/checker/checkertest"
	"github.com/lockstorm/lockstorm/clock"
)

// The laws between the truth and what a black box sees, over every small history that clients of a run can leave. Each
// client acquires, releases the holds that it knows of, and may crash at any time.
//
// Such a history leaves open how long a client really acted as holder: at most until it called release, or asked again,
// or for ever. A promise that breaks also breaks if every hold lasts that long. So a law that says "if the promise
// breaks, the view does" needs to be tried only on the longest holds.
//
// Unknown outcomes save no such history, because a client releases only a hold that it knows of, and once. So each
// unknown release is needed to end the hold before its client's next, and no hold can have had a gap.

// longestHolds returns the longest holds that a history allows, by belief and validity alike, and with the latest
// requests for tokens. It returns nil for a history that no client of a run leaves.
func longestHolds(h checker.History, clients int) *checker.Evidence {
	e := &checker.Evidence{Clients: clients, Lanes: []string{"n1"}, History: h, End: clock.Instant(2*len(h) + 2)}
	held := map[int]int{} // by client, the place of its hold
	for i, o := range h {
		c, t := o.Process%clients, clock.Instant(2*i)
		hold, holding := held[c]
		switch {
		case o.F == checker.Release && o.Type == checker.Invoke && !holding:
			return nil
		case o.Type == checker.Invoke && holding:
			e.Holds[hold].Gone, e.Holds[hold].Valid = t, t
			delete(held, c)
		}
		if o.F == checker.Acquire && o.Type == checker.OK {
			held[c] = len(e.Holds)
			e.Tries = append(e.Tries, checker.Try{Client: c, Outcome: checker.Won, From: t - 1, To: t, Left: clock.Forever})
			e.Holds = append(e.Holds, checker.Hold{
				Client: c, Try: len(e.Tries) - 1, Fence: o.Value.Fence, Asked: t - 1, From: t, Gone: clock.Forever, Valid: clock.Forever,
			})
		}
	}
	return e
}

// truth judges a promise in true time.
func truth(e *checker.Evidence, promise string) bool {
	p, _ := checker.Lookup(promise)
	j := checker.Judge{Unchecked: true}
	return j.Ask(e, p).Verdict == checker.Violated
}

// sees returns which views are violated.
func sees(h checker.History, clients int) map[string]bool {
	seen := map[string]bool{}
	for _, r := range new(blackbox.Judge).Judge(h, clients, blackbox.Views) {
		seen[r.Model] = r.Verdict == checker.Violated
	}
	return seen
}

// A law says: where one thing is so, another is.
var laws = []struct {
	name    string
	breaks  func(e *checker.Evidence, seen map[string]bool) bool
	follows func(e *checker.Evidence, seen map[string]bool) bool
}{
	{"belief breaks, so the mutex is violated", promise("belief"), view("mutex")},
	{"validity breaks, so the mutex is violated", promise("validity"), view("mutex")},
	{"tokens break, so the fenced mutex is violated", promise("tokens"), view("fenced-mutex")},
	{"the mutex is violated, so the fenced mutex is", view("mutex"), view("fenced-mutex")},
	{"the lease is violated, so the mutex is", view("lease"), view("mutex")},
	{"the mutex is violated, so two of the longest holds overlap, or a client asks while it holds", view("mutex"),
		func(e *checker.Evidence, _ map[string]bool) bool { return truth(e, "belief") || asksWhileItHolds(e) }},
}

// asksWhileItHolds reports whether a client crashes as holder, and comes back: no release is called.
func asksWhileItHolds(e *checker.Evidence) bool {
	holds := map[int]bool{}
	for _, o := range e.History {
		c := o.Process % e.Clients
		if o.F == checker.Acquire && o.Type == checker.Invoke && holds[c] {
			return true
		}
		holds[c] = o.F == checker.Acquire && o.Type == checker.OK
	}
	return false
}

func promise(name string) func(*checker.Evidence, map[string]bool) bool {
	return func(e *checker.Evidence, _ map[string]bool) bool { return truth(e, name) }
}

func view(name string) func(*checker.Evidence, map[string]bool) bool {
	return func(_ *checker.Evidence, seen map[string]bool) bool { return seen[name] }
}

func TestTheLawsBetweenTruthAndTheBlackBoxOnEverySmallHistory(t *testing.T) {
	t.Parallel()
	events := 10
	if !long {
		events = 7
	}
	for _, clients := range []int{2, 3} {
		histories, broke := 0, make([]int, len(laws))
		small := smallHistories{Clients: clients, Events: events - (clients - 2), Funcs: []checker.Func{checker.Acquire, checker.Release}, Ticks: []int{1}}
		small.every(func(h checker.History) {
			for _, tokens := range [][]uint64{{1, 2, 3}, {2, 1, 3}, {1, 1, 1}} {
				fence(h, tokens)
				e := longestHolds(h, clients)
				if e == nil || checker.Fail == failedRelease(h) {
					return
				}
				histories++
				seen := sees(h, clients)
				for i, l := range laws {
					if !l.breaks(e, seen) {
						continue
					}
					if broke[i]++; !l.follows(e, seen) {
						t.Fatalf("%s: not so in %v, which sees %v", l.name, h, seen)
					}
				}
			}
		})
		t.Logf("%d clients: %d histories, %v", clients, histories, broke)
		for i, n := range broke {
			if n == 0 {
				t.Errorf("%s: it was never asked", laws[i].name)
			}
		}
	}
}

// fence sets the token of each acquire that succeeded, in order.
func fence(h checker.History, tokens []uint64) {
	n := 0
	for i := range h {
		if h[i].F == checker.Acquire && h[i].Type == checker.OK {
			h[i].Value.Fence = tokens[n%len(tokens)]
			n++
		}
	}
}

// failedRelease returns Fail if a release failed for certain: clients of a run know only that it was acknowledged, or
// not.
func failedRelease(h checker.History) checker.Type {
	for _, o := range h {
		if o.F == checker.Release && o.Type == checker.Fail {
			return checker.Fail
		}
	}
	return checker.OK
}

// Without a law, a history separates the two. The evidence is of the longest holds, except for what is changed in it.
func TestHistoriesSeparateTruthFromTheBlackBox(t *testing.T) {
	const s = 2 // two instants for each op
	for _, c := range []struct {
		name, history string
		change        func(e *checker.Evidence)
		breaks, holds string // promises
		seen, unseen  string // views
	}{
		{
			name:    "a holder stops at its deadline, no operation says so, and the mutex is violated",
			history: "0 acquire, 0 ok f1, 1 acquire, 1 ok f2, 1 release, 1 ok, 0 release, 0 info",
			change:  func(e *checker.Evidence) { e.Holds[0].Gone, e.Holds[0].Valid = 2*s, 2*s },
			holds:   "belief validity tokens", seen: "mutex fenced-mutex", unseen: "lease register",
		}, {
			name:    "the same, and a release that every node acknowledged is taken to show that the lease had lasted",
			history: "0 acquire, 0 ok f1, 1 acquire, 1 ok f2, 1 release, 1 ok, 0 release, 0 ok",
			change:  func(e *checker.Evidence) { e.Holds[0].Gone, e.Holds[0].Valid = 2*s, 2*s },
			holds:   "belief validity tokens", seen: "mutex fenced-mutex lease",
		}, {
			name:    "two clients hold the lock, and no acknowledged release says so: the lease is legal",
			history: "0 acquire, 0 ok f1, 1 acquire, 1 ok f2, 1 release, 1 ok, 0 release, 0 info",
			breaks:  "belief validity", seen: "mutex", unseen: "lease",
		}, {
			name:    "two clients hold the lock, but the second had asked before the first was answered",
			history: "1 acquire, 0 acquire, 0 ok f1, 1 ok f2, 0 release, 0 ok, 1 release, 1 info",
			breaks:  "belief validity", seen: "mutex", unseen: "lease",
		}, {
			name:    "a client crashes as holder and comes back: nobody else holds the lock, and the mutex is violated",
			history: "0 acquire, 0 ok f1, 0 acquire, 0 ok f2",
			holds:   "belief validity tokens", seen: "mutex fenced-mutex", unseen: "lease",
		}, {
			name:    "an update is lost, and each write made the next version: the register is legal",
			history: "0 read, 0 ok v0, 1 read, 1 ok v0, 0 write v0, 0 ok v1, 1 write v0, 1 ok v2, 0 read, 0 ok v2",
			change: func(e *checker.Evidence) {
				e.Writes = []checker.Update{
					{Client: 0, Op: 4, At: 5 * s, Plain: checker.Change{Made: 1}, Fenced: checker.Change{Made: 1}},
					{Client: 1, Op: 6, At: 7 * s, Plain: checker.Change{Made: 2}, Fenced: checker.Change{Made: 2}},
				}
			},
			breaks: "storage fenced", unseen: "register fenced-register mutex",
		}, {
			name:    "the lock's quorum is gone while it is held, and nobody else looks",
			history: "0 acquire, 0 ok f1, 0 release, 0 ok",
			change:  func(e *checker.Evidence) { e.Keys = nil },
			breaks:  "quorum", holds: "belief validity", unseen: "mutex lease fenced-mutex",
		}, {
			name:    "tokens fall from a hold to one that had asked for its token before the first returned: each is alone with its promise",
			history: "1 acquire, 0 acquire, 0 ok f2, 0 release, 0 ok, 1 ok f1, 1 release, 1 ok",
			change:  func(e *checker.Evidence) { e.Holds[1].Asked = 1 },
			holds:   "tokens belief", seen: "fenced-mutex", unseen: "mutex",
		},
	} {
		h := checkertest.Parse(t, c.history)
		e := longestHolds(h, 2)
		if c.change != nil {
			c.change(e)
		}
		seen := sees(h, 2)
		for _, name := range strings.Fields(c.breaks + " " + c.holds) {
			if want := slices.Contains(strings.Fields(c.breaks), name); truth(e, name) != want {
				t.Errorf("%s: %s is violated: %v", c.name, name, !want)
			}
		}
		for _, name := range strings.Fields(c.seen + " " + c.unseen) {
			if want := slices.Contains(strings.Fields(c.seen), name); seen[name] != want {
				t.Errorf("%s: the %s is violated: %v", c.name, name, !want)
			}
		}
	}
}
