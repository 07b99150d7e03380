package redis

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/sim"
)

const compared = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`

// refuse makes the node refuse for as long as do runs.
func (r *rig) refuse(why string, do func()) {
	r.all(func(h *sim.Host) { h.Refuse(why) })
	do()
	r.all(func(h *sim.Host) { h.Accept(why) })
}

// A replica and a node that can't save refuse each write, also in a script; they answer reads.
func TestNodeThatRefusesWritesStillReads(t *testing.T) {
	for _, why := range []string{"READONLY", "MISCONF"} {
		for _, interpret := range []bool{false, true} {
			r := once(t, Config{Watch: "lock", Interpret: interpret})
			r.expect("OK", "SET lock a NX PX 1000")
			r.refuse(why, func() {
				r.fails(why+" ", words("SET lock b NX PX 1000")...)
				r.fails(why+" ", words("PEXPIRE lock 5000")...)
				r.fails(why+" ", words("DEL lock")...)
				r.fails(why+" ", "EVAL", compared, "1", "lock", "a")
				r.replies(int64(0), "EVAL", compared, "1", "lock", "b")
				r.expect("a", "GET lock")
			})
			r.replies(int64(1), "EVAL", compared, "1", "lock", "a")
			r.expect("OK", "SET lock b NX PX 1000")
		}
	}
}

// A full node refuses what needs memory. A lock can still be released and extended.
func TestFullNodeRefusesOnlyWhatNeedsMemory(t *testing.T) {
	r := once(t, Config{Watch: "lock"})
	r.expect("OK", "SET lock a NX PX 1000")
	r.refuse("OOM", func() {
		r.fails("OOM ", words("SET lock b NX PX 1000")...)
		r.fails("OOM ", words("INCR fence")...)
		r.expect(int64(1), "PEXPIRE lock 5000")
		r.replies(int64(1), "EVAL", compared, "1", "lock", "a")
		r.fails("OOM ", "EVAL", "return redis.call('SET', KEYS[1], 1)", "1", "lock")
	})
	r.expect("OK", "SET lock b NX PX 1000")
}

// A node that loads, is busy or is cut off from its cluster carries out nothing. Several refusals add up.
func TestNodeMayRefuseEverything(t *testing.T) {
	r := once(t, Config{})
	for _, why := range []string{"LOADING", "BUSY", "CLUSTERDOWN"} {
		r.refuse(why, func() {
			r.fails(why+" ", words("GET lock")...)
			r.refuse("OOM", func() { r.fails(why+" ", words("SET lock a")...) })
			r.fails(why+" ", words("SET lock a")...)
		})
		r.expect(nil, "GET lock")
	}
}

func TestNodeThatLosesItsScriptsKnowsThemByText(t *testing.T) {
	r := once(t, Config{})
	sha, _ := r.do("SCRIPT", "LOAD", compared).(string)
	r.replies(int64(0), "EVALSHA", sha, "1", "lock", "a")
	r.refuse("NOSCRIPT", func() {
		r.fails("NOSCRIPT ", "EVALSHA", sha, "1", "lock", "a")
		r.replies(int64(0), "EVAL", compared, "1", "lock", "a")
		r.fails("NOSCRIPT ", "EVALSHA", sha, "1", "lock", "a")
	})
	r.replies(int64(0), "EVAL", compared, "1", "lock", "a")
	r.replies(int64(0), "EVALSHA", sha, "1", "lock", "a")
}

// What is evicted is gone for good: a log has it too. Keys without a TTL stay.
func TestEvictedKeysAreGone(t *testing.T) {
	for _, c := range []Config{{}, {Persistence: AOFAlways}, {Persistence: AOFEverySecond}} {
		c.Watch = "lock"
		r := once(t, c)
		r.expect("OK", "SET stays x")
		r.expect("OK", "SET lock a NX PX 9000")
		r.pass(3 * time.Second)
		r.all((*sim.Host).Evict)
		r.lived("a 0s 3s")
		if why := r.nodes[0].Spans()[0].Ended.Cause; why != Evicted {
			t.Errorf("its key ended by cause %d, and was evicted", why)
		}
		r.expect(nil, "GET lock")
		r.expect("x", "GET stays")
		if r.pass(3 * time.Second); c.Persistence != None {
			r.power()
			r.restart()
			r.expect(nil, "GET lock")
			r.expect("x", "GET stays")
		}
		r.power()
		r.all((*sim.Host).Evict) // a node that is off has nothing to make room for
		r.restart()
	}
}
