package redis

import (
	"errors"
	"strconv"

	"github.com/alicebob/miniredis/v2"
)

// The scripts of client libraries, letter for letter, because a script is recognized by its text.

// Of github.com/go-redsync/redsync/v4.
const (
	redsyncDelete = `
	local val = redis.call("GET", KEYS[1])
	if val == ARGV[1] then
		return redis.call("DEL", KEYS[1])
	elseif val == false then
		return -1
	else
		return 0
	end
`
	redsyncTouch = `
	if redis.call("GET", KEYS[1]) == ARGV[1] then
		return redis.call("PEXPIRE", KEYS[1], ARGV[2])
	else
		return 0
	end
`
	redsyncTouchOrSet = `
	if redis.call("GET", KEYS[1]) == ARGV[1] then
		return redis.call("PEXPIRE", KEYS[1], ARGV[2])
	elseif redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2], "NX") then
		return 1
	else
		return 0
	end
`
)

// Of github.com/bsm/redislock.
const (
	redislockObtain = `
if redis.call("set", KEYS[1], ARGV[1], "NX", "PX", ARGV[3]) then return redis.status_reply("OK") end

local offset = tonumber(ARGV[2])
if redis.call("getrange", KEYS[1], 0, offset-1) == string.sub(ARGV[1], 1, offset) then return redis.call("set", KEYS[1], ARGV[1], "PX", ARGV[3]) end
`
	redislockRefresh = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) else return 0 end`
	redislockRelease = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`
	redislockPTTL    = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pttl", KEYS[1]) else return -3 end`
)

// Of github.com/redis/rueidis/rueidislock.
const (
	rueidislockAcquire = `local r = redis.call("SET",KEYS[1],ARGV[1],"NX","PXAT",ARGV[2]);redis.call("GET",KEYS[1]);return r`
	rueidislockExtend  = `if redis.call("GET",KEYS[1]) == ARGV[1] then local r = redis.call("PEXPIREAT",KEYS[1],ARGV[2]);redis.call("GET",KEYS[1]);return r end;return 0`
	rueidislockDelete  = `if redis.call("GET",KEYS[1]) == ARGV[1] then return redis.call("DEL",KEYS[1]) end;return 0`
)

// deleteOrReportGone releases the caller's lock, and returns -1 where there is none.
func deleteOrReportGone(n *Node, keys, args []string) (any, bool) {
	if _, err := n.db.Get(keys[0]); errors.Is(err, miniredis.ErrKeyNotFound) {
		n.tap("GET", keys[0])
		return int64(-1), true
	}
	return compareAndDelete(n, keys, args)
}

// extendOrTake extends the caller's lock, and acquires it where there is none.
func extendOrTake(n *Node, keys, args []string) (any, bool) {
	if _, err := n.db.Get(keys[0]); !errors.Is(err, miniredis.ErrKeyNotFound) || !short(args[1]) {
		return compareAndExtend(n, keys, args)
	}
	n.tap("GET", keys[0])
	n.setNX([]string{"SET", keys[0], args[0], "NX", "PX", args[1]})
	return int64(1), true
}

// obtain acquires a lock. A lock that begins with the caller's own token is left to the interpreter.
func obtain(n *Node, keys, args []string) (any, bool) {
	offset, err := strconv.Atoi(args[1])
	if err != nil || !short(args[1]) || !short(args[2]) {
		return nil, false
	}
	if n.setNX([]string{"SET", keys[0], args[0], "NX", "PX", args[2]}) == "OK" {
		return "OK", true
	}
	got, err := n.db.Get(keys[0])
	if err != nil || got[:min(offset, len(got))] == args[0][:min(offset, len(args[0]))] {
		return nil, false
	}
	n.tap("GETRANGE", keys[0])
	return nil, true
}

// leftOfMine returns the remaining life of the caller's lock, and -3 if another client has it.
func leftOfMine(n *Node, keys, args []string) (any, bool) {
	mine, ok := n.compare(keys[0], args[0])
	if !mine {
		return int64(-3), ok
	}
	return n.full([]string{"PTTL", keys[0]}), true
}

// until returns how many milliseconds are left until a moment of the node's clock, as in PXAT and PEXPIREAT. It is not
// ok if none are left, or too many.
func (n *Node) until(moment string) (left string, ok bool) {
	at, err := strconv.ParseInt(moment, 10, 64)
	if err != nil || strconv.FormatInt(at, 10) != moment {
		return "", false
	}
	left = strconv.FormatInt(at-n.millis(), 10)
	return left, short(left)
}

// takeUntil acquires a lock until a moment, and reads it.
func takeUntil(n *Node, keys, args []string) (any, bool) {
	left, ok := n.until(args[1])
	if !ok {
		return nil, false
	}
	reply := n.setNX([]string{"SET", keys[0], args[0], "NX", "PX", left})
	_, ok = n.compare(keys[0], "")
	return reply, ok
}

// extendUntil extends the caller's lock until a moment, and reads it.
func extendUntil(n *Node, keys, args []string) (any, bool) {
	left, ok := n.until(args[1])
	if !ok {
		return nil, false
	}
	reply, ok := compareAndExtend(n, keys, []string{args[0], left})
	if reply == int64(1) {
		n.tap("GET", keys[0])
	}
	return reply, ok
}
