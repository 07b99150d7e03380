package scenariostest

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/faults/faultstest"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim"
)

// Universes draws what the search of a scenario may draw: settings and further faults. A scenario without a search uses
// its DefaultSearch. The smallest universe is the scenario with the first values and no more faults.
func Universes(base *scenarios.Scenario) *rapid.Generator[scenarios.Scenario] {
	with := *base
	if !with.Search.Drawn() {
		with.Search = with.DefaultSearch()
	}
	u := with.Universes()
	return rapid.Custom(func(t *rapid.T) scenarios.Scenario {
		s := with
		s.Search, s.Mutants, s.Bounds = scenarios.Search{}, nil, nil
		for i := range u.Settings() {
			c := sim.NewChance(rapid.Uint64Range(0, 255).Draw(t, "setting"), "scenariostest")
			u.Redraw(&s, i, &c) // a value that does not go with the rest leaves it as it is
		}
		storm, cast := u.Storm(&s)
		var sound faults.Schedule
		for _, f := range faultstest.Schedules(storm, cast).Draw(t, "faults") {
			drawn := s
			drawn.Faults = append(slices.Clip(s.Faults), append(slices.Clip(sound), f)...)
			if drawn.Check() == nil { // else this fault and the others ask too much of a clock
				sound = append(sound, f)
			}
		}
		s.Faults = append(slices.Clip(s.Faults), sound...)
		return s
	})
}

// Runs draws universes, and runs each with a random seed.
func Runs(base *scenarios.Scenario) *rapid.Generator[*scenarios.Result] {
	universes := Universes(base)
	return rapid.Custom(func(t *rapid.T) *scenarios.Result {
		s := universes.Draw(t, "universe")
		return scenarios.Run(s, rapid.Uint64Range(1, 1<<16).Draw(t, "seed"))
	})
}

// Evidence draws the evidence of runs.
func Evidence(base *scenarios.Scenario) *rapid.Generator[*checker.Evidence] {
	return rapid.Map(Runs(base), func(r *scenarios.Result) *checker.Evidence { return r.Evidence })
}

// Histories draws well-formed histories of a lock and a register, legal or not: clients acquire, release, read and
// write. Each operation succeeds, fails, or ends unknown; then its client continues as a new process.
func Histories(clients int) *rapid.Generator[checker.History] {
	ends := []checker.Type{checker.OK, checker.OK, checker.OK, checker.OK, checker.Fail, checker.Info}
	steps := rapid.SliceOf(rapid.Custom(func(t *rapid.T) step {
		return step{
			client: rapid.IntRange(0, clients-1).Draw(t, "client"), data: rapid.IntRange(0, 3).Draw(t, "data") == 3,
			end:    rapid.SampledFrom(ends).Draw(t, "end"),
			number: rapid.Uint64Range(0, 7).Draw(t, "number"),
		}
	}))
	return rapid.Map(steps, func(steps []step) (h checker.History) {
		all := make([]client, clients)
		for i := range all {
			all[i].process = i
		}
		for i, s := range steps {
			o := all[s.client].next(s, clients)
			o.Index, o.Time = i, clock.Instant(i)
			h = append(h, o)
		}
		return h
	})
}

// A step lets a client begin its next operation, or end the one that it has begun.
type step struct {
	client int
	data   bool // the register, not the lock
	end    checker.Type
	number uint64
}

// A client is where one client is in a history.
type client struct {
	process int
	open    *checker.Op
	holds   bool // as far as it knows
}

func (c *client) next(s step, clients int) checker.Op {
	if c.open == nil {
		o := checker.Op{Process: c.process, Type: checker.Invoke, F: checker.Acquire}
		switch {
		case s.data && s.number%2 == 0:
			o.F = checker.Read
		case s.data:
			o.F, o.Value = checker.Write, checker.Value{Plain: s.number, Fenced: s.number}
		case c.holds:
			o.F = checker.Release
		}
		c.open = &o
		return o
	}
	o := *c.open
	o.Type, c.open = s.end, nil
	switch {
	case o.Type == checker.Info:
		c.process, c.holds = c.process+clients, false
	case o.Type == checker.Fail:
	case o.F == checker.Acquire:
		c.holds, o.Value.Fence = true, s.number
	case o.F == checker.Release:
		c.holds = false
	case o.F == checker.Read:
		o.Value = checker.Value{Plain: s.number, Fenced: s.number}
	}
	return o
}
