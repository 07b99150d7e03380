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
	WallExpiry      Expiry = iota // as in Redis: a step of the clock ends keys early, or late
	MonotonicExpiry               // as antirez proposed: the wall clock when the node began, plus what has passed since
)

// ExpiryNames lists the clocks as scenarios write them.
var ExpiryNames = []string{"wall", "monotonic"}

// shows returns what the clock of expiry shows at an instant.
func (n *Node) shows(t clock.Instant) clock.Reading {
	c := n.host.Clock()
	if n.config.Expiry == MonotonicExpiry {
		return c.Mono(t) + n.apart
	}
	return c.Wall(t)
}

// whenShows returns the first instant from start on at which the clock of expiry shows r.
func (n *Node) whenShows(r clock.Reading, start clock.Instant) clock.Instant {
	c := n.host.Clock()
	if n.config.Expiry == MonotonicExpiry {
		return c.WhenMono(r-n.apart, start)
	}
	return c.WhenWall(r, start)
}

// now returns what the clock of expiry shows.
func (n *Node) now() clock.Reading { return n.shows(n.host.World().Now()) }

// An Ending is why the watched key went from its node, as the node saw it. Its zero value means that the key lives.
type Ending struct {
	Cause  Cause
	By     int // Deleted, Overwritten: the ID of the host whose command did it; else -1
	Blamed int // Lost, Expired, Stepped: the last fault that turned the node off or changed its clock, or -1

	// Gained is, for Expired and Stepped, how much more than true time the wall clock counted since the deadline was
	// set.
	Gained time.Duration
}

// A Cause is what ended a key.
type Cause uint8

// The causes.
const (
	Living      Cause = iota
	Expired           // its deadline passed, on the node's wall clock
	Stepped           // the node's wall clock jumped over its deadline
	Deleted           // a command removed it
	Overwritten       // a command replaced its value
	Lost              // the node went off, and came back without it
	Copied            // a replica did the same as its master
	Superseded        // another node without the key became master
	Evicted           // its node needed room
)

// ended returns the ending of a key by a cause that is independent of clocks.
func ended(c Cause) Ending { return Ending{Cause: c, By: -1, Blamed: -1} }

// deletion returns the ending of a key that the current command removes.
func (n *Node) deletion() Ending {
	e := ended(Deleted)
	e.By = n.host.Asking().From()
	return e
}

// expiry returns the ending of the watched key whose deadline passed at an instant. It was stepped over if the clock
// without its jump would not have passed the deadline.
func (n *Node) expiry(t clock.Instant, deadline int64) Ending {
	c, e := n.host.Clock(), ended(Expired)
	by := c.Stepped(t)
	if n.config.Expiry == WallExpiry && by > 0 && floor(c.Wall(t).Add(-by), time.Millisecond) <= deadline {
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

// The rest of this file is for a disk that completes no sync. The rule is flushAppendOnlyFile in aof.c of Redis 7.0,
// called once in each round of the server's one loop, after the commands of that round and before their replies are
// sent. With appendfsync always it syncs there, so a server with something to sync stops. With everysec another thread
// syncs. While it does, logged commands stay in memory and the server continues, but only until two more seconds of the
// wall clock have begun: then it writes, and on Linux a write to a file waits for the sync of that file.

// patienceWithDisk is how many seconds of its wall clock a server with AOFEverySecond continues during a sync.
const patienceWithDisk = 2

// A postponement is a plan to write to the log though the disk stalls.
type postponement struct {
	stall clock.Instant // when the stall began
	timer *sim.Timer    // nil for none
}

// logged is called after a change that belongs in the log. The server waits for the disk, now or later.
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

// postpone plans the write to the log, unless it is planned.
func (n *Node) postpone(stall clock.Instant) {
	p := &n.postponed
	if p.timer != nil {
		if p.stall == stall {
			return
		}
		p.timer.Stop()
	}
	wall := n.host.Wall()
	due := clock.Reading((floor(wall, time.Second) + patienceWithDisk) * int64(time.Second))
	p.stall, p.timer = stall, n.host.AfterWall(due.Sub(wall), func() {
		p.timer = nil
		if since, _ := n.host.DiskStalled(); since == stall {
			n.host.Sync()
		}
	})
}

// syncing reports whether another thread syncs the log of AOFEverySecond. The sync must have begun before this instant,
// because what is logged now may begin one.
func (n *Node) syncing() bool {
	now, disk := n.host.World().Now(), n.synced()
	return disk.begun < now && now < disk.end
}
