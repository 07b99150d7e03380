package live

import (
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim"
)

// An observation is the state of the lock's key on a server after a command.
type observation struct {
	there     bool
	value     string
	due       int64         // its deadline in milliseconds of the server's wall clock; negative for none
	sent, got clock.Instant // the key was so at some moment between
	asker     int           // the host whose command it was; -1 for the harness
	copied    bool          // the server is a replica, and what changes there was copied
}

// A Life is one value of the lock's key on a server, or on a service.
type Life struct {
	Value      string
	From, Seen clock.Instant // it began between the two
	Gone, To   clock.Instant // it ended between the two
	Endless    bool
	Ended      checker.Ending
}

// A record is the lives of the lock's key on one server. If it is open, the last of them lasts.
type record struct {
	host  *sim.Host
	lane  int
	wall  int64 // what the machine's wall clock showed at the beginning of the run
	lives []Life
	open  bool
	due   int64         // the deadline of the one that is open
	since clock.Instant // when that was seen last
}

// note notes an observation.
func (r *record) note(s observation, clientOn func(host int) int) {
	if r.open && (!s.there || s.value != r.last().Value) {
		r.close(s, clientOn)
	}
	if !s.there {
		return
	}
	if !r.open {
		l := Life{Value: s.value, From: s.sent, Seen: s.got}
		if n := len(r.lives); n > 0 {
			l.From = max(l.From, r.last().To) // one command ended that life and began this one
		}
		r.lives = append(r.lives, l)
		r.open = true
	}
	r.due, r.since, r.last().Endless = s.due, s.got, s.due < 0
}

func (r *record) last() *Life { return &r.lives[len(r.lives)-1] }

// close ends the open life: at its deadline, if that had passed when the command was sent, otherwise by the command.
func (r *record) close(s observation, clientOn func(host int) int) {
	ended := checker.Ending{Cause: checker.Deleted, Client: clientOn(s.asker), Strike: -1}
	switch {
	case s.copied:
		ended = checker.Ending{Cause: checker.Copied, Client: -1, Strike: -1}
	case s.there:
		ended.Cause = checker.Overwritten
	}
	r.end(s, ended)
}

// end ends the open life as ended says, unless its deadline had passed before.
func (r *record) end(s observation, ended checker.Ending) {
	l := r.last()
	r.open = false
	if t := r.passes(); t <= s.sent {
		r.expire(l, t)
		return
	}
	l.Gone, l.To, l.Ended = s.sent, s.got, ended
}

// expire ends a life at its deadline.
func (r *record) expire(l *Life, t clock.Instant) {
	l.Gone, l.To = t, t
	l.Ended = checker.Ending{Cause: checker.Expired, Client: -1, Strike: -1}
	if t == clock.Forever {
		return
	}
	c := r.host.Clock()
	l.Ended.Gained = c.Wall(t).Sub(c.Wall(r.since)) - t.Sub(r.since)
	if step := c.Stepped(t); step > 0 && c.Wall(t).Add(-step) <= r.reading(r.due) {
		l.Ended.Cause = checker.Stepped
	}
	if l.Ended.Gained != 0 {
		l.Ended.Strike = r.host.ClockBlamed(t)
	}
}

// lost ends the life that is open because its server came back without it.
func (r *record) lost(s observation, strike int) {
	r.gone(s, checker.Ending{Cause: checker.Lost, Client: -1, Strike: strike})
}

// gone ends the open life as ended says, if the key is not there any more.
func (r *record) gone(s observation, ended checker.Ending) {
	if r.open && !(s.there && s.value == r.last().Value) {
		r.end(s, ended)
	}
}

// reading returns what the world's clock of the server shows when the server's own clock shows this many milliseconds.
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

// spans appends all lives in the judges' form: as narrow as the observations allow, or as wide.
func (r *record) spans(to []checker.Span, wide bool) []checker.Span {
	for i, l := range r.lives {
		if r.open && i == len(r.lives)-1 {
			if r.expire(&l, r.passes()); l.To > r.host.World().Now() {
				l.Ended = checker.Ending{}
			}
		}
		s := checker.Span{Lane: r.lane, Token: l.Value, From: l.Seen, To: l.Gone, Endless: l.Endless, Ended: l.Ended}
		if wide {
			s.From, s.To = l.From, l.To
		}
		to = append(to, s)
	}
	return to
}
