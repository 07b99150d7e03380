package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
)

// An Explore is what an exploration may change in a run, one thing at a time: a message, or a fault.
type Explore struct {
	Late       []Value `yaml:"late" doc:"how much later a message may arrive: times that are multiples of network.tick"`
	Behind     bool    `yaml:"behind" doc:"a message may arrive behind all else that is due at its tick"`
	Lost       bool    `yaml:"lost" doc:"a message may be lost"`
	Deviations int     `yaml:"deviations" doc:"how many messages of one run may be late, behind or lost"`
	Unbounded  bool    `yaml:"unbounded" doc:"any number of messages may be late, behind or lost: go on until no run comes to a new state"`
	Faults     []Value `yaml:"faults" doc:"what may strike, as a schedule says it without when: pause clients for 30ms; clients, nodes and all stand for each of them"`
	Most       int     `yaml:"most" doc:"how many faults one run may have besides"`
	Once       []Value `yaml:"once" doc:"faults that may strike besides, each line of them once at most; most counts them too"`
	Ticks      bool    `yaml:"ticks" doc:"faults strike at each tick too, and not only at marks"`
	Breaks     []Value `yaml:"breaks" doc:"the properties that are known to break within these bounds; of the others, what holds in a run must hold here"`
}

// LateTimes returns the times of Late. The scenario must have passed Check.
func (x *Explore) LateTimes() (all []time.Duration) {
	for _, v := range x.Late {
		d, _ := time.ParseDuration(string(v))
		all = append(all, d)
	}
	return all
}

// Explorable returns why the scenario can't be explored; nil if it can. Check has passed.
func (s *Scenario) Explorable() error { return s.unexplorable().joined() }

func (s *Scenario) unexplorable() (w problems) {
	w.must(s.Network.Tick > 0, "network.tick", "an exploration needs a grid; give the time that a message takes, such as 1ms")
	w.must(len(s.Faults) == 0, "schedule", "an exploration begins with no fault; leave the schedule out")
	w.must(s.Network.Loss == 0, "network.loss", "an exploration chooses which messages are lost; give 0")
	w.must(!s.Hosted(), "lock.kind", "a client library runs on Go's scheduler, so its schedules can't be enumerated; choose a lock of ours")
	w.must(len(s.Explore.Late) > 0 || s.Explore.Behind || s.Explore.Lost || len(s.Explore.Faults)+len(s.Explore.Once) > 0, "explore",
		"nothing may go otherwise; give late, behind, lost or faults")
	for _, t := range []struct {
		key string
		d   time.Duration
	}{
		{"lock.ttl", s.Lock.TTL}, {"lock.timeout", s.Lock.Timeout}, {"lock.drift_constant", s.Lock.Drift()},
		{"lock.retry", s.Lock.Retry.Min}, {"work.work", s.Work.Work.Min}, {"work.think", s.Work.Think.Min}, {"work.stagger", s.Work.Stagger},
		{"work.storage_timeout", s.Work.StorageTimeout},
	} {
		if !s.Lock.Kind.lacks(t.key) {
			s.mustFallOnGrid(&w, t.key, t.d)
		}
	}
	w.must(s.Lock.Retry.Min == s.Lock.Retry.Max, "lock.retry", "the wait is drawn between %s and %s; give one value", s.Lock.Retry.Min, s.Lock.Retry.Max)
	w.must(s.Work.Work.Min == s.Work.Work.Max, "work.work", "it is drawn between %s and %s; give one value", s.Work.Work.Min, s.Work.Work.Max)
	w.must(s.Work.Think.Min == s.Work.Think.Max, "work.think", "it is drawn between %s and %s; give one value", s.Work.Think.Min, s.Work.Think.Max)
	return w
}

// mustFallOnGrid refuses a time that is no multiple of the tick.
func (s *Scenario) mustFallOnGrid(w *problems, key string, d time.Duration) {
	tick := s.Network.Tick
	if tick <= 0 || d%tick == 0 {
		return
	}
	w.must(false, key, "%s does not fall on the grid of %s; give %s or %s", d, tick, d-d%tick, d-d%tick+tick)
}

// checkTick refuses a grid on which messages don't travel.
func (s *Scenario) checkTick(w *problems) {
	tick, l := s.Network.Tick, s.Network.Latency
	w.must(tick >= 0, "network.tick", "%s is negative; give 0s for no grid", tick)
	if tick <= 0 {
		return
	}
	w.must(tick >= tickLeast, "network.tick", "%s is too short: what a client does between two messages must fit into it; give %s or more", tick, tickLeast)
	w.must(l.Min == l.Max && l.Min >= tick && l.Min%tick == 0, "network.latency",
		"%s is no multiple of network.tick, which is %s; give one such as %s..%s", writeRange(l), tick, tick, tick)
}

// tickLeast is the shortest tick. A step costs gridStep, and between two messages a client makes few dozen.
const (
	tickLeast = 200 * time.Microsecond
	gridStep  = time.Microsecond
)

// checkExplore refuses words that can't be read.
func (s *Scenario) checkExplore(w *problems) {
	x := &s.Explore
	w.must(!x.Unbounded || x.Deviations == 0, "explore.deviations", "with unbounded there is no bound to give; leave it out")
	w.must(x.Deviations <= 0 && !x.Unbounded || len(x.Late) > 0 || x.Behind || x.Lost, "explore.deviations", "no message may be late, behind or lost; give late, behind or lost, or 0 here")
	w.must(x.Most <= 0 || len(x.Faults)+len(x.Once) > 0, "explore.most", "there are no faults to strike; give faults, or 0 here")
	for i, v := range x.Late {
		d, err := time.ParseDuration(string(v))
		key := yamlform.Item("explore.late", i)
		w.must(err == nil && d > 0, key, "%q is no time after the right one; give one such as 1ms", v)
		if err == nil {
			s.mustFallOnGrid(w, key, d)
		}
	}
	for _, list := range []struct {
		key string
		all []Value
	}{{"explore.faults", x.Faults}, {"explore.once", x.Once}} {
		for i, v := range list.all {
			if _, err := s.Explorers(v); err != nil {
				w.must(false, yamlform.Item(list.key, i), "%v", err)
			}
		}
	}
	w.must(len(x.Once) <= onceMost, "explore.once", "there are %d lines; give %d at most", len(x.Once), onceMost)
	for i, v := range x.Breaks {
		if !isPromise(string(v)) {
			w.must(false, yamlform.Item("explore.breaks", i), "%s", noPromise(string(v)))
		}
	}
}

// ExpectedExploring returns the verdict that the scenario expects of a promise when it is explored.
func (s *Scenario) ExpectedExploring(promise string) checker.Verdict {
	if slices.Contains(s.Explore.Breaks, Value(promise)) {
		return checker.Violated
	}
	return s.Expected(promise)
}

// onceMost is how many lines of Explore.Once there may be: a schedule has a bit for each.
const onceMost = 16

// Explorers returns the faults that a line of Explore.Faults stands for, one for each host, to strike at the start of the run.
func (s *Scenario) Explorers(line Value) (all faults.Schedule, err error) {
	parsed, err := faults.Parse("at 0s " + string(line))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%q is no fault: %w", line, err)
	case len(parsed) != 1:
		return nil, fmt.Errorf("%q is no fault; give one such as pause clients for 30ms", line)
	}
	f := parsed[0]
	if f.Kind.Links || f.Host == "" {
		return nil, fmt.Errorf("%q strikes links; late, behind and lost say what may happen to messages", line)
	}
	cast := s.Cast()
	switch f.Host {
	case faults.Clients, faults.AClient:
		all = onEach(f, cast.Clients)
	case faults.Nodes, faults.ANode:
		all = onEach(f, cast.Nodes)
	case faults.All:
		all = onEach(f, slices.Concat(cast.Nodes, cast.Clients, cast.Others))
	default:
		all = faults.Schedule{f}
	}
	for i := range all { // what is wrong with one is wrong with each
		if err := all[i:i+1].Check(cast, s.Horizon); err != nil {
			return nil, err
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%q strikes nobody: there are %s alone", line, strings.Join(s.Hosts(), ", "))
	}
	if !slices.Contains(s.Hosts(), all[0].Host) {
		return nil, fmt.Errorf("%q strikes whoever has that part when it strikes; give clients, nodes, all or one of %s", line, strings.Join(s.Hosts(), ", "))
	}
	return all, nil
}

func onEach(f faults.Fault, hosts []string) (all faults.Schedule) {
	for _, h := range hosts {
		f.Host = h
		all = append(all, f)
	}
	return all
}

// NodesAlike reports whether nodes can change their places without any difference to a lock: it asks all of them side by side,
// passes no mark while it asks one, at which that one would differ from the others, and none counts tokens.
func (s *Scenario) NodesAlike() bool {
	l := &s.Lock
	return l.Contact == locks.Parallel && l.Counted == locks.AtTheEnd && l.Take != locks.GetThenSet && l.Take != locks.SetNXThenExpire &&
		l.Free != locks.GetThenDelete && l.New == nil && (l.Kind == Redlock || l.Kind == Single) && s.Nodes == s.LockNodes() && s.Nodes > 1 && s.Fencing.Source != OnNode && len(s.Clocks) == 0 &&
		s.platform() == platform.Redis
}
