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

// An Excerpt is the part of a scene that shows one violation: its hosts, the messages that matter, and the moments. It
// is the content of a sequence diagram.
//
// The messages that matter belong to attempts that won, to extensions and to storage, or took a key away from the
// clients in question. Failed attempts are left out, and so are releases of a client's own key.
type Excerpt struct {
	s        *Scene
	Finding  *checker.Finding // nil if nothing is violated
	title    string
	says     string
	clients  []int // in order of appearance
	Events   []checker.Event
	Messages []scenarios.Message
	holds    []int
	left     int // messages that matter, without room

	// clients are left of the nodes, and storage is between them, so that a narrow page shows where an update is lost
	ClientsFirst bool
}

const excerptMost = 90

func (s *Scene) violations() (all []checker.Finding) {
	for _, f := range s.Run.Findings {
		if f.Verdict == checker.Violated {
			all = append(all, f)
		}
	}
	return all
}

// Excerpts returns one excerpt for each violation.
func Excerpts(s *Scene) (all []*Excerpt) {
	for _, f := range s.violations() {
		all = append(all, s.violation(f))
	}
	return all
}

// Principal returns the excerpt to draw if there is room for one: of a lost update, because it damages what the lock
// protects; otherwise of the first violation; otherwise the handover.
func Principal(s *Scene) *Excerpt {
	all := s.violations()
	if len(all) == 0 {
		return s.Handover()
	}
	lost := slices.IndexFunc(all, func(f checker.Finding) bool { return f.Loses() })
	return s.violation(all[max(lost, 0)])
}

func (s *Scene) violation(f checker.Finding) *Excerpt {
	e := s.Run.Evidence
	title := wording.Capital(wording.Broke([]string{f.Property})) + ": " + s.title
	x := &Excerpt{s: s, Finding: &f, title: title, says: e.Account(f).Text}
	x.show(e.Story(f))
	return x
}

// Handover returns the excerpt of a run that broke nothing: how the lock went from client to client.
func (s *Scene) Handover() *Excerpt {
	x := &Excerpt{s: s, title: "No promise broke: " + s.title, says: "How the lock passed from client to client."}
	x.show(s.Run.Evidence.Handover())
	return x
}

// show adds the subjects of a story and its events.
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

// hold adds a hold: the attempt that won it, and the calls of its client to storage during it.
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

// try adds an attempt, up to the last call of its client about it.
func (x *Excerpt) try(i int) {
	t := &x.s.Run.Evidence.Tries[i]
	x.calls(t.Client, t.From, min(t.Left, x.s.Run.Evidence.End), false)
}

// setter adds the call that set a key, if nothing else is known of the key.
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

// renewal adds an extension, if there is room after everything that explains the story.
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

// waitMost is how many messages of a waiting client a picture shows: a few attempts, because all are alike.
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

// calls adds the messages of a client's calls that began within an interval, to storage or to nodes. If the lock is on
// the host of storage, all calls go there.
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
		remover, removed := k.Ended.Client, k.Ended.Cause == checker.Deleted || k.Ended.Cause == checker.Overwritten
		if k.Token != h.Token || !removed || remover < 0 || remover == h.Client {
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

// add adds the messages of the calls with a wanted request.
func (x *Excerpt) add(wanted func(request *scenarios.Message) bool) {
	calls := map[uint32]bool{}
	for i := range x.s.messages {
		if m := &x.s.messages[i]; !m.Reply && wanted(m) {
			calls[m.Call] = true
		}
	}
	for _, m := range x.s.messages {
		if calls[m.Call] && !slices.Contains(x.Messages, m) {
			x.Messages = append(x.Messages, m)
		}
	}
}

func (x *Excerpt) finish() {
	slices.SortStableFunc(x.Messages, func(a, b scenarios.Message) int { return cmp.Compare(a.Sent, b.Sent) })
	if n := len(x.Messages); n > excerptMost { // the middle, because they end in the violation
		x.Messages, x.left = slices.Delete(x.Messages, excerptMost/2, n-excerptMost/2), x.left+n-excerptMost
	}
	x.dropLateEnds()
	last := len(x.s.Run.Hosts) - 1
	x.clients = slices.DeleteFunc(x.clients, func(c int) bool { return x.s.clientHost(c) > last })
	slices.SortFunc(x.clients, func(a, b int) int { return cmp.Compare(x.first(a), x.first(b)) })
}

// dropLateEnds removes ends of faults after everything else, because a fault may last much longer than its effects.
func (x *Excerpt) dropLateEnds() {
	isEnd := func(e checker.Event) bool { return e.Over }
	_, last := extent(x.Messages, slices.DeleteFunc(slices.Clone(x.Events), isEnd))
	x.Events = slices.DeleteFunc(x.Events, func(e checker.Event) bool { return e.Over && e.At > last })
}

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

// nodesMost is how many lines of nodes a diagram has. The nodes from the last of them on share one.
const nodesMost = 9

// hosts returns the hosts of a diagram from left to right, as in Kleppmann's figures: a client, the nodes, the other
// clients, storage.
func (x *Excerpt) hosts() (all []int) {
	var clients, nodes []int
	for _, c := range x.clients {
		clients = append(clients, x.s.clientHost(c))
	}
	for i := range min(x.s.asked(), x.s.Run.Scenario.Nodes, nodesMost) {
		nodes = append(nodes, i)
	}
	first := min(len(clients), 1)
	if x.ClientsFirst {
		all = slices.Concat(clients[:first], []int{x.s.storageHost()}, clients[first:], nodes)
	} else {
		all = slices.Concat(clients[:first], nodes, clients[first:], []int{x.s.storageHost()})
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

// line returns the host whose line another host shares.
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

const notesMost = 36

// FewEvents leaves out the middle of too many events.
func FewEvents(all []checker.Event, most int) []checker.Event {
	if len(all) <= most {
		return all
	}
	head, tail := all[:most/2], all[len(all)-most/2:]
	gap := checker.Event{At: head[len(head)-1].At, Text: fmt.Sprintf("… %d more moments …", len(all)-most/2*2)}
	return slices.Concat(head, []checker.Event{gap}, tail)
}

func (x *Excerpt) describe() string {
	var b strings.Builder
	b.WriteString(x.says)
	for _, m := range FewEvents(x.Events, notesMost) {
		b.WriteString(" At " + m.At.String() + ": " + m.Text + ".")
	}
	return b.String()
}
