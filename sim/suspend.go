package sim

import (
	"math"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A doze is a time in which a host was suspended.
type doze struct {
	from, to clock.Instant // to is Forever while it lasts
	lost     time.Duration // what mono counted in all dozes up to the end of this one
}

// Suspend pauses the host, and stops its awake clock too, as Linux stops CLOCK_MONOTONIC while a machine is suspended to
// RAM. Wall and Mono run on. Mono is what Linux calls CLOCK_BOOTTIME, and timers keep counting on it. Suspensions add up,
// with each other and with pauses.
func (h *Host) Suspend() {
	if h.suspensions++; h.suspensions == 1 {
		h.dozes = append(h.dozes, doze{from: h.world.now, to: clock.Forever, lost: h.lost()})
	}
	h.pauses++
	h.world.note(Suspended, h, nil, 0, nil)
}

// Wake ends one Suspend, as Resume ends a Pause.
func (h *Host) Wake() {
	if h.suspensions--; h.suspensions == 0 {
		d := &h.dozes[len(h.dozes)-1]
		d.to = h.world.now
		d.lost += h.Mono().Sub(h.clock.Mono(d.from))
	}
	h.world.note(Woken, h, nil, 0, nil)
	h.goOn()
}

// lost is what mono has counted in the dozes that are over.
func (h *Host) lost() time.Duration {
	if n := len(h.dozes); n > 0 {
		return h.dozes[n-1].lost
	}
	return 0
}

// Awake is what the host's awake clock shows now: what Mono shows, less what that counted while the host was suspended.
func (h *Host) Awake() clock.Reading {
	mono := h.Mono()
	if h.suspensions > 0 {
		mono = h.clock.Mono(h.dozes[len(h.dozes)-1].from)
	}
	return mono.Add(-h.lost())
}

// WhenAwake gives the first instant at or after from at which the host's awake clock shows r or more, as far as is known
// by now; Forever if it never does, as on a host that is suspended. It is to Awake what WhenMono is to Mono.
func (h *Host) WhenAwake(r clock.Reading, from clock.Instant) clock.Instant {
	begins, lost := from, time.Duration(0) // of the waking time at hand
	for _, d := range h.dozes {
		if d.to > from { // up to d, and then throughout it, the clock shows what it shows when d begins
			if at := h.whenMono(r, lost, min(begins, d.from)); at <= d.from {
				return max(at, from)
			}
		}
		if d.to == clock.Forever {
			return clock.Forever
		}
		begins, lost = max(from, d.to), d.lost
	}
	return h.whenMono(r, lost, begins)
}

// whenMono gives the first instant from from on at which mono shows r and what it has lost.
func (h *Host) whenMono(r clock.Reading, lost time.Duration, from clock.Instant) clock.Instant {
	if r > math.MaxInt64-clock.Reading(lost) {
		return clock.Forever
	}
	return h.clock.WhenMono(r.Add(lost), from)
}
