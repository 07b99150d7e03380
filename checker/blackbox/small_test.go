package blackbox_test

import (
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
)

// A smallHistories says which histories Every makes.
type smallHistories struct {
	Clients int
	Begin   checker.History // how each begins: with finished operations, each client under its own number
	Events  int             // in each history, at most, after Begin
	Funcs   []checker.Func  // what may be invoked
	Shared  bool            // an acquire may be shared
	Ticks   []int           // how much time may pass before an event
}

// every visits each history of that kind: every client may at any time invoke what it likes, or have it closed as it
// may be. The history belongs to the visitor only until it returns.
func (s smallHistories) every(visit func(checker.History)) {
	process, open := make([]int, s.Clients), make([]int, s.Clients) // the place of the func under way, from 1
	for c := range process {
		process[c] = c
	}
	for _, o := range s.Begin {
		process[o.Process%s.Clients] = o.Process
		if o.Type == checker.Info {
			process[o.Process%s.Clients] += s.Clients
		}
	}
	s.more(append(make(checker.History, 0, len(s.Begin)+s.Events), s.Begin...), process, open, visit)
}

func (s *smallHistories) more(h checker.History, process, open []int, visit func(checker.History)) {
	visit(h)
	if len(h) == len(s.Begin)+s.Events {
		return
	}
	for _, tick := range s.Ticks {
		for c := range process {
			if c > 0 && process[c] == c && open[c] == 0 && !slices.ContainsFunc(h, func(o checker.Op) bool { return o.Process == c-1 }) {
				break // which client is which does not matter: the next comes only after the one before
			}
			s.next(h, tick, c, process, open, visit)
		}
	}
}

// next lets one client do whatever it may.
func (s *smallHistories) next(h checker.History, tick, c int, process, open []int, visit func(checker.History)) {
	o := checker.Op{Index: len(h), Time: clock.Instant(tick), Process: process[c]}
	if len(h) > 0 {
		o.Time += h[len(h)-1].Time
	}
	was := open[c]
	if was == 0 {
		for i, f := range s.Funcs {
			o.F, open[c] = f, i+1
			s.more(append(h, o), process, open, visit)
			if s.Shared && f == checker.Acquire {
				o.Value.Shared = true
				s.more(append(h, o), process, open, visit)
				o.Value.Shared = false
			}
		}
		open[c] = was
		return
	}
	o.F, open[c] = s.Funcs[was-1], 0
	for _, o.Type = range []checker.Type{checker.OK, checker.Fail, checker.Info} {
		if o.Type == checker.Info {
			process[c] += s.Clients
		}
		s.more(append(h, o), process, open, visit)
	}
	process[c], open[c] = process[c]-s.Clients, was
}
