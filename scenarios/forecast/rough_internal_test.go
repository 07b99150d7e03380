package forecast

import (
	"cmp"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
	"github.com/lockstorm/lockstorm/scenarios/forecast/environment"
	"github.com/lockstorm/lockstorm/sim"
)

// roughs are environments with enough faults that long runs can be counted.
var roughs = []struct{ name, causes string }{
	{"freezes", `
- {name: freeze, strikes: pause a-client for ~, rate: 1/60s, size: "uniform(100ms,4s)", source: made up}`},
	{"restarts", `
- {name: restart, strikes: restart a-node for ~, rate: 1/60s, size: "loguniform(10ms,3s)", source: made up}`},
	{"steps", `
- {name: step, strikes: jump a-node +~, rate: 1/60s, size: "exponential(1s,20s)", source: made up}`},
	{"common steps", `
- {name: step, strikes: jump nodes +~, rate: 1/60s, size: "exponential(300ms,20s)", source: made up}`},
	{"partitions", `
- {name: partition, strikes: partition split for ~, rate: 1/60s, size: "uniform(100ms,6s)", source: made up}`},
	{"long freezes", `
- {name: freeze, strikes: pause a-client for ~, rate: 1/4m, size: "loguniform(500ms,20s)", source: made up}`},
	{"freezes and restarts", `
- {name: freeze, strikes: pause a-client for ~, rate: 1/4m, size: "exponential(2s,20s)", source: made up}
- {name: restart, strikes: restart a-node for ~, rate: 1/3m, size: "loguniform(10ms,3s)", source: made up}`},
	{"freezes and partitions", `
- {name: freeze, strikes: pause a-client for ~, rate: 1/4m, size: "weibull(2s,2,20s)", source: made up}
- {name: partition, strikes: partition split for ~, rate: 1/2m, size: "uniform(100ms,6s)", source: made up}`},
	{"all", `
- {name: freeze, strikes: pause a-client for ~, rate: 1/3m, size: "pareto(100ms,1,30s)", source: made up}
- {name: restart, strikes: restart a-node for ~, rate: 1/3m, size: "loguniform(10ms,3s)", source: made up}
- {name: step, strikes: jump a-node +~, rate: 1/3m, size: "exponential(1s,20s)", source: made up}
- {name: partition, strikes: partition split for ~, rate: 1/3m, size: "uniform(100ms,6s)", source: made up}`},
}

var roughLocks = []string{
	"redlock", "redlock, no disk", "redlock, delayed restart", "single instance", "failover", "failover, WAIT 1", "etcd, as shipped",
	"zookeeper, as shipped", "sql-row-lock", "redisson",
}

func roughModel(t *testing.T, lock, causes string) *Model {
	e, err := environment.Parse("rough.yaml", []byte(`title: rough
work: {clients: 3, hold: 50ms..600ms, think: 100ms..1s}
network: {latency: 200µs..2ms}
causes:`+causes+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	s := roughScenario(t, lock)
	m := &Model{Scenario: s, Environment: e, First: 1, Runs: 300, Workers: 2}
	if err := m.Prepare(); err != nil {
		t.Fatal(err)
	}
	return m
}

func roughScenario(t *testing.T, lock string) *scenarios.Scenario {
	for _, v := range campaign.MatrixVariants() {
		if v.Name == lock {
			s, _ := scenarios.Find("redlock/any")
			for _, set := range append(v.Set, "work.recheck=false", "work.stop_at_deadline=false") {
				if err := s.Set(set); err != nil {
					t.Fatal(err)
				}
			}
			return &s
		}
	}
	t.Fatalf("no lock %q", lock)
	return nil
}

// Brute force counts violations in long runs with events at their natural rates. Both intervals have 95%, so two
// that agree overlap, except for one in a hundred. With LOCKSTORM_LONG all locks run in all environments. Overlap
// says little if violations are rare, so in at least 30 environments 20 runs or more have one.
func TestForecastsAgreeWithBruteForce(t *testing.T) {
	long, often, all := os.Getenv("LOCKSTORM_LONG") != "", 0, 0
	for _, lock := range roughLocks {
		for _, x := range roughs {
			if !long && (lock != "single instance" || x.name != "all") && (lock != "redlock, no disk" || x.name != "steps") {
				continue
			}
			t.Run(lock+"/"+x.name, func(t *testing.T) {
				if all++; agree(t, roughModel(t, lock, x.causes), long) >= 20 {
					often++
				}
			})
		}
	}
	if t.Logf("%d combinations, in %d of which 20 runs or more have a violation", all, often); all > 60 && often < 30 {
		t.Error("so little breaks that the comparison says little")
	}
}

// agree compares one combination, and returns in how many runs of brute force the promise broke that broke most often.
func agree(t *testing.T, m *Model, long bool) (most int) {
	runs, span := 60, time.Minute
	if m.Runs = 25; long {
		runs, m.Runs = 400, 300
	}
	m.Run()
	r := newRunner()
	defer r.Close()
	var counts [8]stats.Count
	for seed := range uint64(runs) {
		s := m.rough(span, 1_000_000+seed)
		b := show(r, &s, seed)
		for i := range Promises {
			counts[i].Runs++
			counts[i].Violated += int(b >> i & 1)
		}
	}
	for i, name := range Promises {
		f := m.Sample(i).Estimate()
		most = max(most, counts[i].Violated)
		low, high := rateOf(counts[i], span)
		const hours = 365 * 24
		t.Logf("%-8s an hour: forecast %.3g (%.3g to %.3g), of which pairs %.2g; brute force %s: %.3g to %.3g", name, f.All.Value/hours,
			f.All.Low/hours, f.All.High/hours, f.Pairs.Value/hours, counts[i], low/hours, high/hours)
		if f.All.High < low || high < f.All.Low {
			t.Errorf("%s: forecast and brute force disagree", name)
		}
	}
	return most
}

// rough returns a long run with Poisson processes of all causes: brute force, for tests of the model.
func (m *Model) rough(span time.Duration, seed uint64) scenarios.Scenario {
	s := m.site
	s.Horizon = m.warm + span
	m.clocks(&s, seed)
	for i := range m.Environment.Causes {
		if !slices.ContainsFunc(m.strata, func(x stratum) bool { return x.cause == i }) {
			continue
		}
		c := sim.NewChance(seed, "forecast/rough/"+m.Environment.Causes[i].Name)
		rate := m.rate(i).Middle() / float64(environment.Year)
		for at := float64(m.warm); ; {
			if at -= math.Log(uniform(&c)) / rate; at >= float64(s.Horizon) {
				break
			}
			s.Faults = append(s.Faults, m.event(&c, i, time.Duration(at).Truncate(time.Microsecond), 0, 1_000_000))
		}
	}
	slices.SortStableFunc(s.Faults, func(a, b faults.Fault) int { return cmp.Compare(a.At, b.At) })
	return s
}

// rateOf returns the interval of a rate, from n runs of this length that had an event or had none.
func rateOf(n stats.Count, span time.Duration) (low, high float64) {
	i := n.Exact()
	years := float64(span) / float64(environment.Year)
	return -math.Log1p(-i.Low) / years, -math.Log1p(-min(i.High, 1-1e-12)) / years
}
