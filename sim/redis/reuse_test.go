package redis

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// anything draws a command of any family. K, V, N, F and L mean a key, a value, a number, a field and a script.
func anything(t *rapid.T) []string {
	if rapid.IntRange(0, 4).Draw(t, "lock") == 0 {
		return ordinary(t)
	}
	line := rapid.SampledFrom(families).Draw(t, "command")
	args := strings.Fields(line)
	for i, a := range args {
		switch a {
		case "K":
			args[i] = rapid.SampledFrom([]string{"k", "j", "set", "hash", "list", "zset", "stream"}).Draw(t, "key")
		case "V":
			args[i] = values.Draw(t, "value")
		case "N":
			args[i] = rapid.SampledFrom([]string{"-2", "0", "1", "3", "50"}).Draw(t, "number")
		case "F":
			args[i] = rapid.SampledFrom([]string{"f", "g", "h"}).Draw(t, "field")
		case "L":
			args[i] = rapid.SampledFrom(luas).Draw(t, "script")
		}
	}
	return args
}

var families = strings.Split(strings.TrimSpace(`
SET K V PXAT 999999
SET K V PXAT 1000000
SET K V EX 1
GETEX K PXAT 1000000
EXPIREAT K 1000
PEXPIRE K 50
PERSIST K
COPY K K DB 1
MOVE K 1
SELECT 1
MULTI
SUBSCRIBE V
WATCH K
CLIENT SETNAME V
HELLO 3
SWAPDB 0 1
RENAME K K
RANDOMKEY
KEYS *
SCAN 0
DBSIZE
TYPE K
TIME
FLUSHDB
APPEND K V
SETRANGE K 3 V
INCRBYFLOAT K 1.5
MGET K K
MSETNX K V K V
BITOP OR K K K
DELEX K IFEQ V
SADD set a b c d e f g h
SADD set b c x y z
SADD K V
SPOP set
SPOP set 3
SRANDMEMBER set -3
SRANDMEMBER set 3
SUNION set K
SINTER set set
SDIFF set K
SMEMBERS K
SUNIONSTORE K set
HSET hash f 1 g 2 h 3 i 4 j 5
HDEL K F
HGETALL K
HKEYS hash
HRANDFIELD hash 3
HRANDFIELD hash -3 WITHVALUES
HINCRBY K F N
HEXPIRE hash N FIELDS 1 F
RPUSH list a b c
LPUSH K V
LPOP K
LMPOP 2 K K LEFT COUNT 2
LRANGE list 0 -1
BLPOP K 0
ZADD zset 1 a 1 b 2 c 2 d 3 e
ZADD K N V
ZUNIONSTORE K 2 zset set
ZUNION 2 zset set WITHSCORES
ZINTER 2 zset set WITHSCORES
ZRANDMEMBER zset 3
ZPOPMIN K
ZRANGE K 0 -1 WITHSCORES
XADD stream * f V
XADD K MAXLEN 3 * f V
XRANGE stream - +
XGROUP CREATE K g $ MKSTREAM
XINFO STREAM stream
XINFO GROUPS stream
XREADGROUP GROUP g c STREAMS stream >
XPENDING stream g
GEOADD K 1 2 V
PFADD K V
SCRIPT FLUSH
SCRIPT LOAD L
EVAL L 0
EVAL L 1 K V
EVALSHA_RO a 0
EVAL_RO L 0
NOSUCH V`), "\n")

// luas are scripts that would differ from run to run, or bring the node down, if nothing were done about it.
var luas = []string{
	"return {math.random(100), math.random() * 1000}",
	"math.randomseed(5) return math.random(1, 6)",
	"return {redis.call('RANDOMKEY'), redis.call('SRANDMEMBER', 'set'), redis.call('SPOP', 'set')}",
	"return redis.call('SUNION', 'set')",
	"return {tostring({}), tostring(error), string.format('%s', {})}",
	"return tostring(function() end)",
	"return print('x')",
	"error({})",
	"redis.setresp(3) error('x')",
	"return redis.setresp(3)",
	"return function() end",
	"return {1, {function() end}, 'x'}",
	"return os.clock()",
	"return collectgarbage('count')",
	"return cjson.encode({1, 2, {a = 1, b = 2}})",
	`local s = '' for k in pairs(cjson.decode('{"a":1,"b":2,"c":{"d":4},"e":5}')) do s = s .. k end return s`,
	"redis.call('SELECT', 1) redis.call('SET', 'k', 'v')",
	"redis.call('SET', 'k', 'v', 'PXAT', '1000000') redis.call('SET', 'k', 'w')",
	"return redis.call('TIME')",
	"return redis.call('COMMAND')",
	"local t = {} t[1] = t return t",
	"return setmetatable({}, {__index = function() return 1 end})",
	"return {0/0, 1/0, -1/0, 1e300, 3.99, -3.99}",
	"return redis.call('BLPOP', 'none', 0)",
	"redis.call('SET', 'k', 'half') redis.call('LPUSH', 'k', 'x')",
}

// A node that has been through anything, and was attached again, is as good as new. The replies of twins that are both
// new show on the way that nothing depends on the process: its random generator, its memory, the order of its maps.
func TestReusedNodeIsAsGoodAsNew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		used := rigged(t, Config{Persistence: AOFEverySecond, Watch: "j", Interpret: true})
		defer used.close()
		for range rapid.IntRange(0, 15).Draw(t, "abuse") {
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0:
				move(t, used)
			case 1:
				off(t, used)
			default:
				used.do(anything(t)...)
			}
		}
		c := Config{Persistence: persistences.Draw(t, "persistence"), Watch: "k"}
		r := rigWith(t, []*Node{NewNode(), NewNode(), used.nodes[0]}, c, c, c)
		used.nodes = nil
		defer r.close()
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			switch rapid.IntRange(0, 11).Draw(t, "what") {
			case 0, 1:
				move(t, r)
			case 2:
				off(t, r)
			default:
				r.same(anything(t))
			}
		}
	})
}

// The second node does not get what the first one loses.
func TestPowerFailureTakesExactlyWhatCameAfterTheLastSync(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rigged(t, Config{Persistence: AOFEverySecond}, Config{Persistence: AOFAlways})
		defer r.close()
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			switch rapid.IntRange(0, 11).Draw(t, "what") {
			case 0, 1, 2:
				r.pass(moments.Draw(t, "by"))
			case 3:
				r.step(rapid.SampledFrom([]time.Duration{-time.Second, -5 * time.Millisecond, 5 * time.Millisecond}).Draw(t, "step"))
			case 4:
				r.shutdown()
				r.restart()
			default:
				r.same(anything(t))
			}
		}
		r.pass(40 * time.Second) // the kernel has written back by now
		now := r.world.Hosts()[0].Wall()
		r.pass(time.Second - time.Duration(now)%time.Second)
		r.same(words("SET first-in-its-second x"))
		r.pass(1)
		for range rapid.IntRange(0, 10).Draw(t, "lost") {
			r.do(anything(t)...)
			r.pass(moments.Draw(t, "by"))
		}
		r.pass(syncTakes)
		r.power()
		r.restart()
		if got, want := dump(r.nodes[0]), dump(r.nodes[1]); got != want {
			t.Fatalf("left:\n%swant:\n%s", got, want)
		}
	})
}
