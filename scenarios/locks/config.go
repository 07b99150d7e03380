package locks

import (
	"slices"
	"strings"
	"time"
)

// A Config is what one client's lock is made from: its rules, and what they apply to.
type Config struct {
	Rules
	Key     string                                 // the name of the lock
	Servers []int                                  // the servers, as Client.Call knows them
	Fence   func(c Client) (token uint64, ok bool) // where fencing tokens come from; nil for nowhere

	Shared bool // the client is a reader: it shares the lock with others that do, where the lock is one for readers and writers

	Sentinel Sentinel // who knows which server is master, where one is
	Keys     Keys     // the coordination service, where the servers are one
}

// Rules say how a lock behaves. Each rule of the Redis documentation is one field, so a mutant is the reference with
// one field changed. Begin with Reference.
type Rules struct {
	TTL     time.Duration `yaml:"ttl"`
	Timeout time.Duration `yaml:"timeout"`
	Contact Contact       `yaml:"contact"`
	Quorum  int           `yaml:"quorum" least:"0"`
	Clock   Clock         `yaml:"clock"`

	DriftFactor   Share         `yaml:"drift_factor" least:"0" most:"1"`
	DriftConstant time.Duration `yaml:"drift_constant"`

	Take           Take    `yaml:"take"`
	Value          Value   `yaml:"value"`
	FreshToken     bool    `yaml:"fresh_token"`
	ValidityCheck  bool    `yaml:"validity_check"`
	DeductElapsed  bool    `yaml:"deduct_elapsed"`
	Counted        Counted `yaml:"counted"`
	TolerateErrors bool    `yaml:"tolerate_errors"`
	Free           Free    `yaml:"free"`
	Cleanup        Cleanup `yaml:"cleanup"`

	Patience time.Duration `yaml:"patience"`
	OwnTime  bool          `yaml:"own_time"`
	Retry    Retry         `yaml:"retry"`
	Renew    Renew         `yaml:"renew"`
	Extends  Share         `yaml:"extends" least:"0" most:"1"`
	Counter  Counter       `yaml:"counter"`
	Failover FailoverRules `yaml:"failover"`
	Redisson RedissonRules `yaml:"redisson"`
	Session  SessionRules  `yaml:"session"`
	Row      Row           `yaml:"row"`
	Record   RecordRules   `yaml:"record"`
}

// Renew are the rules by which a holder extends its lock.
type Renew struct {
	Every      time.Duration `yaml:"every"`
	Attempts   int           `yaml:"attempts" least:"0"`
	Compare    bool          `yaml:"compare"`
	Quorum     bool          `yaml:"quorum"`
	Check      bool          `yaml:"check"`
	Confirm    bool          `yaml:"confirm"`
	Adds       bool          `yaml:"adds"`
	KeepFailed bool          `yaml:"keep_failed"`
	StopAtFree bool          `yaml:"stop_at_release"`
}

// Reference is the lock as the Redis documentation describes it, with the figures of its first implementation.
func Reference() Rules {
	return Rules{
		TTL: 10 * time.Second, Timeout: 50 * time.Millisecond,
		DriftFactor: 10_000, DriftConstant: 2 * time.Millisecond,
		FreshToken: true, ValidityCheck: true, DeductElapsed: true, TolerateErrors: true, OwnTime: true,
		Retry:    Retry{Min: 50 * time.Millisecond, Max: 250 * time.Millisecond},
		Renew:    Renew{Compare: true, Quorum: true, Check: true, Confirm: true, KeepFailed: true, StopAtFree: true},
		Extends:  1_000_000,
		Failover: FailoverRules{WaitTimeout: 100 * time.Millisecond, CheckWait: true},
		Redisson: RedissonRules{Fallback: true, Ownership: true, Readers: true, Stale: true, Leave: true},
		Session:  SessionReference(),
		Record:   recordReference(),
	}
}

// A Share is a part of one, in millionths.
type Share int

// of returns that part of a time, rounded down to whole nanoseconds, and without overflow on the way.
func (s Share) of(d time.Duration) time.Duration {
	return d/1_000_000*time.Duration(s) + d%1_000_000*time.Duration(s)/1_000_000
}

// Majority returns the smallest number of n servers such that any two groups of that size share one: ⌊n/2⌋+1.
func Majority(n int) int { return n/2 + 1 }

// Need returns how many servers must grant the lock.
func (c Config) Need() int { return c.Votes(len(c.Servers)) }

// Votes returns how many of n servers must grant the lock.
func (r Rules) Votes(n int) int {
	if r.Quorum > 0 {
		return r.Quorum
	}
	return Majority(n)
}

// Drift returns the allowance for clocks that run at different rates: TTL × factor + constant.
func (r Rules) Drift() time.Duration {
	return r.DriftFactor.of(r.TTL) + r.DriftConstant
}

// Validity returns how long the lock is valid, once an attempt has taken this long: TTL − elapsed − drift.
func (r Rules) Validity(elapsed time.Duration) time.Duration {
	if !r.DeductElapsed {
		elapsed = 0
	}
	return r.TTL - elapsed - r.Drift()
}

// The names of values, as scenarios write them.
var (
	ContactNames = []string{"sequential", "parallel"}
	ClockNames   = []string{"monotonic", "wall", "awake"}
	TakeNames    = []string{"set-nx-px", "setnx-then-expire", "get-then-set", "set-nx-pxat", "set-nx-ex"}
	ValueNames   = []string{"random", "microseconds", "seconds", "milliseconds", "milliseconds-only"}
	CountedNames = []string{"at-the-end", "at-quorum"}
	FreeNames    = []string{"compare-and-delete", "delete", "get-then-delete"}
	CleanupNames = []string{"all", "answered", "none"}
)

// A Contact is the order in which servers are asked.
type Contact uint8

// The orders, under the names that scenarios use: sequential, parallel.
const (
	Sequential Contact = iota
	Parallel
)

// A Clock is one of a client's clocks.
type Clock uint8

// The clocks, under the names that scenarios use: monotonic, wall, awake.
const (
	Monotonic Clock = iota
	Wall
	Awake // monotonic, but it stops while the client's host is suspended
)

// read returns what the clock of a client shows.
func (k Clock) read(c Client) time.Duration {
	switch k {
	case Wall:
		return c.Wall()
	case Awake:
		return c.Awake()
	}
	return c.Mono()
}

// A Take is the commands that take the key on a server. All but the first are older forms of the lock, or known errors.
type Take uint8

// The ways to take a key, in the order of TakeNames.
const (
	SetNXPX         Take = iota // SET key token NX PX ttl: one step, and the server counts the TTL
	SetNXThenExpire             // SETNX, then PEXPIRE: a client that dies between them leaves the key for ever
	GetThenSet                  // GET, and if there is no key, SET: two clients can both see none
	SetNXPXAT                   // SET key token NX PXAT deadline: the deadline is by the client's wall clock
	SetNXEX                     // SET key token NX EX ttl: a part of a second is cut off
)

// A Value is what the key of an attempt has as its value.
type Value uint8

// The values, under the names that scenarios use: random, microseconds, seconds, milliseconds, milliseconds-only. All but
// the first are what the client's wall clock shows. Before it comes the client's name, except with milliseconds-only.
const (
	ValueRandom Value = iota
	ValueMicroseconds
	ValueSeconds // two attempts within a second have the same
	ValueMilliseconds
	ValueMillisecondsOnly // two clients that ask in the same millisecond have the same
)

// Fresh reports whether no two attempts can have the same value.
func (r Rules) Fresh() bool { return r.FreshToken && r.Value == ValueRandom }

// A Counted is the moment at which an attempt ends, for step three.
type Counted uint8

// The moments, under the names that scenarios use: at-the-end, at-quorum.
const (
	AtTheEnd Counted = iota // when the last server has answered, or has timed out
	AtQuorum                // when the votes sufficed, though the slowest answer is still awaited
)

// A Free is the commands by which the key is freed on a server.
type Free uint8

// The ways to free a key, under the names that scenarios use: compare-and-delete, delete, get-then-delete.
const (
	CompareAndDelete Free = iota // a script that deletes the key if it still has the token
	Delete                       // DEL, even another client's key
	GetThenDelete                // GET, and if it has the token, DEL: it can change hands between them
)

// A Cleanup is the servers on which a failed attempt is released.
type Cleanup uint8

// The ways to clean up, under the names that scenarios use: all, answered, none. A server that did not answer may still
// hold the key: its reply was late, or lost.
const (
	CleanAll Cleanup = iota
	CleanAnswered
	CleanNone
)

// A Retry is how often to try, and how long to wait between two attempts.
type Retry struct {
	Attempts int           `yaml:"attempts" least:"0"`
	Min      time.Duration `yaml:"min"`
	Max      time.Duration `yaml:"max"`
}

// Acquire tries until an attempt wins, or attempts or patience (0: no limit) are used up. It returns the last grant.
func (r Retry) Acquire(c Client, l Lock, patience time.Duration) Grant {
	c = withDeadline(c, patience)
	for n := 1; ; n++ {
		g := l.Acquire(c)
		if g.Won() || n == r.Attempts {
			return g
		}
		c.Sleep(r.Min + time.Duration(c.Draw(uint64(max(r.Max-r.Min, 0))+1)))
		if over(c) {
			return g
		}
	}
}

// A Protocol describes a kind of lock before one is made. Each is declared in the file of its steps.
type Protocol struct {
	Name    string            // as scenarios write it
	New     func(Config) Lock // makes one client's lock
	Options []string          // its options, as files write them below lock; one that ends in a dot is a section with all in it

	OneServer bool             // it asks the first server alone
	Shares    bool             // readers may share it: see Config.Shared
	Counts    func(Rules) bool // reports whether its fencing tokens are its own; nil for never
	Complete  func(*Rules)     // sets what a lock needs that is changed to this kind; nil for nothing

	// Attempt returns the longest that one attempt can take with its cleanup, by the client's clock, if each call to
	// one of the servers may reach its timeout. Nil is two calls to each server to take the key, and two to free it.
	Attempt func(r Rules, servers int) time.Duration
	Longer  time.Duration // than the TTL: how long its keys live beyond it
}

// Has reports whether such a lock has the option.
func (p *Protocol) Has(option string) bool {
	section, _, inner := strings.Cut(option, ".")
	return slices.Contains(p.Options, option) || inner && slices.Contains(p.Options, section+".")
}

// Longest returns the longest that one attempt can take: see Attempt.
func (p *Protocol) Longest(r Rules, servers int) time.Duration {
	if p.Attempt == nil {
		return calls(r, 4*servers)
	}
	return p.Attempt(r, servers)
}

func making[L Lock](construct func(Config) L) func(Config) Lock {
	return func(c Config) Lock { return construct(c) }
}

// always is for locks that count fencing tokens whatever their rules.
func always(Rules) bool { return true }

// calls returns how long n calls take that all time out. A year is long enough: a sum must not overflow.
func calls(r Rules, n int) time.Duration {
	const year = 366 * 24 * time.Hour
	return min(r.Timeout, year/time.Duration(n)) * time.Duration(n)
}
