package command

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/scenarios/live"
)

// A liveCommand holds the flags of live.
type liveCommand struct {
	cli.Request
	cli.Printing
	store   string
	noStore bool
	options live.Options
	scale   string
	adapter []string
	program map[string]*string // of servers, by flag
	examine bool               // the machine
	compare bool               // live runs with simulated ones
	count   bool               // what breaks with each adapter
	mutants bool

	parallel int              // parallel runs; 0: as many as this machine keeps up with
	lock     string           // the kind of the adapter's lock
	accept   string           // the file of breaks that a team lives with
	junit    store.ReportFile // of a suite
	lasting  time.Duration
	shard    string
}

func newLive() *cobra.Command {
	q := liveCommand{Request: cli.Request{Runs: 1}}
	c := &cobra.Command{
		Use: "live SCENARIO|FILE | [GLOB|FILE…] --adapter COMMAND | --agree [SCENARIO…] | --verdicts [SCENARIO…] | " +
			"--doctor",
		Short: "Run a scenario on real servers",
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case q.examine && len(args) > 0:
				return fmt.Errorf("--doctor: leave out the SCENARIO")
			case q.examine || q.compare || q.count || len(q.adapter) > 0:
				return nil
			}
			return cli.One("SCENARIO", "lockstorm list names them")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) (err error) {
			if err := q.Check(); err != nil {
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
			if err := q.checkOwn(); err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			context.AfterFunc(ctx, stop) // a second signal ends the program, and the watchdog the rest

			suite := !q.count && !q.compare && q.suited(c, args)
			if q.options.Late == 0 && (q.count || q.compare || suite) { // once for the whole table
				q.options.Late = live.Lateness()
			}
			if q.count {
				return q.verdicts(ctx, args, c.OutOrStdout(), c.ErrOrStderr())
			}
			if err := q.oneAdapter(); err != nil {
				return err
			}
			if q.compare {
				return q.agree(ctx, args, c.OutOrStdout(), c.ErrOrStderr())
			}
			if suite {
				return q.gate(ctx, c, args)
			}
			if err := q.Complete(args[0]); err != nil {
				return err
			}
			again := func(p live.Pace) string {
				how := []string{"seed=" + strconv.FormatUint(q.Seed, 10), "set", "scale=" + p.Scale.String()}
				if p.Widen > 1 {
					how = append(how, "widen="+strconv.Itoa(p.Widen))
				}
				return cli.Again(c, args, append(how, "servers", "redis-server", "adapter")...)
			}
			return q.run(ctx, c.OutOrStdout(), c.ErrOrStderr(), again)
		},
	}
	q.addOwnFlags(c)
	q.AddFlags(c)
	return c
}
