package scenarios

import (
	"strconv"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

// A recordedLock is the client's lock; it records each attempt.
type recordedLock struct{ *client }

var outcomes = [...]checker.Outcome{
	locks.Won: checker.Won, locks.NoQuorum: checker.NoQuorum, locks.TooLate: checker.TooLate, locks.NoFence: checker.NoFence,
	locks.Broken: checker.NoQuorum, // one that gives up at the first fault has too few votes
}

func (a recordedLock) Acquire(p locks.Client) locks.Grant {
	a.forgetAttempt(p)
	try := a.run.beginTry(a.client)
	grant := a.lock.Acquire(p)
	a.drawFence(p, &grant)
	a.run.endTry(try, grant)
	if !grant.Won() {
		a.forgetAttempt(p)
	}
	return grant
}

// forgetAttempt says that an attempt is like any other: without a limit to them, none knows of those before.
func (a recordedLock) forgetAttempt(p locks.Client) {
	lock := &a.run.scenario.Lock
	if q, ok := p.(*sim.Proc); ok && lock.Retry.Attempts == 0 && lock.Patience == 0 {
		a.forget(q, nil)
	}
}

// drawFence draws the fencing token for a lock of somebody's own that does not draw one itself, right after it was won. Without
// a token the attempt fails.
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
	p.Mono() // takes a step, as each call of a lock of ours does: the acquire returns later than the token was asked for
	if !ok {
		g.Clean = a.lock.Release(p, *g)
		g.Outcome = locks.NoFence
	}
}

func (a recordedLock) Release(p locks.Client, g locks.Grant) bool { return a.lock.Release(p, g) }

func (a recordedLock) Left(p locks.Client, g locks.Grant) time.Duration {
	return locks.Left(a.lock, p, g)
}

// renew starts the proc that extends the lock, if it is to be extended and can be.
func (c *client) renew(g *locks.Grant, hold int) *locks.Renewal {
	rules := c.run.scenario.Lock.Renew
	r := &locks.Renewal{Renew: rules, Grant: g}
	if lock, ok := c.lock.(locks.Extender); ok && rules.Every > 0 {
		r.Lock = recordedExtender{recordedLock{c}, lock, hold}
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
	ok := e.extender.Extend(p, g)
	e.run.endRenewal(renewal, ok, g.Deadline != before, g.Deadline)
	return ok
}
