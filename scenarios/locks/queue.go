package locks

import (
	"errors"
	"time"
)

// A Queue is one client's lock on a coordination service: each contender has a key, and the one with the first key
// holds the lock. NewEtcd and NewZooKeeper differ in how the key is created.
//
// A hold is valid as long as its session. A grant's deadline is the end of the session's validity when it was granted.
// Each keep-alive moves it, and Left uses the latest.
type Queue struct {
	Session
	prefix string // of all contenders' keys
	local  bool   // it reads what one server knows, which may be old
	enter  func(q *Queue, c Client) (own Key, v View, err error)
	own    Key // of the latest attempt
}

var queueOptions = []string{
	"ttl", "timeout", "patience", "retry.", "session.keep_alive", "session.poll", "session.tries", "session.margin",
	"session.stay",
	"session.watch", "session.check", "session.confirm", "session.sent", "session.compare", "session.give_up",
}

// queueAttempt returns the longest that one attempt can take: each request is repeated, and the wait comes last.
func queueAttempt(r Rules, _ int) time.Duration {
	return r.Session.Poll + calls(r, 4*max(r.Session.Tries, 1)+2)
}

func newQueue(c Config, local bool, enter func(*Queue, Client) (Key, View, error)) *Queue {
	rules := c.Session
	rules.TTL, rules.Timeout = c.TTL, c.Timeout
	return &Queue{
		Session: Session{SessionRules: rules, keys: c.Keys}, prefix: c.Key + "/", local: local, enter: enter,
	}
}

// Acquire makes one attempt: it enters the queue, and waits there until it is the first, or its patience has ended.
func (q *Queue) Acquire(c Client) Grant {
	// 1. Have a session, and a key under it.
	v, err := q.join(c)
	if err != nil {
		return q.fail(c, NoQuorum, err)
	}

	// 2. Wait until there is no key that was created before that.
	for {
		before, there := v.before(q.own)
		switch {
		case !there && q.checks(CheckKey):
			return q.fail(c, TooLate, ErrSession)
		case before.Name == "":
			return q.grant(c)
		case over(c):
			return q.fail(c, NoQuorum, nil)
		}
		v = q.wait(c, v, before)
	}
}

func (q *Queue) join(c Client) (v View, err error) {
	q.own = Key{}
	if err = q.open(c); err != nil {
		return v, err
	}
	c.Mark("asking")
	q.own, v, err = q.enter(q, c)
	c.Mark("queued")
	return v, err
}

// wait waits until the key before one's own is gone, and reads the queue again, whatever the answer. The loss of that
// one key says nothing of the others, and without an answer the key may still be gone.
func (q *Queue) wait(c Client, v View, before Key) View {
	if q.Watch == Everybody {
		before = Key{}
	}
	_ = q.keys.Await(c, q.prefix, before, v.Revision, q.Poll)
	c.Mark("woken")
	if now, err := q.keys.List(c, q.prefix, q.local); err == nil {
		return now
	}
	c.Sleep(retryAfter)
	return v
}

// checks reports whether the rules check this.
func (q *Queue) checks(when Check) bool { return q.Check == CheckBoth || q.Check == when }

func (q *Queue) grant(c Client) Grant {
	c.Mark("answered")
	if q.checks(CheckSession) && q.Session.Left(c) <= 0 {
		return q.fail(c, TooLate, nil)
	}
	return Grant{Token: q.own.Name, Fence: q.own.Created, Votes: 1, Deadline: q.until}
}

// fail leaves the queue, without the limit of the caller's patience. If it is unknown whether a key is left, it ends
// the session, and the key with it. With the same session the client would wait for its own old key.
func (q *Queue) fail(c Client, why Outcome, err error) Grant {
	c = withoutDeadline(c)
	g := Grant{Outcome: why, Token: q.own.Name, Fence: q.own.Created}
	switch {
	case errors.Is(err, ErrSession):
		q.leave(c)
		g.Clean = true
	case q.own.Name != "":
		g.Clean = q.Release(c, g)
	case q.GiveUp:
		q.leave(c)
	}
	return g
}

// Release deletes the key. If a key may still be left, or may be created late, the session ends too.
func (q *Queue) Release(c Client, g Grant) bool {
	freed := q.free(c, g)
	if q.GiveUp && q.own.Name == g.Token && (!freed || q.unsure) {
		q.leave(c)
	}
	return freed
}

// free deletes the key that was granted, and none created later under its name. One of a few tries may arrive late.
func (q *Queue) free(c Client, g Grant) bool {
	k := Key{Name: g.Token}
	if q.Compare {
		k.Created = g.Fence
	}
	for range max(q.Tries, 1) {
		if q.keys.Delete(c, k) == nil {
			return true
		}
	}
	return false
}

// Left returns how long the hold is valid: as long as its session.
func (q *Queue) Left(c Client, g Grant) time.Duration {
	if g.Token == q.own.Name {
		return q.Session.Left(c)
	}
	return g.Deadline - c.Mono()
}

// Extend sends one more keep-alive, and moves the deadline to the session's.
func (q *Queue) Extend(c Client, g *Grant) bool {
	kept := q.id != 0 && q.keepAlive(c)
	if g.Token == q.own.Name {
		g.Deadline = q.until
	}
	return kept
}
