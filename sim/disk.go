package sim

import (
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A stall is a time in which a host's disk completed no sync.
type stall struct{ from, to clock.Instant } // to is Forever while it lasts

// StallDisk makes the host's disk complete no sync until FreeDisk. Stalls add up: the disk goes on when each is over.
func (h *Host) StallDisk() {
	if h.stalls++; h.stalls == 1 {
		h.stallTimes = append(h.stallTimes, stall{h.world.now, clock.Forever})
	}
	h.world.note(Stalled, h, nil, 0, nil)
}

// FreeDisk ends one StallDisk.
func (h *Host) FreeDisk() {
	h.world.note(Unstalled, h, nil, 0, nil)
	if h.stalls--; h.stalls > 0 {
		return
	}
	h.stallTimes[len(h.stallTimes)-1].to = h.world.now
	if h.syncing {
		h.syncing = false
		h.flush()
		h.unpause()
	}
}

// DiskStalled returns since when the disk stalls, and whether it does.
func (h *Host) DiskStalled() (since clock.Instant, stalls bool) {
	if h.stalls == 0 {
		return 0, false
	}
	return h.stallTimes[len(h.stallTimes)-1].from, true
}

// Synced returns when a sync is done that began at start and takes so long on a healthy disk; Forever if that is not known.
func (h *Host) Synced(start clock.Instant, takes time.Duration) clock.Instant {
	done := start.Add(takes)
	for _, s := range h.stallTimes {
		if s.from <= done && s.to > start {
			done = max(done, s.to)
		}
	}
	return done
}

// Sync is called by a service that can't go on before its disk has all that it has written. While the disk stalls, the host
// stands still from then on, as if it were paused, and what its service sends leaves when the disk goes on: the reply to
// the request that it is handling too. On a disk that does not stall, a sync takes no time.
func (h *Host) Sync() {
	if h.stalls > 0 && !h.syncing && h.Up() {
		h.syncing = true
		h.pauses++
	}
}

// corked reports whether what its service sends must wait: while the disk stalls, the service may yet have to sync first.
func (h *Host) corked() bool { return h.stalls > 0 }

// flush sends what waits, unless it waits for the disk. It is called whenever a service is done with something.
func (h *Host) flush() {
	if h.syncing || len(h.unsent) == 0 {
		return
	}
	all := h.unsent
	h.unsent = nil
	for _, do := range all {
		do()
	}
}

// unsync is called when the host goes off: nobody waits for the disk any more.
func (h *Host) unsync() {
	h.unsent = nil
	if h.syncing {
		h.syncing = false
		h.pauses--
	}
}
