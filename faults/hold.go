package faults

import (
	"slices"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// Hold holds the next message from From to To until the end. Later messages on the same connection wait behind it.
var Hold = &Kind{
	Name: "hold", Label: "Held message", Form: "hold HOST>HOST", About: "the next message waits until the fault ends",
	Class:   delay,
	last:    true,
	Links:   true,
	parts:   []*part{linkPart},
	lasting: (*drawing).ending, // a message held to the end of the run would be a cut
	strike:  func(t *targets, f *Fault) effect { return holdNext(t.world, t.link(f)) },
}

// holdNext holds the next message on each link. It is idle until it holds one.
func holdNext(w *sim.World, links []link) effect {
	holds := make([]*sim.HeldMessages, len(links))
	return effect{
		begin: func() clock.Instant {
			for i, l := range links {
				holds[i] = w.Hold(l.from, l.to)
			}
			return 0
		},
		heal: func() {
			for _, h := range holds {
				h.Release()
			}
		},
		idle: func() bool { return !slices.ContainsFunc(holds, (*sim.HeldMessages).Any) },
	}
}
