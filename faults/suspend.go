package faults

import "github.com/lockstorm/lockstorm/sim"

// Suspend stops Host and its awake clock until the end, as when a machine sleeps. Its other clocks run on.
var Suspend = &Kind{
	Name: "suspend", Label: "Sleep", Form: "suspend HOST", About: "the machine sleeps; its awake clock stops too",
	Class:  &Class{Name: "suspend", About: "a machine sleeps, and its awake clock stops"},
	Clocks: true, Instead: Pause,
	parts:  []*part{hostPart},
	strike: onStopped(func(_ *Fault, h *sim.Host) { h.Suspend() }, func(_ *Fault, h *sim.Host) { h.Wake() }),
}
