package platform_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/consensus"
)

// A queueing is a world in which some clients take turns with a lock on the raft service, while everything goes wrong
// that can. It looks for two of them whose holds are valid together, each by its own clock.
type queueing struct {
	*sim.World
	servers []*sim.Host
	clients []*contender
	turns   int // that each of them wants to have
	chance  sim.Chance
	fence   uint64 // the highest token so far
	wrong   string // what was seen to go wrong first
	belief  string // the first grant to one whose session was over, while another held the lock
}

// A contender is one of its clients.
type contender struct {
	*queueing
	host   *sim.Host
	lock   *locks.Queue
	grant  locks.Grant
	holds  bool
	until  clock.Reading
	cycles int
}

const (
	stormy = 20 * time.Second // how long things go wrong
	room   = time.Minute      // until then all must have had their turns
)

// newLockOf makes a contender's lock.
type newLockOf func(locks.Config) *locks.Queue

// queue runs the world of a seed.
func queue(w *sim.World, c *consensus.Cluster, seed uint64, lock newLockOf, s locks.SessionRules) *queueing {
	q := &queueing{World: w, turns: 5, chance: sim.NewChance(seed, "queue")}
	q.set(c, seed, lock, s)
	for range q.chance.Below(12) {
		q.fault(clock.Instant(q.chance.In(sim.Range{Max: stormy})), q.chance.In(sim.Range{Min: time.Millisecond, Max: 6 * time.Second}))
	}
	q.Run()
	return q
}

// set makes the servers and the contenders.
func (q *queueing) set(c *consensus.Cluster, seed uint64, lock newLockOf, s locks.SessionRules) {
	w := q.World
	w.Reset(sim.Config{Seed: seed, Loss: 2000, Horizon: 10 * time.Minute})
	for i, n := range c.Nodes {
		q.servers = append(q.servers, w.AddHost(fmt.Sprint("k", i+1), n, 0, q.rate()))
	}
	for i := range 3 {
		q.clients = append(q.clients, &contender{queueing: q, host: w.AddHost(fmt.Sprint("c", i+1), nil, 0, q.rate())})
	}
	c.Attach(q.servers, consensus.Config{})
	for i, k := range q.clients {
		k.start(lock, s, i)
	}
}

// rate is within what the margin allows for: no two clocks differ by more than 1%.
func (q *queueing) rate() clock.Rate { return clock.PPM * (clock.Rate(q.chance.Below(9_000)) - 4_500) }

func (k *contender) start(lock newLockOf, s locks.SessionRules, i int) {
	ids := []int{}
	for j := range k.servers {
		ids = append(ids, k.servers[(i+j)%len(k.servers)].ID)
	}
	keys := platform.NewKeys(&locks.Config{Rules: locks.Rules{Timeout: s.Timeout}, Servers: ids}, 0)
	service := reading{keys, i%2 == 1} // each recipe is safe with each sort of read
	k.lock = lock(locks.Config{Rules: locks.Rules{TTL: s.TTL, Timeout: s.Timeout, Session: s}, Key: "lock", Keys: service})
	k.lock.OnDeadline(func(_ locks.Client, until time.Duration) {
		k.until = clock.Reading(until)
		k.look()
	})
	k.host.Background("session", func(p *sim.Proc) { k.lock.Keep(p) })
	k.host.Go("main", k.work)
}

// reading has keys whose reads are all of one sort, whatever the lock asks for.
type reading struct {
	locks.Keys
	local bool
}

func (r reading) List(c locks.Client, prefix string, _ bool) (locks.View, error) {
	return r.Keys.List(c, prefix, r.local)
}

// work takes the lock in turns.
func (k *contender) work(p *sim.Proc) {
	for k.cycles < k.turns && k.Now() < clock.Instant(room) {
		p.Sleep(time.Duration(p.Draw(uint64(300 * time.Millisecond))))
		r := locks.Retry{Attempts: 3, Min: 10 * time.Millisecond, Max: 100 * time.Millisecond}
		if k.grant = r.Acquire(p, k.lock, 20*time.Second); !k.grant.Won() {
			continue
		}
		k.holds = true
		k.look()
		k.doubt()
		if k.valid() && k.grant.Fence <= k.fence {
			k.wrong = fmt.Sprintf("at %v: token %d after %d", k.Now(), k.grant.Fence, k.fence)
		}
		k.fence = max(k.fence, k.grant.Fence)
		p.Sleep(time.Duration(p.Draw(uint64(1500 * time.Millisecond))))
		k.holds = false
		k.lock.Release(p, k.grant)
		k.cycles++
	}
}

// valid reports whether the contender holds the lock, by its own clock.
func (k *contender) valid() bool { return k.holds && k.host.Mono() < k.until }

// look looks for another whose hold is valid, too. A hold becomes valid when it is granted, or renewed.
func (k *contender) look() {
	for _, o := range k.clients {
		if o != k && k.valid() && o.valid() && k.wrong == "" {
			k.wrong = fmt.Sprintf("at %v: %s and %s", k.Now(), k.host.Name, o.host.Name)
		}
	}
}

// doubt looks for another whose hold is valid, though one's own is not, and yet was granted.
func (k *contender) doubt() {
	for _, o := range k.clients {
		if o != k && !k.valid() && o.valid() {
			k.belief = fmt.Sprintf("at %v: %s, though %s", k.Now(), k.host.Name, o.host.Name)
		}
	}
}

// done reports whether all have had their turns.
func (q *queueing) done() bool {
	return !slices.ContainsFunc(q.clients, func(k *contender) bool { return k.cycles < q.turns })
}

// verdict says what went wrong; nothing if nothing did.
func (q *queueing) verdict() string {
	switch {
	case q.wrong != "":
		return "valid at once " + q.wrong
	case q.belief != "":
		return "granted " + q.belief
	case !q.done():
		return "not all had their turns"
	}
	return ""
}

func (q *queueing) fault(at clock.Instant, length time.Duration) {
	server, client := q.servers[q.chance.Below(3)], q.clients[q.chance.Below(3)].host
	if q.chance.Below(7) == 0 { // the answer to a keep-alive waits in the buffer of a paused client
		q.OnMark(client, "keep-alive", 1+int(q.chance.Below(20)), func() {
			q.At(q.Now().Add(100*time.Microsecond), client.Pause)
			q.At(q.Now().Add(length), client.Resume)
		})
		return
	}
	begin, end := q.kind(server, client)
	q.At(at, begin)
	q.At(at.Add(length), end)
}

func (q *queueing) kind(server, client *sim.Host) (begin, end func()) {
	switch q.chance.Below(6) {
	case 0:
		return server.Pause, server.Resume
	case 1:
		return client.Pause, client.Resume
	case 2:
		return func() { server.Crash(true) }, server.Restart
	case 3:
		return func() { server.Step(time.Hour) }, func() { client.Step(-time.Hour) }
	case 4:
		return q.cuts(server)
	}
	return q.cuts(client)
}

func (q *queueing) cuts(h *sim.Host) (begin, end func()) {
	way := q.chance.Below(3)
	each := func(do func(from, to *sim.Host)) func() {
		return func() {
			for _, o := range q.Hosts() {
				if o != h && way != 0 {
					do(o, h)
				}
				if o != h && way != 1 {
					do(h, o)
				}
			}
		}
	}
	return each(q.Cut), each(q.Mend)
}

func sessionOf(change func(*locks.SessionRules)) locks.SessionRules {
	s := locks.SessionReference()
	s.TTL, s.Timeout, s.Poll = 2*time.Second, 300*time.Millisecond, time.Second
	if change != nil {
		change(&s)
	}
	return s
}

var recipes = map[string]newLockOf{"etcd": locks.NewEtcd, "zookeeper": locks.NewZooKeeper}

// Any host pauses or is cut off, servers crash, messages are lost, and clocks run at different rates within the margin.
// No two holds are valid together, tokens rise, and once the faults have ended every client acquires.
func TestTheSessionLocksKeepValidityAndFreeTheLockWhateverHappens(t *testing.T) {
	w := sim.New(sim.Config{})
	defer w.Close()
	c := consensus.NewCluster(3)
	n := uint64(100)
	if !long {
		n = 25
	}
	for name, lock := range recipes {
		slowest := clock.Instant(0)
		for seed := range n {
			q := queue(w, c, seed, lock, sessionOf(nil))
			if bad := q.verdict(); bad != "" {
				t.Fatalf("%s, seed %d: %s", name, seed, bad)
			}
			slowest = max(slowest, q.Now())
		}
		t.Logf("%s: the slowest took %v", name, slowest)
	}
}

// Each rule of a session lock keeps something out.
func TestEachMutantOfTheSessionLocksIsFound(t *testing.T) {
	w := sim.New(sim.Config{})
	defer w.Close()
	c := consensus.NewCluster(3)
	for _, m := range []struct {
		name, recipe string
		change       func(s *locks.SessionRules)
	}{
		{"granted after expiry", "etcd", func(s *locks.SessionRules) { s.Check = locks.CheckNone }},
		{"believed when sent", "etcd", func(s *locks.SessionRules) { s.Confirm = false }},
		{"counted from the answer", "etcd", func(s *locks.SessionRules) { s.Sent = false }},
		{"another create without a look", "zookeeper", func(s *locks.SessionRules) { s.OwnNode = false }},
		{"a key left under a session that lives on", "zookeeper", func(s *locks.SessionRules) { s.GiveUp = false }},
		{"no margin", "etcd", func(s *locks.SessionRules) { s.Margin = 0 }},
	} {
		found := ""
		for seed := uint64(0); seed < 300 && found == ""; seed++ {
			if bad := queue(w, c, seed, recipes[m.recipe], sessionOf(m.change)).verdict(); bad != "" {
				found = fmt.Sprintf("by seed %d: %s", seed, bad)
			}
		}
		if found == "" {
			t.Errorf("%s: not found", m.name)
		}
		t.Logf("%s: found %s", m.name, found)
	}
}

// A minute in which three clients take turns with a lock on three servers, and nothing goes wrong.
func BenchmarkMinuteOfASessionLock(b *testing.B) {
	w := sim.New(sim.Config{})
	defer w.Close()
	c, s, cycles := consensus.NewCluster(3), sessionOf(func(s *locks.SessionRules) { s.TTL = 10 * time.Second }), 0
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		q := &queueing{World: w, turns: 1 << 30, chance: sim.NewChance(uint64(i), "queue")}
		q.set(c, uint64(i), locks.NewEtcd, s)
		q.Run()
		for _, k := range q.clients {
			cycles += k.cycles
		}
	}
	b.ReportMetric(float64(cycles)/float64(b.N), "holds/op")
}
