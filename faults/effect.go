package faults

import (
	"slices"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// An effect is what a fault does to its targets. begin is called first, then heal; idle and spare at any time after
// begin.
type effect struct {
	begin func() (end clock.Instant) // the end counts only if the kind EndsItself
	heal  func()                     // at the end of the fault, or earlier
	idle  func() bool                // whether it has touched nothing so far
	spare func() bool                // whether the run would be the same without it so far; nil if that is unknown
	hosts []*sim.Host                // the hosts that onHosts affects
}

// onHosts returns the function for a kind that affects its hosts alike. It is idle if no host can notice.
func onHosts(begin, heal func(*Fault, *sim.Host)) func(*targets, *Fault) effect {
	return func(t *targets, f *Fault) effect {
		hosts := t.resolve(&f.Host)
		idle := unnoticed(hosts)
		each := func(do func(*Fault, *sim.Host)) {
			for _, h := range hosts {
				do(f, h)
			}
		}
		return effect{
			begin: func() clock.Instant { each(begin); return 0 },
			heal:  func() { each(heal) },
			idle:  func() bool { return idle },
			hosts: hosts,
		}
	}
}

// onStopped is onHosts for a kind that stops its hosts. The run is the same without it if nothing on them waits for the
// end, and no crash has removed what waited.
func onStopped(begin, heal func(*Fault, *sim.Host)) func(*targets, *Fault) effect {
	return func(t *targets, f *Fault) effect {
		e := onHosts(begin, heal)(t, f)
		before := crashes(e.hosts)
		e.spare = func() bool {
			return !slices.ContainsFunc(e.hosts, (*sim.Host).Waits) && crashes(e.hosts) == before
		}
		return e
	}
}

func crashes(hosts []*sim.Host) (n int) {
	for _, h := range hosts {
		n += h.Crashes()
	}
	return n
}

// unnoticed reports whether no host can notice what happens: each is a client that has ended, or a server that no
// client will call.
func unnoticed(hosts []*sim.Host) bool {
	return !slices.ContainsFunc(hosts, func(h *sim.Host) bool {
		if h.Serves() {
			return h.World().Live() > 0
		}
		return h.Live()
	})
}

// A link is one way between two hosts.
type link struct{ from, to *sim.Host }

// link returns the links that a fault between From and To affects.
func (t *targets) link(f *Fault) []link { return between(t.resolve(&f.From), t.resolve(&f.To)) }

// between returns the links from some hosts to others. No host has a link to itself.
func between(senders, receivers []*sim.Host) (links []link) {
	for _, a := range senders {
		for _, b := range receivers {
			if a != b {
				links = append(links, link{a, b})
			}
		}
	}
	return links
}

// both returns the links between some hosts and others, both ways.
func both(a, b []*sim.Host) []link { return append(between(a, b), between(b, a)...) }

// onLinks returns the effect of a fault that does the same to each link. It is idle until it has met a message, as
// count counts them on each link.
func onLinks(
	links []link, count func(w *sim.World, src, dst *sim.Host) int, begin, heal func(src, dst *sim.Host),
) effect {
	met := func() (n int) {
		for _, l := range links {
			n += count(l.from.World(), l.from, l.to)
		}
		return n
	}
	each := func(do func(src, dst *sim.Host)) {
		for _, l := range links {
			do(l.from, l.to)
		}
	}
	before := met()
	return effect{
		begin: func() clock.Instant { each(begin); return 0 },
		heal:  func() { each(heal) },
		idle:  func() bool { return met() == before },
	}
}
