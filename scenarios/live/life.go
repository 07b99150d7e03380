package live

import (
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim"
)

// A sight is what the lock's key was on a server after a command.
type sight struct {
	there     bool
	value     string
	due       int64         // its deadline in milliseconds of the server's wall clock; negative for none
	sent, got clock.Instant // the key was so at some moment between
	by        int           // the host whose command it was; -1 for the harness
	copied    bool          // the server is a replica, and what changes there was copied
}

// A life is one value of the key on a server.
type life struct {
	value      string
	from, seen clock.Instant // it began between the two
	gone, to   clock.Instant // it ended between the two
	endless    bool
	ended      checker.Ending
}

// A record is the lives of the lock's key on one server. What is alive is the last of them, if open.
type record struct {
	host  *sim.Host
	lane  int
	wall  int64 // what the machine's wall clock showed at the beginning of the run
	lives []life
	open  bool
	due   int64         // the deadline of the one that is open
	since clock.Instant // when that was seen last
}

// look records a sight.
func (r *record) look(s sight, clientAt func(host int) int) {
	if r.open && (!s.there || s.value != r.last().value) {
		r.close(s, clientAt)
	}
	if !s.there {
		return
	}
	if !r.open {
		l := life{value: s.value, from: s.sent, seen: s.got}
		if n := len(r.lives); n > 0 {
			l.from = max(l.from, r.last().to) // one command ended that life and began this one
		}
		r.lives = append(r.lives, l)
		r.open = true
	}
	r.due, r.since, r.last().endless = s.due, s.got, s.due < 0
}

func (r *record) last() *life { return &r.lives[len(r.lives)-1] }

// close ends the life that was open: at its deadline, if that had passed when the command was sent, and else by the command.
func (r *record) close(s sight, clientAt func(host int) int) {
	ended := checker.Ending{Cause: checker.Deleted, Client: clientAt(s.by), Strike: -1}
	switch {
	case s.copied:
		ended = checker.Ending{Cause: checker.Copied, Client: -1, Strike: -1}
	case s.there:
		ended.Cause = checker.Overwritten
	}
	r.end(s, ended)
}

// end ends the life that was open so, unless its deadline had passed before.
func (r *record) end(s sight, ended checker.Ending) {
	l := r.last()
	r.open = false
	if at := r.passes(); at <= s.sent {
		r.expire(l, at)
		return
	}
	l.gone, l.to, l.ended = s.sent, s.got, ended
}

// expire ends a life at its deadline.
func (r *record) expire(l *life, at clock.Instant) {
	l.gone, l.to = at, at
	l.ended = checker.Ending{Cause: checker.Expired, Client: -1, Strike: -1}
	if at == clock.Forever {
		return
	}
	c := r.host.Clock()
	l.ended.Gained = c.Wall(at).Sub(c.Wall(r.since)) - at.Sub(r.since)
	if by := c.Stepped(at); by > 0 && c.Wall(at).Add(-by) <= r.reading(r.due) {
		l.ended.Cause = checker.Stepped
	}
	if l.ended.Gained != 0 {
		l.ended.Strike = r.host.ClockBlamed(at)
	}
}

// lost ends the life that is open because its server came back without it.
func (r *record) lost(s sight, strike int) {
	if !r.open || s.there && s.value == r.last().value {
		return
	}
	r.end(s, checker.Ending{Cause: checker.Lost, Client: -1, Strike: strike})
}

// reading returns what the world's clock of the server shows when the server's own shows so many milliseconds.
func (r *record) reading(ms int64) clock.Reading {
	return scenarios.Epoch.Add(time.Duration(ms*int64(time.Millisecond) - r.wall))
}

// passes returns when the deadline of the open life passes: Redis keeps a key to the end of its last millisecond.
func (r *record) passes() clock.Instant {
	if r.due < 0 {
		return clock.Forever
	}
	return r.host.Clock().WhenWall(r.reading(r.due+1), r.since)
}

// spans appends all lives as the judges take them: as narrow as what was seen allows, or as wide.
func (r *record) spans(to []checker.Span, wide bool) []checker.Span {
	for i, l := range r.lives {
		if r.open && i == len(r.lives)-1 {
			if r.expire(&l, r.passes()); l.to > r.host.World().Now() {
				l.ended = checker.Ending{}
			}
		}
		s := checker.Span{Lane: r.lane, Token: l.value, From: l.seen, To: l.gone, Endless: l.endless, Ended: l.ended}
		if wide {
			s.From, s.To = l.from, l.to
		}
		to = append(to, s)
	}
	return to
}
