package guest

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"runtime/pprof"
	"slices"
	"sync"
	"sync/atomic"
	"testing/synctest"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

// A bubble of testing/synctest is where the guests of one run live. It is the world's Outside.
type bubble struct {
	start     time.Time // the bubble's, when the world's time is 0
	startNano int64     // the same in nano's time, if there are clocks
	clients   []*Client
	handed    bool // something was handed to a guest since all were at rest
	timer     *time.Timer
	alive     *atomic.Int64 // counts what the world asked for
	hangs     []hang
	wire      func(id int64) Wire // of a new connection

	mu      sync.Mutex // guards what follows: guests use it
	actions []action   // what guests have done since
	over    bool       // the run has ended
	failure failure    // the first of a guest
	wake    chan struct{}
}

// An action is what a guest does to the world. Client, node, connection and position order the actions of one moment.
type action struct {
	client          *Client
	node, conn, pos int
	do              func()
}

func newBubble(alive *atomic.Int64, wire func(id int64) Wire) *bubble {
	b := &bubble{alive: alive, wire: wire, start: time.Now(), timer: time.NewTimer(time.Hour), wake: make(chan struct{}, 1)}
	if hooked {
		b.startNano = nano()
	}
	return b
}

// reading returns what a client's monotonic clock shows at a time of the bubble.
func (b *bubble) reading(t time.Time) time.Duration { return t.Sub(b.start) }

// now returns the world's time, as the bubble has it.
func (b *bubble) now() clock.Instant { return clock.Instant(time.Since(b.start)) }

func (b *bubble) settle(host *sim.Host, config locks.Config) *Client {
	config.Fence = nil // the workload draws the token: a goroutine must not touch the world
	c := &Client{Config: config, bubble: b, host: host, name: host.Name, epoch: host.Crashes()}
	c.ctx, c.leave = context.WithCancel(context.Background())
	for i := range config.Servers {
		c.Nodes = append(c.Nodes, fmt.Sprintf("10.0.0.%d:%d", i+1, noPort))
	}
	c.opened = make([]int, len(c.Nodes))
	c.labels, c.clock = pprof.WithLabels(context.Background(), pprof.Labels("client", c.name)), host.Clock().Clone()
	b.clients = append(b.clients, c)
	return c
}

// noPort is the port of all nodes. No network has it, so a dial past Client.Dial fails immediately and reaches no host.
const noPort = 66379

func (b *bubble) act(a action) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		return
	}
	b.actions = append(b.actions, a)
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// acted reports whether a guest has done anything since.
func (b *bubble) acted() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.actions) > 0
}

// Wait lets the guests' time pass until next, or until one of them acts.
func (b *bubble) Wait(next clock.Instant) (clock.Instant, bool) {
	b.alive.Add(1)
	b.readClocks()
	b.endCrashed()
	if b.handed {
		b.handed = false
		synctest.Wait()
	}
	if b.acted() {
		return b.now(), true
	}
	b.sleep(next.Sub(b.now()))
	return b.now(), b.acted()
}

// sleep lets this much of the guests' time pass, or less if one of them acts. In between it checks, at growing
// intervals, that they rest at all: a guest that waits in steps of a microsecond would take hours for a minute.
func (b *bubble) sleep(left time.Duration) {
	before := 0
	for nap := time.Millisecond; left > 0; nap *= 2 {
		if before == 0 && left > nap {
			before = turns()
		}
		nap = min(nap, left)
		b.timer.Reset(nap)
		select {
		case <-b.timer.C:
			left -= nap
		case <-b.wake:
			left = 0
		}
		synctest.Wait()
		if left > 0 && turns()-before > MostTurns {
			b.fail(errBusy, stacks())
			b.clients[0].host.World().Abandon()
			return
		}
	}
}

// Act does what the guests have done since, in the order of connections.
func (b *bubble) Act() {
	b.mu.Lock()
	actions := b.actions
	b.actions = nil
	select {
	case <-b.wake:
	default:
	}
	b.mu.Unlock()
	slices.SortStableFunc(actions, func(x, y action) int {
		return cmp.Or(cmp.Compare(x.client.host.ID, y.client.host.ID), cmp.Compare(x.node, y.node), cmp.Compare(x.conn, y.conn),
			cmp.Compare(x.pos, y.pos))
	})
	for _, a := range actions {
		if a.client.lives() {
			a.do()
		}
	}
}

// lives reports whether the host has not crashed since the guest settled there.
func (c *Client) lives() bool { return c.epoch == c.host.Crashes() }

// endCrashed ends the guests whose hosts have crashed.
func (b *bubble) endCrashed() {
	for _, c := range b.clients {
		if !c.ended && !c.lives() {
			b.noteHangs(c)
			c.end(net.ErrClosed)
			b.handed = true
		}
	}
}

// end ends a guest: its connections, its context, and what its library has started.
func (c *Client) end(why error) {
	c.bubble.mu.Lock()
	c.ended = true
	idle := c.calling == 0
	c.bubble.mu.Unlock()
	for _, n := range c.conns {
		n.fail(why)
	}
	c.leave()
	if idle {
		c.closeLock()
	}
}

// returned notes that a call has returned. The lock of a client that has ended is closed after its last call: Close may
// wait for a mutex that the call holds, and in a bubble no time passes while a goroutine waits for a mutex.
func (c *Client) returned() {
	c.bubble.mu.Lock()
	c.calling--
	last := c.ended && c.calling == 0
	c.bubble.mu.Unlock()
	if last {
		c.closeLock()
	}
}

func (c *Client) closeLock() {
	c.bubble.mu.Lock()
	defer c.bubble.mu.Unlock()
	if c.lock != nil {
		go c.labelled(c.lock.Close)
	}
}

// close ends the run for all guests, and waits a while for the calls that they have begun.
func (b *bubble) close() {
	b.mu.Lock()
	b.over = true
	b.mu.Unlock()
	for _, c := range b.clients {
		if !c.ended {
			c.end(net.ErrClosed)
		}
	}
	b.timer.Stop()
	synctest.Wait()
	owners.Clear()
}

// A failure says what a guest did wrong, and where: with its stacks.
type failure struct{ what, stacks string }

func (b *bubble) fail(what, stacks string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failure = cmp.Or(b.failure, failure{what, stacks})
}

func (b *bubble) failed() failure {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failure
}

// busy reports whether a call of a guest whose host is on has not returned.
func (b *bubble) busy() bool {
	return slices.ContainsFunc(b.clients, func(c *Client) bool { return len(c.away) > 0 && !c.ended })
}

// A hang is a call that had not returned when its client's host went off.
type hang struct {
	client, what string
	since, until clock.Instant
	most         time.Duration // that it may take
	stacks       string
}

// mostTTLs is how many TTLs of the lock a call may take. A call that is under way at the end of a run, and was for
// longer, hangs. For an acquire only time without a holder counts: everyone waits rightly behind a holder.
const mostTTLs = 10

// noteHangs notes which calls of a client that goes off took long. Only the end of the run makes hangs of them.
func (b *bubble) noteHangs(c *Client) {
	most := mostTTLs * c.Config.TTL
	for _, u := range c.away {
		if now := b.now(); now.Sub(u.since) > most {
			b.hangs = append(b.hangs, hang{c.name, u.what, u.since, now, most, stacks()})
		}
	}
}

// hung describes the calls that hung at the end of the run, with the stacks of that moment.
func (b *bubble) hung(res *scenarios.Result) (all []string, stacks string) {
	slices.SortStableFunc(b.hangs, func(x, y hang) int { return cmp.Compare(x.client, y.client) })
	for _, h := range b.hangs {
		if h.until < res.Evidence.End || h.what == acquiring && unheld(res, h.since) <= h.most {
			continue
		}
		all = append(all, fmt.Sprintf("%s's %s hangs: it began at %v, and had not returned at %v, when the run ended",
			h.client, h.what, h.since, h.until))
		stacks = h.stacks
	}
	return all, stacks
}

// unheld returns for how long no client held the lock from an instant to the end of the run.
func unheld(res *scenarios.Result, since clock.Instant) (d time.Duration) {
	e, at := res.Evidence, since
	for i, h := range e.Holds {
		valid := h.Valid
		for _, n := range e.Renewals {
			if n.Hold == i && n.OK {
				valid = max(valid, n.Valid)
			}
		}
		d += max(0, h.From.Sub(at))
		at = max(at, min(h.Gone, valid))
	}
	return d + max(0, e.End.Sub(at))
}

// unseen reports whether guests were asked for a lock, but never dialed in the world.
func (b *bubble) unseen() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	made := func(c *Client) bool { return c.lock != nil }
	dialed := func(c *Client) bool { return len(c.conns) > 0 }
	return slices.ContainsFunc(b.clients, made) && !slices.ContainsFunc(b.clients, dialed)
}
