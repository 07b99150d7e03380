package redis

import "github.com/lockstorm/lockstorm/clock"

// An Expiry is the clock by which a node counts the lives of its keys.
type Expiry uint8

// The clocks, under the names that scenarios use: wall, monotonic.
const (
	WallExpiry      Expiry = iota // as Redis does: a step of the clock ends keys early, or late
	MonotonicExpiry               // as antirez proposed: no step moves it; it shows what the wall clock did when the node began, and what has passed since
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

// whenShows returns the instant, from another one on, at which that clock first shows so much.
func (n *Node) whenShows(r clock.Reading, from clock.Instant) clock.Instant {
	c := n.host.Clock()
	if n.config.Expiry == MonotonicExpiry {
		return c.WhenMono(r-n.apart, from)
	}
	return c.WhenWall(r, from)
}

// now returns what that clock shows.
func (n *Node) now() clock.Reading { return n.shows(n.host.World().Now()) }
