package scenarios

import (
	"errors"
	"strconv"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/sql"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// A client is one lock client at its work. What it does and sees, it puts on record.
type client struct {
	id      int
	process int // its name in the history: a new one after each outcome that it never learnt
	run     *Runner
	host    *sim.Host
	lock    locks.Lock
	work    *Workload
	asked   clock.Instant // when it last asked for a fencing token
	cycles  int           // how many it has begun
	busy    bool          // an operation of its process is open
	at      checker.Func  // which one
	written int           // the index of the end of its latest write, while that waits for a commit; 0 for none
	holding int           // its hold, as an index into the evidence; -1 for none
	pending bool          // its latest request to storage was part of a transaction
}

// start lets the client begin, or begin anew: with a lock that knows nothing of what was before.
func (c *client) start() {
	c.holding = -1
	c.lock = c.run.newLock(c.run.scenario.Lock.Rules, c.id, c.run.fence(c))
	if l, ok := c.lock.(locks.Sessioned); ok {
		l.OnDeadline(c.deadlineMoved)
	}
	c.host.Go("main", c.live)
	keepSession(c.host, c.lock)
}

// newLock makes the lock of a client of that number.
func (r *Runner) newLock(rules locks.Rules, client int, fence func(locks.Client) (uint64, bool)) locks.Lock {
	c := locks.Config{Rules: rules, Key: LockKey, Servers: r.asked, Fence: fence}
	r.servers.Equip(&c, client)
	return r.scenario.Lock.Kind.registered().New(c)
}

// keepSession keeps a lock's session alive, if it has one: by a proc of its own, for as long as the host is on.
func keepSession(h *sim.Host, lock locks.Lock) {
	if l, ok := lock.(locks.Sessioned); ok {
		h.Tend("session", func(p *sim.Proc) { l.Keep(p) })
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
	c.run.renewed(c.run.renewing(c.holding), true, true, until)
}

// restart is what the client's host does when it is on again. What the client was at when it crashed has an outcome that
// nobody learnt. It waits for that no more, and goes on under a new process number.
func (c *client) restart() {
	if c.run.calm {
		return
	}
	if c.busy {
		c.note(checker.Info, c.at, checker.Value{}, "its client crashed")
	}
	c.start()
}

// live is the client's proc: a fixed number of cycles. One that was cut off by a crash counts.
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
	hold := c.run.hold(c, grant)
	c.holding = hold
	renewal := c.renew(&grant, hold)
	p.Mark("acquired")
	if !c.update(p, &grant) {
		c.run.gone(hold)
		p.Mark("gave-up")
	}
	c.release(p, &grant, hold, renewal)
}

// renew starts the proc that extends the lock, if it is to be extended and can be.
func (c *client) renew(g *locks.Grant, hold int) *locks.Renewal {
	rules := c.run.scenario.Lock.Renew
	r := &locks.Renewal{Renew: rules, Grant: g}
	if lock, ok := c.lock.(locks.Extender); ok && rules.Every > 0 {
		r.Lock = extensions{attempts{c}, lock, hold}
		c.host.Tend("renewal."+strconv.Itoa(hold), func(p *sim.Proc) { r.Run(p) })
	}
	return r
}

// extensions is the client's lock, with each extension of a hold put on record.
type extensions struct {
	attempts
	extender locks.Extender
	hold     int
}

func (e extensions) Extend(p locks.Client, g *locks.Grant) bool {
	renewal, before := e.run.renewing(e.hold), g.Deadline
	ok := e.extender.Extend(p, g)
	e.run.renewed(renewal, ok, g.Deadline != before, g.Deadline)
	return ok
}

// acquire tries until it holds the lock or has used up its attempts.
func (c *client) acquire(p *sim.Proc) (locks.Grant, bool) {
	c.note(checker.Invoke, checker.Acquire, checker.Value{}, "")
	lock := &c.run.scenario.Lock
	grant := lock.Retry.Acquire(p, attempts{c}, lock.Patience)
	if !grant.Won() {
		c.note(checker.Fail, checker.Acquire, checker.Value{}, outcomes[grant.Outcome].String())
		return grant, false
	}
	c.note(checker.OK, checker.Acquire, checker.Value{Fence: grant.Fence}, "")
	return grant, true
}

// attempts is the client's lock, with each attempt put on record.
type attempts struct{ *client }

var outcomes = [...]checker.Outcome{
	locks.Won: checker.Won, locks.NoQuorum: checker.NoQuorum, locks.TooLate: checker.TooLate, locks.NoFence: checker.NoFence,
	locks.Broken: checker.NoQuorum, // whoever gives up at the first fault has as good as too few votes
}

func (a attempts) Acquire(p locks.Client) locks.Grant {
	try := a.run.begin(a.client)
	grant := a.lock.Acquire(p)
	if a.run.scenario.Fencing.Source == NoFencing {
		grant.Fence = 0 // though the lock may have given one
	}
	a.run.end(try, grant)
	return grant
}

func (a attempts) Release(p locks.Client, g locks.Grant) bool { return a.lock.Release(p, g) }

func (a attempts) Left(p locks.Client, g locks.Grant) time.Duration { return locks.Left(a.lock, p, g) }

// update reads, works and writes. It is false if the client gave up because its validity had passed.
func (c *client) update(p *sim.Proc, grant *locks.Grant) bool {
	state, ok, inTime := c.read(p, grant)
	if !ok {
		return inTime
	}
	p.Mark("read")
	if !c.doWork(p, grant) {
		return false
	}
	if c.work.Recheck {
		p.Mark("before-check")
		if locks.Left(c.lock, p, *grant) <= 0 {
			return false
		}
	}
	p.Mark("before-write")
	return c.write(p, grant, state)
}

// doWork is the work between reading and writing.
func (c *client) doWork(p *sim.Proc, grant *locks.Grant) bool {
	d := c.draw(p, c.work.Work)
	if !c.work.StopAtDeadline {
		p.Sleep(d)
		return true
	}
	for d > 0 { // the deadline may move while it sleeps
		left := locks.Left(c.lock, p, *grant)
		if left <= 0 {
			return false
		}
		p.Sleep(min(d, left))
		d -= min(d, left)
	}
	return true
}

// read asks storage for its state. It is not ok if no answer came, and not inTime if there was no time for one.
func (c *client) read(p *sim.Proc, grant *locks.Grant) (state storage.State, ok, inTime bool) {
	c.note(checker.Invoke, checker.Read, checker.Value{Fence: grant.Fence}, "")
	reply, inTime, err := c.call(p, grant, storage.Read{Pass: pass(*grant)})
	if err != nil {
		// A read changes nothing, so one without an answer is as good as none.
		c.note(checker.Fail, checker.Read, checker.Value{}, err.Error())
		return state, false, inTime
	}
	state = reply.(storage.State)
	c.note(checker.OK, checker.Read, checker.Value{Fence: grant.Fence, Plain: state.Plain, Fenced: state.Fenced}, "")
	return state, true, inTime
}

// write sends the update. It is false if the client stopped waiting because its validity had passed.
func (c *client) write(p *sim.Proc, grant *locks.Grant, base storage.State) bool {
	op := c.note(checker.Invoke, checker.Write,
		checker.Value{Fence: grant.Fence, Plain: base.Plain, Fenced: base.Fenced}, "")
	w := &storage.Write{Pass: pass(*grant), Client: c.id, Op: op, Base: base}
	inTime := c.askFirst(p, grant, w)
	if !inTime {
		c.note(checker.Fail, checker.Write, checker.Value{}, errDeadline.Error())
		return false
	}
	reply, inTime, err := c.call(p, grant, w)
	switch {
	case err != nil && (errors.Is(err, sim.ErrRefused) || errors.As(err, new(sql.Error))):
		c.note(checker.Fail, checker.Write, checker.Value{}, err.Error())
	case err != nil:
		c.note(checker.Info, checker.Write, checker.Value{}, err.Error())
	default:
		made := reply.(storage.State)
		end := c.note(checker.OK, checker.Write, checker.Value{Fence: grant.Fence, Plain: made.Plain, Fenced: made.Fenced}, "")
		if c.pending {
			c.written = end
		}
		p.Mark("wrote")
	}
	return inTime
}

// pass is what storage is shown of the lock.
func pass(g locks.Grant) storage.Pass { return storage.Pass{Fence: g.Fence, Token: g.Token} }

// askFirst asks storage whether it would take the write, where storage can't check and write in one step. It is false if
// there was no time for that. Without an answer the write is sent as one that was not admitted.
func (c *client) askFirst(p *sim.Proc, grant *locks.Grant, w *storage.Write) (inTime bool) {
	if c.run.scenario.Fencing.Atomic {
		return true
	}
	reply, inTime, err := c.call(p, grant, storage.Ask{Pass: w.Pass})
	w.Asked = err == nil && reply.(bool)
	p.Mark("checked")
	return inTime
}

// call speaks to storage, for no longer than the configured timeout, nor than the validity if the client heeds it.
func (c *client) call(p *sim.Proc, grant *locks.Grant, request any) (reply any, inTime bool, err error) {
	timeout, inTime := c.work.StorageTimeout, true
	if c.work.StopAtDeadline {
		left := locks.Left(c.lock, p, *grant)
		if left <= 0 {
			return nil, false, errDeadline
		}
		if left < timeout {
			timeout, inTime = left, false
		}
	}
	reply, err = c.ask(p, grant, request, timeout)
	return reply, inTime || !errors.Is(err, sim.ErrTimeout), err
}

// ask sends a request to storage: as a part of its transaction, if the lock is one.
func (c *client) ask(p *sim.Proc, grant *locks.Grant, request any, timeout time.Duration) (reply any, err error) {
	whole := request
	if l, ok := c.lock.(locks.Transactional); ok {
		if session := l.Transaction(*grant); session != "" {
			whole = sql.In{Session: session, Request: request}
		}
	}
	reply, err = p.Call(c.run.storageID, whole, timeout)
	c.pending = whole != request
	if reply == sql.ErrEnded && c.run.scenario.Lock.Row.Reconnect {
		reply, err = p.Call(c.run.storageID, request, timeout)
		c.pending = false
	}
	if refused, ok := reply.(sql.Error); ok {
		return nil, refused
	}
	return reply, err
}

// errDeadline is why nothing was asked of storage.
var errDeadline = errors.New("the validity had passed")

// release gives the lock back, whatever came of the update. A client that gave up still owes it to the others.
func (c *client) release(p *sim.Proc, grant *locks.Grant, hold int, renewal *locks.Renewal) {
	renewal.Stop()
	p.Mark("before-release")
	asked := c.note(checker.Invoke, checker.Release, checker.Value{Fence: grant.Fence}, "")
	c.run.releasing(hold)
	c.holding = -1
	acknowledged := c.lock.Release(p, *grant)
	c.run.left(hold, acknowledged)
	if l, ok := c.lock.(locks.Transactional); ok && c.written > 0 {
		c.settle(asked, l.Ended())
	}
	if acknowledged {
		c.note(checker.OK, checker.Release, checker.Value{Fence: grant.Fence}, "")
	} else {
		c.note(checker.Info, checker.Release, checker.Value{}, "not every node acknowledged")
	}
	p.Mark("released")
}

// settle says what came of a write that was part of a transaction, now that its end is known. One that was rolled back was
// never made. One whose commit got no answer may have been; so what follows it is by another process.
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

// note puts one end of an operation on record, and gives its index. After an outcome that stays unknown the client goes
// on under a new process number, as Jepsen does: nothing tells when the old operation takes effect.
func (c *client) note(t checker.Type, f checker.Func, v checker.Value, problem string) int {
	op := c.run.note(c.process, t, f, v, problem)
	c.busy, c.at = t == checker.Invoke, f
	if t == checker.Info {
		c.process += c.run.scenario.Clients
	}
	return op
}
