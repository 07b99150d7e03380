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

// start starts the client, or starts it again, with a new lock.
func (c *client) start() {
	c.holding, c.written, c.drawing = -1, -1, false
	c.lock = c.run.newLock(c.run.scenario.Lock.Rules, c.id, c.run.fence(c))
	if l, ok := c.lock.(locks.Sessioned); ok {
		l.OnDeadline(c.deadlineMoved)
	}
	c.host.Go("main", c.live)
	c.run.keepSession(c.host, c.lock)
}

func (r *Runner) newLock(rules locks.Rules, client int, fence func(locks.Client) (uint64, bool)) locks.Lock {
	shared := r.scenario.reads(client)
	r.config = locks.Config{Rules: rules, Key: LockKey, Servers: r.asked, Fence: fence, Shared: shared}
	r.servers.Equip(&r.config, client)
	if own := r.scenario.Lock.New; own != nil {
		return own(r.config)
	}
	return r.scenario.Lock.Kind.registered().New(r.config)
}

// keepSession keeps a lock's session alive, if it has one: by another proc, for as long as the host is on.
func (r *Runner) keepSession(h *sim.Host, lock locks.Lock) {
	l, ok := lock.(locks.Sessioned)
	switch {
	case !ok:
	case r.ours():
		h.Background("session", func(p *sim.Proc) { l.Keep(p) })
	default:
		h.Background("session", func(p *sim.Proc) { l.Keep(watchdog{r.watch(p, extensionMarks)}) })
	}
}

// deadlineMoved is called when the client's session is valid until another time, and with it what the client holds. The
// holder of a lock that does not count by itself how long a grant is valid follows it. A session that is lost ends the
// hold's validity there and then.
func (c *client) deadlineMoved(_ locks.Client, until time.Duration) {
	if c.holding < 0 {
		return
	}
	if _, counts := c.lock.(locks.Leased); !counts {
		c.grant.Deadline = until
	}
	if now := time.Duration(c.host.Mono()); until <= now {
		h := &c.run.holds[c.holding]
		h.released = min(h.released, c.run.world.Now())
		return
	}
	c.run.endRenewal(c.run.beginRenewal(c.holding), true, true, until)
}

// restart is called when the client's host is on again. The operation that was open when it crashed has an unknown
// outcome, so the client continues under a new process number.
func (c *client) restart() {
	if c.run.inQuietPeriod {
		return
	}
	c.abandon("its client crashed before its transaction was committed")
	if c.busy {
		c.record(checker.Info, c.at, checker.Value{}, "its client crashed")
	}
	c.start()
}

// live is the client's proc: a fixed number of cycles. A cycle that a crash ended counts too.
func (c *client) live(p *sim.Proc) {
	if c.cycles == 0 {
		c.warmUp(p)
	}
	if c.work.Tick > 0 {
		c.liveByTicks(p)
		return
	}
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

// liveByTicks is the proc of a client whose work comes by ticks of its wall clock, as by a cron line. It comes late for
// each of them, by its share of the stagger and by what it thinks. It tries no tick twice, even if its clock is set
// back, and leaves out those that passed while it worked.
func (c *client) liveByTicks(p *sim.Proc) {
	begin := c.work.Stagger*time.Duration(c.id) + time.Duration(Epoch)
	for {
		tick := max(int((p.Wall()-begin)/c.work.Tick), c.cycles) + 1
		if tick > c.work.Cycles {
			return
		}
		for left := c.untilTick(p, begin, tick); left > 0; left = c.untilTick(p, begin, tick) {
			p.Sleep(left)
		}
		c.cycles = tick
		p.Sleep(c.draw(p, c.work.Think))
		c.cycle(p)
	}
}

func (c *client) untilTick(p *sim.Proc, begin time.Duration, tick int) time.Duration {
	return begin + c.work.Tick*time.Duration(tick) - p.Wall()
}

// keep waits until the client has had the lock for at least as long as it must keep it, or until its validity ends.
func (c *client) keep(p *sim.Proc, grant *locks.Grant, until time.Duration) {
	if c.work.Keep > 0 {
		p.Sleep(max(min(until-p.Mono(), locks.Left(c.lock, p, *grant)), 0))
	}
}

// warmUp lets the client acquire and release once, in its turn, before the run begins. Nothing of it is recorded, and
// no fault hits it: times of faults count from its end. A client that has crashed since does not warm up again.
func (c *client) warmUp(p *sim.Proc) {
	until := func(turn int) time.Duration {
		return clock.Instant(c.work.Warm * time.Duration(turn)).Sub(c.run.world.Now())
	}
	if c.work.Warm == 0 || until(c.id+1) <= 0 {
		return
	}
	p.Sleep(max(until(c.id), 0))
	if grant := c.lock.Acquire(p); grant.Won() {
		c.lock.Release(p, grant)
	}
	if left := until(c.run.scenario.Clients); left > 0 {
		p.Sleep(left)
	}
}

// warmUp returns how long the clients take to warm up, all together.
func (s *Scenario) warmUp() time.Duration { return s.Work.Warm * time.Duration(s.Clients) }

func (c *client) draw(p *sim.Proc, r sim.Range) time.Duration {
	return r.Min + time.Duration(p.Draw(uint64(r.Max-r.Min)+1))
}

// cycle acquires the lock, updates the resource and releases the lock. Meanwhile another proc extends the lock.
func (c *client) cycle(p *sim.Proc) {
	grant, ok := c.acquire(p)
	if !ok {
		return
	}
	hold, until := c.run.recordHold(c, grant), time.Duration(c.host.Mono())+c.work.Keep
	c.holding, c.grant = hold, &grant
	c.reportMemory(p, &grant)
	renewal := c.renew(&grant, hold)
	p.Mark("acquired")
	if !c.update(p, &grant) {
		c.run.endHold(hold)
		p.Mark("gave-up")
	}
	c.reportMemory(p, &grant)
	c.keep(p, &grant, until)
	c.release(p, &grant, hold, renewal)
	c.reportMemory(p, nil)
}

// acquire tries until it holds the lock or has used up its attempts.
func (c *client) acquire(p *sim.Proc) (locks.Grant, bool) {
	shared := c.run.scenario.reads(c.id)
	c.record(checker.Invoke, checker.Acquire, checker.Value{Shared: shared}, "")
	lock := &c.run.scenario.Lock
	grant := c.tryAcquire(p, lock)
	if !grant.Won() {
		c.record(checker.Fail, checker.Acquire, checker.Value{}, outcomes[grant.Outcome].String())
		return grant, false
	}
	c.record(checker.OK, checker.Acquire, checker.Value{Fence: c.shown(&grant), Shared: shared}, "")
	return grant, true
}

// tryAcquire makes the attempts. It watches the attempts of a user's lock for marks.
func (c *client) tryAcquire(p *sim.Proc, lock *Lock) locks.Grant {
	if c.run.ours() {
		return lock.Retry.Acquire(p, recordedLock{client: c}, lock.Patience)
	}
	w := c.run.watch(p, attemptMarks)
	w.client = c
	return lock.Retry.Acquire(w, recordedLock{c, w}, lock.Patience)
}

// release releases the lock. A client that gave up must release it too.
func (c *client) release(p *sim.Proc, grant *locks.Grant, hold int, renewal *locks.Renewal) {
	renewal.Stop()
	p.Mark("before-release")
	c.record(checker.Invoke, checker.Release, checker.Value{Fence: c.shown(grant)}, "")
	c.run.beginRelease(hold)
	c.holding = -1
	acknowledged := c.lock.Release(p, *grant)
	c.run.endRelease(hold, acknowledged)
	if l, ok := c.lock.(locks.Transactional); ok && c.written >= 0 {
		c.settle(l.Ended())
	}
	if acknowledged {
		c.record(checker.OK, checker.Release, checker.Value{Fence: c.shown(grant)}, "")
	} else {
		c.record(checker.Info, checker.Release, checker.Value{}, "not every node acknowledged")
	}
	p.Mark("released")
}

// settle records the outcome of a write that was part of a transaction, now that its end is known. A write that was
// rolled back was never made. A write whose commit got no answer may have been made.
func (c *client) settle(end locks.Ending) {
	switch end {
	case locks.Committed:
		c.written = -1
	case locks.RolledBack:
		w := &c.run.evidence.History[c.written]
		w.Type, w.Value, w.Error = checker.Fail, checker.Value{}, "its transaction was rolled back"
		c.written = -1
	case locks.InDoubt:
		c.abandon("its transaction's commit got no answer")
	}
}

// abandon records that the client will not learn whether its latest write was committed, if it was part of a
// transaction: a crash hides that. So another process does what follows, even the release.
func (c *client) abandon(why string) {
	if c.written < 0 {
		return
	}
	h := c.run.evidence.History
	w := &h[c.written]
	w.Type, w.Value, w.Error = checker.Info, checker.Value{}, why
	c.process += c.run.scenario.Clients
	if c.asked > c.written {
		h[c.asked].Process = c.process
	}
	c.written = -1
}

// record records the invocation or the completion of an operation, and returns its index. After an unknown outcome the
// client continues under a new process number, as in Jepsen: the old operation may take effect at any time.
func (c *client) record(t checker.Type, f checker.Func, v checker.Value, problem string) int {
	op := c.run.record(c.process, t, f, v, problem)
	c.busy, c.at = t == checker.Invoke, f
	if c.busy {
		c.asked = op
	}
	if t == checker.Info {
		c.process += c.run.scenario.Clients
	}
	return op
}

// update reads, works and writes; a reader does not write. It returns false if the client gave up at its deadline.
func (c *client) update(p *sim.Proc, grant *locks.Grant) bool {
	state, ok, inTime := c.read(p, grant)
	if !ok {
		return inTime
	}
	c.reportMemory(p, grant, state.Plain, state.Fenced, truth(state.Refused))
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
	c.reportMemory(p, grant, state.Plain, state.Fenced, truth(state.Refused))
	if c.run.scenario.reads(c.id) {
		return true
	}
	p.Mark("before-write")
	return c.write(p, grant, state)
}

// doWork is the work between reading and writing. It returns false if the client gave up.
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
		step := min(d, left)
		if l, ok := c.lock.(locks.Watched); ok {
			step = min(step, l.Look())
		}
		p.Sleep(step)
		d -= step
	}
	return true
}

// read asks storage for its state. It is not ok if no answer came, and not inTime if there was no time for one.
func (c *client) read(p *sim.Proc, grant *locks.Grant) (state storage.State, ok, inTime bool) {
	c.record(checker.Invoke, checker.Read, checker.Value{Fence: c.shown(grant)}, "")
	reply, inTime, err := c.call(p, grant, storage.Read{Pass: c.pass(grant)})
	if err != nil {
		// A read changes nothing, so a read without an answer counts as failed.
		c.record(checker.Fail, checker.Read, checker.Value{}, err.Error())
		return state, false, inTime
	}
	state = reply.(storage.State)
	c.record(checker.OK, checker.Read, checker.Value{Fence: c.shown(grant), Plain: state.Plain, Fenced: state.Fenced},
		"")
	return state, true, inTime
}

// write sends the update. It returns false if the client stopped waiting because its validity had passed.
func (c *client) write(p *sim.Proc, grant *locks.Grant, base storage.State) bool {
	op := c.record(checker.Invoke, checker.Write,
		checker.Value{Fence: c.shown(grant), Plain: base.Plain, Fenced: base.Fenced}, "")
	w := &storage.Write{Pass: c.pass(grant), Client: c.id, Op: op, Tick: c.tick(), Base: base}
	inTime := c.askFirst(p, grant, w)
	if !inTime {
		c.record(checker.Fail, checker.Write, checker.Value{}, errDeadline.Error())
		return false
	}
	reply, inTime, err := c.call(p, grant, w)
	switch {
	case err != nil && (errors.Is(err, sim.ErrRefused) || errors.As(err, new(sql.Error))):
		c.record(checker.Fail, checker.Write, checker.Value{}, err.Error())
	case err != nil:
		c.record(checker.Info, checker.Write, checker.Value{}, err.Error())
	default:
		made := reply.(storage.State)
		end := c.record(checker.OK, checker.Write, checker.Value{Fence: c.shown(grant), Plain: made.Plain,
			Fenced: made.Fenced}, "")
		if c.pending {
			c.written = end
		}
		p.Mark("wrote")
	}
	return inTime
}

// tick returns the tick whose job the client does; 0 for none.
func (c *client) tick() int {
	if c.work.Tick == 0 {
		return 0
	}
	return c.cycles
}

func (c *client) pass(g *locks.Grant) storage.Pass {
	return storage.Pass{Fence: c.shown(g), Token: g.Token}
}

// askFirst asks storage whether it would take the write, where storage can't check and write in one step. It returns
// false if there was no time for that. Without an answer, the client sends the write as one that storage did not
// admit.
func (c *client) askFirst(p *sim.Proc, grant *locks.Grant, w *storage.Write) (inTime bool) {
	if c.run.scenario.Fencing.Atomic {
		return true
	}
	reply, inTime, err := c.call(p, grant, storage.Ask{Pass: w.Pass})
	w.Asked = err == nil && reply.(bool)
	p.Mark("checked")
	return inTime
}

// call sends a request to storage, and waits until its timeout, or until the validity ends if the client stops then.
func (c *client) call(p *sim.Proc, grant *locks.Grant, request any) (reply any, inTime bool, err error) {
	timeout, short := c.work.StorageTimeout, false
	if c.work.StopAtDeadline {
		left := locks.Left(c.lock, p, *grant)
		if left <= 0 {
			return nil, false, errDeadline
		}
		if left < timeout && grant.Deadline != locks.NoDeadline { // else it is when to look again whether it is lost
			timeout, short = left, true
		}
	}
	reply, err = c.ask(p, grant, request, timeout)
	return reply, !(short && errors.Is(err, sim.ErrTimeout)), err
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

var errDeadline = errors.New("the validity had passed")

// A recordedLock is the client's lock; it records each attempt.
type recordedLock struct {
	*client
	watched *watched // the client in its attempts; nil for a lock that passes its marks itself
}

func (a recordedLock) Acquire(p locks.Client) locks.Grant {
	a.reportAttempt(p)
	try := a.run.beginTry(a.client)
	if a.watched != nil {
		a.watched.begin()
	}
	grant := a.lock.Acquire(p)
	if a.watched != nil {
		a.watched.end()
		a.watched.noteLate(a.lock, grant)
	}
	a.drawFence(p, &grant)
	a.run.endTry(try, grant)
	if !grant.Won() {
		a.reportAttempt(p)
	}
	return grant
}

// reportAttempt tells the simulator that the client remembers no earlier attempt. That is true where no attempts
// are counted.
func (a recordedLock) reportAttempt(p locks.Client) {
	lock := &a.run.scenario.Lock
	if a.watched != nil {
		p = a.watched.Proc
	}
	if q, ok := p.(*sim.Proc); ok && lock.Retry.Attempts == 0 && lock.Patience == 0 {
		a.reportMemory(q, nil)
	}
}

// drawFence asks for the fencing token where a user's lock has not done so. Without a token the attempt fails.
func (a recordedLock) drawFence(p locks.Client, g *locks.Grant) {
	if a.run.scenario.Lock.New == nil || !g.Won() || g.Fence != 0 {
		return
	}
	fence := a.run.fence(a.client)
	if fence == nil {
		return
	}
	var ok bool
	g.Fence, ok = fence(p)
	p.Mono() // takes a step, as each call of our locks does: the acquire returns later than the token was asked for
	if !ok {
		g.Clean = a.lock.Release(p, *g)
		g.Outcome = locks.NoFence
	}
}

func (a recordedLock) Release(p locks.Client, g locks.Grant) bool { return a.lock.Release(p, g) }

func (a recordedLock) Left(p locks.Client, g locks.Grant) time.Duration {
	return locks.Left(a.lock, p, g)
}

// renew starts the proc that extends the lock, if the scenario wants extensions and the lock supports them.
func (c *client) renew(g *locks.Grant, hold int) *locks.Renewal {
	rules := c.run.scenario.Lock.Renew
	r := &locks.Renewal{Renew: rules, Grant: g}
	if lock, ok := c.lock.(locks.Extender); ok && rules.Every > 0 {
		r.Lock = recordedExtender{recordedLock{client: c}, lock, hold}
		c.host.Background("renewal."+strconv.Itoa(hold), func(p *sim.Proc) { r.Run(p) })
	}
	return r
}

// A recordedExtender is the client's lock; it records each extension of a hold.
type recordedExtender struct {
	recordedLock
	extender locks.Extender
	hold     int
}

func (e recordedExtender) Extend(p locks.Client, g *locks.Grant) bool {
	renewal, before := e.run.beginRenewal(e.hold), g.Deadline
	ok := e.extension(p, g)
	e.run.endRenewal(renewal, ok, g.Deadline != before, g.Deadline)
	return ok
}

func (e recordedExtender) extension(p locks.Client, g *locks.Grant) bool {
	q, is := p.(*sim.Proc)
	if !is || e.run.ours() {
		return e.extender.Extend(p, g)
	}
	w := e.run.watch(q, extensionMarks)
	extended := e.extender.Extend(w, g)
	w.end()
	return extended
}
