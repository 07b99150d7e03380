package scenarios_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

func TestEveryScenarioOfTheCatalogueIsSound(t *testing.T) {
	for _, s := range scenarios.Catalogue() {
		if err := s.Check(); err != nil {
			t.Errorf("%s: %v", s.ID, err)
		}
		if s.ID == "" || s.Title == "" || s.About == "" || s.Source == "" || len(s.Sometimes) == 0 {
			t.Errorf("%s does not say what it is: %+v", s.ID, s)
		}
	}
	base := scenarios.Base()
	if err := base.Check(); err != nil {
		t.Error(err)
	}
}

const tooLong = 367 * 24 * time.Hour

func TestCheckRejectsEachMistake(t *testing.T) {
	type lock = locks.Rules
	in := func(change func(*lock)) func(*scenarios.Scenario) {
		return func(s *scenarios.Scenario) { change(&s.Lock.Rules) }
	}
	as := func(kind scenarios.Kind, change func(*scenarios.Scenario)) func(*scenarios.Scenario) {
		return func(s *scenarios.Scenario) { s.ChangeKind(kind); change(s) }
	}
	for _, c := range []struct {
		says   string
		change func(*scenarios.Scenario)
	}{
		{"clients: 0 is out of range; give 1 to 100", func(s *scenarios.Scenario) { s.Clients = 0 }},
		{"clients: -9 is out of range", func(s *scenarios.Scenario) { s.Clients = -9 }},
		{"clients: 101 is out of range", func(s *scenarios.Scenario) { s.Clients = 101 }},
		{"clients: 2147483647 is out of range", func(s *scenarios.Scenario) { s.Clients = math.MaxInt32 }},
		{"nodes: 0 are too few, because lock.kind redlock is on nodes; give 1 to 100", func(s *scenarios.Scenario) { s.Nodes = 0 }},
		{"nodes: -2147483648 is out of range", func(s *scenarios.Scenario) { s.Nodes = math.MinInt32 }},
		{"network.latency: min -1ns and max 500µs are not a range", func(s *scenarios.Scenario) { s.Network.Latency.Min = -1 }},
		{"network.latency: min 100µs and max 0s are not a range", func(s *scenarios.Scenario) { s.Network.Latency.Max = 0 }},
		{"network.latency: 8808h0m0s is out of range; give up to a year", func(s *scenarios.Scenario) { s.Network.Latency.Max = tooLong }},
		{"network.loss: 1.000001 is out of range; give 0 to 1", func(s *scenarios.Scenario) { s.Network.Loss = 1_000_001 }},
		{"network.loss: -0.000001 is out of range", func(s *scenarios.Scenario) { s.Network.Loss = -1 }},
		{"persistence: 9 is not one of none, aof-always, aof-everysec", func(s *scenarios.Scenario) { s.Persistence = 9 }},
		{"horizon: 0s is out of range; give up to a year", func(s *scenarios.Scenario) { s.Horizon = 0 }},
		{"horizon: 8808h0m0s is out of range", func(s *scenarios.Scenario) { s.Horizon = tooLong }},
		{"steps: 0 is not positive", func(s *scenarios.Scenario) { s.Steps = 0 }},

		{"lock.kind: 77 is not one of redlock, single, fenced", func(s *scenarios.Scenario) { s.Lock.Kind = 77 }},
		{"lock.contact: 2 is not one of", in(func(l *lock) { l.Contact = 2 })},
		{"lock.clock: 3 is not one of", in(func(l *lock) { l.Clock = 3 })},
		{"lock.cleanup: 3 is not one of", in(func(l *lock) { l.Cleanup = 3 })},
		{"lock.ttl: 0s is not positive", in(func(l *lock) { l.TTL = 0 })},
		{"lock.ttl: -10s is not positive", in(func(l *lock) { l.TTL = -10 * time.Second })},
		{"lock.ttl: 10.0005s is not a whole number of milliseconds", in(func(l *lock) { l.TTL += 500 * time.Microsecond })},
		{"lock.ttl: 8808h0m0s is out of range", in(func(l *lock) { l.TTL = tooLong })},
		{"lock.timeout: 0s is not positive", in(func(l *lock) { l.Timeout = 0 })},
		{"lock.timeout: 10s is not less than lock.ttl, which is 10s", in(func(l *lock) { l.Timeout = l.TTL })},
		{"lock.quorum: 6 votes are more than 5 nodes can give", in(func(l *lock) { l.Quorum = 6 })},
		{"lock.quorum: -1 is negative", in(func(l *lock) { l.Quorum = -1 })},
		{"lock.quorum: 2 votes are more than 1 node can give; give up to 1", func(s *scenarios.Scenario) { s.Lock.Kind, s.Lock.Quorum = scenarios.Single, 2 }},
		{"lock.drift_factor: 1.000001 is out of range; give 0 to 1", in(func(l *lock) { l.DriftFactor = 1_000_001 })},
		{"lock.drift_factor: -0.000001 is out of range", in(func(l *lock) { l.DriftFactor = -1 })},
		{"lock.drift_constant: -1ns is negative", in(func(l *lock) { l.DriftConstant = -1 })},
		{"lock.drift_constant: 8808h0m0s is out of range", in(func(l *lock) { l.DriftConstant = tooLong })},
		{"lock.retry.attempts: -1 is negative", in(func(l *lock) { l.Retry.Attempts = -1 })},
		{"lock.retry: min 50ms and max 49ms are not a range", in(func(l *lock) { l.Retry.Max = 49 * time.Millisecond })},
		{"lock.retry: min -1ns and max 250ms are not a range", in(func(l *lock) { l.Retry.Min = -1 })},
		{"lock.retry: 8808h0m0s is out of range", in(func(l *lock) { l.Retry.Max = tooLong })},

		{"fencing.source: 9 is not one of ideal, node, nodes, none, lock", func(s *scenarios.Scenario) { s.Fencing.Source = 9 }},
		{"fencing.source: lock.kind redlock makes no tokens; give ideal, node, nodes, quorum, service or none",
			func(s *scenarios.Scenario) { s.Fencing.Source = scenarios.OfLock }},
		{"lock.counter.before: lock.kind redlock has no such option; leave it out", in(func(l *lock) { l.Counter.Before = true })},
		{"fencing.source: lock.kind failover makes no tokens; give ideal, service or none, or let lock.failover.counts be true",
			as(scenarios.Failover, func(s *scenarios.Scenario) { s.Fencing.Source = scenarios.OfLock })},
		{"fencing.source: no node counts tokens for lock.kind etcd; give ideal, service, lock or none",
			as(scenarios.Etcd, func(s *scenarios.Scenario) { s.Fencing.Source = scenarios.OnNodes })},
		{"fencing.source: no node counts tokens for lock.kind sql-row-lock; give ideal, service or none",
			as(scenarios.RowLock, func(s *scenarios.Scenario) { s.Fencing = scenarios.Fencing{Source: scenarios.OnNode, Node: 1} })},
		{"replicas.min_good: 5 nodes have 4 replicas, so the master would accept no write; give fewer",
			as(scenarios.Failover, func(s *scenarios.Scenario) { s.Replicas.MinGood = 5 })},
		{"replicas.good_for: 1.5s is not a whole number of seconds, as Redis needs",
			as(scenarios.Failover, func(s *scenarios.Scenario) { s.Replicas.GoodFor = 1500 * time.Millisecond })},
		{"storage.idle: lock.kind redlock has no transaction; leave this out",
			func(s *scenarios.Scenario) { s.Storage.Idle = time.Second }},
		{"lock.session.own_node: lock.kind etcd has no such option; leave it out",
			as(scenarios.Etcd, func(s *scenarios.Scenario) { s.Lock.Session.OwnNode = false })},
		{"fencing.node: there is no node n0; give 1 to 5", func(s *scenarios.Scenario) { s.Fencing = scenarios.Fencing{Source: scenarios.OnNode} }},
		{"fencing.node: there is no node n6", func(s *scenarios.Scenario) { s.Fencing = scenarios.Fencing{Source: scenarios.OnNode, Node: 6} }},
		{"fencing.first: 0 is out of range; give 1 to 9007199254740991", func(s *scenarios.Scenario) { s.Fencing.First = 0 }},
		{"fencing.first: 9007199254740992 is out of range", func(s *scenarios.Scenario) { s.Fencing.First = 1 << 53 }},

		{"work.readers: lock.kind redlock can't be shared; choose redisson-rw, or leave this out",
			func(s *scenarios.Scenario) { s.Work.Readers = 1 }},
		{"work.readers: 4 is more than the number of clients, which is 3",
			as(scenarios.RedissonShared, func(s *scenarios.Scenario) { s.Work.Readers = 4 })},
		{"work.cycles: 0 is not positive", func(s *scenarios.Scenario) { s.Work.Cycles = 0 }},
		{"work.stagger: -1ns is negative", func(s *scenarios.Scenario) { s.Work.Stagger = -1 }},
		{"work.warm: 1m0.000000001s is out of range", func(s *scenarios.Scenario) { s.Work.Warm = time.Minute + 1 }},
		{"work.stagger: 8808h0m0s is out of range", func(s *scenarios.Scenario) { s.Work.Stagger = tooLong }},
		{"work.work: min 2ns and max 1ns are not a range", func(s *scenarios.Scenario) { s.Work.Work = sim.Range{Min: 2, Max: 1} }},
		{"work.work: 8808h0m0s is out of range", func(s *scenarios.Scenario) { s.Work.Work.Max = tooLong }},
		{"work.think: min -1ns and max 20ms are not a range", func(s *scenarios.Scenario) { s.Work.Think.Min = -1 }},
		{"work.think: 8808h0m0s is out of range", func(s *scenarios.Scenario) { s.Work.Think.Max = tooLong }},
		{"work.storage_timeout: 0s is not positive", func(s *scenarios.Scenario) { s.Work.StorageTimeout = 0 }},
		{"work.storage_timeout: 8808h0m0s is out of range", func(s *scenarios.Scenario) { s.Work.StorageTimeout = tooLong }},

		{`clocks.n6: no host is named "n6"; there are n1,`, func(s *scenarios.Scenario) { s.Clocks = []scenarios.Rate{{Host: "n6"}} }},
		{"clocks.n1: +450000.001ppm is out of range", func(s *scenarios.Scenario) {
			s.Clocks = []scenarios.Rate{{Host: "n1", By: clock.RateMax/2 + 1}}
		}},
		{"clocks.c1: -450000.001ppm is out of range", func(s *scenarios.Scenario) {
			s.Clocks = []scenarios.Rate{{Host: "c1", By: -clock.RateMax/2 - 1}}
		}},
		{"clocks.s: it is given twice", func(s *scenarios.Scenario) { s.Clocks = []scenarios.Rate{{Host: "s"}, {Host: "n1"}, {Host: "s"}} }},
		{`fault.1: "at 0s pause c9": no host is named "c9"`, func(s *scenarios.Scenario) { s.Faults = faults.Schedule{{Kind: faults.Pause, Host: "c9"}} }},
		{"it would hit after the run's horizon of 5m0s", func(s *scenarios.Scenario) {
			s.Faults = faults.Schedule{{Kind: faults.Pause, Host: "c1", At: clock.Instant(s.Horizon) + 1}}
		}},

		{"expect: belief is there twice", func(s *scenarios.Scenario) {
			s.Expect = []scenarios.Expectation{{Property: "belief"}, {Property: "belief"}}
		}},
		{`expect.believe: there is no promise "believe"`, func(s *scenarios.Scenario) {
			s.Expect = append(s.Expect, scenarios.Expectation{Property: "believe"})
		}},
		{`expect.contended: contended is not a promise`, func(s *scenarios.Scenario) {
			s.Expect = append(s.Expect, scenarios.Expectation{Property: "contended"})
		}},
		{`sometimes.1: belief is a promise`, func(s *scenarios.Scenario) { s.Sometimes = []string{"belief"} }},
		{"bounds.1.formula: fast-node is a law for something else than lock.ttl, which is a time such as", func(s *scenarios.Scenario) {
			s.Bounds = []scenarios.Bound{{Setting: "lock.ttl", From: "1s", To: "10s", Property: "quorum", Formula: scenarios.FastNode}}
		}},
		{"bounds.1.formula: 4 is not one of restart-delay, fast-node, slow-client, none", func(s *scenarios.Scenario) {
			s.Bounds = []scenarios.Bound{{Setting: "lock.ttl", From: "1s", To: "10s", Property: "quorum", Formula: 4}}
		}},
		{`sometimes.1: there is no event "nothing"`, func(s *scenarios.Scenario) { s.Sometimes = []string{"nothing"} }},
	} {
		s := scenarios.Base()
		c.change(&s)
		err := s.Check()
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v\nwant %s", err, c.says)
			continue
		}
		if n := strings.Count(err.Error(), "\n"); n > 0 && !strings.Contains(c.says, "lock.t") {
			t.Errorf("one thing is wrong, and it says more: %v", err)
		}
	}
}

func TestCheckReportsAllErrorsTogether(t *testing.T) {
	s := scenarios.Base()
	s.Nodes, s.Steps, s.Work.Cycles, s.Sometimes = -1, 0, 0, []string{"x"}
	want := "nodes: -1 is out of range; give 0 to 100\nwork.cycles: 0 is not positive; give 1 or more\nsteps: 0 is not positive; give 1 or more\n" +
		`sometimes.1: there is no event "x"; there are contended, acquired-by-two, acquired, fault-struck, expired-while-held, quorum-lost, refused-too-late, ` +
		"stale-write-refused, late-write, extended, extension-failed, unavailable, split-vote, overtaken, crashed-while-held, shared, holder-refused, kept-out, tick-missed, written, wanted-after-fault"
	if err := s.Check(); err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// The greatest of everything that Check lets pass must not overflow on its way through a run.
func TestExtremeValuesThatPassCheckCanRun(t *testing.T) {
	const most = 366 * 24 * time.Hour
	s := scenarios.Base()
	s.Clients, s.Nodes, s.Horizon, s.Steps = 3, 3, most, 20_000
	s.Network.Latency = sim.Range{Max: most}
	s.Lock.TTL, s.Lock.Timeout, s.Lock.DriftFactor, s.Lock.DriftConstant = most, most-1, 1_000_000, most
	s.Lock.Retry = locks.Retry{Max: most}
	s.Lock.ValidityCheck = false
	s.Fencing.First = 1<<53 - 1
	s.Work.Stagger, s.Work.Work.Max, s.Work.Think.Max, s.Work.StorageTimeout = most, most, most, most
	for i, host := range s.Hosts() {
		by := clock.RateMax / 2
		s.Clocks = append(s.Clocks, scenarios.Rate{Host: host, By: by - clock.Rate(i%2)*2*by})
		s.Faults = append(s.Faults,
			faults.Fault{Kind: faults.Drift, Host: host, Rate: by - clock.Rate(i%2)*2*by, For: most},
			faults.Fault{Kind: faults.Jump, Host: host, By: clock.OffsetMax / 2, For: most},
			faults.Fault{Kind: faults.Slow, From: host, To: "n1", By: most})
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(20) {
		scenarios.Run(s, seed)
	}
}

// So that a new promise needs no line in every scenario: what is not stated is expected to hold.
func TestUnmentionedPromiseIsExpectedToHold(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	all := s.Expect
	i := slices.IndexFunc(all, func(e scenarios.Expectation) bool { return e.Verdict == checker.Violated })
	s.Expect = slices.Delete(slices.Clone(all), i, i+1)
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	if r := scenarios.Run(s, 1); s.Expected(all[i].Property) != checker.Holds || r.Verdict != scenarios.Fail {
		t.Errorf("%s is expected to be %s, and the run is %s", all[i].Property, s.Expected(all[i].Property), r.Verdict)
	}
}
