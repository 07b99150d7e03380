package guest

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing/synctest"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

// A house is where the guests of one run live: a bubble. It is the world's Outside.
type house struct {
	start   time.Time // the bubble's, when the world's time is 0
	clients []*Client
	stirred bool // something was handed to a guest since all were at rest
	timer   *time.Timer
	alive   *atomic.Int64 // counts what the world asked for

	mu      sync.Mutex // guards what follows: guests use it
	deeds   []deed     // what guests have done since
	over    bool       // the run has ended
	failure string     // the first panic of a guest
	wake    chan struct{}
}

// A deed is what a guest does to the world, and its place among those of the same moment.
type deed struct {
	client          *Client
	node, conn, pos int
	do              func()
}

func newHouse(alive *atomic.Int64) *house {
	return &house{alive: alive, start: time.Now(), timer: time.NewTimer(time.Hour), wake: make(chan struct{}, 1)}
}

// reading returns what a client's monotonic clock shows at a time of the bubble.
func (h *house) reading(t time.Time) time.Duration { return t.Sub(h.start) }

// now returns the world's time, as the bubble has it.
func (h *house) now() clock.Instant { return clock.Instant(time.Since(h.start)) }

// settle makes the guest of a client's host.
func (h *house) settle(host *sim.Host, config locks.Config) *Client {
	config.Fence = nil // the workload draws the token: a goroutine must not touch the world
	c := &Client{Config: config, house: h, host: host, name: host.Name, epoch: host.Crashes()}
	c.ctx, c.leave = context.WithCancel(context.Background())
	for i := range config.Servers {
		c.Nodes = append(c.Nodes, fmt.Sprintf("10.0.0.%d:6379", i+1))
	}
	c.opened = make([]int, len(c.Nodes))
	h.clients = append(h.clients, c)
	return c
}

// act notes a deed of a guest, for the world to take.
func (h *house) act(d deed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over {
		return
	}
	h.deeds = append(h.deeds, d)
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// acted reports whether a guest has done anything since.
func (h *house) acted() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.deeds) > 0
}

// Wait lets the guests' time pass until next, or until one of them acts.
func (h *house) Wait(next clock.Instant) (clock.Instant, bool) {
	h.alive.Add(1)
	h.bury()
	if h.stirred {
		h.stirred = false
		synctest.Wait()
	}
	if h.acted() {
		return h.now(), true
	}
	if wait := next.Sub(h.now()); wait > 0 {
		h.timer.Reset(wait)
		select {
		case <-h.timer.C:
		case <-h.wake:
		}
		synctest.Wait()
	}
	return h.now(), h.acted()
}

// Act does what the guests have done since, in the order of connections.
func (h *house) Act() {
	h.mu.Lock()
	deeds := h.deeds
	h.deeds = nil
	select {
	case <-h.wake:
	default:
	}
	h.mu.Unlock()
	slices.SortStableFunc(deeds, func(a, b deed) int {
		return cmp.Or(cmp.Compare(a.client.host.ID, b.client.host.ID), cmp.Compare(a.node, b.node), cmp.Compare(a.conn, b.conn),
			cmp.Compare(a.pos, b.pos))
	})
	for _, d := range deeds {
		if d.client.lives() {
			d.do()
		}
	}
}

// lives reports whether the host has not crashed since the guest settled there.
func (c *Client) lives() bool { return c.epoch == c.host.Crashes() }

// bury ends the guests whose hosts have crashed.
func (h *house) bury() {
	for _, c := range h.clients {
		if !c.ended && !c.lives() {
			c.end(net.ErrClosed)
			h.stirred = true
		}
	}
}

// end ends a guest: its connections, its context, and what its library has started.
func (c *Client) end(why error) {
	c.house.mu.Lock()
	c.ended = true
	lock := c.lock
	c.house.mu.Unlock()
	for _, n := range c.conns {
		n.fail(why)
	}
	c.leave()
	if lock != nil {
		go lock.Close()
	}
}

// close ends the run for all guests, and gives them time to end what they have begun.
func (h *house) close() {
	h.mu.Lock()
	h.over = true
	h.mu.Unlock()
	for _, c := range h.clients {
		if !c.ended {
			c.end(net.ErrClosed)
		}
	}
	h.timer.Stop()
	synctest.Wait()
}

// fail notes the panic of a guest.
func (h *house) fail(panic string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failure = cmp.Or(h.failure, panic)
}

// failed returns what fail noted.
func (h *house) failed() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.failure
}

// busy reports whether a call of a guest whose host is on has not returned.
func (h *house) busy() bool {
	return slices.ContainsFunc(h.clients, func(c *Client) bool { return c.away > 0 && !c.ended })
}
