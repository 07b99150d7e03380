package blackbox

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/checkertest"
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/clock"
)

// plainly is the oracle: porcupine on the plain encoding. Nothing is left out: failed operations are legal and do
// nothing. Unknown ones return at the very end, and take effect or not.
func plainly(h checker.History, m Model) bool {
	all := m
	all.owned = false
	all.means = func(f checker.Func, t checker.Type) (checker.Type, bool) {
		as, counts := m.means(f, t)
		if _, ever := m.means(f, checker.OK); !counts && ever {
			return t, true
		}
		return as, counts
	}
	c, err := collect(h, &all)
	if err != nil {
		panic(err)
	}
	c.filter(&all)
	machine := m.machine(&m)
	plain := porcupine.NondeterministicModel{
		Init: func() []any { return []any{machine.start} },
		Step: func(state, input, _ any) []any {
			k := input.(*operation)
			if _, counts := m.means(k.f, k.outcome); !counts {
				return []any{state}
			}
			next, legal := machine.step(state, k)
			switch {
			case k.outcome == checker.Info && legal:
				return []any{state, next}
			case k.outcome == checker.Info:
				return []any{state}
			case legal:
				return []any{next}
			}
			return nil
		},
	}
	ops := c.forPorcupine()
	return porcupine.CheckOperations(plain.ToModel(), ops[:len(ops)-1]) // without the curtain
}

// agree holds every judge of m to the oracle.
func agree(t *testing.T, h checker.History, m Model) (legal, fast bool) {
	t.Helper()
	want := checker.Violated
	if plainly(h, m) {
		want = checker.Holds
	}
	r := judge(h, &m)
	s := r
	if m.fast != nil {
		s = searched(h, m)
	}
	if r.Verdict != want || s.Verdict != want {
		t.Fatalf("%s says %v, a search %v, the oracle %v of\n%s%+v", m.Name, r.Verdict, s.Verdict, want, codec.AppendJSON(nil, h), r)
	}
	return want == checker.Holds, r.Steps == 0
}

// A grower makes every history of a number of events: each client takes every allowed step in turn.
type grower struct {
	clients, ends int
	steps         []checker.Op // what may be invoked, and the ok that may follow
	fails         bool
	visit         func(checker.History)
}

func stored(f checker.Func) bool { return f == checker.Read || f == checker.Write }

// from passes on every history that begins with what two clients did already, and then has at most ends more events.
func (g *grower) from(begin checker.History, ends int) {
	for n := range ends + 1 {
		g.ends = len(begin) + n
		busy, process := slices.Repeat([]int{-1}, g.clients), make([]int, g.clients)
		for c := range process {
			process[c] = c
		}
		for _, o := range begin {
			if o.Type == checker.Info {
				process[o.Process%g.clients] += g.clients
			}
		}
		g.grow(slices.Clip(begin), busy, process)
	}
}

// grow passes on every history that begins with h. A client must not act before one of a lower number has, because
// clients are interchangeable.
func (g *grower) grow(h checker.History, busy []int, process []int) {
	if len(h) == g.ends {
		g.visit(h)
		return
	}
	add := func(o checker.Op) checker.History {
		o.Index, o.Time = len(h), clock.Instant(len(h))
		return append(h, o)
	}
	for c := range g.clients {
		switch open := busy[c]; {
		case open < 0:
			for i, o := range g.steps {
				if i > 0 && g.steps[i-1].F == o.F && g.steps[i-1].Value.Fence == o.Value.Fence && stored(o.F) {
					continue // the same invoke
				}
				if i > 0 && g.steps[i-1].F == o.F && !stored(o.F) {
					continue
				}
				busy[c] = i
				in := checker.Op{Process: process[c], F: o.F}
				if stored(o.F) {
					in.Value.Fence = o.Value.Fence
				}
				g.grow(add(in), busy, process)
			}
			busy[c] = -1
		default:
			g.close(h, c, open, busy, process, add)
		}
		if busy[c] < 0 && process[c] == c && !slices.ContainsFunc(h, func(o checker.Op) bool { return o.Process == c }) {
			return
		}
	}
}

func (g *grower) close(h checker.History, c, open int, busy, process []int, add func(checker.Op) checker.History) {
	in := g.steps[open]
	busy[c] = -1
	for _, o := range g.steps {
		if o.F == in.F && (!stored(o.F) || o.Value.Fence == in.Value.Fence) {
			o.Process, o.Type = process[c], checker.OK
			g.grow(add(o), busy, process)
		}
	}
	if g.fails {
		g.grow(add(checker.Op{Process: process[c], Type: checker.Fail, F: in.F}), busy, process)
	}
	process[c] += g.clients
	g.grow(add(checker.Op{Process: process[c] - g.clients, Type: checker.Info, F: in.F}), busy, process)
	process[c] -= g.clients
	busy[c] = open
}

// TestEveryJudgeAgreesWithPorcupineOnEverySmallHistory compares every judge with the oracle on small histories.
func TestEveryJudgeAgreesWithPorcupineOnEverySmallHistory(t *testing.T) {
	t.Parallel()
	lock := []checker.Op{{F: checker.Acquire}, {F: checker.Release}}
	renewed := []checker.Op{{F: checker.Acquire}, {F: checker.Release}, {F: checker.Renew}}
	fenced := []checker.Op{{F: checker.Acquire, Value: checker.Value{Fence: 1}}, {F: checker.Acquire, Value: checker.Value{Fence: 2}}, {F: checker.Release}}
	register := []checker.Op{{F: checker.Read}, {F: checker.Read, Value: checker.Value{Fence: 0, Plain: 1, Fenced: 1}}, {F: checker.Write, Value: checker.Value{Fence: 0, Plain: 1, Fenced: 1}}, {F: checker.Write, Value: checker.Value{Fence: 0, Plain: 2, Fenced: 2}}}
	marked := []checker.Op{{F: checker.Read, Value: checker.Value{Fence: 1}}, {F: checker.Read, Value: checker.Value{Fence: 1, Plain: 1, Fenced: 1}}, {F: checker.Read, Value: checker.Value{Fence: 2}},
		{F: checker.Write, Value: checker.Value{Fence: 1}}, {F: checker.Write, Value: checker.Value{Fence: 1, Plain: 1, Fenced: 1}}, {F: checker.Write, Value: checker.Value{Fence: 2, Plain: 1, Fenced: 1}}}
	const gap = "0 acquire, 0 ok, 0 release, 0 info, 2 acquire, 2 info" // after which a hold may have a gap
	for _, s := range []struct {
		models        []string
		steps         []checker.Op
		clients, ends int
		fails         bool
		begin         string
	}{
		{[]string{"mutex"}, lock, 2, 8, false, ""},
		{[]string{"mutex"}, lock, 3, 7, false, ""},
		{[]string{"mutex"}, lock, 2, 7, false, gap},
		{[]string{"fenced-mutex", "reentrant-fenced-mutex"}, fenced, 2, 6, false, gap},
		{[]string{"reentrant-mutex", "semaphore", "lease"}, lock, 2, 6, false, gap},
		{[]string{"mutex", "reentrant-mutex", "semaphore", "lease", "plain-mutex"}, lock, 2, 6, true, ""},
		{[]string{"semaphore", "lease"}, lock, 3, 6, false, ""},
		{[]string{"fenced-mutex", "reentrant-fenced-mutex"}, fenced, 2, 6, false, ""},
		{[]string{"mutex", "fenced-mutex", "reentrant-mutex", "semaphore", "plain-mutex"}, renewed, 2, 6, false, ""},
		{[]string{"mutex", "semaphore"}, renewed, 2, 6, false, gap},
		{[]string{"lease", "lease-timed"}, renewed, 2, 6, true, ""},
		{[]string{"lease", "lease-timed"}, renewed, 2, 5, true, "0 acquire, 0 ok, 0 renew, 0 ok, 1 acquire, 1 info"},
		{[]string{"register"}, register, 2, 6, false, ""},
		{[]string{"register"}, register, 3, 6, false, ""},
		{[]string{"fenced-register"}, marked, 2, 5, true, ""},
	} {
		if !long {
			s.ends = max(s.ends-2, 4)
		}
		for _, name := range s.models {
			m, _ := LookupModel(name)
			m.Clients = s.clients
			tried, legal, fast := 0, 0, 0
			g := grower{clients: s.clients, steps: s.steps, fails: s.fails, visit: func(h checker.History) {
				tried++
				holds, swept := agree(t, h, m)
				legal, fast = legal+count(holds), fast+count(swept)
			}}
			g.from(checkertest.Parse(t, s.begin), s.ends)
			t.Logf("%s: %d histories of %d clients and up to %d events after %q, 0 disagreements, %d legal, %d judged without a search",
				name, tried, s.clients, s.ends, s.begin, legal, fast)
			if legal == 0 || legal == tried {
				t.Errorf("%s: %d of %d histories are legal: nothing is compared", name, legal, tried)
			}
		}
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A bench makes larger histories: a correct lock or storage, clients that use it, and now and then a mistake.
type bench struct {
	*rand.Rand
	clients int
	history checker.History
	process []int
	open    []checker.Op // by client; of type OK while none is open
	holder  []int
	fence   uint64
	state   checker.Value // of the registers; Fence is the mark
	unsure  int           // how many outcomes of 100 are unknown
}

func mutated(r *rand.Rand, registers bool, events int) (h checker.History, clients int) {
	b := bench{Rand: r, clients: 2 + r.IntN(3), unsure: r.IntN(12)}
	for c := range b.clients {
		b.process, b.open = append(b.process, c), append(b.open, checker.Op{Type: checker.OK})
	}
	for len(b.history) < events {
		b.act(b.IntN(b.clients), registers)
	}
	for range b.IntN(3) {
		b.spoil()
	}
	return b.history, b.clients
}

// act takes effect at the invoke or at the return, as chance has it, for those whose outcome it knows.
func (b *bench) act(c int, registers bool) {
	o := &b.open[c]
	if o.Type != checker.OK {
		b.finish(c)
		return
	}
	*o = checker.Op{Process: b.process[c], F: checker.Release}
	held := slices.Contains(b.holder, c)
	switch {
	case registers:
		o.F = checker.Read + checker.Func(b.IntN(2))
		o.Value.Fence = b.state.Fence + uint64(b.IntN(3))
		o.Value.Fence -= min(1, o.Value.Fence)
	case !held:
		o.F = checker.Acquire
	}
	b.note(*o)
}

func (b *bench) finish(c int) {
	o := &b.open[c]
	o.Type = checker.OK
	unknown := b.IntN(100) < b.unsure
	if !unknown || b.IntN(2) == 0 {
		b.effect(c, o)
	}
	if unknown {
		o.Type = checker.Info
		b.process[c] += b.clients
	}
	b.note(*o)
	o.Type = checker.OK
}

func (b *bench) effect(c int, o *checker.Op) {
	switch {
	case o.F == checker.Acquire && len(b.holder) > 0:
		o.Type = checker.Fail
	case o.F == checker.Acquire:
		b.fence += 1 + uint64(b.IntN(2))
		b.holder, o.Value.Fence = []int{c}, b.fence
	case o.F == checker.Release && !slices.Contains(b.holder, c):
		o.Type = checker.Fail
	case o.F == checker.Release:
		b.holder = nil
	default:
		b.store(o)
	}
}

func (b *bench) store(o *checker.Op) {
	stale := o.Value.Fence < b.state.Fence
	b.state.Fence = max(b.state.Fence, o.Value.Fence)
	if o.F == checker.Write {
		b.state.Plain++
		if !stale {
			b.state.Fenced++
		}
	}
	o.Value.Plain, o.Value.Fenced = b.state.Plain, b.state.Fenced
	if stale {
		o.Value.Fenced = 0
	}
}

func (b *bench) note(o checker.Op) {
	o.Index = len(b.history)
	if o.Type == checker.Info {
		o.Value = checker.Value{Fence: o.Value.Fence}
	}
	b.history = append(b.history, o)
}

// spoil changes one outcome, or moves one event a place or two where its process allows it.
func (b *bench) spoil() {
	i := b.IntN(len(b.history) - 3)
	h := b.history
	switch o := &h[i]; {
	case o.Type == checker.OK && b.IntN(4) == 0:
		o.Value.Fence += uint64(b.IntN(3)) - 1
		o.Value.Plain += uint64(b.IntN(3)) - 1
		o.Value.Fenced += uint64(b.IntN(3)) - 1
	case o.Type == checker.OK && b.IntN(4) == 0:
		o.Type = checker.Fail
	case o.Type == checker.Fail && b.IntN(2) == 0:
		o.Type = checker.OK
	default:
		for range 1 + b.IntN(2) {
			if i+1 < len(h) && h[i].Process%b.clients != h[i+1].Process%b.clients {
				h[i], h[i+1] = h[i+1], h[i]
				h[i].Index, h[i+1].Index = i, i+1
				i++
			}
		}
	}
}

// TestTwentyThousandMutatedHistories compares every judge with the oracle on 20,000 larger histories for each,
// two thirds of them spoilt.
func TestTwentyThousandMutatedHistories(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(4, 20000))
	type score struct{ tried, legal, fast int }
	scores := make([]score, len(Models))
	for n := range 40_000 { // half for locks, half for registers
		if !long && n == 800 {
			break
		}
		h, clients := mutated(r, n%2 == 0, 12+n%28)
		if err := h.Check(); err != nil {
			t.Fatal(err)
		}
		for i, m := range Models {
			if isRegister(m) != (n%2 == 0) {
				continue
			}
			m.Clients = clients * (n / 2 % 2) // 0 says that each process is a client
			legal, fast := agree(t, h, m)
			s := &scores[i]
			s.tried, s.legal, s.fast = s.tried+1, s.legal+count(legal), s.fast+count(fast)
		}
	}
	for i, s := range scores {
		t.Logf("%s: %d histories, 0 disagreements, %d legal, %d judged without a search", Models[i].Name, s.tried, s.legal, s.fast)
	}
}

func isRegister(m Model) bool {
	_, counts := m.means(checker.Read, checker.OK)
	return counts
}

func TestTheSameHistoryGivesTheSameResult(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		h, _ := mutated(r, false, 30)
		for _, m := range Models {
			a, b := searched(h, m), searched(h, m)
			if a.Verdict != b.Verdict || a.Steps != b.Steps || a.Reason != b.Reason {
				t.Fatalf("%s: %+v and then %+v", m.Name, a, b)
			}
		}
	}
}

// hard is a history that no search can bear: unknown acquires and releases of one holder, and a violation at the end.
func hard(pairs int) checker.History {
	var h checker.History
	add := func(process int, t checker.Type, f checker.Func) {
		h = append(h, checker.Op{Index: len(h), Process: process, Type: t, F: f})
	}
	for p := range pairs {
		add(p, checker.Invoke, checker.Write)
		add(p, checker.Info, checker.Write)
	}
	for v := range uint64(pairs + 1) {
		add(1000, checker.Invoke, checker.Read)
		h = append(h, checker.Op{Index: len(h), Process: 1000, Type: checker.OK, F: checker.Read, Value: checker.Value{Plain: v, Fenced: v}})
	}
	add(1001, checker.Invoke, checker.Read)
	h = append(h, checker.Op{Index: len(h), Process: 1001, Type: checker.OK, F: checker.Read})
	return h
}

func TestASearchEndsWithItsBudget(t *testing.T) {
	m, _ := LookupModel("register")
	h := hard(24)
	if r := Linearizable(h, m); r.Verdict != checker.Violated || r.Steps != 0 {
		t.Errorf("without a search: %+v", r)
	}
	m.fast = nil
	for _, s := range []struct{ steps, memory, want int }{{50_000, 0, 50_000}, {7, 0, 7}, {0, 1 << 20, 0}} {
		m.Steps, m.Memory = s.steps, s.memory
		r := Linearizable(h, m)
		if r.Verdict != checker.Unknown || r.Err != nil || s.want > 0 && r.Steps != s.want || r.Reason == "" {
			t.Errorf("%+v: %+v", s, r)
		}
		if again := Linearizable(h, m); again.Steps != r.Steps || again.Reason != r.Reason {
			t.Errorf("%+v, and then %+v", r, again)
		}
	}
	m.Steps = 8
	want := "A search gave up after 8 steps (8 allowed) and about"
	if r := Linearizable(h, m); len(r.Reason) < len(want) || r.Reason[:len(want)] != want {
		t.Error(r.Reason)
	}
}

// withUnknownPairs is an orderly history in which now and then a client never learns how its acquire and clean-up
// ended.
func withUnknownPairs(ops, pairs int) checker.History {
	orderly := orderlyLock(ops)
	var h checker.History
	process := 500 // and 1500, 2500 …, which are one client of 1000
	for i, o := range orderly {
		if pairs > 0 && i%(ops/pairs) == 1 {
			for _, f := range []checker.Func{checker.Acquire, checker.Release} {
				h = append(h, checker.Op{Process: process, F: f}, checker.Op{Process: process, Type: checker.Info, F: f})
				process += 1000
			}
		}
		h = append(h, o)
	}
	for i := range h {
		h[i].Index = i
	}
	return h
}

// On the plain encoding seven such pairs before a violation took 20 s, and each one more takes four times as long.
func TestUnknownPairsCostASearchNothing(t *testing.T) {
	for _, name := range []string{"mutex", "reentrant-mutex", "fenced-mutex", "reentrant-fenced-mutex", "semaphore", "lease", "lease-timed"} {
		m, _ := LookupModel(name)
		m.Clients = 1000
		for _, pairs := range []int{0, 8, 20, 100} {
			h := withUnknownPairs(1000, pairs)
			if r := searched(h, m); r.Verdict != checker.Holds || r.Steps > 1500 {
				t.Errorf("%s, %d pairs: %v after %d steps", name, pairs, r.Verdict, r.Steps)
			}
			h = append(h, checker.Op{Index: len(h), Process: 999, F: checker.Release}, checker.Op{Index: len(h) + 1, Process: 999, Type: checker.OK, F: checker.Release})
			if r := searched(h, m); r.Verdict != checker.Violated || r.Steps > 5000 {
				t.Errorf("%s, %d pairs and a violation: %v after %d steps", name, pairs, r.Verdict, r.Steps)
			}
		}
	}
}

// hungry returns how many bytes of memory a verdict used.
func hungry(judge func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	judge()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

func TestAMutexOfAMillionOpsTakesAtMost300BytesAnOp(t *testing.T) {
	ops := 1_000_000
	if !long {
		ops = 200_000
	}
	h := orderlyLock(ops)
	var r Result
	if n := hungry(func() { r = Linearizable(h, Models[0]) }) / len(h); n > 300 || r.Verdict != checker.Holds || r.Steps != 0 {
		t.Errorf("%d bytes an op, %+v", n, r)
	}
}

func TestASearchKeepsToItsMemory(t *testing.T) {
	m, _ := LookupModel("lease")
	m.fast = nil
	for _, ops := range []int{1000, 10_000, 100_000} {
		h := orderlyLock(ops)
		for _, m.Memory = range []int{1 << 20, 16 << 20, 64 << 20} {
			var r Result
			own := hungry(func() { _ = h.Check(); _, _ = collect(h, &m) })
			n := hungry(func() { r = Linearizable(h, m) }) - own
			t.Logf("%d ops, %d bytes allowed: %d taken, %v after %d steps", ops, m.Memory, n, r.Verdict, r.Steps)
			if r.Verdict != checker.Holds && r.Verdict != checker.Unknown || n > m.Memory {
				t.Errorf("%d bytes for %d ops; %d are allowed: %+v", n, ops, m.Memory, r)
			}
		}
	}
}

// orderlyLock is a history of ops ops by 50 clients in turn. Each asks before the one before it has released.
func orderlyLock(ops int) checker.History {
	h := make(checker.History, 0, ops)
	add := func(process int, t checker.Type, f checker.Func) {
		h = append(h, checker.Op{Index: len(h), Process: process, Type: t, F: f})
	}
	add(0, checker.Invoke, checker.Acquire)
	for n := 0; len(h)+4 <= ops; n++ {
		p := n % 50
		add(p, checker.OK, checker.Acquire)
		add((p+1)%50, checker.Invoke, checker.Acquire)
		add(p, checker.Invoke, checker.Release)
		add(p, checker.OK, checker.Release)
	}
	return h
}

// fiftyAsk is a history of 102 ops: fifty clients ask for the lock together, two of them get it, and one releases it.
func fiftyAsk() checker.History {
	var h checker.History
	for p := range 50 { // porcupine would try who came in which order
		h = append(h, checker.Op{Index: len(h), Process: p, F: checker.Acquire})
	}
	for p := range 50 {
		o := checker.Op{Index: len(h), Process: p, Type: checker.Fail, F: checker.Acquire}
		if p < 2 {
			o.Type = checker.OK
		}
		h = append(h, o)
	}
	return append(h, checker.Op{Index: 100, Process: 0, F: checker.Release}, checker.Op{Index: 101, Process: 0, Type: checker.OK, F: checker.Release})
}

func TestFiftyClientsAndOneViolationAreJudgedSoon(t *testing.T) {
	if r := Linearizable(fiftyAsk(), Models[0]); r.Verdict != checker.Violated || r.Steps != 0 {
		t.Errorf("%+v", r)
	}
}

// In the plain encoding a failed acquire takes its place in the order like any other operation. There porcupine alone
// tries every set of them: 2 to the 48th. It is stopped after a number of steps.
func TestPorcupineAloneFailsOnFiftyClients(t *testing.T) {
	const limit = 200_000
	c, err := collect(fiftyAsk(), &Models[0])
	if err != nil {
		t.Fatal(err)
	}
	steps, machine := 0, mutexMachine(nil)
	if alone(c, machine, &steps, limit) || steps < limit {
		t.Errorf("porcupine alone is done after %d steps", steps)
	}
}

// alone runs porcupine on the plain encoding of operations with known outcomes, for at most limit steps.
func alone(c *operations, m machine, steps *int, limit int) bool {
	ops := c.forPorcupine()
	counted := inPlain(m)
	step := counted.Step
	counted.Step = func(state, input, output any) (bool, any) {
		if *steps++; *steps > limit {
			return false, state
		}
		return step(state, input, output)
	}
	return porcupine.CheckOperations(counted, ops[:len(ops)-1])
}

// patience makes BenchmarkScale wait for porcupine's own timeout, by the wall clock: -patience 30s.
var patience = flag.Duration("patience", 0, "how long porcupine alone may try the 102 ops on which it gives up")

// givesUp reports how long porcupine, with its own timeout, tried the 102 ops, and whether it reached a verdict.
func givesUp(b *testing.B, c *operations) {
	ops := c.forPorcupine()
	began := time.Now()
	m := inPlain(mutexMachine(nil))
	if verdict := porcupine.CheckOperationsTimeout(m, ops[:len(ops)-1], *patience); verdict != porcupine.Unknown {
		b.Fatalf("porcupine alone came to a verdict: %v", verdict)
	}
	b.ReportMetric(time.Since(began).Seconds(), "s-until-porcupine-gave-up")
}

// inPlain is a machine as porcupine takes it, in which a failed operation takes its place in the order like any other.
func inPlain(m machine) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return m.start },
		Step: func(state, input, _ any) (bool, any) {
			k := input.(*operation)
			if k.outcome == checker.Fail {
				return true, state
			}
			next, legal := m.step(state, k)
			return legal, next
		},
	}
}

// BenchmarkScale reports, in one run, the cost of a million ops for the exact judge of a mutex, and of a bearable
// history for porcupine alone. It reports the ratio for each op, and the cost of 102 ops on which porcupine times out.
func BenchmarkScale(b *testing.B) {
	const million, bearable = 1_000_000, 60_000
	large, small, fifty := orderlyLock(million), orderlyLock(bearable), fiftyAsk()
	took := func(judge func()) time.Duration {
		began := time.Now()
		judge()
		return time.Since(began)
	}
	var fast, slow, once, spent time.Duration
	bytes, steps := 0, 0
	for b.Loop() {
		fast += took(func() { bytes = hungry(func() { mustBe(b, Linearizable(large, Models[0]), checker.Holds) }) })
		c, _ := collect(small, &Models[0])
		slow += took(func() {
			if n := 0; !alone(c, mutexMachine(nil), &n, math.MaxInt) {
				b.Fatal("porcupine finds an orderly lock illegal")
			}
		})
		once += took(func() { mustBe(b, Linearizable(fifty, Models[0]), checker.Violated) })
		c, _ = collect(fifty, &Models[0])
		steps = 0
		spent += took(func() { alone(c, mutexMachine(nil), &steps, 1_000_000) })
	}
	per := func(d time.Duration, ops int) float64 { return float64(d) / float64(b.N) / float64(ops) }
	b.ReportMetric(per(fast, million), "ns/op-of-a-million")
	b.ReportMetric(float64(bytes)/million, "B/op-of-a-million")
	b.ReportMetric(per(slow, bearable), "ns/op-by-porcupine")
	b.ReportMetric(per(slow, bearable)/per(fast, million), "times-as-long")
	b.ReportMetric(per(once, 1), "ns/102-ops")
	b.ReportMetric(per(spent, 1), "ns/102-ops-given-up")
	if *patience > 0 {
		c, _ := collect(fifty, &Models[0])
		givesUp(b, c)
	}
}

func mustBe(b *testing.B, r Result, want checker.Verdict) {
	if r.Verdict != want {
		b.Fatalf("%+v", r)
	}
}

func BenchmarkLinearizable(b *testing.B) {
	for _, ops := range []int{1000, 10_000, 1_000_000} {
		h := orderlyLock(ops)
		run := func(name string, judge func(checker.History) Result) {
			b.Run(fmt.Sprintf("%s/ops=%d", name, ops), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if r := judge(h); r.Verdict != checker.Holds {
						b.Fatalf("%+v", r)
					}
				}
				b.ReportMetric(float64(b.Elapsed()/time.Nanosecond)/float64(b.N)/float64(ops), "ns/op-of-history")
			})
		}
		run("sweep", func(h checker.History) Result { return Linearizable(h, Models[0]) })
		if ops <= 10_000 {
			run("porcupine", func(h checker.History) Result { return searched(h, Models[0]) })
		}
	}
}
