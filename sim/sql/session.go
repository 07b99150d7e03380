package sql

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// control carries out a statement that begins or ends a session.
func (s *Server) control(words []string) (tag string, err error) {
	if len(words) != 2 || words[1] == "" {
		return "", Error("syntax_error: expected a statement and the name of a session")
	}
	switch session := words[1]; words[0] {
	case texts[begin]:
		return "BEGIN", s.begin(session)
	case texts[commit]:
		return "COMMIT", s.commit(session)
	case texts[rollback]:
		s.rollback(session)
		return "ROLLBACK", nil
	}
	return "", Error(fmt.Sprintf("syntax_error: %q is none of %s, %s and %s",
		words[0], texts[begin], texts[commit], texts[rollback]))
}

// begin begins a session, if nobody has the lock. One that has ended does not begin again: its connection is closed, and
// this statement is late.
func (s *Server) begin(session string) error {
	switch {
	case s.over[session]:
		return ErrEnded
	case s.session == session:
		return Error("active_sql_transaction: this session has begun already; nothing was done")
	}
	if err := s.open(); err != nil {
		return err
	}
	s.session = session
	s.spans = append(s.spans, Span{Session: session, From: s.host.World().Now(), To: clock.Forever})
	s.touch()
	return nil
}

// touch starts the session's idle time anew.
func (s *Server) touch() { s.at = s.host.World().Now() }

// within carries out a request in the transaction of its session. If it fails the session ends.
func (s *Server) within(r In) (reply any, err error) {
	if r.Session == "" || s.session != r.Session {
		return nil, ErrEnded
	}
	if reply, err = s.carry(r.Request); err != nil {
		return nil, s.leave(s.host.World().Now(), s.byClient(Failed), err)
	}
	s.touch()
	return reply, nil
}

// commit ends a session, and makes its writes permanent.
func (s *Server) commit(session string) error {
	if s.session != session {
		return ErrEnded
	}
	return s.leave(s.host.World().Now(), s.byClient(Closed), nil)
}

// rollback ends a session, also one whose BEGIN is still under way: it must not begin then.
func (s *Server) rollback(session string) {
	if s.session == session {
		s.end(s.host.World().Now(), s.byClient(Closed))
	}
	s.over[session] = true
}

// errOver is why a transaction is rolled back in which there was no error.
var errOver = errors.New("the session is over")

// end rolls the session back.
func (s *Server) end(t clock.Instant, why Ending) { _ = s.leave(t, why, errOver) }

// byClient returns the ending of a session by the statement that the server carries out.
func (s *Server) byClient(c Cause) Ending { return Ending{c, s.host.Asking().From(), -1} }

// leave ends the session as finish ends its transaction.
func (s *Server) leave(t clock.Instant, why Ending, err error) error {
	s.over[s.session], s.session = true, ""
	last := &s.spans[len(s.spans)-1]
	last.To, last.Ended = t, why
	return s.finish(err)
}

// expire ends a session that has been idle for too long. Between two requests no client can see whether it has
// ended, so a call before each request is enough.
func (s *Server) expire() {
	if s.session == "" {
		return
	}
	if at := s.expires(); at <= s.host.World().Now() {
		s.end(at, Ending{Expired, -1, -1})
	}
}

// expires returns when the session ends, if it sends nothing more, as far as the clock's changes are known by now.
//
// It is PostgreSQL's rule (timeout.c: enable_timeout_after, schedule_alarm, handle_sig_alarm). The end is a time of the wall
// clock, and the kernel is asked for a signal after what is left until then, by setitimer, which no step of that clock
// moves. When the signal comes and the wall clock does not show the end yet, what is left is asked for once more. So a step
// back lengthens the life, by up to as much, and a step forward changes nothing.
func (s *Server) expires() clock.Instant {
	clocks, idle := s.host.Clock(), s.config.Idle
	if idle <= 0 {
		return clock.Forever
	}
	at, end := s.at, later(clocks.Wall(s.at), idle)
	for left := idle; left > 0 && at < clock.Forever; left = end.Sub(clocks.Wall(at)) {
		at = clocks.WhenMono(later(clocks.Mono(at), left), at)
	}
	return at
}

// later returns the reading d after r, or the last that there is.
func later(r clock.Reading, d time.Duration) clock.Reading {
	return r.Add(min(d, math.MaxInt64-max(time.Duration(r), 0)))
}

// Spans returns the lives of the sessions up to now, in order. One that still lasts ends at its idle limit, as far as the
// clock's changes are known by now. The result is valid until the server is attached again.
func (s *Server) Spans() []Span {
	if s.session != "" {
		last := &s.spans[len(s.spans)-1]
		if last.To = s.expires(); last.To <= s.host.World().Now() {
			last.Ended = Ending{Expired, -1, -1}
		}
	}
	return s.spans
}

// Stop is called when the host goes off. All its connections end. What was committed stays.
func (s *Server) Stop(bool) {
	s.expire()
	if s.session != "" {
		s.end(s.host.World().Now(), Ending{Stopped, -1, s.host.World().Blamed()})
	}
}

// Start is called when the host is on again.
func (s *Server) Start() {}

// Settle is called when the host's clocks change. No session ends at that moment: see expires.
func (s *Server) Settle() {}
