package faults

import "github.com/lockstorm/lockstorm/sim"

// Crash ends the process on Host, and starts it again at the end. The machine stays on, so the host keeps what had
// reached its operating system, as at an orderly shutdown.
var Crash = &Kind{
	Name: "crash", Label: "Process crash", Form: "crash HOST",
	About:  "the process dies and restarts; the machine stays on",
	Class:  &Class{Name: "crash", About: "a client's process dies"},
	parts:  []*part{clientPart},
	strike: onHosts(func(_ *Fault, h *sim.Host) { h.Crash(false) }, func(_ *Fault, h *sim.Host) { h.Restart() }),
}
