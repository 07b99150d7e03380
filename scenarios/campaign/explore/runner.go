package explore

import (
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim"
)

// A runner makes the runs of schedules. It is for one goroutine.
type runner struct {
	*Universe
	runs     *scenarios.Runner
	scenario scenarios.Scenario
	known    func(state uint64) bool // reports whether another run goes on from a state
	states   []uint64                // of the latest run, after its last deviation
	salt     uint64                  // tells states apart after which other faults may strike
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

// saltFactor makes of few bits many; no lines make no salt.
const saltFactor = 0x9e3779b97f4a7c15

func (r *runner) close() { r.runs.Close() }

// onState ends a run at a state that is known, for another run goes on from there.
func (r *runner) onState(at clock.Instant, state uint64, known bool) bool {
	r.foresee(at)
	if !known {
		return true
	}
	state ^= r.salt
	if r.merging && r.known(state) {
		r.until = at
		return false
	}
	r.states = append(r.states, state)
	return true
}

// An outcome is what came of the run of a schedule. It is valid until the next run.
type outcome struct {
	faults faults.Schedule
	trace  []sim.Event
	end    clock.Instant // after this, nothing is the run's own
	merged bool
	broken []int // of the properties that are watched

	foreseen map[turn]uint64
	vague    bool // the run was cut short, so that it proves nothing of the others
}

// run makes the run of a schedule.
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

// doubtful reports whether what broke may look otherwise at the end of the run: a key that its owner is done with leaks, unless
// a later attempt takes the key over, which only one with the same token does.
func (o *outcome) doubtful(s *scenarios.Scenario) bool {
	return !s.Lock.FreshToken && slices.ContainsFunc(o.broken, func(i int) bool { return checker.Properties[i].Name == "leak-free" })
}

// replay runs a schedule to its end, and forgets its states.
func (r *runner) replay(s *schedule) outcome {
	r.known = func(uint64) bool { return false }
	states := slices.Clone(r.states)
	o := r.attempt(s)
	r.states = append(r.states[:0], states...)
	return o
}

// attempt makes the run of a schedule, up to a state that is known.
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
