package forecast

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/forecast/environment"
)

// startModel is a lock whose nodes' processes restart; clients use it as work says.
func startModel(t *testing.T, lock, work string) *Model {
	t.Helper()
	e, err := environment.Parse("e.yaml", []byte(`title: restarts
work: {clients: 3, hold: 100ms..2s, `+work+`}
network: {latency: 100µs..1ms}
causes:
- {name: restart, strikes: crash a-node for ~, rate: 4/year, size: "loguniform(200ms,5s)", source: made up}
`))
	if err != nil {
		t.Fatal(err)
	}
	s, _, _ := Lock(lock)
	m := &Model{Scenario: s, Environment: e, First: 1, Runs: 800, Workers: 2}
	if err := m.Prepare(); err != nil {
		t.Fatal(err)
	}
	return m
}

// Votes are split only between clients that start within a round trip. Then a node that forgets turns a majority.
func TestForgettingNodeBreaksRedlockIfClientsStartTogether(t *testing.T) {
	for work, breaks := range map[string]bool{
		"together: 6/minute, gap: 0s..1ms": true, "together: 6/minute, gap: 200ms": false, "think: 1s..10s": false,
	} {
		m := startModel(t, "redlock-no-disk", work)
		m.Run()
		if e := m.Sample(0).Estimate().All; (e.Seen > 0) != breaks {
			t.Errorf("%s: %+v", work, e)
		}
	}
}

// The oracle has events at any time between two common starts. Most of them hit no one, and the estimate is the same.
func TestEventsBetweenCommonStartsBreakNothing(t *testing.T) {
	m := startModel(t, "single-instance", "together: 2/minute, gap: 0s..1ms")
	m.Run()
	all := startModel(t, "single-instance", "together: 2/minute, gap: 0s..1ms")
	all.phases = all.round
	all.Run()
	a, b := m.Sample(0).Estimate().All, all.Sample(0).Estimate().All
	if t.Logf("%+v, %+v", a, b); a.High < b.Low || b.High < a.Low || a.Seen < 10 || b.Seen < 5 {
		t.Errorf("%+v within rounds, and %+v at any time", a, b)
	}
	if e, err := environment.Parse("e.yaml", m.Environment.YAML()); err != nil || e.Work != m.Environment.Work {
		t.Errorf("written and read again it is %+v, %v", e, err)
	}
	m.Environment.Work.Together.High, m.Environment.Work.Together.Low = 60, 60
	if err := m.Prepare(); err == nil {
		t.Error("a round that outlasts the time until the next is taken")
	}
}

// A restart that outlasts each hold breaks nothing, and one that is shorter breaks a lock of one node.
func TestRestartsThatOutlastHoldsBreakNothing(t *testing.T) {
	m, redlock := startModel(t, "single-instance", "think: 1s..10s"), startModel(t, "redlock", "think: 1s..10s")
	m.More = 600
	m.Run()
	redlock.Run()
	r := m.Result()
	if err := m.Restarts([]time.Duration{0, 12 * time.Second}, r); err != nil {
		t.Fatal(err)
	}
	if short, long := r.Restarts[0].Now, r.Restarts[1].Now; short.Low <= 0 || long.Seen > 0 || long.High <= 0 {
		t.Errorf("%+v", r.Restarts)
	}
	c := Compare([]*Model{redlock, m})
	if d := c.Difference; c.Most != "single instance" || c.Fewest != "redlock" || d.Sign != More || d.By != "restart" {
		t.Errorf("%+v", c)
	}
}
