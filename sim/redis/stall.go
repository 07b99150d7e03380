package redis

import (
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// This file is what a node does whose disk completes no sync. The rule is that of flushAppendOnlyFile in aof.c of Redis 7.0, which is
// called once in each round of the server's one loop, after the commands of that round and before their replies are sent.
// With appendfsync always it syncs there, so a server with something to sync stands still. With everysec another thread
// syncs; while it does, what is logged stays in memory and the server goes on, but no longer than until two more seconds of the
// wall clock have begun: then it writes, and on Linux a write to a file waits for the sync of that file.

// patienceWithDisk is how many seconds of its wall clock a server with AOFEverySecond goes on while a sync is under way.
const patienceWithDisk = 2

// A postponement is a plan to write to the log though the disk stalls.
type postponement struct {
	stall clock.Instant // since when it did
	timer *sim.Timer    // nil for none
}

// logged is called when something has changed that belongs in the log. The server waits for the disk, at once or later.
func (n *Node) logged() {
	since, stalls := n.host.DiskStalled()
	switch {
	case !stalls || n.replaying:
	case n.config.Persistence == AOFAlways:
		n.host.Sync()
	case n.config.Persistence == AOFEverySecond && n.syncing():
		n.postpone(since)
	}
}

// postpone plans to write what is logged now, unless that is planned.
func (n *Node) postpone(stall clock.Instant) {
	p := &n.postponed
	if p.timer != nil {
		if p.stall == stall {
			return
		}
		p.timer.Stop()
	}
	wall := n.host.Wall()
	due := clock.Reading((floorSecond(wall) + patienceWithDisk) * int64(time.Second))
	p.stall, p.timer = stall, n.host.AfterWall(due.Sub(wall), func() {
		p.timer = nil
		if since, _ := n.host.DiskStalled(); since == stall {
			n.host.Sync()
		}
	})
}

// syncing reports whether another thread has been syncing the log of AOFEverySecond: since before this instant, for what is logged now
// may begin a sync itself.
func (n *Node) syncing() bool {
	now, disk := n.host.World().Now(), n.synced()
	return disk.begun < now && now < disk.end
}
