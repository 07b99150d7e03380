package redis

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/sim"
)

// The write waits 5 ms for its turn; WAIT's own question goes right behind it.
func TestWaitAnswersWhenEnoughReplicasHaveAcknowledged(t *testing.T) {
	r := newRingFor(t, 3, lag(5*time.Millisecond))
	r.ask(10*ms, 1, time.Second, "SET k a", "OK", "WAIT 2 100", int64(2))
	r.until(50 * time.Millisecond)
	for _, e := range r.Trace() {
		if e.Kind == sim.Received && e.Body == nil && e.At > 11*ms && (e.At < 15*ms || e.At > 16*ms) {
			t.Errorf("WAIT was answered at %v", e.At)
		}
	}
}

func TestWaitAnswersTheCountWhenItsTimeIsUp(t *testing.T) {
	r := newRingFor(t, 3, lag(0))
	r.At(5*ms, r.hosts[2].Pause)
	r.At(200*ms, r.hosts[2].Resume)
	r.ask(10*ms, 1, time.Second, "SET k a", "OK", "WAIT 2 50", int64(1), "WAIT 1 50", int64(1), "WAIT 0 0", int64(1))
	r.ask(10*ms, 1, time.Second, "SET j a", "OK", "WAIT 2 0", int64(2)) // without a limit
	r.until(500 * time.Millisecond)
}

func TestWaitCountsWhoIsUpToDateAlready(t *testing.T) {
	r := newRingFor(t, 3, lag(0))
	r.ask(10*ms, 1, time.Second, "WAIT 2 50", int64(2), "WAIT 5 50", int64(2), "SET k a", "OK", "WAIT 1 50", int64(1))
	r.until(200 * time.Millisecond)
}

// WAIT is about the connection that it comes by. On another, which has done nothing, it finds nothing to wait for.
func TestWaitOnAnotherConnectionWaitsForNothing(t *testing.T) {
	r := newRingFor(t, 2, lag(5*time.Millisecond))
	r.ask(10*ms, 1, time.Second, "SET k a", "OK")
	r.ask(11*ms, 1, time.Second, "WAIT 1 100", int64(1), "GET k", "a", "WAIT 1 1", int64(0), "WAIT 1 100", int64(1))
	r.expect(11*ms+500_000, 2, nil, "GET k")
	r.until(50 * time.Millisecond)
}

func TestWaitIsRejectedOnAReplicaAndEndsWithTheMaster(t *testing.T) {
	r := newRingFor(t, 2, lag(0))
	r.At(5*ms, r.hosts[1].Pause)
	r.ask(10*ms, 1, time.Second, "SET k a", "OK", "WAIT 1 0", unblocked)
	r.expect(30*ms, 1, "OK", "REPLICAOF n2 6379")
	r.At(40*ms, func() {
		if got, bad := r.nodes[0].Serve(words("WAIT 1 0")).(Error); !bad || got[:27] != "ERR WAIT cannot be used wit" {
			t.Errorf("%v", got)
		}
	})
	r.At(50*ms, r.hosts[1].Resume)
	r.until(100 * time.Millisecond)
}

func TestWaitDiesWithItsMaster(t *testing.T) {
	r := newRingFor(t, 2, lag(0))
	r.At(5*ms, r.hosts[1].Pause)
	r.ask(10*ms, 1, 100*time.Millisecond, "SET k a", "OK", "WAIT 1 0", sim.ErrTimeout, "WAIT 1 50", int64(0))
	r.down(20*ms, 30*ms, r.hosts[0])
	r.until(500 * time.Millisecond)
}

// The data restarts with the node, and so does what a connection waits for.
func TestWaitKnowsNothingOfBeforeARestart(t *testing.T) {
	r := newRingFor(t, 2, lag(0))
	r.c.Go("p", func(p *sim.Proc) {
		for _, c := range []struct {
			command string
			want    any
		}{{"SET k a", "OK"}, {"WAIT 1 500", int64(1)}} {
			if got, err := p.Call(0, words(c.command), time.Second); got != c.want || err != nil {
				t.Errorf("%s: %v, %v", c.command, got, err)
			}
			p.Sleep(2 * time.Second)
		}
	})
	r.down(500*ms, 600*ms, r.hosts[0])
	r.until(5 * time.Second)
}

func TestWaitTakesTwoNumbers(t *testing.T) {
	r := newRingFor(t, 2, lag(0))
	for command, want := range map[string]Error{
		"WAIT":                            "ERR wrong number of arguments for 'wait' command",
		"WAIT 1":                          "ERR wrong number of arguments for 'wait' command",
		"WAIT x 1":                        "ERR value is not an integer or out of range",
		"WAIT 1 x":                        "ERR timeout is not an integer or out of range",
		"wait 1 -1":                       "ERR timeout is negative",
		"WAIT 1 9" + "000000000000000000": "ERR timeout is out of range",
	} {
		r.expect(ms, 1, want, command)
	}
	r.until(5 * time.Millisecond)
}

// Redis keeps the deadline of a blocked client as a time of its wall clock: WAIT 1 500 on redis-server 7.0.15 took 0.15
// s with a step forward in between, and 3.5 s with one of three seconds back.
func TestTheTimeOfWaitIsUpByTheWallClock(t *testing.T) {
	for _, c := range []struct{ step, from, to time.Duration }{
		{0, 500 * time.Millisecond, 502 * time.Millisecond}, {5 * time.Second, 99 * time.Millisecond, 102 * time.Millisecond}, {-3 * time.Second, 3500 * time.Millisecond, 3502 * time.Millisecond},
	} {
		r := newRingFor(t, 2, lag(0))
		r.At(5*ms, r.hosts[1].Pause)
		r.At(110*ms, func() { r.hosts[0].Step(c.step) })
		r.c.Go("p", func(p *sim.Proc) {
			p.Sleep(10 * time.Millisecond)
			p.Call(0, words("SET k a"), time.Second)
			began := p.Mono()
			got, err := p.Call(0, words("WAIT 1 500"), time.Minute)
			if took := p.Mono() - began; got != int64(0) || err != nil || took < c.from || took > c.to {
				t.Errorf("a step of %v: %v, %v after %v; want %v to %v", c.step, got, err, took, c.from, c.to)
			}
		})
		r.until(10 * time.Second)
	}
}
