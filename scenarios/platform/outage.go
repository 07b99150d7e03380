package platform

import (
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// Outages find when clients could not reach the servers of a run.
type Outages interface {
	// AppendOutages appends when each client could not reach each server that its lock asks. It is called only for a
	// run with faults, because without them there is none, and only if liveness is judged.
	AppendOutages(to []checker.Outage) []checker.Outage
	// UnderWay returns how much later than usual a message between servers may still arrive once all delays have ended.
	UnderWay() time.Duration
}

// LinkOutages returns the outages of independent servers.
func LinkOutages(site *Site) Outages { return &links{site: site} }

// links find when each client could not reach each server that the lock asks, where servers are independent: while
// anything was the matter with the client, the server, or a link between them.
type links struct {
	site    *Site
	all     []link // from each client to each server
	outages []checker.Outage
}

// A link is what lies between a client and a server: both of them, and the ways there and back.
type link struct {
	troubles int           // how many are in force
	since    clock.Instant // when the first of them began
}

// AppendOutages appends what follows from the trace.
func (l *links) AppendOutages(to []checker.Outage) []checker.Outage {
	n := l.site.Clients * len(l.site.Servers)
	l.all, l.outages = slices.Grow(l.all[:0], n)[:n], to
	clear(l.all)
	for _, e := range l.site.World.Trace() {
		if n := e.Trouble(); n != 0 {
			l.disturb(&e, n)
		}
		if e.Kind == sim.DelaySet {
			l.late(&e)
		}
	}
	for i := range l.all {
		if l.all[i].troubles > 0 {
			l.end(i, clock.Forever)
		}
	}
	return l.outages
}

// UnderWay is 0: servers that do not know each other send each other nothing.
func (l *links) UnderWay() time.Duration { return 0 }

// disturb adds n to the troubles of an event's links: all links of its host, or the one to its peer.
func (l *links) disturb(e *sim.Event, n int) {
	if e.Peer >= 0 {
		if client, server, ok := l.between(e); ok {
			l.add(client, server, n, e.At)
		}
		return
	}
	client, server := int(e.Host)-l.site.client(0), int(e.Host)
	for c := range l.site.Clients {
		for s := range l.site.Servers {
			if c == client || s == server {
				l.add(c, s, n, e.At)
			}
		}
	}
}

// late puts on record that messages are still on their way when a delay is taken back. One that asks for the lock takes
// it when it arrives, though its attempt has been given up and its release has overtaken it.
func (l *links) late(e *sim.Event) {
	d := e.Body.(time.Duration)
	if d >= 0 {
		return
	}
	if client, server, ok := l.between(e); ok {
		l.outages = append(l.outages, checker.Outage{Client: client, Lane: server, From: e.At, To: e.At.Add(-d)})
	}
}

// between returns the client and the server of an event's link; false for any other link, such as one to storage.
func (l *links) between(e *sim.Event) (client, server int, ok bool) {
	client, server = max(int(e.Host), int(e.Peer))-l.site.client(0), min(int(e.Host), int(e.Peer))
	return client, server, client >= 0 && client < l.site.Clients && server < len(l.site.Servers)
}

func (l *links) add(client, server, n int, now clock.Instant) {
	i := client*len(l.site.Servers) + server
	k := &l.all[i]
	if k.troubles == 0 {
		k.since = now
	}
	if k.troubles += n; k.troubles == 0 {
		l.end(i, now)
	}
}

// end records an outage of a link, unless it ended immediately.
func (l *links) end(i int, to clock.Instant) {
	if from, n := l.all[i].since, len(l.site.Servers); from < to {
		l.outages = append(l.outages, checker.Outage{Client: i / n, Lane: i % n, From: from, To: to})
	}
}

// A client of a service needs no majority of its servers. It needs the service.
//
// A raft service is a majority of servers that are well and in touch with each other, and a client must reach one of
// them. A group of Redis servers is the one that the observer takes for master, as many replicas as it must have, and
// the observer; a client must reach the observer and that master. Both tolerate it that others are off, paused or cut
// off, once they have had the time to elect or to promote another, and so must the lock. Where it is not clear who
// works together, nothing is demanded of it: when a server that some of the others hear is not heard by the rest, or
// when messages between servers are late or lost.

// A group finds when each client was unable to reach a service whose servers need each other.
type group struct {
	site     *Site
	links    []linkTroubles  // from each host to each host; the one to itself is the host's own
	together uint            // the servers that work together, a bit for each; 0 when none do
	since    []clock.Instant // by client: since when it can't reach them; Forever while it can
	outages  []checker.Outage
}

// A service is what differs from one such service to another.
type service interface {
	// serves reports whether a host is one of the service's.
	serves(host int) bool
	// advance regroups for what the servers themselves did by a moment.
	advance(now clock.Instant)
	// working returns the servers that work together, a bit for each; 0 when none do.
	working() uint
	// settles reports whether they need time to settle, given those who worked together before, and those who do now.
	settles(before, now uint) bool
	// reaches reports whether a client that is well reaches those who work together.
	reaches(client int) bool
}

// linkTroubles counts the troubles of a host, or of the link from one to another, and how many of them cut it.
type linkTroubles struct{ troubles, cuts int }

// gather appends, from the trace, when each client could not reach the service.
func (g *group) gather(s service, to []checker.Outage) []checker.Outage {
	hosts := len(g.site.World.Hosts())
	g.links = slices.Grow(g.links[:0], hosts*hosts)[:hosts*hosts]
	clear(g.links)
	g.together, g.outages = 1<<len(g.site.Servers)-1, to
	g.since = slices.Repeat([]clock.Instant{clock.Forever}, g.site.Clients)
	for _, e := range g.site.World.Trace() {
		s.advance(e.At)
		if n := e.Trouble(); n != 0 {
			g.linkOf(&e).count(&e, n)
			g.regroup(s, e.At, false)
		}
		if e.Kind == sim.DelaySet {
			g.late(s, &e)
		}
	}
	s.advance(clock.Forever - 1)
	for c, since := range g.since {
		g.addOutage(c, since, clock.Forever)
	}
	return g.outages
}

func (g *group) linkOf(e *sim.Event) *linkTroubles {
	to := e.Peer
	if to < 0 {
		to = e.Host
	}
	return g.link(int(e.Host), int(to))
}

func (g *group) link(a, b int) *linkTroubles { return &g.links[a*len(g.site.World.Hosts())+b] }

func (t *linkTroubles) count(e *sim.Event, n int) {
	t.troubles += n
	if e.Kind == sim.CutOff || e.Kind == sim.Mended {
		t.cuts += n
	}
}

// regroup finds again which servers work together, and who reaches them. They may have to settle first; a promotion
// makes them.
func (g *group) regroup(s service, now clock.Instant, promoted bool) {
	before := g.together
	g.together = s.working()
	settles := promoted || s.settles(before, g.together)
	for c := range g.site.Clients {
		switch {
		case !g.inTouch(s, c):
			g.since[c] = min(g.since[c], now)
		case g.since[c] != clock.Forever:
			g.addOutage(c, g.since[c], now)
			g.since[c] = clock.Forever
		}
		if settles && g.together != 0 {
			g.addOutage(c, now, now.Add(g.site.Settling))
		}
	}
}

// inTouch reports whether a client is well and reaches those who work together, if any do.
func (g *group) inTouch(s service, client int) bool {
	host := g.site.client(client)
	return g.together != 0 && !g.strained(host, host) && s.reaches(client)
}

// strained reports whether there is any trouble between two hosts, either way; or with one host, if they are the same.
func (g *group) strained(a, b int) bool {
	return g.link(a, b).troubles > 0 || g.link(b, a).troubles > 0
}

// cut reports whether the link between two hosts is cut, either way.
func (g *group) cut(a, b int) bool { return g.link(a, b).cuts > 0 || g.link(b, a).cuts > 0 }

func (g *group) late(s service, e *sim.Event) {
	d, storage := e.Body.(time.Duration), g.site.storage()
	if d >= 0 || int(e.Host) == storage || int(e.Peer) == storage {
		return
	}
	for c := range g.site.Clients {
		if host := g.site.client(c); among(s, e) || int(e.Host) == host || int(e.Peer) == host {
			g.addOutage(c, e.At, e.At.Add(-d))
		}
	}
}

// among reports whether an event befell a server, or the way between two of them.
func among(s service, e *sim.Event) bool {
	return s.serves(int(e.Host)) && (e.Peer < 0 || s.serves(int(e.Peer)))
}

// underWay returns how much later than usual a message between servers may arrive. Later ones on its connection wait
// for it.
func (g *group) underWay(s service) (most time.Duration) {
	for _, e := range g.site.World.Trace() {
		if e.Kind == sim.DelaySet && among(s, &e) {
			most = max(most, -e.Body.(time.Duration)-g.site.World.Now().Sub(e.At))
		}
	}
	return most
}

// addOutage records that a client could not reach the service: the judges see it as one server.
func (g *group) addOutage(client int, start, end clock.Instant) {
	if start < end {
		g.outages = append(g.outages, checker.Outage{Client: client, From: start, To: end})
	}
}
