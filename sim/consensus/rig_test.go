package consensus

import (
	"fmt"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A storm is a world of some servers and clients in which everything goes wrong that can. It is a function of the seed.
type storm struct {
	*sim.World
	cluster *Cluster
	servers []*sim.Host
	clients []*sim.Host
	chance  sim.Chance
	flaws   Flaws
	log     checker.History
	process int // the next number for a client that continues after an unknown outcome
}

const (
	registers = 3                // clients of a storm
	faulty    = 12 * time.Second // how long things go wrong
)

// run runs the storm of a seed in w, on c, and returns it with the history of its register.
func run(w *sim.World, c *Cluster, seed uint64, flaws Flaws) *storm {
	s := &storm{World: w, cluster: c, chance: sim.NewChance(seed, "storm"), flaws: flaws, process: registers + 1}
	w.Reset(sim.Config{Seed: seed, Loss: 2000})
	for i, n := range c.Nodes {
		s.servers = append(s.servers, w.AddHost(fmt.Sprint("k", i+1), n, 0, clock.Rate(s.chance.Below(100_000))-50_000))
	}
	for i := range registers + 1 {
		s.clients = append(s.clients, w.AddHost(fmt.Sprint("c", i+1), nil, 0, 0))
	}
	c.Attach(s.servers, Config{Flaws: flaws, Snapshot: 10 + int(s.chance.Below(20)), Few: 1 + int(s.chance.Below(5))})
	for range 3 + s.chance.Below(10) {
		s.fault(clock.Instant(s.chance.In(sim.Range{Min: 0, Max: faulty})), s.chance.In(sim.Range{Min: time.Millisecond, Max: 4 * time.Second}))
	}
	for i, h := range s.clients[:registers] {
		h.Go("main", func(p *sim.Proc) { s.work(p, i) })
	}
	s.clients[registers].Go("last", s.last)
	w.Run()
	return s
}

// work reads and writes until the storm has ended.
func (s *storm) work(p *sim.Proc, process int) {
	for p.Mono() < faulty {
		p.Sleep(time.Duration(p.Draw(uint64(400 * time.Millisecond))))
		process = s.act(p, process, p.Draw(2) == 0, 300*time.Millisecond)
	}
}

// last reads once more, when all is well again: a write that was acknowledged must be there. A message may still be
// lost.
func (s *storm) last(p *sim.Proc) {
	p.Sleep(faulty + 10*time.Second)
	for range 5 {
		s.act(p, registers, true, 2*time.Second)
		if s.log[len(s.log)-1].Type == checker.OK {
			return
		}
	}
}

// act is one operation on the register, at a random server. It returns the number under which the client continues.
func (s *storm) act(p *sim.Proc, process int, read bool, timeout time.Duration) int {
	f, request := checker.Write, any(&Txn{Then: []Op{{Do: Put, Key: "register"}}})
	if read {
		f, request = checker.Read, &Read{Op: Op{Key: "register"}}
	}
	s.note(process, checker.Invoke, f, 0)
	reply, err := p.Call(s.servers[p.Draw(uint64(len(s.servers)))].ID, request, timeout)
	r, ok := reply.(*Reply)
	switch {
	case err == sim.ErrRefused, read && !ok:
		s.note(process, checker.Fail, f, 0)
	case !ok:
		s.note(process, checker.Info, f, 0)
		s.process++
		return s.process - 1
	case len(r.Results[0]) == 0:
		s.note(process, checker.OK, f, 0)
	default:
		s.note(process, checker.OK, f, r.Results[0][0].Version)
	}
	return process
}

func (s *storm) note(process int, t checker.Type, f checker.Func, version uint64) {
	s.log = append(s.log, checker.Op{Index: len(s.log), Time: s.Now(), Process: process, Type: t, F: f, Value: checker.Value{Plain: version}})
}

// fault plans one fault of a random kind, for a length from an instant on.
func (s *storm) fault(at clock.Instant, length time.Duration) {
	h := s.servers[s.chance.Below(uint64(len(s.servers)))]
	begin, end := s.kind(h)
	s.At(at, begin)
	s.At(min(at.Add(length), clock.Instant(faulty)), end)
}

func (s *storm) kind(h *sim.Host) (begin, end func()) {
	switch kind := s.chance.Below(8); kind {
	case 0, 1:
		return h.Pause, h.Resume
	case 2, 3:
		return func() { h.Crash(kind == 2) }, h.Restart
	case 4:
		return func() { h.Drift(clock.PPM * 100_000) }, func() { h.Drift(-clock.PPM * 100_000) }
	case 5: // all together
		return s.all(func(h *sim.Host) { h.Crash(true) }), s.all((*sim.Host).Restart)
	case 6: // one is cut off from the other servers, but not from the clients
		return s.split(h, s.servers)
	}
	return s.split(h, s.Hosts())
}

func (s *storm) all(do func(h *sim.Host)) func() {
	return func() {
		for _, h := range s.servers {
			do(h)
		}
	}
}

// split cuts one host off from others, each way or in both.
func (s *storm) split(h *sim.Host, others []*sim.Host) (begin, end func()) {
	way := s.chance.Below(4)
	each := func(do func(from, to *sim.Host)) func() {
		return func() {
			for _, o := range others {
				if o == h {
					continue
				}
				if way != 1 {
					do(o, h)
				}
				if way != 2 {
					do(h, o)
				}
			}
		}
	}
	return each(s.Cut), each(s.Mend)
}

// judge holds the history to a register.
func (s *storm) judge() blackbox.Result {
	m, _ := blackbox.LookupModel("register")
	return blackbox.Linearizable(s.log, m)
}

func newWorld(t testing.TB) *sim.World {
	w := sim.New(sim.Config{})
	t.Cleanup(w.Close)
	return w
}

// leader returns the index of the server that leads, in the highest term if several take themselves for leader; -1 if
// none does.
func (c *Cluster) leader() int {
	leader, term := -1, uint64(0)
	for i, n := range c.Nodes {
		if n.raft != nil && n.leads && n.disk.written.hard.GetTerm() > term {
			leader, term = i, n.disk.written.hard.GetTerm()
		}
	}
	return leader
}
