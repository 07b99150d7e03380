package redis

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// lag is a group whose writes are sent this long after they were made.
func lag(d time.Duration) Config {
	return Config{Watch: "k", Replication: Replication{Lag: sim.Range{Min: d, Max: d}}}
}

const readOnly = Error("READONLY You can't write against a read only replica.")

func TestAWriteReachesTheReplicaAfterTheLag(t *testing.T) {
	r := newRingFor(t, 2, lag(5*time.Millisecond))
	r.expect(10*ms, 1, "OK", "SET k a NX PX 1000")
	r.expect(15*ms, 2, nil, "GET k")
	r.expect(16*ms, 2, "a", "GET k")
	r.until(20 * time.Millisecond)
}

// The replica gets the deadline, not the TTL: however late the write comes, the key ends when it should.
func TestTheReplicaHasTheMastersDeadline(t *testing.T) {
	r := newRingFor(t, 2, lag(5*time.Millisecond))
	r.expect(10*ms, 1, "OK", "SET k a NX PX 1000")
	r.expect(20*ms, 2, int64(990), "PTTL k")
	r.expect(30*ms, 1, int64(1), "PEXPIRE k 2000")
	r.expect(40*ms, 2, int64(1990), "PTTL k")
	r.expect(50*ms, 1, int64(1), "PERSIST k")
	r.expect(60*ms, 2, int64(-1), "PTTL k")
	r.until(70 * time.Millisecond)
}

func TestAReplicaTakesNoWrites(t *testing.T) {
	r := newRingFor(t, 2, lag(0))
	r.expect(ms, 1, "OK", "SET k a NX PX 1000")
	r.expect(ms, 1, int64(2), "HSET hash a 1 state pending")
	for _, command := range []string{"SET k b NX PX 1000", "set k b", "DEL k", "PEXPIRE k 5", "INCR n", "FLUSHALL", "HSET h f v"} {
		r.expect(5*ms, 2, readOnly, command)
	}
	r.At(5*ms, func() {
		for _, s := range Scripts {
			keys := []string{"k", "j", "i"}
			if strings.HasSuffix(s.Name, "hash") || s.Name == "asynq: delete" {
				keys[0] = "hash"
			}
			args := append([]string{"EVAL", s.Text, strconv.Itoa(s.Keys)}, keys[:s.Keys]...)
			args = append(args, words("a 5 1 1")[:s.Args]...)
			if got, bad := r.nodes[1].Serve(args).(Error); (bad && firstWord(got) == "READONLY") == (s.Name == "redislock: pttl") { // which only reads
				t.Errorf("%s: %v", s.Name, got)
			}
		}
	})
	r.expectArgs(5*ms, 2, int64(0), "EVAL", Scripts[0].Text, "1", "k", "not a")
	r.expect(5*ms, 2, "a", "GET k")
	r.until(10 * time.Millisecond)
}

// The replica's clock is two seconds ahead. It hides the key, but the key is the master's to delete: the clock set
// right, it is there again.
func TestAReplicaHidesWhatIsOverdueAndDeletesNothing(t *testing.T) {
	r := newRingFor(t, 2, lag(0))
	r.expect(ms, 1, "OK", "SET k a NX PX 1000")
	r.expect(5*ms, 2, "a", "GET k")
	r.At(10*ms, func() { r.hosts[1].Step(2 * time.Second) })
	r.expect(20*ms, 2, nil, "GET k")
	r.expect(20*ms, 2, int64(0), "EXISTS k")
	r.expect(20*ms, 2, []any{}, "KEYS *")
	r.expect(20*ms, 1, "a", "GET k")
	r.At(30*ms, func() { r.hosts[1].Step(-2 * time.Second) })
	r.expect(40*ms, 2, "a", "GET k")
	r.until(2500 * time.Millisecond)
	if got, want := lived(r.nodes[1].Spans()), []string{"a 0.0011s 0.01s", "a 0.03s 1.002s"}; !equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if keys := r.nodes[1].mini.Keys(); len(keys) > 0 {
		t.Errorf("the master's DEL did not come: %q", keys)
	}
}

// Its master is gone, and its own clock decides.
func TestAPromotedReplicaEndsKeysByItsOwnClock(t *testing.T) {
	r := newRingFor(t, 2, lag(0))
	r.expect(ms, 1, "OK", "SET k a NX PX 1000")
	r.expect(ms, 1, "OK", "SET j b NX PX 4000")
	r.At(5*ms, func() { r.hosts[1].Step(2 * time.Second) })
	r.At(6*ms, func() { r.hosts[0].Crash(true) })
	r.expect(10*ms, 2, "OK", "REPLICAOF NO ONE")
	r.expect(10*ms, 2, "OK", "SET k c NX PX 1000")
	r.expect(1995*ms, 2, "b", "GET j")
	r.expect(2005*ms, 2, nil, "GET j")
	r.until(3 * time.Second)
	if got, want := lived(r.nodes[1].Spans()), []string{"a 0.0011s 0.005s", "c 0.01s 1.011s"}; !equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The message that is lost breaks the connection. The next one shows it; the replica asks for what it misses, and gets
// that.
func TestAfterALostMessageTheReplicaGetsWhatItMissed(t *testing.T) {
	r := newRingFor(t, 2, lag(0))
	r.apart(0, 5*ms, r.hosts[0], r.hosts[1])
	r.expect(ms, 1, "OK", "SET j a")
	r.expect(10*ms, 1, "OK", "SET k b")
	r.expect(10*ms+ms/4, 2, nil, "GET k") // for it does not follow on what the replica has
	r.expect(12*ms, 2, "b", "GET k")
	r.expect(12*ms, 2, "a", "GET j")
	r.until(20 * time.Millisecond)
	r.synced("1 change from 0, 1 change from 1, go on with 2 changes from 0")
}

// synced checks by what messages the first replica was brought up, beats left out.
func (r *ring) synced(want string) {
	r.tb.Helper()
	got := ""
	for _, e := range r.Trace() {
		f, ok := e.Body.(feed)
		if !ok || e.Kind != sim.Posted || e.Peer != 1 || len(f.changes) == 0 && !f.sync {
			continue
		}
		if got != "" {
			got += ", "
		}
		got += f.String()
	}
	if got != want {
		r.tb.Errorf("sent: %q, want %q", got, want)
	}
}

// Two more writes come before the answer does; it has them, too.
func TestAReplicaAsksOnceForWhatItMissed(t *testing.T) {
	r := newRingFor(t, 2, lag(0))
	r.apart(0, 5*ms, r.hosts[0], r.hosts[1])
	r.expect(ms, 1, "OK", "SET j a")
	for i, command := range []string{"SET h b", "SET i c", "SET k d"} {
		r.expect(10*ms+clock.Instant(i)*ms/20, 1, "OK", command)
	}
	r.expect(12*ms, 2, "d", "GET k")
	r.until(20 * time.Millisecond)
	r.synced("1 change from 0, 1 change from 1, 1 change from 2, 1 change from 3, go on with 4 changes from 0")
}

// The first write has its turn when it would have had it alone, however short the turn that the second one drew.
func TestAWriteDoesNotHurryTheOneBeforeIt(t *testing.T) {
	for seed := range uint64(20) {
		var sent [2]clock.Instant
		for more := range sent {
			r := newRingFor(t, 2, Config{Replication: Replication{Lag: sim.Range{Min: time.Millisecond, Max: 50 * time.Millisecond}}})
			for range seed {
				r.nodes[0].member.chance.In(r.nodes[0].member.Lag)
			}
			r.expect(10*ms, 1, "OK", "SET k a")
			if more > 0 {
				r.expect(10*ms+1000, 1, "OK", "SET k b")
			}
			r.until(200 * time.Millisecond)
			for _, e := range r.Trace() {
				if f, ok := e.Body.(feed); ok && len(f.changes) > 0 && sent[more] == 0 {
					sent[more] = e.At
				}
			}
		}
		if sent[0] != sent[1] {
			t.Errorf("sent at %v alone, at %v before another", sent[0], sent[1])
		}
	}
}

// n3 has asked n1, whose answer is slow; meanwhile it has begun to follow n2.
func TestOldMastersMessagesAreIgnored(t *testing.T) {
	r := newRingFor(t, 3, lag(0))
	r.expect(ms, 1, "OK", "SET k a")
	r.At(5*ms, func() { r.Slow(r.hosts[0], r.hosts[2], 20*time.Millisecond) })
	r.down(6*ms, 7*ms, r.hosts[2])
	r.expect(8*ms, 2, "OK", "REPLICAOF NO ONE")
	r.expect(9*ms, 2, "OK", "SET k b")
	r.expect(10*ms, 3, "OK", "REPLICAOF n2 6379")
	r.expect(15*ms, 3, "b", "GET k")
	r.expect(27*ms+ms*3/10, 3, "b", "GET k") // n1's answer came at 27.2 ms
	r.expect(60*ms, 2, "OK", "SET k c")
	r.expect(70*ms, 3, "c", "GET k")
	r.until(80 * time.Millisecond)
}

// The data from before the copy is no longer on the disk.
func TestACopyOfAllDataReplacesWhatIsOnDisk(t *testing.T) {
	c := lag(0)
	c.Persistence, c.Replication.Backlog = AOFEverySecond, 1
	r := newRingFor(t, 2, c)
	r.expect(200*ms, 1, "OK", "SET j a")
	r.apart(300*ms, 400*ms, r.hosts[0], r.hosts[1])
	r.expect(310*ms, 1, int64(1), "DEL j")
	r.expect(320*ms, 1, "OK", "SET i b")
	r.expect(500*ms, 1, "OK", "SET k c")
	r.expect(1010*ms, 1, "OK", "SET k c")
	r.expect(1050*ms, 1, "OK", "SET k lost")
	r.At(1100*ms, r.hosts[0].Pause)
	r.down(1200*ms, 1300*ms, r.hosts[1])
	r.expect(1400*ms, 2, []any{"i", "k"}, "KEYS *")
	r.At(1500*ms, r.hosts[0].Resume)
	r.until(2 * time.Second)
}

// The script could not write, for want of replicas; it cannot when the log is replayed.
func TestAMasterRestartsWithWhatItHadSynced(t *testing.T) {
	c := lag(0)
	c.Persistence, c.Replication.MinReplicas, c.Replication.MaxLag = AOFEverySecond, 1, time.Second
	r := newRingFor(t, 2, c)
	r.expect(500*ms, 1, "OK", "SET k a")
	r.expectArgs(500*ms, 1, nil, "EVAL", "redis.call('SET', 'j', 'b')", "0")
	r.At(600*ms, r.hosts[1].Pause)
	r.At(4500*ms, func() { r.nodes[0].Serve([]string{"EVAL", "redis.pcall('SET', 'k', 'barred')", "0"}) })
	r.At(5200*ms, r.hosts[1].Resume)
	r.expect(6050*ms, 1, "OK", "SET first-in-its-second x")
	r.expect(6100*ms, 1, "OK", "SET j lost")
	r.At(6150*ms, r.hosts[1].Pause)
	r.down(6200*ms, 6300*ms, r.hosts[0])
	r.expect(6400*ms, 1, "a", "GET k")
	r.expect(6400*ms, 1, "b", "GET j")
	r.expect(6400*ms, 1, Error("NOREPLICAS Not enough good replicas to write."), "SET k c") // none has come back yet
	r.At(6500*ms, r.hosts[1].Resume)
	r.until(7 * time.Second)
}

// A replica of one run is a lone server in the next.
func TestANodeLeavesItsGroupWithTheRun(t *testing.T) {
	used := newRing(t, 2, lag(0))
	used.ask(ms, 2, time.Second, "SUBSCRIBE ch", []any{"subscribe", "ch", int64(1)}, "SET k a", readOnly)
	used.At(5*ms, func() { used.c.Pause() }) // so that its connection is never given up
	used.expect(6*ms, 2, readOnly, "SET k a")
	used.At(7*ms, func() { used.c.Resume() })
	used.until(8 * time.Millisecond)
	used.nodes[0].Close()
	r := rigWith(t, used.nodes[1:], Config{})
	t.Cleanup(r.close)
	r.replies("OK", "EVAL", "return redis.call('SET', 'k', 'b')", "0")
	r.fails("ERR unknown command 'ROLE'", "ROLE")
	if left := len(used.nodes[1].subscribers); left > 0 {
		t.Errorf("%d subscribers are left", left)
	}
}

func TestAReplicaThatMissedTooMuchIsSentAllData(t *testing.T) {
	c := lag(0)
	c.Replication.Backlog = 2
	r := newRingFor(t, 2, c)
	r.apart(0, 5*ms, r.hosts[0], r.hosts[1])
	for _, command := range []string{"SET h 1", "SET i 2", "DEL h", "SET k b"} {
		r.expectArgs(ms, 1, map[bool]any{true: int64(1), false: "OK"}[command == "DEL h"], words(command)...)
	}
	r.expect(10*ms, 1, "OK", "SET j c")
	r.until(20 * time.Millisecond)
	r.synced("all data, at 4, 1 change from 4, all data, at 5") // the first two are lost, or do not follow
	if got, want := dump(r.nodes[1]), dump(r.nodes[0]); got != want {
		t.Errorf("the replica has\n%swant\n%s", got, want)
	}
}

// The known trap of a master without persistence: it restarts by itself, faster than anybody promotes another.
func TestAMasterThatRestartsEmptyEmptiesItsReplicas(t *testing.T) {
	r := newRingFor(t, 2, lag(0)).observed()
	r.expect(ms, 1, "OK", "SET k a NX PX 60000")
	r.expect(1500*ms, 2, "a", "GET k")
	r.down(1600*ms, 1700*ms, r.hosts[0])
	r.expect(1900*ms, 2, "a", "GET k")
	r.expect(2100*ms, 2, nil, "GET k")
	r.until(10 * time.Second)
	if terms := r.o.Terms(); len(terms) != 1 {
		t.Errorf("somebody was promoted: %v", terms)
	}
	if got, want := lived(Lives(r.o.Terms(), r.nodes)), []string{"a 0.001s 1.7s"}; !equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAMasterThatKeepsItsLogRestartsWithWhatItsReplicasHave(t *testing.T) {
	c := lag(0)
	c.Persistence = AOFAlways
	r := newRingFor(t, 2, c)
	r.expect(ms, 1, "OK", "SET k a NX PX 60000")
	r.down(1600*ms, 1700*ms, r.hosts[0])
	r.expect(3000*ms, 1, "a", "GET k")
	r.expect(3000*ms, 2, "a", "GET k")
	r.until(4 * time.Second)
}

// The replica's disk has its master's data as far as that was synced; then its master sends all of it again.
func TestAReplicaRestartsWithItsDiskAndIsThenSentAllData(t *testing.T) {
	c := lag(0)
	c.Persistence = AOFEverySecond
	r := newRingFor(t, 2, c)
	r.expect(500*ms, 1, "OK", "SET k a NX PX 60000")
	r.expect(1400*ms, 1, "OK", "SET first-in-its-second x")
	r.expect(1500*ms, 1, int64(1), "DEL k")
	r.expect(1500*ms, 1, "OK", "SET k b NX PX 60000")
	r.At(1600*ms, func() { r.hosts[0].Pause() })
	r.down(1700*ms, 1800*ms, r.hosts[1])
	r.expect(1900*ms, 2, "a", "GET k")
	r.At(2500*ms, func() { r.hosts[0].Resume() })
	r.expect(2600*ms, 2, "b", "GET k")
	r.until(3 * time.Second)
	if got, want := lived(r.nodes[1].Spans()), []string{"a 0.5001s 1.5001s", "b 1.5001s 1.8s", "a 1.8s 2.5001s", "b 2.5001s 61.501s"}; !equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEachKeyOfACommandIsReplicated(t *testing.T) {
	r := newRingFor(t, 2, lag(0))
	r.expect(ms, 1, "OK", "MSET h 1 i 2 j 3 k 4")
	r.expect(2*ms, 1, int64(2), "DEL h k")
	r.expect(3*ms, 1, "OK", "RENAME i j")
	r.expect(5*ms, 2, []any{"j"}, "KEYS *")
	r.expect(5*ms, 2, "2", "GET j")
	r.until(10 * time.Millisecond)
}

func TestScriptsAreReplicatedAsWhatTheyDid(t *testing.T) {
	r := newRingFor(t, 2, lag(0))
	script := "redis.call('SADD', 's', 'a', 'b', 'c') redis.call('SPOP', 's') redis.call('HINCRBY', 'h', 'f', 2) " +
		"redis.call('ZADD', 'z', '1.5', 'm') redis.call('RPUSH', 'l', 'b', 'a') redis.call('XADD', 'x', '5-1', 'f', 'v') " +
		"redis.call('PEXPIRE', 'h', 500) redis.call('SET', 'k', redis.call('TIME')[2]) return redis.call('DBSIZE')"
	r.expectArgs(ms, 1, int64(6), "EVAL", script, "0")
	r.At(5*ms, func() {
		for _, probe := range []string{"SMEMBERS s", "HGETALL h", "PTTL h", "ZRANGE z 0 -1 WITHSCORES", "LRANGE l 0 -1", "XRANGE x - +", "GET k"} {
			if a, b := r.nodes[0].Serve(words(probe)), r.nodes[1].Serve(words(probe)); !equal(a, b) {
				t.Errorf("%s: master %v, replica %v", probe, a, b)
			}
		}
	})
	r.expectArgs(6*ms, 2, Error("NOSCRIPT No matching script. Please use EVAL."), "EVALSHA", digest(script), "0")
	r.until(10 * time.Millisecond)
}

// n1 has a write that n2 has not. When it becomes a replica it loses it; before that it serves on.
func TestAMasterThatIsDemotedLosesWhatItAloneHas(t *testing.T) {
	r := newRingFor(t, 2, lag(0))
	r.expect(ms, 1, "OK", "SET j shared")
	r.apart(5*ms, 30*ms, r.hosts[0], r.hosts[1])
	r.expect(6*ms, 1, "OK", "SET k alone")
	r.expect(10*ms, 2, "OK", "REPLICAOF NO ONE")
	r.expect(11*ms, 2, "OK", "SET k new")
	r.expect(20*ms, 1, "alone", "GET k")
	r.expect(40*ms, 1, "OK", "REPLICAOF n2 6379")
	r.expect(50*ms, 1, "new", "GET k")
	r.expect(50*ms, 1, "shared", "GET j")
	r.expect(50*ms, 1, readOnly, "SET k b")
	r.until(60 * time.Millisecond)
	r.synced("1 change from 0, 1 change from 1")
}

// n3 has followed n1. It continues with n2 where it was, because n2's history is a branch of the same one.
func TestReplicaResumesItsOffsetWithTheNewMaster(t *testing.T) {
	r := newRingFor(t, 3, lag(0))
	r.expect(ms, 1, "OK", "SET j a")
	r.At(5*ms, func() { r.hosts[0].Crash(true) })
	r.expect(10*ms, 2, "OK", "REPLICAOF NO ONE")
	r.expect(11*ms, 2, "OK", "SET k b")
	r.expect(20*ms, 3, "OK", "REPLICAOF n2 6379")
	r.expect(30*ms, 3, "b", "GET k")
	r.expect(30*ms, 3, "a", "GET j")
	r.expect(31*ms, 2, []any{"master", int64(2), []any{[]any{"n3", "6379", "0"}}}, "ROLE")
	r.expect(31*ms, 3, []any{"slave", "n2", int64(6379), "connected", int64(2)}, "ROLE")
	r.expect(1500*ms, 2, []any{"master", int64(2), []any{[]any{"n3", "6379", "2"}}}, "ROLE")
	r.until(1600 * time.Millisecond)
	for _, e := range r.Trace() {
		if f, ok := e.Body.(feed); ok && f.full {
			t.Errorf("all data was sent: %v", f)
		}
	}
}

func TestAWriteNeedsItsReplicas(t *testing.T) {
	c := lag(0)
	c.Replication.MinReplicas, c.Replication.MaxLag = 1, 2*time.Second
	r := newRingFor(t, 2, c)
	no := Error("NOREPLICAS Not enough good replicas to write.")
	r.expect(1500*ms, 1, "OK", "SET k a")
	r.apart(1600*ms, 9500*ms, r.hosts[0], r.hosts[1])
	r.expect(3500*ms, 1, "OK", "SET k b") // heard of at 1001 s by its own clock
	r.expect(4500*ms, 1, no, "SET k c")
	r.expectArgs(4500*ms, 1, int64(0), "EVAL", Scripts[0].Text, "1", "k", "x")
	r.At(4500*ms, func() {
		if got, bad := r.nodes[0].Serve([]string{"EVAL", Scripts[0].Text, "1", "k", "b"}).(Error); !bad || firstWord(got) != "NOREPLICAS" {
			t.Errorf("%v", got)
		}
	})
	r.expect(4500*ms, 1, "b", "GET k")
	r.expect(9000*ms, 2, "a", "GET k")
	r.expect(10500*ms, 1, "OK", "SET k d")
	r.expect(11000*ms, 2, "d", "GET k")
	r.until(12 * time.Second)
}

func TestReplicaOfIsForServersOfTheGroup(t *testing.T) {
	r := newRingFor(t, 2, lag(0))
	for _, command := range []string{"REPLICAOF", "REPLICAOF n2", "REPLICAOF n2 1", "REPLICAOF n1 6379", "REPLICAOF c 6379", "replicaof nobody 6379"} {
		r.At(ms, func() {
			if _, bad := r.nodes[0].Serve(words(command)).(Error); !bad {
				t.Errorf("%s was done", command)
			}
		})
	}
	r.expect(2*ms, 1, []any{"master", int64(0), []any{[]any{"n2", "6379", "0"}}}, "ROLE")
	r.expect(2*ms, 1, Error("ERR wrong number of arguments for 'role' command"), "ROLE x")
	r.until(5 * time.Millisecond)
}

// While n2 is out of reach one key is set, deleted and set twice. It gets the changes in one message, in order.
func TestChangesOfOneMessageAreMadeInTheirOrder(t *testing.T) {
	r := newRingFor(t, 2, lag(0))
	r.apart(0, 50*ms, r.hosts[0], r.hosts[1])
	for i, command := range []string{"SET k a", "DEL k", "SET k b", "SET k c", "SET j a", "DEL j"} {
		r.At(10*ms+clock.Instant(i)*ms, func() { r.nodes[0].Serve(words(command)) })
	}
	r.expect(60*ms, 1, "OK", "SET i a")
	r.expect(70*ms, 2, "c", "GET k")
	r.expect(70*ms, 2, nil, "GET j")
	r.until(80 * time.Millisecond)
}

// n1 fails, n2 takes over, and fails in its turn: n1, which has come back as its replica, is master again, with what n2
// had written, and takes writes that n2 gets when it is on again.
func TestTheFirstServerIsPromotedAgain(t *testing.T) {
	r := newRingFor(t, 2, lag(0)).observed()
	r.expect(ms, 1, "OK", "SET k a")
	r.down(1500*ms, 8500*ms, r.hosts[0])
	r.expect(9500*ms, 2, "OK", "SET k b")
	r.asks(10_000*ms, "n2")
	r.down(12_000*ms, 19_500*ms, r.hosts[1])
	r.asks(19_000*ms, "n1")
	r.expect(19_100*ms, 1, "b", "GET k")
	r.expect(19_100*ms, 1, "OK", "SET k c")
	r.expect(22_000*ms, 2, "c", "GET k")
	r.expect(22_000*ms, 2, readOnly, "SET k d")
	r.until(23 * time.Second)
}
