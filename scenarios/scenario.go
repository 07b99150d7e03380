package scenarios

import (
	"slices"
	"strconv"
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
	Kind Kind `yaml:"kind" doc:"the protocol; single uses n1 alone"`
	locks.Rules
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
	return Scenario{
		Clients: 3, Nodes: 5,
		Network: Network{Latency: sim.Range{Min: 100 * time.Microsecond, Max: 500 * time.Microsecond}},
		Lock:    Lock{Rules: locks.Reference()},
		Fencing: Fencing{First: 1, Node: 1},
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

// cast tells the parts that the hosts play, given their names in order.
func (s *Scenario) cast(hosts []string) faults.Cast {
	return faults.Cast{Nodes: hosts[:s.Nodes], Others: hosts[s.Nodes : s.Nodes+1], Clients: hosts[s.Nodes+1:]}
}

// StorageHost is the name of the host that guards the resource.
const StorageHost = "s"

// lockNodes is the number of nodes that the lock spans.
func (s *Scenario) lockNodes() int {
	if s.Lock.Kind == Single {
		return 1
	}
	return s.Nodes
}
