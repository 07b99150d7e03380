package checker

import (
	"cmp"
	"slices"

	"github.com/lockstorm/lockstorm/clock"
)

// The oracles follow the definitions in doc.go to the letter, pair by pair and instant by instant, over a timeline so
// short that this is possible. They share nothing with the judges but the types.

// last is the last instant of the timeline that an oracle looks at, short of Forever.
const last = 9

type oracle func(*Evidence) (Witness, bool)

var oracles = map[string]oracle{
	"belief": func(e *Evidence) (Witness, bool) {
		return pairwise(e, TwoHolders, func(h Hold, t clock.Instant) bool { return h.From <= t && t < h.Gone },
			func(h Hold) clock.Instant { return h.Gone })
	},
	"validity": func(e *Evidence) (Witness, bool) {
		return pairwise(e, TwoWindows, func(h Hold, t clock.Instant) bool { return h.From <= t && t < h.Valid },
			func(h Hold) clock.Instant { return h.Valid })
	},
	"quorum":    func(e *Evidence) (Witness, bool) { return instants(e, func(h Hold) clock.Instant { return h.Valid }) },
	"storage":   func(e *Evidence) (Witness, bool) { return contents(e, UpdateLost, plainOf) },
	"fenced":    func(e *Evidence) (Witness, bool) { return contents(e, FencedLost, fencedOf) },
	"tokens":    tokenPairs,
	"leak-free": leaks,

	"contended":       itHappened(contendedAtSomeInstant),
	"acquired-by-two": itHappened(someTwoHolds),
	"fault-struck":    itHappened(eachFaultHasAStrike),
	"expired-while-held": itHappened(func(e *Evidence) bool {
		return someHoldAndInstant(e, func(h Hold, t clock.Instant) bool { return h.From <= t && t < h.Gone && h.Valid <= t })
	}),
	"quorum-lost": func(e *Evidence) (Witness, bool) {
		_, lost := instants(e, func(h Hold) clock.Instant { return max(h.Gone, h.Valid) })
		return Witness{}, lost
	},
	"refused-too-late": itHappened(func(e *Evidence) bool {
		n := 0
		for _, t := range e.Tries {
			if t.Outcome == TooLate {
				n++
			}
		}
		return n > 0
	}),
	"stale-write-refused": itHappened(func(e *Evidence) bool {
		n := 0
		for _, u := range e.Writes {
			if u.Fenced.Made == 0 && u.Plain.Made > 0 {
				n++
			}
		}
		return n > 0
	}),
	"late-write": itHappened(someLateWrite),
}

func itHappened(did func(*Evidence) bool) oracle {
	return func(e *Evidence) (Witness, bool) { return Witness{}, did(e) }
}

func plainOf(u Update) Change  { return u.Plain }
func fencedOf(u Update) Change { return u.Fenced }

// least keeps the witness that comes first by the order that each judge promises.
type least struct {
	w     Witness
	found bool
	key   []int
}

func (l *least) offer(w Witness, key ...int) {
	if !l.found || slices.Compare(key, l.key) < 0 {
		*l = least{w, true, key}
	}
}

func pairwise(e *Evidence, kind Conflict, in func(Hold, clock.Instant) bool, end func(Hold) clock.Instant) (Witness, bool) {
	var l least
	for i, a := range e.Holds {
		for k, b := range e.Holds {
			if a.Client == b.Client || cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(i, k)) >= 0 {
				continue
			}
			for t := clock.Instant(0); t <= last; t++ {
				if in(a, t) && in(b, t) {
					l.offer(Witness{kind, i, k, t, min(end(a), end(b)), -1}, int(t), k, int(a.From), i)
				}
			}
		}
	}
	return l.w, l.found
}

func instants(e *Evidence, end func(Hold) clock.Instant) (Witness, bool) {
	var l least
	for i, h := range e.Holds {
		short := func(t clock.Instant) bool {
			return h.From <= t && t < end(h) && t < e.End && 2*nodesHaving(e, h.Token, t) <= e.Nodes
		}
		for t := clock.Instant(0); t <= last && e.Nodes > 0; t++ {
			if !short(t) {
				continue
			}
			to := t
			for short(to) {
				to++
			}
			l.offer(Witness{QuorumShort, i, lastToEnd(e, h.Token, t), t, to, -1}, int(t), i)
		}
	}
	return l.w, l.found
}

func nodesHaving(e *Evidence, token string, t clock.Instant) int {
	having := map[int]bool{}
	for _, s := range e.Keys {
		if s.Token == token && s.From <= t && t < s.To && 0 <= s.Node && s.Node < e.Nodes {
			having[s.Node] = true
		}
	}
	return len(having)
}

func lastToEnd(e *Evidence, token string, t clock.Instant) int {
	l := least{w: Witness{First: -1}}
	for i, s := range e.Keys {
		if s.Token == token && s.From < s.To && s.To <= t {
			l.offer(Witness{First: i}, -int(s.To), i)
		}
	}
	return l.w.First
}

// contents replays a register whose value is the set of updates in it: what its client had read, and its own.
func contents(e *Evidence, kind Conflict, in func(Update) Change) (Witness, bool) {
	versions := []map[int]bool{{}}
	var applied []int
	for i, u := range e.Writes {
		c := in(u)
		if c.Made == 0 {
			continue
		}
		value := map[int]bool{i: true}
		for k := range versions[c.Base] {
			value[k] = true
		}
		for _, k := range applied {
			if !value[k] {
				return Witness{kind, k, i, e.Writes[k].At, u.At, -1}, true
			}
		}
		applied, versions = append(applied, i), append(versions, value)
	}
	return Witness{}, false
}

func tokenPairs(e *Evidence) (Witness, bool) {
	var l least
	for i, a := range e.Holds {
		for k, b := range e.Holds {
			if i != k && a.Fence != 0 && b.Fence != 0 && a.From <= b.Asked && a.Fence >= b.Fence {
				l.offer(Witness{TokenBehind, i, k, b.Asked, b.From, -1}, int(b.Asked), k, int(a.From), i)
			}
		}
	}
	return l.w, l.found
}

func leaks(e *Evidence) (Witness, bool) {
	var l least
	for i, s := range e.Keys {
		owner := -1
		for k, t := range e.Tries {
			if t.Token == s.Token && t.From < s.To && (owner < 0 || t.From >= e.Tries[owner].From) {
				owner = k
			}
		}
		for t := clock.Instant(0); t <= last; t++ {
			if s.From <= t && t < s.To && leakedAt(e, s, owner, t) {
				l.offer(Witness{KeyLeaked, i, owner, t, s.To, -1}, int(t), i)
			}
		}
	}
	return l.w, l.found
}

// leakedAt says whether a span that is alive at t should be gone.
func leakedAt(e *Evidence, s Span, owner int, t clock.Instant) bool {
	if owner >= 0 && e.Tries[owner].Left != clock.Forever {
		return t >= e.Tries[owner].Left && (s.Endless || e.Tries[owner].Clean)
	}
	return e.Cut == "" && s.Endless && t >= e.End
}

func contendedAtSomeInstant(e *Evidence) bool {
	return someHoldAndInstant(&Evidence{Holds: e.Holds, End: clock.Forever}, func(h Hold, at clock.Instant) bool {
		for _, t := range e.Tries {
			if t.Client != h.Client && h.From <= at && at < h.Gone && t.From <= at && at < t.To {
				return true
			}
		}
		return false
	})
}

func someHoldAndInstant(e *Evidence, is func(Hold, clock.Instant) bool) bool {
	for _, h := range e.Holds {
		for t := clock.Instant(0); t <= last && t < e.End; t++ {
			if is(h, t) {
				return true
			}
		}
	}
	return false
}

func someTwoHolds(e *Evidence) bool {
	for _, a := range e.Holds {
		for _, b := range e.Holds {
			if a.Client != b.Client {
				return true
			}
		}
	}
	return false
}

func eachFaultHasAStrike(e *Evidence) bool {
	for i := range e.Planned {
		if !slices.ContainsFunc(e.Strikes, func(s Strike) bool { return s.Index == i && !s.Idle }) {
			return false
		}
	}
	return e.Planned > 0
}

func someLateWrite(e *Evidence) bool {
	for _, u := range e.Writes {
		under := -1
		for i, h := range e.Holds {
			if h.Client == u.Client && h.From <= e.History[u.Op].Time && (under < 0 || h.From >= e.Holds[under].From) {
				under = i
			}
		}
		if u.Plain.Made > 0 && under >= 0 && u.At >= e.Holds[under].Gone {
			return true
		}
	}
	return false
}

// expect is the finding that the oracle asks for.
func expect(e *Evidence, p Property) Finding {
	w, found := oracles[p.Name](e)
	f := Finding{p.Name, Holds, Witness{Strike: -1}}
	if found != p.Sometimes {
		f.Verdict = Violated
	}
	if !found && e.Cut != "" {
		f.Verdict = Unknown
	}
	if found && !p.Sometimes {
		f.Witness = w
		for i, s := range e.Strikes {
			if s.From <= w.From && (f.Witness.Strike < 0 || s.From >= e.Strikes[f.Witness.Strike].From) {
				f.Witness.Strike = i
			}
		}
	}
	return f
}
