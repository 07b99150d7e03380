package checker

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/lockstorm/lockstorm/clock"
)

// Explain puts a finding of this evidence into one plain sentence. For a property that holds it is empty.
func (e *Evidence) Explain(f Finding) string {
	switch {
	case f.Verdict == Holds:
		return ""
	case f.Verdict == Unknown:
		return e.open(f)
	case f.Witness.Kind == None:
		return e.never(f)
	}
	return e.conflict(f.Witness) + "; " + e.cause(f.Witness) + "."
}

// open says why it is not known.
func (e *Evidence) open(f Finding) string {
	if p, _ := Lookup(f.Property); p.lacks(e) != "" {
		return "This was not judged: " + p.lacks(e) + "."
	}
	return "The run was cut short before this could be known: " + e.Cut + "."
}

func (e *Evidence) never(f Finding) string {
	p, _ := Lookup(f.Property)
	return "This never happened in the run: " + f.Property + ". " + p.Asks
}

func (e *Evidence) conflict(w Witness) string {
	switch w.Kind {
	case TwoHolders:
		return interval(w) + " both " + e.holder(w.First) + " and " + e.holder(w.Second) + " went on as holders"
	case TwoWindows:
		return interval(w) + " the validity windows of " + e.holder(w.First) + " and " + e.holder(w.Second) + " overlapped"
	case QuorumShort:
		return e.shortage(w)
	case UpdateLost:
		return e.loss(w, func(u *Update) Change { return u.Plain })
	case FencedLost:
		return "In the fenced register, " + e.loss(w, func(u *Update) Change { return u.Fenced })
	case TokenBehind:
		return e.lag(w)
	case Resurrected:
		return e.revival(w)
	case Deadlocked:
		return e.deadlock(w)
	case Starved:
		return e.starvation(w)
	default:
		return e.leak(w)
	}
}

// cause names the fault that opened the interval. It was the last to strike before, which is as much as can be said.
func (e *Evidence) cause(w Witness) string {
	if w.Strike < 0 {
		return "no fault had struck before"
	}
	s := e.Strikes[w.Strike]
	return "the last fault to strike before was " + strconv.Quote(s.Fault) + " at " + seconds(s.From)
}

// shortage says: From 3s to 9s fewer than 3 of 5 nodes (2 at first) held the key of c1 (token 33), …
func (e *Evidence) shortage(w Witness) string {
	valid := e.validity(w.First, w.From)
	if e.Service != "" {
		return interval(w) + " " + e.Service + " did not hold the lock for " + e.holder(w.First) + ", whose validity ran from " +
			seconds(valid.from) + to(valid.until)
	}
	said := interval(w) + " fewer than " + strconv.Itoa(Majority(e.Nodes)) + " of " + strconv.Itoa(e.Nodes) + " nodes (" +
		strconv.Itoa(e.nodesWith(e.Holds[w.First].Token, w.From)) + " at first) held the key of " + e.holder(w.First) +
		", whose validity ran from " + seconds(valid.from) + to(valid.until)
	if w.Second < 0 {
		return said
	}
	s := &e.Keys[w.Second]
	return said + "; the last key to go was that on " + node(s.Node) + ", at " + seconds(s.To)
}

// validity gives the window in which the hold is valid at t. There must be one.
func (e *Evidence) validity(hold int, t clock.Instant) window {
	j := Judge{e: e}
	valids := j.entitlements()
	return valids[slices.IndexFunc(valids, func(w window) bool { return w.index == hold && w.from <= t && t < w.until })]
}

// nodesWith counts the nodes that have a token at t.
func (e *Evidence) nodesWith(token string, t clock.Instant) int {
	n := 0
	for i := range e.Nodes {
		for _, s := range e.Keys {
			if s.Node == i && s.Token == token && s.From <= t && t < s.To {
				n++
				break
			}
		}
	}
	return n
}

// loss says: c2's update (version 1, token 34), applied at 10.9s, was overwritten at 15s by c1 (token 33), …
func (e *Evidence) loss(w Witness, in func(*Update) Change) string {
	lost, over := &e.Writes[w.First], &e.Writes[w.Second]
	more := ""
	if lastLost := in(over).Made - 1; lastLost > in(lost).Made {
		more = ", with all up to version " + strconv.FormatUint(lastLost, 10) + ","
	}
	return client(lost.Client) + "'s update (version " + strconv.FormatUint(in(lost).Made, 10) + fence(", ", lost.Fence, "") +
		"), applied at " + seconds(lost.At) + ", was overwritten" + more + " at " + seconds(over.At) + " by " +
		client(over.Client) + fence(" (", over.Fence, ")") + ", which had read version " +
		strconv.FormatUint(in(over).Base, 10)
}

// lag says: c2 asked for its fencing token at 5s, after c1 (token 34) had acquired at 4s, and got 33, …
func (e *Evidence) lag(w Witness) string {
	a, b := &e.Holds[w.First], &e.Holds[w.Second]
	return client(b.Client) + " asked for its fencing token at " + seconds(b.Asked) + ", after " + e.holder(w.First) +
		" had acquired at " + seconds(a.From) + ", and got " + strconv.FormatUint(b.Fence, 10) + ", which is not larger"
}

// revival says: c1 (token 33) acquired at 1s and extended its hold at 20s, although c2 (token 34) had acquired at 12s
func (e *Evidence) revival(w Witness) string {
	return e.holder(w.First) + " acquired at " + seconds(e.Holds[w.First].From) + " and extended its hold at " +
		seconds(w.To) + ", although " + e.holder(w.Second) + " had acquired at " + seconds(w.From)
}

// deadlock says: A fresh client asked for the lock at 60s, when every fault had healed, and had it at 90s, …
func (e *Evidence) deadlock(w Witness) string {
	had := "had it at " + seconds(w.To)
	if w.To == clock.Forever {
		had = "never had it"
	}
	return "A fresh client asked for the lock at " + seconds(w.From) + ", when every fault had healed, and " + had +
		"; it should take no longer than " + seconds(clock.Instant(e.Probe.Bound))
}

// starvation says: From 1s to 9s c2 waited for the lock, although it reached a majority of nodes and nobody else held it, …
func (e *Evidence) starvation(w Witness) string {
	o := &e.History[w.First]
	said := interval(w) + " " + client(o.Process%e.Clients) + " waited "
	if o.F == Acquire {
		said += "for the lock, although " + e.reached() + " and nobody else held it"
	} else {
		said += "for its release to return, although " + e.reached()
	}
	return said + "; it should take no longer than " + seconds(clock.Instant(e.Bound))
}

// reached says what a client had that waited all the same. A service of several servers is one while it is in order.
func (e *Evidence) reached() string {
	switch {
	case e.Service != "" && e.Nodes > 1:
		return e.Service + " was in order and in its reach"
	case e.Service != "":
		return "it reached " + e.Service
	case e.Nodes == 1:
		return "it reached the node"
	}
	return "it reached a majority of nodes"
}

// leak says whose key stayed where, and why it should not have.
func (e *Evidence) leak(w Witness) string {
	s := &e.Keys[w.First]
	life := "lived on to " + seconds(s.To)
	if s.To == clock.Forever {
		life = "was never removed"
	}
	if s.Endless {
		life = "had no TTL and " + life
	}
	if w.Second < 0 {
		return "A key on " + e.home(s.Node) + ", set at " + seconds(s.From) + " by nobody known, " + life
	}
	t := &e.Tries[w.Second]
	return "A key of " + client(t.Client) + " on " + e.home(s.Node) + ", set at " + seconds(s.From) + ", " + life + e.excuse(t)
}

func (e *Evidence) excuse(t *Try) string {
	switch {
	case t.Left == clock.Forever:
		return ", although its owner did nothing more until the run ended at " + seconds(e.End)
	case t.Clean:
		return ", although every node that it was released on had acknowledged by " + seconds(t.Left)
	default:
		return ", although its owner was done with it at " + seconds(t.Left)
	}
}

// holder names the client of a hold with its fencing token, if it drew one: c1 (token 33).
func (e *Evidence) holder(i int) string {
	return client(e.Holds[i].Client) + fence(" (", e.Holds[i].Fence, ")")
}

func fence(before string, token uint64, after string) string {
	if token == 0 {
		return ""
	}
	return before + "token " + strconv.FormatUint(token, 10) + after
}

func client(i int) string { return "c" + strconv.Itoa(i+1) }

// home names what holds a key that was seen on a node: that node, or the service that the nodes make together.
func (e *Evidence) home(i int) string { return cmp.Or(e.Service, node(i)) }

func node(i int) string { return "n" + strconv.Itoa(i+1) }
