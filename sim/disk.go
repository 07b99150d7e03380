package sim

import (
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A stall is a time in which a host's disk completed no sync.
type stall struct{ from, to clock.Instant } // to is Forever until it ends

// StallDisk makes the host's disk complete no sync until FreeDisk. Stalls add up: the disk continues when all have
// ended.
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

// DiskStalled reports whether the disk stalls, and since when.
func (h *Host) DiskStalled() (since clock.Instant, stalls bool) {
	if h.stalls == 0 {
		return 0, false
	}
	return h.stallTimes[len(h.stallTimes)-1].from, true
}

// Synced returns the end of a sync that began at start and takes that long on a healthy disk; Forever if it is unknown.
func (h *Host) Synced(start clock.Instant, takes time.Duration) clock.Instant {
	done := start.Add(takes)
	for _, s := range h.stallTimes {
		if s.from <= done && s.to > start {
			done = max(done, s.to)
		}
	}
	return done
}

// Sync is for a service that can't continue before its disk has all its writes. While the disk stalls, the host then
// stops as if it were paused, and messages of its service leave when the disk continues, even the reply to the current
// request. On a disk that doesn't stall, a sync takes no time.
func (h *Host) Sync() {
	if h.stalls > 0 && !h.syncing && h.Up() {
		h.syncing = true
		h.pauses++
	}
}

// corked reports whether messages of its service must wait: while the disk stalls, the service may have to sync first.
func (h *Host) corked() bool { return h.stalls > 0 }

// flush sends what waits, unless it waits for the disk. It is called whenever a service has finished something.
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

// unsync is called when the host goes off: nothing on it waits for the disk any more.
func (h *Host) unsync() {
	h.unsent = nil
	if h.syncing {
		h.syncing = false
		h.pauses--
	}
}
