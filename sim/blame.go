package sim

import "github.com/lockstorm/lockstorm/clock"

// What goes wrong in a run is done to the world from outside, by faults. Those who judge want to know which one it was;
// nobody in the world may ask.

// A clockChange is a change of a host's clock, and who made it.
type clockChange struct {
	at clock.Instant
	by int // the fault, or -1
}

// Blame calls do, and attributes to fault who every host change made during do.
func (w *World) Blame(who int, do func()) {
	before := w.blamed
	w.blamed = who + 1
	do()
	w.blamed = before
}

// Blamed returns the number that Blame was called with, or -1 outside of it.
func (w *World) Blamed() int { return w.blamed - 1 }

// ClockBlamed returns who was the last to change the host's clock by an instant, or -1.
func (h *Host) ClockBlamed(until clock.Instant) int {
	last := -1
	for _, t := range h.clockChanges {
		if t.at <= until {
			last = t.by
		}
	}
	return last
}

// From returns the ID of the host that the request came from, or -1.
func (a Ask) From() int {
	if a.call == nil {
		return -1
	}
	return a.call.from.ID
}
