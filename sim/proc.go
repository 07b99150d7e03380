package sim

import (
	"iter"
	"math"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A Proc is one thread of control. It runs alone, in a straight line, until it blocks.
type Proc struct {
	name    string
	host    *Host
	world   *World
	routine *coroutine
	seen    fold    // everything the world has answered it. With the code it runs, that is what it knows
	steps   Chance  // what its steps cost
	draws   Chance  // what it draws itself; seeded at the first use
	wakes   Chance  // what it finds first when it wakes late; seeded at the first use
	conns   []*conn // by server; nil where it has none

	parent   *Proc       // waits for it in Together
	index    int         // its place among the parent's children
	children []*Proc     // procs that it has started in Together, kept for the next time
	do       func(i int) // what they do
	undone   int         // how many of them still run

	background bool // the run does not wait for it
	dead       bool // its host crashed, or the world ended
	blind      bool // it got an answer without a known digest
	parked     bool // it waits for a guest

	hasty    bool // its timer goes before the messages that wait
	waiting  bool // for a deadline on its monotonic clock, and perhaps for a reply before that
	deadline clock.Reading
	timer    clock.Instant // when its timer in the queue rings, or Forever; its other timers there are ignored
	call     *call
	reply    any
	err      error
}

// killed unwinds the stack of a proc whose host is gone.
type killed struct{}

// Go starts a proc on the host. Its name must be unique among the procs of the host while it is on, because it seeds
// the proc's random streams. On a host that is off the proc never runs.
func (h *Host) Go(name string, body func(*Proc)) *Proc { return h.launch(name, body, false) }

// Background starts a proc like Go, but the run does not wait for it. A watchdog is such a proc.
func (h *Host) Background(name string, body func(*Proc)) *Proc { return h.launch(name, body, true) }

func (h *Host) launch(name string, body func(*Proc), background bool) *Proc {
	p := h.proc(name, nil)
	if p.dead, p.background = !h.Up(), background; !p.dead {
		p.start(body)
	}
	return p
}

// proc makes a proc that has not started.
func (h *Host) proc(name string, parent *Proc) *Proc {
	path := "proc/" + h.Name + "/" + name
	if h.epoch > 0 { // after a restart the host does not repeat what it did before
		path += "/" + strconv.Itoa(h.epoch)
	}
	p := reused(&h.world.spareProcs)
	*p = Proc{
		name: name, host: h, world: h.world, parent: parent, timer: clock.Forever,
		background: parent != nil && parent.background, steps: h.world.chance(path),
		conns: p.conns[:0], children: p.children[:0],
	}
	h.world.procs = append(h.world.procs, p)
	return p
}

// count notes that a proc has started, or ended.
func (w *World) count(p *Proc, delta int) {
	if p.background {
		w.background += delta
	} else {
		w.live += delta
	}
}

// start plans the proc's first step.
func (p *Proc) start(body func(*Proc)) {
	p.host.procs = append(p.host.procs, p)
	p.world.count(p, 1)
	p.routine = p.world.coroutine()
	p.routine.proc, p.routine.body = p, body
	p.wakeAt(p.world.now)
}

// A coroutine is a stack on which procs run, one after another.
type coroutine struct {
	next    func() (struct{}, bool)
	stop    func()
	yield   func(struct{}) bool
	entered bool // it runs, or waits for a stack that it has entered
	proc    *Proc
	body    func(*Proc)
}

// coroutine takes a stack from the spare ones, or makes one.
func (w *World) coroutine() *coroutine {
	if n := len(w.coroutines); n > 0 {
		c := w.coroutines[n-1]
		w.coroutines = w.coroutines[:n-1]
		return c
	}
	c := &coroutine{}
	c.next, c.stop = iter.Pull(func(yield func(struct{}) bool) {
		c.yield = yield
		for {
			c.run()
			if !yield(struct{}{}) {
				return
			}
		}
	})
	return c
}

// run carries one proc to its end. A killed proc ends in a panic, which stops here, like any panic of its deferred
// functions. A real panic continues in the caller of Run.
func (c *coroutine) run() {
	defer func() {
		if r := recover(); r != nil && !c.proc.dead {
			c.proc.world.fault, c.proc.world.stack = r, debug.Stack()
		}
		c.proc.finish()
	}()
	if !c.proc.dead {
		c.body(c.proc)
	}
}

// finish ends the proc, and keeps its stack for others.
func (p *Proc) finish() {
	w := p.world
	w.ready = nil
	w.coroutines = append(w.coroutines, p.routine)
	p.routine.proc, p.routine.body, p.routine = nil, nil, nil
	p.host.procs = slices.DeleteFunc(p.host.procs, func(o *Proc) bool { return o == p })
	if !p.dead { // a dead proc's messages may still be under way
		w.count(p, -1)
		for _, c := range p.conns {
			if c != nil {
				c.left = true
				w.spareConns = append(w.spareConns, c)
			}
		}
	}
	if q := p.parent; q != nil && !p.dead {
		if q.undone--; q.undone == 0 {
			q.wakeAt(w.now)
		}
	}
}

// drive carries out events until p must continue. The caller of Run, which is no proc, passes nil and drives to the
// end. A proc enters the next one's stack straight from its own: half the switches of a detour through the caller of
// Run. So waiting procs form a chain, and for a proc further down in it the ones above must yield.
func (w *World) drive(p *Proc) {
	for q := w.advance(); q != p; {
		if q == nil || q.routine.entered {
			w.ready = q
			p.routine.yield(struct{}{})
			return // p has been entered again
		}
		w.enter(q)
		if q = w.ready; q == nil { // it has ended
			q = w.advance()
		}
	}
}

// enter switches to the proc's stack, until it yields or ends.
func (w *World) enter(p *Proc) {
	c := p.routine
	w.running, c.entered = p, true
	c.next()
	w.running, c.entered = nil, false
}

// reclaim ends every proc that has not finished. The world refuses everything that their deferred functions ask.
func (w *World) reclaim() {
	for _, h := range w.hosts {
		for len(h.procs) > 0 {
			p := h.procs[len(h.procs)-1]
			p.dead = true
			w.enter(p)
		}
	}
}

// self is the proc whose code runs now. In a function given to Together that is a child, though the code uses its
// parent.
func (p *Proc) self() *Proc {
	q := p.world.running
	for r := q; r != p; r = r.parent {
		if r == nil {
			panic("sim: proc " + p.host.Name + "/" + p.name + " used by code that does not run in it")
		}
	}
	if q.dead {
		panic(killed{})
	}
	return q
}

// block waits until an event makes p continue. Meanwhile the world's events happen on p's own stack. p yields only when
// another proc must run.
func (p *Proc) block() {
	w := p.world
	w.running = nil // p does not cause what happens meanwhile, though it happens on its stack
	w.drive(p)
	w.running = p
	if p.dead {
		panic(killed{})
	}
}

// wakeAt plans the end of a step.
func (p *Proc) wakeAt(t clock.Instant) {
	p.world.queue.push(t, event{kind: doWake, proc: p})
}

// wake ends a step, unless the proc's host is paused.
func (p *Proc) wake() *Proc {
	if p.dead {
		return nil
	}
	if h := p.host; h.pauses > 0 {
		h.stalled = append(h.stalled, event{kind: doWake, proc: p})
		return nil
	}
	return p
}

// step lets a little true time pass. If nothing else is due before its end, p simply continues.
func (p *Proc) step() *Proc {
	p = p.self()
	w := p.world
	w.steps++
	p.seen.add(0) // it is one step further, even if it learns nothing
	at := w.now.Add(p.steps.In(w.config.Step))
	if at < w.queue.next() && at <= w.horizon && p.host.pauses == 0 && w.steps < w.config.Steps &&
		w.config.Outside == nil {
		w.now = at
		return p
	}
	p.wakeAt(at)
	p.block()
	return p
}

// waits reports whether a deadline of the proc is in force.
func (p *Proc) waits() bool { return p.waiting && !p.dead }

// wait blocks until d has passed on the proc's monotonic clock, or until a reply releases it.
func (p *Proc) wait(d time.Duration) {
	now := p.host.Mono()
	p.waiting, p.deadline = true, now.Add(min(d, math.MaxInt64-time.Duration(now)))
	p.arm()
	p.block()
}

// arm sets a timer that rings no later than the deadline. A timer that rings too early is then set again. Most calls
// end long before their timeout, so they share one timer. On a grid each call has its own: there several ring at one
// instant, and their order must not depend on earlier calls.
func (p *Proc) arm() {
	if p.world.config.Tick > 0 {
		p.timer = clock.Forever
	}
	if at := p.host.clock.WhenMono(p.deadline, p.world.now); at < p.timer {
		p.ringAt(at)
	}
}

// ringAt sets the proc's timer. An earlier one in the queue is ignored from now on.
func (p *Proc) ringAt(t clock.Instant) {
	p.timer = t
	p.world.queue.push(t, event{kind: doTimer, proc: p})
}

// expects removes the timer that rings now from the proc, and reports whether the proc waits for it.
func (p *Proc) expects(t clock.Instant) bool {
	if p.timer != t {
		return false
	}
	p.timer = clock.Forever
	return p.waits()
}

// ring is called when a timer rings. The proc continues if its deadline has come and no message waits in the host's
// buffer.
func (p *Proc) ring() *Proc {
	h := p.host
	switch {
	case h.pauses > 0:
		h.stalled = append(h.stalled, event{kind: doTimer, proc: p})
	case h.backlog > 0 && !p.hasty:
		p.ringAt(h.world.now)
	case h.Mono() < p.deadline:
		p.arm()
	default:
		return p.release()
	}
	return nil
}

// release ends a wait.
func (p *Proc) release() *Proc {
	p.waiting, p.hasty = false, false
	return p
}

// Host is the host that the proc runs on.
func (p *Proc) Host() *Host { return p.host }

// Wall is what the host's wall clock shows, since the Unix epoch.
func (p *Proc) Wall() time.Duration { return p.read((*Host).Wall) }

// Mono is what the host's monotonic clock shows, since the run began.
func (p *Proc) Mono() time.Duration { return p.read((*Host).Mono) }

// Awake is what the host's awake clock shows: Mono without what Mono counted while the host was suspended.
func (p *Proc) Awake() time.Duration { return p.read((*Host).Awake) }

// read takes a step, and then reads a clock of the host.
func (p *Proc) read(shows func(*Host) clock.Reading) time.Duration {
	q := p.step()
	return q.saw(shows(p.host))
}

// Sleep waits for a time on the host's monotonic clock.
func (p *Proc) Sleep(d time.Duration) {
	q := p.step()
	q.seen.add(uint64(d))
	if d > 0 {
		q.wait(d)
	}
}

// Draw draws a number from 0 to n-1, from the proc's own chance.
func (p *Proc) Draw(n uint64) uint64 {
	q := p.step()
	drawn := q.drawing().Below(n)
	q.drew(drawn)
	return drawn
}

// drawing returns the proc's own chance.
func (p *Proc) drawing() *Chance {
	if p.draws.name == "" {
		p.draws = p.world.chance(p.steps.name + "/draws")
	}
	return &p.draws
}

// Token draws 16 hexadecimal digits. Two equal draws are so unlikely that they don't matter.
func (p *Proc) Token() string {
	const digits = "0123456789abcdef"
	q := p.step()
	bits := q.drawing().bits()
	q.drew(bits)
	var b [16]byte
	for i := range b {
		b[i] = digits[bits>>(60-4*i)&15]
	}
	return string(b[:])
}

// Mark notes that the proc passes a named point. A fault may wait for it.
func (p *Proc) Mark(name string) {
	q := p.self()
	w := q.world
	w.note(Marked, q.host, nil, 0, w.boxed(name))
	q.passed(name)
	if len(w.watches) > 0 {
		w.passed(q.host, name)
	}
	p.step()
}

// Call sends a request to a server, given by its host's ID, and waits for the reply until the timeout has passed on the
// host's monotonic clock. The error is then ErrTimeout, and the request may have been carried out, or may be later.
func (p *Proc) Call(server int, request any, timeout time.Duration) (any, error) {
	q := p.step()
	w := q.world
	to := w.hosts[server]
	if to.service == nil {
		panic("sim: " + q.host.Name + " calls " + to.Name + ", which serves nothing")
	}
	c, conn := w.newCall(), p.conn(server)
	c.proc, c.from, c.to, c.request, c.conn, c.epoch = q, q.host, to, request, conn, to.epoch
	q.call, q.reply, q.err = c, nil, ErrTimeout
	id := c.id
	w.request(c)
	q.wait(timeout)
	if q.err == ErrTimeout { //nolint:errorlint // set above, and never wrapped
		q.abandon(to, id)
		p.leave(server, conn)
	}
	q.heard()
	return q.reply, q.err
}

// abandon abandons the current call: a late reply is dropped.
func (p *Proc) abandon(to *Host, id uint32) {
	if p.call != nil {
		p.call.proc, p.call = nil, nil
	}
	p.world.note(TimedOut, p.host, to, id, nil)
}

// leave abandons a connection, so that the next call opens a new one, unless another child has done so already.
func (p *Proc) leave(server int, c *conn) {
	c.left = true
	if p.conns[server] == c {
		p.conns[server] = nil
	}
}

// conn returns the proc's connection to a server.
func (p *Proc) conn(server int) *conn {
	if len(p.conns) == 0 {
		n := len(p.world.hosts)
		p.conns = slices.Grow(p.conns, n)[:n]
		clear(p.conns)
	}
	if p.conns[server] == nil {
		p.conns[server] = p.world.newConn(p.host)
	}
	return p.conns[server]
}

// Together does n things in parallel, each in a separate proc, and returns when all are done. In do, use p as usual.
func (p *Proc) Together(n int, do func(i int)) {
	q := p.step()
	for i := len(q.children); i < n; i++ {
		c := q.host.proc(q.name+"."+strconv.Itoa(i), q)
		c.index = i
		q.children = append(q.children, c)
	}
	if n <= 0 {
		return
	}
	q.do, q.undone = do, n
	for _, c := range q.children[:n] {
		c.start(doPart)
	}
	q.block()
}

// doPart runs the part of one child. It is no closure, so that Together allocates nothing once its children exist.
func doPart(c *Proc) { c.parent.do(c.index) }
