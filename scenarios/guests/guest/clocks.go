package guest

import (
	"runtime/pprof"
	"sync"
	"unsafe" // for go:linkname, too

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/internal/clocks"
)

// This file sets each guest's clock to its client host's clock. It needs an overlay of package time at build time
// (see the command in overlay), which calls the functions set here. A goroutine is recognized by its profiler labels,
// which its children inherit.

// hooked is whether the program was built with the overlay. Without it, it stays false.
//
//go:linkname hooked time.lockstormHooked
var hooked bool

// nano returns the bubble's time to every caller.
//
//go:linkname nano time.lockstormNano
var nano func() int64

//go:linkname shift time.lockstormShift
var shift func() (wall, mono int64)

//go:linkname span time.lockstormSpan
var span func(d int64) int64

//go:linkname own time.lockstormOwn
var own func(f func()) func()

//go:linkname labels runtime/pprof.runtime_getProfLabel
func labels() unsafe.Pointer

// owners are the clients of the current run, by the labels of their goroutines.
var owners sync.Map

func init() {
	if !hooked {
		return
	}
	clocks.OfGuests = true
	shift = func() (wall, mono int64) {
		if c := owner(); c != nil {
			return c.shift()
		}
		return 0, 0
	}
	span = func(d int64) int64 {
		if c := owner(); c != nil {
			return c.span(d)
		}
		return d
	}
	own = func(f func()) func() {
		if c := owner(); c != nil {
			return func() { c.labelled(f) }
		}
		return f
	}
}

// owner returns the client whose goroutine asks; nil for none.
func owner() *Client {
	if at := labels(); at != nil {
		if c, ok := owners.Load(at); ok {
			return c.(*Client)
		}
	}
	return nil
}

// labelled calls f as the client's, either in a new goroutine or in a labelled one.
func (c *Client) labelled(f func()) {
	if !hooked {
		f()
		return
	}
	pprof.SetGoroutineLabels(c.labels)
	owners.Store(labels(), c)
	f()
}

// shift returns by how much the client's clocks differ from the world's time now.
func (c *Client) shift() (wall, mono int64) {
	c.clockMu.Lock()
	defer c.clockMu.Unlock()
	t := c.bubble.trueNow()
	return int64(c.clock.Wall(t)-scenarios.Epoch) - int64(t), int64(c.clock.Mono(t)) - int64(t)
}

// span returns how long the client's monotonic clock takes to advance by d, at its rate now.
func (c *Client) span(d int64) int64 {
	c.clockMu.Lock()
	defer c.clockMu.Unlock()
	t := c.bubble.trueNow()
	return int64(c.clock.WhenMono(c.clock.Mono(t)+clock.Reading(d), t).Sub(t))
}

// readClocks copies the state of each host's clock to its client's guest. The world is at rest.
func (b *bubble) readClocks() {
	if !hooked {
		return
	}
	for _, c := range b.clients {
		c.clockMu.Lock()
		c.clock = c.host.Clock().Clone()
		c.clockMu.Unlock()
	}
}

// trueNow returns the world's time in a goroutine with a separate clock.
func (b *bubble) trueNow() clock.Instant { return clock.Instant(nano() - b.startNano) }

// Clocked reports whether each guest has a separate clock: whether the program was built with the overlay.
func Clocked() bool { return hooked }
