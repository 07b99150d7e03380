package live

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// This file judges an adapter's lock by what our own lock of that kind keeps in the same scenario, not by what the
// scenario expects. There a lock that breaks a promise by design would look as good as ours.

// Unable is the error of a run that needs something that the adapter's lock can't do.
type Unable struct{ error }

// The simulated runs that show what our own lock breaks, where chance decides that, and how often it runs live if the
// adapter's lock broke more.
const (
	referenceRuns = 50
	referenceLive = 3
)

// warmUp is how long each client of an adapter has for a first acquire, by which it connects and loads its script.
const warmUp = 250 * time.Millisecond

// breaks returns the promises that our own lock breaks.
func (p *paced) breaks() map[string]bool {
	if p.broken == nil {
		p.broken = map[string]bool{}
		p.addBroken(p.twin.Findings)
		runner := scenarios.NewRunner()
		defer runner.Close()
		for seed := range uint64(referenceRuns) {
			p.addBroken(runner.Run(&p.scenario, seed+1).Findings)
		}
	}
	return p.broken
}

// chance reports whether a verdict depends on the seed.
func (p *paced) chance() bool {
	p.breaks()
	return p.varies
}

func (p *paced) addBroken(all []checker.Finding) {
	p.varies = p.varies || !slices.EqualFunc(all, p.twin.Findings, sameVerdict)
	for _, f := range all {
		if f.Verdict == checker.Violated {
			p.broken[f.Property] = true
		}
	}
}

// expect judges the run again: each promise that our own lock keeps must hold, unless it is accepted that the adapter's
// breaks it. A run in which a needed event did not happen shows little, and is unknown.
func (r *Result) expect(p *paced, accepted []string) {
	r.Reference = nil
	for _, f := range r.Findings {
		if p.breaks()[f.Property] {
			r.Reference = append(r.Reference, f.Property)
		}
	}
	r.allow(slices.Concat(r.Reference, accepted))
	if r.mute { // its program may hang, not its lock
		live := []string{"deadlock-free", "fault-tolerant"}
		r.Unsure(func(f checker.Finding) bool { return slices.Contains(live, f.Property) })
	}
	r.Missing = nil
	for _, f := range r.Seen {
		if f.Verdict == checker.Violated {
			r.Missing = append(r.Missing, f.Property)
		}
	}
	if r.Verdict != scenarios.Unknown {
		r.Unsure(func(f checker.Finding) bool { return slices.Contains(r.Missing, f.Property) })
		if r.Verdict == scenarios.Unknown { // else a promise is broken, which counts
			return
		}
	}
	r.Missing = nil
}

// allow judges the run again: any verdict on these promises will do, and all others must hold.
func (r *Result) allow(names []string) {
	given := *r.Scenario
	given.Expect, r.allowed = nil, names
	for _, f := range r.Findings {
		e := scenarios.Expectation{Property: f.Property}
		if slices.Contains(names, f.Property) {
			e.Verdict = f.Verdict
		}
		given.Expect = append(given.Expect, e)
	}
	r.Scenario = &given
	r.Unsure(func(checker.Finding) bool { return false }) // sums up
}

// Standard judges runs of one scenario with an adapter again, by what our own lock broke in any of them. It returns
// what is expected of all together where that is not that a promise holds: any verdict will do, so it is unknown.
func Standard(all []*Result) (given []scenarios.Expectation) {
	var names []string
	for _, r := range all {
		names = append(names, r.allowed...)
	}
	for _, r := range all {
		r.allow(names)
	}
	for _, p := range checker.Properties {
		if slices.Contains(names, p.Name) {
			given = append(given, scenarios.Expectation{Property: p.Name, Verdict: checker.Unknown})
		}
	}
	return given
}

// confirm runs our own lock live if the adapter's lock broke what ours keeps in the simulator. What ours breaks there
// too is no fault of the adapter's lock.
func (r *Result) confirm(ctx context.Context, p *paced, seed uint64, o *Options) error {
	own := *o
	own.Adapter = nil
	if own.Check(&p.scenario) != nil { // the kind has adapters alone
		return nil
	}
	for n := 0; n < referenceLive && r.Verdict == scenarios.Fail; n++ {
		ours, err := once(ctx, p, seed, &own)
		if err != nil {
			return err
		}
		p.addBroken(ours.Findings)
		r.expect(p, o.Accepted)
	}
	return nil
}

// standard says in a sentence what an adapter's lock was judged by.
func (r *Result) standard() string {
	if len(r.Reference) == 0 {
		return "Our own lock breaks no promise there."
	}
	return fmt.Sprintf("Our own lock breaks %s there, so these are not held against the adapter's.",
		strings.Join(r.Reference, ", "))
}
