package redis

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/sim"
)

func message(channel, text string) any { return []any{"message", channel, text} }

func TestAMessageReachesTheSubscriberThatWaits(t *testing.T) {
	r := newRingFor(t, 1, Config{})
	r.ask(ms, 1, time.Second, "SUBSCRIBE ch", []any{"subscribe", "ch", int64(1)}, "RECEIVE ch", message("ch", "now"), "PING", "PONG")
	r.ask(5*ms, 1, time.Second, "PUBLISH ch now", int64(1), "PUBLISH other now", int64(0))
	r.until(20 * time.Millisecond)
	for _, e := range r.Trace() {
		if e.Kind == sim.Served && equal(e.Body, message("ch", "now")) && (e.At < 5*ms || e.At > 6*ms) {
			t.Errorf("it was answered at %v", e.At)
		}
	}
}

func TestMessagesAreKeptForTheConnectionInTheirOrder(t *testing.T) {
	r := newRingFor(t, 1, Config{})
	r.c.Go("p", func(p *sim.Proc) {
		p.Call(0, words("SUBSCRIBE ch"), time.Second)
		p.Sleep(10 * time.Millisecond)
		for _, want := range []any{message("ch", "1"), message("ch", "2"), nil} {
			if got, err := p.Call(0, words("RECEIVE ch 5"), time.Second); !equal(got, want) || err != nil {
				t.Errorf("got %v, %v, want %v", got, err, want)
			}
		}
		p.Sleep(10 * time.Millisecond)
	})
	r.ask(3*ms, 1, time.Second, "PUBLISH ch 1", int64(1), "PUBLISH ch 2", int64(1), "RECEIVE ch",
		Error("NOSUB This connection has not subscribed to the channel. Please use SUBSCRIBE."))
	r.ask(20*ms, 1, time.Second, "PUBLISH ch 3", int64(1)) // which finds no waiting receiver any more
	r.until(30 * time.Millisecond)
}

// A call that is given up takes its connection along, and what was kept for that.
func TestASubscriptionIsLostWithItsConnection(t *testing.T) {
	r := newRingFor(t, 1, Config{})
	noSub := Error("NOSUB This connection has not subscribed to the channel. Please use SUBSCRIBE.")
	r.ask(ms, 1, 5*time.Millisecond, "SUBSCRIBE ch", []any{"subscribe", "ch", int64(1)}, "RECEIVE ch", sim.ErrTimeout, "RECEIVE ch 1", noSub)
	r.ask(10*ms, 1, time.Second, "PUBLISH ch late", int64(0))
	r.ask(20*ms, 1, 20*time.Millisecond, "SUBSCRIBE ch", []any{"subscribe", "ch", int64(1)}, "RECEIVE ch", sim.ErrTimeout)
	r.apart(30*ms, 35*ms, r.c, r.hosts[0])
	r.At(32*ms, func() {
		if got := r.nodes[0].spread("ch", "lost"); got != 1 {
			t.Errorf("%d receivers", got)
		}
	})
	r.until(60 * time.Millisecond)
}

func TestSubscriptionsAreLostWithTheServer(t *testing.T) {
	r := newRingFor(t, 1, Config{Persistence: AOFEverySecond})
	r.ask(ms, 1, 3*time.Second, "SUBSCRIBE ch", []any{"subscribe", "ch", int64(1)}, "RECEIVE ch", sim.ErrTimeout)
	r.expect(1100*ms, 1, "OK", "SET first-in-its-second x")
	r.expect(1200*ms, 1, "OK", "SET k lost") // so that the log is replayed
	r.down(1500*ms, 1600*ms, r.hosts[0])
	r.ask(2000*ms, 1, time.Second, "PUBLISH ch m", int64(0))
	r.until(4 * time.Second)
}

// The log is replayed, and with it a script that published. Its messages don't go out again; the script does as before.
func TestReplayPublishesNothing(t *testing.T) {
	for _, replication := range []Replication{{}, {Group: []int{0}}} {
		r := newRingFor(t, 1, Config{Persistence: AOFEverySecond, Replication: replication})
		r.expectArgs(ms, 1, "OK", "EVAL", "redis.call('PUBLISH', 'ch', 'm') return redis.call('SET', 'k', 'a')", "0")
		r.expect(1450*ms, 1, "OK", "SET first-in-its-second x")
		r.expect(1500*ms, 1, "OK", "SET k b")
		r.down(1600*ms, 1700*ms, r.hosts[0])
		r.expect(1800*ms, 1, "a", "GET k")
		r.until(2 * time.Second)
	}
}

// The limit of one RECEIVE does not apply to the next one.
func TestAReceiveThatWasAnsweredHasNoLimitLeft(t *testing.T) {
	r := newRingFor(t, 1, Config{})
	r.ask(ms, 1, time.Second, "SUBSCRIBE ch", []any{"subscribe", "ch", int64(1)}, "RECEIVE ch 20", message("ch", "1"), "RECEIVE ch 100", message("ch", "2"))
	r.ask(10*ms, 1, time.Second, "PUBLISH ch 1", int64(1))
	r.ask(50*ms, 1, time.Second, "PUBLISH ch 2", int64(1))
	r.until(200 * time.Millisecond)
}

func TestOneReceiveWaitsAtATime(t *testing.T) {
	r := newRingFor(t, 1, Config{})
	r.c.Go("p", func(p *sim.Proc) {
		p.Call(0, words("SUBSCRIBE ch"), time.Second)
		var got [2]any
		p.Together(2, func(i int) { got[i], _ = p.Call(0, words("RECEIVE ch 20"), time.Second) })
		if want := Error("ERR another RECEIVE of this channel is waiting on this connection"); got != [2]any{nil, want} {
			t.Errorf("got %v", got)
		}
	})
	r.until(50 * time.Millisecond)
}

func TestUnsubscribing(t *testing.T) {
	r := newRingFor(t, 1, Config{})
	r.ask(ms, 1, time.Second, "SUBSCRIBE a", []any{"subscribe", "a", int64(1)}, "SUBSCRIBE a", []any{"subscribe", "a", int64(1)},
		"SUBSCRIBE b", []any{"subscribe", "b", int64(2)}, "PUBLISH a m", int64(1), "UNSUBSCRIBE a", []any{"unsubscribe", "a", int64(1)},
		"PUBLISH a m", int64(0), "UNSUBSCRIBE none", []any{"unsubscribe", "none", int64(1)}, "UNSUBSCRIBE", []any{"unsubscribe", nil, int64(0)},
		"PUBLISH b m", int64(0),
		"SUBSCRIBE", Error("ERR wrong number of arguments for 'subscribe' command"), "PUBLISH b", Error("ERR wrong number of arguments for 'publish' command"),
		"SUBSCRIBE a", []any{"subscribe", "a", int64(1)}, "RECEIVE a x", Error("ERR timeout is not an integer or out of range"))
	r.until(20 * time.Millisecond)
}

func TestScriptsPublish(t *testing.T) {
	r := newRingFor(t, 1, Config{})
	r.ask(ms, 1, time.Second, "SUBSCRIBE ch", []any{"subscribe", "ch", int64(1)}, "RECEIVE ch", message("ch", "from a script"))
	r.expectArgs(5*ms, 1, []any{int64(1), int64(0)}, "EVAL", "return {redis.call('PUBLISH', KEYS[1], ARGV[1]), redis.call('publish', 'other', 1)}", "1", "ch", "from a script")
	r.At(6*ms, func() {
		for script, want := range map[string]Error{
			"return redis.call('PUBLISH', 'ch')":   "ERR wrong number of arguments for 'publish' command script: ",
			"return redis.call('SUBSCRIBE', 'ch')": "ERR This Redis command is not allowed from script script: ",
			"return redis.call('RECEIVE', 'ch')":   "ERR Unknown Redis command called from script script: ",
		} {
			if got, bad := r.nodes[0].Serve([]string{"EVAL", script, "0"}).(Error); !bad || got[:min(len(got), len(want))] != want {
				t.Errorf("%s: %v", script, got)
			}
		}
	})
	r.until(20 * time.Millisecond)
}

// As in Redis, who has subscribed on a replica hears what is published on its master.
func TestMessagesReachSubscribersOnReplicas(t *testing.T) {
	r := newRingFor(t, 2, lag(0))
	r.ask(ms, 2, time.Second, "SUBSCRIBE ch", []any{"subscribe", "ch", int64(1)}, "RECEIVE ch", message("ch", "m"))
	r.ask(5*ms, 1, time.Second, "PUBLISH ch m", int64(0))
	r.until(20 * time.Millisecond)
}
