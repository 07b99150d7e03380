package command

import (
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A fuzzCommand holds the flags of fuzz.
type fuzzCommand struct {
	cli.Request
	work.Work
	lasting    time.Duration
	stopAfter  int
	faults     []string
	properties []string
	format     string

	given     func(flag string) bool
	again     func(runs int) string // repeats the search as far as it came
	byDefault bool                  // the scenario says nothing of a search
	watched   campaign.Set
}

func newFuzz() *cobra.Command {
	var q fuzzCommand
	c := &cobra.Command{
		Use:   "fuzz SCENARIO|FILE",
		Short: "Try random faults, and shrink each violation found",
		RunE: func(c *cobra.Command, args []string) error {
			q.given = c.Flags().Changed
			q.again = func(runs int) string {
				return cli.Again(c, args, "runs="+strconv.Itoa(runs), "seed", "faults", "property", "set")
			}
			if err := cli.One("SCENARIO", "lockstorm list names them")(c, args); err != nil {
				return err
			}
			if err := q.complete(args[0]); err != nil {
				return err
			}
			return q.run(c, args)
		},
	}
	q.flags(c)
	return c
}

func (q *fuzzCommand) flags(c *cobra.Command) {
	f := c.Flags()
	f.IntVar(&q.Runs, "runs", 10_000, "search `N` consecutive seeds")
	f.DurationVar(&q.lasting, "for", 0, "search for the time `D`, such as 1m, instead of --runs")
	f.Uint64Var(&q.Seed, "seed", 1, "start with the seed `N`")
	f.IntVar(&q.stopAfter, "stop-after", 0, "stop after `K` signatures; 0: no limit")
	f.StringSliceVar(&q.faults, "faults", nil, "try these faults instead of the scenario's: a `LIST` of "+
		"classes or kinds, such as delay,loss,pause; or none")
	f.StringArrayVar(&q.Set, "set", nil, "change the scenario: `KEY=VALUE`; may be repeated")
	f.StringSliceVar(&q.properties, "property", nil, "report only violations of the promise `NAME`; may be repeated")
	cli.FormatFlag(f, &q.format)
	q.AddFlags(c)
	f.Lookup("store").Usage = "store a row of each run in `DIR`, and the smallest scenarios in DIR/found; with rows, " +
		"a search can be resumed and exported; default: no rows, and scenarios in store/SCENARIO/found"
	f.Lookup("quiet").Usage = "print one line, and no progress"
}

// run searches, and prints what was found.
func (q *fuzzCommand) run(c *cobra.Command, args []string) error {
	if err := store.Probe(q.home()); err != nil {
		return q.storeError(err)
	}
	h, err := q.hunt(c, args)
	if err != nil {
		return err
	}
	if err := q.keep(h); err != nil {
		return err
	}
	d := campaigns.Hunt(h, q.again(h.Runs), q.byDefault)
	return q.End(cli.Write(c.OutOrStdout(), d, q.format, q.Quiet), cli.ExitFor(h.Verdict()))
}
