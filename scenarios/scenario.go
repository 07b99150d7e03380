package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// A Scenario is a topology, a lock, a workload, a schedule and what it expects. It is plain data. Begin with Base.
type Scenario struct {
	ID     string // its path in the catalogue, such as "kleppmann/gc-pause"
	Title  string // what it shows, in one line
	About  string // what happens, in plain sentences
	Source string // who claimed it, and where

	Clients int // c1, c2 …
	Nodes   int // Redis servers n1, n2 …; the guarded storage is s
	Network Network
	Rates   []Rate // of hosts whose clocks do not run true

	Persistence redis.Persistence
	Lock        Lock
	Fencing     Fencing
	Work        Workload
	Faults      faults.Schedule

	Expect    []Expectation // one for each of checker.Properties
	Sometimes []string      // names of checker.Sometimes

	Horizon   time.Duration // true time after which a run is cut short
	Steps     int           // events and steps after which a run is cut short
	Interpret bool          // interpret all Lua scripts, even those that are known
}

// A Network says what messages go through.
type Network struct {
	Latency sim.Range // one way
	Loss    int       // messages lost in a million
}

// A Rate is the rate at which one host's clocks run.
type Rate struct {
	Host string
	By   clock.Rate
}

// A Lock is a kind of lock and its rules.
type Lock struct {
	Kind   Kind
	Config locks.Config // its Key, Servers and Fence are the run's to fill in
}

// A Kind is a kind of lock.
type Kind uint8

// The kinds of locks, under the names that scenarios use: redlock, single.
const (
	Redlock Kind = iota
	Single       // on n1 alone
)

// KindNames lists the kinds as scenarios write them.
var KindNames = []string{"redlock", "single"}

// Fencing says where fencing tokens come from.
type Fencing struct {
	Source FencingSource
	First  uint64 // the first token of an ideal counter
	Node   int    // the node that counts, from 1, when the source is a node
}

// A FencingSource is where fencing tokens come from.
type FencingSource uint8

// The sources, under the names that scenarios use: ideal, node, none.
const (
	Ideal  FencingSource = iota // a counter that never fails and costs no time
	OnNode                      // INCR on one of the nodes
	NoFencing
)

// FencingNames lists the sources as scenarios write them.
var FencingNames = []string{"ideal", "node", "none"}

// A Workload is what each client does with the lock.
type Workload struct {
	Cycles         int           // how often it acquires
	Stagger        time.Duration // how much later than the one before it each client starts
	Work           sim.Range     // between reading and writing
	Think          sim.Range     // between two cycles
	Recheck        bool          // look again, just before the write, whether the validity has passed, and if so give up
	StopAtDeadline bool          // never work, or wait for storage, beyond the validity: give up then
	StorageTimeout time.Duration // how long to wait for storage
}

// An Expectation is the verdict that a scenario expects of one property.
type Expectation struct {
	Property string
	Verdict  checker.Verdict
}

// Base is a healthy run of the reference Redlock: the scenario that the others change.
func Base() Scenario {
	lock := locks.Reference(LockKey, nil)
	return Scenario{
		Clients: 3, Nodes: 5,
		Network: Network{Latency: sim.Range{Min: 100 * time.Microsecond, Max: 500 * time.Microsecond}},
		Lock:    Lock{Config: lock},
		Fencing: Fencing{First: 1},
		Work: Workload{
			Cycles: 10, Work: sim.Range{Min: time.Millisecond, Max: 20 * time.Millisecond},
			Think:   sim.Range{Max: 20 * time.Millisecond},
			Recheck: true, StopAtDeadline: true, StorageTimeout: time.Second,
		},
		Expect:    expect(nil),
		Sometimes: []string{"contended", "acquired-by-two"},
		Horizon:   5 * time.Minute, Steps: 5_000_000,
	}
}

// LockKey is the name of the lock in every run.
const LockKey = "lock"

// expect gives an expectation for every property: all hold, but for these.
func expect(violated []string) []Expectation {
	all := make([]Expectation, len(checker.Properties))
	for i, p := range checker.Properties {
		all[i] = Expectation{Property: p.Name}
		if slices.Contains(violated, p.Name) {
			all[i].Verdict = checker.Violated
		}
	}
	return all
}

// Hosts lists the names of the hosts, in the order in which a run adds them.
func (s *Scenario) Hosts() []string {
	hosts := make([]string, 0, s.Clients+s.Nodes+1)
	for i := range s.Nodes {
		hosts = append(hosts, "n"+strconv.Itoa(i+1))
	}
	hosts = append(hosts, StorageHost)
	for i := range s.Clients {
		hosts = append(hosts, "c"+strconv.Itoa(i+1))
	}
	return hosts
}

// StorageHost is the name of the host that guards the resource.
const StorageHost = "s"

// Check tells everything that is wrong with the scenario; nil when nothing is.
func (s *Scenario) Check() error {
	lock := &s.Lock.Config
	var wrong []error
	must := func(ok bool, key, format string, args ...any) {
		if !ok {
			wrong = append(wrong, fmt.Errorf(key+": "+format, args...))
		}
	}
	const limit = 100 // hosts of a kind; links grow with their square
	must(1 <= s.Clients && s.Clients <= limit, "clients", "%d is out of range; give 1 to %d", s.Clients, limit)
	must(1 <= s.Nodes && s.Nodes <= limit, "nodes", "%d is out of range; give 1 to %d", s.Nodes, limit)
	must(lock.TTL > 0, "lock.ttl", "%s is not positive; give a time such as 10s", lock.TTL)
	must(lock.TTL%time.Millisecond == 0, "lock.ttl", "%s is no whole number of milliseconds, which is what Redis counts", lock.TTL)
	must(lock.Timeout > 0, "lock.timeout", "%s is not positive; give a time such as 50ms", lock.Timeout)
	must(lock.Timeout < lock.TTL, "lock.timeout", "%s is not less than lock.ttl, which is %s; a lock would expire "+
		"before a dead node is given up", lock.Timeout, lock.TTL)
	must(0 <= lock.Quorum && lock.Quorum <= s.lockNodes(), "lock.quorum", "%d votes can't be had from %d nodes; give 1 to %d, "+
		"or 0 for a majority", lock.Quorum, s.lockNodes(), s.lockNodes())
	must(0 <= lock.DriftFactor && lock.DriftFactor <= 1_000_000, "lock.drift_factor", "it is out of range; give 0 to 1")
	must(lock.DriftConstant >= 0, "lock.drift_constant", "%s is negative", lock.DriftConstant)
	must(lock.Retry.Attempts >= 0, "lock.retry.attempts", "%d is negative; give 0 for no limit", lock.Retry.Attempts)
	must(0 <= lock.Retry.Min && lock.Retry.Min <= lock.Retry.Max, "lock.retry", "min %s and max %s are no range",
		lock.Retry.Min, lock.Retry.Max)
	must(isRange(s.Network.Latency), "network.latency", "min %s and max %s are no range", s.Network.Latency.Min, s.Network.Latency.Max)
	must(0 <= s.Network.Loss && s.Network.Loss <= 1_000_000, "network.loss", "it is out of range; give 0 to 1")
	must(s.Fencing.Source != OnNode || 1 <= s.Fencing.Node && s.Fencing.Node <= s.Nodes, "fencing.node",
		"there is no node n%d; give 1 to %d", s.Fencing.Node, s.Nodes)
	must(s.Work.Cycles > 0, "work.cycles", "%d is not positive", s.Work.Cycles)
	must(s.Work.Stagger >= 0, "work.stagger", "%s is negative", s.Work.Stagger)
	must(isRange(s.Work.Work), "work.work", "min %s and max %s are no range", s.Work.Work.Min, s.Work.Work.Max)
	must(isRange(s.Work.Think), "work.think", "min %s and max %s are no range", s.Work.Think.Min, s.Work.Think.Max)
	must(s.Work.StorageTimeout > 0, "work.storage_timeout", "%s is not positive", s.Work.StorageTimeout)
	must(0 < s.Horizon && s.Horizon <= 366*24*time.Hour, "horizon", "%s is out of range; give up to a year", s.Horizon)
	must(s.Steps > 0, "steps", "%d is not positive", s.Steps)
	wrong = append(wrong, s.checkRates()...)
	if err := s.Faults.Check(s.Hosts(), s.Horizon); err != nil {
		wrong = append(wrong, err)
	}
	return errors.Join(append(wrong, s.checkExpectations()...)...)
}

func (s *Scenario) checkRates() (wrong []error) {
	const most = clock.RateMax / 2
	for _, r := range s.Rates {
		switch {
		case !slices.Contains(s.Hosts(), r.Host):
			wrong = append(wrong, fmt.Errorf("rate: no host is named %q; there are %s", r.Host, strings.Join(s.Hosts(), ", ")))
		case r.By < -most || r.By > most:
			wrong = append(wrong, fmt.Errorf("rate.%s: %s is out of range; give up to %s either way", r.Host, r.By, most))
		}
	}
	return wrong
}

func (s *Scenario) checkExpectations() (wrong []error) {
	for _, p := range checker.Properties {
		if !slices.ContainsFunc(s.Expect, func(e Expectation) bool { return e.Property == p.Name }) {
			wrong = append(wrong, fmt.Errorf("expect: nothing is said of %s", p.Name))
		}
	}
	for _, name := range s.Sometimes {
		if p, known := checker.Lookup(name); !known || !p.Sometimes {
			wrong = append(wrong, fmt.Errorf("sometimes: there is no %q", name))
		}
	}
	return wrong
}

// lockNodes is the number of nodes that the lock spans.
func (s *Scenario) lockNodes() int {
	if s.Lock.Kind == Single {
		return 1
	}
	return s.Nodes
}

func isRange(r sim.Range) bool { return 0 <= r.Min && r.Min <= r.Max }
