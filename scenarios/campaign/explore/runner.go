package explore

import (
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim"
)

// A runner runs schedules. It is for one goroutine.
type runner struct {
	*Universe
	runs     *scenarios.Runner
	scenario scenarios.Scenario
	known    func(state uint64) bool // reports whether another run continues from a state
	states   []uint64                // of the latest run, after its last deviation
	salt     uint64                  // keeps states apart if different faults can hit after them
	until    clock.Instant           // when a known state ended it
	current  *schedule               // the latest
	levels   int                     // how many deviations a schedule has at most
	foreseen map[turn]uint64         // the first states of schedules that have one more deviation and no children
}

func newRunner(u *Universe) *runner {
	r := &runner{Universe: u, runs: scenarios.NewRunner(), scenario: u.scenario, levels: u.Levels(), foreseen: map[turn]uint64{}}
	x := &r.runs.Exploring
	x.SafetyOnly, x.Foresees = true, u.foresees()
	for _, i := range u.watched {
		x.Judged = append(x.Judged, checker.Properties[i])
	}
	if u.merging || u.recording {
		x.OnState = r.onState
	}
	return r
}

// saltFactor spreads a few bits over many; no lines means no salt.
const saltFactor = 0x9e3779b97f4a7c15

func (r *runner) close() { r.runs.Close() }

// onState ends a run at a known state, because another run continues from there.
func (r *runner) onState(t clock.Instant, state uint64, known bool) bool {
	r.foresee(t)
	if !known {
		return true
	}
	state ^= r.salt
	if r.merging && r.known(state) {
		r.until = t
		return false
	}
	r.states = append(r.states, state)
	return true
}

// An outcome is the outcome of a schedule's run. It is valid until the next run.
type outcome struct {
	faults faults.Schedule
	trace  []sim.Event
	end    clock.Instant // after this, nothing is the run's own
	merged bool
	broken []int // of the properties that are watched

	foreseen map[turn]uint64
	vague    bool // the run was cut short, so that it proves nothing of the others
}

// run runs a schedule.
func (r *runner) run(s *schedule) outcome {
	o := r.attempt(s)
	if !o.merged || !o.doubtful(&r.scenario) {
		return o
	}
	end, known := o.end, r.known
	whole := r.replay(s)
	r.known, whole.end, whole.merged = known, end, true
	return whole
}

// doubtful reports whether a later part of the run may show that nothing broke. A key that its owner is done with
// leaks, unless a later attempt takes it over, which only an attempt with the same token does.
func (o *outcome) doubtful(s *scenarios.Scenario) bool {
	return !s.Lock.Fresh() && slices.ContainsFunc(o.broken, func(i int) bool { return checker.Properties[i].Name == "leak-free" })
}

// replay runs a schedule to its end, and forgets its states.
func (r *runner) replay(s *schedule) outcome {
	r.known = func(uint64) bool { return false }
	states := slices.Clone(r.states)
	o := r.attempt(s)
	r.states = append(r.states[:0], states...)
	return o
}

// attempt runs a schedule up to a known state.
func (r *runner) attempt(s *schedule) outcome {
	r.scenario.Faults, r.current = r.faults(s), s
	clear(r.foreseen)
	r.salt = s.once * saltFactor
	r.states = r.states[:0]
	r.runs.Exploring.StatesAfter = -1
	if s.up != nil {
		r.runs.Exploring.StatesAfter = s.last.at
	}
	res := r.runs.Run(&r.scenario, r.seed)
	o := outcome{faults: r.scenario.Faults, trace: res.Trace, end: res.Evidence.End, merged: r.runs.Stopped()}
	if o.merged {
		o.end = r.until - 1
	}
	for i, f := range res.Findings {
		switch f.Verdict {
		case checker.Violated:
			o.broken = append(o.broken, r.watched[i])
		case checker.Unknown:
			o.vague = !o.merged
		}
	}
	if len(o.broken) == 0 && !o.vague {
		o.foreseen = r.foreseen
	}
	return o
}

// A turn is the fate of one message of a run.
type turn struct {
	call   uint32
	back   bool
	option int
}

// foresees reports whether runs are left out. A run that is left out must break nothing that its parent does not break;
// where a token is used again, a leak may look otherwise later: see doubtful.
func (u *Universe) foresees() bool {
	return u.merging && !u.recording && !u.running && u.scenario.Lock.Fresh()
}

// foresee computes the first state of the schedules in which a message is late or lost, for each message sent since
// the last tick. Until then, their runs are the same as this one. It does so only for schedules without children: if
// such a run would end at that state, it is skipped.
func (r *runner) foresee(t clock.Instant) {
	s := r.current
	if !r.runs.Exploring.Foresees || s.messages >= r.deviations || !r.childless(s.messages+1, s.strikes) {
		return
	}
	for i, m := range r.runs.Recent() {
		if node := min(m.From, m.To); node < r.alike && s.stoodFor(node) {
			continue
		}
		for option, by := range r.late {
			r.note(i, turn{m.Call, m.Back, option}, by, t)
		}
		if r.lost {
			r.note(i, turn{m.Call, m.Back, len(r.late)}, sim.WouldBeLost, t)
		}
	}
}

func (r *runner) note(i int, t turn, late time.Duration, now clock.Instant) {
	if state, known := r.runs.Otherwise(i, late, now); known {
		r.foreseen[t] = state ^ r.salt
	}
}

// childless reports whether schedules with these numbers of deviations have no children, or none that will be run.
func (r *runner) childless(messages, strikes int) bool {
	return messages == r.deviations && strikes == r.most || messages+strikes >= r.levels
}

// first returns the first state of a schedule that has one more deviation, at a message.
func (c *chooser) first(p point, option int) (state uint64, foreseen bool) {
	state, foreseen = c.foreseen[turn{c.call, p.kind == sim.Served, option}]
	return state, foreseen
}

// states has the states that runs have reached, each with what was spent by then. A run ends at a state that another
// run has reached with no more deviations and no more faults.
type states struct {
	below *states // those that others share; not changed
	spent map[uint64]uint64
	fresh int // states that were not known before
}

// bit returns the bit for what has been spent.
func bit(messages, strikes int) uint64 { return 1 << (messages*8 + strikes) }

// upTo has a bit for each that is no more in either.
func upTo(messages, strikes int) (mask uint64) {
	for m := range messages + 1 {
		for f := range strikes + 1 {
			mask |= bit(m, f)
		}
	}
	return mask
}

func newStates(below *states) *states { return &states{below: below, spent: map[uint64]uint64{}} }

// has reports whether a state is known with any of the amounts in the mask.
func (k *states) has(state, mask uint64) bool {
	for ; k != nil; k = k.below {
		if k.spent[state]&mask != 0 {
			return true
		}
	}
	return false
}

// add makes states known.
func (k *states) add(all []uint64, spent uint64) {
	for _, s := range all {
		before := k.spent[s]
		if before == 0 && (k.below == nil || !k.below.has(s, ^uint64(0))) {
			k.fresh++
		}
		k.spent[s] = before | spent
	}
}
