package platform

import (
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// Links find when each client could not reach each server that the lock asks, where each server stands for itself:
// while anything was the matter with the client, the server, or a link between them.
type Links struct {
	Site    *Site
	all     []link // from each client to each server
	outages []checker.Outage
}

// A link is what lies between a client and a server: both of them, and the ways there and back.
type link struct {
	troubles int           // how many are in force
	since    clock.Instant // when the first of them began
}

// AppendOutages appends what follows from the trace.
func (l *Links) AppendOutages(to []checker.Outage) []checker.Outage {
	n := l.Site.Clients * len(l.Site.Servers)
	l.all, l.outages = slices.Grow(l.all[:0], n)[:n], to
	clear(l.all)
	for _, e := range l.Site.World.Trace() {
		if by := e.Trouble(); by != 0 {
			l.disturb(&e, by)
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
func (l *Links) UnderWay() time.Duration { return 0 }

// disturb adds to the troubles of all links that an event touches: those of its host, or the one between it and its peer.
func (l *Links) disturb(e *sim.Event, by int) {
	if e.Peer >= 0 {
		if client, server, ok := l.between(e); ok {
			l.add(client, server, by, e.At)
		}
		return
	}
	client, server := int(e.Host)-l.Site.client(0), int(e.Host)
	for c := range l.Site.Clients {
		for s := range l.Site.Servers {
			if c == client || s == server {
				l.add(c, s, by, e.At)
			}
		}
	}
}

// late puts on record that messages are still on their way when a delay is taken back. One that asks for the lock takes it
// when it arrives, though its attempt has been given up and its release has overtaken it.
func (l *Links) late(e *sim.Event) {
	by := e.Body.(time.Duration)
	if by >= 0 {
		return
	}
	if client, server, ok := l.between(e); ok {
		l.outages = append(l.outages, checker.Outage{Client: client, Lane: server, From: e.At, To: e.At.Add(-by)})
	}
}

// between returns the client and the server of the link that an event is about. It reports false for any other link, such
// as one to storage.
func (l *Links) between(e *sim.Event) (client, server int, ok bool) {
	client, server = max(int(e.Host), int(e.Peer))-l.Site.client(0), min(int(e.Host), int(e.Peer))
	return client, server, client >= 0 && client < l.Site.Clients && server < len(l.Site.Servers)
}

// add changes the troubles of one link.
func (l *Links) add(client, server, by int, at clock.Instant) {
	i := client*len(l.Site.Servers) + server
	k := &l.all[i]
	if k.troubles == 0 {
		k.since = at
	}
	if k.troubles += by; k.troubles == 0 {
		l.end(i, at)
	}
}

// end puts an outage of a link on record, unless it was over at once.
func (l *Links) end(i int, to clock.Instant) {
	if from, n := l.all[i].since, len(l.Site.Servers); from < to {
		l.outages = append(l.outages, checker.Outage{Client: i / n, Lane: i % n, From: from, To: to})
	}
}
