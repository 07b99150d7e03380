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
// fields are their names and explanations in files and settings. Begin with Base or Parse.
type Scenario struct {
	ID     string `yaml:"-"` // its path in the catalogue, such as "kleppmann/gc-pause"
	Title  string `yaml:"title" doc:"what it shows, in one line"`
	About  string `yaml:"about" doc:"what happens, in plain sentences"`
	Source string `yaml:"source" doc:"who claimed it, and where"`
	Claim  Claim  `yaml:"claim"`

	Clients     int               `yaml:"clients" least:"1" most:"100" doc:"how many clients contend: c1, c2 …"`
	Nodes       int               `yaml:"nodes" least:"0" most:"100" doc:"how many nodes the lock has: n1, n2 …; the guarded storage is s"`
	Network     Network           `yaml:"network"`
	Clocks      []Rate            `yaml:"clocks" doc:"hosts whose clocks do not run true, and by how much they run fast"`
	Persistence redis.Persistence `yaml:"persistence" doc:"what a node keeps when it goes off"`
	Expiry      redis.Expiry      `yaml:"expiry" doc:"the clock by which Redis nodes expire keys: wall, as Redis does, or monotonic, as antirez proposed"`

	Lock    Lock    `yaml:"lock"`
	Fencing Fencing `yaml:"fencing"`
	Storage Storage `yaml:"storage"`

	platform.Sections

	Work Workload `yaml:"work"`

	Faults  faults.Schedule `yaml:"schedule" doc:"what goes wrong, a fault a line"`
	Search  Search          `yaml:"search" doc:"what a campaign draws anew for each seed"`
	Explore Explore         `yaml:"explore" doc:"what an exploration changes in a run, one thing after the other"`

	Expect    []Expectation `yaml:"expect" group:"blackbox" doc:"the verdict expected of each property; one that is not named should hold. Below blackbox, that of each view of a black box; one that is not named may be any"`
	Sometimes []string      `yaml:"sometimes" doc:"what must have happened in each run, so that it proves something"`
	Mutants   []Mutant      `yaml:"mutants" doc:"flaws of the lock that this scenario brings to light"`
	Bounds    []Bound       `yaml:"bounds" doc:"settings at whose bound a property begins to hold or to break"`

	Horizon   time.Duration `yaml:"horizon" doc:"true time after which a run is cut short"`
	Steps     int           `yaml:"steps" least:"1" doc:"events and steps after which a run is cut short"`
	Interpret bool          `yaml:"interpret" doc:"interpret all Lua scripts, even those that are known"`

	stated int // how many of Faults, the first, the scenario had before a Search drew others; 0 if none did
}

// A Network is what messages pass through.
type Network struct {
	Latency     sim.Range     `yaml:"latency" doc:"time that a message takes one way"`
	Loss        locks.Share   `yaml:"loss" least:"0" most:"1" doc:"share of messages lost"`
	Tick        time.Duration `yaml:"tick" doc:"a grid: messages leave at a multiple of this time, and a step costs exactly 1µs; 0s for none"`
	EitherFirst bool          `yaml:"either_first" doc:"a client that wakes late to a reply finds its deadline or the reply first, as is drawn"`
}

// A Rate is the rate at which one host's clocks run.
type Rate struct {
	Host string
	By   clock.Rate
}

// A Lock is a kind of lock and its rules.
type Lock struct {
	Kind Kind `yaml:"kind" doc:"the protocol; it runs on n1 alone, on all nodes, on servers that work together, or in the database; --set gives it what it runs on"`
	locks.Rules

	// New, if set, makes each client's lock instead of the kind's protocol: a user's lock, on the kind's platform. It
	// is called whenever a client starts, in parallel if runs are. No file has it.
	New func(locks.Config) locks.Lock `yaml:"-"`

	// Host, if set, makes the runs, with guests in place of the kind's own protocol. No file has it.
	Host Host `yaml:"-"`

	// Key, if set, is the key that New uses in place of LockKey: some libraries form their own. No file has it.
	Key string `yaml:"-"`
}

// Fencing is where fencing tokens come from, and how storage uses them.
type Fencing struct {
	Source    FencingSource `yaml:"source" doc:"where fencing tokens come from: ideal, an oracle that never fails and costs no time, which no system has; INCR on one node; the largest of INCR on all nodes; quorum, the same and then written back to a majority; service, three servers of their own that agree, k1 to k3; nowhere; or the lock itself"`
	Named     bool          `yaml:"named" doc:"the client's number is a part of its token, so that no two clients have the same; else the token is what was counted"`
	First     uint64        `yaml:"first" doc:"the first token of an ideal counter"`
	Node      int           `yaml:"node" doc:"the node that counts tokens, where one node does"`
	Check     storage.Check `yaml:"check" doc:"what fenced storage refuses: a token lower than the highest it has seen, any but the one that was set last, or a write on a version that is not the present one"`
	Above     bool          `yaml:"above" doc:"a token must be higher than the highest one that storage has seen (last_fencing_token < ?); else it may be the same (<= ?)"`
	ReadsMark bool          `yaml:"reads_mark" doc:"reads carry the token too, and storage takes note of it; else it first hears of a token with the first write"`
	Atomic    bool          `yaml:"atomic" doc:"storage checks the token and applies the write in one step; else the client asks first, and writes then"`
}

// A FencingSource is where fencing tokens come from.
type FencingSource uint8

// The sources, under the names that scenarios use: ideal, node, nodes, none, lock, quorum, service, clock.
const (
	Ideal   FencingSource = iota // an oracle: a counter that never fails and costs no time
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
	Ideal: {"ideal", "an oracle"}, OnNode: {"node", ""}, OnNodes: {"nodes", "the largest INCR of all nodes"},
	NoFencing: {"none", ""},
	OfLock:    {"lock", "the lock itself"}, OnQuorum: {"quorum",
		"the largest INCR of all nodes, written back to a majority"},
	OfService: {"service", "a consensus service"}, OfClock: {"clock", "the wall clock of the client"},
}

type tokenSource struct{ name, tokens string }

var fencingNames = namesOf(fencingSources[:], func(f *tokenSource) string { return f.name })

// Storage is what guards the resource.
type Storage struct {
	Engine Engine        `yaml:"engine" doc:"what holds the resource: a register, or a database that is asked in SQL"`
	Idle   time.Duration `yaml:"idle" doc:"how long a transaction of the database may sit idle, by its clock, until it is rolled back; 0s for ever"`
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
	Cycles         int           `yaml:"cycles" least:"1" doc:"how often each client acquires"`
	Warm           time.Duration `yaml:"warm" doc:"how long each client has, one after another, to acquire and release once before the run begins: connections are warm then, and scripts loaded; 0s for a cold start"`
	Stagger        time.Duration `yaml:"stagger" doc:"how much later than the one before it each client starts"`
	Work           sim.Range     `yaml:"work" doc:"time between reading and writing"`
	Think          sim.Range     `yaml:"think" doc:"time between two cycles"`
	Readers        int           `yaml:"readers" least:"0" doc:"how many of the clients, the last of them, only read, and share a lock for readers and writers"`
	Recheck        bool          `yaml:"recheck" doc:"look at the validity again just before the write, and give up if it has passed"`
	StopAtDeadline bool          `yaml:"stop_at_deadline" doc:"never work or wait for storage beyond the validity: give up then"`
	StorageTimeout time.Duration `yaml:"storage_timeout" doc:"how long to wait for storage"`
}

// reads reports whether a client is a reader, by its number from 0.
func (s *Scenario) reads(client int) bool {
	return client < s.Clients && client >= s.Clients-s.Work.Readers
}

// A Search is what a campaign draws for each seed besides a run's own chance: faults, and values of settings.
type Search struct {
	Faults []string      `yaml:"faults" doc:"what may go wrong: classes of faults such as delay, loss, pause or restart, or single kinds"`
	Draw   []string      `yaml:"draw" doc:"lines of a schedule in which ~DIST stands for a word that each seed draws: at ~poisson(6/1h) pause c1 for ~pareto(1ms,1.2,1m)"`
	Spare  []string      `yaml:"spare" doc:"whom no fault strikes: nodes, or clients; links between them are struck only where neither is spared"`
	Most   int           `yaml:"most" doc:"how many faults a run may have"`
	Within time.Duration `yaml:"within" doc:"faults strike within this time, and last no longer"`
	Away   time.Duration `yaml:"away" doc:"a restart that is drawn keeps its node off for at least this long, as the rule of delayed restarts wants it"`
	Stays  bool          `yaml:"stays" doc:"some faults last for the rest of the run"`
	Vary   []Choice      `yaml:"vary" doc:"settings that differ from run to run"`
}

// A Choice is a setting with the values that may be drawn for it: a range, or a few words.
type Choice struct {
	Setting string  `yaml:"setting" doc:"which one, as for --set"`
	From    Value   `yaml:"from" doc:"one end of the values"`
	To      Value   `yaml:"to" doc:"the other end"`
	Of      []Value `yaml:"of" doc:"in place of a range: the values themselves"`
}

// An Explore is what an exploration may change in a run, one thing at a time: a message, or a fault.
type Explore struct {
	Late       []Value `yaml:"late" doc:"how much later a message may arrive: times that are multiples of network.tick"`
	Behind     bool    `yaml:"behind" doc:"a message may arrive behind all else that is due at its tick"`
	Lost       bool    `yaml:"lost" doc:"a message may be lost"`
	Deviations int     `yaml:"deviations" least:"0" most:"7" doc:"how many messages of one run may be late, behind or lost"`
	Unbounded  bool    `yaml:"unbounded" doc:"any number of messages may be late, behind or lost: go on until no run comes to a new state"`
	Faults     []Value `yaml:"faults" doc:"what may strike, as a schedule says it without when: pause clients for 30ms; clients, nodes and all stand for each of them"`
	Most       int     `yaml:"most" least:"0" most:"7" doc:"how many faults one run may have besides"`
	Once       []Value `yaml:"once" doc:"faults that may strike besides, each line of them once at most; most counts them too"`
	Ticks      bool    `yaml:"ticks" doc:"faults strike at each tick too, and not only at marks"`
	Breaks     []Value `yaml:"breaks" doc:"the properties that are known to break within these bounds; of the others, what holds in a run must hold here"`
}

// An Expectation is the verdict that a scenario expects of a property, or of a black box view such as blackbox.mutex.
type Expectation struct {
	Property string
	Verdict  checker.Verdict
}

// A Mutant is the lock with a rule broken: a flaw that a real lock had, or could have. The scenario kills it: there the
// reference keeps its promises, and the mutant breaks some.
type Mutant struct {
	Name      string       `yaml:"name" doc:"the flaw, in a few words with hyphens between them"`
	About     string       `yaml:"about" doc:"what the flaw does, in one sentence"`
	Precedent string       `yaml:"precedent" doc:"where it was seen, or what warns of it"`
	Set       []Assignment `yaml:"set" doc:"the settings that make the mutant, as for --set"`
	Breaks    []string     `yaml:"breaks" doc:"the properties that it breaks, all of them in one run"`
	Within    int          `yaml:"within" least:"1" doc:"how many runs it takes at most, from seed 1, until it is killed"`
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
	Setting  string  `yaml:"setting" doc:"the setting that varies"`
	From     Value   `yaml:"from" doc:"where the search begins"`
	To       Value   `yaml:"to" doc:"where it ends; the property holds at one of both ends, and breaks at the other"`
	Property string  `yaml:"property" doc:"the property that holds on one side only"`
	Formula  Formula `yaml:"formula" doc:"the law by which the bound is computed"`
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
		Expect:    expect(nil),
		Sometimes: []string{"contended", "acquired-by-two"},
		Horizon:   5 * time.Minute, Steps: 5_000_000,
	}
}

// expect returns an expectation for every property: all hold, except these.
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
		return "Fencing tokens come from " + from + ", which no system has."
	default:
		return "Fencing tokens come from " + from + "."
	}
}

// ProofNote says in sentences what bears on the verdicts of all runs: TokensNote, and of what they show nothing.
func (s *Scenario) ProofNote() string {
	if why := s.Alone(); why != "" {
		return s.TokensNote() + " There is " + why + "."
	}
	return s.TokensNote()
}

// Alone says why no run can show that the lock excludes anybody, in words that follow "there is"; "" if one can.
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

// Drawn reports whether a seed draws anything by this search.
func (search *Search) Drawn() bool {
	return len(search.Vary) > 0 || len(search.Draw) > 0 || len(search.Faults) > 0 && search.Most > 0
}
