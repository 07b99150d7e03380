package command

import (
	"bytes"
	"cmp"
	"fmt"
	"runtime"
	"sync"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A metricsCommand holds the flags of metrics.
type metricsCommand struct {
	cli.Request
	out    string
	format string
	quiet  bool
}

func newMetrics() *cobra.Command {
	var q metricsCommand
	c := &cobra.Command{
		Use:   "metrics SCENARIO|FILE",
		Short: "Print a lock's operating metrics as OpenMetrics",
		Args:  cli.One("SCENARIO", "lockstorm list names them"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := q.Complete(args[0]); err != nil {
				return err
			}
			return q.run(c)
		},
	}
	f := c.Flags()
	f.Uint64Var(&q.Seed, "seed", 1, "the first seed is `N`")
	f.IntVar(&q.Runs, "runs", 100, "run `N` consecutive seeds, on all cores")
	f.StringArrayVar(&q.Set, "set", nil, "change the scenario: `KEY=VALUE`; may be given more than once")
	f.StringVar(&q.out, "out", "-", "write to `FILE`; - is standard output")
	cli.FormatFlag(f, &q.format)
	f.BoolVarP(&q.quiet, "quiet", "q", false, "show no progress")
	return c
}

func (q *metricsCommand) run(c *cobra.Command) error {
	p := work.NewProgress(c.ErrOrStderr(), work.ModeFor(c.ErrOrStderr(), "auto", q.quiet), q.Runs)
	m := runs.Metrics{Scenario: q.Scenario.ID, Lock: scenarios.KindNames[q.Scenario.Lock.Kind]}
	var one sync.Mutex // sums are of whole numbers: the order in which runs come is of no account
	campaign.Plan{
		Scenario: &q.Scenario, First: q.Seed, Runs: q.Runs, Workers: runtime.GOMAXPROCS(0), Scanning: true,
		Each: func(r *scenarios.Result) {
			p.Result(r)
			one.Lock()
			defer one.Unlock()
			m.Add(r)
		},
	}.Run()
	p.End()
	t := cli.Table{
		Title: "The operating metrics of " + q.Scenario.ID, Heads: []string{"sample", "labels", "value"}, Rows: m.Samples(),
		Text: string(m.OpenMetrics()),
	}
	if q.out == "-" {
		return cli.Write(c.OutOrStdout(), t.Document(), q.format, false)
	}
	var text bytes.Buffer
	if err := cmp.Or(cli.Write(&text, t.Document(), q.format, false), store.Replace(q.out, text.Bytes())); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}
