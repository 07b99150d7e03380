package recorder

import (
	"fmt"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
)

// A Client is one thread of control that uses the lock. Each operation has a call for its start and one for its end:
// Asking and Acquired, Extending and Extended, Releasing and Released, Reading and Read, Writing and Wrote. In place of
// the second, Failed says that it did nothing, and Lost that its outcome is not known.
type Client struct {
	r    *Recorder
	id   int
	life int // how many outcomes it did not learn
	open int // the invoke of what it is at; -1 for nothing
	try  int // the latest attempt; -1 for none
	hold int // the latest hold, until it is released; -1 for none
	dead bool
}

// Asking records that the client is about to ask for the lock.
func (c *Client) Asking() {
	c.begin("Asking", checker.Acquire, checker.Value{}, func(now clock.Instant) {
		c.try = len(c.r.tries)
		c.r.tries = append(c.r.tries, checker.Try{Client: c.id, From: now, To: clock.Forever, Left: clock.Forever})
	})
}

// Acquired records that the client has the lock: with a fencing token, 0 where there is none, and valid for that time
// from now on; 0 for a lock that does not expire.
func (c *Client) Acquired(fence uint64, validity time.Duration) {
	c.end("Acquired", checker.Acquire, checker.Value{Fence: fence}, func(now clock.Instant) {
		t := &c.r.tries[c.try]
		t.Outcome, t.To = checker.Won, now
		c.hold = len(c.r.holds)
		c.r.holds = append(c.r.holds, checker.Hold{Client: c.id, Try: c.try, Fence: fence, Asked: t.From, From: now,
			Gone: clock.Forever, Valid: until(now, validity), Slowed: -1})
	})
}

func until(t clock.Instant, validity time.Duration) clock.Instant {
	if validity == 0 {
		return clock.Forever
	}
	return max(t.Add(validity), 0)
}

// Extending records that the client is about to extend its hold.
func (c *Client) Extending() {
	c.begin("Extending", checker.Renew, checker.Value{}, func(now clock.Instant) {
		if c.hold >= 0 {
			c.r.renewed = append(c.r.renewed, checker.Renewal{Hold: c.hold, Asked: now, At: clock.Forever})
		}
	})
}

// Extended records that the hold was extended, and is valid for that time from now on.
func (c *Client) Extended(validity time.Duration) {
	c.end("Extended", checker.Renew, checker.Value{}, func(now clock.Instant) {
		if n := c.renewal(); n != nil {
			n.At, n.OK, n.Valid = now, true, until(now, validity)
			if validity > 0 {
				n.Deadline = n.Valid
			}
		}
	})
}

// renewal returns the extension that the client is at; nil if it extends nothing that it holds.
func (c *Client) renewal() *checker.Renewal {
	for i := len(c.r.renewed) - 1; i >= 0 && c.hold >= 0; i-- {
		if n := &c.r.renewed[i]; n.Hold == c.hold {
			return n
		}
	}
	return nil
}

// Stopped records that the client no longer acts as holder, for example because its validity has ended. Releasing
// records that too.
func (c *Client) Stopped() {
	c.r.mutex.Lock()
	defer c.r.mutex.Unlock()
	if c.hold < 0 {
		c.r.refuse(c, "Stopped", "it holds nothing; want Acquired before")
		return
	}
	if h := &c.r.holds[c.hold]; h.Gone == clock.Forever {
		h.Gone = c.r.tick()
	}
}

// Releasing records that the client is about to release the lock. From now on it does not act as holder, and is not
// entitled to.
func (c *Client) Releasing() {
	c.begin("Releasing", checker.Release, checker.Value{}, c.leave)
}

func (c *Client) leave(now clock.Instant) {
	if c.hold < 0 {
		return
	}
	h := &c.r.holds[c.hold]
	h.Gone, h.Valid = min(h.Gone, now), min(h.Valid, now)
	for i := range c.r.renewed {
		if n := &c.r.renewed[i]; n.Hold == c.hold {
			n.Valid = min(n.Valid, now)
		}
	}
}

// Released records that the release succeeded.
func (c *Client) Released() {
	c.end("Released", checker.Release, checker.Value{}, func(now clock.Instant) { c.left(now, true) })
}

// left ends the attempt that won the hold, and forgets the hold.
func (c *Client) left(now clock.Instant, clean bool) {
	if c.hold >= 0 {
		t := &c.r.tries[c.r.holds[c.hold].Try]
		t.Left, t.Clean = now, clean
	}
	c.hold = -1
}

// Reading records that the client is about to read the register that the lock guards, with its fencing token or 0.
func (c *Client) Reading(fence uint64) {
	c.begin("Reading", checker.Read, checker.Value{Fence: fence}, nil)
}

// Read records which version of the register came back.
func (c *Client) Read(version uint64) {
	c.end("Read", checker.Read, checker.Value{Fence: c.sentWith().Fence, Plain: version}, nil)
}

// Writing records that the client is about to write to the register: with its fencing token or 0, and based on a
// version that it has read.
func (c *Client) Writing(fence, base uint64) {
	c.begin("Writing", checker.Write, checker.Value{Fence: fence, Plain: base}, nil)
}

// Wrote records which version the write made.
func (c *Client) Wrote(version uint64) {
	c.end("Wrote", checker.Write, checker.Value{Fence: c.sentWith().Fence, Plain: version}, nil)
}

// sentWith returns the value of the operation that the client is at.
func (c *Client) sentWith() (v checker.Value) {
	c.r.mutex.Lock()
	defer c.r.mutex.Unlock()
	if c.open >= 0 {
		v = c.r.ops[c.open].Value
	}
	return v
}

// Failed says that the current operation did nothing, and will do nothing: another client has the lock, the write was
// rejected.
func (c *Client) Failed(err error) {
	c.close("Failed", checker.Fail, err, func(f checker.Func, now clock.Instant) {
		if t := c.last(); f == checker.Acquire && t != nil {
			t.Outcome, t.To, t.Left = checker.NoQuorum, now, now
		}
		c.ended(f, now)
	})
}

// Lost says that the outcome of the current operation is not known: it timed out, say. It may have taken effect, or may
// yet.
func (c *Client) Lost(err error) { c.close("Lost", checker.Info, err, c.ended) }

// last returns the latest attempt of the client, or nil.
func (c *Client) last() *checker.Try {
	if c.try < 0 {
		return nil
	}
	return &c.r.tries[c.try]
}

// ended records the end of an extension or a release that did not succeed.
func (c *Client) ended(f checker.Func, now clock.Instant) {
	switch n := c.renewal(); {
	case f == checker.Release:
		c.left(now, false)
	case f == checker.Renew && n != nil:
		n.At = now
	}
}

// Crashed records that the client is gone, with its current operation and its hold. It is for a goroutine that is made
// to end.
func (c *Client) Crashed() {
	c.r.mutex.Lock()
	defer c.r.mutex.Unlock()
	if c.dead {
		return
	}
	at := c.r.tick()
	if c.open >= 0 {
		c.r.add(c, checker.Info, c.r.ops[c.open].F, checker.Value{}, "the client crashed")
	}
	if t := c.last(); t != nil {
		t.To, t.Left = min(t.To, at), min(t.Left, at)
	}
	if c.hold >= 0 {
		h := &c.r.holds[c.hold]
		h.Crashed, h.Gone = h.Gone == clock.Forever, min(h.Gone, at)
		if h.Valid == clock.Forever { // it does not expire, so it was valid while its client lived
			h.Valid = at
		}
	}
	c.dead, c.open, c.hold = true, -1, -1
}

func (c *Client) begin(call string, f checker.Func, v checker.Value, also func(now clock.Instant)) {
	c.r.mutex.Lock()
	defer c.r.mutex.Unlock()
	switch {
	case c.dead:
		c.r.refuse(c, call, "it has crashed; want another Client")
		return
	case c.open >= 0:
		o := &c.r.ops[c.open]
		c.r.refuse(c, call, fmt.Sprintf("it is at its %v since %v; want the end of that first", o.F, o.Time))
		return
	case f == checker.Acquire && c.hold >= 0 && c.r.holds[c.hold].Gone == clock.Forever:
		c.r.refuse(c, call, "it holds the lock; want Releasing or Stopped first")
		return
	}
	c.open = c.r.add(c, checker.Invoke, f, v, "")
	if also != nil {
		also(c.r.now)
	}
}

func (c *Client) end(call string, f checker.Func, v checker.Value, also func(now clock.Instant)) {
	c.r.mutex.Lock()
	defer c.r.mutex.Unlock()
	if c.open < 0 || c.r.ops[c.open].F != f {
		c.r.refuse(c, call, fmt.Sprintf("it is at no %v; want the beginning of one before", f))
		return
	}
	c.r.add(c, checker.OK, f, v, "")
	c.open = -1
	if also != nil {
		also(c.r.now)
	}
}

func (c *Client) close(call string, t checker.Type, err error, also func(f checker.Func, now clock.Instant)) {
	c.r.mutex.Lock()
	defer c.r.mutex.Unlock()
	if c.open < 0 {
		c.r.refuse(c, call, "it is at nothing; want the beginning of an operation before")
		return
	}
	f, problem := c.r.ops[c.open].F, "unknown"
	if err != nil {
		problem = err.Error()
	}
	c.r.add(c, t, f, checker.Value{}, problem)
	if c.open = -1; t == checker.Info {
		c.life++
	}
	also(f, c.r.now)
}
