package faults

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A Complaint is what is wrong with one fault of a schedule.
type Complaint struct {
	Index int    // its place in the schedule; -1 if the cast is wrong
	Word  string // the name in it that is wrong, if it is one
	Err   error
}

// A misnomer is an error about a name.
type misnomer struct {
	word string
	error
}

// Check tells what is wrong with the schedule in a run that has this cast and this horizon; nil when nothing is. It joins
// all Complaints.
func (s Schedule) Check(cast Cast, horizon time.Duration) error {
	var all []error
	for _, c := range s.Complaints(cast, horizon) {
		if c.Index < 0 {
			all = append(all, c.Err)
			continue
		}
		all = append(all, fmt.Errorf("fault %d (%s): %w", c.Index+1, s[c.Index], c.Err))
	}
	return errors.Join(all...)
}

// Complaints tells the first thing that is wrong with each fault, in their order. It is empty when nothing is.
func (s Schedule) Complaints(cast Cast, horizon time.Duration) (all []Complaint) {
	if err := cast.sound(); err != nil {
		return []Complaint{{Index: -1, Err: err}}
	}
	strained := strains{}
	for i, f := range s {
		err := cmp.Or(f.complete(), f.known(&cast), f.timely(horizon), f.sound(horizon))
		if err == nil {
			err = strained.bear(f, &cast)
		}
		if err != nil {
			var of misnomer
			errors.As(err, &of)
			all = append(all, Complaint{i, of.word, err})
		}
	}
	return all
}

// complete refuses a fault that lacks a part without which it can't happen. Such a fault would break the run.
func (f Fault) complete() error {
	switch {
	case int(f.Kind) >= len(kinds):
		return fmt.Errorf("there is no such kind; there are %s", strings.Join(kinds[:], ", "))
	case f.When.Host == "" && f.When != (Mark{}):
		return errors.New("it waits for a mark, but not on any host; say whose")
	case f.On != "" && f.For == 0:
		return errors.New("it names a clock for its end, but has no end; say for how long it lasts")
	case f.Kind == Slew && f.For != 0:
		return errors.New("a slew ends when it is done; leave out for how long it lasts")
	case f.When.Host != "" && f.When.Name == "":
		return errors.New("it waits for a mark without a name; say which, such as acquired")
	}
	switch f.Kind {
	case Cut, Hold, Slow, Lossy:
		return needs(f.From != "" && f.To != "", "it names no link to strike; give both ends")
	case Partition:
		return f.parting()
	}
	return needs(f.Host != "", "it names no host to strike")
}

// parting refuses a partition that doesn't say who is parted from whom.
func (f Fault) parting() error {
	switch {
	case int(f.Shape) >= len(shapes):
		return fmt.Errorf("there is no such shape; there are %s", strings.Join(shapes[:], ", "))
	case f.Shape == Isolate:
		return needs(f.Host != "", "it names no host to isolate")
	case f.Shape != Grouped:
		return nil
	}
	whole := len(f.Groups) > 1 && !slices.ContainsFunc(f.Groups, func(g []string) bool { return len(g) == 0 })
	return needs(whole, "a partition needs two groups or more, and a host in each")
}

func needs(ok bool, what string) error {
	if ok {
		return nil
	}
	return errors.New(what)
}

// known refuses hosts that are not there, roles that nobody can fill, and a host that stands in two groups.
func (f Fault) known(cast *Cast) (err error) {
	if f.When.Host != "" && f.When.Host != Any {
		err = cast.has(f.When.Host, "a mark is passed by one host; give its name, or any for any client")
	}
	if f.When.Host != "" {
		err = cmp.Or(err, cast.passes(f.When))
	}
	if f.On != "" {
		err = cmp.Or(err, cast.has(f.On, "the clock is that of one host; give its name"))
	}
	for _, word := range f.words() {
		err = cmp.Or(err, cast.fills(word))
	}
	if err == nil && f.Kind == Partition {
		err = f.fits(cast)
	}
	return err
}

// passes refuses a mark that is never passed.
func (c *Cast) passes(m Mark) error {
	switch {
	case c.Marks == nil:
		return nil
	case m.Host != Any && !slices.Contains(c.Clients, m.Host):
		return misnomer{m.Host, fmt.Errorf("%s passes no marks; give a client, or any", m.Host)}
	case !slices.Contains(c.Marks, m.Name):
		return misnomer{m.Name, fmt.Errorf("there is no mark %q; there are %s%s", m.Name, strings.Join(c.Marks, ", "), Suggest(m.Name, c.Marks))}
	}
	return nil
}

// has refuses a name that no host has, and says what to give instead of a role.
func (c *Cast) has(name, instead string) error {
	switch {
	case slices.Contains(c.all(), name):
		return nil
	case isRole(name) || name == Any:
		return misnomer{name, fmt.Errorf("%s can't stand here: %s", name, instead)}
	}
	return misnomer{name, fmt.Errorf("no host is named %q; there are %s%s", name, strings.Join(c.all(), ", "), Suggest(name, roles))}
}

// fills refuses a word that is neither a host's name nor a role that somebody fills.
func (c *Cast) fills(word string) error {
	switch {
	case !isRole(word):
		return c.has(word, "give a host, or a role such as holder")
	case word == Minority && c.minority() == 0:
		return misnomer{word, fmt.Errorf("a minority of %d is nobody; it takes three nodes", len(c.Nodes))}
	case len(c.reach(word)) == 0:
		return misnomer{word, errors.New("there is nobody to be " + word)}
	}
	return nil
}

// fits refuses a partition that parts nobody, or that would part a host from itself.
func (f Fault) fits(cast *Cast) error {
	switch f.Shape {
	case Split:
		return needs(cast.minority() > 0 || len(cast.Clients) > 1, "there is nobody to split off; it takes three nodes, or two clients")
	case Ring, Bridge:
		return needs(len(cast.Nodes) > 2, "it takes three nodes")
	}
	words := f.words()
	for i, b := range words {
		for _, a := range words[:i] {
			switch {
			case a == b && a != ANode && a != AClient: // which are drawn each for itself
				return misnomer{a, fmt.Errorf("host %s stands in it twice", a)}
			case cast.covers(a, b):
				return misnomer{b, fmt.Errorf("%s stands in it twice, for it is one of %s", b, a)}
			case cast.covers(b, a):
				return misnomer{a, fmt.Errorf("%s stands in it twice, for it is one of %s", a, b)}
			}
		}
	}
	return nil
}

// covers tells whether a role stands for all that another word may stand for.
func (c *Cast) covers(role, word string) bool {
	if role != Nodes && role != Clients && role != All {
		return false
	}
	those := c.reach(role)
	return !slices.ContainsFunc(c.reach(word), func(name string) bool { return !slices.Contains(those, name) })
}

// timely refuses times that never come.
func (f Fault) timely(horizon time.Duration) error {
	switch {
	case f.At < 0 || f.For < 0 || f.When.After < 0:
		return errors.New("a time is negative")
	case f.When.Nth < 0:
		return errors.New("marks are counted from 1")
	case f.At.Sub(0) > horizon || f.When.After > horizon:
		return fmt.Errorf("it strikes after the run's horizon of %s", horizon)
	}
	return nil
}

// rateMax and jumpMax bound what the schedule may do to one clock in all. The other half of what a clock bears is left to
// the rate and the reading that hosts begin with.
const (
	rateMax = clock.RateMax / 2
	jumpMax = clock.OffsetMax / 2
)

// A strobe makes an event each time it steps the clock. One that is too fast, or too many of them, would leave a run
// little else to do.
const (
	everyLeast = time.Millisecond
	strobeMost = 100_000 // steps of one clock
)

// sound refuses amounts that mean nothing.
func (f Fault) sound(horizon time.Duration) error {
	switch f.Kind {
	case Jump:
		return cmp.Or(something(f.By != 0), needs(-jumpMax <= f.By && f.By <= jumpMax, "a clock jumps by at most "+jumpMax.String()))
	case Drift:
		return cmp.Or(something(f.Rate != 0), needs(-rateMax <= f.Rate && f.Rate <= rateMax, "a clock drifts by at most "+rateMax.String()))
	case Slew:
		return cmp.Or(needs(0 < f.Rate && f.Rate <= rateMax, "a clock is slewed at more than 0 and at most "+rateMax.String()),
			something(f.By != 0))
	case Strobe:
		return f.soundStrobe(horizon)
	case Slow, SlowNode:
		return cmp.Or(something(f.By != 0), needs(f.By > 0, "a message can't take less time than the link gives it"),
			needs(f.By <= horizon, fmt.Sprintf("no message would arrive within the run's horizon of %s; cut the link instead", horizon)))
	case Lossy:
		return cmp.Or(something(f.Loss != 0), needs(0 < f.Loss && f.Loss <= 1_000_000, "a share in millionths is from 0 to 1000000"))
	}
	return nil
}

// something refuses an amount of nothing.
func something(ok bool) error { return needs(ok, "by nothing is no fault; say by how much") }

// soundStrobe refuses a strobe that does nothing, or too much.
func (f Fault) soundStrobe(horizon time.Duration) error {
	lasts := horizon
	if f.For > 0 && f.On == "" {
		lasts = min(lasts, f.For)
	}
	steps := lasts / max(f.Every, 1)
	return cmp.Or(something(f.By != 0), needs(0 < f.By && f.By <= jumpMax, "a clock is stepped forth by more than 0 and by at most "+jumpMax.String()),
		needs(f.Every >= everyLeast, "the clock is stepped too often; give "+everyLeast.String()+" or more"),
		needs(steps <= strobeMost, fmt.Sprintf("it would step the clock %d times, and %d are enough; give it an end, or step less often", steps, strobeMost)))
}

// A strain is how much the schedule adds to the rate of a clock and to its jumps, either way.
type strain struct {
	rate clock.Rate
	by   time.Duration
}

// strains has the strain of each host's clock. It is looked up, and never ranged over.
type strains map[string]strain

// bear adds a fault to the strains, or refuses one that asks too much of a clock together with those before it. All of
// them are added up, as if they were in force at once: a mark may bring any two together. And a role counts for each host
// that may fill it.
func (s strains) bear(f Fault, cast *Cast) error {
	more := f.strain()
	if more == (strain{}) {
		return nil
	}
	hosts := cast.reach(f.Host)
	for _, host := range hosts {
		if sum := s[host].plus(more); sum.rate > rateMax || sum.by > jumpMax {
			return fmt.Errorf("with those before it, it asks too much of the clock of %s; rates may add up to %s, and jumps to %s",
				host, rateMax, jumpMax)
		}
	}
	for _, host := range hosts {
		s[host] = s[host].plus(more)
	}
	return nil
}

func (s strain) plus(o strain) strain { return strain{s.rate + o.rate, s.by + o.by} }

// strain is what the fault adds.
func (f Fault) strain() strain {
	switch f.Kind {
	case Drift, Slew:
		return strain{rate: max(f.Rate, -f.Rate)}
	case Jump, Strobe:
		return strain{by: max(f.By, -f.By)}
	}
	return strain{}
}

// words lists the names and roles that the fault strikes.
func (f Fault) words() []string {
	switch f.Kind {
	case Cut, Hold, Slow, Lossy:
		return []string{f.From, f.To}
	case Partition:
		if f.Shape == Grouped {
			return slices.Concat(f.Groups...)
		}
		if f.Shape != Isolate {
			return nil
		}
	}
	return []string{f.Host}
}
