package scenarios

import (
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

// A client is one lock client. It records what it does and sees.
type client struct {
	id         int
	process    int // its name in the history: a new one after each outcome that stays unknown
	run        *Runner
	host       *sim.Host
	lock       locks.Lock
	work       *Workload
	fenceAsked clock.Instant // when it last asked for a fencing token
	fence      uint64        // which it was given then
	cycles     int           // how many it has begun
	busy       bool          // an operation of its process is open
	at         checker.Func  // which one
	written    int           // the index of the end of its latest write, while that waits for a commit; 0 for none
	holding    int           // its hold, as an index into the evidence; -1 for none
	pending    bool          // its latest request to storage was part of a transaction
}

// start starts the client, or starts it again, with a new lock.
func (c *client) start() {
	c.holding = -1
	c.lock = c.run.newLock(c.run.scenario.Lock.Rules, c.id, c.run.fence(c))
	if l, ok := c.lock.(locks.Sessioned); ok {
		l.OnDeadline(c.deadlineMoved)
	}
	c.host.Go("main", c.live)
	keepSession(c.host, c.lock)
}

func (r *Runner) newLock(rules locks.Rules, client int, fence func(locks.Client) (uint64, bool)) locks.Lock {
	r.config = locks.Config{Rules: rules, Key: LockKey, Servers: r.asked, Fence: fence}
	r.servers.Equip(&r.config, client)
	if own := r.scenario.Lock.New; own != nil {
		return own(r.config)
	}
	return r.scenario.Lock.Kind.registered().New(r.config)
}

// keepSession keeps a lock's session alive, if it has one: by a proc of its own, for as long as the host is on.
func keepSession(h *sim.Host, lock locks.Lock) {
	if l, ok := lock.(locks.Sessioned); ok {
		h.Background("session", func(p *sim.Proc) { l.Keep(p) })
	}
}

// deadlineMoved is called when the client's session is valid until another time, and with it what the client holds. A session
// that is lost ends the hold's validity there and then.
func (c *client) deadlineMoved(p locks.Client, until time.Duration) {
	if c.holding < 0 {
		return
	}
	if now := time.Duration(c.host.Mono()); until <= now {
		h := &c.run.holds[c.holding]
		h.released = min(h.released, c.run.world.Now())
		return
	}
	c.run.endRenewal(c.run.beginRenewal(c.holding), true, true, until)
}

// restart is called when the client's host is on again. The operation that was open when it crashed has an unknown outcome,
// so the client goes on under a new process number.
func (c *client) restart() {
	if c.run.inQuietPeriod {
		return
	}
	if c.busy {
		c.record(checker.Info, c.at, checker.Value{}, "its client crashed")
	}
	c.start()
}

// live is the client's proc: a fixed number of cycles. A cycle that a crash ended counts too.
func (c *client) live(p *sim.Proc) {
	if c.cycles == 0 {
		p.Sleep(c.work.Stagger * time.Duration(c.id))
	}
	for c.cycles < c.work.Cycles {
		if c.cycles > 0 {
			p.Sleep(c.draw(p, c.work.Think))
		}
		c.cycles++
		c.cycle(p)
	}
}

func (c *client) draw(p *sim.Proc, r sim.Range) time.Duration {
	return r.Min + time.Duration(p.Draw(uint64(r.Max-r.Min)+1))
}

// cycle acquires the lock, updates the resource and releases the lock. Meanwhile a proc of its own extends the lock, if it
// is to be extended.
func (c *client) cycle(p *sim.Proc) {
	grant, ok := c.acquire(p)
	if !ok {
		return
	}
	hold := c.run.recordHold(c, grant)
	c.holding = hold
	c.forget(p, &grant)
	renewal := c.renew(&grant, hold)
	p.Mark("acquired")
	if !c.update(p, &grant) {
		c.run.endHold(hold)
		p.Mark("gave-up")
	}
	c.forget(p, &grant)
	c.release(p, &grant, hold, renewal)
	c.forget(p, nil)
}

// acquire tries until it holds the lock or has used up its attempts.
func (c *client) acquire(p *sim.Proc) (locks.Grant, bool) {
	c.record(checker.Invoke, checker.Acquire, checker.Value{}, "")
	lock := &c.run.scenario.Lock
	grant := lock.Retry.Acquire(p, recordedLock{c}, lock.Patience)
	if !grant.Won() {
		c.record(checker.Fail, checker.Acquire, checker.Value{}, outcomes[grant.Outcome].String())
		return grant, false
	}
	c.record(checker.OK, checker.Acquire, checker.Value{Fence: c.shown(&grant)}, "")
	return grant, true
}

// release releases the lock. A client that gave up must release it too.
func (c *client) release(p *sim.Proc, grant *locks.Grant, hold int, renewal *locks.Renewal) {
	renewal.Stop()
	p.Mark("before-release")
	asked := c.record(checker.Invoke, checker.Release, checker.Value{Fence: c.shown(grant)}, "")
	c.run.beginRelease(hold)
	c.holding = -1
	acknowledged := c.lock.Release(p, *grant)
	c.run.endRelease(hold, acknowledged)
	if l, ok := c.lock.(locks.Transactional); ok && c.written > 0 {
		c.settle(asked, l.Ended())
	}
	if acknowledged {
		c.record(checker.OK, checker.Release, checker.Value{Fence: c.shown(grant)}, "")
	} else {
		c.record(checker.Info, checker.Release, checker.Value{}, "not every node acknowledged")
	}
	p.Mark("released")
}

// settle records what became of a write that was part of a transaction, now that its end is known. One that was rolled back
// was never made. One whose commit got no answer may have been; so what follows is by another process.
func (c *client) settle(release int, end locks.Ending) {
	h := c.run.evidence.History
	w := &h[c.written]
	c.written = 0
	switch end {
	case locks.RolledBack:
		w.Type, w.Value, w.Error = checker.Fail, checker.Value{}, "its transaction was rolled back"
	case locks.InDoubt:
		w.Type, w.Value, w.Error = checker.Info, checker.Value{}, "its transaction's commit got no answer"
		c.process += c.run.scenario.Clients
		h[release].Process = c.process
	}
}

// record records the invocation or the completion of an operation, and returns its index. After an unknown outcome the client
// goes on under a new process number, as in Jepsen: the old operation may take effect at any time.
func (c *client) record(t checker.Type, f checker.Func, v checker.Value, problem string) int {
	op := c.run.record(c.process, t, f, v, problem)
	c.busy, c.at = t == checker.Invoke, f
	if t == checker.Info {
		c.process += c.run.scenario.Clients
	}
	return op
}

// shown returns the fencing token that the client shows: none without fencing, though the lock may have one. A lock on a
// session needs it to recognize its key.
func (c *client) shown(g *locks.Grant) uint64 {
	if c.run.scenario.Fencing.Source == NoFencing {
		return 0
	}
	return g.Fence
}
