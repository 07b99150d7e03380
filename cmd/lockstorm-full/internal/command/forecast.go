package command

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/site/forecasts"
	"github.com/lockstorm/lockstorm/scenarios/forecast"
)

// A forecastCommand holds the flags of forecast.
type forecastCommand struct {
	environment         string
	runs, workers, more int
	seed                uint64
	format              string
	quiet               bool
	set                 []string
	changes             bool
	advise              string
	shortest            []time.Duration
	progress            *work.Progress
}

func newForecast() *cobra.Command {
	var q forecastCommand
	c := &cobra.Command{
		Use:   "forecast LOCK|SCENARIO|FILE… --environment NAME|FILE",
		Short: "Estimate how often a lock breaks in a year",
		RunE: func(c *cobra.Command, args []string) error {
			if err := q.check(); err != nil {
				return err
			}
			goal, err := q.goal(args)
			if err != nil {
				return err
			}
			e, models, err := q.models(args)
			if err != nil {
				return err
			}
			all, err := q.run(c, models, goal)
			if err != nil {
				return err
			}
			report := forecasts.New(e, all, cli.Version)
			if len(models) > 1 {
				report.Comparison = new(forecast.Compare(models))
			}
			return cli.Write(c.OutOrStdout(), report.Document(), q.format, q.quiet)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return forecast.Locks(), cobra.ShellCompDirectiveDefault
		},
	}
	f := c.Flags()
	f.StringVarP(&q.environment, "environment", "e", "", "use the environment `NAME` that ships, or a file: "+
		"what goes wrong where the lock runs")
	f.IntVar(&q.runs, "runs", 24, "run `N` times for each situation: a cause and a range of sizes")
	f.Uint64Var(&q.seed, "seed", 1, "start with the seed `N`")
	work.AddWorkers(f, &q.workers)
	cli.FormatFlag(f, &q.format)
	f.BoolVarP(&q.quiet, "quiet", "q", false, "show no progress")
	f.IntVar(&q.more, "more", 5000, "then run up to `N` times more, where that makes the interval narrower")
	f.StringArrayVar(&q.set, "set", nil, "change the lock: `KEY=VALUE`; may be repeated")
	f.BoolVar(&q.changes, "changes", true, "show what could be changed, for a single lock")
	c.AddCommand(newEnvironment())
	f.DurationSliceVar(&q.shortest, "shortest-restart", nil, "show how often restarts of nodes break a lock if none is "+
		"shorter than each time in `LIST`, such as 200ms,2s,12s")
	f.StringVar(&q.advise, "advise", "", "find the settings that meet `GOAL`, such as 'lost update < 0.1/year'")
	return c
}

// check checks the flags. An interval is computed from how the runs differ, so there must be two.
func (q *forecastCommand) check() error {
	switch {
	case q.runs < 2 || q.runs > 1_000_000:
		return fmt.Errorf("--runs: %d; give 2 to 1000000, because the interval comes from how runs differ", q.runs)
	case slices.ContainsFunc(q.shortest, func(d time.Duration) bool { return d < 0 }):
		return fmt.Errorf("--shortest-restart: %v; give times of 0s or more", q.shortest)
	case q.more < 0 || q.more > 10_000_000:
		return fmt.Errorf("--more: %d; give 0 to 10000000", q.more)
	}
	return cmp.Or(cli.CheckSeeds(q.seed, q.runs), work.CheckWorkers(&q.workers))
}

// run makes the runs of all models, and of what could be changed of one, or of what keeps a goal.
func (q *forecastCommand) run(
	c *cobra.Command, models []*forecast.Model, goal *forecast.Goal,
) (all []*forecast.Result, err error) {
	var changes []forecast.Change
	runs := 0
	for _, m := range models {
		runs += m.Planned() + m.PlannedRestarts(q.shortest)
	}
	if goal != nil {
		runs += models[0].PlannedAdvice(*goal)
	} else if q.changes && len(models) == 1 {
		changes = models[0].Changes()
		runs += models[0].PlannedOf(changes)
	}
	errs := c.ErrOrStderr()
	q.progress = work.NewProgress(errs, work.ModeFor(errs, q.quiet), runs)
	defer q.progress.End()
	left := runs // planned; not all may be necessary
	for _, m := range models {
		q.first(m)
		m.Run()
		r := m.Result()
		for _, x := range changes {
			if _, err := m.Change(x, r); err != nil {
				return nil, err
			}
		}
		if goal != nil {
			if err := m.Advise(*goal, r); err != nil {
				return nil, err
			}
		}
		if err := m.Restarts(q.shortest, r); err != nil {
			return nil, err
		}
		all = append(all, r)
		if left -= r.Runs; m == models[len(models)-1] {
			q.progress.Add(max(left, 0), 0, false)
		}
	}
	return all, nil
}

// first notes the result of a model's first runs. It comes within seconds.
func (q *forecastCommand) first(m *forecast.Model) {
	more := m.More
	m.More = 0
	m.Run()
	m.More = more
	if e := m.Result().Promises[0].All; !q.quiet && more > 0 {
		q.progress.Note(fmt.Sprintf("%s, after %d runs: lost updates a year %s", m.Scenario.ID, m.Made(), forecasts.Text(e)))
	}
}
