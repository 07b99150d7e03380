package locks

import (
	"slices"
	"testing"
	"time"
)

// oneReplica is a lock that counts as acquired when one replica has the key, too.
var oneReplica = FailoverRules{Wait: 1, WaitTimeout: 100 * time.Millisecond, CheckWait: true}

// ward returns a bench with server 0 as master, its replica 1 and the observer at 9; and a lock on the master.
func ward(f FailoverRules) (*bench, *OnMaster) {
	b, c := newBench(), config()
	b.master, b.replica[1] = []any{"n1", "6379"}, true
	c.Servers = []int{0, 1}
	c.Failover, c.Sentinel = f, Sentinel{Server: 9, Name: "mymaster", Addresses: []string{"n1:6379", "n2:6379"}}
	return b, NewFailover(c)
}

// fail makes server 1 the master; server 0 is a replica from now on, or silent.
func (b *bench) fail(silent bool) {
	b.master, b.replica = []any{"n2", "6379"}, map[int]bool{0: !silent}
	b.down[0] = silent
}

func TestTheMasterIsAskedForOnce(t *testing.T) {
	b, l := ward(FailoverRules{})
	for range 2 {
		g := l.Acquire(b)
		if !g.Won() || g.Votes != 1 || !l.Extend(b, &g) || !l.Release(b, g) {
			t.Errorf("grant %+v", g)
		}
	}
	want := []string{"9 SENTINEL", "0 SET", "0 EVAL", "0 EVAL", "0 SET", "0 EVALSHA", "0 EVALSHA"}
	if !slices.Equal(b.calls, want) {
		t.Errorf("calls %v, want %v", b.calls, want)
	}
}

func TestAMasterThatAnswersNotOrTakesNoWritesIsDoubted(t *testing.T) {
	for _, silent := range []bool{true, false} {
		b, l := ward(FailoverRules{})
		l.Release(b, l.Acquire(b))
		b.fail(silent)
		b.calls = nil
		if g := l.Acquire(b); g.Outcome != NoQuorum {
			t.Errorf("silent %t: grant %+v", silent, g)
		}
		g := l.Acquire(b)
		if !g.Won() || b.keys[1] != g.Token {
			t.Errorf("silent %t: grant %+v, keys %v", silent, g, b.keys)
		}
		l.Release(b, g) // with the text, for the new master has not seen the script
		if want := []string{"0 SET", "0 EVALSHA", "9 SENTINEL", "1 SET", "1 EVAL"}; !slices.Equal(b.calls, want) {
			t.Errorf("silent %t: calls %v, want %v", silent, b.calls, want)
		}
	}
}

func TestAReleaseFollowsTheKeyToTheNextMaster(t *testing.T) {
	b, l := ward(FailoverRules{})
	g := l.Acquire(b)
	b.fail(false)
	b.keys[1] = g.Token // it was replicated
	if !l.Release(b, g) || len(b.keys) != 1 || b.keys[0] != g.Token {
		t.Errorf("keys %v", b.keys)
	}
	b, l = ward(FailoverRules{})
	g = l.Acquire(b)
	b.silence(0) // and it is still called the master
	b.calls = nil
	if l.Release(b, g) || !slices.Equal(b.calls, []string{"0 EVAL", "9 SENTINEL"}) {
		t.Errorf("acknowledged; calls %v", b.calls)
	}
}

func TestWithoutAnAnswerOfTheObserverNothingIsAsked(t *testing.T) {
	for name, spoil := range map[string]func(b *bench){
		"silent":        func(b *bench) { b.silence(9) },
		"knows nothing": func(b *bench) { b.master = nil },
		"another group": func(b *bench) { b.master = []any{"n7", "6379"} },
		"nonsense":      func(b *bench) { b.master = []any{1, 2} },
		"an error":      func(b *bench) { b.sick[9] = true },
	} {
		b, l := ward(FailoverRules{})
		spoil(b)
		g := l.Acquire(b)
		if g.Outcome != Broken || !g.Clean || l.Extend(b, &g) || l.Release(b, g) || slices.ContainsFunc(b.calls, func(c string) bool { return c != "9 SENTINEL" }) {
			t.Errorf("%s: grant %+v, calls %v", name, g, b.calls)
		}
	}
}

func TestAReplicasAcknowledgementIsAVote(t *testing.T) {
	for _, c := range []struct {
		rules FailoverRules
		acks  any
		won   bool
		votes int
	}{
		{FailoverRules{Wait: 2, WaitTimeout: time.Second, CheckWait: true}, int64(2), true, 3},
		{FailoverRules{Wait: 2, WaitTimeout: time.Second, CheckWait: true}, int64(5), true, 3},
		{FailoverRules{Wait: 2, WaitTimeout: time.Second, CheckWait: true}, int64(1), false, 2},
		{FailoverRules{Wait: 1, WaitTimeout: time.Second, CheckWait: true}, redisError("UNBLOCKED"), false, 1},
		{FailoverRules{Wait: 2, WaitTimeout: time.Second}, int64(0), true, 1}, // the number is ignored
		{FailoverRules{Wait: 2, WaitTimeout: time.Second}, redisError("UNBLOCKED"), true, 1},
		{FailoverRules{}, int64(0), true, 1},
	} {
		b, l := ward(c.rules)
		b.acks = c.acks
		g := l.Acquire(b)
		if g.Won() != c.won || g.Votes != c.votes || (len(b.keys) == 1) != c.won {
			t.Errorf("%+v, %v acknowledged: grant %+v, keys %v", c.rules, c.acks, g, b.keys)
		}
		if waited := slices.Contains(b.calls, "0 WAIT"); waited != (c.rules.Wait > 0) || slices.Contains(b.marks, "taken") != waited {
			t.Errorf("%+v: calls %v", c.rules, b.calls)
		}
	}
}

func TestAMasterThatFailsDuringWaitIsDoubted(t *testing.T) {
	b, l := ward(oneReplica)
	b.at = func(b *bench, name string) {
		if name == "taken" {
			b.fail(true)
		}
	}
	if g := l.Acquire(b); g.Outcome != NoQuorum || g.Clean {
		t.Errorf("grant %+v", g)
	}
	b.at, b.acks, b.calls = nil, int64(1), nil
	if g := l.Acquire(b); !g.Won() || !slices.Equal(b.calls, []string{"9 SENTINEL", "1 SET", "1 WAIT"}) {
		t.Errorf("grant %+v, calls %v", g, b.calls)
	}
}

func TestAnExtensionWaitsForItsReplicasToo(t *testing.T) {
	b, l := ward(oneReplica)
	b.acks = int64(1)
	g := l.Acquire(b)
	if !g.Won() || !l.Extend(b, &g) {
		t.Fatalf("grant %+v", g)
	}
	b.acks = int64(0)
	if before := g.Deadline; l.Extend(b, &g) || g.Deadline != before {
		t.Errorf("extended without its replica: %+v", g)
	}
}

// The time of a WAIT is subtracted from the validity, like every other delay.
func TestTheTimeThatWaitTakesIsDeducted(t *testing.T) {
	b, l := ward(oneReplica)
	b.acks = int64(1)
	b.after = func(b *bench, n int) {
		if n == 3 {
			b.now += 9 * time.Second
		}
	}
	g := l.Acquire(b)
	if left, want := l.Left(b, g), 10*time.Second-9*time.Second-2*time.Millisecond-102*time.Millisecond; !g.Won() || left != want {
		t.Errorf("%v left, want %v; %v", left, want, b.calls)
	}
}

func TestLockWithoutReplicasToWaitForTrustsTheMaster(t *testing.T) {
	b, l := ward(FailoverRules{})
	b.taken(0)
	if g := l.Acquire(b); g.Outcome != NoQuorum || slices.Contains(b.calls, "0 WAIT") {
		t.Errorf("grant %+v, calls %v", g, b.calls)
	}
	b, l = ward(oneReplica)
	b.taken(0)
	if g := l.Acquire(b); g.Outcome != NoQuorum || slices.Contains(b.calls, "0 WAIT") {
		t.Errorf("grant %+v, calls %v", g, b.calls)
	}
}

func TestEachServerNeedsAnAddress(t *testing.T) {
	for _, c := range []Config{{}, {Servers: []int{0, 1}}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("servers %v were accepted", c.Servers)
				}
			}()
			c.Sentinel = Sentinel{Addresses: []string{"n1:6379"}}
			NewFailover(c)
		}()
	}
}

// An attempt asks the observer, takes the key, waits for replicas and frees the key, by its text if its SHA-1 is not
// known; and once more where the master has changed. The wait has its own time.
func TestAnAttemptOnAMasterIsTenCallsAndAWait(t *testing.T) {
	r := Rules{Timeout: 50 * time.Millisecond, Failover: FailoverRules{WaitTimeout: 70 * time.Millisecond}}
	for _, servers := range []int{1, 3} {
		if d := FailoverProtocol.Longest(r, servers); d != 570*time.Millisecond {
			t.Errorf("%d servers: %s", servers, d)
		}
	}
	for option, has := range map[string]bool{
		"ttl": true, "failover.wait": true, "failover.once": true, "renew.every": true, "retry.min": true,
		"contact": false, "quorum": false, "session.poll": false,
	} {
		if FailoverProtocol.Has(option) != has {
			t.Errorf("it has %s: %t", option, !has)
		}
	}
}

func TestCallsPerAttemptInSequenceAndInParallel(t *testing.T) {
	r := Rules{Timeout: time.Second, TTL: time.Minute}
	one := redlockAttempt(r, 1)
	if five := redlockAttempt(r, 5); five != 5*one {
		t.Errorf("of five servers one after the other it takes %v, and of one %v", five, one)
	}
	if r.Contact = Parallel; redlockAttempt(r, 5) != one {
		t.Errorf("of five servers at once it takes %v, and of one %v", redlockAttempt(r, 5), one)
	}
	r.Redisson.Wait, r.Redisson.Depth = 10*time.Second, 2
	if got := redissonAttempt(r, 1); got != 10*time.Second+3*one {
		t.Errorf("a wait of 10s and three times four calls take %v, and four calls %v", got, one)
	}
}
