package scenarios_test

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// The theorem is stated in the documentation of package locks. Here it is put to the test from both sides: within its
// assumptions no run breaks it, and one step outside each of them a run is found that does.

// ppb is one whole, in parts per billion.
const ppb = 1_000_000_000

// fastest returns the greatest rate s of a server that assumption 4 allows with a client of rate c. As TTL × (s − c) ≤
// drift × (1 + s), it is (drift + TTL × c) / (TTL − drift).
func fastest(c locks.Rules, client clock.Rate) clock.Rate {
	ttl, drift := big.NewInt(int64(c.TTL)), big.NewInt(int64(c.Drift()))
	numerator := new(big.Int).Mul(drift, big.NewInt(ppb))
	numerator.Add(numerator, new(big.Int).Mul(ttl, big.NewInt(int64(client))))
	floor := numerator.Div(numerator, new(big.Int).Sub(ttl, drift))
	return clock.Rate(floor.Int64())
}

// within draws a run inside the assumptions. Everything else is free: how many nodes there are, how late and lossy the
// network is, where clients pause, whether servers' clocks step back or their machines restart with their data.
func within(t *rapid.T) scenarios.Scenario {
	s := scenarios.Base()
	s.ID = "theorem"
	s.Nodes = rapid.IntRange(1, 9).Draw(t, "nodes")
	s.Clients = rapid.IntRange(2, 4).Draw(t, "clients")
	s.Work.Cycles = 3
	c := &s.Lock.Rules
	c.TTL = time.Duration(rapid.IntRange(20, 5000).Draw(t, "ttl_ms")) * time.Millisecond
	c.Timeout = min(c.TTL/2, time.Duration(rapid.IntRange(1, 200).Draw(t, "timeout_ms"))*time.Millisecond)
	c.Contact = locks.Contact(rapid.IntRange(0, 1).Draw(t, "contact"))
	c.DriftFactor = locks.Share(rapid.IntRange(0, 200_000).Draw(t, "drift_factor"))
	c.DriftConstant = time.Duration(rapid.IntRange(0, 5).Draw(t, "drift_constant_ms")) * time.Millisecond
	c.Quorum = rapid.IntRange(locks.Majority(s.Nodes), s.Nodes).Draw(t, "quorum")
	c.Clock = locks.Clock(rapid.IntRange(0, 1).Draw(t, "clock"))
	c.Retry = locks.Retry{Attempts: 60, Min: time.Millisecond, Max: c.TTL / 10}
	s.Network.Latency.Max = time.Duration(rapid.Int64Range(100, 20_000).Draw(t, "latency_us")) * time.Microsecond
	s.Network.Loss = locks.Share(rapid.IntRange(0, 200_000).Draw(t, "loss"))
	// Some work is done in time and some is not: validity must hold in either case, whatever the holder believes.
	s.Work.Work = sim.Range{Min: time.Millisecond, Max: c.TTL * 3 / 2}
	s.Work.Recheck, s.Work.StopAtDeadline = false, false
	s.Persistence = redis.AOFAlways
	rates(t, &s)
	if rapid.Bool().Draw(t, "bare majorities") {
		bare(&s)
	}
	for range rapid.IntRange(0, 5).Draw(t, "faults") {
		s.Faults = append(s.Faults, harmless(t, &s))
	}
	return s
}

// bare cuts each client off from other nodes until it needs every vote that it can get: then each of them counts.
func bare(s *scenarios.Scenario) {
	for i := range s.Clients {
		for k := range s.Nodes - s.Lock.Votes(s.Nodes) {
			s.Faults = append(s.Faults, faults.Fault{
				Kind: faults.Cut, From: s.Hosts()[s.Nodes+1+i], To: s.Hosts()[(i+k)%s.Nodes],
			})
		}
	}
}

// rates draws a rate for each client, and for each server one that is safe for all clients.
func rates(t *rapid.T, s *scenarios.Scenario) {
	slowest := clock.Rate(100_000_000)
	for i, host := range s.Hosts()[s.Nodes+1:] {
		r := clock.Rate(rapid.IntRange(-100_000_000, 100_000_000).Draw(t, "rate of "+host))
		if i == 0 || r < slowest {
			slowest = r
		}
		s.Clocks = append(s.Clocks, scenarios.Rate{Host: host, By: r})
	}
	most := min(fastest(s.Lock.Rules, slowest), 400_000_000)
	for _, host := range s.Hosts()[:s.Nodes] {
		by := most // the edge itself, as often as not
		if rapid.Bool().Draw(t, host+" is slower") {
			by = clock.Rate(rapid.Int64Range(-300_000_000, int64(most)).Draw(t, "rate of "+host))
		}
		s.Clocks = append(s.Clocks, scenarios.Rate{Host: host, By: by})
	}
}

// harmless draws a fault that the theorem does not exclude.
func harmless(t *rapid.T, s *scenarios.Scenario) faults.Fault {
	nodes, clients := s.Hosts()[:s.Nodes], s.Hosts()[s.Nodes+1:]
	node, client := rapid.SampledFrom(nodes).Draw(t, "node"), rapid.SampledFrom(clients).Draw(t, "client")
	lasts := time.Duration(rapid.Int64Range(1, 2*s.Lock.TTL.Microseconds()).Draw(t, "for_us")) * time.Microsecond
	f := rapid.SampledFrom([]faults.Fault{
		{Kind: faults.Pause, Host: client, For: lasts},
		{Kind: faults.Pause, Host: node, For: lasts},
		{Kind: faults.Jump, Host: node, By: -lasts},
		{Kind: faults.Restart, Host: node, For: lasts},
		{Kind: faults.Cut, From: client, To: node, For: lasts},
		{Kind: faults.Cut, From: node, To: client, For: lasts},
		{Kind: faults.Hold, From: client, To: node, For: lasts},
		{Kind: faults.Hold, From: node, To: client, For: lasts},
		{Kind: faults.Slow, From: node, To: client, By: (lasts + 1) / 2, For: lasts},
		{Kind: faults.Jump, Host: client, By: lasts},
	}).Draw(t, "fault")
	if f.Kind == faults.Jump && f.Host == client && s.Lock.Clock == locks.Monotonic {
		f.By = -f.By // which only the wall clock notices
	}
	if rapid.Bool().Draw(t, "at a mark") {
		f.When = faults.Mark{
			Host: client, Name: rapid.SampledFrom([]string{"asking", "answered", "acquired", "before-release"}).Draw(t, "mark"),
			Nth: rapid.IntRange(1, 3).Draw(t, "nth"), After: time.Duration(rapid.IntRange(0, 2000).Draw(t, "after_us")) * time.Microsecond,
		}
		return f
	}
	f.At = clock.Instant(rapid.Int64Range(0, 3*int64(s.Lock.TTL)).Draw(t, "at"))
	return f
}

func TestTheoremHoldsWithinItsAssumptions(t *testing.T) {
	r := runner(t)
	runs, holds, edge, struck := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := within(t)
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		res := r.Run(&s, uint64(rapid.IntRange(0, 1<<30).Draw(t, "seed")))
		if broken := breaks(res); broken != "" {
			t.Fatal(broken)
		}
		runs++
		struck += len(res.Evidence.Strikes)
		for _, h := range res.Evidence.Holds {
			holds++
			if h.Gone > h.Valid {
				edge++
			}
		}
	})
	if holds < runs || edge < runs/10 || struck < runs/2 {
		t.Errorf("%d runs: %d holds, %d to the end of their validity, %d strikes: too little is put to the test",
			runs, holds, edge, struck)
	}
}

// breaks says how a run breaks the theorem; it is empty where none does.
func breaks(r *scenarios.Result) string {
	for _, f := range r.Findings {
		if (f.Property == "validity" || f.Property == "quorum") && f.Verdict == checker.Violated {
			return r.Evidence.Explain(f)
		}
	}
	e := r.Evidence
	for _, h := range e.Holds {
		for _, s := range e.Keys {
			if s.Token == h.Token && s.From <= h.From && s.To < min(h.Valid, e.End) {
				return fmt.Sprintf("n%d granted the key of c%d's hold from %v to %v, and had it to %v only",
					s.Lane+1, h.Client+1, h.From, h.Valid, s.To)
			}
		}
	}
	return ""
}

// The test above can fail: leave out one assumption at a time, and among the same runs some break the theorem.
func TestSearchFindsViolationsOutsideEachAssumption(t *testing.T) {
	const runs = 1500
	for name, change := range map[string]func(s *scenarios.Scenario){
		"1: a quorum of half the nodes": func(s *scenarios.Scenario) {
			s.Lock.Quorum = max(1, s.Nodes/2)
		},
		"2: steps forward": func(s *scenarios.Scenario) {
			turn(s, func(f *faults.Fault) bool { return f.Kind == faults.Jump && f.Host[0] == 'n' }, func(f *faults.Fault) { f.By = -f.By })
		},
		"2: data lost": func(s *scenarios.Scenario) { s.Persistence = redis.None },
		"3: the clock steps back": func(s *scenarios.Scenario) {
			s.Lock.Clock = locks.Wall
			turn(s, func(f *faults.Fault) bool { return f.Kind == faults.Jump && f.Host[0] == 'c' }, func(f *faults.Fault) { f.By = -max(f.By, -f.By) })
		},
		"4: a rate beyond the allowance": func(s *scenarios.Scenario) {
			for i := range s.Clocks[s.Clients:] {
				s.Clocks[s.Clients+i].By += clock.Rate(3 * time.Millisecond * ppb / s.Lock.TTL)
			}
		},
		"5: no comparing":           func(s *scenarios.Scenario) { s.Lock.Free = locks.Delete },
		"elapsed time not deducted": func(s *scenarios.Scenario) { s.Lock.DeductElapsed = false },
	} {
		t.Run(name, func(t *testing.T) {
			r, drawn := runner(t), rapid.Custom(within)
			for i := range runs {
				s := drawn.Example(i)
				change(&s)
				if s.Check() == nil && breaks(r.Run(&s, uint64(i))) != "" {
					t.Logf("found in run %d", i)
					return
				}
			}
			t.Errorf("not found in %d runs", runs)
		})
	}
}

// turn changes the faults of one sort.
func turn(s *scenarios.Scenario, which func(*faults.Fault) bool, change func(*faults.Fault)) {
	for i := range s.Faults {
		if which(&s.Faults[i]) {
			change(&s.Faults[i])
		}
	}
}

// outside are runs that leave one assumption each, by one step, and the number of tries within which a run must be
// found that breaks the theorem. A try is a seed.
var outside = []struct {
	assumption string
	tries      uint64
	change     func(s *scenarios.Scenario)
}{
	{"1: a quorum of half the nodes", 100, func(s *scenarios.Scenario) {
		s.Nodes, s.Lock.Quorum, s.Lock.Contact = 4, 2, locks.Parallel
	}},
	{"2: a step forward, of one server of a bare majority", 10, func(s *scenarios.Scenario) {
		bareMajority(s)
		s.Faults = append(s.Faults, faults.Fault{Kind: faults.Jump, Host: "n2", By: 2 * time.Second, When: acquired})
	}},
	{"2: the least step forward: what the allowance covers and two milliseconds", 10, func(s *scenarios.Scenario) {
		bareMajority(s)
		s.Faults = append(s.Faults, faults.Fault{
			Kind: faults.Jump, Host: "n2", By: s.Lock.Drift() + 2*time.Millisecond, When: acquired,
		})
	}},
	{"2: data lost by one server of a bare majority", 10, func(s *scenarios.Scenario) {
		bareMajority(s)
		s.Faults = append(s.Faults, faults.Fault{Kind: faults.Restart, Host: "n2", For: time.Millisecond, When: acquired})
	}},
	{"3: the client's clock steps back before its first request has left", 10, func(s *scenarios.Scenario) {
		bareMajority(s)
		s.Lock.Clock = locks.Wall
		asking := faults.Mark{Host: "c1", Name: "asking"}
		s.Faults = append(s.Faults, faults.Fault{Kind: faults.Jump, Host: "c1", By: -100 * time.Millisecond, When: asking})
	}},
	{"3: the client's clock steps back", 10, func(s *scenarios.Scenario) {
		bareMajority(s)
		s.Lock.Clock = locks.Wall
		s.Faults = append(s.Faults, faults.Fault{Kind: faults.Jump, Host: "c1", By: -100 * time.Millisecond, When: acquired})
	}},
	{"4: a server faster than the allowance covers, by two milliseconds in the TTL", 10, func(s *scenarios.Scenario) {
		bareMajority(s)
		beyond := clock.Rate(2 * time.Millisecond * ppb / s.Lock.TTL)
		s.Clocks = []scenarios.Rate{{Host: "n2", By: fastest(s.Lock.Rules, 0) + beyond}}
	}},
	{"4: a client slower than the allowance covers, by two milliseconds in the TTL", 10, func(s *scenarios.Scenario) {
		bareMajority(s)
		c := s.Lock.Rules
		s.Clocks = []scenarios.Rate{{Host: "c1", By: -clock.Rate((c.Drift() + 2*time.Millisecond) * ppb / c.TTL)}}
	}},
	{"5: a token used again, freed by a late release of its earlier attempt", 100, func(s *scenarios.Scenario) {
		s.Nodes, s.Lock.FreshToken, s.Lock.Contact = 3, false, locks.Parallel
		s.Network.Latency.Max, s.Lock.Timeout = 40*time.Millisecond, 30*time.Millisecond
		s.Lock.Retry = locks.Retry{Min: time.Millisecond, Max: 5 * time.Millisecond}
	}},
	{"5: a release that does not compare", 10, func(s *scenarios.Scenario) {
		s.Lock.Free = locks.Delete
		s.Faults = faults.Schedule{{Kind: faults.Pause, Host: "c1", For: 1200 * time.Millisecond, When: acquired}}
	}},
	{"the validity itself: elapsed time not deducted, and the replies late", 10, func(s *scenarios.Scenario) {
		bareMajority(s)
		s.Lock.DeductElapsed = false
		s.Faults = append(s.Faults, faults.Fault{Kind: faults.Slow, From: "n2", To: "c1", By: 30 * time.Millisecond, For: time.Second})
	}},
}

var acquired = faults.Mark{Host: "c1", Name: "acquired"}

// bareMajority cuts c1 off from the last of three nodes, so that each of the others counts; and lets it work to the
// end.
func bareMajority(s *scenarios.Scenario) {
	s.Nodes = 3
	s.Faults = faults.Schedule{{Kind: faults.Cut, From: "c1", To: "n3"}}
}

func TestOneStepOutsideEachAssumptionBreaksTheTheorem(t *testing.T) {
	for _, c := range outside {
		t.Run(c.assumption, func(t *testing.T) {
			s := scenarios.Base()
			s.Clients, s.Work.Cycles = 2, 3
			s.Lock.TTL = time.Second
			s.Work.Work = sim.Range{Min: 900 * time.Millisecond, Max: 1200 * time.Millisecond}
			s.Work.Recheck, s.Work.StopAtDeadline = false, false
			c.change(&s)
			if err := s.Check(); err != nil {
				t.Fatal(err)
			}
			r := runner(t)
			for seed := range c.tries {
				if breaks(r.Run(&s, seed)) != "" {
					t.Logf("found with seed %d", seed)
					return
				}
			}
			t.Errorf("not found within %d tries", c.tries)
		})
	}
}

// The arithmetic itself, against a calculation that shares nothing with it.
func TestValidityAndQuorumArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := locks.Reference()
		c.TTL = time.Duration(rapid.Int64Range(1, 1<<40).Draw(t, "ttl_ms")) * time.Millisecond
		c.TTL = min(c.TTL, 1000*time.Hour)
		c.DriftFactor = locks.Share(rapid.IntRange(0, 1_000_000).Draw(t, "factor"))
		c.DriftConstant = time.Duration(rapid.Int64Range(0, int64(time.Second)).Draw(t, "constant"))
		elapsed := time.Duration(rapid.Int64Range(0, int64(2*c.TTL)).Draw(t, "elapsed"))
		share := new(big.Int).Mul(big.NewInt(int64(c.TTL)), big.NewInt(int64(c.DriftFactor)))
		share.Div(share, big.NewInt(1_000_000))
		if want := time.Duration(share.Int64()) + c.DriftConstant; c.Drift() != want {
			t.Fatalf("drift %s, want %s", c.Drift(), want)
		}
		if want := c.TTL - elapsed - c.Drift(); c.Validity(elapsed) != want {
			t.Fatalf("validity %s, want %s", c.Validity(elapsed), want)
		}
		n := rapid.IntRange(1, 1000).Draw(t, "nodes")
		if q := locks.Majority(n); 2*q <= n || 2*(q-1) > n {
			t.Fatalf("majority of %d is %d: two can be had side by side, or it is not the least", n, q)
		}
		if checker.Majority(n) != locks.Majority(n) { // two houses that must not know each other
			t.Fatalf("the majority of %d is %d to the lock and %d to its judge", n, locks.Majority(n), checker.Majority(n))
		}
	})
}
