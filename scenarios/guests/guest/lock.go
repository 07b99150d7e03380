package guest

import (
	"context"
	"fmt"
	"math"
	"net"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

// A Lock is one client's lock, as a library offers it. An adapter to a library is one.
type Lock interface {
	// Acquire makes one attempt, and cleans up after itself when it fails. It returns the value that it has set on the
	// servers, and when the lock ends at the latest, by the library's word.
	Acquire(ctx context.Context) (value string, until time.Time, err error)
	// Release releases the latest hold.
	Release(ctx context.Context) error
	// Close ends everything that the library has started.
	Close()
}

// An Extender is a Lock whose hold can be extended. Extend returns when it ends now.
type Extender interface {
	Lock
	Extend(ctx context.Context) (until time.Time, err error)
}

// A Constructor makes a client's lock. It is called in a goroutine of the guest's, and may dial.
type Constructor func(c *Client) (Lock, error)

// A Client is a guest's view of its client.
type Client struct {
	Config locks.Config // the lock's name, TTL and rules
	Nodes  []string     // the addresses of the servers: numbers, so that no name is looked up outside of the process

	bubble  *bubble
	host    *sim.Host
	name    string
	epoch   int // of the host
	ctx     context.Context
	leave   context.CancelFunc
	conns   []*conn
	opened  []int // connections so far, by node
	calls   int   // calls of the workload so far
	away    []underway
	lock    Lock
	passage *passage // of the latest call that marks are around
	ended   bool
	labels  context.Context // of its goroutines, by which clocks.go knows them
	clockMu sync.Mutex
	clock   clock.Clock                                                          // its host's, when the world was last at rest
	calling int                                                                  // calls whose goroutine has not ended
	dialer  func(ctx context.Context, network, address string) (net.Conn, error) // outside of a world
}

// Name returns the name of the client's host.
func (c *Client) Name() string { return c.name }

// NewClient returns a client outside of any world, to try an adapter on servers that are not simulated.
func NewClient(
	c locks.Config, nodes []string, dial func(ctx context.Context, network, address string) (net.Conn, error),
) *Client {
	return &Client{Config: c, Nodes: nodes, dialer: dial}
}

// Dial connects to a node by its address, as net.Dialer does. A library must dial with it.
func (c *Client) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	if c.dialer != nil {
		return c.dialer(ctx, network, address)
	}
	node := slices.Index(c.Nodes, address)
	if node < 0 {
		return nil, &net.AddrError{Err: "no node has this address; there are " + strings.Join(c.Nodes, ", "), Addr: address}
	}
	return c.dial(ctx, node)
}

// A guest is a locks.Lock for the workload. Each call is a call of the library, in a goroutine of the bubble. The
// client's proc waits for it.
type guest struct {
	bubble *bubble
	config locks.Config
	make   Constructor
	whole  bool          // the servers are one service
	look   time.Duration // how often a holder looks while it works
	client *Client
	moved  func(c locks.Client, until time.Duration) // called when a hold is lost
	lost   bool                                      // the library has said so of the latest hold
}

// lock returns the constructor of a run's locks.
func (b *bubble) lock(l guestLock) func(locks.Config) locks.Lock {
	look := time.Duration(math.MaxInt64)
	if l.watches {
		look = looks
	}
	return func(c locks.Config) locks.Lock {
		return &guest{bubble: b, config: c, make: l.make, whole: l.service, look: look}
	}
}

// Acquire makes one attempt. A library that can't be made has lost; so has one whose call fails.
func (g *guest) Acquire(c locks.Client) (grant locks.Grant) {
	p := g.proc(c)
	g.lost = false
	grant.Outcome = locks.NoQuorum
	g.client.begin(attemptMarks)
	_ = g.call(p, acquiring, func(ctx context.Context) error {
		if g.client.lock == nil {
			if err := g.client.equip(g.make); err != nil {
				return err
			}
		}
		token, until, err := g.client.lock.Acquire(ctx)
		if err != nil {
			return err
		}
		grant = locks.Grant{Token: token, Votes: g.need(), Clean: true, Deadline: g.bubble.reading(until)}
		if f, ok := g.client.lock.(Fencer); ok {
			grant.Fence = f.Fence()
		}
		if n, ok := g.client.lock.(Notifier); ok {
			go g.awaitLoss(ctx, n.Lost(), g.client.calls)
		}
		return nil
	})
	if marks := g.client.passage; !grant.Won() && marks.granted >= g.need() {
		grant.Outcome = locks.TooLate // it does not say why it refuses what it was granted
	}
	return grant
}

// need returns how many servers must grant the lock: a service does so once.
func (g *guest) need() int {
	if g.whole {
		return 1
	}
	return g.config.Need()
}

// acquiring is the name of an acquire, the only call that others may rightly keep waiting.
const acquiring = "acquire"

// equip makes the client's lock. If the client has ended meanwhile, its lock is closed immediately.
func (c *Client) equip(do Constructor) error {
	lock, err := do(c)
	if err != nil {
		return err
	}
	c.bubble.mu.Lock()
	defer c.bubble.mu.Unlock()
	if c.ended {
		go c.labelled(lock.Close)
		return net.ErrClosed
	}
	c.lock = lock
	return nil
}

// Release releases the lock, and reports whether every server acknowledged. The connections show that, because a
// library may need fewer servers. With a single service the library says it.
func (g *guest) Release(c locks.Client, _ locks.Grant) bool {
	p := g.proc(c)
	before, errors := g.client.asked(), g.client.errors()
	err := g.call(p, "release", func(ctx context.Context) error { return g.client.lock.Release(ctx) })
	if g.whole {
		return err == nil
	}
	return g.client.answered(before) && g.client.errors() == errors
}

// connections returns the connections that the client has opened so far.
func (c *Client) connections() []*conn {
	c.bubble.mu.Lock()
	defer c.bubble.mu.Unlock()
	return slices.Clone(c.conns)
}

// asked returns how many requests each connection has sent.
func (c *Client) asked() (all []int) {
	for _, n := range c.connections() {
		asked, _ := n.counts()
		all = append(all, asked)
	}
	return all
}

// errors returns how many requests were answered with an error in place of what they asked for.
func (c *Client) errors() (all int) {
	for _, n := range c.connections() {
		n.mu.Lock()
		all += n.errors
		n.mu.Unlock()
	}
	return all
}

// answered reports whether each node was sent something since, and has answered all of it.
func (c *Client) answered(before []int) bool {
	reached := make([]bool, len(c.Nodes))
	for i, n := range c.connections() {
		asked, answered := n.counts()
		if i < len(before) && asked == before[i] {
			continue
		}
		if answered < asked {
			return false
		}
		reached[n.node] = reached[n.node] || asked > 0
	}
	return !slices.Contains(reached, false)
}

// Extend extends the hold, if the library can. This is known only after the library was made.
func (g *guest) Extend(c locks.Client, grant *locks.Grant) bool {
	e, ok := g.client.lock.(Extender)
	if !ok {
		return false
	}
	p := g.proc(c)
	g.client.begin(extensionMarks)
	return g.call(p, "extension", func(ctx context.Context) error {
		until, err := e.Extend(ctx)
		if err == nil {
			grant.Deadline = g.bubble.reading(until)
		}
		return err
	}) == nil
}

// proc returns the proc behind a client, and settles the guest on its host the first time.
func (g *guest) proc(c locks.Client) *sim.Proc {
	p, ok := c.(*sim.Proc)
	if !ok {
		panic("guest: " + fmt.Sprintf("%T", c) + " is no proc of the world")
	}
	if g.client == nil {
		g.client = g.bubble.settle(p.Host(), g.config)
	}
	return p
}

// call does something in a goroutine of the guest, and waits until it is done. A panic there ends the run.
func (g *guest) call(p *sim.Proc, what string, do func(ctx context.Context) error) (err error) {
	c := g.client
	c.calls++
	nth, marks := c.calls, c.passage
	c.away = append(c.away, underway{nth, what, g.bubble.now()})
	work := func() {
		defer c.returned()
		defer g.bubble.act(action{client: c, node: len(c.Nodes), conn: nth, do: func() {
			if what != "release" {
				marks.end()
			}
			p.Unpark()
		}})
		defer func() {
			if r := recover(); r != nil {
				c.bubble.fail(errPanic, fmt.Sprintf("%v\n%s", r, debug.Stack()))
			}
		}()
		err = do(c.ctx)
	}
	p.Park(func() {
		c.bubble.mu.Lock()
		c.calling++
		c.bubble.mu.Unlock()
		go c.labelled(work)
		g.bubble.handed = true
	})
	c.away = slices.DeleteFunc(c.away, func(u underway) bool { return u.nth == nth })
	if c.bubble.failed() != (failure{}) {
		p.Abandon()
	}
	return err
}

// underway is a call of the workload that has not returned yet: the client's nth, and since when.
type underway struct {
	nth   int
	what  string
	since clock.Instant
}

// NoDeadline is the end of a hold of a Lock that names none, because it extends its holds by itself.
var NoDeadline = time.Unix(1<<40, 0)

// A Notifier is a Lock that reports the loss of a hold. Its holder checks before it writes, and in between only if
// [Kind.Watches] is set.
type Notifier interface {
	Lock
	// Lost returns a channel that is closed when the latest hold has ended, whether it was lost or released.
	Lost() <-chan struct{}
}

// awaitLoss waits until the library has lost a hold, and informs the workload. It runs in a goroutine of the guest.
func (g *guest) awaitLoss(ctx context.Context, lost <-chan struct{}, hold int) {
	select {
	case <-lost:
	case <-ctx.Done():
	}
	g.bubble.act(action{client: g.client, node: len(g.client.Nodes), conn: hold, pos: 1, do: func() { g.lose(hold) }})
}

// lose ends a hold that the library has lost, unless it was released meanwhile.
func (g *guest) lose(hold int) {
	if hold == g.client.calls && g.moved != nil {
		g.lost = true
		g.moved(nil, 0)
	}
}

// A Fencer is a Lock whose service numbers its holds: Fence returns the number of the latest, which later ones exceed.
type Fencer interface {
	Lock
	Fence() uint64
}

// looks is how often a working holder checks whether it has lost the lock, if [Kind.Watches] is set.
const looks = 50 * time.Millisecond

// Look returns how often the holder checks while it works.
func (g *guest) Look() time.Duration { return g.look }

// Keep returns immediately: a library extends its lock by itself.
func (g *guest) Keep(locks.Client) {}

// OnDeadline sets the function that is called when the library has lost a hold.
func (g *guest) OnDeadline(do func(c locks.Client, until time.Duration)) { g.moved = do }

// Left returns how long a grant is still valid: no longer, if the library has lost it.
func (g *guest) Left(c locks.Client, grant locks.Grant) time.Duration {
	switch {
	case g.lost:
		return 0
	case grant.Deadline == locks.NoDeadline:
		return locks.NoDeadline
	}
	return grant.Deadline - c.Mono()
}
