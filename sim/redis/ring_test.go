package redis

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

const ms = clock.Instant(time.Millisecond)

// A ring is a world with a group of nodes n1 (the master), n2, …, their observer o, and a client c. Messages take 100
// µs, steps of the client 1 µs, and an answer 10 µs.
type ring struct {
	*sim.World
	tb    rapid.TB
	nodes []*Node
	hosts []*sim.Host
	o     *Observer
	oh, c *sim.Host
}

// newRing makes a ring. Each node has the configuration, and all have one clock.
func newRing(tb rapid.TB, size int, c Config) *ring {
	nodes := make([]*Node, size)
	for i := range nodes {
		nodes[i] = NewNode()
	}
	return ringOf(tb, nodes, c)
}

// ringOf is newRing for nodes that exist.
func ringOf(tb rapid.TB, nodes []*Node, c Config) *ring {
	exactly := func(d time.Duration) sim.Range { return sim.Range{Min: d, Max: d} }
	r := &ring{tb: tb, nodes: nodes, o: &Observer{}, World: sim.New(sim.Config{
		Step: exactly(time.Microsecond), Serve: exactly(10 * time.Microsecond), Latency: exactly(100 * time.Microsecond),
	})}
	group := []int{}
	for i, n := range nodes {
		r.hosts = append(r.hosts, r.AddHost(fmt.Sprint("n", i+1), n, clock.Reading(1000*time.Second), 0))
		group = append(group, i)
	}
	r.oh = r.AddHost("o", r.o, 0, 0)
	r.c = r.AddHost("c", nil, 0, 0)
	if len(nodes) > 1 { // one alone is in no group, unless the test says so
		c.Replication.Group = group
	}
	for i, n := range nodes {
		n.Attach(r.hosts[i], c)
	}
	return r
}

// observed sets the observer on the group. It takes a master for dead after three seconds.
func (r *ring) observed() *ring {
	r.o.Attach(r.oh, Observation{Group: r.nodes[0].config.Replication.Group, Down: 3 * time.Second})
	return r
}

// newRingFor is newRing for a test that closes it at its end.
func newRingFor(t *testing.T, size int, c Config) *ring {
	r := newRing(t, size, c)
	t.Cleanup(r.close)
	return r
}

func (r *ring) close() {
	for _, n := range r.nodes {
		n.Close()
	}
}

// until lets the world happen up to a moment.
func (r *ring) until(at time.Duration) {
	r.c.Go("idle", func(p *sim.Proc) { p.Sleep(at - 2*time.Microsecond) })
	if end := r.Run(); end != sim.Finished {
		r.tb.Errorf("the run ended otherwise: %v", end)
	}
}

// expectArgs plans a command for a node, and checks its reply.
func (r *ring) expectArgs(at clock.Instant, node int, want any, args ...string) {
	r.At(at, func() {
		if got := r.nodes[node-1].Serve(args); !equal(got, want) {
			r.tb.Errorf("at %v: n%d: %q: got %#v, want %#v", at, node, args, got, want)
		}
	})
}

// expect is expectArgs for a command whose words hold no spaces.
func (r *ring) expect(at clock.Instant, node int, want any, command string) {
	r.expectArgs(at, node, want, words(command)...)
}

// apart cuts a host off from some others, both ways, for a while.
func (r *ring) apart(from, to clock.Instant, host *sim.Host, others ...*sim.Host) {
	for _, o := range others {
		r.At(from, func() { r.Cut(host, o); r.Cut(o, host) })
		r.At(to, func() { r.Mend(host, o); r.Mend(o, host) })
	}
}

// down turns a host off for a while.
func (r *ring) down(from, to clock.Instant, host *sim.Host) {
	r.At(from, func() { host.Crash(true) })
	r.At(to, host.Restart)
}

// ask lets the client call a node, from a moment on, by one connection; it checks the replies. A reply of nil that did
// not come is sim.ErrTimeout.
func (r *ring) ask(at clock.Instant, node int, timeout time.Duration, talk ...any) {
	r.c.Go(fmt.Sprint("p", at, node, len(talk)), func(p *sim.Proc) {
		p.Sleep(time.Duration(at-r.Now()) - 2*time.Microsecond)
		for i := 0; i < len(talk); i += 2 {
			got, err := p.Call(node-1, words(talk[i].(string)), timeout)
			if err != nil {
				got = err
			}
			if !equal(got, talk[i+1]) {
				r.tb.Errorf("at %v: n%d: %s: got %#v, want %#v", r.Now(), node, talk[i], got, talk[i+1])
			}
		}
	})
}

// lived is the record of a key's life, written as "value from to".
func lived(spans []Span) (texts []string) {
	for _, s := range spans {
		texts = append(texts, fmt.Sprint(s.Value, " ", s.From, " ", s.To))
	}
	return texts
}
