package command

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// file returns the sweep as the file of a study.
func (v *sweepCommand) file(named string) ([]byte, error) {
	q := cli.Request{Seed: v.seed, Runs: v.runs, Set: v.set}
	if err := q.Complete(named); err != nil {
		return nil, err
	}
	var axes []campaign.Axis
	for _, text := range v.axes {
		a, err := campaign.ParseAxis(&q.Scenario, text)
		if err != nil {
			return nil, fmt.Errorf("--axis: %w", cli.OneLine(err))
		}
		axes = append(axes, a)
	}
	s, err := study.Sweep(&q.Scenario, axes)
	if err != nil {
		return nil, fmt.Errorf("--axis: %w", err)
	}
	for _, name := range v.properties {
		if _, err := campaign.ParseMeasure(name); err != nil {
			return nil, fmt.Errorf("--property: %w", err)
		}
	}
	measures := v.properties
	if len(measures) == 0 {
		measures = expectedToBreak(&q.Scenario)
	}
	s.Title, s.About = "How often "+strings.Join(measures, ", ")+" breaks in "+named, "Runs of "+named
	if len(v.set) > 0 {
		s.About += " with " + strings.Join(v.set, " ")
	}
	s.About += ". " + noteOf(&q.Scenario, axes)
	s.Scenario, s.Set, s.Runs, s.Seed, s.Measure = named, v.set, v.runs, v.seed, strings.Join(measures, ", ")
	if n := len(axes); n > 0 {
		s.Title += ", by " + axes[n-1].Key
		s.X.Log = strings.Contains(v.axes[n-1], ":log:")
	}
	return s.File(), nil
}

// noteOf says where fencing tokens come from, and what other assumptions all runs share.
func noteOf(s *scenarios.Scenario, axes []campaign.Axis) string {
	for _, a := range axes {
		for _, v := range a.Values {
			here := *s
			if err := here.Set(a.Key + "=" + string(v)); err == nil && here.ProofNote() != s.ProofNote() {
				return "Where fencing tokens come from depends on the cell."
			}
		}
	}
	return s.ProofNote()
}

// expectedToBreak returns the promises that the scenario expects to break, or all if it expects none to.
func expectedToBreak(s *scenarios.Scenario) (broken []string) {
	var all []string
	for _, p := range s.Promises() {
		all = append(all, p.Name)
		if s.Expected(p.Name) == checker.Violated {
			broken = append(broken, p.Name)
		}
	}
	if broken == nil {
		return all
	}
	return broken
}
