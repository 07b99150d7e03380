package locks

import (
	"errors"
	"time"
)

// A Consul is one client's lock on Consul, by its guide to leader election and the Lock of its Go package api: one key,
// which a session acquires.
//
//  1. Create a session with a TTL and a lock-delay. Renew it at each half of the TTL. Each hold has its own session.
//  2. Acquire the key with the session. Consul refuses while another session has it, and for the lock-delay after it
//     has taken the key from a session that ended. It does not refuse after a release.
//  3. If another session has it, wait by a blocking query until the key changes, or else for a while; go to step 2.
//  4. Release the key.
//
// Consul counts the acquisitions of a key, and its sequencer is that LockIndex with the key and the session. Here the
// key's create revision takes its place: it rises with each acquisition, too.
//
// The documentation promises that a session lives for its TTL at least. It says that it may take up to double the TTL
// until a session is ended, and so Consul's leader waits (SessionRules.Late).
type Consul struct {
	Session
	name string
	own  Key // of the latest hold
}

// ConsulProtocol is the protocol of NewConsul.
var ConsulProtocol = Protocol{
	Name: "consul", New: making(NewConsul), Options: []string{
		"ttl", "timeout", "patience", "retry.", "session.keep_alive", "session.poll", "session.tries", "session.margin",
		"session.stay", "session.confirm", "session.sent", "session.late", "session.lock_delay", "session.own_clock",
	},
	Counts: always, Attempt: queueAttempt,
}

// NewConsul makes one client's lock.
func NewConsul(c Config) *Consul {
	rules := c.Session
	rules.TTL, rules.Timeout = c.TTL, c.Timeout
	return &Consul{
		Session: Session{
			SessionRules: rules, keys: c.Keys, late: rules.Late.of(rules.TTL), lockDelay: rules.LockDelay,
		},
		name: c.Key + "/lock",
	}
}

// Acquire makes one attempt: it waits until it has the key, or until its patience has ended.
func (l *Consul) Acquire(c Client) Grant {
	for {
		if err := l.open(c); err != nil {
			return Grant{Outcome: NoQuorum, Clean: true}
		}
		c.Mark("asking")
		own, v, err := l.keys.Create(c, Key{Name: l.name, Session: l.id}, false)
		c.Mark("answered")
		switch {
		case err == nil && own.Session == l.id:
			l.own = own
			return l.grant(c)
		case err != nil && !errors.Is(err, ErrDelay):
			l.leave(c) // the key may be acquired, or may be later, until this session ends
			return Grant{Outcome: NoQuorum, Clean: errors.Is(err, ErrSession)}
		case over(c):
			return Grant{Outcome: NoQuorum, Clean: true}
		case err != nil:
			c.Sleep(l.Poll)
		default:
			_ = l.keys.Await(c, "", own, v.Revision, l.Poll) // whatever the answer, it asks again
			c.Mark("woken")
		}
	}
}

func (l *Consul) grant(c Client) Grant {
	g := Grant{Token: l.own.Name, Fence: l.own.Created, Votes: 1, Deadline: l.until}
	if l.Session.Left(c) <= 0 {
		g.Outcome = TooLate
		g.Clean = l.Release(withoutDeadline(c), g)
	}
	return g
}

// Release releases the key, if it still is what was granted, and abandons the session.
func (l *Consul) Release(c Client, g Grant) (freed bool) {
	for tried := 0; !freed && tried < max(l.Tries, 1); tried++ {
		freed = l.keys.Delete(c, Key{Name: g.Token, Created: g.Fence}) == nil
	}
	if l.own.Created == g.Fence {
		l.leave(c)
	}
	return freed
}

// Left returns how long the hold is valid: as long as its session.
func (l *Consul) Left(c Client, g Grant) time.Duration {
	if g.Fence != l.own.Created {
		return g.Deadline - c.Mono()
	}
	return l.Session.Left(c)
}

// Look returns how often a working holder checks whether its session has ended.
func (l *Consul) Look() time.Duration { return retryAfter }
