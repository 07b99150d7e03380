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

// A Complaint says what is wrong with one fault of a schedule.
type Complaint struct {
	Index int    // its place in the schedule; -1 if the cast is wrong
	Word  string // the wrong name in it, if a name is wrong
	Err   error
}

// A nameError is an error about a name.
type nameError struct {
	word string
	error
}

// Check returns what is wrong with the schedule in a run with this cast and horizon; nil if nothing is. It joins all
// Complaints.
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

// Complaints returns the first problem of each fault, in their order.
func (s Schedule) Complaints(cast Cast, horizon time.Duration) (all []Complaint) {
	if err := cast.check(); err != nil {
		return []Complaint{{Index: -1, Err: err}}
	}
	sums := strains{}
	for i := range s {
		if err := s[i].check(&cast, horizon, sums); err != nil {
			var of nameError
			errors.As(err, &of)
			all = append(all, Complaint{i, of.word, err})
		}
	}
	return all
}

// check returns the first problem of a fault. If there is none, it adds the fault's strains to the earlier ones.
func (f *Fault) check(cast *Cast, horizon time.Duration, before strains) error {
	if err := f.complete(); err != nil {
		return err
	}
	if err := cmp.Or(f.known(cast), f.timely(horizon)); err != nil {
		return err
	}
	if f.Kind.check != nil {
		if err := f.Kind.check(f, horizon); err != nil {
			return err
		}
	}
	return before.add(f, cast)
}

// complete rejects a fault that lacks a part without which it would break the run.
func (f *Fault) complete() (err error) {
	switch {
	case f.Kind.Index() < 0:
		return fmt.Errorf("there is no such kind; there are %s", strings.Join(kindNames(), ", "))
	case f.When.Host == "" && f.When != (Mark{}):
		return errors.New("it names a mark without a host; name the host")
	case f.On != "" && f.For == 0:
		return errors.New("it names a clock but no duration; add \"for TIME\"")
	case f.Kind.EndsItself && f.For != 0:
		return fmt.Errorf("a %s ends by itself; leave out \"for TIME\"", f.Kind)
	case f.When.Host != "" && f.When.Name == "":
		return errors.New("it names a host without a mark; add one, such as acquired")
	}
	for _, p := range f.parts() {
		if p.complete != nil {
			err = cmp.Or(err, p.complete(f))
		}
	}
	return err
}

func needs(ok bool, what string) error {
	if ok {
		return nil
	}
	return errors.New(what)
}

// known rejects unknown hosts, roles that no host can fill, and a host in two groups.
func (f *Fault) known(cast *Cast) (err error) {
	if f.When.Host != "" && f.When.Host != Any {
		err = cast.has(f.When.Host, "a mark needs a single host; name it, or write any for any client")
	}
	if f.When.Host != "" {
		err = cmp.Or(err, cast.passes(f.When))
	}
	if f.On != "" {
		err = cmp.Or(err, cast.has(f.On, "the clock needs a single host; name it"))
	}
	for _, at := range f.Hosts() {
		err = cmp.Or(err, cast.fills(*at))
	}
	for _, p := range f.parts() {
		if p.fits != nil && err == nil {
			err = p.fits(f, cast)
		}
	}
	return err
}

// passes rejects a mark that clients never pass.
func (c *Cast) passes(m Mark) error {
	switch {
	case c.Marks == nil:
		return nil
	case m.Host != Any && !slices.Contains(c.Clients, m.Host):
		return nameError{m.Host, fmt.Errorf("%s passes no marks; name a client, or any", m.Host)}
	case !slices.Contains(c.Marks, m.Name):
		return nameError{m.Name, fmt.Errorf("there is no mark %q; there are %s%s",
			m.Name, strings.Join(c.Marks, ", "), Suggest(m.Name, c.Marks))}
	}
	return nil
}

// has rejects a name that no host has, and says what to write instead of a role.
func (c *Cast) has(name, instead string) error {
	switch {
	case slices.Contains(c.all(), name):
		return nil
	case isRole(name) || name == Any:
		return nameError{name, fmt.Errorf("%s can't be used here: %s", name, instead)}
	}
	err := fmt.Errorf("no host is named %q; there are %s%s", name, strings.Join(c.all(), ", "), Suggest(name, roles))
	return nameError{name, err}
}

// fills rejects a word that is no host's name and no role that some host fills.
func (c *Cast) fills(word string) error {
	switch {
	case !isRole(word):
		return c.has(word, "give a host, or a role such as holder")
	case word == Minority && c.minority() == 0:
		return nameError{word, fmt.Errorf("there is no minority of %d nodes; give three nodes or more", len(c.Nodes))}
	case len(c.reach(word)) == 0:
		return nameError{word, errors.New("no host can be " + word + "; name another role")}
	}
	return nil
}

// timely rejects times that never come.
func (f *Fault) timely(horizon time.Duration) error {
	switch {
	case f.At < 0 || f.For < 0 || f.When.After < 0:
		return errors.New("a time is negative")
	case f.When.Nth < 0:
		return errors.New("marks are counted from 1")
	case f.At.Sub(0) > horizon || f.When.After > horizon:
		return fmt.Errorf("it would hit after the run's horizon of %s; give an earlier time", horizon)
	}
	return nil
}

// rateMax and jumpMax bound what a schedule may do to one clock. The other half of the clock's range is left to the
// rate and the reading that hosts begin with.
const (
	rateMax = clock.RateMax / 2
	jumpMax = clock.OffsetMax / 2
)

// something rejects an amount of nothing.
func something(ok bool) error {
	return needs(ok, "an amount of 0 changes nothing; give another amount")
}

// A strain is what the schedule adds to the rate of a clock and to its jumps, without signs.
type strain struct {
	rate clock.Rate
	by   time.Duration
}

// strains has the strain of each host's clock. It is never ranged over.
type strains map[string]strain

// add adds a fault to the strains, or rejects one that asks too much of a clock together with those before it. It adds
// up all faults, as if they were in force together: a mark may bring any two together. A role counts for each host that
// may fill it.
func (s strains) add(f *Fault, cast *Cast) error {
	if f.Kind.strain == nil {
		return nil
	}
	more := f.Kind.strain(f)
	hosts := cast.reach(f.Host)
	for _, host := range hosts {
		if sum := s[host].plus(more); sum.rate > rateMax || sum.by > jumpMax {
			return fmt.Errorf("with those before it, it asks too much of the clock of %s; "+
				"rates may add up to %s, and jumps to %s", host, rateMax, jumpMax)
		}
	}
	for _, host := range hosts {
		s[host] = s[host].plus(more)
	}
	return nil
}

func (s strain) plus(o strain) strain { return strain{s.rate + o.rate, s.by + o.by} }
