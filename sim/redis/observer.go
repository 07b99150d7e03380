package redis

import (
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// An Observation says whom an Observer watches.
type Observation struct {
	Name   string        // of the group, by which clients ask; empty: "mymaster"
	Group  []int         // the IDs of the hosts of the group
	Master int           // the ID of the one that is master when the run begins
	Period time.Duration // how often it pings each; zero: 1s
	Down   time.Duration // how long a ping of the master may go unanswered before another is promoted; zero: 30s
	Demote time.Duration // how long a server may think itself master beside the real one before it is told to be a replica
}

// An Observer watches a group of nodes, as a lone Sentinel does: it promotes a replica when the master is silent for
// too long, and tells clients who is master. It is a sim.Service.
type Observer struct {
	config Observation
	host   *sim.Host
	master int // the ID of its host
	heir   int // the ID of the replica that is being promoted; -1 for none
	since  clock.Reading
	seen   []sight // one for each host of the group
	terms  []Term
}

// A Term is a time in which the observer told clients that this node is master.
type Term struct {
	Node     int // the ID of its host
	From, To clock.Instant
}

// A sight is what the observer knows of a node.
type sight struct {
	host    int
	pinged  bool          // a ping is unanswered
	since   clock.Reading // the first such
	known   bool          // it has ever answered
	heard   clock.Reading // when it last did
	state   pong          // what it said then
	strayed bool          // it does not follow the master, though it should
	stray   clock.Reading // since when
}

type (
	// A ping asks a node how it is.
	ping struct{ from int }
	// A pong is the answer: whom it follows, -1 for nobody, and how far it has come.
	pong struct {
		from, leader int
		offset       int64
	}
)

// pong answers the observer.
func (m *member) pong(p ping) {
	m.node.host.Post(p.from, pong{m.node.host.ID, m.leader, m.offset})
}

// Attach makes the observer new, whatever it did before, and gives it its host and whom to watch.
func (o *Observer) Attach(h *sim.Host, c Observation) {
	if c.Name == "" {
		c.Name = "mymaster"
	}
	if c.Period == 0 {
		c.Period = time.Second
	}
	if c.Down == 0 {
		c.Down = 30 * time.Second
	}
	*o = Observer{config: c, host: h, master: c.Master, heir: -1}
	for _, id := range c.Group {
		o.seen = append(o.seen, sight{host: id})
	}
	o.terms = append(o.terms, Term{c.Master, h.World().Now(), clock.Forever})
	h.After(0, o.look)
}

// Terms is the record of whom the observer took for master, in order. The last one has not ended.
func (o *Observer) Terms() []Term { return o.terms }

// Serve answers a client, or hears a node.
func (o *Observer) Serve(request any) any {
	switch r := request.(type) {
	case pong:
		o.hear(r)
		return nil
	case []string:
		return o.answer(r)
	}
	return Error("ERR Protocol error: expected a command")
}

// answer is SENTINEL get-master-addr-by-name, and PING.
func (o *Observer) answer(args []string) any {
	switch {
	case len(args) == 1 && strings.EqualFold(args[0], "PING"):
		return "PONG"
	case len(args) != 3 || !strings.EqualFold(args[0], "SENTINEL") || !strings.EqualFold(args[1], "get-master-addr-by-name"):
		if len(args) == 0 {
			return Error("ERR Protocol error: expected a command")
		}
		return unknown(args)
	case args[2] != o.config.Name:
		return nil
	}
	return []any{o.name(o.master), port}
}

func (o *Observer) name(host int) string { return o.host.World().Hosts()[host].Name }

// Stop is the moment when it goes off. It will remember who is master, but no ping.
func (o *Observer) Stop(bool) {}

// Start is the moment when it is on again.
func (o *Observer) Start() {
	for i := range o.seen {
		o.seen[i] = sight{host: o.seen[i].host}
	}
	o.since = o.host.Mono()
	o.look()
}

// Settle does nothing: the observer counts on its monotonic clock.
func (o *Observer) Settle() {}

// look pings all, and sees to the master.
func (o *Observer) look() {
	now := o.host.Mono()
	for i := range o.seen {
		if s := &o.seen[i]; !s.pinged {
			s.pinged, s.since = true, now
		}
		o.host.Post(o.seen[i].host, ping{o.host.ID})
	}
	switch {
	case o.heir >= 0 && o.late(o.since):
		o.heir = -1 // it did not make it: another may
		fallthrough
	case o.heir < 0:
		o.watch()
	default:
		o.promote()
	}
	o.host.After(o.config.Period, o.look)
}

// late tells whether a moment is longer ago than a master may be silent.
func (o *Observer) late(since clock.Reading) bool {
	return time.Duration(o.host.Mono()-since) >= o.config.Down
}

// watch looks for an heir when the master is down: the replica that has most, and of those the first in the group.
func (o *Observer) watch() {
	if s := o.sight(o.master); !s.pinged || !o.late(s.since) {
		return
	}
	var best *sight
	for i := range o.seen {
		if s := &o.seen[i]; o.fit(s) && (best == nil || s.state.offset > best.state.offset) {
			best = s
		}
	}
	if best != nil {
		o.heir, o.since = best.host, o.host.Mono()
		o.promote()
	}
}

// fit tells whether a node could be master: it follows the present one, and was heard of lately.
func (o *Observer) fit(s *sight) bool {
	return s.known && s.host != o.master && s.state.leader == o.master &&
		time.Duration(o.host.Mono()-s.heard) <= 5*o.config.Period
}

func (o *Observer) sight(host int) *sight {
	for i := range o.seen {
		if o.seen[i].host == host {
			return &o.seen[i]
		}
	}
	panic("redis: an observer's master is none of its group")
}

// promote tells the heir that it is master, until it says so.
func (o *Observer) promote() { o.host.Post(o.heir, []string{"REPLICAOF", "NO", "ONE"}) }

// hear takes a node's answer.
func (o *Observer) hear(p pong) {
	now := o.host.Mono()
	s := o.sight(p.from)
	s.pinged, s.known, s.heard, s.state = false, true, now, p
	switch {
	case p.from == o.heir && p.leader < 0:
		o.enthrone()
	case p.from == o.master || p.leader == o.master:
		s.strayed = false
	default:
		o.correct(s, now)
	}
}

// correct tells a node that follows another than the master, or nobody, whom to follow.
func (o *Observer) correct(s *sight, now clock.Reading) {
	if !s.strayed {
		s.strayed, s.stray = true, now
	}
	if s.state.leader >= 0 || time.Duration(now-s.stray) >= o.config.Demote {
		o.demote(s.host)
	}
}

func (o *Observer) demote(host int) {
	o.host.Post(host, []string{"REPLICAOF", o.name(o.master), port})
}

// enthrone takes the heir for master, and tells the others: also the old one, if it can be reached.
func (o *Observer) enthrone() {
	now := o.host.World().Now()
	o.terms[len(o.terms)-1].To = now
	o.master, o.heir = o.heir, -1
	o.terms = append(o.terms, Term{o.master, now, clock.Forever})
	for i := range o.seen {
		if s := &o.seen[i]; s.host != o.master && s.state.leader >= 0 {
			o.demote(s.host)
		}
	}
}

// Lives makes one life of the watched key out of those it had on the nodes: that which it had on whoever was master at
// the time, by the record of an observer. A judge may take it for the life of the key on a single server.
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

// joined adds a span, to the last one if that goes on.
func joined(all []Span, s Span) []Span {
	if last := len(all) - 1; last >= 0 && all[last].Value == s.Value && all[last].To == s.From {
		all[last].To, all[last].Endless, all[last].Ended, all[last].Expired = s.To, s.Endless, s.Ended, s.Expired
		return all
	}
	return append(all, s)
}
