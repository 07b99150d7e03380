package explore

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A Universe is what is explored: a scenario on a grid, and what may go otherwise in a run of it. Begin with New.
type Universe struct {
	whole      scenarios.Scenario // as it was given
	scenario   scenarios.Scenario // without Explore
	seed       uint64
	hosts      []string        // clients, nodes and storage, in the order of a trace
	late       []time.Duration // how much later a message may be, in order; 1ns is behind its tick
	lost       bool
	strikes    faults.Schedule // the faults that can hit, at one host each
	once       []uint64        // for each of these, the bit of its line if it hits at most once
	ticks      bool
	unbounded  bool // there may be any number of deviations of messages
	deviations int
	most       int
	watched    []int // of checker.Properties
	alike      int   // nodes that can change their places
	merging    bool
	recording  bool // states are recorded, though no run ends at one
	running    bool // run every schedule, even if it would end immediately
}

// behind is the extra delay of a message that arrives behind every other message of its tick.
const behind = time.Nanosecond

// New returns the universe of a scenario that passed Check. Properties are the ones to watch; an empty list means all
// promises of safety.
func New(s *scenarios.Scenario, seed uint64, properties []string) (*Universe, error) {
	if err := s.Explorable(); err != nil {
		return nil, err
	}
	x := &s.Explore
	u := &Universe{
		whole: *s, scenario: *s, seed: seed, hosts: s.Hosts(), merging: true,
		lost: x.Lost, ticks: x.Ticks, deviations: x.Deviations, most: x.Most,
	}
	u.scenario.Explore, u.scenario.Search = scenarios.Explore{}, scenarios.Search{}
	u.scenario.Mutants, u.scenario.Bounds = nil, nil
	if x.Unbounded {
		u.unbounded, u.deviations = true, math.MaxInt-x.Most
	}
	if x.Behind {
		u.late = append(u.late, behind)
	}
	u.late = append(u.late, x.LateTimes()...)
	if s.NodesAlike() {
		u.alike = s.Nodes
	}
	for i, line := range slices.Concat(x.Faults, x.Once) {
		all, err := s.Explorers(line)
		if err != nil {
			return nil, fmt.Errorf("explore.faults: %w", err)
		}
		bit := uint64(0)
		if i >= len(x.Faults) {
			bit = 1 << (i - len(x.Faults))
		}
		for _, f := range all {
			u.strikes, u.once = append(u.strikes, f), append(u.once, bit)
		}
		if n := nodesOf(all, s); n > 0 && n < s.Nodes { // a node that alone has a fault is like no other
			u.alike = 0
		}
	}
	if err := u.watch(properties); err != nil {
		return nil, err
	}
	return u, nil
}

// Proves returns an error if an exploration would show nothing. That is so if nothing can deviate, or if even without
// deviations clients never acquire the lock as the scenario requires. Other required events may happen in some
// schedules only.
func (u *Universe) Proves() error {
	if u.Levels() == 0 {
		return errors.New("explore: there is only one schedule within these limits; allow a changed message or a fault")
	}
	for _, f := range scenarios.Run(u.scenario, u.seed).Seen {
		if f.Verdict == checker.Violated && slices.Contains([]string{"acquired", "acquired-by-two"}, f.Property) {
			return fmt.Errorf("sometimes: %s never happens in the run without changes, so the exploration would prove "+
				"nothing; change the scenario", f.Property)
		}
	}
	return nil
}

// nodesOf returns how many of the faults hit nodes.
func nodesOf(all faults.Schedule, s *scenarios.Scenario) (n int) {
	nodes := s.Cast().Nodes
	for _, f := range all {
		if slices.Contains(nodes, f.Host) {
			n++
		}
	}
	return n
}

// watch sets the properties to watch. Promises of liveness can't be watched: whether they hold depends on when faults
// ended, and equal states can differ in that.
func (u *Universe) watch(names []string) error {
	for i, p := range u.scenario.Promises() {
		if len(names) == 0 && !p.Liveness || slices.Contains(names, p.Name) {
			u.watched = append(u.watched, i)
		}
	}
	for _, name := range names {
		switch p, known := checker.Lookup(name); {
		case p.Liveness:
			return fmt.Errorf("%s is about progress, which an exploration does not judge; name another promise", name)
		case !known || p.Sometimes:
			return fmt.Errorf("there is no promise %q%s", name, faults.Suggest(name, promises()))
		}
	}
	return nil
}

func promises() (names []string) {
	for _, p := range new(scenarios.Scenario).Promises() {
		names = append(names, p.Name)
	}
	return names
}

// Levels is how many deviations and faults a schedule has at most.
func (u *Universe) Levels() int { return u.deviations + u.most }

// Grid describes a universe, a line each: its hosts, its times, and what may go otherwise.
func Grid(s *scenarios.Scenario) []string {
	x, tick := &s.Explore, s.Network.Tick
	lines := []string{
		fmt.Sprintf("clients %d, work.cycles %d, nodes %d, persistence %s, lock.kind %s, lock.ttl %s, lock.timeout %s",
			s.Clients, s.Work.Cycles, s.Nodes, s.Persistence, s.Lock.Kind, s.Lock.TTL, s.Lock.Timeout),
		fmt.Sprintf("a tick is %s, and a message takes %s", tick, s.Network.Latency.Min),
	}
	var words []string
	if x.Behind {
		words = append(words, "last in its tick")
	}
	for _, v := range x.Late {
		words = append(words, "late by "+string(v))
	}
	if x.Lost {
		words = append(words, "lost")
	}
	if len(words) > 0 {
		of := fmt.Sprintf("up to %d", x.Deviations)
		if x.Unbounded {
			of = "any number"
		}
		lines = append(lines, fmt.Sprintf("a message may be %s: %s of them", strings.Join(words, ", or "), of))
	}
	if len(x.Faults)+len(x.Once) > 0 {
		at := "at any mark"
		if x.Ticks {
			at = "at any mark or tick"
		}
		words = words[:0]
		for _, v := range x.Faults {
			words = append(words, string(v))
		}
		for _, v := range x.Once {
			words = append(words, string(v)+" once")
		}
		lines = append(lines, fmt.Sprintf("%s: up to %d, %s", strings.Join(words, ", or "), x.Most, at))
	}
	return lines
}
