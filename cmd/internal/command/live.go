package command

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/scenarios/live"
)

// A liveCommand holds the flags of live.
type liveCommand struct {
	runCommand
	options live.Options
	scale   string
	again   string // the command that makes such a run again
	adapter []string
	program map[string]*string // of servers, by flag
	examine bool               // the machine
	compare bool               // live runs with simulated ones
	count   bool               // what breaks with each adapter
	mutants bool

	parallel int // runs at once
}

func newLive() *cobra.Command {
	q := liveCommand{runCommand: runCommand{Request: cli.Request{Runs: 1}}}
	c := &cobra.Command{
		Use:   "live SCENARIO|FILE | --agree [SCENARIO…] | --verdicts [SCENARIO…] | --doctor",
		Short: "Run a scenario on real Redis servers, with real client processes",
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case q.examine && len(args) > 0:
				return fmt.Errorf("--doctor: it takes no SCENARIO")
			case q.examine || q.compare || q.count:
				return nil
			}
			return cli.One("SCENARIO", "lockstorm list names them")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) (err error) {
			if err := q.check(); err != nil {
				return err
			}
			q.options.Programs = map[string]string{}
			for flag, name := range q.program {
				q.options.Programs[flag] = *name
			}
			if q.examine {
				return q.doctor(c.OutOrStdout())
			}
			if err := q.CheckRuns(); err != nil {
				return err
			}
			if q.options.Scale, err = live.ParseScale(q.scale); err != nil {
				return fmt.Errorf("--scale: %w", err)
			}
			if err := cmp.Or(positive("parallel", q.parallel), positive("attempts", q.options.Attempts)); err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			context.AfterFunc(ctx, stop) // a second signal ends the program, and the watchdog the rest
			if q.count {
				return q.verdicts(ctx, args, c.OutOrStdout(), c.ErrOrStderr())
			}
			if err := q.oneAdapter(); err != nil {
				return err
			}
			if q.compare {
				return q.agree(ctx, args, c.OutOrStdout(), c.ErrOrStderr())
			}
			if err := q.Complete(args[0]); err != nil {
				return err
			}
			q.again = cli.Again(c, args, "seed="+strconv.FormatUint(q.Seed, 10), "set", "scale="+q.options.Scale.String(), "servers",
				"redis-server", "adapter")
			return q.run(ctx, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	q.addOwnFlags(c)
	q.addFlags(c)
	return c
}

// addOwnFlags adds the flags that live alone has.
func (q *liveCommand) addOwnFlags(c *cobra.Command) {
	f := c.Flags()
	f.SortFlags = false
	f.Uint64Var(&q.Seed, "seed", 1, "run with seed `N`: what the workload and the schedule draw follows from it")
	f.StringArrayVar(&q.Set, "set", nil, "change the scenario: `KEY=VALUE`; may be given more than once")
	f.StringVar(&q.scale, "scale", live.DefaultScale.String(), "multiply times by `X`, from 0.001 to 1")
	f.IntVar(&q.options.Attempts, "attempts", 3, "make a run up to `N` times while its verdict is unknown")
	f.DurationVar(&q.options.Margin, "margin", 0, "how late the driver may be, a `D`; 0s is half of the smallest gap that the "+
		"schedule relies on")
	f.StringVar(&q.options.Servers, "servers", "", "run on servers of the kind `KIND` where a lock has more than one: replicas "+
		"or sentinel")
	q.program = map[string]*string{}
	for _, p := range live.Programs() {
		q.program[p.Flag] = f.String(p.Flag, p.Default, p.Usage)
	}
	f.StringArrayVar(&q.adapter, "adapter", nil, "the `[NAME=]COMMAND` to run as a client, which speaks the line protocol; "+
		"without it, Lockstorm's own locks")
	f.BoolVar(&q.compare, "agree", false, "compare live runs with simulated ones, and print the table")
	f.IntVar(&q.Runs, "runs", 1, "with --agree and --verdicts, make `N` live runs of each scenario, of the seeds from --seed on")
	f.IntVar(&q.parallel, "parallel", 1, "with --agree and --verdicts, make `N` runs at once, each with servers of its own; "+
		"what is late counts in each")
	f.BoolVar(&q.mutants, "mutants", false, "with --agree, compare the mutants of each scenario too")
	f.BoolVar(&q.count, "verdicts", false, "count what breaks with Lockstorm's own lock and with each adapter, and print the table")
	f.BoolVar(&q.examine, "doctor", false, "print what this machine has for live runs, what it lacks, and what each lack costs")
	f.StringVar(&q.store, "store", "store", "keep results in `DIR`")
	f.BoolVar(&q.noStore, "no-store", false, "keep nothing")
}
