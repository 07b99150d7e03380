package sim

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// populate fills the world with a random topology, random procs and random faults. They are a function of the seed, and
// of nothing else: the world's own chance is not touched.
func populate(w *World, seed uint64) {
	c := NewChance(seed, "test")
	m := &mess{World: w, chance: &c}
	for i := range 1 + c.Below(3) {
		g := &gossip{mess: m}
		g.host = w.AddHost(fmt.Sprint("n", i), g, m.reading(), m.rate())
		m.servers = append(m.servers, g.host)
	}
	for i := range 1 + c.Below(3) {
		h := w.AddHost(fmt.Sprint("c", i), nil, m.reading(), m.rate())
		m.clients = append(m.clients, h)
		for j := range 1 + c.Below(2) {
			h.Go(fmt.Sprint("p", j), m.body(10+c.Below(30)))
		}
	}
	for range c.Below(20) {
		m.fault(clock.Instant(c.In(Range{0, 40 * time.Millisecond})), c.In(Range{1, 20 * time.Millisecond}))
	}
}

// A gossip is a service that echoes its requests, or answers late, and posts to another server now and then.
type gossip struct {
	*mess
	host *Host
}

// Evict forgets nothing, for nothing is kept.
func (g *gossip) Evict() {}

func (g *gossip) Serve(request any) any {
	n, asked := request.(uint64)
	switch {
	case !asked:
		return nil
	case n%4 == 0:
		ask := g.host.Asking()
		g.host.After(time.Duration(n)*time.Microsecond, func() { g.host.Answer(ask, n) })
		return Later
	case n%4 == 1:
		g.host.Post(g.servers[n%uint64(len(g.servers))].ID, "gossip")
	case n%4 == 2:
		g.host.Sync()
	}
	return n
}

type mess struct {
	*World
	chance           *Chance
	servers, clients []*Host
}

func (m *mess) reading() clock.Reading { return clock.Reading(m.chance.In(Range{0, time.Hour})) }
func (m *mess) rate() clock.Rate       { return clock.Rate(m.chance.Below(200_000)) - 100_000 }

func (m *mess) host() *Host {
	if m.chance.Below(2) == 0 {
		return m.server()
	}
	return m.client()
}
func (m *mess) server() *Host { return m.servers[m.chance.Below(uint64(len(m.servers)))] }
func (m *mess) client() *Host { return m.clients[m.chance.Below(uint64(len(m.clients)))] }

// body does length random things, and marks their outcomes: so everything it sees is in the trace.
func (m *mess) body(length uint64) func(*Proc) {
	return func(p *Proc) {
		defer p.Mark("deferred")
		for range length {
			m.act(p, 2)
		}
	}
}

func (m *mess) act(p *Proc, depth int) {
	switch p.Draw(8) {
	case 0:
		p.Mark(fmt.Sprint("wall ", p.Wall()))
	case 1:
		p.Mark(fmt.Sprint("mono ", p.Mono()))
	case 2:
		p.Mark(p.Token())
	case 3:
		p.Sleep(time.Duration(p.Draw(2_000_000)))
	case 4, 5:
		m.call(p)
	case 6:
		p.Mark(fmt.Sprint("awake ", p.Awake()))
	case 7:
		if depth > 0 {
			p.Together(int(p.Draw(4)), func(int) { m.act(p, depth-1) })
		}
	}
	p.Mark("a")
}

func (m *mess) call(p *Proc) {
	server := int(p.Draw(uint64(len(m.servers))))
	reply, err := p.Call(server, p.Draw(1000), time.Duration(p.Draw(3_000_000)))
	p.Mark(fmt.Sprint(reply, err))
}

// fault plans one fault of a random kind, for a length from an instant on.
func (m *mess) fault(at clock.Instant, length time.Duration) {
	h, from, to := m.host(), m.client(), m.server()
	if m.chance.Below(2) == 0 {
		from, to = to, from
	}
	begin, end := m.kind(h, from, to, m.chance.Below(13), m.chance.In(Range{0, 10 * time.Millisecond}))
	if m.chance.Below(3) == 0 {
		m.OnMark(m.client(), "a", 1+int(m.chance.Below(9)), func() {
			begin()
			m.At(m.Now().Add(length), end)
		})
		return
	}
	m.during(at, at.Add(length), begin, end)
}

func (m *mess) kind(h, from, to *Host, kind uint64, by time.Duration) (begin, end func()) {
	drift := clock.Rate(by * 10)
	switch kind {
	case 0:
		return h.Pause, h.Resume
	case 1:
		return func() { h.Crash(by%2 == 0) }, func() { m.restart(h) }
	case 2:
		return func() { h.Step(by) }, func() { h.Step(-2 * by) }
	case 3:
		return func() { h.Drift(drift) }, func() { h.Drift(-drift) }
	case 4:
		return func() { h.Slew(by/100, 500*clock.PPM) }, func() {}
	case 5:
		return func() { m.Cut(from, to) }, func() { m.Mend(from, to) }
	case 6:
		return func() { m.Lose(from, to, 300_000) }, func() { m.Lose(from, to, -300_000) }
	case 7:
		return func() { m.Slow(from, to, by) }, func() { m.Slow(from, to, -by) }
	}
	switch kind {
	case 8:
		return h.Suspend, h.Wake
	case 9:
		return h.StallDisk, h.FreeDisk
	case 10:
		return func() { h.Refuse("OOM") }, func() { h.Accept("OOM") }
	case 11:
		return h.Evict, func() {}
	}
	var hold *HeldMessages
	return func() { hold = m.Hold(from, to) }, func() { hold.Release() }
}

func (m *mess) restart(h *Host) {
	h.Restart()
	if h.service == nil && h.Up() {
		h.Go(fmt.Sprint("after crash ", h.epoch), m.body(10))
	}
}

// worlds is how many random worlds run: fewer without the long proofs.
var worlds = 300

func init() {
	if os.Getenv("LOCKSTORM_LONG") != "1" {
		worlds = 75
	}
}

// traceOf runs the world of a seed in w, and returns a copy of its trace.
func traceOf(w *World, seed uint64) []Event {
	w.Reset(Config{Seed: seed})
	populate(w, seed)
	w.Run()
	return slices.Clone(w.Trace())
}

func TestRunIsAFunctionOfItsSeed(t *testing.T) {
	first := make([][]Event, worlds)
	for seed := range first {
		w := New(Config{})
		first[seed] = traceOf(w, uint64(seed))
		w.Close()
	}
	again := func(how string, order func(i int) int) {
		w := newWorld(t, Config{})
		for i := range first {
			seed := order(i)
			w.Reset(Config{Seed: uint64(seed) + 1, Steps: 10 * i, Loss: 100_000}) // another run, cut short
			populate(w, uint64(i))
			w.Run()
			if !slices.Equal(first[seed], traceOf(w, uint64(seed))) {
				t.Fatalf("%s, seed %d gives another trace", how, seed)
			}
		}
	}
	again("on a reused world, after other runs", func(i int) int { return i })
	again("in another order", func(i int) int { return worlds - 1 - i })
	for _, n := range []int{1, 2} {
		before := runtime.GOMAXPROCS(n)
		again(fmt.Sprintf("with GOMAXPROCS %d", n), func(i int) int { return (i*7 + 3) % worlds })
		runtime.GOMAXPROCS(before)
	}
}

// A proof about worlds in which nothing happens would be worth nothing.
func TestRandomWorldsSeeEverything(t *testing.T) {
	w := newWorld(t, Config{})
	seen := map[Kind]int{}
	traces := map[string]bool{}
	for seed := range uint64(worlds) {
		trace := traceOf(w, seed)
		for _, e := range trace {
			seen[e.Kind]++
		}
		traces[fmt.Sprint(trace[:min(20, len(trace))])] = true
	}
	for k := range Kind(len(kindNames)) {
		if seen[k] < 20 {
			t.Errorf("%v happened %d times", k, seen[k])
		}
	}
	if len(traces) != worlds {
		t.Errorf("%d worlds gave %d traces", worlds, len(traces))
	}
}

// Each sent message has exactly one end in the trace, except messages under way at the end.
func TestEveryMessageHasOneEnd(t *testing.T) {
	w := newWorld(t, Config{})
	for seed := range uint64(worlds) {
		ends, served, late := map[uint32]int{}, map[uint32]int{}, map[uint32]bool{}
		trace := traceOf(w, seed)
		for _, e := range trace {
			switch e.Kind {
			case Sent:
				ends[e.Call] = 0
			case Received, Lost, Late:
				ends[e.Call]++
			case Served, Refused:
				served[e.Call]++
			case Deferred:
				late[e.Call] = true
			}
		}
		for call, n := range ends {
			if late[call] && served[call] == 0 && n == 0 {
				continue // the server went off before it answered, or the run ended
			}
			if n != 1 || served[call] > 1 {
				t.Fatalf("seed %d: call %d has %d ends and was handled %d times", seed, call, n, served[call])
			}
		}
	}
}

// A proc whose step nothing interrupts just continues: no event, no switch. Here an event that does nothing interrupts
// each step, as it comes more often than the shortest step. Every step then goes through the queue, and the trace stays
// the same. At its end servers may exchange more messages, where these events keep the run going.
func TestStepWithoutASwitchIsTheSameAsAnEvent(t *testing.T) {
	run := func(seed uint64, noise bool) (trace []Event, steps int) {
		w := newWorld(t, Config{Seed: seed, Horizon: 10 * time.Millisecond})
		populate(w, seed)
		var again func()
		again = func() { w.At(w.Now()+50, again) }
		if noise {
			w.At(0, again)
		}
		w.Run()
		return w.Trace(), w.Steps()
	}
	for seed := range uint64(30) {
		quiet, few := run(seed, false)
		noisy, many := run(seed, true)
		if len(noisy) < len(quiet) || !slices.Equal(quiet, noisy[:len(quiet)]) {
			t.Fatalf("seed %d: the traces differ", seed)
		}
		if many < few+100_000 {
			t.Fatalf("seed %d: %d steps, and %d with noise", seed, few, many)
		}
	}
}
