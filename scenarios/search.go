package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
	"github.com/lockstorm/lockstorm/sim"
)

// DefaultSearch returns the search for a scenario that has none: every class of faults that can strike, within three times the TTL, or within
// half of the horizon.
func (s *Scenario) DefaultSearch() Search {
	search := Search{Most: 6, Within: min(3*s.Lock.TTL, s.Horizon/2)}
	cast := s.Cast()
	for _, c := range faults.Classes() {
		if slices.ContainsFunc(c.Kinds(), func(k *faults.Kind) bool { return k.Possible(&cast) }) {
			search.Faults = append(search.Faults, c.Name)
		}
	}
	return search
}

// Universes are what the seeds draw of a scenario's Search.
type Universes struct {
	scenario Scenario
	choices  []preparedChoice
}

// A preparedChoice is a choice whose setting and values have been looked up.
type preparedChoice struct {
	Setting
	from, to, unit int64   // in a range
	of             []Value // else
}

// Universes returns what the seeds draw. The scenario must have passed Check.
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
	return &u
}

// At returns the scenario with what a seed draws: another schedule, after the faults that it has anyway, and other settings.
// It is a pure function, and its scenario passes Check. Without a Search it is the scenario itself.
func (u *Universes) At(seed uint64) Scenario {
	s, search := u.scenario, u.scenario.Search
	s.Search = Search{}
	for i := range u.choices {
		c := sim.NewChance(seed, "universe/"+u.choices[i].Key)
		u.choices[i].redraw(&s, &c)
	}
	if len(search.Faults) == 0 || search.Most == 0 {
		return s
	}
	c := sim.NewChance(seed, "universe/faults")
	drawn := s
	drawn.Faults = append(slices.Clip(s.Faults), s.withoutRefused(s.storm(search).Draw(&c, s.strikable(search.Spare)))...)
	if drawn.Check() == nil { // else its own faults and those ask too much of a clock
		s = drawn
	}
	return s
}

// Storm returns what may strike in one of the universes, and whom, besides the faults that the scenario has anyway.
func (u *Universes) Storm(s *Scenario) (faults.Storm, faults.Cast) {
	search := u.scenario.Search
	return s.storm(search), s.strikable(search.Spare)
}

// Own returns how many faults each universe has before those that are drawn.
func (u *Universes) Own() int { return len(u.scenario.Faults) }

// Settings returns how many settings vary.
func (u *Universes) Settings() int { return len(u.choices) }

// Redraw draws the i-th setting that varies anew. It returns false if the value does not go with the rest of the universe.
func (u *Universes) Redraw(s *Scenario, i int, c *sim.Chance) bool { return u.choices[i].redraw(s, c) }

// Inner reports whether the i-th setting that varies has a range with values between its ends.
func (u *Universes) Inner(i int) bool { return len(u.choices[i].of) == 0 && u.choices[i].steps() > 1 }

// ToEnd sets the i-th setting that varies, which must be Inner, to an end of its range. It returns false as Redraw does.
func (u *Universes) ToEnd(s *Scenario, i int, c *sim.Chance) bool {
	p := u.choices[i]
	p.unit *= int64(p.steps())
	return p.redraw(s, c)
}

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

// Hold keeps a search from drawing a setting.
func (s *Scenario) Hold(key string) {
	k, _ := Lookup(s, key)
	s.Search.Vary = slices.DeleteFunc(slices.Clone(s.Search.Vary), func(c Choice) bool { return c.Setting == k.Key })
}

// redraw sets the setting to a drawn value. It returns false, and changes nothing, if the value does not go with others.
func (p *preparedChoice) redraw(s *Scenario, c *sim.Chance) bool {
	drawn := *s
	if !p.draw(&drawn, c) || drawn.Check() != nil {
		return false
	}
	*s = drawn
	return true
}

// draw sets the setting to a drawn value. It returns false if that is not possible.
func (p *preparedChoice) draw(s *Scenario, c *sim.Chance) bool {
	if len(p.of) > 0 {
		return p.change(s, string(p.of[c.Below(uint64(len(p.of)))])) == nil
	}
	n := p.from + int64(c.Below(p.steps()+1))*p.unit
	return p.change(s, p.Shown(s, n)) == nil
}

// steps returns how many units lie between the ends of the range.
func (p *preparedChoice) steps() uint64 { return uint64((p.to - p.from) / p.unit) }

// storm returns what may go wrong. Lengths are drawn near the validity and the life of keys too: there a lock may break.
func (s *Scenario) storm(search Search) faults.Storm {
	kinds, _ := faults.KindsOf(search.Faults) // Check has found them
	near := []time.Duration{s.Lock.TTL, s.Lock.Validity(0), s.Lock.Timeout}
	t := s.topology()
	if failover := s.platform().Times(&t).Failover; failover > 0 { // until a master is replaced, and until no lock of its is left
		near = append(near, failover, failover+s.Lock.TTL)
	}
	return faults.Storm{
		Kinds: kinds, Most: search.Most, Span: search.Within, Marks: markNames(strikingMarks), Stays: search.Stays, Near: near, Away: search.Away,
	}
}

// prepare looks up the choice's setting and values, or returns what is wrong with them.
func (c *Choice) prepare(s *Scenario) (p preparedChoice, err error) {
	k, ok := Lookup(s, c.Setting)
	switch {
	case !ok:
		return p, UnknownSetting(s, c.Setting)
	case strings.HasPrefix(c.Setting, "search."):
		return p, errors.New("a search can't vary itself")
	}
	p = preparedChoice{Setting: k, of: c.Of}
	for _, v := range c.Of {
		if trial := *s; err == nil {
			err = k.change(&trial, string(v))
		}
	}
	if len(c.Of) > 0 || err != nil {
		return p, err
	}
	p.unit = 1
	if _, is := k.Number(s); is {
		p.unit = k.Unit(s)
	}
	p.from, p.to, err = c.ends(s, k)
	return p, err
}

// ends returns both ends of the range as numbers.
func (c *Choice) ends(s *Scenario, k Setting) (from, to int64, err error) {
	number := func(v Value) int64 {
		trial := *s
		if bad := k.change(&trial, string(v)); bad != nil && err == nil {
			err = bad
		}
		n, is := k.Number(&trial)
		if !is && err == nil {
			err = fmt.Errorf("%s is not a number; list its values with of", c.Setting)
		}
		return n
	}
	from, to = number(c.From), number(c.To)
	if err == nil && from > to {
		err = fmt.Errorf("%s lies above %s; give the lower end first", c.From, c.To)
	}
	return from, to, err
}

// checkSearch refuses unknown words, and values that a setting does not take.
func (s *Scenario) checkSearch(w *problems) {
	if _, err := faults.KindsOf(s.Search.Faults); err != nil {
		w.must(false, "search.faults", "%v", err)
	}
	w.must(0 <= s.Search.Most && s.Search.Most <= faultsMost, "search.most", "%d is not a number of faults; give 0 to %d", s.Search.Most, faultsMost)
	w.must(0 <= s.Search.Within && s.Search.Within <= s.Horizon, "search.within", "%s is not within the horizon of %s", s.Search.Within, s.Horizon)
	w.must(0 <= s.Search.Away && s.Search.Away <= s.Horizon, "search.away", "%s is not within the horizon of %s", s.Search.Away, s.Horizon)
	for i, who := range s.Search.Spare {
		w.must(who == faults.Nodes || who == faults.Clients, yamlform.Item("search.spare", i), "%q can't be spared; give nodes or clients", who)
	}
	for i := range s.Search.Vary {
		if _, err := s.Search.Vary[i].prepare(s); err != nil {
			w.must(false, yamlform.Item("search.vary", i), "%v", err)
		}
	}
}

// faultsMost is how many faults a search may draw for one run.
const faultsMost = 100
