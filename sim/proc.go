package sim

import (
	"iter"
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
	steps   Chance  // what its steps cost
	draws   Chance  // what it draws itself
	conns   []*conn // by server; nil where it has none

	parent   *Proc   // who waits for it in Together
	children []*Proc // those it has started there, kept for the next time
	undone   int     // children that still run

	dead     bool // its host crashed, or the world ended
	finished bool

	// What it waits for. At most one of these is in force.
	stepping bool // the end of a step, or a child
	waiting  bool // a deadline on its monotonic clock, and perhaps a reply before that
	deadline clock.Reading
	timer    clock.Instant // when the earliest timer in the queue rings; Forever without one
	call     *call
	reply    any
	err      error
}

// killed is what unwinds the stack of a proc whose host is gone.
type killed struct{}

// Go starts a proc on the host. Its name must be unique in the host, for its chance hangs on it.
func (h *Host) Go(name string, body func(*Proc)) *Proc {
	p := &Proc{}
	p.begin(h, name, body)
	return p
}

// begin makes p new and plans its first step.
func (p *Proc) begin(h *Host, name string, body func(*Proc)) {
	w := h.world
	p.name, p.host, p.world = name, h, w
	path := "proc/" + h.Name + "/" + name
	p.steps, p.draws = w.chance(path), w.chance(path+"/draws")
	p.start(body)
}

// start plans the proc's first step.
func (p *Proc) start(body func(*Proc)) {
	p.finished, p.timer = false, clock.Forever
	p.host.procs = append(p.host.procs, p)
	p.routine = p.world.coroutine()
	p.routine.proc, p.routine.body = p, body
	p.wakeAt(p.world.now)
}

// A coroutine is a stack on which procs run, one after the other.
type coroutine struct {
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	proc  *Proc
	body  func(*Proc)
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

// run carries one proc to its end. A proc that was killed ends in a panic, which stops here.
func (c *coroutine) run() {
	defer func() {
		switch r := recover(); r.(type) {
		case nil, killed:
			c.proc.finish()
		default:
			panic(r)
		}
	}()
	if !c.proc.dead {
		c.body(c.proc)
	}
}

// finish retires the proc, and gives its stack back.
func (p *Proc) finish() {
	w := p.world
	p.finished = true
	w.coroutines = append(w.coroutines, p.routine)
	p.routine.proc, p.routine.body, p.routine = nil, nil, nil
	p.host.procs = slices.DeleteFunc(p.host.procs, func(o *Proc) bool { return o == p })
	if !p.dead { // a dead proc's messages may still be under way
		for _, c := range p.conns {
			if c != nil {
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

// enter switches to the proc's stack, until it blocks or ends.
func (w *World) enter(p *Proc) {
	w.running = p
	p.routine.next()
	w.running = nil
}

// reclaim ends every proc that has not finished. Whatever its deferred functions ask of the world is refused.
func (w *World) reclaim() {
	for _, h := range w.hosts {
		for len(h.procs) > 0 {
			p := h.procs[len(h.procs)-1]
			p.dead = true
			w.enter(p)
		}
	}
}

// self is the proc whose code runs now. In a function given to Together that is a child, though the code speaks to its
// parent.
func (p *Proc) self() *Proc {
	q := p.world.running
	if q == nil || q.host != p.host {
		panic("sim: proc " + p.host.Name + "/" + p.name + " used by code that does not run in it")
	}
	if q.dead {
		panic(killed{})
	}
	return q
}

// block waits until an event makes p go on. Meanwhile the world's events happen on p's own stack; only when another
// proc must run does p give way to it.
func (p *Proc) block() {
	w := p.world
	if q := w.advance(); q != p {
		w.ready = q
		p.routine.yield(struct{}{})
	}
	w.running = p
	if p.dead {
		panic(killed{})
	}
}

// wakeAt plans the end of a step.
func (p *Proc) wakeAt(at clock.Instant) {
	p.stepping = true
	p.world.queue.push(at, event{kind: doWake, proc: p})
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
	p.stepping = false
	return p
}

// step lets a little true time pass. When nothing else is due before its end, p simply goes on.
func (p *Proc) step() *Proc {
	p = p.self()
	w := p.world
	w.steps++
	at := w.now.Add(p.steps.In(w.config.Step))
	if at < w.queue.next() && at <= w.horizon && p.host.pauses == 0 && w.steps < w.config.Steps {
		w.now = at
		return p
	}
	p.wakeAt(at)
	p.block()
	return p
}

// waits tells whether a deadline of the proc is in force.
func (p *Proc) waits() bool { return p.waiting && !p.dead }

// wait blocks until the proc's monotonic clock shows the deadline, or until a reply releases it.
func (p *Proc) wait(deadline clock.Reading) {
	p.waiting, p.deadline = true, deadline
	p.arm()
	p.block()
}

// arm sees to it that a timer rings no later than the deadline. One that rings too early is set again then: most calls
// end long before their timeout, and so need no timer of their own.
func (p *Proc) arm() {
	if at := p.host.clock.WhenMono(p.deadline, p.world.now); at < p.timer {
		p.timer = at
		p.world.queue.push(at, event{kind: doTimer, proc: p})
	}
}

// ring is the moment of a timer. The proc goes on if its deadline has come.
func (p *Proc) ring() *Proc {
	h := p.host
	if h.pauses > 0 {
		h.stalled = append(h.stalled, event{kind: doTimer, proc: p})
		return nil
	}
	if h.Mono() < p.deadline {
		p.arm()
		return nil
	}
	return p.release()
}

// release ends a wait.
func (p *Proc) release() *Proc {
	p.waiting = false
	return p
}

// Host is the host that the proc runs on.
func (p *Proc) Host() *Host { return p.host }

// Wall is what the host's wall clock shows, since the Unix epoch.
func (p *Proc) Wall() time.Duration {
	p.step()
	return time.Duration(p.host.Wall())
}

// Mono is what the host's monotonic clock shows, since the run began.
func (p *Proc) Mono() time.Duration {
	p.step()
	return time.Duration(p.host.Mono())
}

// Sleep waits for a time on the host's monotonic clock.
func (p *Proc) Sleep(d time.Duration) {
	q := p.step()
	if d > 0 {
		q.wait(q.host.Mono().Add(d))
	}
}

// Draw draws a number from 0 to n-1, from the proc's own chance.
func (p *Proc) Draw(n uint64) uint64 { return p.step().draws.Below(n) }

// Token draws a value that no other draw gives, for all that matters: 16 hexadecimal digits.
func (p *Proc) Token() string {
	const digits = "0123456789abcdef"
	bits := p.step().draws.Bits()
	var b [16]byte
	for i := range b {
		b[i] = digits[bits>>(60-4*i)&15]
	}
	return string(b[:])
}

// Mark says that the proc passes a named point. A fault may wait for it there.
func (p *Proc) Mark(name string) {
	q := p.self()
	w := q.world
	w.note(Marked, q.host, nil, 0, name)
	if len(w.watches) > 0 {
		w.passed(q.host, name)
	}
	p.step()
}

// Call sends a request to a server, given by its host's ID, and waits for the reply until the timeout has passed on the
// host's monotonic clock. The error is then ErrTimeout, and the request may have been carried out, or may yet be.
func (p *Proc) Call(server int, request any, timeout time.Duration) (any, error) {
	q := p.step()
	w := q.world
	c := w.newCall()
	c.proc, c.from, c.to, c.request = q, q.host, w.hosts[server], request
	c.conn, c.epoch = p.conn(server), c.to.epoch
	q.call, q.reply, q.err = c, nil, ErrTimeout
	id := c.id
	w.request(c)
	q.wait(q.host.Mono().Add(timeout))
	if q.err == ErrTimeout {
		q.abandon(p, server, id)
	}
	return q.reply, q.err
}

// abandon gives up on the call under way: a late reply finds nobody, and the next call opens a new connection.
func (p *Proc) abandon(owner *Proc, server int, id uint32) {
	if p.call != nil {
		p.call.proc, p.call = nil, nil
	}
	owner.conns[server] = nil
	p.world.note(TimedOut, p.host, p.world.hosts[server], id, nil)
}

// conn gives the proc's connection to a server.
func (p *Proc) conn(server int) *conn {
	if len(p.conns) == 0 {
		p.conns = make([]*conn, len(p.world.hosts))
	}
	if p.conns[server] == nil {
		p.conns[server] = p.world.newConn()
	}
	return p.conns[server]
}

// Together does n things side by side, each in a proc of its own, and returns when all are done. In do, use p as usual.
func (p *Proc) Together(n int, do func(i int)) {
	q := p.step()
	for i := len(q.children); i < n; i++ {
		c := &Proc{}
		c.name, c.host, c.world, c.parent = q.name+"."+strconv.Itoa(i), q.host, q.world, q
		path := "proc/" + q.host.Name + "/" + c.name
		c.steps, c.draws = q.world.chance(path), q.world.chance(path+"/draws")
		q.children = append(q.children, c)
	}
	if q.undone = n; n == 0 {
		return
	}
	for i := range n {
		q.children[i].start(func(*Proc) { do(i) })
	}
	q.stepping = true
	q.block()
}
