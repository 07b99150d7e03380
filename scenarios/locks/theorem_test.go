package locks_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// The theorem for holds that are extended: from the return of acquire to the deadline of the last extension, or to the
// release, a quorum of servers holds the token at every instant, and no other client has a hold; and at the return of
// each extension there is validity left. Here it meets a simulated world, within its assumptions; and each rule of
// extending, when it is broken, breaks it.

// A trial is one run: clients that hold the lock for several times its TTL, and extend it meanwhile.
type trial struct {
	seed     uint64
	clients  int
	rules    locks.Rules
	nodes    int
	latency  time.Duration
	loss     int
	rates    []clock.Rate // of nodes, then clients
	schedule faults.Schedule

	world *sim.World
	holds []*hold
}

// A hold is one client's, from the return of acquire on.
type hold struct {
	client         *sim.Host
	grant          locks.Grant
	from, released clock.Instant
	extended       int
	spent          bool // it learned of an extension whose validity had passed
}

// to is when the hold's own clock shows the deadline, or its release.
func (h *hold) to() clock.Instant {
	return min(h.client.Clock().WhenMono(clock.Reading(h.grant.Deadline), h.from), h.released)
}

func (h *hold) String() string {
	return fmt.Sprintf("%s's hold %s from %v to %v, extended %d times", h.client.Name, h.grant.Token, h.from, h.to(), h.extended)
}

// An extender is the lock, with each extension put on record.
type extender struct {
	*locks.Redlock
	hold *hold
}

func (e extender) Extend(c locks.Client, g *locks.Grant) bool {
	ok := e.Redlock.Extend(c, g)
	if ok {
		e.hold.extended++
		e.hold.spent = e.hold.spent || e.hold.client.Mono() >= clock.Reading(g.Deadline)
	}
	return ok
}

// run makes the run, and returns how it breaks the theorem; empty if it does not.
func (r *trial) run(t *rapid.T) string {
	r.world = sim.New(sim.Config{
		Seed: r.seed, Latency: sim.Range{Max: r.latency}, Loss: r.loss, Horizon: time.Hour, Steps: 300_000,
	})
	defer r.world.Close()
	nodes := make([]*redis.Node, r.nodes)
	c := locks.Config{Rules: r.rules, Key: "k"}
	for i := range nodes {
		nodes[i] = redis.NewNode()
		defer nodes[i].Close()
		h := r.world.AddHost("n"+strconv.Itoa(i+1), nodes[i], 0, r.rates[i])
		nodes[i].Attach(h, redis.Config{Persistence: redis.AOFAlways, Watch: "k"})
		c.Servers = append(c.Servers, h.ID)
	}
	for i := range r.clients {
		h := r.world.AddHost("c"+strconv.Itoa(i+1), nil, 0, r.rates[r.nodes+i])
		h.Go("main", func(p *sim.Proc) { r.live(p, locks.NewRedlock(c)) })
	}
	r.schedule.Inject(r.world, faults.Cast{})
	if end := r.world.Run(); t != nil && end != sim.Finished {
		t.Logf("cut: %v", end)
	}
	return r.judge(nodes)
}

// live is a client's life: three holds.
func (r *trial) live(p *sim.Proc, l *locks.Redlock) {
	ttl := r.rules.TTL
	for n := range 3 {
		h := &hold{client: p.Host(), released: clock.Forever}
		if h.grant = r.rules.Retry.Acquire(p, l, r.rules.Patience); !h.grant.Won() {
			continue
		}
		h.from = r.world.Now()
		r.holds = append(r.holds, h)
		p.Mark("acquired")
		renewal := locks.Renewal{Renew: r.rules.Renew, Lock: extender{l, h}, Grant: &h.grant}
		p.Host().Go("renewal "+strconv.Itoa(n), func(p *sim.Proc) { renewal.Run(p) })
		p.Sleep(time.Duration(p.Draw(uint64(4 * ttl))))
		renewal.Stop()
		h.released = r.world.Now()
		l.Release(p, h.grant)
	}
}

// judge returns how the run breaks the theorem.
func (r *trial) judge(nodes []*redis.Node) string {
	now := r.world.Now()
	for i, h := range r.holds {
		for _, o := range r.holds[:i] {
			if o.client != h.client && max(o.from, h.from) < min(o.to(), h.to(), now) {
				return fmt.Sprintf("%v, and %v", o, h)
			}
		}
		if h.spent {
			return fmt.Sprintf("%v was told so when its deadline had passed", h)
		}
		if at := r.lost(h, nodes); at < min(h.to(), now) {
			return fmt.Sprintf("%v has no quorum at %v", h, at)
		}
	}
	return ""
}

// lost is the first instant of a hold at which fewer servers than a quorum have its token.
func (r *trial) lost(h *hold, nodes []*redis.Node) clock.Instant {
	lives := [][]redis.Span{}
	moments := []clock.Instant{h.from}
	for _, n := range nodes {
		lives = append(lives, n.Spans())
		for _, s := range n.Spans() {
			if s.Value == h.grant.Token && s.To >= h.from {
				moments = append(moments, s.To)
			}
		}
	}
	first := clock.Forever
	for _, at := range moments {
		holding := 0
		for _, spans := range lives {
			for _, s := range spans {
				if s.Value == h.grant.Token && s.From <= at && at < s.To {
					holding++
				}
			}
		}
		if holding < r.rules.Votes(r.nodes) {
			first = min(first, at)
		}
	}
	return first
}

// within draws a run inside the assumptions.
func within(t *rapid.T) *trial {
	r := &trial{
		seed: rapid.Uint64().Draw(t, "seed"), clients: rapid.IntRange(2, 3).Draw(t, "clients"),
		nodes: rapid.IntRange(1, 5).Draw(t, "nodes"), rules: locks.Reference(),
		loss: rapid.SampledFrom([]int{0, 20_000, 200_000}).Draw(t, "loss"),
	}
	c := &r.rules
	c.TTL = time.Duration(rapid.IntRange(50, 2000).Draw(t, "ttl_ms")) * time.Millisecond
	c.Timeout = c.TTL / time.Duration(rapid.IntRange(2, 20).Draw(t, "timeout"))
	c.Contact = locks.Contact(rapid.IntRange(0, 1).Draw(t, "contact"))
	c.DriftFactor = locks.Share(rapid.IntRange(0, 100_000).Draw(t, "drift_factor"))
	c.Retry = locks.Retry{Attempts: 60, Min: time.Millisecond, Max: c.TTL / 10}
	c.Renew.Every = c.TTL / time.Duration(rapid.IntRange(1, 5).Draw(t, "every"))
	c.Renew.Attempts = rapid.IntRange(0, 3).Draw(t, "attempts")
	r.latency = time.Duration(rapid.Int64Range(1, int64(c.TTL)/3).Draw(t, "latency"))
	for range r.nodes { // up to everything that the allowance covers with a client of rate 0
		r.rates = append(r.rates, clock.Rate(rapid.IntRange(-100_000, int(c.DriftFactor)).Draw(t, "rate")*1000))
	}
	for range r.clients {
		r.rates = append(r.rates, clock.Rate(rapid.IntRange(0, 100_000).Draw(t, "rate")*1000))
	}
	for range rapid.IntRange(0, 5).Draw(t, "faults") {
		r.schedule = append(r.schedule, r.harmless(t))
	}
	return r
}

// harmless draws a fault that the theorem does not exclude.
func (r *trial) harmless(t *rapid.T) faults.Fault {
	node := "n" + strconv.Itoa(rapid.IntRange(1, r.nodes).Draw(t, "node"))
	client := "c" + strconv.Itoa(rapid.IntRange(1, r.clients).Draw(t, "client"))
	lasts := time.Duration(rapid.Int64Range(1e6, int64(2*r.rules.TTL)).Draw(t, "for"))
	f := rapid.SampledFrom([]faults.Fault{
		{Kind: faults.Pause, Host: client, For: lasts},
		{Kind: faults.Pause, Host: node, For: lasts},
		{Kind: faults.Restart, Host: node, For: lasts},
		{Kind: faults.Jump, Host: node, By: -lasts},
		{Kind: faults.Cut, From: client, To: node, For: 2 * lasts},
		{Kind: faults.Cut, From: node, To: client, For: 2 * lasts},
		{Kind: faults.Hold, From: client, To: node, For: lasts},
		{Kind: faults.Slow, From: node, To: client, By: lasts / 2, For: lasts},
	}).Draw(t, "fault")
	if rapid.Bool().Draw(t, "at a mark") {
		f.When = faults.Mark{
			Host: client, Name: rapid.SampledFrom([]string{"asking", "acquired", "extending", "extension-answered"}).Draw(t, "mark"),
			Nth: rapid.IntRange(1, 3).Draw(t, "nth"), After: r.latency / time.Duration(rapid.IntRange(1, 3).Draw(t, "after")),
		}
		return f
	}
	f.At = clock.Instant(rapid.Int64Range(0, 5*int64(r.rules.TTL)).Draw(t, "at"))
	return f
}

func TestAHoldThatIsExtendedKeepsWhatItPromises(t *testing.T) {
	runs, holds, extended := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := within(t)
		if broken := r.run(t); broken != "" {
			t.Fatal(broken)
		}
		runs++
		holds += len(r.holds)
		for _, h := range r.holds {
			extended += h.extended
		}
	})
	if holds < runs || extended < holds/2 {
		t.Errorf("%d runs: %d holds, %d extensions: too little is put to the test", runs, holds, extended)
	}
}

func TestEachRuleOfExtendingKeepsSomethingOut(t *testing.T) {
	for rule, change := range map[string]func(r *locks.Renew){
		"compare": func(r *locks.Renew) { r.Compare = false },
		"quorum":  func(r *locks.Renew) { r.Quorum = false },
		"check":   func(r *locks.Renew) { r.Check = false },
		"confirm": func(r *locks.Renew) { r.Confirm = false },
	} {
		t.Run(rule, func(t *testing.T) {
			const runs = 1500
			drawn := rapid.Custom(within)
			for i := range runs {
				r := drawn.Example(i)
				change(&r.rules.Renew)
				if broken := r.run(nil); broken != "" {
					t.Logf("found in run %d: %s", i, broken)
					return
				}
			}
			t.Errorf("not found in %d runs", runs)
		})
	}
}
