package campaign

import (
	"time"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// weigh returns how far a scenario is from simple. The first weights count most: fewer faults, then fewer clients, cycles,
// and settings that were drawn; then hosts by name rather than roles, and few of them; then moments that are described in few
// words; then round numbers; then small ones.
func (s *Shrinking) weigh(c *scenarios.Scenario) []int64 {
	w := []int64{int64(len(c.Faults)), int64(c.Clients), int64(c.Work.Cycles), int64(len(changed(c, s.Plain))), 0, 0, 0, 0}
	for _, f := range c.Faults {
		w[4] += f.Weight()
		w[5] += occasion(f)
		for _, n := range numbers(f) {
			w[6] += digits(n)
			w[7] += n / 1000
		}
		if f.For == 0 && !f.Kind.EndsItself { // the rest of the run is long
			w[6]++
			w[7] += int64(c.Horizon / 1000)
		}
	}
	return w
}

// changed lists the settings that differ from the plain scenario, but for those of faults and those that have a weight of
// their own.
func changed(c, plain *scenarios.Scenario) (keys []string) {
	if plain == nil {
		return nil
	}
	was := map[string]string{}
	p := bare(*plain)
	p.Faults = nil
	for _, k := range scenarios.Settings(&p) {
		was[k.Key] = k.Get(&p)
	}
	now := bare(*c)
	now.Faults = nil
	for _, k := range scenarios.Settings(&now) {
		if old, ok := was[k.Key]; ok && old != k.Get(&now) && k.Key != "clients" && k.Key != "work.cycles" {
			keys = append(keys, k.Key)
		}
	}
	return keys
}

// occasion is the weight of the moment at which a fault strikes.
func occasion(f faults.Fault) int64 {
	switch {
	case f.When.Host == "" && f.At == 0:
		return 0
	case f.When.Host == "":
		return 3 + digits(int64(f.At))
	}
	return 1 + int64(max(f.When.Nth, 1)) - 1 + digits(int64(f.When.After))
}

// numbers returns the times and amounts in a fault, none below 0.
func numbers(f faults.Fault) []int64 {
	all := []int64{int64(f.At), int64(f.When.After), int64(f.For)}
	for _, a := range f.Amounts() {
		n := a.Get(&f)
		all = append(all, max(n, -n))
	}
	return all
}

// digits counts the digits of a number between its first and last that are not 0: 2 for 9.8s, 0 for none. A part
// smaller than a millisecond counts for more, because it explains nothing.
func digits(n int64) (count int64) {
	if n%leastTime != 0 {
		count = 3
	}
	for n != 0 && n%10 == 0 {
		n /= 10
	}
	for ; n != 0; n /= 10 {
		count++
	}
	return count
}

// rounder returns numbers below n, and some a little above, of fewer digits: the smallest first, from least on, and last
// those that are nearest. An n below least becomes least, or a round number below itself.
func rounder(n, least int64) (all []int64) {
	if 0 < n && n < least {
		all, least = []int64{least}, power10(n)
	}
	for power := least; power < n && power > 0; power *= 10 {
		for _, lead := range []int64{1, 2, 3, 5} {
			if m := lead * power; m < n {
				all = append(all, m)
			}
		}
	}
	for cut := power10(n); cut >= least && cut > 0; cut /= 10 {
		all = append(all, n/cut*cut, (n/cut+1)*cut)
	}
	return all
}

// power10 is the greatest power of ten that is not above n.
func power10(n int64) int64 {
	p := int64(1)
	for n/p >= 10 {
		p *= 10
	}
	return p
}

// leastTime is the least that a time is rounded to.
const leastTime = int64(time.Millisecond)
