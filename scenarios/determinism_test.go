package scenarios_test

import (
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// A dice draws random scenarios. It is one stream, so each seed always makes the same scenario.
type dice struct{ sim.Chance }

func (d *dice) number(low, high int) int { return low + int(d.Below(uint64(high-low+1))) }
func (d *dice) coin() bool               { return d.Below(2) == 0 }
func (d *dice) span(most time.Duration) time.Duration {
	return time.Duration(d.Below(uint64(most/time.Microsecond)+1)) * time.Microsecond
}

func pick[T any](d *dice, from []T) T { return from[d.Below(uint64(len(from)))] }

// randomScenario draws a small universe: topology, lock, workload, and up to eight faults of any kind.
func randomScenario(seed uint64) scenarios.Scenario {
	d := &dice{sim.NewChance(seed, "scenario")}
	s := scenarios.Base()
	s.ID = "random"
	s.Clients, s.Nodes = d.number(1, 4), d.number(1, 7)
	s.Network.Loss = pick(d, []locks.Share{0, 0, 20_000, 100_000})
	s.Persistence = redis.Persistence(d.number(0, 2))
	s.Fencing = scenarios.Fencing{
		Source: scenarios.FencingSource(d.number(0, 3)), First: 1, Node: d.number(1, s.Nodes),
		Check: storage.Check(d.number(0, 1)), ReadsMark: d.coin(), Atomic: d.coin(),
	}
	s.Fencing.ReadsMark = s.Fencing.ReadsMark || s.Fencing.Check == storage.Equality
	s.Lock.Kind = scenarios.Kind(d.number(0, 1))
	c := &s.Lock.Rules
	c.TTL = time.Duration(d.number(20, 2000)) * time.Millisecond
	c.Timeout = min(c.TTL/2, time.Duration(d.number(1, 50))*time.Millisecond)
	c.Contact, c.Clock, c.Cleanup = locks.Contact(d.number(0, 1)), locks.Clock(d.number(0, 2)), locks.Cleanup(d.number(0, 2))
	c.Take, c.Free, c.Counted = locks.Take(d.number(0, 3)), locks.Free(d.number(0, 2)), locks.Counted(d.number(0, 1))
	c.FreshToken, c.ValidityCheck, c.DeductElapsed, c.TolerateErrors = d.coin(), d.coin(), d.coin(), d.coin()
	c.Retry.Attempts, c.Patience, c.OwnTime = d.number(0, 20), pick(d, []time.Duration{0, c.TTL}), d.coin()
	if d.coin() {
		c.Renew = locks.Renew{
			Every: c.TTL / time.Duration(d.number(2, 4)), Attempts: d.number(0, 5), Compare: d.coin(), Quorum: d.coin(),
			Check: d.coin(), Confirm: d.coin(), KeepFailed: d.coin(), StopAtFree: d.coin(),
		}
	}
	s.Work.Cycles, s.Work.Recheck, s.Work.StopAtDeadline = d.number(1, 5), d.coin(), d.coin()
	s.Work.Work.Max = d.span(c.TTL*2) + s.Work.Work.Min
	s.Interpret = d.number(1, 20) == 1
	s.Horizon, s.Steps = time.Minute, 20_000
	for range d.number(0, 8) {
		s.Faults = append(s.Faults, randomFault(d, &s))
	}
	for _, h := range s.Hosts() {
		if d.coin() {
			s.Clocks = append(s.Clocks, scenarios.Rate{Host: h, By: clock.Rate(d.number(-100_000, 100_000)) * clock.PPM})
		}
	}
	return s
}

func randomFault(d *dice, s *scenarios.Scenario) faults.Fault {
	hosts := s.Hosts()
	words := slices.Concat(hosts, []string{faults.Holder, faults.ANode, faults.AClient, faults.Majority, faults.Nodes, faults.Clients, faults.All})
	f := faults.Fault{
		Kind: faults.Kinds[d.number(0, len(faults.Kinds)-1)], At: clock.Instant(d.span(5 * time.Second)), For: d.span(3 * time.Second),
		Host: pick(d, words), Clean: d.coin(), By: d.span(4 * time.Second), Rate: clock.Rate(d.number(1, 50_000)) * clock.PPM,
		Every: time.Millisecond + d.span(50*time.Millisecond), From: pick(d, words), To: pick(d, words), Loss: d.number(0, 500_000),
	}
	if f.Kind == faults.Jump && d.coin() {
		f.By = -f.By
	}
	switch f.Kind {
	case faults.Partition:
		part(d, s, &f)
	case faults.Refuse, faults.Evict:
		f.Reply = pick(d, faults.Errors)
		if s.Cast().Redis == nil {
			f.Kind = faults.Pause
			break
		}
		f.Host = pick(d, append(s.Cast().Redis, faults.ANode, faults.Nodes))
	case faults.StallDisk:
		if s.Cast().Disks == nil {
			f.Kind = faults.Pause
			break
		}
		f.Host = pick(d, append(s.Cast().Disks, faults.ANode, faults.Nodes))
	}
	if f.Kind.EndsItself {
		f.For = 0
	}
	if d.coin() {
		f.When = faults.Mark{
			Host: pick(d, []string{"c1", faults.Any}), Name: pick(d, []string{"asking", "answered", "acquired", "read", "before-write", "released"}),
			Nth: d.number(1, 3), After: d.span(time.Millisecond),
		}
	}
	return f
}

// part sets a partition to a shape that the topology has room for.
func part(d *dice, s *scenarios.Scenario, f *faults.Fault) {
	hosts := s.Hosts()
	i := d.number(1, len(hosts)-1)
	f.Groups, f.OneWay = [][]string{hosts[:i], hosts[i:]}, d.coin()
	if s.Nodes < 3 {
		f.Shape = faults.Shape(d.number(0, 1))
		return
	}
	f.Shape = faults.Shape(d.number(0, int(faults.Bridge)))
	if d.coin() {
		f.Groups = [][]string{{faults.Minority, faults.Holder}, {faults.Majority}}
	}
}

// A run must be the same bytes alone, on a worker that has seen other runs, in another order, next to other workers,
// and on one core or two. CI runs this with the race detector too, which moves everything that could move.
func TestSameScenarioAndSeedMakeTheSameBytes(t *testing.T) {
	worlds := 240
	if !long {
		worlds = 60
	}
	alone := make([]string, worlds)
	struck, cut := 0, 0
	for i := range alone {
		s := randomScenario(uint64(i))
		if err := s.Check(); err != nil {
			t.Fatalf("world %d: %v", i, err)
		}
		r := scenarios.Run(s, uint64(i))
		alone[i] = r.Hash()
		struck += min(1, len(r.Evidence.Strikes))
		cut += min(1, len(r.Evidence.Cut))
	}
	if struck < worlds/2 || cut > worlds/2 {
		t.Errorf("of %d worlds, faults struck in %d and %d were cut short: too little happens in them", worlds, struck, cut)
	}
	if len(slices.Compact(slices.Sorted(slices.Values(alone)))) < worlds {
		t.Error("two worlds have the same hash: it can't see what happened in them")
	}
	r := runner(t)
	for i := worlds - 1; i >= 0; i-- {
		s := randomScenario(uint64(i))
		if h := r.Run(&s, uint64(i)).Hash(); h != alone[i] {
			t.Fatalf("world %d: hash %s on a reused runner, %s alone", i, h, alone[i])
		}
	}
	for _, cores := range []int{1, 2} {
		sideBySide(t, cores, alone)
	}
}

// sideBySide repeats the runs on three parallel workers, on this number of cores.
func sideBySide(t *testing.T, cores int, want []string) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	var wg sync.WaitGroup
	for worker := range 3 {
		wg.Go(func() {
			r := scenarios.NewRunner()
			defer r.Close()
			for i := worker; i < len(want); i += 3 {
				s := randomScenario(uint64(i))
				if h := r.Run(&s, uint64(i)).Hash(); h != want[i] {
					t.Errorf("world %d: hash %s beside others on %d cores, %s alone", i, h, cores, want[i])
				}
			}
		})
	}
	wg.Wait()
}

func TestAnotherSeedMakesOtherBytes(t *testing.T) {
	s := find(t, "baseline/fault-free")
	if scenarios.Run(s, 1).Hash() == scenarios.Run(s, 2).Hash() {
		t.Error("seeds 1 and 2 give the same run")
	}
}

// Take a fault away, and what does not hang on it stays as it was: the first latencies are the same draws.
func TestRemovingAFaultChangesNoOtherRandomness(t *testing.T) {
	with := find(t, "kleppmann/gc-pause")
	without := find(t, "kleppmann/gc-pause")
	without.Faults = nil
	a, b := scenarios.Run(with, 1), scenarios.Run(without, 1)
	for i, e := range a.Trace {
		if e.Kind == sim.Paused {
			return
		}
		if o := b.Trace[i]; o.At != e.At || o.Kind != e.Kind {
			t.Fatalf("event %d is %v with the pause to come, and %v without", i, e, o)
		}
	}
	t.Error("the pause never struck")
}
