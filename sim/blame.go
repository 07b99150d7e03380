package sim

import "github.com/lockstorm/lockstorm/clock"

// Faults change the world from outside. A judge wants to know which fault it was; nothing inside the world may ask.

// A clockChange is a change of a host's clock.
type clockChange struct {
	at clock.Instant
	by int // the fault that made it, or -1
}

// Blame calls do, and blames fault who for every change that do makes to a host.
func (w *World) Blame(who int, do func()) {
	before := w.blamed
	w.blamed = who + 1
	do()
	w.blamed = before
}

// Blamed returns the number that Blame was called with, or -1 outside Blame.
func (w *World) Blamed() int { return w.blamed - 1 }

// ClockBlamed returns the fault that last changed the host's clock up to an instant, or -1.
func (h *Host) ClockBlamed(until clock.Instant) int {
	last := -1
	for _, t := range h.clockChanges {
		if t.at <= until {
			last = t.by
		}
	}
	return last
}

// From returns the ID of the host that sent the request, or -1.
func (a Ask) From() int {
	if a.call == nil {
		return -1
	}
	return a.call.from.ID
}
