package locks

import (
	"errors"
	"math"
	"time"
)

// A Client is what a lock client may do. In a simulation a sim.Proc is one; real servers have another.
type Client interface {
	// Wall returns what the client's wall clock shows, since the Unix epoch. It can be stepped, forward and back.
	Wall() time.Duration
	// Mono returns what its monotonic clock shows, since an arbitrary moment. It only goes forward.
	Mono() time.Duration
	// Awake returns what a monotonic clock shows that stops while the client's host is suspended.
	Awake() time.Duration
	// Sleep waits.
	Sleep(d time.Duration)
	// Draw draws a number from 0 to n-1.
	Draw(n uint64) uint64
	// Token draws a unique value.
	Token() string
	// Call sends a command to a server and waits for its reply: a string, an int64, nil for Redis's nil, or a value
	// that is an error for an error reply. The error result is for a reply that did not come.
	Call(server int, command any, timeout time.Duration) (reply any, err error)
	// Together does n things in parallel and returns when all are done. They take turns, because one lock must not do
	// two things in one moment: each continues alone until it blocks in one of these methods.
	Together(n int, do func(i int))
	// Mark is called at a named point. A simulation may let a fault hit there.
	Mark(name string)
}

// A Lock is one client's way to acquire and release. Further abilities are optional interfaces: Leased, Extender,
// Sessioned, Owned, Transactional, Remembering. Callers find them by type assertion.
type Lock interface {
	// Acquire makes one attempt, and cleans up after itself when it fails.
	Acquire(c Client) Grant
	// Release releases what an attempt won. It reports whether every server acknowledged, which an error reply is not.
	Release(c Client, g Grant) (acknowledged bool)
}

// A Leased lock has its own way to count how long a grant is valid. Left asks any lock.
type Leased interface {
	Lock
	// Left returns how long the grant is still valid, by the clock that the lock counts on.
	Left(c Client, g Grant) time.Duration
}

// An Extender is a Lock whose hold can be extended.
type Extender interface {
	Lock
	// Extend lets a hold last longer, and moves its deadline. If it fails the lock is held until the old deadline.
	Extend(c Client, g *Grant) (extended bool)
}

// A Sessioned lock needs a session, which must be kept alive while its client lives.
type Sessioned interface {
	Lock
	// Keep keeps the client's sessions alive until it is stopped. It runs in a separate thread of control on the
	// client's machine: a waiter's session must live, too.
	Keep(c Client)
	// OnDeadline sets the function to call when the deadline of everything that the client holds moves.
	OnDeadline(do func(c Client, until time.Duration))
}

// A Watched lock may end while its holder doesn't know. A holder that must stop then checks every Look while it works.
type Watched interface {
	Lock
	Look() time.Duration
}

// An Owned lock names its owner in place of the attempt: all attempts of one client have the same token.
type Owned interface {
	Lock
	// Owner returns that token; it is empty before the first attempt.
	Owner() string
}

// A Transactional lock is a transaction of the database that holds the resource.
type Transactional interface {
	Lock
	// Transaction returns the session of the transaction that the holder's statements belong to; empty for none.
	Transaction(g Grant) (session string)
	// Ended returns what became of the transaction that the latest release ended.
	Ended() Ending
}

// A Remembering lock says what it remembers, so that the states of two runs can be compared.
type Remembering interface {
	Lock
	// Memory calls add with everything the lock remembers from one operation to the next, apart from its configuration.
	// Server is -1 for what concerns no server in particular.
	Memory(add func(server int, known any))
}

// An Ending is what became of a transaction.
type Ending uint8

// The endings of a transaction.
const (
	Committed  Ending = iota
	RolledBack        // it had ended before, and nothing that was done in it lasts
	InDoubt           // the commit got no answer
)

// NoDeadline is the deadline of a grant that computes none: it is valid for as long as its client lives.
const NoDeadline time.Duration = math.MaxInt64

// Left returns how long a grant is still valid: by Leased if the lock has it, or by the client's monotonic clock.
func Left(l Lock, c Client, g Grant) time.Duration {
	if leased, ok := l.(Leased); ok {
		return leased.Left(c, g)
	}
	if g.Deadline == NoDeadline {
		return NoDeadline
	}
	return g.Deadline - c.Mono()
}

// A Grant is the outcome of one attempt to acquire.
type Grant struct {
	Outcome  Outcome
	Token    string        // the random value of this attempt
	Fence    uint64        // the fencing token; 0 when there is none
	Votes    int           // servers that granted it
	Deadline time.Duration // what the lock's clock shows when the validity ends; NoDeadline if it computes none
	Clean    bool          // after a failed attempt: every server that was asked acknowledged the release
}

// An Outcome is how an attempt ended.
type Outcome uint8

// The outcomes of an attempt.
const (
	Won      Outcome = iota // the lock is held, until Deadline at the latest
	NoQuorum                // too few servers granted it
	TooLate                 // enough granted it, but it took so long that no validity is left
	NoFence                 // enough granted it, but no fencing token could be had
	Broken                  // a node failed to answer, and the lock gave up
)

// Won reports whether the lock is held.
func (g Grant) Won() bool { return g.Outcome == Won }

// A deadlined client works for a caller who waits until a certain time and no longer, which limits all its waiting.
type deadlined struct {
	Client
	until time.Duration // on its monotonic clock
}

// withDeadline limits the client's waiting to a patience; 0 means no limit.
func withDeadline(c Client, patience time.Duration) Client {
	if patience == 0 {
		return c
	}
	return deadlined{c, c.Mono() + patience}
}

func withoutDeadline(c Client) Client {
	if d, ok := c.(deadlined); ok {
		return d.Client
	}
	return c
}

func over(c Client) bool {
	d, ok := c.(deadlined)
	return ok && d.left() <= 0
}

func (d deadlined) left() time.Duration { return d.until - d.Mono() }

// Sleep waits, while the patience lasts.
func (d deadlined) Sleep(wait time.Duration) { d.Client.Sleep(min(wait, max(d.left(), 0))) }

// Call sends nothing once the patience has ended.
func (d deadlined) Call(server int, command any, timeout time.Duration) (any, error) {
	left := d.left()
	if left <= 0 {
		return nil, errPatience
	}
	return d.Client.Call(server, command, min(timeout, left))
}

var errPatience = errors.New("the caller's patience has ended")
