package checker

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/clock"
)

// This file says in a paragraph which step of the algorithm was defeated, and how. It is built from the evidence alone:
// what nodes had which key when, who was still entitled for how long, and which fault had struck between. What the
// evidence does not show is not said.

// Argument says how it could come to a finding: which step of the algorithm was defeated, and by what. It goes on where
// Explain ends, and is empty for what is not Violated and for what never happened.
func (e *Evidence) Argument(f Finding) string {
	w := f.Witness
	if f.Verdict != Violated {
		return ""
	}
	var said []string
	switch w.Kind {
	case TwoHolders, TwoWindows:
		said = e.exclusion(w)
	case QuorumShort:
		said = e.shortfall(w)
	case UpdateLost:
		said = e.overwriting(w, false)
	case FencedLost:
		said = e.overwriting(w, true)
	case TokenBehind:
		said = e.relapse(w)
	case Resurrected:
		said = e.resurrection(w)
	case Deadlocked, Starved:
		said = e.obstacle(w)
	case KeyLeaked:
		said = e.remains(w)
	}
	return strings.Join(said, " ")
}

// exclusion says how a second client could come to hold the lock.
func (e *Evidence) exclusion(w Witness) []string {
	for _, i := range []int{w.First, w.Second} {
		h := &e.Holds[i]
		if end := e.entitledUntil(i, w.From); end <= w.From {
			return e.overstay(h, end, w.From)
		}
	}
	a, b := &e.Holds[w.First], &e.Holds[w.Second]
	left := e.entitledUntil(w.First, w.From).Sub(w.From)
	said := []string{client(b.Client) + " was granted the lock while " + client(a.Client) + " still had " +
		seconds(clock.Instant(left)) + " of its validity, by its own clock."}
	if e.Service != "" {
		return append(said, e.booked(a, b)...)
	}
	for _, h := range []*Hold{a, b} {
		if short := e.outvoted(h); short != "" {
			return append(said, short)
		}
	}
	return append(said, e.doubleVote(a, b)...)
}

// outvoted says of a hold that it never had a majority, or had none any more when its acquire returned, for its keys had
// expired; of any other, nothing.
func (e *Evidence) outvoted(h *Hold) string {
	votes := e.granted(h)
	living := len(slices.DeleteFunc(slices.Clone(votes), func(s *Span) bool { return s.Expired && s.To < h.From }))
	of, enough := " of "+strconv.Itoa(e.Nodes)+" nodes ", Majority(e.Nodes)
	switch {
	case e.Nodes == 0 || living >= enough:
		return ""
	case len(votes) < enough:
		return "Only " + strconv.Itoa(len(votes)) + of + "had granted " + client(h.Client) +
			" the lock by then. The step that was defeated is the count of votes: it takes " + strconv.Itoa(enough) + "."
	}
	return "When the acquire of " + client(h.Client) + " returned, " + strconv.Itoa(living) + of + "still had its key, and " +
		strconv.Itoa(enough) + " are needed. The step that was defeated is the count of votes: one counts as long as its key lives."
}

// overstay says of a hold that went on after its validity.
func (e *Evidence) overstay(h *Hold, end, at clock.Instant) []string {
	who := client(h.Client)
	if end <= h.From {
		step := "the third: a client subtracts from the validity what its acquire took, and refuses a lock of which nothing is left."
		if e.Service != "" {
			step = "the client's: to refuse a lock whose validity has ended when its acquire returns."
		}
		return []string{who + "'s validity had ended at " + seconds(end) + ", by the time its acquire returned.",
			"The step that was defeated is " + step + e.between(who, e.begun(h), h.From)}
	}
	return []string{who + " was not entitled to the lock any more: its validity had ended at " + seconds(end) + ", " +
		seconds(clock.Instant(at.Sub(end))) + " before, by its own clock.",
		"So " + cmp.Or(e.Service, "the nodes") + " could grant it to another. The step that was defeated is the holder's own: to stop when its validity has " +
			"passed. It did not see that in time." + e.between(who, h.From, at)}
}

// begun gives the time at which the attempt began that won a hold; the time of its acquire's return if that is not
// known.
func (e *Evidence) begun(h *Hold) clock.Instant {
	if h.Try < 0 || h.Try >= len(e.Tries) {
		return h.From
	}
	return e.Tries[h.Try].From
}

// entitledUntil gives the end of the last of a hold's validity windows that began by some time.
func (e *Evidence) entitledUntil(hold int, by clock.Instant) clock.Instant {
	end := e.Holds[hold].Valid
	for i := range e.Renewals {
		if r := &e.Renewals[i]; r.Hold == hold && r.OK && r.At <= by {
			end = max(end, r.Valid)
		}
	}
	return end
}

// granted gives the first key that each node had for a hold when its acquire returned, or before, in the order of the
// nodes. One that was gone before the attempt began is of an earlier hold: some clients have one name for all.
func (e *Evidence) granted(h *Hold) (keys []*Span) {
	var begun clock.Instant
	if h.Try >= 0 && h.Try < len(e.Tries) {
		begun = e.Tries[h.Try].From
	}
	for n := range e.Nodes {
		var first *Span
		for i := range e.Keys {
			s := &e.Keys[i]
			mine := s.Node == n && s.Token == h.Token && s.From <= h.From && s.From < s.To && s.To > begun
			if mine && (first == nil || s.From < first.From) {
				first = s
			}
		}
		if first != nil {
			keys = append(keys, first)
		}
	}
	return keys
}

// doubleVote names the first node that granted both, and what became of its first vote.
func (e *Evidence) doubleVote(a, b *Hold) []string {
	first, second := e.granted(a), e.granted(b)
	for _, s := range second {
		i := slices.IndexFunc(first, func(v *Span) bool { return v.Node == s.Node && v.From < s.From && v.To <= s.From })
		if i < 0 {
			continue
		}
		v := first[i]
		why, step := e.lost(v, a.Client)
		shared := "Two majorities of " + strconv.Itoa(e.Nodes) + " nodes share a node: "
		if e.Nodes == 1 {
			shared = "There is one node: "
		}
		return []string{
			shared + node(s.Node) + " had granted " +
				client(a.Client) +
				" its key at " + seconds(v.From) + ", no longer had it at " + seconds(v.To) + ", and granted " +
				client(b.Client) +
				" at " + seconds(s.From) + "." + why, step}
	}
	return []string{"No node that granted both is seen to have given up the first key before."}
}

// lost says how a node came to lose a key before its owner's validity had ended, and which step that defeated.
func (e *Evidence) lost(s *Span, owner int) (why, step string) {
	fault := e.taker(s)
	switch {
	case fault != nil && (s.Expired || fault.From == s.To || fault.To == s.To):
		return fault.since(s.From), "The step that was defeated is the node's: to keep a key until its time to live has passed, so that it votes once."
	case s.Expired:
		return "", "No fault of the schedule took it." + e.meanwhile(client(owner), s) + " The step that was defeated is the sum for the " +
			"validity: it should end before the first of the keys that it counts on."
	}
	return e.taken(s, owner)
}

// taken says the same of a key that did not expire, and that no fault took: so somebody did.
func (e *Evidence) taken(s *Span, owner int) (why, step string) {
	next := slices.IndexFunc(e.Keys, func(k Span) bool { return k.Node == s.Node && k.From == s.To && k.Token != s.Token && k.From < k.To })
	if next >= 0 {
		return " At that moment a key of " + e.owner(e.Keys[next].Token) + " was set over it.",
			"The step that was defeated is the acquire: to set a key only where there is none."
	}
	step = "The step that was defeated is the release: to remove a key only if it is the client's own."
	if other := e.cleaning(s.To, owner); other >= 0 {
		return " When the key went, " + client(other) + " was busy with its own keys: it removes them when an attempt fails, and when " +
			"it releases.", step
	}
	return " It had not expired, and no fault of the schedule took it: it was removed.", step
}

// cleaning gives another client that may have been removing its keys at some time, in an attempt that it lost or after
// a hold; -1 for none.
func (e *Evidence) cleaning(at clock.Instant, owner int) int {
	for i := range e.Tries {
		t := &e.Tries[i]
		from := t.From
		for k := range e.Holds {
			if e.Holds[k].Try == i {
				from = e.Holds[k].Gone
			}
		}
		if t.Client != owner && t.Left != clock.Forever && from <= at && at <= t.Left {
			return t.Client
		}
	}
	return -1
}

// shortfall says which keys of a hold went before its validity did.
func (e *Evidence) shortfall(w Witness) []string {
	h := &e.Holds[w.First]
	who, end := client(h.Client), e.validity(w.First, w.From).until
	if e.Service != "" {
		return e.unbooked(h, end)
	}
	said := []string{who + " took itself to be entitled until " + seconds(end) + ", by its own clock."}
	gone, step := 0, ""
	for _, s := range e.granted(h) {
		if s.To > w.From {
			continue
		}
		gone++
		early := "."
		if s.To < end {
			why, defeated := e.lost(s, h.Client)
			if step == "" || why != "" { // what somebody or something took counts for more than what came to its end
				step = defeated
			}
			early = ", " + seconds(clock.Instant(end.Sub(s.To))) + " before that." + why
		}
		said = append(said, node(s.Node)+" had its key from "+seconds(s.From)+to(s.To)+early)
	}
	if gone == 0 {
		return append(said, "No node is seen to have lost its key: too few had it from the beginning. The step that was defeated "+
			"is the count of votes.")
	}
	if step == "" {
		step = "The step that was defeated is the count of votes."
	}
	return append(said, step)
}

// relapse says that a counter went back.
func (e *Evidence) relapse(w Witness) []string {
	a, b := &e.Holds[w.First], &e.Holds[w.Second]
	return []string{"A token as large as " + strconv.FormatUint(a.Fence, 10) + " had been given out by " +
		seconds(a.From) + ", and " +
		seconds(clock.Instant(b.Asked.Sub(a.From))) + " later the count was no further." +
		e.between(client(b.Client), a.From, b.From),
		"The step that was defeated is the count: each token is larger than all that were given out before, wherever they were counted."}
}

// resurrection says when the hold that was extended had ended. If the other hold was worth nothing from its beginning, it is
// not the extension that is wrong.
func (e *Evidence) resurrection(w Witness) []string {
	a, b := &e.Holds[w.First], &e.Holds[w.Second]
	who := client(a.Client)
	said := []string{"The validity of " + who + " had been to last until " +
		seconds(e.entitledUntil(w.First, w.From)) + "; " +
		client(b.Client) + " held the lock from " + seconds(b.From) + to(b.Gone) + "." + e.between(who, a.From, w.To)}
	var names []string
	for n := range e.Nodes {
		if slices.ContainsFunc(e.Keys, func(s Span) bool { return s.Node == n && s.Token == a.Token && s.From >= b.From && s.From <= w.To }) {
			names = append(names, node(n))
		}
	}
	if len(names) > 0 {
		said = append(said, "The key of "+who+" was set anew on "+strings.Join(names, " ")+" after that.")
	}
	if end := e.entitledUntil(w.Second, b.From); end <= b.From {
		return append(said, e.overstay(b, end, b.From)...)
	}
	if short := e.outvoted(b); short != "" && e.Service == "" {
		return append(said, short)
	}
	return append(said, "The step that was defeated is the extension's: only a lock that was never lost may be extended.")
}

// obstacle says whose keys were in the way of a client that waited.
func (e *Evidence) obstacle(w Witness) []string {
	if e.Service != "" {
		return e.occupied(w.From)
	}
	var names []string
	for n := range e.Nodes {
		for i := range e.Keys {
			if s := &e.Keys[i]; s.Node == n && s.From <= w.From && w.From < s.To {
				names = append(names, node(n)+" (a key of "+e.owner(s.Token)+")")
				break
			}
		}
	}
	free := strconv.Itoa(e.Nodes - len(names))
	if len(names) == 0 {
		return []string{"At " + seconds(w.From) + " no node had a key: none was in the way."}
	}
	return []string{"At " + seconds(w.From) + " " + free + " of " + strconv.Itoa(e.Nodes) + " nodes were free; " +
		strconv.Itoa(Majority(e.Nodes)) + " are needed. Keys were on " + strings.Join(names, ", ") + "."}
}

// owner names the client that a token belongs to.
func (e *Evidence) owner(token string) string {
	for i := range e.Tries {
		if e.Tries[i].Token == token {
			return client(e.Tries[i].Client)
		}
	}
	for i := range e.Holds {
		if e.Holds[i].Token == token {
			return client(e.Holds[i].Client)
		}
	}
	return "nobody known"
}

// remains says how a key came to be left behind.
func (e *Evidence) remains(w Witness) []string {
	s := &e.Keys[w.First]
	var said []string
	if w.Second >= 0 {
		t := &e.Tries[w.Second]
		who := client(t.Client)
		switch {
		case t.Left == clock.Forever:
		case s.From > t.Left && e.before(s) != nil:
			return e.returned(s, who)
		case s.From > t.Left:
			said = append(said, "The key was set "+seconds(clock.Instant(s.From.Sub(t.Left)))+" after "+who+" was done with it: its request came late.")
		case t.Outcome == Won:
			said = append(said, who+" had won the lock, and was done with it "+seconds(clock.Instant(t.Left.Sub(s.From)))+" after the key was set.")
		default:
			said = append(said, "The attempt of "+who+" had ended without the lock ("+t.Outcome.String()+"), and so should its keys have.")
		}
	}
	if s.Endless {
		return append(said, "The step that was defeated is that a key gets its time to live with the command that sets it, so that "+
			"it ends even if nobody comes to remove it."+e.between(node(s.Node), s.From, min(s.To, e.End)))
	}
	return append(said, "The step that was defeated is the release: it should leave no key of its owner on any node."+
		e.between(node(s.Node), s.From, min(s.To, e.End)))
}

// before gives the last time at which the same node had had the same key before; nil for never.
func (e *Evidence) before(s *Span) (last *Span) {
	for i := range e.Keys {
		k := &e.Keys[i]
		if k.Node == s.Node && k.Token == s.Token && k.To <= s.From && (last == nil || k.To > last.To) {
			last = k
		}
	}
	return last
}

// returned says of a key that it was released, and came back: its node had forgotten the release.
func (e *Evidence) returned(s *Span, who string) []string {
	had, at, keeper := e.before(s), node(s.Node), "the node's"
	if e.Service != "" {
		at, keeper = e.Service, e.Service+"'s"
	}
	return []string{"The key of " + who + " was on " + at + " before, until " + seconds(had.To) + ", and again from " +
		seconds(s.From) + " on." + e.between(at, had.To, s.From),
		"The step that was defeated is " + keeper + ": to remember what it has acknowledged, a release too."}
}
