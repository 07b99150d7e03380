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
	"belief":    func(e *Evidence) (Witness, bool) { return pairwise(e, believes) },
	"validity":  func(e *Evidence) (Witness, bool) { return pairwise(e, valid) },
	"quorum":    func(e *Evidence) (Witness, bool) { return instants(e, valid) },
	"storage":   func(e *Evidence) (Witness, bool) { return contents(e, plainOf) },
	"fenced":    func(e *Evidence) (Witness, bool) { return contents(e, fencedOf) },
	"tokens":    tokenPairs,
	"leak-free": leaks,

	"continuity": resurrections,
	"once":       repetitions,
	"tick-missed": itHappened(func(e *Evidence) bool {
		done := map[int]bool{}
		for _, u := range e.Writes {
			if u.Plain.Made > 0 && u.Tick > 0 {
				done[u.Tick] = true
			}
		}
		return len(done) < e.Ticks
	}),
	"deadlock-free": func(e *Evidence) (Witness, bool) {
		w := Witness{-1, -1, e.Probe.Asked, e.Probe.Won, -1}
		return w, e.Probe.Won > e.Probe.Asked+clock.Instant(e.Probe.Bound)
	},
	"fault-tolerant": starvations,

	"contended":       itHappened(contendedAtSomeInstant),
	"acquired-by-two": itHappened(someTwoHolds),
	"acquired":        itHappened(func(e *Evidence) bool { return !slices.Equal(e.Holds, nil) }),
	"fault-struck":    itHappened(eachFaultHasAStrike),
	"expired-while-held": itHappened(func(e *Evidence) bool {
		return someHoldAndInstant(e, func(i int, t clock.Instant) bool { return believes(e, i, t) && !valid(e, i, t) })
	}),
	"quorum-lost": func(e *Evidence) (Witness, bool) {
		_, lost := instants(e, holding)
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
	"holder-refused": itHappened(func(e *Evidence) bool {
		for _, u := range e.Writes {
			own, others := 0, 0
			for i, h := range e.Holds {
				if believes(e, i, u.At) && h.Client == u.Client {
					own++
				} else if believes(e, i, u.At) {
					others++
				}
			}
			if u.Plain.Made > 0 && u.Fenced.Made == 0 && own > 0 && others == 0 {
				return true
			}
		}
		return false
	}),
	"kept-out": itHappened(someoneKeptOut),
	"extended": itHappened(func(e *Evidence) bool {
		return slices.IndexFunc(e.Renewals, func(r Renewal) bool { return r.OK }) >= 0
	}),
	"extension-failed": itHappened(func(e *Evidence) bool {
		return slices.IndexFunc(e.Renewals, func(r Renewal) bool { return !r.OK && r.At < clock.Forever }) >= 0
	}),
	"unavailable": itHappened(func(e *Evidence) bool {
		for t := clock.Instant(0); t < e.End; t++ {
			if unavailableAt(e, t) {
				return true
			}
		}
		return false
	}),
	"split-vote": itHappened(someSplitVote),
	"overtaken": itHappened(func(e *Evidence) bool {
		r := takers["overtaken"](e)
		return r.known && r.value > 0
	}),
	"shared": itHappened(func(e *Evidence) bool {
		for i, a := range e.Holds {
			for k, b := range e.Holds {
				for t := clock.Instant(0); t <= last; t++ {
					if a.Shared && b.Shared && a.Client != b.Client && believes(e, i, t) && believes(e, k, t) {
						return true
					}
				}
			}
		}
		return false
	}),
	"wanted-after-fault": itHappened(func(e *Evidence) bool {
		for at := clock.Instant(0); at < 100; at++ { // the cases are that short
			for _, s := range e.Strikes {
				if s.From == at && !s.Idle {
					return someWants(e, at)
				}
			}
		}
		return false
	}),
	"written": itHappened(func(e *Evidence) bool {
		for _, u := range e.Writes {
			if u.Plain.Made > 0 {
				return true
			}
		}
		return false
	}),
	"crashed-while-held": itHappened(func(e *Evidence) bool {
		return slices.IndexFunc(e.Holds, func(h Hold) bool { return h.Crashed }) >= 0
	}),
}

// someWants reports whether a client other than the one that acquired last is asking for the lock at some time after at.
func someWants(e *Evidence, at clock.Instant) bool {
	for t := at; t >= 0; t-- {
		for i := len(e.Holds) - 1; i >= 0; i-- {
			if h := e.Holds[i]; h.From == t {
				return slices.ContainsFunc(e.Tries, func(t Try) bool { return t.Client != h.Client && t.To > at })
			}
		}
	}
	return slices.ContainsFunc(e.Tries, func(t Try) bool { return t.To > at })
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

// believes, valid and holding say of the hold of an index whether it is on at t: by belief, by validity, or by either.
func believes(e *Evidence, i int, t clock.Instant) bool {
	return e.Holds[i].From <= t && t < e.Holds[i].Gone
}

func valid(e *Evidence, i int, t clock.Instant) bool {
	return e.Holds[i].From <= t && t < e.Holds[i].Valid ||
		slices.ContainsFunc(e.Renewals, func(r Renewal) bool { return r.Hold == i && r.OK && r.At <= t && t < r.Valid })
}

func holding(e *Evidence, i int, t clock.Instant) bool { return believes(e, i, t) || valid(e, i, t) }

// began and ends return the bounds of the longest interval around t in which is holds.
func began(t clock.Instant, is func(clock.Instant) bool) clock.Instant {
	for t > 0 && is(t-1) {
		t--
	}
	return t
}

func ends(t clock.Instant, is func(clock.Instant) bool) clock.Instant {
	for ; is(t); t++ {
		if t > last {
			return clock.Forever
		}
	}
	return t
}

// exclude reports whether two holds must not exist at the same time.
func exclude(a, b Hold) bool { return a.Client != b.Client && (!a.Shared || !b.Shared) }

func pairwise(e *Evidence, on func(*Evidence, int, clock.Instant) bool) (Witness, bool) {
	var l least
	for i, a := range e.Holds {
		for k, b := range e.Holds {
			for t := clock.Instant(0); t <= last && exclude(a, b); t++ {
				if !on(e, i, t) || !on(e, k, t) {
					continue
				}
				first := began(t, func(t clock.Instant) bool { return on(e, i, t) })
				second := began(t, func(t clock.Instant) bool { return on(e, k, t) })
				if cmp.Or(cmp.Compare(first, second), cmp.Compare(i, k)) < 0 {
					to := ends(t, func(t clock.Instant) bool { return on(e, i, t) && on(e, k, t) })
					l.offer(Witness{i, k, t, to, -1}, int(t), k, int(first), i)
				}
			}
		}
	}
	return l.w, l.found
}

func instants(e *Evidence, on func(*Evidence, int, clock.Instant) bool) (Witness, bool) {
	var l least
	for i, h := range e.Holds {
		short := func(t clock.Instant) bool {
			return on(e, i, t) && t < e.End && 2*nodesHaving(e, h.Token, t) <= len(e.Lanes)
		}
		for t := clock.Instant(0); t <= last && len(e.Lanes) > 0; t++ {
			if short(t) {
				l.offer(Witness{i, lastToEnd(e, h.Token, t), t, ends(t, short), -1}, int(t), i)
			}
		}
	}
	return l.w, l.found
}

func nodesHaving(e *Evidence, token string, t clock.Instant) int {
	having := map[int]bool{}
	for _, s := range e.Keys {
		if s.Token == token && s.From <= t && t < s.To && 0 <= s.Lane && s.Lane < len(e.Lanes) {
			having[s.Lane] = true
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

// repetitions looks at every pair of updates.
func repetitions(e *Evidence) (Witness, bool) {
	for k, b := range e.Writes {
		for i, a := range e.Writes[:k] {
			if a.Tick > 0 && a.Tick == b.Tick && a.Plain.Made > 0 && b.Plain.Made > 0 {
				return Witness{i, k, b.At, b.At, -1}, true
			}
		}
	}
	return Witness{}, false
}

// contents replays a register whose value is the set of updates in it: what its client had read, and its own.
func contents(e *Evidence, in func(Update) Change) (Witness, bool) {
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
				return Witness{k, i, e.Writes[k].At, u.At, -1}, true
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
				l.offer(Witness{i, k, b.Asked, b.From, -1}, int(b.Asked), k, int(a.From), i)
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
				l.offer(Witness{i, owner, t, s.To, -1}, int(t), i)
			}
		}
	}
	return l.w, l.found
}

// leakedAt reports whether a span that is alive at t should be gone.
func leakedAt(e *Evidence, s Span, owner int, t clock.Instant) bool {
	if owner >= 0 && e.Tries[owner].Left != clock.Forever {
		return t >= e.Tries[owner].Left && (s.Endless || e.Tries[owner].Clean)
	}
	return e.Cut == "" && s.Endless && t >= e.End
}

func contendedAtSomeInstant(e *Evidence) bool {
	all := *e
	all.End = clock.Forever
	return someHoldAndInstant(&all, func(i int, at clock.Instant) bool {
		for _, t := range e.Tries {
			if t.Client != e.Holds[i].Client && believes(e, i, at) && t.From <= at && at < t.To {
				return true
			}
		}
		return false
	})
}

func someHoldAndInstant(e *Evidence, is func(int, clock.Instant) bool) bool {
	for i := range e.Holds {
		for t := clock.Instant(0); t <= last && t < e.End; t++ {
			if is(i, t) {
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
		if e.Stated > 0 && i >= e.Stated {
			break
		}
		if !slices.ContainsFunc(e.Strikes, func(s Strike) bool { return s.Index == i && !s.Idle && !s.Slight }) {
			return false
		}
	}
	return e.Planned > 0
}

func someLateWrite(e *Evidence) bool {
	for _, u := range e.Writes {
		under := -1
		for i, h := range e.Holds {
			if u.Op < len(e.History) && h.Client == u.Client && h.From <= e.History[u.Op].Time && (under < 0 || h.From >= e.Holds[under].From) {
				under = i
			}
		}
		if u.Plain.Made > 0 && under >= 0 && u.At >= e.Holds[under].Gone {
			return true
		}
	}
	return false
}

func resurrections(e *Evidence) (Witness, bool) {
	var l least
	for _, r := range e.Renewals {
		for k, g := range e.Holds {
			h := e.Holds[r.Hold]
			given := g.From < g.Valid || g.From == g.Valid && g.Gone <= g.From // with validity left; it may be released at once
			if r.OK && given && exclude(h, g) && h.From < g.From && g.From < r.At {
				l.offer(Witness{r.Hold, k, g.From, r.At, -1}, int(g.From), k, int(h.From), r.Hold, int(r.At))
			}
		}
	}
	return l.w, l.found
}

// callOf returns what closes the call that an op invokes; -1 for nothing. A process that comes back does so under its own
// number, and with the same func.
func callOf(e *Evidence, invoke int) (done int) {
	for i := invoke + 1; i < len(e.History); i++ {
		if e.History[i].Process == e.History[invoke].Process {
			return i
		}
	}
	return -1
}

func inTouch(e *Evidence, c, n int, t clock.Instant) bool {
	return !slices.ContainsFunc(e.Outages, func(o Outage) bool {
		return o.Client == c && o.Lane == n && o.From <= t && t < o.To
	})
}

func reaching(e *Evidence, c int, t clock.Instant) (nodes int) {
	for n := range e.Lanes {
		if inTouch(e, c, n, t) {
			nodes++
		}
	}
	return nodes
}

// inTheWay reports whether a hold keeps others waiting at t.
func inTheWay(e *Evidence, i int, t clock.Instant) bool {
	h := e.Holds[i]
	if t < h.From {
		return false
	}
	if 0 <= h.Try && h.Try < len(e.Tries) && t < e.Tries[h.Try].Left {
		return true
	}
	for later := t; later <= last; later++ {
		if holding(e, i, later) {
			return true
		}
	}
	return false
}

func starvations(e *Evidence) (Witness, bool) {
	var l least
	for i, o := range e.History {
		if o.Type != Invoke || o.F != Acquire && o.F != Release {
			continue
		}
		c, done := o.Process%e.Clients, e.End
		if k := callOf(e, i); k >= 0 {
			done = e.History[k].Time
		}
		waits := func(t clock.Instant) bool {
			if t < o.Time || t >= done || 2*reaching(e, c, t) <= len(e.Lanes) {
				return false
			}
			for k, h := range e.Holds {
				if o.F == Acquire && exclude(h, Hold{Client: c, Shared: o.Value.Shared}) && inTheWay(e, k, t) {
					return false
				}
			}
			return true
		}
		for t := clock.Instant(0); t <= last; t++ {
			if to := ends(t, waits); to > t+clock.Instant(e.Bound) {
				l.offer(Witness{i, -1, t, to, -1}, int(t), i)
			}
		}
	}
	return l.w, l.found
}

func someoneKeptOut(e *Evidence) bool {
	for i, o := range e.History {
		if o.Type != Invoke || o.F != Acquire || e.Clients == 0 || e.Probe.Bound == 0 {
			continue
		}
		done := e.End
		if k := callOf(e, i); k >= 0 {
			done = e.History[k].Time
		}
		for k, h := range e.Holds {
			waited := 0
			for t := o.Time; t < done; t++ {
				if believes(e, k, t) && h.Client != o.Process%e.Clients {
					waited++
				}
			}
			if waited > int(e.Probe.Bound) {
				return true
			}
		}
	}
	return false
}

// unavailableAt reports whether no client held the lock at t, or could have acquired it.
func unavailableAt(e *Evidence, t clock.Instant) bool {
	for i := range e.Holds {
		if holding(e, i, t) {
			return false
		}
	}
	for c := range e.Clients {
		free := 0
		for n := range e.Lanes {
			taken := slices.ContainsFunc(e.Keys, func(s Span) bool { return s.Lane == n && s.From <= t && t < s.To })
			if !taken && inTouch(e, c, n, t) {
				free++
			}
		}
		if 2*free > len(e.Lanes) {
			return false
		}
	}
	return len(e.Lanes) > 0 && e.Clients > 0
}

func someSplitVote(e *Evidence) bool {
	for t := clock.Instant(0); t < e.End; t++ {
		voted := map[int]bool{}
		for _, try := range e.Tries {
			if try.Outcome == NoQuorum && try.From <= t && t < try.To && nodesHaving(e, try.Token, t) > 0 {
				voted[try.Client] = true
			}
		}
		majority := slices.ContainsFunc(e.Keys, func(s Span) bool { return 2*nodesHaving(e, s.Token, t) > len(e.Lanes) })
		if len(voted) > 1 && !majority {
			return true
		}
	}
	return false
}

// expect is the finding that the oracle asks for.
func expect(e *Evidence, p Property) Finding {
	f := Finding{p.Name, Holds, Witness{Strike: -1}}
	if p.Name == "deadlock-free" && e.Probe.Bound == 0 ||
		p.Name == "fault-tolerant" && (e.Bound == 0 || e.Clients == 0 || len(e.Lanes) == 0) {
		f.Verdict = Unknown
		return f
	}
	w, found := oracles[p.Name](e)
	if found != p.Sometimes {
		f.Verdict = Violated
	}
	if !found && e.Cut != "" && p.Name != "deadlock-free" {
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
