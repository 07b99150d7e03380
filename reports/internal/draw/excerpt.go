package draw

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// An Excerpt is the part of a scene that shows one violation: its hosts, the messages that matter, and the moments. Sequence
// diagrams are made of it.
//
// The messages that matter are those of the attempts that won, of the extensions, what went to and came from storage, and
// whatever took a key away from those concerned. Attempts that failed and releases that freed one's own key are left out.
type Excerpt struct {
	s        *Scene
	Finding  *checker.Finding // nil if nothing is violated
	title    string
	says     string
	clients  []int // in order of appearance
	Events   []checker.Event
	Messages []scenarios.Message
	holds    []int
	left     int // messages that matter and are not drawn, for they are too many

	// clients stand left of the nodes, and storage between them, so that a narrow page shows where an update is lost
	ClientsFirst bool
}

// excerptMost is how many messages an excerpt holds.
const excerptMost = 90

// Excerpts returns one excerpt for each violation. Those about the same holds or writes come once.
func Excerpts(s *Scene) (all []*Excerpt) {
	for _, f := range s.Run.Findings {
		if f.Verdict == checker.Violated {
			all = append(all, s.violation(f))
		}
	}
	return all
}

// Principal returns the excerpt that is drawn if there is room for one: that of a lost update, which damages what the
// lock protects; else that of the first violation; else how the lock passed from client to client.
func Principal(s *Scene) *Excerpt {
	var best *checker.Finding
	for i := range s.Run.Findings {
		f := &s.Run.Findings[i]
		if f.Verdict != checker.Violated {
			continue
		}
		if best == nil || f.Loses() && !best.Loses() {
			best = f
		}
	}
	if best == nil {
		return s.Handover()
	}
	return s.violation(*best)
}

func (s *Scene) violation(f checker.Finding) *Excerpt {
	e := s.Run.Evidence
	x := &Excerpt{s: s, Finding: &f, title: f.Property + " is violated: " + s.title, says: e.Account(f).Text}
	x.show(e.Story(f))
	return x
}

// Handover returns the excerpt of a run that broke nothing: how the lock went from client to client.
func (s *Scene) Handover() *Excerpt {
	x := &Excerpt{s: s, title: "Nothing is violated: " + s.title, says: "How the lock passed from client to client."}
	x.show(s.Run.Evidence.Handover())
	return x
}

// show adds what a story is about, and its events.
func (x *Excerpt) show(story checker.Story) {
	x.Events = story.Events
	for _, c := range story.Clients {
		x.addClient(c)
	}
	for _, i := range story.Holds {
		x.hold(i)
	}
	for _, i := range story.Tries {
		x.try(i)
	}
	for _, i := range story.Keys {
		x.setter(&x.s.Run.Evidence.Keys[i])
	}
	for _, i := range story.Renewals {
		x.renewal(i)
	}
	for _, w := range story.Waits {
		x.wait(w)
	}
	x.finish()
}

func (x *Excerpt) addClient(client int) {
	if !slices.Contains(x.clients, client) {
		x.clients = append(x.clients, client)
	}
}

// hold adds a hold: the attempt that won it, and what its client had to do with storage under it.
func (x *Excerpt) hold(i int) {
	if i < 0 || slices.Contains(x.holds, i) {
		return
	}
	e := x.s.Run.Evidence
	h := &e.Holds[i]
	x.holds = append(x.holds, i)
	x.addClient(h.Client)
	from := h.Asked
	if h.Try >= 0 && h.Try < len(e.Tries) {
		from = e.Tries[h.Try].From
	}
	x.calls(h.Client, from, h.From, false)
	x.calls(h.Client, h.From, min(h.Gone, e.End), true)
	x.removals(h)
}

// try adds an attempt, up to the last act of its client about it.
func (x *Excerpt) try(i int) {
	t := &x.s.Run.Evidence.Tries[i]
	x.calls(t.Client, t.From, min(t.Left, x.s.Run.Evidence.End), false)
}

// setter adds the call that set a key of which nothing else is known.
func (x *Excerpt) setter(k *checker.Span) {
	x.add(func(m *scenarios.Message) bool {
		client := x.client(m.From)
		set := x.s.on(m.To, k) && m.Arrived == k.From && client >= 0
		if set {
			x.addClient(client)
		}
		return set
	})
}

// renewal adds an extension, if there is room beside what the story can't be understood without.
func (x *Excerpt) renewal(i int) {
	e := x.s.Run.Evidence
	n := &e.Renewals[i]
	before := len(x.Messages)
	x.calls(e.Holds[n.Hold].Client, n.Asked, min(n.At, e.End), false)
	if len(x.Messages) > excerptMost {
		x.left += len(x.Messages) - before
		x.Messages = x.Messages[:before]
	}
}

// waitMost is how many messages of a client that waits are drawn: a few attempts, for all of them are alike.
const waitMost = 24

// wait adds the messages of a client that waited too long.
func (x *Excerpt) wait(w checker.Wait) {
	host := len(x.s.Run.Hosts) - 1 // the fresh client that comes after the run
	if w.Client >= 0 {
		host = x.s.clientHost(w.Client)
	}
	for _, m := range x.s.messages {
		if (m.From == host || m.Reply && m.To == host) && m.Sent >= w.From {
			if len(x.Messages) < waitMost {
				x.Messages = append(x.Messages, m)
			} else {
				x.left++
			}
		}
	}
}

// calls adds the messages of a client's calls that began within an interval: those with storage, or those with nodes.
// Where the lock is on the host of storage, there are no others than those with it.
func (x *Excerpt) calls(client int, start, end clock.Instant, storage bool) {
	host, store, one := x.s.clientHost(client), x.s.storageHost(), x.s.Run.Scenario.Nodes == 0
	x.add(func(m *scenarios.Message) bool {
		return m.From == host && (one || (m.To == store) == storage) && m.Sent >= start && m.Sent <= end
	})
}

// removals adds the calls of other clients that deleted or overwrote a key of a hold.
func (x *Excerpt) removals(h *checker.Hold) {
	for i := range x.s.Run.Evidence.Keys {
		k := &x.s.Run.Evidence.Keys[i]
		remover, cause := k.Ended.Client, k.Ended.Cause
		if k.Token != h.Token || cause != checker.Deleted && cause != checker.Overwritten || remover < 0 || remover == h.Client {
			continue
		}
		x.add(func(m *scenarios.Message) bool {
			removes := m.From == x.s.clientHost(remover) && x.s.on(m.To, k) && m.Arrived == k.To
			if removes {
				x.addClient(remover)
			}
			return removes
		})
	}
}

// add adds the messages of the calls whose request is wanted.
func (x *Excerpt) add(wanted func(request *scenarios.Message) bool) {
	calls := map[uint32]bool{}
	for i := range x.s.messages {
		if m := &x.s.messages[i]; !m.Reply && wanted(m) {
			calls[m.Call] = true
		}
	}
	if len(calls) == 0 {
		return
	}
	for _, m := range x.s.messages {
		if calls[m.Call] && !slices.Contains(x.Messages, m) {
			x.Messages = append(x.Messages, m)
		}
	}
}

// finish sorts the messages and the clients, and leaves out what is too much.
func (x *Excerpt) finish() {
	slices.SortStableFunc(x.Messages, func(a, b scenarios.Message) int { return cmp.Compare(a.Sent, b.Sent) })
	if n := len(x.Messages); n > excerptMost { // the middle is left out, for they end in the violation
		x.Messages, x.left = slices.Delete(x.Messages, excerptMost/2, n-excerptMost/2), x.left+n-excerptMost
	}
	x.dropLateEnds()
	last := len(x.s.Run.Hosts) - 1
	x.clients = slices.DeleteFunc(x.clients, func(c int) bool { return x.s.clientHost(c) > last })
	slices.SortFunc(x.clients, func(a, b int) int { return cmp.Compare(x.first(a), x.first(b)) })
}

// dropLateEnds removes ends of faults that come after all else: a fault may last much longer than what it led to.
func (x *Excerpt) dropLateEnds() {
	isEnd := func(e checker.Event) bool { return e.Over }
	_, last := extent(x.Messages, slices.DeleteFunc(slices.Clone(x.Events), isEnd))
	x.Events = slices.DeleteFunc(x.Events, func(e checker.Event) bool { return e.Over && e.At > last })
}

// extent returns the first instant of messages and events, and the last at which one arrived or came.
func extent(messages []scenarios.Message, events []checker.Event) (first, last clock.Instant) {
	first = clock.Forever
	for _, m := range messages {
		if first = min(first, m.Sent); m.Arrived != clock.Forever {
			last = max(last, m.Arrived)
		}
	}
	for _, e := range events {
		first, last = min(first, e.At), max(last, e.At)
	}
	if first == clock.Forever {
		first = 0
	}
	return first, last
}

func (x *Excerpt) first(client int) clock.Instant {
	for _, m := range x.Messages {
		if m.From == x.s.clientHost(client) {
			return m.Sent
		}
	}
	return clock.Forever
}

// nodesMost is how many nodes have a line of their own in a diagram. The rest share one line.
const nodesMost = 9

// hosts returns the hosts of a diagram from left to right, as in Kleppmann's figures: a client, the nodes, the other
// clients, storage.
func (x *Excerpt) hosts() (all []int) {
	clients := x.clients
	if len(clients) > 0 {
		all = append(all, x.s.clientHost(clients[0]))
		clients = clients[1:]
	}
	if x.ClientsFirst {
		all = append(all, x.s.storageHost())
		for _, c := range clients {
			all = append(all, x.s.clientHost(c))
		}
		clients = nil
	}
	for i := range min(x.s.asked(), x.s.Run.Scenario.Nodes, nodesMost) {
		all = append(all, i)
	}
	for _, c := range clients {
		all = append(all, x.s.clientHost(c))
	}
	if !x.ClientsFirst {
		all = append(all, x.s.storageHost())
	}
	for _, m := range x.Messages {
		for _, h := range []int{m.From, m.To} {
			if h = x.line(h); !slices.Contains(all, h) {
				all = append(all, h)
			}
		}
	}
	return all
}

// line returns the host on whose line another one is drawn.
func (x *Excerpt) line(host int) int {
	if host < x.s.storageHost() && host >= nodesMost {
		return nodesMost - 1
	}
	return host
}

func (x *Excerpt) lineName(host int) string {
	name := x.name(host)
	if name == scenarios.StorageHost {
		return x.s.storageKind() + " " + name
	}
	if role := x.s.Run.Scenario.Role(name); role != "" {
		return role + " " + name
	}
	if host == nodesMost-1 && x.s.asked() > nodesMost {
		return fmt.Sprintf("%s … %s", name, wording.NodeName(x.s.asked()-1))
	}
	return name
}

func (x *Excerpt) name(host int) string {
	if hosts := x.s.Run.Hosts; host < len(hosts) {
		return hosts[host]
	}
	return "?"
}

// client returns the client of a host, or -1.
func (x *Excerpt) client(host int) int {
	if c := host - x.s.clientHost(0); c >= 0 && c < x.s.Run.Evidence.Clients {
		return c
	}
	return -1
}

// notesMost is how many moments a diagram shows: of more, the first half and the last half of that number.
const notesMost = 36

// FewEvents leaves out the middle of too many.
func FewEvents(all []checker.Event, most int) []checker.Event {
	if len(all) <= most {
		return all
	}
	head, tail := all[:most/2], all[len(all)-most/2:]
	gap := checker.Event{At: head[len(head)-1].At, Text: fmt.Sprintf("… %d more moments …", len(all)-most/2*2)}
	return slices.Concat(head, []checker.Event{gap}, tail)
}

// describe describes a diagram in words, for those who can't see it.
func (x *Excerpt) describe() string {
	var b strings.Builder
	b.WriteString(x.says)
	for _, m := range FewEvents(x.Events, notesMost) {
		b.WriteString(" At " + m.At.String() + ": " + m.Text + ".")
	}
	return b.String()
}
