package campaign

import (
	"iter"
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim"
)

// steps are all ways to make a scenario simpler, in the order in which they are tried: first the steps that remove
// most.
var steps = []step{
	{"leave faults out", fewerFaults},
	{"fewer clients", fewerClients},
	{"fewer cycles", fewerCycles},
	{"a setting as it was", plainSettings},
	{"fewer hosts", fewerHosts},
	{"hit at a plainer moment", plainMoments},
	{"rounder numbers", rounderNumbers},
	{"one fault for two", oneForTwo},
	{"another seed, and fewer clients or faults", otherSeeds},
	{"another seed, fewer clients, and faults at marks", atMarks},
}

// fewerFaults leaves out all faults, then halves of them, quarters and so on, down to single ones.
func fewerFaults(s *Shrinker, _ *scenarios.Runner) iter.Seq[attempt] {
	return func(yield func(attempt) bool) {
		n := len(s.Least.Faults)
		for size := n; size > 0; size /= 2 {
			for from := 0; from < n; from += size {
				c := bare(s.Least)
				c.Faults = slices.Delete(c.Faults, from, min(from+size, n))
				if !yield(attempt{c, s.Seed}) {
					return
				}
			}
		}
	}
}

// oneForTwo leaves a fault out, and makes another last longer or do more instead. It is for when few are left.
func oneForTwo(s *Shrinker, _ *scenarios.Runner) iter.Seq[attempt] {
	return func(yield func(attempt) bool) {
		n := len(s.Least.Faults)
		for out := 0; out < n && n <= 3; out++ {
			for i := range n - 1 {
				for _, factor := range []int64{2, 5} {
					c := bare(s.Least)
					c.Faults = slices.Delete(c.Faults, out, out+1)
					f := &c.Faults[i]
					f.For, f.By = time.Duration(int64(f.For)*factor), time.Duration(int64(f.By)*factor)
					if !yield(attempt{c, s.Seed}) {
						return
					}
				}
			}
		}
	}
}

// fewerClients leaves the last clients out. Faults that name them hit another client instead, or are left out too.
func fewerClients(s *Shrinker, _ *scenarios.Runner) iter.Seq[attempt] {
	return func(yield func(attempt) bool) {
		for n := 1; n < s.Least.Clients; n++ {
			for _, substitute := range []string{"", "c1", "c2"} {
				if c, ok := s.without(n, substitute); ok && !yield(attempt{c, s.Seed}) {
					return
				}
			}
		}
	}
}

// without returns the smallest scenario with fewer clients. The substitute, if there is one, is hit in place of the
// clients that are gone; otherwise the faults that name them are gone too.
func (s *Shrinker) without(clients int, substitute string) (c scenarios.Scenario, ok bool) {
	c = bare(s.Least)
	gone := c.Cast().Clients[clients:]
	c.Clients = clients
	if substitute != "" && !slices.Contains(c.Cast().Clients, substitute) {
		return c, false
	}
	c.Faults = slices.DeleteFunc(c.Faults, func(f faults.Fault) bool {
		return substitute == "" && slices.ContainsFunc(gone, func(name string) bool { return names(f, name) })
	})
	for i := range c.Faults {
		c.Faults[i] = c.Faults[i].Clone()
		for _, at := range slices.Concat(c.Faults[i].Hosts(), []*string{&c.Faults[i].When.Host, &c.Faults[i].On}) {
			if slices.Contains(gone, *at) {
				*at = substitute
			}
		}
	}
	return c, true
}

func names(f faults.Fault, host string) bool {
	return f.When.Host == host || f.On == host || slices.ContainsFunc(f.Hosts(), func(h *string) bool { return *h == host })
}

// otherSeeds tries the steps that remove most once more, with other seeds: they may have failed by chance alone.
func otherSeeds(s *Shrinker, r *scenarios.Runner) iter.Seq[attempt] {
	return func(yield func(attempt) bool) {
		for _, fewer := range []func(*Shrinker, *scenarios.Runner) iter.Seq[attempt]{fewerFaults, fewerClients, fewerCycles} {
			for t := range fewer(s, r) {
				for t.seed = 1; t.seed <= seedsTried; t.seed++ {
					if !yield(t) {
						return
					}
				}
			}
		}
	}
}

// atMarks tries fewer clients with other seeds once more, with the first fault at a mark or at the start: a moment
// that meets a hold among many clients may miss one among few.
func atMarks(s *Shrinker, _ *scenarios.Runner) iter.Seq[attempt] {
	return func(yield func(attempt) bool) {
		for n := 1; n < s.Least.Clients && len(s.Least.Faults) > 0; n++ {
			for seed := uint64(1); seed <= 2*seedsTried; seed++ {
				for _, mark := range holdMarks {
					c, ok := s.without(n, "c1")
					if len(c.Faults) == 0 || !ok {
						continue
					}
					c.Faults[0].At, c.Faults[0].When = 0, mark
					if !yield(attempt{c, seed}) {
						return
					}
				}
			}
		}
	}
}

// holdMarks are where a hold begins; and the start, which needs no hold.
var holdMarks = []faults.Mark{
	{}, {Host: faults.Any, Name: "acquired", Nth: 1}, {Host: "c1", Name: "acquired", Nth: 1}, {Host: "c1", Name: "read", Nth: 1},
}

// seedsTried is how many seeds otherSeeds tries for each attempt.
const seedsTried = 20

func fewerCycles(s *Shrinker, _ *scenarios.Runner) iter.Seq[attempt] {
	return func(yield func(attempt) bool) {
		for n := 1; n < s.Least.Work.Cycles; n++ {
			c := bare(s.Least)
			c.Work.Cycles = n
			if !yield(attempt{c, s.Seed}) {
				return
			}
		}
	}
}

// plainSettings puts settings back to their values in the plain scenario: all of them, then one after the other.
func plainSettings(s *Shrinker, _ *scenarios.Runner) iter.Seq[attempt] {
	return func(yield func(attempt) bool) {
		keys := changed(&s.Least, s.Plain)
		if len(keys) == 0 || !yield(attempt{s.restored(keys), s.Seed}) {
			return
		}
		for i := range keys {
			if !yield(attempt{s.restored(keys[i : i+1]), s.Seed}) {
				return
			}
		}
	}
}

// restored returns the smallest scenario with some settings as they are in the plain one.
func (s *Shrinker) restored(keys []string) scenarios.Scenario {
	c := bare(s.Least)
	for _, key := range keys {
		k, _ := scenarios.Lookup(s.Plain, key)
		if err := c.Set(key + "=" + k.Get(s.Plain)); err != nil {
			panic("campaign: " + err.Error()) // it is the value that it has in a scenario
		}
	}
	return c
}

// fewerHosts replaces a role by a name or a smaller role, replaces a shape by a group, and takes hosts out of groups.
func fewerHosts(s *Shrinker, _ *scenarios.Runner) iter.Seq[attempt] {
	return s.eachFault(func(f faults.Fault, try func(faults.Fault) bool) bool {
		return f.FewerHosts(append(s.Least.Hosts(), faults.Minority, faults.Majority), try)
	})
}

// plainMoments makes a fault hit at the start, at a mark that was passed at about the same time, or at a rounder time.
func plainMoments(s *Shrinker, r *scenarios.Runner) iter.Seq[attempt] {
	res := r.Run(&s.Least, s.Seed)
	marks := marksOf(res)
	strikes := slices.Clone(res.Evidence.Strikes)
	return s.eachFaultAt(func(i int, f faults.Fault, try func(faults.Fault) bool) bool {
		var at clock.Instant
		for _, strike := range strikes {
			if strike.Index == i {
				at = strike.From
				break
			}
		}
		for _, m := range moments(f, at, marks) {
			if !try(m) {
				return false
			}
		}
		return true
	})
}

// A passing is a mark that a client passed.
type passing struct {
	mark faults.Mark
	at   clock.Instant
}

func marksOf(r *scenarios.Result) (all []passing) {
	nth := map[[2]string]int{}
	for _, e := range r.Trace {
		if e.Kind != sim.Marked {
			continue
		}
		key := [2]string{r.Hosts[e.Host], e.Body.(string)}
		nth[key]++
		all = append(all, passing{faults.Mark{Host: key[0], Name: key[1], Nth: nth[key]}, e.At})
	}
	return all
}

// moments returns other moments for a fault that hit at an instant: near ones.
func moments(f faults.Fault, struck clock.Instant, marks []passing) (all []faults.Fault) {
	mark := f.When
	with := func(t clock.Instant, when faults.Mark) {
		f.At, f.When = t, when
		all = append(all, f)
	}
	with(0, faults.Mark{})
	for nth := 1; nth < mark.Nth; nth++ {
		m := mark
		m.Nth = nth
		with(0, m)
	}
	before, _ := slices.BinarySearchFunc(marks, struck, func(p passing, t clock.Instant) int { return int(max(min(p.at-t, 1), -1)) })
	near := marks[max(before-8, 0):min(before+3, len(marks))]
	for _, p := range slices.Backward(near) {
		with(0, p.mark)
	}
	for _, p := range slices.Backward(near) {
		for _, after := range rounder(int64(struck-p.at), leastTime) {
			m := p.mark
			m.After = time.Duration(after)
			with(0, m)
		}
	}
	for _, t := range rounder(int64(struck), leastTime) {
		with(clock.Instant(t), faults.Mark{})
	}
	return all
}

// rounderNumbers makes the numbers of a fault smaller and rounder, one at a time.
func rounderNumbers(s *Shrinker, _ *scenarios.Runner) iter.Seq[attempt] {
	return s.eachFault(func(f faults.Fault, try func(faults.Fault) bool) bool {
		return rounderFor(f, try) && rounderAmounts(f, try)
	})
}

func rounderFor(f faults.Fault, try func(faults.Fault) bool) bool {
	long := int64(f.For)
	if long == 0 {
		long = int64(time.Hour)
	}
	for _, n := range rounder(long, leastTime) {
		less := f
		if less.For = time.Duration(n); !f.Kind.EndsItself && !try(less) {
			return false
		}
	}
	return true
}

func rounderAmounts(f faults.Fault, try func(faults.Fault) bool) bool {
	for _, a := range f.Amounts() {
		old := a.Get(&f)
		for _, n := range rounder(max(old, -old), a.Least) {
			less := f
			if a.Set(&less, n); old < 0 {
				a.Set(&less, -n)
			}
			if !try(less) {
				return false
			}
		}
	}
	return true
}

// eachFault makes a scenario of each fault that vary tries in place of another.
func (s *Shrinker) eachFault(vary func(f faults.Fault, try func(faults.Fault) bool) bool) iter.Seq[attempt] {
	return s.eachFaultAt(func(_ int, f faults.Fault, try func(faults.Fault) bool) bool { return vary(f, try) })
}

func (s *Shrinker) eachFaultAt(vary func(i int, f faults.Fault, try func(faults.Fault) bool) bool) iter.Seq[attempt] {
	return func(yield func(attempt) bool) {
		for i, f := range s.Least.Faults {
			next := vary(i, f, func(less faults.Fault) bool {
				c := bare(s.Least)
				c.Faults[i] = less
				return yield(attempt{c, s.Seed})
			})
			if !next {
				return
			}
		}
	}
}
