package explore

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim"
)

// small is a universe of two clients and three nodes. Its users set the rest.
const small = `title: A small universe.
clients: 2
nodes: 3
network: {latency: 1ms..1ms, tick: 1ms}
lock: {ttl: 20ms, timeout: 5ms, contact: parallel, drift_factor: 0, drift_constant: 1ms, retry: {min: 4ms, max: 4ms}}
work: {cycles: 1, work: 2ms..2ms, think: 0s..0s, storage_timeout: 10ms}
horizon: 300ms
`

func universe(t testing.TB, text string, set ...string) scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("small.yaml", []byte(text))
	for _, a := range set {
		if err == nil {
			err = s.Set(a)
		}
	}
	if err == nil {
		err = s.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// An option changes how a Universe is explored, and never what is found.
type option func(*Universe)

// withoutMerging explores each schedule to its end, even if another has reached the same state.
func withoutMerging(u *Universe) { u.merging = false }

// withoutSymmetry treats no nodes as alike.
func withoutSymmetry(u *Universe) { u.alike = 0 }

func newWith(s *scenarios.Scenario, options ...option) (*Universe, error) {
	u, err := New(s, 1, nil)
	for _, o := range options {
		o(u)
	}
	return u, err
}

// everything explores a whole universe. It returns the states that runs reached, and for each property the first
// schedule that breaks it, with its number of deviations.
func everything(t testing.TB, s *scenarios.Scenario, options ...option) (schedules int, states map[uint64]uint64, found string) {
	t.Helper()
	u, err := newWith(s, options...)
	if err != nil {
		t.Fatal(err)
	}
	r := newRunner(u)
	defer r.close()
	known := newStates(nil)
	var c Extent
	for level := []schedule{{}}; len(level) > 0; {
		var next []schedule
		for i := range level {
			o := r.visit(&level[i], known)
			c.add(&o)
			next = append(next, r.below(&level[i], &o)...)
		}
		level = next
	}
	for _, b := range c.Broken {
		found += fmt.Sprintf("%s: %d: %s", b.Name(), len(b.First), strings.ReplaceAll(b.First.String(), "\n", "; "))
	}
	return c.Schedules, known.spent, found
}

func drawn(t testing.TB, n uint64) scenarios.Scenario {
	// Every setting that a small universe can have varies.
	t.Helper()
	c := sim.NewChance(n, "universe")
	one := func(of ...string) string { return of[c.Below(uint64(len(of)))] }
	bounds := one("deviations: 2, most: 0", "deviations: 1, most: 1", "deviations: 1, most: 1", "deviations: 0, most: 2")
	text := small + "persistence: " + one("none", "none", "aof-always") + "\nexplore: {" + bounds +
		", late: [" + one("1ms", "6ms", "25ms", "1ms, 25ms") + "], lost: " + one("true", "false") + ", behind: " + one("true", "false") +
		", ticks: " + one("true", "false", "false") +
		", faults: [" + one("pause clients for 25ms", "suspend clients for 8ms", "crash clients for 3ms", "restart nodes for 1ms", "restart nodes for 21ms",
		"jump nodes +25ms", "jump clients -9ms", "drift nodes +250000ppm for 20ms", "pause nodes for 3ms", "pause all for 7ms") + "]}\n"
	if n >= 60 { // faults and settings that are rare in the others
		text = strings.NewReplacer("deviations: 2, most: 0", "deviations: 1, most: 1", "persistence: none", "persistence: aof-always").Replace(text)
		text = text[:strings.LastIndex(text, ", faults:")] + ", faults: [" + one("slew nodes +9ms at 400000ppm", "strobe nodes +7ms every 3ms for 9ms",
			"stall-disk nodes for 7ms", "restart nodes cleanly for 5ms", "restart nodes for 20ms") + "]}\n"
	}
	if n%5 == 3 {
		text = strings.TrimSuffix(text, "}\n") + ", once: [jump nodes +25ms, suspend c1 for 8ms]}\n"
	}
	return universe(t, text, "nodes="+one("1", "2", "3", "3"), "lock.kind="+one("redlock", "redlock", "single"), "lock.contact="+one("parallel", "parallel", "sequential"),
		one("lock.validity_check=true", "lock.validity_check=false"), one("lock.deduct_elapsed=true", "lock.deduct_elapsed=false"),
		one("lock.fresh_token=true", "lock.fresh_token=false"), one("lock.quorum=0", "lock.quorum=0", "lock.quorum=1"),
		"lock.free="+one("compare-and-delete", "delete", "get-then-delete"), "lock.cleanup="+one("all", "answered", "none"),
		"lock.take="+one("set-nx-px", "set-nx-px", "setnx-then-expire", "get-then-set"), "lock.counted="+one("at-the-end", "at-quorum"),
		"lock.clock="+one("monotonic", "wall", "awake"), "lock.tolerate_errors="+one("true", "true", "false"),
		"work.stop_at_deadline="+one("true", "false"), "work.recheck="+one("true", "false"), "work.stagger="+one("0s", "1ms", "3ms"),
		"lock.retry.attempts="+one("0", "0", "2"), "fencing.source="+one("ideal", "none"))
}

// some are the numbers of universes: those given, or all 80.
func some(numbers ...uint64) []uint64 {
	if long {
		numbers = nil
		for n := range uint64(80) {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// Leaving out equal states and interchangeable nodes misses nothing: no state that a run reaches, no property that
// breaks, and no shortest schedule that breaks it.
func TestReductionsFindWhatPlainEnumerationFinds(t *testing.T) {
	var all, less int
	for _, n := range some(19, 24, 54) {
		s := drawn(t, n)
		record := func(u *Universe) { u.merging, u.recording = false, true }
		schedules, states, found := everything(t, &s, record, withoutSymmetry)
		for name, o := range map[string][]option{
			"merging": {withoutSymmetry}, "symmetry": {record}, "both": nil,
		} {
			fewer, reduced, same := everything(t, &s, o...)
			if same != found {
				t.Errorf("universe %d, %s: found\n%s\nand without\n%s", n, name, same, found)
			}
			if missed := missing(states, reduced); missed+missing(reduced, states) > 0 {
				t.Errorf("universe %d, %s: %d of %d states are missed, and %d are new", n, name, missed, len(states), missing(reduced, states))
			}
			if name == "both" {
				all, less = all+schedules, less+fewer
			}
		}
	}
	t.Logf("%d schedules, %d with both", all, less)
}

// missing is how many states are not among others.
func missing(states, among map[uint64]uint64) (n int) {
	for s := range maps.Keys(states) {
		if _, there := among[s]; !there {
			n++
		}
	}
	return n
}

// Two runs that reach one state also reach the same next state, and the first breaks whatever the second breaks
// later. So a state lacks nothing that matters later, and a run can end there.
func TestRunsWithOneStateContinueAlike(t *testing.T) {
	for _, n := range some(9, 29) {
		s := drawn(t, n)
		u, err := newWith(&s, withoutSymmetry)
		if err != nil {
			t.Fatal(err)
		}
		p := pairing{T: t, universe: n, runner: newRunner(u), first: map[uint64]passage{}}
		u.recording = true
		for level := []schedule{{}}; len(level) > 0 && p.wrong < 3; {
			var next []schedule
			for i := range level {
				next = append(next, p.add(&level[i])...)
			}
			level = next
		}
		p.close()
		t.Logf("universe %d: %d runs, %d came to a state of another", n, p.runs, p.met)
	}
}

// pairing compares runs that reach one state.
type pairing struct {
	*testing.T
	*runner
	universe  uint64
	first     map[uint64]passage // by state
	runs, met int
	wrong     int
}

// A passage is the first run that reached a state.
type passage struct {
	next   uint64 // the next state it reached; 0 for none
	broken []int  // what it broke, before or after
	by     string
}

// add runs a schedule and compares the run with earlier ones.
func (p *pairing) add(s *schedule) []schedule {
	p.merging = false
	whole := p.run(s)
	states, children := slices.Clone(p.states), p.below(s, &whole)
	p.runs++
	p.ends(s, whole.broken)
	for i, state := range states {
		here := passage{broken: whole.broken, by: whole.faults.String()}
		if i+1 < len(states) {
			here.next = states[i+1]
		}
		there, known := p.first[state]
		if !known {
			p.first[state] = here
		} else if there.next != here.next {
			p.wrong++
			p.Errorf("universe %d: two runs come to one state and part again:\n%s\n\n%s", p.universe, here.by, there.by)
		}
	}
	return children
}

// ends ends the run at the first known state, and requires that what it breaks is still found.
func (p *pairing) ends(s *schedule, broken []int) {
	var there passage
	p.merging = true
	p.known = func(state uint64) (known bool) {
		there, known = p.first[state]
		return known
	}
	o := p.run(s)
	if !o.merged {
		return
	}
	p.met++
	for _, b := range broken {
		if !slices.Contains(o.broken, b) && !slices.Contains(there.broken, b) {
			p.wrong++
			p.Errorf("universe %d: %s breaks in\n%s\nand not in\n%s\nthough both come to one state", p.universe, checker.Properties[b].Name, p.faults(s), there.by)
		}
	}
}

// Without a bound on deviations, a run ends at a state that any other run has reached. This misses nothing in
// universes so small that plain enumeration ends.
func TestWithoutABoundNothingIsMissed(t *testing.T) {
	all := []struct {
		bounds string
		set    []string
	}{
		{"late: [25ms]", nil},
		{"behind: true", []string{"lock.validity_check=false"}},
		{"late: [25ms], most: 1, faults: [jump nodes +25ms]", []string{"clients=1"}},
		{"behind: true, lost: true", nil}, // the others take minutes without merging
		{"behind: true, late: [6ms]", []string{"lock.validity_check=false"}},
		{"behind: true, most: 1, faults: [jump nodes +25ms, pause clients for 25ms]", nil},
		{"late: [1ms]", []string{"nodes=2", "work.work=0s..0s"}},
		{"behind: true", []string{"nodes=2", "lock.free=delete"}},
	}
	if !long {
		all = all[:3]
	}
	for _, c := range all {
		s := universe(t, small+"explore: {unbounded: true, "+c.bounds+"}\n", append([]string{"nodes=1", "lock.retry.attempts=1", "fencing.source=none"}, c.set...)...)
		schedules, states, found := everything(t, &s, func(u *Universe) { u.merging, u.recording = false, true }, withoutSymmetry)
		fewer, reduced, same := everything(t, &s)
		if same != found {
			t.Errorf("%s: found\n%s\nand without merging\n%s", c.bounds, same, found)
		}
		if missed := missing(states, reduced); missed+missing(reduced, states) > 0 {
			t.Errorf("%s: %d of %d states are missed, and %d are new", c.bounds, missed, len(states), missing(reduced, states))
		}
		t.Logf("%s: %d schedules, and %d without merging", c.bounds, fewer, schedules)
	}
}
