package redis

import (
	"strconv"

	"github.com/alicebob/miniredis/v2"
)

// The scripts of locks that are hashes with a count for each owner, and of locks that count fencing tokens. They have
// the effect of the commands in their texts. Where a command would fail, the script is interpreted, so nothing may
// change before that is known.

const (
	hashTake = `if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
  redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return nil
end
return redis.call('PTTL', KEYS[1])`
	hashFree = `if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return nil end
local left = redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
if left > 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return left
end
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', KEYS[2], 'free')
return 0`
	hashRenew = `if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`
	setAndCount = `if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 0 end
local n = redis.call('INCR', KEYS[2])
if ARGV[3] == '1' then redis.call('PEXPIRE', KEYS[2], ARGV[2]) end
return n`
)

// whole carries out a command that answers with a number. It is not ok if the command fails.
func (n *Node) whole(command ...string) (number int64, ok bool) {
	number, ok = n.full(command).(int64)
	return number, ok
}

// takeHash acquires a lock that is a hash, or acquires it again.
func takeHash(n *Node, keys, args []string) (any, bool) {
	key, owner := keys[0], args[0]
	if !short(args[1]) {
		return nil, false
	}
	if n.dispatch([]string{"EXISTS", key}) != int64(0) {
		switch mine, ok := n.whole("HEXISTS", key, owner); {
		case !ok:
			return nil, false
		case mine == 0:
			return n.full([]string{"PTTL", key}), true
		}
	}
	if _, ok := n.whole("HINCRBY", key, owner, "1"); !ok {
		return nil, false
	}
	n.pexpire([]string{"PEXPIRE", key, args[1]})
	return nil, true
}

// freeHash releases a lock that is a hash once, and publishes a message when its count reaches 0.
func freeHash(n *Node, keys, args []string) (any, bool) {
	key, owner := keys[0], args[0]
	if !short(args[1]) {
		return nil, false
	}
	if mine, ok := n.whole("HEXISTS", key, owner); !ok || mine == 0 {
		return nil, ok
	}
	left, ok := n.whole("HINCRBY", key, owner, "-1")
	switch {
	case !ok:
		return nil, false
	case left > 0:
		n.pexpire([]string{"PEXPIRE", key, args[1]})
		return left, true
	}
	n.del([]string{"DEL", key})
	n.publish(keys[1], "free")
	return int64(0), true
}

func renewHash(n *Node, keys, args []string) (any, bool) {
	if !short(args[1]) {
		return nil, false
	}
	if mine, ok := n.whole("HEXISTS", keys[0], args[0]); !ok || mine == 0 {
		return int64(0), ok
	}
	return n.pexpire([]string{"PEXPIRE", keys[0], args[1]}), true
}

// takeAndCount acquires a lock, and counts how often it was acquired.
func takeAndCount(n *Node, keys, args []string) (any, bool) {
	if !short(args[1]) || keys[0] == keys[1] || !n.countable(keys[1]) {
		return nil, false
	}
	if n.setNX([]string{"SET", keys[0], args[0], "NX", "PX", args[1]}) != "OK" {
		return int64(0), true
	}
	count := n.incr([]string{"INCR", keys[1]})
	if args[2] == "1" {
		n.pexpire([]string{"PEXPIRE", keys[1], args[1]})
	}
	return count, true
}

// countable reports whether a key can be counted up: it does not exist, or has a short number as Redis writes it.
func (n *Node) countable(key string) bool {
	text, err := n.db.Get(key)
	if err != nil {
		return err == miniredis.ErrKeyNotFound //nolint:errorlint // it returns it unwrapped
	}
	v, err := strconv.ParseInt(text, 10, 32)
	return err == nil && strconv.FormatInt(v, 10) == text
}
