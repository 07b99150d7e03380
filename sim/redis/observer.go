package redis

import (
	"cmp"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// An Observation is what an Observer watches.
type Observation struct {
	Name   string        // of the group, by which clients ask; empty: "mymaster"
	Group  []int         // the IDs of the hosts of the group
	Master int           // the ID of the first master
	Period time.Duration // how often it pings each; zero: 1s
	Down   time.Duration // how long a ping of the master may be unanswered before another is promoted; zero: 30s
	Demote time.Duration // how long a server may act as a second master before it is demoted
}

// An Observer watches a group of nodes, like a lone Sentinel. It promotes a replica when the master is silent for too
// long, and answers clients which node is master. It is a sim.Service.
type Observer struct {
	config    Observation
	host      *sim.Host
	master    int // the ID of its host
	successor int // the ID of the replica to promote; -1 for none
	since     clock.Reading
	seen      []sighting // one for each host of the group
	terms     []Term
}

// A Term is a time in which the observer named this node to clients as the master.
type Term struct {
	Node     int // the ID of its host
	From, To clock.Instant
}

// A sighting is what the observer knows of a node.
type sighting struct {
	host        int
	pinged      bool          // a ping is unanswered
	since       clock.Reading // of the first such ping
	known       bool          // it has ever answered
	heard       clock.Reading // its latest answer
	state       Pong          // that answer
	astray      bool          // it should follow the master, but does not
	astraySince clock.Reading
}

type (
	// A Ping asks a node how it is. From is the ID of the observer's host.
	Ping struct{ From int }
	// A Pong is the answer: which host it follows, -1 for none, and its offset.
	Pong struct {
		From, Leader int
		Offset       int64
	}
)

func (m *member) pong(p Ping) {
	m.node.host.Post(p.From, Pong{m.node.host.ID, m.leader, m.offset})
}

// Attach resets the observer, and sets its host and what it watches.
func (o *Observer) Attach(h *sim.Host, c Observation) {
	c.Name = cmp.Or(c.Name, "mymaster")
	c.Period = cmp.Or(c.Period, time.Second)
	c.Down = cmp.Or(c.Down, 30*time.Second)
	*o = Observer{config: c, host: h, master: c.Master, successor: -1}
	for _, id := range c.Group {
		o.seen = append(o.seen, sighting{host: id})
	}
	o.terms = append(o.terms, Term{c.Master, h.World().Now(), clock.Forever})
	h.After(0, o.look)
}

// Terms returns which node the observer named as master when, in order. The last term has not ended.
func (o *Observer) Terms() []Term { return o.terms }

// Serve answers a client, or takes the answer of a node.
func (o *Observer) Serve(request any) any {
	switch r := request.(type) {
	case Pong:
		o.hear(r)
		return nil
	case []string:
		return o.answer(r)
	case *Request:
		value := o.answer(r.Args)
		return &Reply{value, r.Wire.encode(nil, value, value == "PONG")}
	}
	return Error("ERR Protocol error: expected a command")
}

// answer carries out SENTINEL get-master-addr-by-name and PING.
func (o *Observer) answer(args []string) any {
	switch {
	case len(args) == 0:
		return Error("ERR Protocol error: expected a command")
	case len(args) == 1 && strings.EqualFold(args[0], "PING"):
		return "PONG"
	case len(args) != 3 || !strings.EqualFold(args[0], "SENTINEL") ||
		!strings.EqualFold(args[1], "get-master-addr-by-name"):
		return unknown(args)
	case args[2] != o.config.Name:
		return nil
	}
	return []any{o.name(o.master), port}
}

func (o *Observer) name(host int) string { return o.host.World().Hosts()[host].Name }

// Stop is called when its host goes off. The observer remembers the master, but no ping.
func (o *Observer) Stop(bool) {}

// Start is called when its host is on again.
func (o *Observer) Start() {
	for i := range o.seen {
		o.seen[i] = sighting{host: o.seen[i].host}
	}
	o.since = o.host.Mono()
	o.look()
}

// Settle does nothing: the observer counts on its monotonic clock.
func (o *Observer) Settle() {}

// look pings all nodes, and checks the master.
func (o *Observer) look() {
	now := o.host.Mono()
	for i := range o.seen {
		if s := &o.seen[i]; !s.pinged {
			s.pinged, s.since = true, now
		}
		o.host.Post(o.seen[i].host, Ping{o.host.ID})
	}
	switch {
	case o.successor >= 0 && o.late(o.since):
		o.successor = -1 // it is not master in time: choose again
		fallthrough
	case o.successor < 0:
		o.watch()
	default:
		o.promote()
	}
	o.host.After(o.config.Period, o.look)
}

// late reports whether a master has been silent since then for too long.
func (o *Observer) late(since clock.Reading) bool {
	return time.Duration(o.host.Mono()-since) >= o.config.Down
}

// watch chooses a successor when the master is down: the replica with the highest offset, and of equals the first in
// the group.
func (o *Observer) watch() {
	if s := o.sighting(o.master); !s.pinged || !o.late(s.since) {
		return
	}
	var best *sighting
	for i := range o.seen {
		if s := &o.seen[i]; o.fit(s) && (best == nil || s.state.Offset > best.state.Offset) {
			best = s
		}
	}
	if best != nil {
		o.successor, o.since = best.host, o.host.Mono()
		o.promote()
	}
}

// fit reports whether a node could be master: it follows the present one, and has answered lately.
func (o *Observer) fit(s *sighting) bool {
	return s.known && s.host != o.master && s.state.Leader == o.master &&
		time.Duration(o.host.Mono()-s.heard) <= 5*o.config.Period
}

func (o *Observer) sighting(host int) *sighting {
	for i := range o.seen {
		if o.seen[i].host == host {
			return &o.seen[i]
		}
	}
	panic("redis: an observer's master is none of its group")
}

// promote orders the successor to be master. The observer repeats it until the successor confirms.
func (o *Observer) promote() { o.host.Post(o.successor, []string{"REPLICAOF", "NO", "ONE"}) }

// hear handles a node's answer.
func (o *Observer) hear(p Pong) {
	now := o.host.Mono()
	s := o.sighting(p.From)
	s.pinged, s.known, s.heard, s.state = false, true, now, p
	switch {
	case p.From == o.successor && p.Leader < 0:
		o.setMaster()
	case p.From == o.master || p.Leader == o.master:
		s.astray = false
	default:
		o.correct(s, now)
	}
}

// correct makes a node follow the master if it follows another node or none.
func (o *Observer) correct(s *sighting, now clock.Reading) {
	if !s.astray {
		s.astray, s.astraySince = true, now
	}
	if s.state.Leader >= 0 || time.Duration(now-s.astraySince) >= o.config.Demote {
		o.demote(s.host)
	}
}

func (o *Observer) demote(host int) {
	o.host.Post(host, []string{"REPLICAOF", o.name(o.master), port})
}

// setMaster names the successor as master, and makes the others follow it, also the old master if it can be reached.
func (o *Observer) setMaster() {
	now := o.host.World().Now()
	o.terms[len(o.terms)-1].To = now
	o.master, o.successor = o.successor, -1
	o.terms = append(o.terms, Term{o.master, now, clock.Forever})
	for i := range o.seen {
		if s := &o.seen[i]; s.host != o.master && s.state.Leader >= 0 {
			o.demote(s.host)
		}
	}
}

// Lives merges the lives of the watched key on the nodes into one: at each time the life on the master, by the
// observer's terms. To a judge it is the life of the key on a single server.
func Lives(terms []Term, nodes []*Node) (all []Span) {
	for _, t := range terms {
		for _, n := range nodes {
			if n.host.ID != t.Node {
				continue
			}
			for _, s := range n.Spans() {
				if s.From = max(s.From, t.From); t.To < s.To {
					s.To, s.Ended = t.To, ended(Superseded)
				}
				if s.From < s.To {
					all = joined(all, s)
				}
			}
		}
	}
	return all
}

// joined appends a span, or extends the last one if the span continues it.
func joined(all []Span, s Span) []Span {
	if last := len(all) - 1; last >= 0 && all[last].Value == s.Value && all[last].To == s.From {
		all[last].To, all[last].Endless, all[last].Ended = s.To, s.Endless, s.Ended
		return all
	}
	return append(all, s)
}
