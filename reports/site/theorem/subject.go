package theorem

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/explore"
)

// Base is the scenario from which the locks of the theorem's table are made.
const Base = "redlock/small"

// A Hazard is a kind of fault of the table. Its lines have times that depend on how long a lock lives.
type Hazard struct {
	Name  string
	lines []string // with %s for a time from times
	times func(ttl time.Duration) time.Duration
}

func longer(ttl time.Duration) time.Duration  { return ttl + ttl/4 }
func half(ttl time.Duration) time.Duration    { return ttl / 2 }
func exactly(ttl time.Duration) time.Duration { return ttl }
func instant(time.Duration) time.Duration     { return time.Millisecond }
func back(ttl time.Duration) time.Duration    { return ttl * 3 / 4 }

// Hazards are the kinds of faults of the table.
var Hazards = []Hazard{
	{"a pause", []string{"pause clients for %s"}, longer},
	{"a suspension", []string{"suspend clients for %s"}, longer},
	{"a restart", []string{"restart SERVERS for %s"}, instant},
	{"a restart delayed by half the TTL", []string{"restart SERVERS for %s"}, half},
	{restartDelayed, []string{"restart SERVERS for %s"}, exactly},
	{jumpAhead, []string{"jump SERVERS +%s"}, longer},
	{"a step back", []string{"jump clients -%s"}, back},
	{"a drift of 2.5%", []string{"drift SERVERS +25000ppm for %s", "drift clients -25000ppm for %[1]s"}, longer},
	{"a drift of 25%", []string{"drift SERVERS +250000ppm for %s", "drift clients -250000ppm for %[1]s"}, longer},
}

// The kinds; a budget may have one of each.
const (
	restartDelayed = "a restart delayed by the TTL"
	jumpAhead      = "a jump"
)

// Lines returns the faults of a kind as explore takes them, for a lock that lives so long on such servers.
func (s *Hazard) Lines(ttl time.Duration, servers string) (all []string) {
	for _, line := range s.lines {
		all = append(all, fmt.Sprintf(strings.Replace(line, "SERVERS", servers, 1), s.times(ttl)))
	}
	return all
}

// A Budget is how far a run may differ: a number of messages, and each of these faults once.
type Budget struct {
	Messages int
	Hazards  []string // by name
}

// Budgets are the budgets of the table, in its order. They are ordered in part only: see Within.
func Budgets() []Budget {
	all := []Budget{{}, {Messages: 1}, {Messages: 2}, {Messages: 3}}
	for i := range Hazards {
		all = append(all, Budget{0, []string{Hazards[i].Name}}, Budget{1, []string{Hazards[i].Name}})
	}
	both := []string{restartDelayed, jumpAhead}
	return append(all, Budget{0, both}, Budget{1, both})
}

// Size is how many things may go otherwise.
func (b *Budget) Size() int { return b.Messages + len(b.Hazards) }

// Within reports whether each schedule of the budget is one of the other. Of two budgets, neither may be within the
// other: then neither is the weaker.
func (b *Budget) Within(o *Budget) bool {
	return b.Messages <= o.Messages && !slices.ContainsFunc(b.Hazards, func(s string) bool { return !slices.Contains(o.Hazards, s) })
}

// String returns the budget's name.
func (b *Budget) String() string {
	words := slices.Clone(b.Hazards)
	switch {
	case b.Messages > 1:
		words = append([]string{strconv.Itoa(b.Messages) + " messages"}, words...)
	case b.Messages > 0:
		words = append([]string{"1 message"}, words...)
	}
	if len(words) == 0 {
		return "no deviation"
	}
	return strings.Join(words, " and ")
}

// A Subject is a lock of the table, with complete times and settings.
type Subject struct {
	Name string
	campaign.Small
}

// Subjects returns the locks of the table whose names match a glob, in order.
func Subjects(glob string) (all []Subject, err error) {
	for _, v := range campaign.Variants() {
		is, err := path.Match(glob, v.Name)
		if err != nil {
			return nil, fmt.Errorf("%q is not a pattern; * means any text", glob)
		}
		if !is || v.Small == nil {
			continue
		}
		s := Subject{v.Name, *v.Small}
		s.About, s.Work, s.Servers = cmp.Or(s.About, v.About), cmp.Or(s.Work, "14ms"), cmp.Or(s.Servers, "nodes")
		s.TTL, s.Timeout = cmp.Or(s.TTL, 20*time.Millisecond), cmp.Or(s.Timeout, 5*time.Millisecond)
		if s.Set == nil {
			s.Set = v.Set
		}
		all = append(all, s)
	}
	if all == nil {
		return nil, fmt.Errorf("no lock of the table matches %q", glob)
	}
	return all, nil
}

// Budgets returns those that are explored for the subject.
func (s *Subject) Budgets() []Budget {
	return slices.DeleteFunc(Budgets(), func(b Budget) bool { return b.Size() > s.Most })
}

// Settings are what makes the subject of Base.
func (s *Subject) Settings() []string {
	all := slices.Clone(s.Set)
	all = append(all, "work.work="+s.Work+".."+s.Work)
	return all
}

// Args returns the arguments of explore for a budget: the arguments that all budgets of the subject share, and this
// budget's.
func (s *Subject) Args(b *Budget) (base, own []string) {
	x := s.bounds(b)
	base = []string{Base}
	for _, set := range s.Settings() {
		base = append(base, "--set", set)
	}
	base = append(base, "--late", strings.Join(texts(x.Late), ","))
	own = []string{"--deviations", strconv.Itoa(x.Deviations), "--most", strconv.Itoa(x.Most)}
	for _, f := range x.Faults {
		own = append(own, "--fault", string(f))
	}
	for _, f := range x.Once {
		own = append(own, "--once", string(f))
	}
	return base, own
}

func texts(all []scenarios.Value) (out []string) {
	for _, v := range all {
		out = append(out, string(v))
	}
	return out
}

// bounds returns the bounds of an exploration.
func (s *Subject) bounds(b *Budget) (x scenarios.Explore) {
	x.Deviations, x.Most, x.Behind, x.Lost = b.Messages, len(b.Hazards), true, true
	beyond := s.Timeout + time.Millisecond
	x.Late = []scenarios.Value{"1ms", scenarios.Value(beyond.String()), scenarios.Value(longer(s.TTL).String())}
	if s.Late != "" {
		x.Late = append(x.Late, scenarios.Value(s.Late))
	}
	for i := range Hazards {
		if !slices.Contains(b.Hazards, Hazards[i].Name) {
			continue
		}
		for _, line := range Hazards[i].Lines(s.TTL, s.Servers) {
			if len(b.Hazards) > 1 {
				x.Once = append(x.Once, scenarios.Value(line))
			} else {
				x.Faults = append(x.Faults, scenarios.Value(line))
			}
		}
	}
	return x
}

// Scenario returns what is explored for a budget.
func (s *Subject) Scenario(b *Budget) (scenarios.Scenario, error) {
	sc, _ := scenarios.Find(Base)
	if err := sc.SetAll(s.Settings()); err != nil {
		return sc, fmt.Errorf("%s: %w", s.Name, err)
	}
	sc.Explore = s.bounds(b)
	return sc, sc.Check()
}

// A Cell is what was found of a lock within a budget.
type Cell struct {
	Budget Budget
	Report *explore.Report
}

// Extent returns how much was run, and what broke.
func (c *Cell) Extent() *explore.Extent { return c.Report.Extent() }

// Explore explores a subject within a budget.
func (s *Subject) Explore(b Budget, workers int, stop func() bool, did func(schedules int)) (Cell, error) {
	sc, err := s.Scenario(&b)
	if err != nil {
		return Cell{}, err
	}
	u, err := explore.New(&sc, 1, nil)
	if err != nil {
		return Cell{}, fmt.Errorf("%s: %w", s.Name, err)
	}
	x := explore.Exploration{Universe: u, Workers: workers, Stop: stop, Did: func(_, schedules int) { did(schedules) }}
	return Cell{b, x.Run()}, nil
}

// promises returns what the cells of one lock say of each promise.
func promises(cells []Cell) (all []Promise) {
	for i, v := range cells[0].Report.Verdicts {
		var of [3][]Budget
		for k := range cells {
			verdict := cells[k].Report.Verdicts[i].Verdict
			of[verdict] = append(of[verdict], cells[k].Budget)
		}
		p := Promise{Name: v.Property, unknown: of[checker.Unknown],
			breaks: extreme(of[checker.Violated], func(a, b *Budget) bool { return b.Within(a) }),
			holds:  extreme(of[checker.Holds], func(a, b *Budget) bool { return a.Within(b) })}
		p.Breaks, p.Holds, p.Unknown = named(p.breaks), named(p.holds), named(p.unknown)
		all = append(all, p)
	}
	return all
}

// extreme returns the budgets beyond which there is no other.
func extreme(all []Budget, beyond func(a, b *Budget) bool) (best []Budget) {
	for i := range all {
		further := false
		for k := range all {
			further = further || i != k && beyond(&all[i], &all[k])
		}
		if !further {
			best = append(best, all[i])
		}
	}
	return best
}

// worst are the promises whose violation matters most, the worst last.
var worst = []string{"belief", "storage", "fenced"}

// Least returns the worst promise that breaks within the budget at the head of a column of the grid, and a shortest
// schedule that breaks it; "" for none. It changes one message at most: two or three take too long.
func (s *Subject) Least(head string) (property, schedule string, err error) {
	for _, b := range s.Budgets() {
		if shortBudget(&Explored{Budget: b.String(), Messages: b.Messages, Faults: b.Hazards}) != head {
			continue
		}
		b.Messages = min(b.Messages, 1)
		c, err := s.Explore(b, 1, func() bool { return false }, func(int) {})
		if err != nil {
			return "", "", err
		}
		for _, v := range c.Report.Verdicts {
			worse := property == "" || slices.Index(worst, v.Property) > slices.Index(worst, property)
			if v.Verdict == checker.Violated && worse {
				property, schedule = v.Property, v.Schedule.String()
			}
		}
		return property, schedule, nil
	}
	return "", "", fmt.Errorf("%s has no budget %q", s.Name, head)
}
