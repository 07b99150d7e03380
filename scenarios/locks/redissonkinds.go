package locks

import (
	"strconv"
	"time"
)

// This file has Redisson's fair lock and its lock for readers and writers. They follow the scripts of its version
// 4.7.1, in our words.

// RedissonSharedProtocol is the protocol of NewRedissonShared, RedissonFairProtocol the one of NewRedissonFair.
var (
	RedissonSharedProtocol = Protocol{
		Name: "redisson-rw", New: making(NewRedissonShared), OneServer: true, Shares: true,
		Options:  append([]string{"redisson.readers", "redisson.leases"}, redissonOptions...),
		Complete: startWatchdog, Attempt: redissonAttempt,
	}
	RedissonFairProtocol = Protocol{
		Name: "redisson-fair", New: making(NewRedissonFair), OneServer: true,
		Options:  append([]string{"redisson.queue_wait", "redisson.stale", "redisson.leave"}, redissonOptions...),
		Complete: startWatchdog, Attempt: redissonAttempt,
	}
)

// Leases are what decides how long the key lives on when a reader leaves.
type Leases uint8

// The leases, under the names that scenarios use: longest, shortest, none.
const (
	Longest  Leases = iota // of the readers that stay
	Shortest               // of the readers that stay: the others lose the lock with that one
	NoLease                // the key is deleted, even if others hold the lock
)

// LeasesNames lists them as scenarios write them.
var LeasesNames = []string{"longest", "shortest", "none"}

// NewRedissonShared makes one client's half of Redisson's RReadWriteLock: its read lock if Config.Shared is set, else
// its write lock. The hash has a field mode, which says who holds it, and a field for each holder. Each reader also has
// a lease, as the life of another key, so that a dead one does not keep the lock for longer: a reader that leaves sets
// the life of the hash to the longest lease left. A writer's field has another name than the same client's as a reader.
// Left out: that a writer may take the read lock too.
func NewRedissonShared(c Config) *Redisson {
	l := NewRedisson(c)
	l.script = (*Redisson).writerScript
	if l.suffix = ":write"; c.Shared {
		l.script, l.suffix = (*Redisson).readerScript, ""
	}
	return l
}

const (
	readerTake = `local mode = redis.call('HGET', KEYS[1], 'mode')
if mode == 'write' then return redis.call('PTTL', KEYS[1]) end
redis.call('HSET', KEYS[1], 'mode', 'read')
local times = redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
redis.call('SET', KEYS[1] .. ':' .. ARGV[1] .. ':' .. times, 1, 'PX', ARGV[2])
redis.call('PEXPIRE', KEYS[1], math.max(redis.call('PTTL', KEYS[1]), tonumber(ARGV[2])))
return nil`
	readerFree = `if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return nil end
local times = redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
if times == 0 then redis.call('HDEL', KEYS[1], ARGV[1]) end
redis.call('DEL', KEYS[1] .. ':' .. ARGV[1] .. ':' .. (times + 1))
local longest, shortest = 0, nil
for _, name in ipairs(redis.call('HKEYS', KEYS[1])) do
  local held = name ~= 'mode' and tonumber(redis.call('HGET', KEYS[1], name)) or 0
  for i = 1, held do
    local left = redis.call('PTTL', KEYS[1] .. ':' .. name .. ':' .. i)
    if left > 0 then longest, shortest = math.max(longest, left), math.min(shortest or left, left) end
  end
end
local left = ({longest = longest, shortest = shortest, none = 0})[ARGV[3]]
if left and left > 0 then
  redis.call('PEXPIRE', KEYS[1], left)
  return 0
end
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', KEYS[2], 'free')
return 1`
	readerRenew = `local times = redis.call('HGET', KEYS[1], ARGV[1])
if not times then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
for i = 1, tonumber(times) do redis.call('PEXPIRE', KEYS[1] .. ':' .. ARGV[1] .. ':' .. i, ARGV[2]) end
return 1`
	writerTake = `local mode = redis.call('HGET', KEYS[1], 'mode')
local mine = redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1
if not mine and (mode == 'write' or mode == 'read' and ARGV[3] == '1') then return redis.call('PTTL', KEYS[1]) end
redis.call('HSET', KEYS[1], 'mode', 'write')
redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return nil`
	writerFree = `if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return nil end
local left = redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
if left > 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return left
end
redis.call('HDEL', KEYS[1], ARGV[1])
if redis.call('HLEN', KEYS[1]) > 1 then
  redis.call('HSET', KEYS[1], 'mode', 'read')
  return 0
end
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', KEYS[2], 'free')
return 0`
)

func (l *Redisson) readerScript(c Client, d deed) []string {
	switch d {
	case toTake:
		return l.eval(readerTake)
	case toRenew:
		return l.eval(readerRenew)
	case toFree:
		if l.config.Redisson.Ownership {
			return l.eval(readerFree, LeasesNames[l.config.Redisson.Leases])
		}
	}
	return l.plainScript(c, d)
}

func (l *Redisson) writerScript(c Client, d deed) []string {
	switch d {
	case toTake:
		return l.eval(writerTake, digit(l.config.Redisson.Readers))
	case toFree:
		if l.config.Redisson.Ownership {
			return l.eval(writerFree)
		}
	}
	return l.plainScript(c, d)
}

// NewRedissonFair makes one client's fair lock. A client that finds the lock taken joins a queue, which is a list of
// names. A sorted set says until when each may stay: the time of the one before it, or the holder's lease, plus the
// wait. Only the first in the queue may acquire a free lock, and a release wakes only that one. A dead client stays in
// the queue until its time has ended and the next client looks. The times are by the clients' wall clocks.
//
// A client whose turn has not come retries after only the shortest time between two attempts, as the library does.
func NewRedissonFair(c Config) *Redisson {
	l := NewRedisson(c)
	l.script, l.fair = (*Redisson).fairScript, true
	return l
}

const (
	fairStale = `while ARGV[5] == '1' do
  local first = redis.call('LINDEX', KEYS[3], 0)
  local stays = first and redis.call('ZSCORE', KEYS[4], first)
  if not stays or tonumber(stays) > tonumber(ARGV[3]) then break end
  redis.call('ZREM', KEYS[4], first)
  redis.call('LPOP', KEYS[3])
end
`
	fairTake = fairStale + `local first = redis.call('LINDEX', KEYS[3], 0)
if redis.call('EXISTS', KEYS[1]) == 0 and (not first or first == ARGV[1]) then
  redis.call('LPOP', KEYS[3])
  redis.call('ZREM', KEYS[4], ARGV[1])
  for _, name in ipairs(redis.call('ZRANGE', KEYS[4], 0, -1)) do redis.call('ZINCRBY', KEYS[4], -tonumber(ARGV[4]), name) end
  redis.call('HSET', KEYS[1], ARGV[1], 1)
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return nil
end
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
  redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return nil
end
local left = redis.call('PTTL', KEYS[1])
if ARGV[4] == '0' or redis.call('ZSCORE', KEYS[4], ARGV[1]) then return math.max(left, 0) end
local last = redis.call('LINDEX', KEYS[3], -1)
local stays = last and redis.call('ZSCORE', KEYS[4], last)
if stays then left = tonumber(stays) - tonumber(ARGV[3]) end
redis.call('ZADD', KEYS[4], left + tonumber(ARGV[4]) + tonumber(ARGV[3]), ARGV[1])
redis.call('RPUSH', KEYS[3], ARGV[1])
return math.max(left, 0)`
	fairFree = fairStale + `local freed = redis.call('EXISTS', KEYS[1]) == 0
if not freed then
  if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return nil end
  local left = redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
  if left > 0 then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    return left
  end
  redis.call('DEL', KEYS[1])
end
local first = redis.call('LINDEX', KEYS[3], 0)
if first then redis.call('PUBLISH', KEYS[2] .. ':' .. first, 'free') end
return 0`
	fairLeave = `local behind = false
for _, name in ipairs(redis.call('LRANGE', KEYS[3], 0, -1)) do
  if behind then redis.call('ZINCRBY', KEYS[4], -tonumber(ARGV[4]), name) end
  behind = behind or name == ARGV[1]
end
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('LREM', KEYS[3], 0, ARGV[1])
return 0`
)

func (l *Redisson) fairScript(c Client, d deed) []string {
	script := [...]string{toTake: fairTake, toFree: fairFree, toLeave: fairLeave, toRenew: ""}[d]
	if d == toRenew || d == toFree && !l.config.Redisson.Ownership {
		return l.plainScript(c, d)
	}
	r, now := &l.config.Redisson, strconv.FormatInt(int64(c.Wall()/time.Millisecond), 10)
	wait := r.Wait
	if wait > 0 && r.QueueWait > 0 {
		wait = r.QueueWait
	}
	return []string{"EVAL", script, "4", l.config.Key, l.channel(), l.config.Key + ":queue", l.config.Key + ":timeouts",
		l.owner, l.px, now, millis(wait), digit(r.Stale)}
}

// RedissonSentinelProtocol is the protocol of NewRedissonSentinel.
var RedissonSentinelProtocol = Protocol{
	Name: "redisson-sentinel", New: making(NewRedissonSentinel),
	Options: []string{"ttl", "timeout", "patience", "retry.", "renew.every", "renew.attempts", "renew.stop_at_release",
		"redisson.depth", "redisson.ownership", "failover.wait", "failover.wait_timeout", "failover.check_wait",
		"failover.once"},
	Complete: startWatchdog,
	Attempt: func(r Rules, _ int) time.Duration {
		return time.Duration(max(r.Redisson.Depth, 1))*r.Failover.WaitTimeout +
			calls(r, 10*(max(r.Redisson.Depth, 1)+1))
	},
}

// RedissonOnMaster is Redisson's lock on the current master. With FailoverRules.Wait the client waits, after the script
// that acquires the lock, until that many replicas have it. As in the library one acknowledgement is enough; without
// one the client releases the lock (checkLockSyncedSlaves). The library waits for all replicas that it knows of, for a
// second (slavesSyncTimeout). Left out: it waits in the same way after it has extended or released the lock, which
// delays the answer.
type RedissonOnMaster struct {
	*Redisson // on the server that was master last
	masters
}

// NewRedissonSentinel makes one client's lock on the master among the servers.
func NewRedissonSentinel(c Config) *RedissonOnMaster {
	l := &RedissonOnMaster{masters: among(c)}
	c.Servers = c.Servers[:1]
	l.Redisson = NewRedisson(c)
	if c.Failover.Wait > 0 {
		l.confirm = l.wait
	}
	return l
}

// Acquire makes one attempt on the master.
func (l *RedissonOnMaster) Acquire(c Client) Grant {
	if !l.find(c) {
		return Grant{Outcome: Broken, Clean: true}
	}
	return l.Redisson.Acquire(c)
}

// Extend lets a hold last longer, on the master.
func (l *RedissonOnMaster) Extend(c Client, g *Grant) bool {
	return l.find(c) && l.Redisson.Extend(c, g)
}

// Release releases the lock on the master, and on the next one if that fails.
func (l *RedissonOnMaster) Release(c Client, g Grant) bool {
	for range 2 {
		if l.find(c) && l.Redisson.Release(c, g) {
			return true
		}
	}
	return false
}

// find finds the master; it asks again if a call has failed.
func (l *RedissonOnMaster) find(c Client) bool {
	if l.failed {
		l.doubt()
	}
	server, ok := l.ask(c, l.config.Servers[0])
	if ok {
		l.config.Servers, l.failed = []int{server}, false
	}
	return ok
}

// wait asks the master to wait until the replicas have the lock, and reports whether it counts. If none has it, it is
// given back. Without an answer the key is left until its lease ends.
func (l *RedissonOnMaster) wait(c Client, server int) bool {
	c.Mark("taken")
	have, known := l.waitOn(c, server)
	switch {
	case !known:
		l.failed, l.unsure = true, true
		return false
	case have == 0 && l.rules.CheckWait:
		l.unsure = !l.free(c, 1) || l.unsure
		return false
	}
	return true
}
