package command

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports/histories"
)

// A checkCommand holds the flags of check.
type checkCommand struct {
	names  []string
	models []blackbox.Model
	junit  store.ReportFile

	format, input, value, failed, initial       string
	clients, limit, permits, steps, memory, ops int
	least                                       time.Duration
	list                                        bool
}

func newCheck() *cobra.Command {
	var t checkCommand
	c := &cobra.Command{
		Use:   "check FILE|FOLDER",
		Short: "Judge a recorded history",
		Args: func(c *cobra.Command, args []string) error {
			if t.list && len(args) == 0 {
				return nil
			}
			return cli.One("FILE", "- is the standard input")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if t.list {
				out := c.OutOrStdout()
				return cli.Print(out, histories.Models(cli.ScreenFor(out, "never"), blackbox.Models))
			}
			if err := t.complete(c, args[0]); err != nil {
				return err
			}
			if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
				return t.checkFolder(c, args[0])
			}
			return t.check(c, args[0])
		},
	}
	t.flags(c)
	return c
}

func (t *checkCommand) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringSliceVar(&t.names, "model", []string{"mutex"}, "judge under the model `NAME`; may be repeated, or "+
		"a list with commas")
	f.BoolVar(&t.list, "list-models", false, "list the models")
	cli.FormatFlag(f, &t.format)
	f.StringVar((*string)(&t.junit), "junit", "", "write a JUnit report to `FILE`, a case for each model; - "+
		"prints only that")
	cli.ChoiceFlag(f, &t.input, "input", "", "read the file as `jsonl|json|edn`; default: judge by its first "+
		"bytes")
	cli.ChoiceFlag(f, &t.value, "value", "", "treat a value that is a string as `lock|owner|token|ignore`; "+
		"default: the lock's name, if it can be one")
	f.IntVar(&t.clients, "clients", 0, "treat processes that differ by a multiple of `N` as one client; "+
		"default: each is a client, but a stored run's scenario decides")
	cli.ChoiceFlag(f, &t.failed, "failed-release", "", "assume that a failed release `holds|ends` the hold; "+
		"default: holds, but ends under the lease models")
	f.IntVar(&t.limit, "limit", 2, "let a client hold a reentrant lock `N` times")
	f.IntVar(&t.permits, "permits", 2, "give a semaphore `N` permits")
	f.DurationVar(&t.least, "least", 0, "require leases of lease-timed to last at least `DURATION`, such as "+
		"10s, from each grant and extension")
	f.StringVar(&t.initial, "initial", "", "start the register of cas-register with `VALUE`, written as in the "+
		"file; default: no value")
	f.IntVar(&t.steps, "steps", 1_000_000, "stop a search after `N` steps of the model; the verdict is then "+
		"unknown")
	f.IntVar(&t.memory, "memory", 256, "stop a search at about `N` MiB; the verdict is then unknown")
	f.IntVar(&t.ops, "max-ops", 1<<24, "reject a history of more than `N` operations; each takes about 125 "+
		"bytes")
}

// check reads the file, judges it, and prints the verdicts.
func (t *checkCommand) check(c *cobra.Command, recorded string) error {
	name := recorded
	if recorded == "-" {
		name = "stdin"
	}
	r, results, err := t.verdicts(c, recorded, name)
	if err != nil {
		return err
	}
	return t.report(c, name, r, results)
}

// verdicts reads a file and judges it. Its errors begin with the name.
func (t *checkCommand) verdicts(c *cobra.Command, recorded, name string) (*codec.Recording, []histories.Judged, error) {
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	}
	r, err := cli.ReadHistory(recorded, c.InOrStdin(), t.reading())
	if errors.Is(err, cli.ErrUnopened) {
		return nil, nil, err
	}
	var results []histories.Judged
	if err == nil {
		results, err = t.judge(r)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s:%w", name, err)
	}
	return r, results, nil
}
