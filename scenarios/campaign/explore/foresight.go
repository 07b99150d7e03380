package explore

import (
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A turn is what becomes of one message of a run.
type turn struct {
	call   uint32
	back   bool
	option int
}

// foresees reports whether runs are left out. What is left out must break nothing that its parent does not break, and where a token is used
// again a leak may look otherwise later: see doubtful.
func (u *Universe) foresees() bool {
	return u.merging && !u.recording && !u.running && u.scenario.Lock.FreshToken
}

// foresee computes, for each message that was sent since the tick before, to which state the schedules come first in which it is late or
// lost: up to there, they are as this one. Only of those that have no children: for these a run that would end there need not be made.
func (r *runner) foresee(at clock.Instant) {
	s := r.current
	if !r.runs.Exploring.Foresees || s.messages >= r.deviations || !r.childless(s.messages+1, s.strikes) {
		return
	}
	for i, m := range r.runs.Recent() {
		if node := min(m.From, m.To); node < r.alike && s.stoodFor(node) {
			continue
		}
		for option, by := range r.late {
			r.note(i, turn{m.Call, m.Back, option}, by, at)
		}
		if r.lost {
			r.note(i, turn{m.Call, m.Back, len(r.late)}, sim.WouldBeLost, at)
		}
	}
}

func (r *runner) note(i int, t turn, late time.Duration, at clock.Instant) {
	if state, known := r.runs.Otherwise(i, late, at); known {
		r.foreseen[t] = state ^ r.salt
	}
}

// childless reports whether schedules with so many deviations have no children, or none that will be run.
func (r *runner) childless(messages, strikes int) bool {
	return messages == r.deviations && strikes == r.most || messages+strikes >= r.levels
}

// first returns the state that a schedule comes to first which has one deviation more, at a message.
func (c *choosing) first(p point, option int) (state uint64, foreseen bool) {
	state, foreseen = c.foreseen[turn{c.call, p.kind == sim.Served, option}]
	return state, foreseen
}
