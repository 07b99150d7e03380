package campaign

import (
	"time"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// weigh says how far a scenario is from simple. What comes first counts most: fewer faults, then fewer clients, cycles,
// and settings that were drawn; then hosts by name rather than roles, and few of them; then moments that are said in few
// words; then round numbers; then small ones.
func (s *Shrinking) weigh(c *scenarios.Scenario) []int64 {
	w := []int64{int64(len(c.Faults)), int64(c.Clients), int64(c.Work.Cycles), int64(len(changed(c, s.Plain))), 0, 0, 0, 0}
	for _, f := range c.Faults {
		w[4] += crowd(f)
		w[5] += occasion(f)
		for _, n := range numbers(f) {
			w[6] += digits(n)
			w[7] += n / 1000
		}
		if f.For == 0 && f.Kind != faults.Slew { // the rest of the run is long
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

// crowd is the weight of those whom a fault strikes.
func crowd(f faults.Fault) (w int64) {
	for _, word := range struck(f) {
		w += weightOfWord(word)
	}
	if f.Kind == faults.Partition && f.Shape > faults.Isolate {
		w += 20
	}
	if f.On != "" {
		w += 2
	}
	if f.Clean || f.OneWay {
		w++
	}
	return w
}

// struck lists the hosts and roles that count for the kind of a fault.
func struck(f faults.Fault) (words []string) {
	for _, at := range places(&f) {
		words = append(words, *at)
	}
	return words
}

// places gives where the hosts stand in a fault.
func places(f *faults.Fault) []*string {
	switch {
	case f.Kind == faults.Cut || f.Kind == faults.Hold || f.Kind == faults.Slow || f.Kind == faults.Lossy:
		return []*string{&f.From, &f.To}
	case f.Kind != faults.Partition || f.Shape == faults.Isolate:
		return []*string{&f.Host}
	case f.Shape != faults.Grouped:
		return nil
	}
	var all []*string
	for i := range f.Groups {
		for j := range f.Groups[i] {
			all = append(all, &f.Groups[i][j])
		}
	}
	return all
}

func weightOfWord(word string) int64 {
	switch word {
	case faults.ANode, faults.AClient:
		return 2
	case faults.Minority, faults.Majority:
		return 4
	case faults.Nodes, faults.Clients:
		return 5
	case faults.All:
		return 8
	}
	return 1 // a name, or holder, which says more than a name
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

// numbers are those that a fault is told with, but for its instant, none below 0.
func numbers(f faults.Fault) []int64 {
	all := []int64{int64(f.At), int64(f.When.After), int64(f.For), int64(f.By.Abs())}
	switch f.Kind {
	case faults.Drift, faults.Slew:
		all = append(all, int64(max(f.Rate, -f.Rate)))
	case faults.Strobe:
		all = append(all, int64(f.Every))
	case faults.Lossy:
		all = append(all, int64(f.Loss))
	}
	return all
}

// digits counts the digits of a number between its first and last that are not 0: 2 for 9.8s, 0 for none. What is smaller
// than a millisecond counts for more, because nobody can say what hangs on it.
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

// rounder gives numbers below n, and some a little above, of fewer digits: the smallest first, from the least that one
// would say, and last those that are nearest. What is less than that becomes it, or a round number that is less, too.
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
