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

// Suspend pauses the host, and stops its awake clock too, as Linux stops CLOCK_MONOTONIC while a machine is suspended
// to RAM. Wall and Mono run on. Mono is what Linux calls CLOCK_BOOTTIME, and timers keep counting on it. Suspensions
// add up, with each other and with pauses.
func (h *Host) Suspend() {
	if h.suspensions++; h.suspensions == 1 {
		h.sleeps = append(h.sleeps, sleep{from: h.world.now, to: clock.Forever, lost: h.lost()})
	}
	h.pauses++
	h.world.note(Suspended, h, nil, 0, nil)
}

// Wake ends one Suspend, like Resume.
func (h *Host) Wake() {
	if h.suspensions--; h.suspensions == 0 {
		d := &h.sleeps[len(h.sleeps)-1]
		d.to = h.world.now
		d.lost += h.Mono().Sub(h.clock.Mono(d.from))
	}
	h.world.note(Woken, h, nil, 0, nil)
	h.unpause()
}

// lost is what mono has counted in the sleeps that have ended.
func (h *Host) lost() time.Duration {
	if n := len(h.sleeps); n > 0 {
		return h.sleeps[n-1].lost
	}
	return 0
}

// Awake is what the host's awake clock shows now: Mono without what Mono counted while the host was suspended.
func (h *Host) Awake() clock.Reading {
	mono := h.Mono()
	if h.suspensions > 0 {
		mono = h.clock.Mono(h.sleeps[len(h.sleeps)-1].from)
	}
	return mono.Add(-h.lost())
}

// WhenAwake is WhenMono for the awake clock. It returns the first instant from start on at which that clock shows r or
// more, with the suspensions known now; Forever if there is none, as on a suspended host.
func (h *Host) WhenAwake(r clock.Reading, start clock.Instant) clock.Instant {
	lost := time.Duration(0)
	for _, d := range h.sleeps {
		// Up to d the clock shows mono less what is lost. Throughout d it shows what it does when d begins.
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

// whenMono returns the first instant at which mono shows r plus what is lost.
func (h *Host) whenMono(r clock.Reading, lost time.Duration) clock.Instant {
	if r > math.MaxInt64-clock.Reading(lost) {
		return clock.Forever
	}
	return h.clock.WhenMono(r.Add(lost), 0)
}
