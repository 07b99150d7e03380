package scenarios

import (
	"slices"
	"strconv"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// A Scenario is a topology, a lock, a workload, a schedule and what it expects. It is plain data. The tags of its
// fields are their names in files and settings, and names.txt explains each. Begin with Base or Parse.
type Scenario struct {
	ID     string `yaml:"-"` // its path in the catalogue, such as "kleppmann/gc-pause"
	Title  string `yaml:"title"`
	About  string `yaml:"about"`
	Source string `yaml:"source"`
	Claim  Claim  `yaml:"claim"`

	Clients     int               `yaml:"clients" least:"1" most:"100"`
	Nodes       int               `yaml:"nodes" least:"0" most:"100"`
	Network     Network           `yaml:"network"`
	Clocks      []Rate            `yaml:"clocks"`
	Persistence redis.Persistence `yaml:"persistence"`
	Expiry      redis.Expiry      `yaml:"expiry"`

	Lock    Lock    `yaml:"lock"`
	Fencing Fencing `yaml:"fencing"`
	Storage Storage `yaml:"storage"`

	platform.Sections

	Work Workload `yaml:"work"`

	Faults  faults.Schedule `yaml:"schedule"`
	Search  Search          `yaml:"search"`
	Explore Explore         `yaml:"explore"`

	Expect    []Expectation `yaml:"expect" group:"blackbox"`
	Sometimes []string      `yaml:"sometimes"`
	Mutants   []Mutant      `yaml:"mutants"`
	Bounds    []Bound       `yaml:"bounds"`

	Horizon   time.Duration `yaml:"horizon"`
	Steps     int           `yaml:"steps" least:"1"`
	Interpret bool          `yaml:"interpret"`

	stated int   // how many of Faults, the first, the scenario had before a Search drew others; 0 if none did
	lines  []int // for each fault after those, the place of the line in search.draw of its origin
}

// A Network is what messages pass through.
type Network struct {
	Latency     sim.Range     `yaml:"latency"`
	Loss        locks.Share   `yaml:"loss" least:"0" most:"1"`
	Tick        time.Duration `yaml:"tick"`
	EitherFirst bool          `yaml:"either_first"`
}

// A Rate is the rate at which one host's clocks run.
type Rate struct {
	Host string
	By   clock.Rate
}

// A Lock is a kind of lock and its rules.
type Lock struct {
	Kind Kind `yaml:"kind"`
	locks.Rules

	// New, if set, makes each client's lock instead of the kind's protocol: a user's lock, on the kind's platform. It
	// is called whenever a client starts, in parallel if runs are. No file has it.
	New func(locks.Config) locks.Lock `yaml:"-"`

	// Run, if set, makes the runs, with guests in place of the kind's own protocol. No file has it.
	Run GuestRun `yaml:"-"`

	// Key, if set, is the key that New uses in place of LockKey: some libraries form their own. No file has it.
	Key string `yaml:"-"`

	// Shortest, if set, is the shortest TTL that New or Run takes. No file has it.
	Shortest time.Duration `yaml:"-"`
}

// Fencing is where fencing tokens come from, and how storage uses them.
type Fencing struct {
	Source    FencingSource `yaml:"source"`
	Named     bool          `yaml:"named"`
	First     uint64        `yaml:"first"`
	Node      int           `yaml:"node"`
	Check     storage.Check `yaml:"check"`
	Above     bool          `yaml:"above"`
	ReadsMark bool          `yaml:"reads_mark"`
	Atomic    bool          `yaml:"atomic"`
}

// A FencingSource is where fencing tokens come from.
type FencingSource uint8

// The sources, under the names that scenarios use: ideal, node, nodes, none, lock, quorum, service, clock.
const (
	Ideal   FencingSource = iota // the perfect counter: it never fails and costs no time
	OnNode                       // INCR on one of the nodes
	OnNodes                      // INCR on all nodes; the largest answer counts, if a majority answered
	NoFencing
	OfLock    // the lock's own
	OnQuorum  // INCR on all nodes; the largest is written back to a majority
	OfService // a consensus service of three further servers
	OfClock   // the client's wall clock
)

// fencingSources has for each source its name in scenarios, and what tokens come from in a few words.
var fencingSources = [...]tokenSource{
	Ideal: {"ideal", "a perfect counter"}, OnNode: {"node", ""}, OnNodes: {"nodes", "the largest INCR of all nodes"},
	NoFencing: {"none", ""},
	OfLock:    {"lock", "the lock itself"}, OnQuorum: {"quorum",
		"the largest INCR of all nodes, written back to a majority"},
	OfService: {"service", "a consensus service"}, OfClock: {"clock", "the wall clock of the client"},
}

type tokenSource struct{ name, tokens string }

var fencingNames = namesOf(fencingSources[:], func(f *tokenSource) string { return f.name })

// Storage is what guards the resource.
type Storage struct {
	Engine Engine        `yaml:"engine"`
	Idle   time.Duration `yaml:"idle"`
}

// An Engine is what holds the resource.
type Engine uint8

// The engines, under the names that scenarios use: register, sql.
const (
	Register Engine = iota
	SQL
)

var engineNames = []string{"register", "sql"}

// A Workload is what each client does with the lock.
type Workload struct {
	Cycles         int           `yaml:"cycles" least:"1"`
	Warm           time.Duration `yaml:"warm"`
	Stagger        time.Duration `yaml:"stagger"`
	Work           sim.Range     `yaml:"work"`
	Think          sim.Range     `yaml:"think"`
	Tick           time.Duration `yaml:"tick"`
	Keep           time.Duration `yaml:"keep"`
	Readers        int           `yaml:"readers" least:"0"`
	Recheck        bool          `yaml:"recheck"`
	StopAtDeadline bool          `yaml:"stop_at_deadline"`
	StorageTimeout time.Duration `yaml:"storage_timeout"`
}

// ticks returns how many ticks the workload has; 0 for one without.
func (s *Scenario) ticks() int {
	if s.Work.Tick == 0 {
		return 0
	}
	return s.Work.Cycles
}

// Promises lists the promises of checker.Properties that the runs of the scenario have a finding on: the first ones.
func (s *Scenario) Promises() []checker.Property {
	if s.Work.Tick > 0 {
		return checker.Properties
	}
	return slices.DeleteFunc(slices.Clone(checker.Properties), func(p checker.Property) bool { return p.Ticks })
}

// reads reports whether a client is a reader, by its number from 0.
func (s *Scenario) reads(client int) bool {
	return client < s.Clients && client >= s.Clients-s.Work.Readers
}

// A Search is what a campaign chooses at random for each seed, apart from a run's own chance: faults, and values of
// settings.
type Search struct {
	Faults []string      `yaml:"faults"`
	Draw   []string      `yaml:"draw"`
	Spare  []string      `yaml:"spare"`
	Most   int           `yaml:"most"`
	Within time.Duration `yaml:"within"`
	Away   time.Duration `yaml:"away"`
	Stays  bool          `yaml:"stays"`
	Vary   []Choice      `yaml:"vary"`
}

// A Choice is a setting with the values from which a seed picks one: a range, or a few words.
type Choice struct {
	Setting string  `yaml:"setting"`
	From    Value   `yaml:"from"`
	To      Value   `yaml:"to"`
	Of      []Value `yaml:"of"`
}

// An Explore is what an exploration may change in a run, one thing at a time: a message, or a fault.
type Explore struct {
	Late       []Value `yaml:"late"`
	Behind     bool    `yaml:"behind"`
	Lost       bool    `yaml:"lost"`
	Deviations int     `yaml:"deviations" least:"0" most:"7"`
	Unbounded  bool    `yaml:"unbounded"`
	Faults     []Value `yaml:"faults"`
	Most       int     `yaml:"most" least:"0" most:"7"`
	Once       []Value `yaml:"once"`
	Ticks      bool    `yaml:"ticks"`
	Breaks     []Value `yaml:"breaks"`
}

// An Expectation is the verdict that a scenario expects of a property, or of a black box view such as blackbox.mutex.
type Expectation struct {
	Property string
	Verdict  checker.Verdict
}

// A Mutant is the lock with a rule broken: a flaw that a real lock had, or could have. The scenario kills it: there the
// reference keeps its promises, and the mutant breaks some.
type Mutant struct {
	Name      string       `yaml:"name"`
	About     string       `yaml:"about"`
	Precedent string       `yaml:"precedent"`
	Set       []Assignment `yaml:"set"`
	Breaks    []string     `yaml:"breaks"`
	Within    int          `yaml:"within" least:"1"`
}

// An Assignment is a setting and a value for it.
type Assignment struct {
	Key   string
	Value Value
}

// A Value is a value of a setting, as text.
type Value string

// String returns it as --set takes it.
func (a Assignment) String() string { return a.Key + "=" + string(a.Value) }

// A Bound is the value of a setting at which a property begins to hold, or to break. It is found by halving the
// interval, and compared with the value that follows from the theorem.
type Bound struct {
	Setting  string  `yaml:"setting"`
	From     Value   `yaml:"from"`
	To       Value   `yaml:"to"`
	Property string  `yaml:"property"`
	Formula  Formula `yaml:"formula"`
}

// Base returns a healthy run of the reference Redlock, which the other scenarios change.
func Base() Scenario {
	return Scenario{
		Clients: 3, Nodes: 5,
		Network:  Network{Latency: sim.Range{Min: 100 * time.Microsecond, Max: 500 * time.Microsecond}},
		Lock:     Lock{Rules: locks.Reference()},
		Fencing:  Fencing{First: 1, Node: 1, ReadsMark: true, Atomic: true},
		Sections: platform.Reference(),
		Work: Workload{
			Cycles: 10, Work: sim.Range{Min: time.Millisecond, Max: 20 * time.Millisecond},
			Think:   sim.Range{Max: 20 * time.Millisecond},
			Recheck: true, StopAtDeadline: true, StorageTimeout: time.Second,
		},
		Sometimes: []string{"contended", "acquired-by-two"},
		Horizon:   5 * time.Minute, Steps: 5_000_000,
	}
}

// TokensFrom returns in a few words where fencing tokens come from, to follow "tokens from"; "" for nowhere.
func (s *Scenario) TokensFrom() string {
	if s.Fencing.Source == OnNode {
		return "INCR on n" + strconv.Itoa(s.Fencing.Node)
	}
	return fencingSources[s.Fencing.Source].tokens
}

// TokensNote is TokensFrom as a sentence, for reports that speak of fencing.
func (s *Scenario) TokensNote() string {
	switch from := s.TokensFrom(); {
	case from == "":
		return "There are no fencing tokens."
	case s.Fencing.Source == Ideal:
		return "Fencing tokens come from a perfect counter; no real system has one."
	default:
		return "Fencing tokens come from " + from + "."
	}
}

// ProofNote says in sentences what limits the verdicts of all runs: TokensNote, and what the runs can't show.
func (s *Scenario) ProofNote() string {
	if why := s.Alone(); why != "" {
		return s.TokensNote() + " There is " + why + "."
	}
	return s.TokensNote()
}

// Alone says why no run can show that the lock excludes any client, in words that follow "there is"; "" if one can.
func (s *Scenario) Alone() string {
	if s.Clients > 1 || slices.ContainsFunc(s.Search.Vary, func(c Choice) bool { return c.Setting == "clients" }) {
		return ""
	}
	return "one client, so the runs show nothing of belief and validity"
}

// LossNote says in a sentence what ends a call whose message was lost: a verdict on fault-tolerant depends on it.
func (s *Scenario) LossNote() string {
	if s.Hosted() {
		return "A connection that lost a message brings nothing more until it ends: the library's own timeouts decide when."
	}
	return "A call whose message is lost ends with the client's timeout, lock.timeout=" + s.Lock.Timeout.String() +
		", and its connection ends with it."
}

// Expected returns the verdict that the scenario expects of a property. It is Unknown, any, for an unnamed view.
func (s *Scenario) Expected(property string) checker.Verdict {
	i := slices.IndexFunc(s.Expect, func(e Expectation) bool { return e.Property == property })
	switch {
	case i >= 0:
		return s.Expect[i].Verdict
	case isView(property):
		return checker.Unknown
	}
	return checker.Holds
}

// Planned reports whether the schedule alone decides what goes wrong in an unsearched run: chance loses no message.
func (s *Scenario) Planned() bool {
	return s.Network.Loss == 0 && !slices.ContainsFunc(s.Faults, func(f faults.Fault) bool { return f.Kind == faults.Lossy })
}

// ExpectedExploring returns the verdict that the scenario expects of a promise when it is explored.
func (s *Scenario) ExpectedExploring(promise string) checker.Verdict {
	if slices.Contains(s.Explore.Breaks, Value(promise)) {
		return checker.Violated
	}
	return s.Expected(promise)
}

// LateTimes returns the times of Late. The scenario must have passed Check.
func (x *Explore) LateTimes() (all []time.Duration) {
	for _, v := range x.Late {
		d, _ := time.ParseDuration(string(v))
		all = append(all, d)
	}
	return all
}

// Drawn reports whether a seed makes any random choice by this search.
func (search *Search) Drawn() bool {
	return len(search.Vary) > 0 || len(search.Draw) > 0 || len(search.Faults) > 0 && search.Most > 0
}
