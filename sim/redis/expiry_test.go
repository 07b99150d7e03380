package redis

import (
	"testing"
	"time"
)

// Spelled with small letters, a command takes the long way. Both ways must mean the same.
var ways = map[string]struct{ set, get, del, pexpire string }{
	"fast": {"SET", "GET", "DEL", "PEXPIRE"},
	"long": {"set", "get", "del", "pexpire"},
}

func TestKeyLivesToTheEndOfItsDeadlinesMillisecond(t *testing.T) {
	for name, w := range ways {
		t.Run(name, func(t *testing.T) {
			r := once(t, Config{Watch: "k"})
			r.expect("OK", w.set+" k a NX PX 100")
			r.at(101*time.Millisecond - 1)
			r.expect("a", w.get+" k")
			r.expect(int64(0), "PTTL k")
			r.expect(nil, w.set+" k b NX PX 100")
			r.at(101 * time.Millisecond)
			r.expect(nil, w.get+" k")
			r.expect(int64(0), w.del+" k")
			r.expect("OK", w.set+" k b NX PX 100")
			r.lived("a 0s 0.101s", "b 0.101s 0.202s")
		})
	}
}

// When one key goes, one that ends a millisecond later is looked at too, and stays.
func TestAKeyEndsWithNoOther(t *testing.T) {
	r := once(t, Config{Watch: "k"})
	r.expect("OK", "SET k a PX 101")
	r.expect("OK", "SET j a PX 100")
	r.at(102*time.Millisecond - 1)
	r.expect(nil, "GET j")
	r.expect("a", "GET k")
	r.lived("a 0s 0.102s")
}

// A deadline is counted from the millisecond in which the command came, as in Redis.
func TestDeadlineCountsWholeMillisecondsOfTheWallClock(t *testing.T) {
	for name, w := range ways {
		t.Run(name, func(t *testing.T) {
			r := once(t, Config{Watch: "k"})
			r.at(999_999)
			r.expect("OK", w.set+" k a NX PX 1")
			r.lived("a 0.000999999s 0.002s")
			r.at(2*time.Millisecond - 1)
			r.expect("a", w.get+" k")
			r.at(2 * time.Millisecond)
			r.expect(nil, w.get+" k")
		})
	}
}

func TestForwardStepExpires(t *testing.T) {
	for name, w := range ways {
		t.Run(name, func(t *testing.T) {
			r := once(t, Config{Watch: "k"})
			r.expect("OK", w.set+" k a NX PX 10000")
			r.at(time.Second)
			r.step(9001*time.Millisecond - 1)
			r.expect("a", w.get+" k")
			r.step(1)
			r.expect(nil, w.get+" k")
			r.lived("a 0s 1s")
		})
	}
}

func TestBackwardStepLengthens(t *testing.T) {
	for name, w := range ways {
		t.Run(name, func(t *testing.T) {
			r := once(t, Config{Watch: "k"})
			r.expect("OK", w.set+" k a NX PX 1000")
			r.at(500 * time.Millisecond)
			r.step(-10 * time.Second)
			r.expect(int64(10500), "PTTL k")
			r.at(11001*time.Millisecond - 1)
			r.expect("a", w.get+" k")
			r.at(11001 * time.Millisecond)
			r.expect(nil, w.get+" k")
			r.lived("a 0s 11.001s")
		})
	}
}

func TestStrobeEndsTheKeyAtTheMomentItPassed(t *testing.T) {
	for name, w := range ways {
		t.Run(name, func(t *testing.T) {
			r := once(t, Config{Watch: "k"})
			r.expect("OK", w.set+" k a NX PX 1000")
			r.at(500 * time.Millisecond)
			r.step(time.Minute)
			r.step(-time.Minute)
			r.expect(nil, w.get+" k")
			r.lived("a 0s 0.5s")
		})
	}
}

// No command looks at the key until long after, and the clock has been set back by then.
func TestUnseenExpiryIsPlacedAtItsTrueMoment(t *testing.T) {
	r := once(t, Config{Watch: "k"})
	r.expect("OK", "SET k a NX PX 1000")
	r.at(3 * time.Second)
	r.step(-10 * time.Second)
	r.at(4 * time.Second)
	r.expect(nil, "GET k")
	r.lived("a 0s 1.001s")
}

func TestExtensionMovesTheEnd(t *testing.T) {
	for name, w := range ways {
		t.Run(name, func(t *testing.T) {
			r := once(t, Config{Watch: "k"})
			r.expect("OK", w.set+" k a NX PX 100")
			r.at(50 * time.Millisecond)
			r.expect(int64(1), w.pexpire+" k 100")
			r.lived("a 0s 0.151s")
			r.at(60 * time.Millisecond)
			r.expect(int64(1), w.pexpire+" k 0")
			r.expect(nil, w.get+" k")
			r.expect(int64(0), w.pexpire+" k 100")
			r.lived("a 0s 0.06s")
		})
	}
}

// The clock showed more than the new deadline once already, before it was set back. That moment must not count.
func TestDeadlineKnowsNothingOfWhatTheClockShowedBeforeIt(t *testing.T) {
	r := once(t, Config{Watch: "k"})
	r.expect("OK", "SET k a NX PX 10000")
	r.at(time.Second)
	r.step(-time.Second)
	r.expect(int64(1), "PEXPIRE k 100")
	r.lived("a 0s 1.101s")
	r.at(2 * time.Second)
	r.expect(nil, "GET k")
	r.lived("a 0s 1.101s")
}

func TestKeyWithoutDeadlineIsEndless(t *testing.T) {
	r := once(t, Config{Watch: "k"})
	r.expect("OK", "SET k a NX PX 1000")
	r.lived("a 0s 1.001s")
	r.expect(int64(1), "PERSIST k")
	r.lived("a 0s forever endless")
	r.at(time.Minute)
	r.expect("a", "GET k")
	r.expect(int64(1), "DEL k")
	r.lived("a 0s 60s endless")
}

func TestEachValueHasItsSpan(t *testing.T) {
	r := once(t, Config{Watch: "k"})
	r.expect("OK", "SET k a PX 1000")
	r.at(100 * time.Millisecond)
	r.expect("OK", "SET k 7")
	r.at(200 * time.Millisecond)
	r.expect(int64(8), "INCR k")
	r.at(300 * time.Millisecond)
	r.expect("OK", "FLUSHALL")
	r.expect(int64(1), "RPUSH k a") // not a string: no lock
	r.lived("a 0s 0.1s", "7 0.1s 0.2s endless", "8 0.2s 0.3s endless")
}

// The wall clock shows 1000 s at the start.
func TestAbsoluteDeadlineThatHasComeLeavesNothingBehind(t *testing.T) {
	for _, px := range []string{"PXAT 1000000", "PXAT 999999", "PXAT 1", "EXAT 1000", "exat 999"} {
		t.Run(px, func(t *testing.T) {
			r := once(t, Config{Watch: "k"})
			r.expect("OK", "SET k a PX 1000")
			r.expect(nil, "SET k b NX "+px)
			r.expect("a", "GET k")
			r.expect("OK", "SET k b "+px)
			r.expect(nil, "GET k")
			r.expect("OK", "SET k c")
			r.expect(int64(-1), "PTTL k")
			r.expect("c", "GETEX k "+px)
			r.expect(nil, "GET k")
			r.replies("OK", "EVAL", "local r = redis.call('SET', KEYS[1], 'd', '"+px[:4]+"', '"+px[5:]+"') redis.call('SET', KEYS[1], 'e') return r", "1", "k")
			r.expect(int64(-1), "PTTL k")
		})
	}
}

func TestAbsoluteDeadlineToCome(t *testing.T) {
	r := once(t, Config{Watch: "k"})
	r.at(999_999)
	r.expect("OK", "SET k a PXAT 1000001")
	r.lived("a 0.000999999s 0.002s")
	r.expect("a", "GETEX k EXAT 1001")
	r.lived("a 0.000999999s 1.001s")
}

func TestNumbersThatRedisRefuses(t *testing.T) {
	r := once(t, Config{Watch: "k"})
	no := Error("ERR value is not an integer or out of range")
	for _, number := range []string{"+5", "05", "-0", "5x", "1.5", "99999999999999999999"} {
		r.expect(no, "SET k a NX PX "+number)
		r.expect("OK", "SET k a")
		r.expect(no, "PEXPIRE k "+number)
		r.fails(string(no), "EVAL", Scripts[1].Text, "1", "k", "a", number)
		r.expect(int64(-1), "PTTL k")
		r.expect(int64(1), "DEL k")
	}
	r.expect(no, "SET k a NX PX +5")
	r.expect(Error("ERR invalid expire time in 'set' command"), "SET k a NX PX 9223372036854775807")
	r.expect(Error("ERR invalid expire time in 'set' command"), "SET k a NX PX 10000000000000")
	r.expect("OK", "SET k a PXAT 3153600999999") // the longest life, from the 1,000 s that the clock shows
	r.expect(int64(1), "DEL k")
	r.expect("OK", "SET k a NX PX 999999999999")
	r.expect(Error("ERR invalid expire time in 'pexpire' command"), "PEXPIRE k 9223372036854775807")
	r.expect(int64(999999999999), "PTTL k")
}

func TestTTLIsRoundedAsInRedis(t *testing.T) {
	r := once(t, Config{})
	r.expect("OK", "SET k a NX PX 1499")
	r.expect(int64(1), "TTL k")
	r.expect("OK", "SET k a PX 1500")
	r.expect(int64(2), "TTL k")
	r.replies(int64(2), "EVAL", "return redis.call('ttl', KEYS[1])", "1", "k")
	r.expect(int64(-2), "TTL j")
	r.expect("OK", "SET j a")
	r.expect(int64(-1), "TTL j")
	r.expect(Error("ERR wrong number of arguments for 'ttl' command"), "TTL")
}

// A text that is a number to Go and not to Redis can't be incremented, by a command or in a script.
func TestTextThatRedisReadsAsNoNumberIsNotIncremented(t *testing.T) {
	r := once(t, Config{})
	no := Error("ERR value is not an integer or out of range")
	for _, number := range []string{"+5", "05", "-0", "5x", ""} {
		r.replies("OK", "SET", "k", number)
		for _, command := range []string{"INCR k", "DECR k", "INCRBY k 1", "DECRBY k 1"} {
			r.expect(no, command)
		}
		r.fails(string(no), "EVAL", "return redis.call('INCR', KEYS[1])", "1", "k")
		r.expect(number, "GET k")
	}
	r.expect(no, "INCRBY j 05")
	r.expect(no, "EVALSHA "+Scripts[0].sha+" 01 k a")
	r.expect("OK", "SET k 5")
	r.expect(int64(6), "INCR k")
	r.expect(int64(1), "INCR j")
}
