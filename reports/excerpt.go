package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
)

// An excerpt is the part of a scene that tells one story: the hosts that play in it, the messages that matter, and the
// moments. Sequence diagrams are made of it.
//
// The messages that matter are those of the attempts that won, of the extensions, what went to and came from storage, and
// whatever took a key away from those concerned. Attempts that failed and releases that freed one's own key are left out.
type excerpt struct {
	s        *scene
	finding  *checker.Finding // nil if nothing is violated
	title    string
	says     string
	clients  []int // in order of appearance
	moments  []moment
	messages []scenarios.Message
	holds    []int
	left     int // messages that matter and are not drawn, for they are too many
}

// excerptMost is how many messages an excerpt holds.
const excerptMost = 90

// excerpts gives one excerpt for each violation. Those that tell of the same holds or writes come once.
func excerpts(s *scene) (all []*excerpt) {
	for _, f := range s.run.Findings {
		if f.Verdict == checker.Violated {
			all = append(all, s.violation(f))
		}
	}
	return all
}

// principal gives the excerpt that is drawn if there is room for one: that of an update lost, for it ends in what was to
// be protected; else that of the first violation; else how the lock went from hand to hand.
func principal(s *scene) *excerpt {
	var best *checker.Finding
	for i := range s.run.Findings {
		f := &s.run.Findings[i]
		if f.Verdict != checker.Violated {
			continue
		}
		if best == nil || losesUpdate(f) && !losesUpdate(best) {
			best = f
		}
	}
	if best == nil {
		return s.peace()
	}
	return s.violation(*best)
}

func losesUpdate(f *checker.Finding) bool {
	return f.Witness.Kind == checker.UpdateLost || f.Witness.Kind == checker.FencedLost
}

// violation gives the excerpt of one violation.
func (s *scene) violation(f checker.Finding) *excerpt {
	e := s.run.Evidence
	x := &excerpt{s: s, finding: &f, title: f.Property + " is violated: " + s.title, says: e.Explain(f) + " " + e.Argument(f)}
	w := f.Witness
	switch w.Kind {
	case checker.TwoHolders, checker.TwoWindows, checker.TokenBehind, checker.Resurrected:
		x.hold(w.First)
		x.hold(w.Second)
	case checker.QuorumShort:
		x.hold(w.First)
	case checker.UpdateLost, checker.FencedLost:
		x.update(w.First)
		x.update(w.Second)
	case checker.KeyLeaked:
		x.leak(w)
	case checker.Starved:
		x.join(e.History[w.First].Process % e.Clients)
	}
	t := retrace(e, f)
	x.wait(t)
	if w.Kind == checker.Resurrected {
		t.hold(w.First)
		t.hold(w.Second)
		x.renewals(t)
	}
	x.moments = t.inOrder()
	x.finish()
	return x
}

// peace gives the excerpt of a run that broke nothing: its first attempt that came too late, if there is one, and the
// first two holds of different clients.
func (s *scene) peace() *excerpt {
	e := s.run.Evidence
	x := &excerpt{s: s, title: "Nothing is violated: " + s.title, says: "How the lock went from hand to hand."}
	t := &teller{e: e}
	if i := slices.IndexFunc(e.Tries, func(t checker.Try) bool { return t.Outcome == checker.TooLate }); i >= 0 {
		late := &e.Tries[i]
		x.join(late.Client)
		x.calls(late.Client, late.From, late.To, false)
		t.add(late.From, "%s begins an attempt to acquire", clientName(late.Client))
		t.add(late.To, "%s has enough votes, but no validity left: it does not take the lock", clientName(late.Client))
		t.w.To = late.To
	}
	for i, h := range e.Holds {
		if len(x.holds) == 0 || len(x.holds) == 1 && h.Client != e.Holds[x.holds[0]].Client {
			x.hold(i)
			t.hold(i)
			t.w.To = max(t.w.To, min(h.Gone, e.End))
		}
	}
	t.strikes()
	x.moments = t.inOrder()
	x.finish()
	return x
}

// join gives a client a part.
func (x *excerpt) join(client int) {
	if !slices.Contains(x.clients, client) {
		x.clients = append(x.clients, client)
	}
}

// hold adds a hold: the attempt that won it, and what its client had to do with storage under it.
func (x *excerpt) hold(i int) {
	if i < 0 || slices.Contains(x.holds, i) {
		return
	}
	e := x.s.run.Evidence
	h := &e.Holds[i]
	x.holds = append(x.holds, i)
	x.join(h.Client)
	from := h.Asked
	if h.Try >= 0 {
		from = e.Tries[h.Try].From
	}
	x.calls(h.Client, from, h.From, false)
	x.calls(h.Client, h.From, min(h.Gone, e.End), true)
	x.thieves(h)
}

// update adds an update: the hold it was made under.
func (x *excerpt) update(i int) {
	e := x.s.run.Evidence
	u := &e.Writes[i]
	x.join(u.Client)
	t := teller{e: e}
	x.hold(t.holdAt(u.Client, e.History[u.Op].Time))
}

// leak adds a key that outlived its owner: the attempt that set it, and the owner's last act.
func (x *excerpt) leak(w checker.Witness) {
	e := x.s.run.Evidence
	if w.Second < 0 {
		x.setter(&e.Keys[w.First])
		return
	}
	try := &e.Tries[w.Second]
	x.join(try.Client)
	x.calls(try.Client, try.From, min(try.Left, e.End), false)
	t := teller{e: e}
	if i := t.won(try); i >= 0 {
		x.hold(i)
	}
}

// setter adds the call that set a key of which nothing else is known.
func (x *excerpt) setter(k *checker.Span) {
	for _, m := range x.s.messages {
		if client := x.client(m.From); !m.Reply && m.To == k.Node && m.Arrived == k.From && client >= 0 {
			x.join(client)
			x.add([]uint32{m.Call})
		}
	}
}

// renewals adds the extensions of the holds.
func (x *excerpt) renewals(t *teller) {
	e := x.s.run.Evidence
	for _, n := range e.Renewals {
		if !slices.Contains(x.holds, n.Hold) {
			continue
		}
		who := clientName(e.Holds[n.Hold].Client)
		x.calls(e.Holds[n.Hold].Client, n.Asked, min(n.At, e.End), false)
		t.add(n.Asked, "%s asks to extend its lock", who)
		if n.OK {
			t.add(n.At, "%s's extension succeeds", who)
		} else {
			t.add(n.At, "%s's extension fails", who)
		}
	}
}

// waitMost is how many messages of one who waits are told: a few attempts, for all of them are alike.
const waitMost = 24

// wait adds the one who waited too long: a client, or the fresh one that comes after the run.
func (x *excerpt) wait(t *teller) {
	e := x.s.run.Evidence
	var host int
	var from clock.Instant
	switch t.w.Kind {
	case checker.Deadlocked:
		host, from = len(x.s.run.Hosts)-1, e.Probe.Asked
		t.add(from, "a fresh client asks for the lock, when every fault is healed")
		t.add(e.Probe.Won, "the fresh client has the lock")
	case checker.Starved:
		op := e.History[t.w.First]
		host, from = x.s.clientHost(t.client(op.Process)), op.Time
		t.add(from, "%s calls %s", clientName(t.client(op.Process)), op.F)
	default:
		return
	}
	for _, m := range x.s.messages {
		if (m.From == host || m.Reply && m.To == host) && m.Sent >= from {
			if len(x.messages) < waitMost {
				x.messages = append(x.messages, m)
			} else {
				x.left++
			}
		}
	}
}

// calls adds the messages of a client's calls that began within an interval: those with storage, or those with nodes.
// Where the lock is on the host of storage, there are no others than those with it.
func (x *excerpt) calls(client int, from, to clock.Instant, storage bool) {
	host, store, one := x.s.clientHost(client), x.s.storageHost(), x.s.run.Scenario.Nodes == 0
	var chosen []uint32
	for _, m := range x.s.messages {
		if !m.Reply && m.From == host && (one || (m.To == store) == storage) && m.Sent >= from && m.Sent <= to {
			chosen = append(chosen, m.Call)
		}
	}
	x.add(chosen)
}

// thieves adds the calls of other clients that took away a key of a hold.
func (x *excerpt) thieves(h *checker.Hold) {
	for _, k := range x.s.run.Evidence.Keys {
		if k.Token != h.Token {
			continue
		}
		for _, m := range x.s.messages {
			thief := x.client(m.From) // servers tell each other of what one did
			if !m.Reply && m.To == k.Node && m.Arrived == k.To && thief >= 0 && thief != h.Client {
				x.join(thief)
				x.add([]uint32{m.Call})
			}
		}
	}
}

// add adds all messages of some calls.
func (x *excerpt) add(calls []uint32) {
	for _, m := range x.s.messages {
		if _, wanted := slices.BinarySearch(calls, m.Call); wanted && !slices.Contains(x.messages, m) {
			x.messages = append(x.messages, m)
		}
	}
}

// finish puts the messages in order, and leaves out what is too much.
func (x *excerpt) finish() {
	slices.SortStableFunc(x.messages, func(a, b scenarios.Message) int { return cmp.Compare(a.Sent, b.Sent) })
	if n := len(x.messages); n > excerptMost {
		x.messages, x.left = x.messages[:excerptMost], x.left+n-excerptMost
	}
	x.close()
	last := len(x.s.run.Hosts) - 1
	x.clients = slices.DeleteFunc(x.clients, func(c int) bool { return x.s.clientHost(c) > last })
	slices.SortFunc(x.clients, func(a, b int) int { return cmp.Compare(x.first(a), x.first(b)) })
}

// close lets the excerpt end with the last thing that is more than a fault's end: faults may last much longer than what
// they led to.
func (x *excerpt) close() {
	ends := func(m moment) bool { return strings.HasPrefix(m.text, "fault over: ") }
	var last clock.Instant
	for _, m := range x.moments {
		if !ends(m) {
			last = max(last, m.at)
		}
	}
	for _, m := range x.messages {
		if m.Arrived != clock.Forever {
			last = max(last, m.Arrived)
		}
	}
	x.moments = slices.DeleteFunc(x.moments, func(m moment) bool { return ends(m) && m.at > last })
}

// first gives the instant of a client's first message.
func (x *excerpt) first(client int) clock.Instant {
	for _, m := range x.messages {
		if m.From == x.s.clientHost(client) {
			return m.Sent
		}
	}
	return clock.Forever
}

// until gives the end of what an excerpt tells.
func (x *excerpt) until() clock.Instant {
	var last clock.Instant
	for _, m := range x.moments {
		last = max(last, m.at)
	}
	for _, m := range x.messages {
		if m.Arrived != clock.Forever {
			last = max(last, m.Arrived)
		}
	}
	return last
}

// since gives its beginning.
func (x *excerpt) since() clock.Instant {
	first := clock.Forever
	for _, m := range x.messages {
		first = min(first, m.Sent)
	}
	for _, m := range x.moments {
		first = min(first, m.at)
	}
	if first == clock.Forever {
		return 0
	}
	return first
}

// fold is how many nodes a diagram has room for, each with a line of its own. Those beyond share one.
const fold = 9

// hosts gives the hosts of a diagram from left to right, as in Kleppmann's figures: a client, the nodes, the other
// clients, storage.
func (x *excerpt) hosts() (all []int) {
	clients := x.clients
	if len(clients) > 0 {
		all = append(all, x.s.clientHost(clients[0]))
		clients = clients[1:]
	}
	for i := range min(x.s.run.Evidence.Nodes, x.s.run.Scenario.Nodes, fold) {
		all = append(all, i)
	}
	for _, c := range clients {
		all = append(all, x.s.clientHost(c))
	}
	all = append(all, x.s.storageHost())
	for _, m := range x.messages {
		for _, h := range []int{m.From, m.To} {
			if h = x.line(h); !slices.Contains(all, h) {
				all = append(all, h)
			}
		}
	}
	return all
}

// line gives the host on whose line another one is drawn.
func (x *excerpt) line(host int) int {
	if host < x.s.storageHost() && host >= fold {
		return fold - 1
	}
	return host
}

// called gives the name of a line.
func (x *excerpt) called(host int) string {
	name := x.name(host)
	switch name {
	case scenarios.StorageHost:
		return x.s.storageKind() + " " + name
	case scenarios.ObserverHost:
		return "observer " + name
	}
	if host == fold-1 && x.s.run.Evidence.Nodes > fold {
		return fmt.Sprintf("%s … %s", name, nodeName(x.s.run.Evidence.Nodes-1))
	}
	return name
}

func (x *excerpt) name(host int) string {
	if hosts := x.s.run.Hosts; host < len(hosts) {
		return hosts[host]
	}
	return "?"
}

// client gives the client of a host, or -1.
func (x *excerpt) client(host int) int {
	if c := host - x.s.clientHost(0); c >= 0 && c < x.s.run.Evidence.Clients {
		return c
	}
	return -1
}
