package redis

import (
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// An Ending is why the watched key went from its node, as the node saw it go. Its zero value is that of a key that lives.
type Ending struct {
	Cause  Cause
	By     int           // Deleted, Overwritten: the ID of the host whose command did it; else -1
	Blamed int           // Lost, Expired, Stepped: who turned the node off, or changed its clock last: see sim.World.Blame; -1 for nobody
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
func (n *Node) expiry(at clock.Instant, deadline int64) Ending {
	c, e := n.host.Clock(), ended(Expired)
	if by := c.Stepped(at); n.config.Expiry == WallExpiry && by > 0 && floorMillis(c.Wall(at).Add(-by)) <= deadline {
		e.Cause = Stepped
	}
	e.Gained = n.shows(at).Sub(n.shows(n.since)) - at.Sub(n.since)
	if e.Gained != 0 {
		e.Blamed = n.host.ClockBlamed(at)
	}
	return e
}

// date notes when the deadline of the watched key was set.
func (n *Node) date(deadline int64) {
	if deadline != n.due && !n.replaying {
		n.due, n.since = deadline, n.host.World().Now()
	}
}
