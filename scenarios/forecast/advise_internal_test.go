package forecast

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/forecast/environment"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

func TestGoalsAreRatesOfAPromise(t *testing.T) {
	for text, want := range map[string]Goal{
		"lost update < 0.1/year": {0, 0.1}, "lost updates<1/10years": {0, 0.1}, "0.5/day": {0, 182.5},
		"two holders < 2/month": {2, 24}, "validity < 1 / 4 years": {3, 0.25},
	} {
		if g, err := ParseGoal(text); err != nil || g.Promise != want.Promise || math.Abs(g.Yearly-want.Yearly) > 1e-9 {
			t.Errorf("%s: %+v, %v; want %+v", text, g, err, want)
		}
	}
	for _, text := range []string{"", "0.1", "0/year", "-1/year", "1..2/year", "soon < 1/year", "1/0years", "lost update < ", "1/xyears"} {
		if g, err := ParseGoal(text); err == nil {
			t.Errorf("%q is read as %+v", text, g)
		}
	}
}

func TestAMajorityOfFiveIsAwayWhenThreeAre(t *testing.T) {
	for _, c := range []struct {
		n    int
		u, p float64
	}{{1, 0.2, 0.2}, {3, 0.1, 3*0.01*0.9 + 0.001}, {5, 0.1, 0.00856}, {5, 0, 0}, {5, 1, 1}, {4, 0.1, 1 - 0.9*0.9*0.9*0.9 - 4*0.1*0.9*0.9*0.9}} {
		if p := noMajority(c.n, c.u); math.Abs(p-c.p) > 1e-12 {
			t.Errorf("%d nodes, each away for %v of the time: %v; want %v", c.n, c.u, p, c.p)
		}
	}
}

// Freezes take 3 s to 4 s. A lock of 8 s outlasts them, one of 1 s doesn't. A holder that looks at the clock only
// needs the shortest TTL; so does storage that checks tokens.
func TestAdviceFindsTheShortestTTLThatOutlastsEveryFreeze(t *testing.T) {
	need.Long(t)
	e, err := environment.Parse("e.yaml", []byte(`title: freezes
work: {clients: 3, hold: 50ms..200ms, think: 100ms..500ms}
network: {latency: 200µs..1ms}
causes:
- {name: freeze, strikes: pause a-client for ~, rate: 100/year, size: "uniform(3s,4s)", source: made up}
`))
	if err != nil {
		t.Fatal(err)
	}
	s := roughScenario(t, "redlock")
	if err := s.Set("lock.ttl=4s"); err != nil {
		t.Fatal(err)
	}
	m := &Model{Scenario: s, Environment: e, First: 1, Runs: 15, More: 20, Workers: 2, Single: true}
	if err := m.Prepare(); err != nil {
		t.Fatal(err)
	}
	m.Run()
	r := m.Result()
	if err := m.Advise(Goal{0, 20}, r); err != nil {
		t.Fatal(err)
	}
	if now := confirmed(t, m, r.Advice.Settings[0].Change); r.Advice.Settings[0].Now != now {
		t.Errorf("%+v, and runs with other seeds than those of the search come to %+v", r.Advice.Settings[0], now)
	}
	want := map[string]time.Duration{asItIs: 4 * time.Second, "the holder looks at its deadline before it writes": time.Second,
		"that look, with a tenth of the TTL as an allowance": time.Second, "storage checks fencing tokens": time.Second}
	if len(r.Advice.Settings) != len(want) {
		t.Errorf("%+v", r.Advice.Settings)
	}
	for _, x := range r.Advice.Settings {
		t.Logf("%s: %s %v %+v %+v", x.About, x.TTL, x.Keeps, x.Now, x.Costs)
		ttl, err := time.ParseDuration(x.TTL)
		if err != nil || !x.Keeps || x.Now.High > 20 || x.Now.High <= 0 || ttl > 2*want[x.About] || ttl < want[x.About] {
			t.Errorf("%s: %s, %v, %+v; want about %s", x.About, x.TTL, x.Keeps, x.Now, want[x.About])
		}
		// 300 a year in all, each client holds for 125 of 425 ms, and a freeze lasts 3.5 s on average.
		if cost := 300 * 125. / 425 * min(ttl.Seconds(), 3.5); x.Costs.Dead != ttl.Seconds() || math.Abs(x.Costs.Waiting/cost-1) > 0.01 {
			t.Errorf("%s: %+v; want to wait %v a year", x.About, x.Costs, cost)
		}
	}
}

// confirmed returns how often storage breaks with a change, by runs with the seeds that confirm advice.
func confirmed(t *testing.T, m *Model, c Change) Estimate {
	t.Helper()
	n, err := m.apply(c, false)
	if err != nil {
		t.Fatal(err)
	}
	n.First, n.More = n.First+1<<32, m.More
	n.Run()
	return n.Sample(0).Estimate().All
}

// A goal that nothing can keep, as a handful of runs bounds no rate so low, is not said to be kept.
func TestAdviceThatDoesNotKeepTheGoalSaysSo(t *testing.T) {
	m := roughModel(t, "redlock", roughs[0].causes)
	m.Runs, m.Single = 1, true
	if err := m.Prepare(); err != nil {
		t.Fatal(err)
	}
	r := &Result{}
	if err := m.Advise(Goal{0, 1e-6}, r); err != nil {
		t.Fatal(err)
	}
	for _, x := range r.Advice.Settings {
		if x.Keeps || x.Now.High <= 1e-6 {
			t.Errorf("%s: keeps %v, %+v", x.About, x.Keeps, x.Now)
		}
	}
	if len(r.Advice.Settings) < 4 || r.Runs == 0 {
		t.Errorf("%d lots of settings in %d runs", len(r.Advice.Settings), r.Runs)
	}
}

// What takes no event is bounded by runs that lose more messages. Where loss breaks a lock often enough to be counted,
// the bound is above the truth, which is counted in runs that lose no more than the others: a use of the lock outlasts
// it if two requests to storage are lost, for which a client waits a second each.
func TestRaisedLossBoundsEffectOfLoss(t *testing.T) {
	e, err := environment.Parse("e.yaml", []byte(`title: loss
work: {clients: 3, hold: 50ms..600ms, think: 100s..200s}
network: {latency: 200µs..1ms, loss: 0.0125}
causes: []
`))
	if err != nil {
		t.Fatal(err)
	}
	m := &Model{Scenario: roughScenario(t, "single instance"), Environment: e, First: 1, Runs: 400, Workers: 2}
	if err := m.Prepare(); err != nil {
		t.Fatal(err)
	}
	if m.raised != 4 {
		t.Fatalf("loss is raised %v times", m.raised)
	}
	m.Run()
	bound := m.Sample(2).Estimate()
	m.raised, m.strata[0].shows, m.strata[0].took = 1, nil, 0
	m.Run()
	truth := m.Sample(2).Estimate()
	t.Logf("bound %+v, truth %+v", bound.Calm, truth.Calm)
	if truth.Calm.Seen < 5 || bound.Calm.High < truth.Calm.Value || bound.Calm.Value > 0 || bound.Calm.Low > 0 {
		t.Errorf("bounded by %+v, and it is %+v", bound.Calm, truth.Calm)
	}
}

// A run of two events lasts until the later one has ended, whenever it comes within the window, and until its effect
// has shown.
func TestARunOfTwoEventsOutlastsTheLaterOne(t *testing.T) {
	m := roughModel(t, "single instance", roughs[6].causes)
	pairs := 0
	for i := range m.strata {
		x := &m.strata[i]
		if x.with < 0 {
			continue
		}
		pairs++
		later := m.lasting(&m.Environment.Causes[x.with], 990_000)
		if last := m.warm + m.phases + x.window; x.length < last+later+m.tail || later == 0 {
			t.Errorf("%s: a run takes %s; the later event comes up to %s, and lasts up to %s", x.name, x.length, last, later)
		}
	}
	if pairs != 4 {
		t.Errorf("%d pairs, want 4", pairs)
	}
}

// Nodes that restart stay away for a TTL, whichever is tried: advice that says so must have made its runs so.
func TestAdviceOfTimeAwayKeepsNodesAway(t *testing.T) {
	m := roughModel(t, "redlock, no disk", roughs[1].causes)
	away := 0
	for _, c := range m.families(Goal{Promise: 2}) {
		want := time.Duration(0)
		if strings.Contains(c.About, "away") {
			away, want = away+1, 3*time.Second+100*time.Millisecond
		}
		if got := c.with(m, 3*time.Second).away; got != want {
			t.Errorf("%s: away for %s, want %s", c.About, got, want)
		}
	}
	if away != 2 {
		t.Errorf("%d lots of settings keep nodes away, want 2", away)
	}
}
