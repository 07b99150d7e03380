package faults

import "github.com/lockstorm/lockstorm/sim"

// Suspend sends the machine of Host to sleep: it does nothing until the end, and its awake clock stands still. Its other
// clocks run on.
var Suspend = &Kind{
	Name: "suspend", Form: "suspend HOST", About: "the same, but its awake clock stands still",
	Class:  &Class{"suspend", "a machine sleeps, and its awake clock stands still"},
	Clocks: true,
	parts:  []*part{hostPart},
	strike: onHosts(func(_ *Fault, h *sim.Host) { h.Suspend() }, func(_ *Fault, h *sim.Host) { h.Wake() }),
}
