package scenarios

import (
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// Why fields are in no state.
const (
	itself  = "it is the same in two runs that are compared"
	record  = "it is for the record of what is over, and no judge of safety holds it against the future"
	atEnd   = "it is computed when the run has ended"
	visited = "what it points at adds itself"
)

// at looks at the first tick of a run of redlock/small at which ready is true.
func at(t *testing.T, schedule string, ready func(r *Runner) bool, look func(r *Runner, now clock.Instant)) {
	t.Helper()
	s, _ := Find("redlock/small")
	var err error
	if s.Faults, err = faults.Parse(schedule); err != nil {
		t.Fatal(err)
	}
	r := NewRunner()
	defer r.Close()
	looked := false
	r.Exploring.OnState = func(now clock.Instant, _ uint64, _ bool) bool {
		if !looked && ready(r) {
			looked = true
			look(r, now)
		}
		return !looked
	}
	r.Run(&s, 1)
	if !looked {
		t.Error("nobody looked")
	}
}

// Every field of what a run remembers counts in its state, makes the state unknown, or has a reason not to: c1 holds the lock,
// and c2 has asked for a token.
func TestEachFieldOfARunIsInItsStateOrHasAReason(t *testing.T) {
	at(t, "", func(r *Runner) bool { return len(r.evidence.Holds) > 0 }, func(r *Runner, now clock.Instant) {
		var d sim.Digest
		digest := func() (uint64, bool) {
			d.Reset(0)
			r.digestEvidence(&d, now)
			return d.Sum(), d.Opaque
		}
		e := &r.evidence
		simtest.Parts(t, []*checker.Evidence{e}, evidenceParts, map[string]func(*checker.Evidence){
			"Tries": func(e *checker.Evidence) { e.Tries = e.Tries[:len(e.Tries)-1] },
			"Holds": func(e *checker.Evidence) { e.Holds = e.Holds[:len(e.Holds)-1] },
		}, digest)
		whose := func(client int) uint64 {
			d.Reset(0)
			kept := e.Holds[0].Client
			e.Holds[0].Client = client
			r.digestHold(&d, 0, now)
			e.Holds[0].Client = kept
			return d.Sum()
		}
		if whose(0) == whose(1) {
			t.Error("whose a hold is, is said by others alone")
		}
		var tries []*checker.Try
		for i := range e.Tries {
			tries = append(tries, &e.Tries[i])
		}
		simtest.Parts(t, tries, tryParts, map[string]func(*checker.Try){
			"Outcome": func(y *checker.Try) { y.Outcome = checker.Won - y.Outcome },
			"Left":    func(y *checker.Try) { y.Left = now },
		}, digest)
		simtest.Parts(t, []*checker.Hold{&e.Holds[0]}, holdParts, map[string]func(*checker.Hold){
			"Gone": func(h *checker.Hold) { h.Gone = now },
		}, digest)
		simtest.Parts(t, []*held{&r.holds[0]}, heldParts, map[string]func(*held){
			"released": func(h *held) { h.released = now },
		}, digest)
		simtest.Parts(t, []*client{&r.clients[0], &r.clients[1]}, clientParts, map[string]func(*client){
			"fenceAsked": func(c *client) { c.fenceAsked = now },
			"holding":    func(c *client) { c.holding = -1 - c.holding },
		}, digest)
		simtest.Parts(t, []*farm{&r.farm}, farmParts, nil, digest)
	})
}

// What heals a fault is in the state while the fault lasts. Two faults that end at different times, or hit different
// hosts, lead to different runs.
func TestEachFieldOfAFaultThatWillHealIsInTheState(t *testing.T) {
	schedule := "at 1ms for 50ms jump n1 +1ms\nat 2ms for 9ms cut c1>n2\n"
	at(t, schedule, func(r *Runner) bool { return len(r.injection.Strikes()) == 2 }, func(r *Runner, now clock.Instant) {
		var d sim.Digest
		digest := func() (uint64, bool) {
			d.Reset(0)
			r.digestStrikes(&d, now)
			return d.Sum(), d.Opaque
		}
		f := r.scenario.Faults
		simtest.Parts(t, []*faults.Fault{&f[0], &f[1]}, faultParts, map[string]func(*faults.Fault){
			"Kind": func(f *faults.Fault) { f.Kind = faults.Pause },
		}, digest)
		all := r.injection.Strikes()
		simtest.Parts(t, []*faults.Strike{&all[0], &all[1]}, strikeParts, map[string]func(*faults.Strike){
			"Index": func(s *faults.Strike) { s.Index = 1 - s.Index },
		}, digest)
		if r.scenario.Faults = append(f, faults.Fault{When: faults.Mark{Host: "c1", Name: "read"}}); true {
			if _, unknown := digest(); !unknown {
				t.Error("a fault that waits for its mark is in no state that is known")
			}
		}
		r.scenario.Faults = f
	})
}

// Faults that heal at one instant heal in an order, and one that heals now has not healed yet. All of it is in the state of the run.
func TestHowFaultsHealIsInTheStateOfTheRun(t *testing.T) {
	schedule := "at 1ms for 50ms jump n1 +1ms\nat 1ms for 50ms restart n2\n"
	at(t, schedule, func(r *Runner) bool { return len(r.injection.Strikes()) == 2 }, func(r *Runner, now clock.Instant) {
		all, f := r.injection.Strikes(), r.scenario.Faults
		seen := map[uint64]string{}
		differs := func(what string) {
			t.Helper()
			sum, known := r.stateAt(now)
			if before, is := seen[sum]; is || !known {
				t.Errorf("%s: the state is unknown, or that of one before: %s", what, before)
			}
			seen[sum] = what
		}
		differs("as it is")
		f[0].Kind = faults.Drift
		differs("another kind")
		f[0].Kind = faults.Jump
		all[0].To, all[1].To = now+9, now+9
		differs("both heal at once")
		all[0], all[1] = all[1], all[0]
		differs("both heal at once, in the other order")
		all[0].To = now
		differs("one heals now")
		all[0].To = now - 1
		differs("one has healed")
		sum, _ := r.stateAt(now)
		if all[0].To = clock.Forever; first(r.stateAt(now)) != sum {
			t.Error("a fault that does not heal is in no other state than one that has healed: what it did is in the world")
		}
	})
}

func first(sum uint64, _ bool) uint64 { return sum }

// The whole memory of a lock and its client is known only for Redlock, with a register, and with tokens that have no
// memory.
func TestLocksWithKnownState(t *testing.T) {
	s, _ := Find("redlock/small")
	forgets := func(s Scenario) bool {
		r := &Runner{}
		r.scenario = &s
		return r.memoryKnown()
	}
	if !forgets(s) {
		t.Fatal("nothing is known of redlock/small")
	}
	for what, change := range map[string]func(*Scenario){
		"a lock of somebody's own": func(s *Scenario) { s.Lock.New = func(locks.Config) locks.Lock { return nil } },
		"another kind of lock":     func(s *Scenario) { s.Lock.Kind = Etcd },
		"a lock that extends":      func(s *Scenario) { s.Lock.Renew.Every = 1 },
		"a database":               func(s *Scenario) { s.Storage.Engine = Register + 1 },
		"a service of tokens":      func(s *Scenario) { s.Fencing.Source = OfService },
	} {
		other := s
		if change(&other); forgets(other) {
			t.Errorf("%s is taken for known", what)
		}
	}
}

// A lock that the simulator knows reports everything that it remembers.
func TestRedlockReportsItsWholeMemory(t *testing.T) {
	at(t, "", func(r *Runner) bool { return len(r.evidence.Holds) > 0 }, func(r *Runner, now clock.Instant) {
		var d sim.Digest
		before := func() (uint64, bool) {
			d.Reset(0)
			r.digestEvidence(&d, now)
			return d.Sum(), d.Opaque
		}
		plain, _ := before()
		l := r.clients[1].lock.(*locks.Redlock)
		n := 0
		l.Memory(func(int, any) { n++ })
		if n != 2*r.scenario.Nodes {
			t.Errorf("it says %d things, want which scripts each node has seen", n)
		}
		r.clients[1].lock = another{l}
		if sum, _ := before(); sum == plain {
			t.Error("what a lock remembers is in no state")
		}
		r.clients[1].lock = l
	})
}

// Each thing that a client keeps when it forgets counts alone, whatever the evidence has: its cycles, whether it
// holds, what it has read, and the fence, deadline and token of its hold.
func TestEachThingThatAClientKeepsCounts(t *testing.T) {
	s, _ := Find("redlock/small")
	grant := func(change func(g *locks.Grant)) *locks.Grant {
		g := &locks.Grant{Token: "a", Fence: 1, Deadline: 1}
		change(g)
		return g
	}
	same := func(*locks.Grant) {}
	sums := map[uint64]string{}
	for _, k := range []struct {
		what   string
		cycles int
		grant  *locks.Grant
		more   []uint64
	}{
		{"a grant", 1, grant(same), []uint64{1, 2, 0}},
		{"another cycle", 2, grant(same), []uint64{1, 2, 0}},
		{"no grant", 1, nil, []uint64{1, 2, 0}},
		{"a grant without a token", 1, grant(func(g *locks.Grant) { g.Token = "" }), []uint64{1, 2, 0}},
		{"no grant, and the same numbers read", 1, nil, []uint64{1, 1, 1, 2, 0, 0}},
		{"another fence", 1, grant(func(g *locks.Grant) { g.Fence = 2 }), []uint64{1, 2, 0}},
		{"another deadline", 1, grant(func(g *locks.Grant) { g.Deadline = 2 }), []uint64{1, 2, 0}},
		{"another token", 1, grant(func(g *locks.Grant) { g.Token = "b" }), []uint64{1, 2, 0}},
		{"another version", 1, grant(same), []uint64{2, 2, 0}},
		{"another version of fenced storage", 1, grant(same), []uint64{1, 3, 0}},
		{"a refusal", 1, grant(same), []uint64{1, 2, 1}},
		{"nothing read", 1, grant(same), nil},
		{"no grant, and nothing read", 1, nil, nil},
	} {
		r := &Runner{}
		r.scenario = &s
		r.Exploring.OnState = func(clock.Instant, uint64, bool) bool { return true }
		w := sim.New(sim.Config{Look: func(clock.Instant) bool { return true }})
		w.AddHost("c1", nil, 0, 0).Go("main", func(p *sim.Proc) {
			(&client{run: r, cycles: k.cycles}).reportMemory(p, k.grant, k.more...)
			p.Sleep(10)
		})
		w.At(5, func() {
			var d sim.Digest
			w.Digest(&d, 5)
			if before, known := sums[d.Sum()]; known {
				t.Errorf("%s: the same state as with %s", k.what, before)
			}
			sums[d.Sum()] = k.what
		})
		w.Run()
		w.Close()
	}
	if len(sums) != 13 {
		t.Errorf("%d states", len(sums))
	}
}

// another remembers one thing more than its lock.
type another struct{ *locks.Redlock }

func (a another) Memory(add func(server int, known any)) {
	a.Redlock.Memory(add)
	add(-1, "more")
}

var evidenceParts = map[string]simtest.Part{
	"Clients": itself, "Lanes": itself, "History": record, "Tries": simtest.Counts, "Holds": simtest.Counts, "Keys": atEnd,
	"Renewals": simtest.Blinds, "Outages": atEnd, "Bound": itself, "Probe": "liveness is not judged", "Guard": itself,
	"Ticks": itself, "Writes": atEnd, "Strikes": atEnd, "Planned": itself, "Stated": itself, "End": atEnd, "Cut": atEnd,
}

var tryParts = map[string]simtest.Part{
	"Client": simtest.Counts, "Token": simtest.Counts, "Votes": record, "Outcome": simtest.Counts, "From": record, "To": record,
	"Left": simtest.Counts, "Clean": simtest.Counts,
}

var holdParts = map[string]simtest.Part{
	"Client": simtest.Counts, "Try": record, "Token": simtest.Counts, "Shared": "no lock for readers has a state that is known",
	"Fence": simtest.Counts, "Asked": record, "From": record, "Gone": simtest.Counts, "Crashed": atEnd, "Valid": atEnd, "Slow": atEnd,
	"Slowed": atEnd,
}

var heldParts = map[string]simtest.Part{"life": simtest.Counts, "deadline": simtest.Counts, "released": simtest.Counts}

var clientParts = map[string]simtest.Part{
	"id": simtest.Counts, "process": record, "asked": record, "run": visited, "host": visited, "lock": visited, "work": itself, "fenceAsked": simtest.Counts,
	"fence": simtest.Counts, "cycles": simtest.Counts, "busy": record, "at": record, "written": "no database has a state that is known",
	"holding": simtest.Counts, "grant": "it is followed only where a lock is extended, and no extension has a state that is known",
	"pending": "no database has a state that is known",
	"drawing": "an exploration has no lock of a user's",
}

var farmParts = map[string]simtest.Part{
	"pool": itself, "servers": visited, "site": itself, "asked": itself, "store": visited, "database": "its state is not known",
	"storageID": itself, "counter": simtest.Counts, "tokens": "tokens of a service make the state unknown", "tokensAt": itself,
}

var faultParts = map[string]simtest.Part{
	"At": "it has struck", "When": "it has struck", "For": "when it heals is in its strike", "On": "when it heals is in its strike",
	"Kind": simtest.Counts, "Host": simtest.Counts, "Clean": simtest.Counts, "By": simtest.Counts, "Every": simtest.Counts,
	"Rate": simtest.Counts, "From": simtest.Counts, "To": simtest.Counts, "Loss": "it is in the text of a fault that has it",
	"Shape": "it is in the text of a fault that has it", "Groups": "it is in the text of a fault that has it",
	"OneWay": "it is in the text of a fault that has it", "Reply": "a host that refuses makes the state unknown",
}

var strikeParts = map[string]simtest.Part{
	"Index": simtest.Counts, "From": "it has struck", "To": simtest.Counts, "Idle": record, "Slight": record, "What": record,
	"Hosts": record,
}
