package blackbox_test

import (
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/clock"
)

// A state is the state of one lock or register, under any model.
type state struct {
	held    string        // who holds: a letter for each client, as often as it holds, sorted
	token   uint64        // of the hold of a reentrant fenced mutex, 0 while it is not known
	mark    uint64        // the largest token so far
	version uint64        // of a register
	data    uint32        // what a register of values holds
	alone   bool          // of a lock for readers and writers: its one holder excludes all others
	reads   bool          // and has a shared hold besides
	ends    clock.Instant // of a timed lease: it cannot have expired before
}

// rules are a model in the words of this package.
type rules struct {
	kind   kind
	limit  int      // how many holds the lock may have
	shared bool     // by several clients
	fenced bool     // its tokens rise
	timed  bool     // time matters
	tokens []uint64 // those in the history, and none: the tokens that an acquire with an unknown outcome may have
	least  time.Duration
}

type kind int

const (
	mutex kind = iota
	plain
	readersWriters
	lease
	register
	fencedRegister
	casRegister
)

func rulesOf(m blackbox.Model, h checker.History) rules {
	r := rules{limit: 1, fenced: strings.Contains(m.Name, "fenced"), least: max(m.Least, 0)}
	r.tokens = []uint64{0}
	for _, o := range h {
		if !slices.Contains(r.tokens, o.Value.Fence) {
			r.tokens = append(r.tokens, o.Value.Fence)
		}
	}
	switch m.Name {
	case "reentrant-mutex", "reentrant-fenced-mutex":
		r.limit = orTwo(m.Limit)
	case "semaphore":
		r.limit, r.shared = orTwo(m.Permits), true
	case "rwlock":
		r.kind = readersWriters
	case "lease", "lease-timed":
		r.kind, r.timed = lease, m.Name == "lease-timed"
	case "register":
		r.kind = register
	case "fenced-register":
		r.kind = fencedRegister
	case "cas-register":
		r.kind = casRegister
	case "plain-mutex":
		r.kind = plain
	}
	return r
}

func orTwo(n int) int {
	if n <= 0 {
		return 2
	}
	return n
}

// known reports whether it is known when an operation took effect, if it did. A read of a fenced register that failed
// may have arrived, or may still, so it is not.
func (r *rules) known(o *op) bool {
	return o.outcome == checker.OK || o.outcome == checker.Fail && !(r.kind == fencedRegister && o.f == checker.Read)
}

// outcomes returns every state that o can leave behind if it takes effect now; none if it cannot.
func (r *rules) outcomes(s state, o *op, now clock.Instant) []state {
	storage := o.f == checker.Read || o.f == checker.Write || o.f == checker.CompareAndSet
	switch {
	case storage != (r.kind >= register):
		return []state{s} // no business of this model
	case r.kind == register:
		return r.register(s, o)
	case r.kind == fencedRegister:
		return r.fencedRegister(s, o)
	case r.kind == casRegister:
		return r.casRegister(s, o)
	case o.outcome == checker.Fail:
		return r.failed(s, o, now)
	case o.f == checker.Acquire:
		return r.acquire(s, o, now)
	case o.f == checker.Release:
		return r.release(s, o)
	case !r.holds(s, o):
		return nil
	case r.timed:
		s.ends = now.Add(r.least)
	}
	return []state{s}
}

func letter(o *op) string { return string(rune('a' + o.client)) }

func (r *rules) holds(s state, o *op) bool {
	return r.kind == plain && s.held != "" || strings.Contains(s.held, letter(o))
}

func (r *rules) failed(s state, o *op, now clock.Instant) []state {
	if r.kind != lease || o.f == checker.Acquire || !r.holds(s, o) {
		return []state{s}
	}
	return r.expired(s, now)
}

// expired returns the lease that has expired by now, if it can have.
func (r *rules) expired(s state, now clock.Instant) []state {
	if r.timed && s.held != "" && now < s.ends {
		return nil
	}
	return []state{{mark: s.mark}}
}

func (r *rules) acquire(s state, o *op, now clock.Instant) (all []state) {
	if r.kind == lease {
		for _, s := range r.expired(s, now) {
			s.held = letter(o)
			if r.timed {
				s.ends = now.Add(r.least)
			}
			all = append(all, s)
		}
		return all
	}
	if r.kind == readersWriters {
		return r.enter(s, o)
	}
	if len(s.held) >= r.limit || !r.shared && s.held != "" && (r.kind == plain || !strings.Contains(s.held, letter(o))) {
		return nil
	}
	at := 0
	for at < len(s.held) && s.held[at:at+1] <= letter(o) {
		at++
	}
	s.held = s.held[:at] + letter(o) + s.held[at:]
	if !r.fenced {
		return []state{s}
	}
	return r.draw(s, o)
}

// enter admits a reader that does not read yet, if no other client writes, and a writer if the lock is free.
func (r *rules) enter(s state, o *op) []state {
	if s.alone && o.value.Shared && s.held == letter(o) && !s.reads {
		s.reads = true
		return []state{s}
	}
	if s.alone || s.held != "" && !o.value.Shared || strings.Contains(s.held, letter(o)) {
		return nil
	}
	in := append([]string{letter(o)}, strings.Split(s.held, "")...)
	slices.Sort(in)
	s.held, s.alone = strings.Join(in, ""), !o.value.Shared
	return []state{s}
}

// draw returns the states after an acquire, by its token: the one it returned, or if that is unknown, any or none.
func (r *rules) draw(s state, o *op) (all []state) {
	tokens := []uint64{o.value.Fence}
	if o.outcome == checker.Info {
		tokens = r.tokens
	}
	for _, t := range tokens {
		next := s
		if t != 0 && t != s.token {
			if s.token != 0 || t <= s.mark {
				continue
			}
			next.token, next.mark = t, t
		}
		all = append(all, next)
	}
	return all
}

func (r *rules) release(s state, o *op) []state {
	if !r.holds(s, o) {
		return nil
	}
	if s.reads { // it has released one of two holds, which it may be
		s.reads = false
		reader := s
		reader.alone = false
		return []state{reader, s}
	}
	if r.kind == plain {
		s.held = ""
	} else {
		s.held = strings.Replace(s.held, letter(o), "", 1)
	}
	if s.held == "" {
		s.token, s.ends, s.alone = 0, 0, false
	}
	return []state{s}
}

func (r *rules) register(s state, o *op) []state {
	switch {
	case o.f == checker.Read && o.outcome == checker.OK && o.value.Plain != s.version:
		return nil
	case o.f == checker.Write && o.outcome == checker.OK && o.value.Plain != s.version+1:
		return nil
	case o.f == checker.Write && o.outcome != checker.Fail:
		s.version++
	}
	return []state{s}
}

func (r *rules) fencedRegister(s state, o *op) []state {
	if o.f == checker.Write && o.outcome == checker.Fail {
		return []state{s}
	}
	shown := uint64(0)
	if o.value.Fence >= s.mark {
		s.mark = o.value.Fence
		if o.f == checker.Write {
			s.version++
		}
		shown = s.version
	}
	if o.outcome == checker.OK && o.value.Fenced != shown {
		return nil
	}
	return []state{s}
}

func (r *rules) casRegister(s state, o *op) (all []state) {
	if o.outcome != checker.OK || o.f == checker.Read && (o.value.Data == 0 || o.value.Data == s.data) {
		all = append(all, s) // nothing changed
	}
	if o.outcome != checker.Fail && (o.f == checker.Write || o.f == checker.CompareAndSet && o.value.Expected == s.data) {
		s.data = o.value.Data
		all = append(all, s)
	}
	return all
}
