package scenarios

import (
	"slices"
	"strconv"
	"time"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/faults/size"
	"github.com/lockstorm/lockstorm/sim"
)

// DefaultSearch returns the search for a scenario without one: all possible faults, within three TTLs or half the
// horizon.
func (s *Scenario) DefaultSearch() Search {
	search := Search{Most: 6, Within: min(3*s.Lock.TTL, s.Horizon/2)}
	cast := s.Cast()
	for _, c := range faults.Common() {
		if slices.ContainsFunc(c.Kinds(), func(k *faults.Kind) bool { return k.Possible(&cast) }) {
			search.Faults = append(search.Faults, c.Name)
		}
	}
	return search
}

// Universes are what the seeds choose in a scenario's Search.
type Universes struct {
	scenario Scenario
	choices  []preparedChoice
	lines    []size.Line
}

// Universes returns what the seeds choose. The scenario must have passed Check.
func (s *Scenario) Universes() *Universes {
	u := Universes{scenario: *s}
	u.scenario.Mutants, u.scenario.Bounds = nil, nil
	u.scenario.Search.Vary = nil
	for _, c := range s.Search.Vary {
		p, err := c.prepare(s)
		if err != nil {
			panic("scenarios: " + err.Error()) // Check has prepared it
		}
		u.choices = append(u.choices, p)
	}
	for _, text := range s.Search.Draw {
		l, err := size.ParseLine(text)
		if err != nil {
			panic("scenarios: " + err.Error()) // Check has read it
		}
		u.lines = append(u.lines, l)
	}
	return &u
}

// At returns the scenario with the choices of a seed: another schedule, after the faults that it has anyway, and other
// settings. It is a pure function, and its scenario passes Check. Without a Search it returns the scenario itself.
func (u *Universes) At(seed uint64) Scenario {
	s, search := u.scenario, u.scenario.Search
	s.Search = Search{}
	for i := range u.choices {
		c := sim.NewChance(seed, "universe/"+u.choices[i].Key)
		u.choices[i].redraw(&s, &c)
	}
	u.drawLines(&s, seed, search.Within)
	if len(search.Faults) == 0 || search.Most == 0 {
		return s
	}
	c := sim.NewChance(seed, "universe/faults")
	drawn := s
	drawn.Faults = append(slices.Clip(s.Faults),
		s.withoutRefused(s.storm(search).Draw(&c, s.strikable(search.Spare)))...)
	drawn.stated = len(u.scenario.Faults)
	if drawn.Check() == nil { // else its own faults and those ask too much of a clock
		s = drawn
	}
	return s
}

// drawLines adds the random faults of the search's lines. The chance of a line is named after its text and its number
// among equal lines, so that no line affects another. It leaves out a fault that does not fit the rest.
func (u *Universes) drawLines(s *Scenario, seed uint64, within time.Duration) {
	for i, l := range u.lines {
		text, same := l.String(), 0
		for _, o := range u.lines[:i] {
			if o.String() == text {
				same++
			}
		}
		c := sim.NewChance(seed, "universe/draw/"+text+"/"+strconv.Itoa(same))
		for _, f := range s.withoutRefused(l.Draw(&c, within, faultsMost)) {
			drawn := *s
			if drawn.Faults = append(slices.Clip(s.Faults), f); drawn.faultsProblem() == "" &&
				len(drawn.Faults) <= faultsMax {
				s.Faults, s.lines = drawn.Faults, append(s.lines, i)
			}
		}
	}
	if len(u.lines) > 0 {
		s.stated = len(u.scenario.Faults)
	}
}

// StateFaults turns random faults into faults of the scenario, as they are once it is written to a file.
func (s *Scenario) StateFaults() { s.stated, s.lines = 0, nil }

// HitLines returns the places in search.draw of the lines with a fault that hit in the run and changed something.
func (r *Result) HitLines() (all []int) {
	s := r.Scenario
	for _, strike := range r.Evidence.Strikes {
		if i := strike.Index - s.stated; !strike.Idle && !strike.Slight && 0 <= i && i < len(s.lines) {
			all = append(all, s.lines[i])
		}
	}
	return all
}

// Storm returns which faults may hit in one of the universes, and which hosts, in addition to the scenario's own.
func (u *Universes) Storm(s *Scenario) (faults.Storm, faults.Cast) {
	search := u.scenario.Search
	return s.storm(search), s.strikable(search.Spare)
}

// Settings returns how many settings vary.
func (u *Universes) Settings() int { return len(u.choices) }

// Redraw redraws the i-th setting that varies. It returns false if the value does not fit the universe.
func (u *Universes) Redraw(s *Scenario, i int, c *sim.Chance) bool { return u.choices[i].redraw(s, c) }

func (s *Scenario) strikable(spare []string) faults.Cast {
	cast := s.Cast()
	for _, who := range spare {
		switch who {
		case faults.Nodes:
			cast.Nodes, cast.Others = nil, nil
		case faults.Clients:
			cast.Clients = nil
		}
	}
	return cast
}

// redraw sets the setting to a random value. It returns false, and changes nothing, if the value does not fit.
func (p *preparedChoice) redraw(s *Scenario, c *sim.Chance) bool {
	drawn := *s
	if !p.draw(&drawn, c) || drawn.Check() != nil {
		return false
	}
	*s = drawn
	return true
}

func (p *preparedChoice) draw(s *Scenario, c *sim.Chance) bool {
	if len(p.of) > 0 {
		return p.change(s, string(p.of[c.Below(uint64(len(p.of)))])) == nil
	}
	n := p.from + int64(c.Below(uint64((p.to-p.from)/p.unit)+1))*p.unit
	return p.change(s, p.Shown(s, n)) == nil
}

// storm returns what may go wrong. Lengths are often near the validity and the life of keys, where a lock may break.
func (s *Scenario) storm(search Search) faults.Storm {
	kinds, _ := faults.KindsOf(search.Faults) // Check has found them
	near := []time.Duration{s.Lock.TTL, s.Lock.Validity(0), s.Lock.Timeout}
	t := s.topology()
	if failover := s.platform().Times(&t).Failover; failover > 0 { // until a master is replaced, and until no lock of its is left
		near = append(near, failover, failover+s.Lock.TTL)
	}
	return faults.Storm{
		Kinds: kinds, Most: search.Most, Span: search.Within, Stays: search.Stays, Near: near, Away: search.Away,
		Marks: allMarks[:strikingMarks:strikingMarks],
	}
}
