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

// Check tells what is wrong with the schedule in a run that has these hosts and this horizon; nil when nothing is.
func (s Schedule) Check(hosts []string, horizon time.Duration) error {
	for i, f := range s {
		err := cmp.Or(f.complete(), f.known(hosts), f.timely(horizon), f.sound(horizon))
		if err == nil {
			err = s[:i].bears(f)
		}
		if err != nil {
			return fmt.Errorf("fault %d (%s): %w", i+1, f, err)
		}
	}
	return nil
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
	case f.When.Host != "" && f.When.Name == "":
		return errors.New("it waits for a mark without a name; say which, such as acquired")
	}
	switch f.Kind {
	case Pause, Restart, Jump, Drift, Slew:
		return needs(f.Host != "", "it names no host to strike")
	case Cut, Hold, Slow, Lossy:
		return needs(f.From != "" && f.To != "", "it names no link to strike; give both ends")
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

// known refuses hosts that are not there, and one that stands in two groups.
func (f Fault) known(hosts []string) error {
	for _, name := range f.names() {
		if !slices.Contains(hosts, name) {
			return fmt.Errorf("no host is named %q; there are %s", name, strings.Join(hosts, ", "))
		}
	}
	if twice := repeated(f.Groups); twice != "" {
		return fmt.Errorf("host %s stands in it twice", twice)
	}
	return nil
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

// sound refuses amounts that mean nothing.
func (f Fault) sound(horizon time.Duration) error {
	switch {
	case f.Kind == Jump && (f.By > jumpMax || f.By < -jumpMax):
		return fmt.Errorf("a clock jumps by at most %s", jumpMax)
	case f.Kind == Drift && (f.Rate > rateMax || f.Rate < -rateMax):
		return fmt.Errorf("a clock drifts by at most %s", rateMax)
	case f.Kind == Slew && (f.Rate <= 0 || f.Rate > rateMax):
		return fmt.Errorf("a clock is slewed at more than 0 and at most %s", rateMax)
	case (f.Kind == Jump || f.Kind == Slew || f.Kind == Slow) && f.By == 0, f.Kind == Drift && f.Rate == 0,
		f.Kind == Lossy && f.Loss == 0:
		return errors.New("by nothing is no fault; say by how much")
	case f.Kind == Slow && f.By < 0:
		return errors.New("a message can't take less time than the link gives it")
	case f.Kind == Slow && f.By > horizon:
		return fmt.Errorf("no message would arrive within the run's horizon of %s; cut the link instead", horizon)
	case f.Kind == Lossy && (f.Loss < 0 || f.Loss > 1_000_000):
		return errors.New("a share in millionths is from 0 to 1000000")
	}
	return nil
}

// bears refuses a fault that asks too much of a clock together with those before it, which must have passed. All of them
// are added up, as if they were in force at once: a mark may bring any two together.
func (s Schedule) bears(f Fault) error {
	rate, by := f.strain()
	for _, o := range s {
		if o.Host == f.Host {
			r, b := o.strain()
			rate, by = rate+r, by+b
			if rate > rateMax || by > jumpMax {
				return fmt.Errorf("with those before it, it asks too much of the clock of %s; rates may add up to %s, and jumps to %s",
					f.Host, rateMax, jumpMax)
			}
		}
	}
	return nil
}

// strain is how much the fault adds, either way, to the rate of a clock and to its jumps.
func (f Fault) strain() (rate clock.Rate, by time.Duration) {
	switch f.Kind {
	case Drift, Slew:
		return max(f.Rate, -f.Rate), 0
	case Jump:
		return 0, max(f.By, -f.By)
	}
	return 0, 0
}

// names lists the hosts that the fault speaks of.
func (f Fault) names() []string {
	var names []string
	for _, n := range []string{f.When.Host, f.On, f.Host, f.From, f.To} {
		if n != "" {
			names = append(names, n)
		}
	}
	return append(names, slices.Concat(f.Groups...)...)
}

// repeated gives a host that stands in the groups more than once.
func repeated(groups [][]string) string {
	all := slices.Sorted(slices.Values(slices.Concat(groups...)))
	for i := 1; i < len(all); i++ {
		if all[i] == all[i-1] {
			return all[i]
		}
	}
	return ""
}
