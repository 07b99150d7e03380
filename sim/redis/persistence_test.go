package redis

import (
	"testing"
	"time"
)

// stop is one of the two ways to go off.
var stops = map[string]func(*rig){"power": (*rig).power, "clean": (*rig).shutdown}

func TestRemainingLivesAfterTheNodeWasOff(t *testing.T) {
	for _, c := range []struct {
		persistence Persistence
		how         string
		early, late any
	}{
		{None, "clean", nil, nil},
		{None, "power", nil, nil},
		{AOFAlways, "clean", "a", "b"},
		{AOFAlways, "power", "a", "b"},
		{AOFEverySecond, "clean", "a", "b"},
		{AOFEverySecond, "power", "a", nil},
	} {
		t.Run(c.persistence.String()+" "+c.how, func(t *testing.T) {
			r := once(t, Config{Persistence: c.persistence})
			r.at(900 * time.Millisecond)
			r.expect("OK", "SET early a NX PX 60000")
			r.at(1010 * time.Millisecond)
			r.synced()
			r.at(1100 * time.Millisecond)
			r.expect("OK", "SET late b NX PX 60000")
			r.at(1200 * time.Millisecond)
			stops[c.how](r)
			r.restart()
			r.expect(c.early, "GET early")
			r.expect(c.late, "GET late")
		})
	}
}

// Measured on redis-server 7.0.15: after a second's rest the first write was on the disk in 1 to 20 ms, a second one
// within the same second in 0.5 to 1.0 s.
func TestFirstWriteOfASecondIsSyncedImmediatelyAndLaterOnesAtItsEnd(t *testing.T) {
	r := once(t, Config{Persistence: AOFEverySecond})
	r.at(1300 * time.Millisecond)
	r.expect("OK", "SET first a NX PX 60000")
	r.at(1350 * time.Millisecond)
	r.expect("OK", "SET second b NX PX 60000")
	r.at(1990 * time.Millisecond)
	r.power()
	r.restart()
	r.expect("a", "GET first")
	r.expect(nil, "GET second")
	r.expect("OK", "SET second c NX PX 60000") // in the second in which the server started
	r.at(2*time.Second + syncTakes - 1)
	r.power()
	r.restart()
	r.expect(nil, "GET second")
	r.at(3 * time.Second)
	r.expect("OK", "SET second d NX PX 60000")
	r.at(3*time.Second + syncTakes)
	r.power()
	r.restart()
	r.expect("d", "GET second")
}

// A command that changes nothing is not logged: it does not use up or delay the sync of its second. Redis calls
// feedAppendOnlyFile only for commands that changed something.
func TestCommandWithoutChangeIsNotSynced(t *testing.T) {
	for first, want := range map[string]any{
		"GET k": "a", "get k": "a", "PTTL k": "a", "DEL k": "a", "SET held b NX PX 9": "a", "PEXPIRE k 9": "a", "EVAL return(1) 0": "a", "PING": "a",
		"SET held held": nil, "PEXPIRE held 60000": nil, "SET other b NX PX 9": nil, "EVAL return(redis.call('INCR','n')) 0": nil,
	} {
		t.Run(first, func(t *testing.T) {
			r := once(t, Config{Persistence: AOFEverySecond})
			r.expect("OK", "SET held held")
			r.at(2100 * time.Millisecond)
			r.do(words(first)...)
			r.at(2200 * time.Millisecond)
			r.expect("OK", "SET k a NX PX 60000")
			r.at(2300 * time.Millisecond)
			r.power()
			r.restart()
			r.expect(want, "GET k")
		})
	}
}

// flushAppendOnlyFile waits for a later second than the last sync's: after a step back by an hour nothing was synced in
// 4 s on redis-server 7.0.15. The kernel writes back what is old.
func TestAfterAStepBackNothingIsSyncedAndTheKernelBoundsTheLoss(t *testing.T) {
	for after, want := range map[time.Duration]any{4 * time.Second: nil, 30 * time.Second: nil, 36 * time.Second: "b"} {
		r := once(t, Config{Persistence: AOFEverySecond})
		r.at(1300 * time.Millisecond)
		r.expect("OK", "SET before a")
		r.at(2100 * time.Millisecond)
		r.step(-time.Hour)
		r.expect("OK", "SET after b")
		r.pass(after)
		r.power()
		r.restart()
		r.expect("a", "GET before")
		r.expect(want, "GET after")
	}
}

// A step forward ends the second.
func TestAStepForwardSyncs(t *testing.T) {
	r := once(t, Config{Persistence: AOFEverySecond})
	r.synced()
	r.at(100 * time.Millisecond)
	r.expect("OK", "SET k a")
	r.at(200 * time.Millisecond)
	r.step(time.Hour)
	r.at(300 * time.Millisecond)
	r.power()
	r.restart()
	r.expect("a", "GET k")
}

func TestPowerFailureBringsBackWhatWasOverwrittenOrDeleted(t *testing.T) {
	r := once(t, Config{Persistence: AOFEverySecond, Watch: "k"})
	r.expect("OK", "SET k a NX PX 60000")
	r.expect("OK", "SET j x")
	r.at(1100 * time.Millisecond)
	r.expect(int64(1), "DEL k")
	r.expect("OK", "SET j y")
	r.at(1200 * time.Millisecond)
	r.expect("OK", "SET k b NX PX 60000")
	r.at(1300 * time.Millisecond)
	r.power()
	r.at(5 * time.Second)
	r.restart()
	r.expect("a", "GET k")
	r.expect(int64(55000), "PTTL k")
	r.expect("x", "GET j")
	r.lived("a 0s 1.1s", "b 1.2s 5s", "a 5s 60.001s")
}

// The key that returns from the disk is older than the forgotten one, and ends at another time. That says nothing about
// the forgotten key, which counts until the node is on again.
func TestForgottenKeyDoesNotEndWithAnOlderOne(t *testing.T) {
	r := once(t, Config{Persistence: AOFEverySecond, Watch: "k"})
	r.expect("OK", "SET k a NX PX 10000")
	r.at(1050 * time.Millisecond)
	r.synced()
	r.at(1100 * time.Millisecond)
	r.expect(int64(1), "DEL k")
	r.expect("OK", "SET k b NX PX 12000")
	r.at(1200 * time.Millisecond)
	r.power()
	r.at(12 * time.Second)
	r.restart()
	r.expect(nil, "GET k")
	r.lived("a 0s 1.1s", "b 1.1s 12s")
}

// A node that is off grants the key to no other client. So what it forgot counts until it is on again, or until it
// would have ended anyway. That is why a restart that is delayed for longer than the TTL does no harm.
func TestForgottenKeyCountsUntilTheNodeIsOn(t *testing.T) {
	for back, want := range map[time.Duration]string{2 * time.Second: "a 0s 2s", 20 * time.Second: "a 0s 10.001s"} {
		r := once(t, Config{Watch: "k"})
		r.expect("OK", "SET k a NX PX 10000")
		r.at(time.Second)
		r.power()
		r.lived("a 0s 10.001s")
		r.at(back)
		r.restart()
		r.expect(nil, "GET k")
		r.lived(want)
	}
}

// The key that comes back had ended before the power failed: no client ever held it again.
func TestEndedKeyDoesNotComeBack(t *testing.T) {
	r := once(t, Config{Persistence: AOFEverySecond, Watch: "k"})
	r.at(900 * time.Millisecond)
	r.expect("OK", "SET k a NX PX 300")
	r.at(1300 * time.Millisecond)
	r.expect("OK", "SET k b NX PX 5000")
	r.at(1500 * time.Millisecond)
	r.power()
	r.restart()
	r.expect(nil, "GET k")
	r.lived("a 0.9s 1.201s", "b 1.3s 1.5s")
}

// The first power failure loses the DEL of k, and the node finds k overdue when it reads its disk. It logs another DEL
// then, or the next time that it reads the disk the old k would be in the way of the new one.
func TestOverdueKeyOnDiskIsLogged(t *testing.T) {
	r := once(t, Config{Persistence: AOFEverySecond, Watch: "k"})
	r.expect("OK", "SET k a NX PX 100")
	r.at(200 * time.Millisecond)
	r.power()
	r.restart()
	r.expect("OK", "SET k b NX PX 5000")
	r.shutdown()
	r.restart()
	r.at(300 * time.Millisecond)
	r.expect("OK", "SET j x")
	r.power()
	r.restart()
	r.expect("b", "GET k")
	r.expect(nil, "GET j")
	r.lived("a 0s 0.101s", "b 0.2s 5.201s")
}

// Redis logs a DEL for each key that it expires. Here a strobe ended the key, and the log must know.
func TestKeyThatAStrobeEndedStaysGone(t *testing.T) {
	r := once(t, Config{Persistence: AOFEverySecond, Watch: "k"})
	r.expect("OK", "SET k a NX PX 60000")
	r.at(500 * time.Millisecond)
	r.step(time.Hour)
	r.step(-time.Hour)
	r.at(1100 * time.Millisecond)
	r.expect("OK", "SET j x")
	r.at(1200 * time.Millisecond)
	r.power()
	r.restart()
	r.expect(nil, "GET k")
	r.lived("a 0s 0.5s")
}

// It ended at 0.9 s, so its DEL is on disk at the whole second, although the node noticed only when the clock was set.
func TestExpiryIsLoggedWhenItHappenedNotWhenItWasNoticed(t *testing.T) {
	r := once(t, Config{Persistence: AOFEverySecond, Watch: "k"})
	r.expect("OK", "SET late x NX PX 1200")
	r.expect("OK", "SET k a NX PX 899")
	r.at(1300 * time.Millisecond)
	r.step(-time.Hour)
	r.expect("OK", "SET j x")
	r.power()
	r.restart()
	r.expect(nil, "GET k")
	r.expect("x", "GET late") // its DEL, of 1.201 s, was lost
	r.lived("a 0s 0.9s")
}

func TestCleanShutdownIsOnDiskForGood(t *testing.T) {
	r := once(t, Config{Persistence: AOFEverySecond})
	r.at(1200 * time.Millisecond)
	r.expect("OK", "SET k a NX PX 60000")
	r.at(1500 * time.Millisecond)
	r.shutdown()
	r.at(1600 * time.Millisecond)
	r.restart()
	r.expect("OK", "SET j b NX PX 60000")
	r.at(1800 * time.Millisecond)
	r.power()
	r.restart()
	r.expect("a", "GET k")
	r.expect(nil, "GET j")
}

// Found nothing then, finds nothing when the log is replayed.
func TestReplayDoesNotRunAScriptThatWasNotFound(t *testing.T) {
	r := once(t, Config{Persistence: AOFEverySecond})
	release := &Scripts[0]
	r.expect("OK", "SET k a NX PX 60000")
	r.replies(release.sha, "SCRIPT", "LOAD", release.Text)
	r.shutdown()
	r.restart()
	r.replies(Error("NOSCRIPT No matching script. Please use EVAL."), "EVALSHA", release.sha, "1", "k", "a")
	r.at(1100 * time.Millisecond)
	r.expect("OK", "SET j b")
	r.power()
	r.restart()
	r.expect("a", "GET k")
}

// A lost draw must not change earlier draws.
func TestReplayRepeatsRandomChoices(t *testing.T) {
	r := once(t, Config{Persistence: AOFEverySecond})
	r.expect(int64(8), "SADD s a b c d e f g h")
	for range 4 {
		r.do("SPOP", "s")
		r.replies("OK", "EVAL", "return redis.call('SET', 'x' .. redis.call('RANDOMKEY'), redis.call('SRANDMEMBER', 's'))", "0")
	}
	before, members := dump(r.nodes[0]), r.do("SMEMBERS", "s")
	r.at(1100 * time.Millisecond)
	r.do("SPOP", "s")
	r.power()
	r.restart()
	r.replies(members, "SMEMBERS", "s")
	if after := dump(r.nodes[0]); after != before {
		t.Fatalf("before:\n%safter:\n%s", before, after)
	}
}

func TestLivesRunOnWhileTheNodeIsOff(t *testing.T) {
	for _, p := range []Persistence{AOFAlways, AOFEverySecond} {
		for how, stop := range stops {
			t.Run(p.String()+" "+how, func(t *testing.T) {
				r := once(t, Config{Persistence: p, Watch: "k"})
				r.expect("OK", "SET k a NX PX 3000")
				r.expect("OK", "SET j b NX PX 9000")
				r.at(1500 * time.Millisecond)
				stop(r)
				r.at(5 * time.Second)
				r.restart()
				r.expect(nil, "GET k")
				r.expect(int64(4000), "PTTL j")
				r.lived("a 0s 3.001s")
			})
		}
	}
}

// No one sees a clock that jumps ahead and back while the node is off.
func TestStrobeWhileOffEndsNothing(t *testing.T) {
	r := once(t, Config{Persistence: AOFAlways, Watch: "k"})
	r.expect("OK", "SET k a NX PX 3000")
	r.at(time.Second)
	r.power()
	r.at(1100 * time.Millisecond)
	r.step(time.Hour)
	r.at(1200 * time.Millisecond)
	r.step(-time.Hour)
	r.restart()
	r.expect("a", "GET k")
	r.lived("a 0s 3.001s")
}

func TestScriptCacheIsLostAtRestart(t *testing.T) {
	for p := range PersistenceNames {
		for how, stop := range stops {
			t.Run(PersistenceNames[p]+" "+how, func(t *testing.T) {
				r := once(t, Config{Persistence: Persistence(p)})
				for _, text := range []string{Scripts[0].Text, "return 7"} {
					sha := r.do("SCRIPT", "LOAD", text).(string)
					r.replies([]any{int64(1)}, "SCRIPT", "EXISTS", sha)
					stop(r)
					r.restart()
					r.replies([]any{int64(0)}, "SCRIPT", "EXISTS", sha)
					r.replies(Error("NOSCRIPT No matching script. Please use EVAL."), "EVALSHA", sha, "1", "k", "a")
					r.do("EVAL", text, "1", "k", "a")
					r.replies([]any{int64(1)}, "SCRIPT", "EXISTS", sha)
				}
			})
		}
	}
}
