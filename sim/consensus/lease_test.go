package consensus

import (
	"fmt"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

const (
	ms     = clock.Instant(time.Millisecond)
	second = clock.Instant(time.Second)
)

// A trial is three servers, and a client that asks them.
type trial struct {
	*sim.World
	t       testing.TB
	cluster *Cluster
	servers []*sim.Host
	client  *sim.Host
}

func newTrial(t testing.TB, flaws Flaws) *trial {
	r := &trial{World: newWorld(t), t: t, cluster: NewCluster(3)}
	for i, n := range r.cluster.Nodes {
		r.servers = append(r.servers, r.AddHost(fmt.Sprint("k", i+1), n, 0, 0))
	}
	r.client = r.AddHost("c", nil, 0, 0)
	r.cluster.Attach(r.servers, Config{Flaws: flaws})
	return r
}

// do runs what the client does, once there is a leader.
func (r *trial) do(body func(p *sim.Proc)) {
	r.t.Helper()
	r.client.Go("main", func(p *sim.Proc) {
		p.Sleep(10 * time.Millisecond)
		body(p)
	})
	if end := r.Run(); end != sim.Finished {
		r.t.Errorf("the run ended: %v", end)
	}
}

// ask asks one server, and wants an answer.
func (r *trial) ask(p *sim.Proc, server int, request any) *Reply {
	r.t.Helper()
	reply, err := p.Call(r.servers[server].ID, request, time.Minute)
	got, ok := reply.(*Reply)
	if !ok {
		r.t.Fatalf("at %v: %v: %v, %v", r.Now(), request, reply, err)
	}
	return got
}

func (r *trial) refused(p *sim.Proc, server int, request any, want Error) {
	r.t.Helper()
	if reply, err := p.Call(r.servers[server].ID, request, time.Minute); reply != want {
		r.t.Fatalf("at %v: %v: %v, %v", r.Now(), request, reply, err)
	}
}

// other is a server that does not lead.
func (r *trial) other() int { return (r.cluster.leader() + 1) % 3 }

func put(key string, lease uint64) *Txn { return &Txn{Then: []Op{{Do: Put, Key: key, Lease: lease}}} }

func get(key string) *Read { return &Read{Op: Op{Key: key}} }

// until waits until the key is gone, and returns the moment.
func (r *trial) until(p *sim.Proc, key string) clock.Instant {
	leader := r.cluster.leader()
	at := r.ask(p, leader, get(key))
	r.ask(p, leader, &Watch{Key: key, Since: at.Revision})
	return r.Now()
}

func near(at, want clock.Instant) bool { return at >= want && at < want+5*ms }

func TestALeaseEndsItsTTLAfterTheLastKeepAliveAndTakesItsKeysAlong(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.do(func(p *sim.Proc) {
		lease := r.ask(p, r.other(), &Grant{TTL: 2 * time.Second}).Lease
		r.ask(p, r.other(), put("k", lease))
		var last clock.Instant
		for i := range 5 {
			p.Sleep(time.Second)
			last = r.Now()
			r.ask(p, i%3, &KeepAlive{lease}) // any node may be asked; the leader does it
		}
		if at := r.until(p, "k"); !near(at, last+2*second) {
			t.Errorf("kept alive at %v, and gone at %v", last, at)
		}
		r.refused(p, r.cluster.leader(), &KeepAlive{lease}, ErrLease)
		r.refused(p, r.other(), &KeepAlive{lease}, ErrLease)
		r.refused(p, r.other(), put("k", lease), ErrLease)
		r.refused(p, r.other(), &Revoke{lease}, ErrLease)
	})
}

// A client that had no answer asks for its lease again, and has the same. It still has one end, which moves.
func TestALeaseThatWasAskedForTwiceHasOneEnd(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.do(func(p *sim.Proc) {
		grant := &Grant{Once: Once{Client: 1, Number: 1}, TTL: 2 * time.Second}
		lease := r.ask(p, r.cluster.leader(), grant).Lease
		if again := r.ask(p, r.cluster.leader(), grant).Lease; again != lease {
			t.Errorf("granted %d, and then %d", lease, again)
		}
		for range 4 {
			p.Sleep(time.Second)
			r.ask(p, r.cluster.leader(), &KeepAlive{lease})
		}
	})
}

// Between the moment at which the leader proposes to revoke a lease and that at which all have done so, it renews it no
// more.
func TestALeaseIsNotRenewedWhileItIsRevoked(t *testing.T) {
	refused := 0
	for late := -5 * time.Millisecond; late < 5*time.Millisecond; late += 100 * time.Microsecond {
		r := newTrial(t, Flaws{})
		r.do(func(p *sim.Proc) {
			leader := r.cluster.leader()
			lease := r.ask(p, leader, &Grant{TTL: time.Second}).Lease
			granted := r.Now()
			r.ask(p, leader, put("k", lease))
			p.Sleep((granted + second).Sub(r.Now()) + late)
			reply, _ := p.Call(r.servers[leader].ID, &KeepAlive{lease}, time.Minute)
			p.Sleep(500 * time.Millisecond)
			there := len(r.ask(p, leader, get("k")).Results[0]) > 0
			if _, renewed := reply.(*Reply); renewed != there {
				t.Errorf("asked %v after the end: %v, and the key is there: %v", late, reply, there)
			} else if !renewed {
				refused++
			}
		})
	}
	if refused == 0 || refused == 100 {
		t.Errorf("%d of 100 were refused", refused)
	}
}

func TestALeaseThatIsRevokedTakesItsKeysAlong(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.do(func(p *sim.Proc) {
		lease := r.ask(p, 0, &Grant{TTL: time.Hour}).Lease
		r.ask(p, 1, put("a", lease))
		r.ask(p, 2, put("b", lease))
		r.ask(p, 0, put("c", 0))
		r.ask(p, 1, &Revoke{lease})
		if got := r.ask(p, 2, &Read{Op: Op{Prefix: true}}).Results[0]; len(got) != 1 || got[0].Key != "c" {
			t.Errorf("left: %v", got)
		}
	})
}

// It does not know when the old leader last renewed it.
func TestNewLeaderResetsLeasesToTheirFullTTL(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.do(func(p *sim.Proc) {
		lease := r.ask(p, 0, &Grant{TTL: 5 * time.Second}).Lease
		r.ask(p, 0, put("k", lease))
		p.Sleep(4 * time.Second)
		old := r.cluster.leader()
		r.servers[old].Crash(true)
		for r.cluster.leader() < 0 {
			p.Sleep(time.Millisecond)
		}
		elected := r.Now()
		if at := r.until(p, "k"); !near(at, elected+6*second-ms) {
			t.Errorf("elected at %v, and gone at %v", elected, at)
		}
		r.servers[old].Restart()
	})
}

// A server that knows no leader says so. It can't say that the lease has ended.
func TestAServerWithoutALeaderKeepsNoLeaseAlive(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.do(func(p *sim.Proc) {
		lease := r.ask(p, 0, &Grant{TTL: time.Minute}).Lease
		r.servers[1].Crash(true)
		r.servers[2].Crash(true)
		p.Sleep(10 * time.Second)
		r.refused(p, 0, &KeepAlive{lease}, errLeader)
		r.servers[1].Restart()
		r.servers[2].Restart()
	})
}

// A server keeps what it has forwarded until the leader has answered, and no longer.
func TestAForwardedKeepAliveIsForgottenWithItsAnswer(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.do(func(p *sim.Proc) {
		lease := r.ask(p, 0, &Grant{TTL: time.Minute}).Lease
		for range 3 {
			r.ask(p, r.other(), &KeepAlive{lease})
		}
		if asked := r.cluster.Nodes[r.other()].lessor.asked; len(asked) > 0 {
			t.Errorf("it still has %+v", asked)
		}
	})
}

// A leader steps down before it answers a keep-alive that another server has forwarded. Then nothing is known of the
// lease, and the other server waits in vain.
func TestADeposedLeaderDoesNotSayThatALeaseHasEnded(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.do(func(p *sim.Proc) {
		lease := r.ask(p, 0, &Grant{TTL: time.Minute}).Lease
		asked, deposed := r.cluster.Nodes[r.other()], r.cluster.Nodes[(r.other()+1)%3]
		asked.lessor.asked = []renewal{{number: 1 << 32}}
		deposed.renewNow(renewal{number: 1 << 32, origin: asked.id, lease: lease})
		p.Sleep(time.Second)
		if len(asked.lessor.asked) == 0 {
			t.Error("it says so")
		}
	})
}

// The leader is paused, is deposed meanwhile, and wakes to a keep-alive that has waited in its kernel's buffer, before
// it learns of its successor. The client believes the answer.
func TestALeaderThatWasDeposedRenewsNoLease(t *testing.T) {
	for _, unconfirmed := range []bool{false, true} {
		r := newTrial(t, Flaws{Unconfirmed: unconfirmed})
		told := false
		r.do(func(p *sim.Proc) {
			lease := r.ask(p, 0, &Grant{TTL: 2 * time.Second}).Lease
			r.ask(p, 0, put("k", lease))
			old := r.cluster.leader()
			for i, h := range r.servers {
				if i != old {
					r.Cut(h, r.servers[old])
				}
			}
			r.servers[old].Pause()
			r.At(r.Now()+4*second, r.servers[old].Resume)
			p.Sleep(3900 * time.Millisecond)
			reply, _ := p.Call(r.servers[old].ID, &KeepAlive{lease}, 500*time.Millisecond)
			_, told = reply.(*Reply)
		})
		if told != unconfirmed {
			t.Errorf("unconfirmed %t: it was told that the lease lives: %t", unconfirmed, told)
		}
	}
}

// Steps of a wall clock mean nothing to the service.
func TestStepsOfTheServersClocksEndNoLease(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.do(func(p *sim.Proc) {
		lease := r.ask(p, 0, &Grant{TTL: 5 * time.Second}).Lease
		r.ask(p, 0, put("k", lease))
		at := r.Now()
		for _, h := range r.servers {
			h.Step(time.Hour)
		}
		if gone := r.until(p, "k"); gone < at+5*second-20*ms || gone > at+5*second+5*ms {
			t.Errorf("granted at %v, gone at %v", at, gone)
		}
	})
}

func TestALeaderWithoutAMajorityStepsDownAndItsSuccessorServes(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.do(func(p *sim.Proc) {
		old := r.cluster.leader()
		for i, h := range r.servers {
			if i != old {
				r.Cut(h, r.servers[old])
				r.Cut(r.servers[old], h)
			}
		}
		at := r.Now()
		if _, err := p.Call(r.servers[old].ID, get("k"), 500*time.Millisecond); err != sim.ErrTimeout {
			t.Errorf("a stale leader answers a read: %v", err)
		}
		p.Sleep(4 * time.Second)
		if l := r.cluster.leader(); l == old || r.cluster.Nodes[old].leads {
			t.Errorf("%d leads, after %d; and that one thinks so: %t", l, old, r.cluster.Nodes[old].leads)
		}
		r.ask(p, (old+1)%3, put("k", 0))
		for i, h := range r.servers {
			if i != old {
				r.Mend(h, r.servers[old])
				r.Mend(r.servers[old], h)
			}
		}
		if got := r.ask(p, old, get("k")).Results[0]; len(got) != 1 {
			t.Errorf("the old leader, cut off at %v, has %v", at, got)
		}
	})
}

// A session's end bars its key for the lock-delay, and a release does not. Another key is free.
func TestALockDelayBarsTheKeyOfASessionThatEnded(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.do(func(p *sim.Proc) {
		put := func(key string, lease uint64) *Txn {
			return &Txn{If: []Compare{{Key: key, Of: Create}}, Then: []Op{{Do: Put, Key: key, Lease: lease}}}
		}
		first := r.ask(p, 0, &Grant{TTL: 2 * time.Second, Delay: 3 * time.Second}).Lease
		r.ask(p, 0, put("a", first))
		r.ask(p, 0, &Txn{Then: []Op{{Do: Delete, Key: "a"}}})
		if !r.ask(p, 1, put("a", first)).Succeeded {
			t.Error("a released key can't be put again")
		}
		p.Sleep(2100 * time.Millisecond) // the session ends
		second := r.ask(p, 1, &Grant{TTL: time.Minute, Delay: time.Second}).Lease
		r.refused(p, 2, put("a", second), ErrDelay)
		if !r.ask(p, 0, put("b", second)).Succeeded {
			t.Error("the lock-delay bars another key")
		}
		p.Sleep(2800 * time.Millisecond)
		r.refused(p, 2, put("a", second), ErrDelay)
		p.Sleep(300 * time.Millisecond)
		if !r.ask(p, 2, put("a", second)).Succeeded {
			t.Error("the lock-delay does not end")
		}
		r.ask(p, 2, &Revoke{Lease: second})
		third := r.ask(p, 2, &Grant{TTL: time.Minute}).Lease
		r.refused(p, 2, put("a", third), ErrDelay)
		p.Sleep(time.Second)
		r.ask(p, 2, put("a", third))
		r.ask(p, 2, &Revoke{Lease: third})
		r.ask(p, 2, put("a", r.ask(p, 2, &Grant{TTL: time.Minute}).Lease)) // that session had no lock-delay
	})
}

// A watch with a limit is answered when the limit has passed, with the key, and before that if the key is deleted.
func TestAWatchWithALimitIsAnswered(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.do(func(p *sim.Proc) {
		made := r.ask(p, 0, &Txn{Then: []Op{{Do: Put, Key: "a"}}})
		w := &Watch{Key: "a", Since: made.Revision, Wait: 2 * time.Second}
		asked := p.Mono()
		if got := r.ask(p, 1, w); len(got.Results) != 1 || len(got.Results[0]) != 1 || p.Mono()-asked < 2*time.Second {
			t.Errorf("after %v: %v", p.Mono()-asked, got)
		}
		p.Host().Go("delete", func(p *sim.Proc) {
			p.Sleep(time.Second)
			r.ask(p, 0, &Txn{Then: []Op{{Do: Delete, Key: "a"}}})
		})
		asked = p.Mono()
		if got := r.ask(p, 1, w); len(got.Results) != 1 || len(got.Results[0]) != 0 || p.Mono()-asked >= 2*time.Second {
			t.Errorf("after %v: %v", p.Mono()-asked, got)
		}
	})
}
