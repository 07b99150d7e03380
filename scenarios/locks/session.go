package locks

import (
	"errors"
	"time"
)

// Keys is what a recipe asks of a coordination service such as etcd or ZooKeeper: keys under sessions, in order of
// creation. After an error other than ErrSession the request may have been done, or may be done later.
type Keys interface {
	// Grant begins a session, and returns its ID. For the lock-delay after its end no one can create its keys again.
	Grant(c Client, ttl, lockDelay time.Duration) (session uint64, err error)
	// KeepAlive resets the session to its full TTL.
	KeepAlive(c Client, session uint64) error
	// Create creates a key. One that is not sequential and exists already stays as it is. The view has all keys under
	// the same prefix, at the moment of creation.
	Create(c Client, k Key, sequential bool) (own Key, v View, err error)
	// List returns all keys under a prefix: the keys that one server knows of if local is true, as in ZooKeeper, or
	// else the result of a linearizable read, as in etcd.
	List(c Client, prefix string, local bool) (View, error)
	// Await returns once a key is gone; or, if it has no name, once any key under the prefix was created or deleted.
	// Both count from a revision. When the patience has ended it returns an error.
	Await(c Client, prefix string, k Key, since uint64, patience time.Duration) error
	// Delete deletes a key, if it is there. Without a revision it deletes whichever key has the name.
	Delete(c Client, k Key) error
}

// ErrSession is the answer of a service that has ended the session, ErrDelay of one that keeps a key's lock-delay.
var (
	ErrSession = errors.New("the session is no more")
	ErrDelay   = errors.New("the key's lock-delay has not passed")
)

// A Key is one entry of the service.
type Key struct {
	Name    string
	Session uint64 // the session that it ends with
	Created uint64 // the revision of its creation: etcd's create revision, ZooKeeper's czxid
}

// A View is what a service shows: keys in the order of their creation, and the revision of the view.
type View struct {
	Revision uint64
	Keys     []Key
}

// before returns the key created just before another, without a name if there is none, and whether that other is there.
func (v View) before(own Key) (k Key, there bool) {
	for _, o := range v.Keys {
		switch {
		case o.Name == own.Name && o.Created == own.Created:
			there = true
		case o.Created < own.Created:
			k = o
		}
	}
	return k, there
}

// SessionRules say how a client keeps a session of a coordination service, and for how long it takes it for valid. Each
// rule is one field, so that a mutant is the reference with one field changed. Begin with SessionReference.
type SessionRules struct {
	TTL       time.Duration `yaml:"-"` // how long the service keeps a session that it hears nothing from: Rules.TTL
	KeepAlive time.Duration `yaml:"keep_alive"`
	Timeout   time.Duration `yaml:"-"` // how long to wait for the answer of one server: Rules.Timeout
	Poll      time.Duration `yaml:"poll"`
	Tries     int           `yaml:"tries" least:"0" most:"100"`
	Margin    Share         `yaml:"margin" least:"0" most:"1"`

	Stay      bool          `yaml:"stay"`
	Watch     Watch         `yaml:"watch"`
	Check     Check         `yaml:"check"`
	Confirm   bool          `yaml:"confirm"`
	Sent      bool          `yaml:"sent"`
	Compare   bool          `yaml:"compare"`
	GiveUp    bool          `yaml:"give_up"`
	OwnNode   bool          `yaml:"own_node"`
	Late      Share         `yaml:"late" least:"0" most:"1"`
	LockDelay time.Duration `yaml:"lock_delay"`
	OwnClock  bool          `yaml:"own_clock"`
}

// SessionReference follows the recipes' manuals, with what later versions of them have corrected.
func SessionReference() SessionRules {
	return SessionRules{
		TTL: 10 * time.Second, Timeout: time.Second, Poll: 2 * time.Second, Tries: 3, Margin: 10_000,
		Confirm: true, Sent: true, Compare: true, GiveUp: true, OwnNode: true,
		Late: 1_000_000, LockDelay: 15 * time.Second, OwnClock: true,
	}
}

func (s SessionRules) interval() time.Duration {
	if s.KeepAlive > 0 {
		return s.KeepAlive
	}
	return s.TTL / 3
}

// validity returns how long a client takes a session for valid after it heard from the service: TTL − margin.
func (s SessionRules) validity() time.Duration {
	return s.TTL - s.Margin.of(s.TTL)
}

// A Watch is what a waiter waits for.
type Watch uint8

// The keys that a waiter can watch, under the names that scenarios use: predecessor, everybody.
const (
	Predecessor Watch = iota // the key just before its own: one waiter wakes for each release
	Everybody                // any change of the queue: all waiters wake. It is safe, and slow: the herd effect
)

// WatchNames lists what a waiter can wait for as scenarios write it.
var WatchNames = []string{"predecessor", "everybody"}

// A Check is what a client checks before it takes itself for the holder.
type Check uint8

// The checks after a wait, under the names that scenarios use: both, key, session, none.
const (
	CheckBoth    Check = iota
	CheckKey           // is its own key still there, at the service? etcd's lock asks that by now; once it did not
	CheckSession       // is the session still valid, by its own clock? It is Redlock's third step
	CheckNone          // granted after expiry: the session ended while it queued, and it was still granted
)

// CheckNames lists what can be checked as scenarios write it.
var CheckNames = []string{"both", "key", "session", "none"}

// A Session is one client's session as the client sees it. Its methods are for one client's procs, which take turns.
type Session struct {
	SessionRules
	keys            Keys
	late, lockDelay time.Duration // how much longer than the TTL the service keeps the session, and then its keys

	onDeadline func(c Client, until time.Duration) // nil for none

	id      uint64        // 0 for none
	until   time.Duration // when it stops being valid, on the client's monotonic clock
	unsure  bool          // a request to create a key under it had no answer, and may be carried out at any time
	stopped bool
}

// Left returns how long the session is still valid. The service hears from the client at the earliest when a keep-alive
// is sent, and keeps the session for the TTL from then on; so what counts is when the last one was sent that was
// answered.
func (s *Session) Left(c Client) time.Duration { return s.until - c.Mono() }

func (s *Session) open(c Client) error {
	if s.id != 0 && s.Left(c) > 0 {
		return nil
	}
	sent := c.Mono()
	id, err := s.keys.Grant(c, s.TTL+s.late, s.lockDelay)
	if err != nil {
		return err
	}
	s.id, s.unsure = id, false
	s.heard(c, sent)
	return nil
}

// heard moves the deadline: the service has heard from the client, at the earliest when the answered request was sent.
func (s *Session) heard(c Client, sent time.Duration) {
	switch {
	case !s.OwnClock:
		s.move(c, NoDeadline)
	case !s.Sent:
		s.move(c, c.Mono()+s.validity())
	default:
		s.move(c, sent+s.validity())
	}
}

func (s *Session) move(c Client, until time.Duration) {
	s.until = until
	if s.onDeadline != nil {
		s.onDeadline(c, until)
	}
}

// leave abandons the session: it is kept alive no more, and is no longer valid for the client.
func (s *Session) leave(c Client) {
	s.id = 0
	s.move(c, min(s.until, c.Mono()))
}

// keepAlive sends one keep-alive. By the time of the answer the client may have begun another session.
func (s *Session) keepAlive(c Client) (kept bool) {
	id, sent := s.id, c.Mono()
	c.Mark("keep-alive")
	if !s.Confirm {
		s.move(c, sent+s.validity())
	}
	err := s.keys.KeepAlive(c, id)
	switch {
	case s.id != id:
		return false
	case errors.Is(err, ErrSession):
		s.leave(c)
	case err == nil && s.Confirm:
		s.heard(c, sent)
	}
	return err == nil
}

// retryAfter is how soon after a keep-alive that failed the next one is sent, as in etcd's client.
const retryAfter = 500 * time.Millisecond

// Keep keeps the client's sessions alive until it is stopped, in a separate thread on the client's machine, while the
// client lives: a waiter's session must live, too.
func (s *Session) Keep(c Client) {
	for wait := s.interval(); !s.stopped; {
		c.Sleep(wait)
		wait = s.interval()
		if s.id != 0 && !s.keepAlive(c) {
			wait = min(wait, retryAfter)
		}
	}
}

// OnDeadline sets the function that is called when the end of the session's validity moves.
func (s *Session) OnDeadline(do func(c Client, until time.Duration)) { s.onDeadline = do }

// Stop ends the keeping.
func (s *Session) Stop() { s.stopped = true }
