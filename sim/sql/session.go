package sql

import (
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
	session := words[1]
	switch words[0] {
	case "BEGIN IMMEDIATE":
		return "BEGIN", s.begin(session)
	case "COMMIT":
		if s.session != session {
			return "", ErrEnded
		}
		s.end(s.now(), s.byClient(Closed), true)
		return "COMMIT", nil
	case "ROLLBACK":
		if s.session == session {
			s.end(s.now(), s.byClient(Closed), false)
		}
		s.over[session] = true // even if its BEGIN is on its way: it must not begin then
		return "ROLLBACK", nil
	}
	return "", Error(fmt.Sprintf("syntax_error: %q is none of BEGIN IMMEDIATE, COMMIT and ROLLBACK", words[0]))
}

// begin begins a session, if no other has the lock. A session that has ended does not begin again: its connection is
// closed, and this statement is late.
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
	s.session, s.at = session, s.now()
	s.spans = append(s.spans, Span{Session: session, From: s.at, To: clock.Forever})
	return nil
}

// within carries out a request in the transaction of its session. If it fails the session ends.
func (s *Server) within(r In) (reply any, err error) {
	if r.Session == "" || s.session != r.Session {
		return nil, ErrEnded
	}
	if reply, err = s.carry(r.Request); err != nil {
		s.end(s.now(), s.byClient(Failed), false)
	}
	s.at = s.now()
	return reply, err
}

// byClient returns the ending of a session by the current statement.
func (s *Server) byClient(c Cause) Ending { return Ending{c, s.host.Asking().From(), -1} }

// end ends the session with its transaction.
func (s *Server) end(t clock.Instant, why Ending, commit bool) {
	s.over[s.session], s.session = true, ""
	last := &s.spans[len(s.spans)-1]
	last.To, last.Ended = t, why
	s.finish(commit)
}

// expire ends a session that has been idle for too long. Between two requests no client can see whether it has ended,
// so a call before each request is enough.
func (s *Server) expire() {
	if s.session == "" {
		return
	}
	if t := s.expires(); t <= s.now() {
		s.end(t, Ending{Expired, -1, -1}, false)
	}
}

// expires returns when the session ends if it sends nothing more, with the changes of the clock known now.
//
// It is PostgreSQL's rule (timeout.c: enable_timeout_after, schedule_alarm, handle_sig_alarm). The end is a time of the
// wall clock. The server asks the kernel for a signal after the time left until then, by setitimer, which no step of
// that clock moves. If the wall clock does not show the end yet when the signal comes, the server asks again for the
// time left. So a step back lengthens the life, by up to as much, and a step forward changes nothing.
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

// later returns the reading d after r, or the last reading.
func later(r clock.Reading, d time.Duration) clock.Reading {
	return r.Add(min(d, math.MaxInt64-max(time.Duration(r), 0)))
}

// Spans returns the lives of the sessions up to now, in order. A session that still lasts ends at its idle limit, with
// the changes of the clock known now. The result is valid until the server is attached again.
func (s *Server) Spans() []Span {
	if s.session != "" {
		last := &s.spans[len(s.spans)-1]
		if last.To = s.expires(); last.To <= s.now() {
			last.Ended = Ending{Expired, -1, -1}
		}
	}
	return s.spans
}
