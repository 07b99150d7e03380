package blackbox_test

import (
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/clock"
)

// A chance is a stream of draws: splitmix64, whose state is its seed.
type chance uint64

func (c *chance) upTo(n int) int {
	*c += 0x9e3779b97f4a7c15
	z := uint64(*c)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) >> 1 % uint64(n))
}

func (c *chance) inHundred(n int) bool { return c.upTo(100) < n }

// A scribe writes the history of clients that use correct locks or registers.
type scribe struct {
	chance
	rules
	names   []string
	locks   []state
	history checker.History
	process []int
	open    []*pending // by client; nil while it does nothing
	unsure  int        // how many outcomes of 100 are unknown
	pace    int        // how much time may pass between two events
	fresh   int        // the next value that was never written, where most writes write one; 0 elsewhere
	now     clock.Instant
}

// A pending is an operation under way: its invoke, what will close it, and whether it has taken effect.
type pending struct {
	op      checker.Op
	done    bool
	outcome checker.Type
	brought checker.Value
}

// drawHistory draws a history of events events, and returns it with its model, whose numbers are set. The history is
// legal, or was legal until a place or two were changed. The same seed always makes the same history.
func drawHistory(m blackbox.Model, seed uint64, events int) (checker.History, blackbox.Model) {
	return new(scribe).draw(m, seed, events)
}

// drawUnique draws a history of a register of values that writes nearly each value once.
func drawUnique(m blackbox.Model, seed uint64, events int) (checker.History, blackbox.Model) {
	s := scribe{fresh: 3} // more than any first value
	h, m := s.draw(m, seed, events)
	for range s.upTo(5) {
		s.spoil()
	}
	return h, m
}

func (s *scribe) draw(m blackbox.Model, seed uint64, events int) (checker.History, blackbox.Model) {
	s.chance = chance(seed)
	clients := 2 + s.upTo(3)
	s.unsure, s.pace = s.upTo([]int{12, 50}[s.upTo(2)]), s.upTo(3)
	m.Clients, m.Limit, m.Permits, m.Least = clients*s.upTo(2), 1+s.upTo(3), 1+s.upTo(3), time.Duration(s.upTo(12))
	if s.rules = rulesOf(m, nil); s.kind == casRegister {
		m.Initial = uint32(s.upTo(3))
	}
	s.names = [][]string{{""}, {""}, {"a", "b"}}[s.upTo(3)]
	s.locks, s.open = make([]state, len(s.names)), make([]*pending, clients)
	for i := range s.locks {
		s.locks[i].data = m.Initial
	}
	for c := range clients {
		s.process = append(s.process, c)
	}
	for len(s.history) < events {
		s.act(s.upTo(clients))
	}
	for range s.upTo(5) {
		s.spoil()
	}
	return s.history, m
}

// act lets a client invoke something, or lets what it invoked take effect, or close.

func (s *scribe) act(c int) {
	s.now += clock.Instant(s.upTo(s.pace + 1))
	p := s.open[c]
	switch {
	case p == nil:
		p = &pending{op: s.choose(c)}
		s.open[c] = p
		s.note(p.op)
		if s.inHundred(40) {
			s.effect(c, p)
		}
	case s.inHundred(s.unsure):
		if s.inHundred(50) {
			s.effect(c, p)
		}
		s.close(c, checker.Info, checker.Value{Fence: p.op.Value.Fence})
		s.process[c] += len(s.process)
	default:
		s.effect(c, p)
		s.close(c, p.outcome, p.brought)
	}
}

// choose returns what a client does next: mostly what makes sense.
func (s *scribe) choose(c int) checker.Op {
	o := checker.Op{Process: s.process[c], Lock: s.names[s.upTo(len(s.names))]}
	l := &s.locks[slices.Index(s.names, o.Lock)]
	has := strings.Contains(l.held, string(rune('a'+c)))
	switch n := s.upTo(20); {
	case s.kind == casRegister:
		o.F = []checker.Func{checker.Read, checker.Write, checker.CompareAndSet}[n%3]
		s.values(&o, l.data)
	case s.kind >= register:
		o.F = checker.Read + checker.Func(n%2)
		o.Value.Fence = l.mark + uint64(s.upTo(3))
		o.Value.Fence -= min(1, o.Value.Fence)
	case has && n < 11 || n == 19:
		o.F = checker.Release
	case has && n < 16 || n == 18:
		o.F = checker.Renew
	}
	o.Value.Shared = s.kind == readersWriters && o.F == checker.Acquire && s.inHundred(60)
	return o
}

// values chooses the values that an operation carries: what it expects is mostly what the register holds.
func (s *scribe) values(o *checker.Op, holds uint32) {
	if o.F == checker.Read {
		return
	}
	o.Value.Data = s.value()
	if s.fresh > 0 && !s.inHundred(3) {
		o.Value.Data = uint32(s.fresh)
		s.fresh++
	}
	if o.F == checker.CompareAndSet {
		o.Value.Expected = holds
		if s.inHundred(40) {
			o.Value.Expected = s.value()
		}
	}
}

// value draws one of the values in use.
func (s *scribe) value() uint32 { return uint32(s.upTo(max(4, s.fresh))) }

// effect lets an operation take effect, once. A lease may expire just before, if it can.
func (s *scribe) effect(c int, p *pending) {
	if p.done {
		return
	}
	p.done = true
	l := &s.locks[slices.Index(s.names, p.op.Lock)]
	if s.kind == lease && s.inHundred(30) {
		for _, free := range s.expired(*l, s.now) {
			*l = free
		}
	}
	o := op{client: c, f: p.op.F, outcome: checker.OK, value: p.op.Value}
	o.value.Plain, o.value.Fenced = l.version, l.version // what a register shows
	if s.kind == casRegister && o.f == checker.Read {
		o.value.Data = l.data
	}
	if o.f == checker.Write {
		o.value.Plain, o.value.Fenced = l.version+1, l.version+1
	}
	if s.kind == fencedRegister && o.value.Fence < l.mark {
		o.value.Fenced = 0
	}
	if o.f == checker.Acquire {
		o.value.Fence = s.token(l)
	}
	p.outcome = checker.Fail
	if all := s.outcomes(*l, &o, s.now); len(all) > 0 {
		*l, p.outcome, p.brought = all[0], checker.OK, o.value
		l.mark = max(l.mark, o.value.Fence)
	}
}

// token returns the token of an acquire: the hold's, if there is one, and sometimes none.
func (s *scribe) token(l *state) uint64 {
	switch {
	case s.inHundred(10):
		return 0
	case l.token != 0:
		return l.token
	}
	return l.mark + 1 + uint64(s.upTo(2))
}

func (s *scribe) close(c int, t checker.Type, v checker.Value) {
	o := s.open[c].op
	o.Type, o.Value = t, v
	if s.inHundred(50) {
		o.Lock = "" // its invoke has said it
	}
	s.note(o)
	s.open[c] = nil
}

func (s *scribe) note(o checker.Op) {
	o.Index, o.Time = len(s.history), s.now
	s.history = append(s.history, o)
}

// spoil changes one event, or moves it on by up to three places, as far as its client allows.
func (s *scribe) spoil() {
	h := s.history
	i := s.upTo(len(h))
	o := &h[i]
	switch n := s.upTo(4); {
	case o.Type == checker.OK && n == 0:
		o.Value.Fence += uint64(s.upTo(3)) - 1
		o.Value.Plain += uint64(s.upTo(3)) - 1
		o.Value.Fenced += uint64(s.upTo(3)) - 1
		if s.kind == casRegister {
			o.Value.Data = s.value()
		}
	case o.Type == checker.OK && n == 1:
		o.Type = checker.Fail
	case o.Type == checker.Fail && n < 2:
		o.Type = checker.OK
	default:
		for range 1 + s.upTo(3) {
			s.swap(i)
			i++
		}
	}
}

// swap lets two neighbours of different clients trade places, but not times.
func (s *scribe) swap(i int) {
	h, clients := s.history, len(s.process)
	if i+1 >= len(h) || h[i].Process%clients == h[i+1].Process%clients {
		return
	}
	h[i], h[i+1] = h[i+1], h[i]
	h[i].Index, h[i+1].Index = i, i+1
	h[i].Time, h[i+1].Time = h[i+1].Time, h[i].Time
}
