package locks

import (
	"strconv"
	"time"
)

// Redisson is the lock of the Redisson library for Java, after its published scripts and documentation. A lock is a
// hash with one field, named for its owner: the client and its thread. The value counts how often the owner has
// acquired it. The key lives for a lease. A watchdog, the lock's [Renewal], extends it every third of that while the
// owner lives; so the owner knows no deadline, and holds the lock until it releases. A release publishes a message that
// wakes the waiters.
//
// Its RFencedLock ([RedissonRules.Fenced]) counts a new token each time that the owner acquires it, in the same script.
//
// With several servers it is the library's MultiLock-based red lock: one such lock on each, held by the client that has
// it on a majority. Its documentation calls it deprecated. It lacks what Redlock adds: a token for each attempt, an
// allowance for drift, and a check of the validity that is left.
//
// [NewRedissonFair] and [NewRedissonShared] make what the library calls its fair lock and its read-write lock, and
// [NewRedissonSentinel] the plain lock on a master that has replicas.
type Redisson struct {
	config Config
	script func(l *Redisson, c Client, d deed) []string // the command that does a deed on one server
	owner  string                                       // of all its attempts: the client and its thread
	suffix string                                       // of the owner's name
	fair   bool                                         // waiters are in a queue
	token  uint64                                       // the fencing token of the latest attempt
	px     string                                       // the lease, as Redis takes it
	unsure bool                                         // an answer of the latest attempt was lost
	failed bool                                         // a call has failed: the server may be master no longer

	confirm func(c Client, server int) bool // reports whether what was taken counts; nil for always
}

// RedissonRules are the options that this lock alone has.
type RedissonRules struct {
	Depth     int           `yaml:"depth" least:"0" most:"100"`
	Wait      time.Duration `yaml:"wait"`
	Fallback  bool          `yaml:"fallback"`
	Ownership bool          `yaml:"ownership"`
	Fenced    bool          `yaml:"fenced"`
	Readers   bool          `yaml:"readers"`
	Leases    Leases        `yaml:"leases"`
	QueueWait time.Duration `yaml:"queue_wait"`
	Stale     bool          `yaml:"stale"`
	Leave     bool          `yaml:"leave"`
	GetToken  bool          `yaml:"get_token"`
}

// NewRedisson makes one client's lock on one server.
func NewRedisson(c Config) *Redisson {
	if len(c.Servers) != 1 {
		panic("locks: a Redisson lock needs exactly one server")
	}
	return NewRedissonRed(c)
}

// NewRedissonRed makes one client's red lock, of one lock on each server.
func NewRedissonRed(c Config) *Redisson {
	return &Redisson{config: c, px: millis(c.TTL), script: (*Redisson).plainScript}
}

// A deed is what a client has a server do.
type deed uint8

// The deeds.
const (
	toTake deed = iota
	toFree
	toRenew
	toLeave // the queue
)

func (l *Redisson) plainScript(_ Client, d deed) []string {
	script := [...]string{toTake: redissonTake, toFree: redissonFree, toRenew: redissonRenew}[d]
	if d == toFree && !l.config.Redisson.Ownership {
		script = redissonFreeAny
	}
	return l.eval(script)
}

// eval returns the command that runs a script, with what all have: the lock, its channel, the owner and the lease.
func (l *Redisson) eval(script string, more ...string) []string {
	return append([]string{"EVAL", script, "2", l.config.Key, l.channel(), l.owner, l.px}, more...)
}

// RedissonProtocol is the protocol of NewRedisson, RedissonRedProtocol the one of NewRedissonRed.
var (
	RedissonProtocol = Protocol{
		Name: "redisson", New: making(NewRedisson), OneServer: true,
		Options:  append([]string{"redisson.fenced", "redisson.get_token"}, redissonOptions...),
		Counts:   func(r Rules) bool { return r.Redisson.Fenced },
		Complete: startWatchdog, Attempt: redissonAttempt,
	}
	RedissonRedProtocol = Protocol{
		Name: "redisson-red", New: making(NewRedissonRed), Options: append([]string{"quorum"}, redissonOptions...),
		Complete: startWatchdog, Attempt: redissonAttempt,
	}
)

var redissonOptions = []string{"ttl", "timeout", "patience", "retry.", "renew.every", "renew.attempts",
	"renew.stop_at_release",
	"redisson.depth", "redisson.wait", "redisson.fallback", "redisson.ownership"}

// startWatchdog starts the watchdog, for which people use the lock.
func startWatchdog(r *Rules) {
	if r.Renew.Every == 0 {
		r.Renew.Every = r.TTL / 3
	}
}

// redissonAttempt is four calls to each server for each level, and the wait: a waiter looks again when the lease ends.
func redissonAttempt(r Rules, servers int) time.Duration {
	return min(r.Redisson.Wait, r.TTL) + calls(r, 4*servers*(max(r.Redisson.Depth, 1)+1))
}

// The scripts. Their keys are the lock and its channel, and the counter of a fenced lock; their arguments the owner and
// the lease. The first returns nil if the owner now has the lock, and otherwise how long the current lease lasts. Its
// fenced version returns -1 for nil, and a token. The release script returns how often the owner still has the lock, or
// nil if it does not have it.
const (
	redissonTake = `if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
  redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return nil
end
return redis.call('PTTL', KEYS[1])`
	redissonTakeFenced = `if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
  local token = redis.call('INCR', KEYS[3])
  redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return {-1, token}
end
return {redis.call('PTTL', KEYS[1]), -1}`
	redissonFree = `if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return nil end
local left = redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
if left > 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return left
end
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', KEYS[2], 'free')
return 0`
	redissonFreeAny = `redis.call('DEL', KEYS[1])
redis.call('PUBLISH', KEYS[2], 'free')
return 0`
	redissonRenew = `if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`
)

// Owner returns the token that all attempts have in common; empty before the first of them.
func (l *Redisson) Owner() string { return l.owner }

// Acquire makes one attempt. If the lock is not free, the attempt waits for as long as it may.
func (l *Redisson) Acquire(c Client) Grant {
	if l.owner == "" {
		l.owner = c.Token() + l.suffix
	}
	start := c.Mono()
	l.unsure = false
	c.Mark("asking")
	votes, _ := l.take(c)
	if votes < l.config.Need() && l.config.Redisson.Wait > 0 {
		votes = l.await(c, start+l.config.Redisson.Wait)
		if votes < l.config.Need() {
			l.leave(c)
		}
	}
	g := Grant{Token: l.owner, Votes: votes, Deadline: NoDeadline, Clean: true}
	if l.config.Renew.Every == 0 {
		g.Deadline = start + l.config.TTL
	}
	taken := 0
	if votes >= l.config.Need() {
		taken = l.deepen(c)
	}
	if l.config.Redisson.Fenced && taken > 0 {
		c.Mark("taken")
	}
	if taken == l.depth() {
		g.fence(c, l.fence())
	} else {
		g.Outcome = NoQuorum
	}
	c.Mark("answered")
	if !g.Won() {
		g.Clean = l.giveUp(c, taken)
	}
	return g
}

// giveUp ends a failed attempt: the lock is released as often as it was taken, by the red lock also where only a
// minority granted it. If an answer of the single server was lost, the key is left until the lease ends.
func (l *Redisson) giveUp(c Client, taken int) (clean bool) {
	if len(l.config.Servers) > 1 {
		return l.free(c, max(taken, 1))
	}
	return l.free(c, taken) && !l.unsure
}

func (l *Redisson) depth() int { return max(l.config.Redisson.Depth, 1) }

// take asks every server for the lock. It returns how many granted it, and the lease left on one that did not.
func (l *Redisson) take(c Client) (votes int, lease time.Duration) {
	for i := range l.config.Servers {
		switch left, ok := l.takeOn(c, i); {
		case ok && left == owned:
			if l.confirm == nil || l.confirm(c, l.config.Servers[i]) {
				votes++
			}
		case ok:
			lease = time.Duration(left) * time.Millisecond
		default:
			l.unsure = true
		}
	}
	return votes, lease
}

// owned is what takeOn returns of a lock that is the owner's now.
const owned = -1

// takeOn asks one server for the lock. It returns owned, or for how many milliseconds the lease of another lasts.
func (l *Redisson) takeOn(c Client, i int) (left int64, ok bool) {
	if !l.config.Redisson.Fenced {
		reply, ok := l.run(c, i, toTake)
		if ok && reply == nil {
			return owned, true
		}
		left, _ = reply.(int64)
		return left, ok
	}
	command := []string{"EVAL", redissonTakeFenced, "3", l.config.Key, l.channel(), l.config.counterKey(), l.owner,
		l.px}
	reply, ok := l.call(c, i, command, l.config.Timeout)
	pair, _ := reply.([]any)
	if !ok || len(pair) != 2 {
		return 0, false
	}
	left, _ = pair[0].(int64)
	if token, _ := pair[1].(int64); left == owned {
		l.token = uint64(token)
	}
	return left, true
}

// fence returns the source of the lock's fencing tokens: the lock itself, if it counts them.
func (l *Redisson) fence() func(Client) (uint64, bool) {
	switch {
	case !l.config.Redisson.Fenced || l.config.Fence != nil:
		return l.config.Fence
	case l.config.Redisson.GetToken:
		return l.getToken
	}
	return func(Client) (uint64, bool) { return l.token, true }
}

// getToken asks for the latest token that was counted. It is another's, if the lock has passed to that meanwhile.
func (l *Redisson) getToken(c Client) (uint64, bool) {
	reply, ok := l.call(c, 0, []string{"GET", l.config.counterKey()}, l.config.Timeout)
	text, _ := reply.(string)
	n, err := strconv.ParseUint(text, 10, 64)
	return n, ok && err == nil
}

// deepen takes the lock, which the owner has once, up to its depth. It returns how often the owner has it.
func (l *Redisson) deepen(c Client) (taken int) {
	for taken = 1; taken < l.depth(); taken++ {
		if votes, _ := l.take(c); votes < l.config.Need() {
			break
		}
	}
	return taken
}

// await waits on the first server until the lock is free, and takes it. A subscriber asks once more before it waits: a
// release may have come in between. A message may be lost, so the end of the lease is a second reason to try.
func (l *Redisson) await(c Client, until time.Duration) (votes int) {
	if _, ok := l.call(c, 0, []string{"SUBSCRIBE", l.waitsOn()}, l.config.Timeout); !ok {
		return 0
	}
	for {
		held, lease := l.take(c)
		if votes = held; votes >= l.config.Need() || over(c) {
			break
		}
		left := until - c.Mono()
		if left <= 0 {
			break
		}
		switch {
		case !l.config.Redisson.Fallback:
		case lease > 0:
			left = min(left, lease)
		case l.fair: // no client holds the lock, and it is another's turn
			left = min(left, max(l.config.Retry.Min, time.Millisecond))
		}
		c.Mark("waiting")
		receive := []string{"RECEIVE", l.waitsOn(), millis(left + time.Millisecond)}
		if _, ok := l.call(c, 0, receive, left+l.config.Timeout); !ok { // the connection is gone
			l.call(c, 0, []string{"SUBSCRIBE", l.waitsOn()}, l.config.Timeout)
		}
	}
	l.call(c, 0, []string{"UNSUBSCRIBE", l.waitsOn()}, l.config.Timeout)
	return votes
}

// leave removes a client that stops waiting from the queue of a fair lock, even if its deadline has passed.
func (l *Redisson) leave(c Client) {
	if l.fair && l.config.Redisson.Leave {
		l.run(withoutDeadline(c), 0, toLeave)
	}
}

// Release releases the lock as often as it was taken.
func (l *Redisson) Release(c Client, _ Grant) bool { return l.free(c, l.depth()) }

func (l *Redisson) free(c Client, times int) bool {
	all := true
	for range times {
		for i := range l.config.Servers {
			_, ok := l.run(c, i, toFree)
			all = all && ok
		}
	}
	return all
}

// Extend is what the watchdog does: it renews the lease wherever the lock is still its owner's.
func (l *Redisson) Extend(c Client, _ *Grant) bool {
	c.Mark("extending")
	votes := 0
	for i := range l.config.Servers {
		if reply, ok := l.run(c, i, toRenew); ok && reply == int64(1) {
			votes++
		}
	}
	c.Mark("extension-answered")
	return votes >= l.config.Need()
}

// Left returns how long the lock is taken to be held: for ever, where a watchdog renews it.
func (l *Redisson) Left(c Client, g Grant) time.Duration { return g.Deadline - c.Mono() }

func (l *Redisson) channel() string { return l.config.Key + ":free" }

// waitsOn returns the channel that wakes the client: a fair lock wakes the first in its queue alone.
func (l *Redisson) waitsOn() string {
	if l.fair {
		return l.channel() + ":" + l.owner
	}
	return l.channel()
}

func (l *Redisson) run(c Client, i int, d deed) (reply any, ok bool) {
	return l.call(c, i, l.script(l, c, d), l.config.Timeout)
}

// call sends a command to one server. It is not ok if no answer came, or an error.
func (l *Redisson) call(c Client, i int, command []string, timeout time.Duration) (reply any, ok bool) {
	reply, err := c.Call(l.config.Servers[i], command, timeout)
	_, bad := reply.(error)
	l.failed = l.failed || err != nil || bad
	return reply, err == nil && !bad
}
