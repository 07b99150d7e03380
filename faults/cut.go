package faults

import "github.com/lockstorm/lockstorm/sim"

// Cut stops all messages from From to To until the end, even messages on their way.
var Cut = &Kind{
	Name: "cut", Label: "One-way cut", Form: "cut HOST>HOST", About: "no message passes this way",
	Class: loss,
	last:  true,
	Links: true,
	parts: []*part{linkPart},
	strike: func(t *targets, f *Fault) effect {
		return onLinks(t.link(f), (*sim.World).LostOn, t.world.Cut, t.world.Mend)
	},
}
