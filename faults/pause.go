package faults

import "github.com/lockstorm/lockstorm/sim"

// Pause stops Host until the end, while its clocks run on.
var Pause = &Kind{
	Name: "pause", Label: "Pause", Form: "pause HOST", About: "the host stops; its clocks run on",
	Class:  &Class{Name: "pause", About: "a process stops, and its clocks run on"},
	parts:  []*part{hostPart},
	strike: onStopped(func(_ *Fault, h *sim.Host) { h.Pause() }, func(_ *Fault, h *sim.Host) { h.Resume() }),
}
