package command

import (
	"errors"
	"fmt"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/forecast"
	"github.com/lockstorm/lockstorm/scenarios/forecast/environment"
)

// models makes a model of each lock.
func (q *forecastCommand) models(args []string) (e *environment.Environment, all []*forecast.Model, err error) {
	switch {
	case len(args) == 0:
		return nil, nil, errors.New("name a lock of the study matrix, a scenario or a file")
	case q.environment == "":
		return nil, nil, errors.New("--environment is missing: name one that ships, such as cloud, or a file; " +
			"lockstorm forecast environment lists them")
	}
	if e, err = environment.Open(q.environment); err != nil {
		return nil, nil, cli.OneLine(err)
	}
	for _, name := range args {
		m, err := q.model(e, name)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, m)
	}
	return e, all, nil
}

func (q *forecastCommand) model(e *environment.Environment, name string) (*forecast.Model, error) {
	s, away, known := forecast.Lock(name)
	if !known {
		opened, err := scenarios.Open(name)
		if err != nil {
			return nil, fmt.Errorf("%w%s", cli.OneLine(err), faults.Suggest(name, forecast.Locks()))
		}
		s = &opened
	}
	if err := s.SetAll(q.set); err != nil {
		return nil, fmt.Errorf("--set: %w", err)
	}
	m := &forecast.Model{
		Scenario: s, Environment: e, First: q.seed, Runs: q.runs, More: q.more, Workers: q.workers, Away: away,
		Done: func(runs, broken int) bool { q.progress.Add(runs, broken, true); return true },
	}
	if err := m.Prepare(); err != nil {
		return nil, fmt.Errorf("%s in %s: %w", name, e.Name, cli.OneLine(err))
	}
	return m, nil
}

// goal reads the goal of --advise; without that it is nil.
func (q *forecastCommand) goal(args []string) (*forecast.Goal, error) {
	if q.advise == "" {
		return nil, nil
	}
	g, err := forecast.ParseGoal(q.advise)
	switch {
	case err != nil:
		return nil, fmt.Errorf("--advise: %w", err)
	case len(args) > 1:
		return nil, fmt.Errorf("--advise: there are %d locks; name one", len(args))
	}
	return &g, nil
}
