package redis

import (
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// An Expiry is the clock by which a node counts the lives of its keys.
type Expiry uint8

// The clocks, under the names that scenarios use: wall, monotonic.
const (
	WallExpiry      Expiry = iota // as Redis does: a step of the clock ends keys early, or late
	MonotonicExpiry               // as antirez proposed: the wall clock when the node began plus what has passed; no step moves it
)

// ExpiryNames lists the clocks as scenarios write them.
var ExpiryNames = []string{"wall", "monotonic"}

// shows returns what the clock that keys' lives are counted on shows at an instant.
func (n *Node) shows(t clock.Instant) clock.Reading {
	c := n.host.Clock()
	if n.config.Expiry == MonotonicExpiry {
		return c.Mono(t) + n.apart
	}
	return c.Wall(t)
}

// whenShows returns the first instant from start on at which that clock shows r.
func (n *Node) whenShows(r clock.Reading, start clock.Instant) clock.Instant {
	c := n.host.Clock()
	if n.config.Expiry == MonotonicExpiry {
		return c.WhenMono(r-n.apart, start)
	}
	return c.WhenWall(r, start)
}

// now returns what that clock shows.
func (n *Node) now() clock.Reading { return n.shows(n.host.World().Now()) }

// An Ending is why the watched key went from its node, as the node saw it go. Its zero value is that of a key that lives.
type Ending struct {
	Cause  Cause
	By     int           // Deleted, Overwritten: the ID of the host whose command did it; else -1
	Blamed int           // Lost, Expired, Stepped: who turned the node off or changed its clock last (sim.World.Blame); -1: nobody
	Gained time.Duration // Expired, Stepped: how much more than true time the node's wall clock counted since the deadline was set
}

// A Cause is what ended a key.
type Cause uint8

// The causes.
const (
	Living      Cause = iota
	Expired           // its deadline passed, on the node's wall clock
	Stepped           // the node's wall clock jumped over its deadline
	Deleted           // a command removed it
	Overwritten       // a command gave it another value
	Lost              // the node went off, and came back without it
	Copied            // a replica did what its master had done
	Superseded        // another node became master, which did not have it
)

// ended returns the ending of a key by something that has nothing to do with clocks.
func ended(c Cause) Ending { return Ending{Cause: c, By: -1, Blamed: -1} }

// deletion returns the ending of a key that the command under way removes.
func (n *Node) deletion() Ending {
	e := ended(Deleted)
	e.By = n.host.Asking().From()
	return e
}

// expiry returns the ending of the watched key whose deadline passed at an instant. It was stepped over if the clock
// would not show so much without its jump.
func (n *Node) expiry(t clock.Instant, deadline int64) Ending {
	c, e := n.host.Clock(), ended(Expired)
	if by := c.Stepped(t); n.config.Expiry == WallExpiry && by > 0 && floorMillis(c.Wall(t).Add(-by)) <= deadline {
		e.Cause = Stepped
	}
	e.Gained = n.shows(t).Sub(n.shows(n.since)) - t.Sub(n.since)
	if e.Gained != 0 {
		e.Blamed = n.host.ClockBlamed(t)
	}
	return e
}

// date notes when the deadline of the watched key was set.
func (n *Node) date(deadline int64) {
	if deadline != n.due && !n.replaying {
		n.due, n.since = deadline, n.host.World().Now()
	}
}

// This file is what a node does whose disk completes no sync. The rule is that of flushAppendOnlyFile in aof.c of Redis
// 7.0, which is called once in each round of the server's one loop, after the commands of that round and before their
// replies are sent. With appendfsync always it syncs there, so a server with something to sync stands still. With
// everysec another thread syncs; while it does, what is logged stays in memory and the server goes on, but no longer
// than until two more seconds of the wall clock have begun: then it writes, and on Linux a write to a file waits for
// the sync of that file.

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

// syncing reports whether another thread has been syncing the log of AOFEverySecond: since before this instant, for
// what is logged now may begin a sync itself.
func (n *Node) syncing() bool {
	now, disk := n.host.World().Now(), n.synced()
	return disk.begun < now && now < disk.end
}
