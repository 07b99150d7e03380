package scenarios

import (
	"errors"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/sql"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// update reads, works and writes. It returns false if the client gave up because its validity had passed.
func (c *client) update(p *sim.Proc, grant *locks.Grant) bool {
	state, ok, inTime := c.read(p, grant)
	if !ok {
		return inTime
	}
	c.forget(p, grant, state.Plain, state.Fenced, truth(state.Refused))
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
	c.forget(p, grant, state.Plain, state.Fenced, truth(state.Refused))
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
		p.Sleep(min(d, left))
		d -= min(d, left)
	}
	return true
}

// read asks storage for its state. It is not ok if no answer came, and not inTime if there was no time for one.
func (c *client) read(p *sim.Proc, grant *locks.Grant) (state storage.State, ok, inTime bool) {
	c.record(checker.Invoke, checker.Read, checker.Value{Fence: c.shown(grant)}, "")
	reply, inTime, err := c.call(p, grant, storage.Read{Pass: c.pass(grant)})
	if err != nil {
		// A read changes nothing, so one without an answer is as good as none.
		c.record(checker.Fail, checker.Read, checker.Value{}, err.Error())
		return state, false, inTime
	}
	state = reply.(storage.State)
	c.record(checker.OK, checker.Read, checker.Value{Fence: c.shown(grant), Plain: state.Plain, Fenced: state.Fenced}, "")
	return state, true, inTime
}

// write sends the update. It returns false if the client stopped waiting because its validity had passed.
func (c *client) write(p *sim.Proc, grant *locks.Grant, base storage.State) bool {
	op := c.record(checker.Invoke, checker.Write,
		checker.Value{Fence: c.shown(grant), Plain: base.Plain, Fenced: base.Fenced}, "")
	w := &storage.Write{Pass: c.pass(grant), Client: c.id, Op: op, Base: base}
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
		end := c.record(checker.OK, checker.Write, checker.Value{Fence: c.shown(grant), Plain: made.Plain, Fenced: made.Fenced}, "")
		if c.pending {
			c.written = end
		}
		p.Mark("wrote")
	}
	return inTime
}

// pass returns what storage is shown of the lock.
func (c *client) pass(g *locks.Grant) storage.Pass {
	return storage.Pass{Fence: c.shown(g), Token: g.Token}
}

// askFirst asks storage whether it would take the write, where storage can't check and write in one step. It returns false if
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

// call sends a request to storage, and waits no longer than the configured timeout, nor than the validity lasts if the client is
// to stop then.
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
