package locks_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// The lock with failover in a simulated world: what a crash at the wrong moment does to it, what WAIT does about that,
// and the orders of events in which WAIT does not help. Here the clocks are perfect, so that they are no part of the
// reason.

const instant = clock.Instant(time.Millisecond)

// A court is a world with the servers n1 (the master), n2, …, their observer o, and the clients c1 and c2, which want
// the same lock. The observer takes a master for dead after three seconds.
type court struct {
	*sim.World
	nodes    []*redis.Node
	n        []*sim.Host
	o        *redis.Observer
	oh       *sim.Host
	c1, c2   *sim.Host
	rules    locks.FailoverRules
	sentinel locks.Sentinel
	servers  []int
	grants   []granted
}

// A granted hold counts from the return of acquire to its deadline; no client here releases.
type granted struct {
	client   string
	token    string
	from, to clock.Instant
}

// newCourt makes a court of size servers, which wait for lag before they send a write.
func newCourt(seed uint64, size int, lag time.Duration, rules locks.FailoverRules, persistence redis.Persistence) *court {
	r := &court{World: sim.New(sim.Config{Seed: seed}), o: &redis.Observer{}, rules: rules}
	for i := range size {
		node := redis.NewNode()
		r.nodes = append(r.nodes, node)
		r.n = append(r.n, r.AddHost("n"+strconv.Itoa(i+1), node, 0, 0))
		r.servers = append(r.servers, i)
		r.sentinel.Addresses = append(r.sentinel.Addresses, r.n[i].Name+":6379")
	}
	r.oh, r.c1, r.c2 = r.AddHost("o", r.o, 0, 0), r.AddHost("c1", nil, 0, 0), r.AddHost("c2", nil, 0, 0)
	for i, node := range r.nodes {
		node.Attach(r.n[i], redis.Config{Persistence: persistence, Watch: "k",
			Replication: redis.Replication{Group: r.servers, Lag: sim.Range{Min: lag, Max: lag}}})
	}
	r.o.Attach(r.oh, redis.Observation{Group: r.servers, Down: 3 * time.Second})
	r.sentinel.Server, r.sentinel.Name = r.oh.ID, "mymaster"
	return r
}

func (r *court) close() {
	r.World.Close()
	for _, n := range r.nodes {
		n.Close()
	}
}

// wants lets a client try to acquire from a moment on, for a number of attempts at most.
func (r *court) wants(c *sim.Host, from clock.Instant, attempts int) {
	l := r.lock()
	c.Go("main", func(p *sim.Proc) {
		p.Sleep(time.Duration(from))
		r.take(p, l, attempts)
	})
}

// lock makes a client's lock.
func (r *court) lock() *locks.OnMaster {
	rules := locks.Reference()
	rules.TTL = 30 * time.Second
	rules.Failover = r.rules
	return locks.NewFailover(locks.Config{Rules: rules, Key: "k", Servers: r.servers, Sentinel: r.sentinel})
}

// take tries to acquire, and puts what it won on record.
func (r *court) take(p *sim.Proc, l *locks.OnMaster, attempts int) {
	retry := locks.Retry{Attempts: attempts, Min: 50 * time.Millisecond, Max: 250 * time.Millisecond}
	if g := retry.Acquire(p, l, 0); g.Won() {
		r.grants = append(r.grants, granted{p.Host().Name, g.Token, r.Now(), clock.Instant(g.Deadline)})
	}
}

// part cuts a host off from others, both ways, for a while.
func (r *court) part(from, to clock.Instant, h *sim.Host, others ...*sim.Host) {
	for _, o := range others {
		r.At(from, func() { r.Cut(h, o); r.Cut(o, h) })
		r.At(to, func() { r.Mend(h, o); r.Mend(o, h) })
	}
}

// crash turns a host off for good; the power fails.
func crash(h *sim.Host) func() { return func() { h.Crash(true) } }

// both reports whether both clients held the lock together.
func (r *court) both() bool {
	return len(r.grants) == 2 && r.grants[0].from < r.grants[1].to && r.grants[1].from < r.grants[0].to
}

// kept reports whether the present master had the token of each grant, through its whole window.
func (r *court) kept() bool {
	lives := redis.Lives(r.o.Terms(), r.nodes)
	return !slices.ContainsFunc(r.grants, func(g granted) bool {
		return !slices.ContainsFunc(lives, func(s redis.Span) bool { return s.Value == g.token && s.From <= g.from && s.To >= g.to })
	})
}

// try runs the court, and checks whether both held the lock.
func (r *court) try(t *testing.T, both bool) {
	t.Helper()
	defer r.close()
	if end := r.Run(); end != sim.Finished {
		t.Errorf("the run ended otherwise: %v", end)
	}
	if len(r.grants) == 0 {
		t.Error("nobody ever had the lock")
	}
	if r.both() != both || r.kept() == both {
		t.Errorf("wait %+v: both %t, want %t; kept %t; grants %v, terms %v", r.rules, r.both(), both, r.kept(), r.grants, r.o.Terms())
	}
}

var (
	checked   = locks.FailoverRules{Wait: 1, WaitTimeout: 100 * time.Millisecond, CheckWait: true}
	unchecked = locks.FailoverRules{Wait: 1, WaitTimeout: 100 * time.Millisecond}
	waitless  = locks.FailoverRules{}
)

func TestWithoutFailoverTheLockIsOneClientsAtATime(t *testing.T) {
	for _, rules := range []locks.FailoverRules{waitless, unchecked, checked} {
		r := newCourt(1, 2, time.Millisecond, rules, redis.None)
		r.wants(r.c1, 100*instant, 1)
		r.wants(r.c2, 200*instant, 100)
		if r.try(t, false); len(r.grants) != 1 {
			t.Errorf("grants %v", r.grants)
		}
	}
}

// The documented failure: "Client A acquires the lock in the master. The master crashes before the write to the key is
// transmitted to the replica. The replica gets promoted to master. Client B acquires the lock to the same resource A
// already holds a lock for." A client that checks that a replica has the key was never granted the lock.
func TestAMasterThatFailsBeforeItReplicatesLosesTheLock(t *testing.T) {
	for rules, both := range map[locks.FailoverRules]bool{waitless: true, checked: false} {
		r := newCourt(1, 3, 50*time.Millisecond, rules, redis.AOFAlways)
		r.wants(r.c1, 100*instant, 1)
		r.At(120*instant, crash(r.n[0]))
		r.wants(r.c2, 1000*instant, 60)
		r.try(t, both)
	}
}

// The replicas cannot be reached, WAIT says 0, and who does not look at the number has a lock on one server.
func TestWaitWithoutCheckIsNoBetterThanNone(t *testing.T) {
	for rules, both := range map[locks.FailoverRules]bool{unchecked: true, checked: false} {
		r := newCourt(1, 3, 0, rules, redis.AOFAlways)
		r.wants(r.c1, 100*instant, 1)
		r.part(50*instant, 60_000*instant, r.n[0], r.n[1], r.n[2])
		r.At(500*instant, crash(r.n[0]))
		r.wants(r.c2, 1000*instant, 60)
		r.try(t, both)
	}
}

// From here on, orders of events in which a checked WAIT still loses the lock. First: n2 has acknowledged, and n3,
// which was cut off from the master for a while, is the one that the observer can see.
func TestACheckedWaitLosesWhenAnotherReplicaIsPromoted(t *testing.T) {
	r := newCourt(1, 3, 0, checked, redis.AOFAlways)
	r.part(50*instant, 60_000*instant, r.n[0], r.n[2])
	r.wants(r.c1, 100*instant, 1)
	r.At(500*instant, crash(r.n[0]))
	r.part(500*instant, 9000*instant, r.n[1], r.oh)
	r.wants(r.c2, 1000*instant, 60)
	r.try(t, true)
}

// Second: an acknowledgement is given from memory. The replicas restart without it, and never see the master again.
func TestACheckedWaitLosesWhenThePromotedReplicaHasRestartedEmpty(t *testing.T) {
	for persistence, both := range map[redis.Persistence]bool{redis.None: true, redis.AOFEverySecond: true, redis.AOFAlways: false} {
		r := newCourt(1, 3, 0, checked, persistence)
		r.wants(r.c1, 100*instant, 1)
		r.At(106*instant, crash(r.n[0])) // before the log is synced
		for _, n := range r.n[1:] {
			r.At(107*instant, crash(n))
			r.At(600*instant, n.Restart)
		}
		r.wants(r.c2, 1000*instant, 60)
		r.try(t, both)
	}
}

// Third: the master restarts empty, faster than anybody takes it for dead, and its replicas copy that.
func TestACheckedWaitLosesWhenTheMasterRestartsEmpty(t *testing.T) {
	for persistence, both := range map[redis.Persistence]bool{redis.None: true, redis.AOFEverySecond: true, redis.AOFAlways: false} {
		r := newCourt(1, 3, 0, checked, persistence)
		r.wants(r.c1, 100*instant, 1)
		r.At(106*instant, crash(r.n[0])) // before its log is synced
		r.At(600*instant, r.n[0].Restart)
		r.wants(r.c2, 1000*instant, 60)
		r.try(t, both)
	}
}

// Fourth: a split brain. c1, the old master and one replica are cut off from the rest, where n3 is promoted. The old
// master continues to grant, and a replica acknowledges.
func TestACheckedWaitLosesInASplitBrain(t *testing.T) {
	r := newCourt(1, 4, 0, checked, redis.AOFAlways)
	for _, h := range []*sim.Host{r.n[0], r.n[1], r.c1} {
		r.part(500*instant, 20_000*instant, h, r.n[2], r.n[3], r.oh, r.c2)
	}
	l := r.lock()
	r.c1.Go("main", func(p *sim.Proc) {
		if !l.Release(p, l.Acquire(p)) { // by which it learns who is master
			t.Error("not released")
		}
		p.Sleep(10 * time.Second)
		r.take(p, l, 1)
	})
	r.wants(r.c2, 8000*instant, 60)
	r.try(t, true)
}

// The price of a checked WAIT: once the only replica has become master, no client ever acquires the lock.
func TestACheckedWaitNeedsAReplicaThatIsLeft(t *testing.T) {
	for rules, won := range map[locks.FailoverRules]int{checked: 0, unchecked: 1} {
		r := newCourt(1, 2, 0, rules, redis.AOFAlways)
		r.At(500*instant, crash(r.n[0]))
		r.wants(r.c2, 8000*instant, 60)
		r.Run()
		if len(r.grants) != won {
			t.Errorf("wait %+v: grants %v", rules, r.grants)
		}
		r.close()
	}
}

// A crash of the master at any moment around the attempt: how often both clients get the lock. WAIT closes this window;
// the tests above are of the others.
func TestWaitShrinksTheWindow(t *testing.T) {
	lost := map[locks.FailoverRules]int{}
	for _, rules := range []locks.FailoverRules{waitless, unchecked, checked} {
		for seed := range uint64(40) {
			r := newCourt(seed, 3, 2*time.Millisecond, rules, redis.AOFAlways)
			r.wants(r.c1, 100*instant, 1)
			r.At(100*instant+clock.Instant(seed)*instant/4, crash(r.n[0]))
			r.wants(r.c2, 1000*instant, 60)
			r.Run()
			if r.both() {
				lost[rules]++
			}
			r.close()
		}
	}
	if lost[waitless] == 0 || lost[unchecked] == 0 || lost[checked] > 0 {
		t.Errorf("without WAIT %d of 40 runs lost the lock, unchecked %d, checked %d", lost[waitless], lost[unchecked], lost[checked])
	}
	t.Log(fmt.Sprint("lost without WAIT ", lost[waitless], ", unchecked ", lost[unchecked], ", checked ", lost[checked]))
}
