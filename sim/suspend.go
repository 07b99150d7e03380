package sim

import (
	"math"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A sleep is a time in which a host was suspended.
type sleep struct {
	from, to clock.Instant // to is Forever while it lasts
	lost     time.Duration // what mono counted in all sleeps up to the end of this one
}

// Suspend pauses the host, and stops its awake clock too, as Linux stops CLOCK_MONOTONIC while a machine is suspended to
// RAM. Wall and Mono run on. Mono is what Linux calls CLOCK_BOOTTIME, and timers keep counting on it. Suspensions add up,
// with each other and with pauses.
func (h *Host) Suspend() {
	if h.suspensions++; h.suspensions == 1 {
		h.sleeps = append(h.sleeps, sleep{from: h.world.now, to: clock.Forever, lost: h.lost()})
	}
	h.pauses++
	h.world.note(Suspended, h, nil, 0, nil)
}

// Wake ends one Suspend, as Resume ends a Pause.
func (h *Host) Wake() {
	if h.suspensions--; h.suspensions == 0 {
		d := &h.sleeps[len(h.sleeps)-1]
		d.to = h.world.now
		d.lost += h.Mono().Sub(h.clock.Mono(d.from))
	}
	h.world.note(Woken, h, nil, 0, nil)
	h.unpause()
}

// lost is what mono has counted in the sleeps that are over.
func (h *Host) lost() time.Duration {
	if n := len(h.sleeps); n > 0 {
		return h.sleeps[n-1].lost
	}
	return 0
}

// Awake is what the host's awake clock shows now: what Mono shows, less what that counted while the host was suspended.
func (h *Host) Awake() clock.Reading {
	mono := h.Mono()
	if h.suspensions > 0 {
		mono = h.clock.Mono(h.sleeps[len(h.sleeps)-1].from)
	}
	return mono.Add(-h.lost())
}

// WhenAwake returns the first instant from start on at which the host's awake clock shows r or more, as far as is known
// by now; Forever if it never does, as on a host that is suspended. It is to Awake what WhenMono is to Mono.
func (h *Host) WhenAwake(r clock.Reading, start clock.Instant) clock.Instant {
	lost := time.Duration(0)
	for _, d := range h.sleeps {
		// Up to d the clock shows what mono does, less what is lost; and throughout d what it shows when d begins.
		if at := h.whenMono(r, lost); at <= d.from {
			return max(at, start)
		}
		if d.to == clock.Forever {
			return clock.Forever
		}
		lost = d.lost
	}
	return max(h.whenMono(r, lost), start)
}

// whenMono returns the first instant at which mono shows r and what is lost.
func (h *Host) whenMono(r clock.Reading, lost time.Duration) clock.Instant {
	if r > math.MaxInt64-clock.Reading(lost) {
		return clock.Forever
	}
	return h.clock.WhenMono(r.Add(lost), 0)
}
