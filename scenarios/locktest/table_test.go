package locktest

import (
	"flag"
	"maps"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

var (
	update = flag.Bool("update", false, "measure anew what locks keep, and write the table of promises")
	kinds  = flag.String("kinds", "", "which kinds of locks are measured, separated by commas; all if nothing is said")
	added  = flag.String("added", "", "with -update, measure only universes with these classes of faults, such as refuse,evict; what else is known stays")
	each   = flag.Int("each", 20_000, "in how many universes of each adversity, and of each two, the table is measured")
)

var long = os.Getenv("LOCKSTORM_LONG") == "1"

// grounds are the scenarios that measure each kind of lock. Each has nodes that lose their data when they restart, and
// a variant with nodes that keep it, where its servers can.
var grounds = map[string][]string{
	"redlock": {"redlock/any", "redlock/renewed"}, "single": {"single/any", "single/renewed"},
	"fenced": {"fencing/any"}, "failover": {"failover/any"},
	"redisson": {"redisson/any"}, "redisson-red": {"redisson-red/any"}, "redisson-rw": {"redisson-rw/any"},
	"redisson-fair": {"redisson-fair/any"}, "redisson-sentinel": {"redisson-sentinel/any"},
	"etcd": {"etcd/any"}, "zookeeper": {"zookeeper/any"}, "consul": {"consul/any"}, "sql-row-lock": {"sql/any"}, "record": {"record/any"},
}

// strict are the kinds that are also measured under faults that a search draws only if it names them.
var strict = []string{"redlock", "single"}

// groundsOf returns the scenarios of a kind.
func groundsOf(t *testing.T, kind string) (all []scenarios.Scenario) {
	t.Helper()
	for _, id := range grounds[kind] {
		for _, keeps := range []string{"none", "aof-always"} {
			s, ok := scenarios.Find(id)
			if !ok {
				t.Fatalf("there is no %s", id)
			}
			if s.Persistence.String() != keeps && (s.Set("persistence="+keeps) != nil || s.Check() != nil) {
				continue
			}
			all = append(all, s)
		}
	}
	return all
}

// A measurement is what the reference of a kind broke, under which adversities.
type measurement struct {
	grounds []ground
	keys    []adversity          // every adversity that can hit on any of the grounds
	alone   map[adversity]int    // how many universes of each
	pairs   map[[2]adversity]int // how many universes had both, with no other adversity that breaks more promises
	broke   map[string][]breaker // what broke each promise, the smallest sets
	mu      sync.Mutex
}

// A ground is a scenario that measures locks, and the adversities that can hit there.
type ground struct {
	scenarios.Scenario
	universes *scenarios.Universes // of its settings; each has no faults but the scenario's own
	pool      []adversity
}

// draw returns a universe of the ground with faults of each of these adversities, and of no other: up to some of each.
// The first of them is there in any case.
func (g *ground) draw(seed uint64, these []adversity, most int) (u scenarios.Scenario, ok bool) {
	u = g.universes.At(seed)
	storm, cast := g.universes.Storm(&u)
	storm.Most = most
	calm := u
	for i, a := range these {
		c := sim.NewChance(seed, "table/"+strconv.Itoa(i))
		storm.Kinds, _ = faults.KindsOf([]string{classOf(a)})
		for range 50 {
			one := calm
			one.Faults = storm.Draw(&c, cast)
			if one = within(one, []adversity{a}); len(one.Faults) == 0 {
				continue
			}
			u.Faults = slices.Concat(u.Faults, one.Faults)
			break
		}
	}
	if u.Check() != nil { // they ask too much of a clock together
		return calm, false
	}
	return u, len(u.Faults) > 0
}

func newMeasurement(t *testing.T, kind string) *measurement {
	m := &measurement{alone: map[adversity]int{}, pairs: map[[2]adversity]int{}, broke: map[string][]breaker{}}
	for _, s := range groundsOf(t, kind) {
		s.Search.Faults = s.DefaultSearch().Faults
		if slices.Contains(strict, kind) {
			s.Search.Faults = append(s.Search.Faults, "refuse", "evict")
		}
		g := ground{Scenario: s}
		u := s.Universes()
		for seed := range uint64(1000) {
			x := u.At(seed + 1)
			for _, a := range adversities(&x) {
				if !slices.Contains(g.pool, a) {
					g.pool = append(g.pool, a)
				}
			}
		}
		slices.Sort(g.pool)
		s.Search.Faults = nil
		g.universes = s.Universes()
		m.grounds = append(m.grounds, g)
		m.keys = append(m.keys, g.pool...)
	}
	slices.Sort(m.keys)
	m.keys = slices.Compact(m.keys)
	return m
}

// on returns the grounds on which all of these can hit.
func (m *measurement) on(these ...adversity) (all []*ground) {
	for i := range m.grounds {
		if breaker(these).in(m.grounds[i].pool) {
			all = append(all, &m.grounds[i])
		}
	}
	return all
}

// side calls do for the numbers below n, in parallel.
func side(n int, do func(r *scenarios.Runner, i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			r := scenarios.NewRunner()
			defer r.Close()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(r, i)
			}
		})
	}
	wg.Wait()
}

func (m *measurement) requires(promise string, these []adversity) bool {
	return !slices.ContainsFunc(m.broke[promise], func(b breaker) bool { return b.in(these) })
}

// run runs a universe and records what broke. The run counts for two adversities if no other one breaks more promises.
func (m *measurement) run(r *scenarios.Runner, u *scenarios.Scenario, seed uint64) {
	there := adversities(u)
	slices.Sort(there)
	res := r.Run(u, seed)
	var broke []string
	m.mu.Lock()
	owed := m.owed(there)
	if len(there) == 1 {
		m.alone[there[0]]++
	}
	for i, a := range there {
		for _, b := range there[i+1:] {
			if owed == m.owed([]adversity{a, b}) {
				m.pairs[[2]adversity{a, b}]++
			}
		}
	}
	for _, f := range res.Findings {
		if f.Verdict != checker.Holds && m.requires(f.Property, there) {
			broke = append(broke, f.Property)
		}
	}
	m.mu.Unlock()
	for _, p := range broke {
		least := leastBreaker(r, *u, seed, p, there)
		m.mu.Lock()
		if m.requires(p, least) {
			m.broke[p] = append(slices.DeleteFunc(m.broke[p], func(b breaker) bool { return least.in(b) }), least)
		}
		m.mu.Unlock()
	}
}

func (m *measurement) owed(these []adversity) (n int) {
	for _, p := range checker.Properties {
		if m.requires(p.Name, these) {
			n++
		}
	}
	return n
}

// leastBreaker leaves out what a promise breaks without, with the same seed.
func leastBreaker(r *scenarios.Runner, u scenarios.Scenario, seed uint64, promise string, there []adversity) breaker {
	for i := 0; i < len(there); {
		fewer := slices.Delete(slices.Clone(there), i, i+1)
		less := within(u, fewer)
		if v := verdictOf(r.Run(&less, seed), promise); v != checker.Holds {
			there = fewer
		} else {
			i++
		}
	}
	return there
}

func verdictOf(res *scenarios.Result, promise string) checker.Verdict {
	for _, f := range res.Findings {
		if f.Property == promise {
			return f.Verdict
		}
	}
	return checker.Unknown
}

// measureAlone runs universes of each adversity alone.
func (m *measurement) measureAlone(n int) {
	for _, a := range m.keys {
		if !isAdded(a) {
			continue
		}
		on := m.on(a)
		side(n, func(r *scenarios.Runner, i int) {
			if u, ok := on[i%len(on)].draw(uint64(i)+1, []adversity{a}, 6); ok {
				m.run(r, &u, uint64(i)+1)
			}
		})
	}
}

// measureTogether runs universes of several adversities, until each pair that some promise survives was together in n
// of them. Each universe has up to two more adversities, which break nothing more.
func (m *measurement) measureTogether(n int) {
	seed := uint64(1) << 40
	for i, a := range m.keys {
		for _, b := range m.keys[i+1:] {
			on := m.on(a, b)
			if !isAdded(a, b) {
				continue
			}
			for tries := 0; len(on) > 0 && tries < 20; tries++ {
				missing := n - m.pairs[[2]adversity{a, b}]
				if missing <= 0 {
					break
				}
				base := seed
				seed += uint64(missing)
				beside := m.beside(a, b)
				side(missing, func(r *scenarios.Runner, k int) {
					g, seed := on[k%len(on)], base+uint64(k)
					these := []adversity{a, b}
					for extra := range min(1+k%3, len(beside)) {
						these = append(these, beside[(k/3*7+extra*(1+k/3%5))%len(beside)])
					}
					if u, ok := g.draw(seed, these, 3); ok {
						m.run(r, &u, seed)
					}
				})
			}
		}
	}
}

// isAdded reports whether one of these is of a class that is measured now.
func isAdded(these ...adversity) bool {
	return *added == "" || slices.ContainsFunc(these, func(a adversity) bool { return slices.Contains(strings.Split(*added, ","), classOf(a)) })
}

func (m *measurement) beside(a, b adversity) (all []adversity) {
	for _, c := range m.keys { // those that break no promise which both leave whole
		if c != a && c != b && m.owed([]adversity{a, b, c}) == m.owed([]adversity{a, b}) {
			all = append(all, c)
		}
	}
	return all
}

// measureAll runs universes as searches draw them, with every adversity that a promise survives.
func (m *measurement) measureAll(n int) {
	for pi, p := range checker.Properties {
		side(n, func(r *scenarios.Runner, i int) {
			g := &m.grounds[i%len(m.grounds)]
			these := slices.DeleteFunc(slices.Clone(g.pool), func(a adversity) bool {
				m.mu.Lock()
				defer m.mu.Unlock()
				return !m.requires(p.Name, []adversity{a})
			})
			seed := uint64(i) + 1 + uint64(pi+1)<<44
			u := g.all(seed, these)
			m.run(r, &u, seed)
		})
	}
}

// all returns a universe of a search for all of these together.
func (g *ground) all(seed uint64, these []adversity) scenarios.Scenario {
	u := g.universes.At(seed)
	storm, cast := g.universes.Storm(&u)
	var classes []string
	for _, a := range these {
		classes = append(classes, classOf(a))
	}
	storm.Kinds, _ = faults.KindsOf(classes)
	c := sim.NewChance(seed, "table/all")
	more := u
	more.Faults = storm.Draw(&c, cast)
	if more = within(more, these); more.Check() == nil {
		return more
	}
	return u
}

// ledger returns what was measured. An adversity that broke a promise with two different others counts as breaking it
// alone: it is so rare that it may need no company.
func (m *measurement) ledger(kind string, each int) *ledger {
	l := &ledger{Kind: kind, Grounds: grounds[kind], Each: each, Struck: m.keys, Broke: map[string][]breaker{}}
	for _, p := range checker.Properties {
		sets := m.broke[p.Name]
		for _, a := range m.keys {
			n := 0
			for _, b := range sets {
				if slices.Contains(b, a) {
					n++
				}
			}
			if n > 1 {
				sets = append(slices.DeleteFunc(slices.Clone(sets), func(b breaker) bool { return slices.Contains(b, a) }), breaker{a})
			}
		}
		l.Broke[p.Name] = sets
	}
	for _, b := range l.Broke["validity"] { // storage rests on it
		if len(b) == 1 && l.requires("storage", b) {
			l.Broke["storage"] = append(slices.DeleteFunc(slices.Clone(l.Broke["storage"]), func(o breaker) bool { return b.in(o) }), b)
		}
	}
	return l
}

// measure runs that many universes of each adversity, of each pair, and of everything that each promise survives.
func (m *measurement) measure(each int) {
	m.measureAlone(each)
	m.measureTogether(each)
	m.measureAll(each)
}

// TestTheReferenceKeepsWhatTheTableSays runs a sample of the table's universes, for some kinds; with LOCKSTORM_LONG=1
// it runs all. With -update it measures again, and writes the result.
func TestTheReferenceKeepsWhatTheTableSays(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(scenarios.GCPercent))
	for i, kind := range slices.Sorted(maps.Keys(grounds)) {
		if *kinds != "" && !slices.Contains(strings.Split(*kinds, ","), kind) {
			continue
		}
		t.Run(kind, func(t *testing.T) {
			if *update {
				ledgers[kind] = measured(t, kind)
				writeLedgers(t)
				return
			}
			if !long && i%12 > 0 {
				need.Long(t)
			}
			l := ledgers[kind]
			if l == nil {
				t.Skipf("%s has no %s: what it must keep was not measured", promisesName, kind)
			}
			m, n := newMeasurement(t, kind), 1
			for p, sets := range l.Broke {
				m.broke[p] = slices.Clone(sets)
			}
			if long {
				n = l.Each
			}
			m.measure(n)
			if now := m.ledger(kind, l.Each); now.text(promises()) != l.text(promises()) {
				t.Errorf("the reference does not keep what %s says: measured now\n%s\nsaid\n%s",
					promisesName, now.text(promises()), l.text(promises()))
			}
		})
	}
}

// measured measures a kind.
func measured(t *testing.T, kind string) *ledger {
	t.Helper()
	start, m := time.Now(), newMeasurement(t, kind)
	if *added != "" {
		m.broke = maps.Clone(ledgers[kind].Broke)
	}
	m.measure(*each)
	for a, n := range m.alone {
		if n < *each {
			t.Logf("%s: %d universes of %s alone", kind, n, a)
		}
	}
	for pair, n := range m.pairs {
		if n < *each {
			t.Logf("%s: %d universes of %s", kind, n, strings.Join(pair[:], with))
		}
	}
	t.Logf("%s: %v; alone and together broke %v", kind, time.Since(start), m.broke)
	return m.ledger(kind, *each)
}

const promisesName = "promises.txt"

// writeLedgers writes the file: its remarks, and a paragraph for each kind.
func writeLedgers(t *testing.T) {
	t.Helper()
	remarks, _, _ := strings.Cut(promisesFile, "\n\n")
	parts := []string{strings.TrimSpace(remarks) + "\n"}
	for _, kind := range scenarios.KindNames {
		if l := ledgers[kind]; l != nil {
			parts = append(parts, l.text(promises()))
		}
	}
	if err := os.WriteFile(promisesName, []byte(strings.Join(parts, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestTableRoundTrips(t *testing.T) {
	for kind, l := range ledgers {
		if again := parseLedgers("# a remark\n\n" + l.text(promises()))[kind]; !reflect.DeepEqual(again, l) {
			t.Errorf("%s: %+v, want %+v", kind, again, l)
		}
	}
}

// A lock must keep a promise that no adversity there is known to break, alone or with others.
func TestLockMustKeepWhatNoAdversityBreaks(t *testing.T) {
	l := parseLedgers(`single
measured on: x
universes of each, and of each two: 5
struck: a, b, c, d
belief broke under: a, b with c
`)["single"]
	for _, c := range []struct {
		promise string
		these   []adversity
		want    bool
	}{
		{"belief", nil, true}, {"belief", []adversity{"a"}, false}, {"belief", []adversity{"b"}, true},
		{"belief", []adversity{"d", "c", "b"}, false}, {"belief", []adversity{"c", "d"}, true},
		{"belief", []adversity{"never measured"}, false}, {"quorum", []adversity{"a", "b", "c"}, true},
	} {
		if got := l.requires(c.promise, c.these); got != c.want {
			t.Errorf("%s under %v: %t", c.promise, c.these, got)
		}
	}
	if got := l.survived("belief"); !slices.Equal(got, []adversity{"d"}) {
		t.Errorf("belief survives %v", got)
	}
}
