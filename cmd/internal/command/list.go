package command

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

func newList() *cobra.Command {
	var colour, format, breaks, lock string
	c := &cobra.Command{
		Use:   "list [GLOB|FILE|FOLDER…]",
		Short: "List the scenarios",
		RunE: func(c *cobra.Command, args []string) error {
			subjects, err := cli.Select(args)
			if err != nil {
				return err
			}
			all, err := filtered(subjects, breaks, lock)
			if err != nil {
				return err
			}
			out := c.OutOrStdout()
			return cli.WriteFor(cli.ScreenFor(out, colour), out, runs.List(all), format, false)
		},
	}
	c.Flags().StringVar(&breaks, "breaks", "", "list only scenarios that should break the promise `NAME`")
	c.Flags().StringVar(&lock, "lock", "", "list only scenarios with locks of the kind `NAME`, such as redisson")
	cli.FormatFlag(c.Flags(), &format)
	cli.ColorFlag(c.Flags(), &colour)
	return c
}

// filtered returns the scenarios that should break a promise and have a kind of lock, or a variant such as
// redisson-fair; "" is any.
func filtered(subjects []cli.Subject, breaks, lock string) (all []scenarios.Scenario, err error) {
	if known := scenarios.Judged(); breaks != "" && !slices.Contains(known, breaks) {
		return nil, fmt.Errorf("--breaks: there is no promise %q%s; there are %s", breaks,
			faults.Suggest(breaks, known), strings.Join(known, ", "))
	}
	var kinds []string
	for i := range subjects {
		s := &subjects[i].Scenario
		if breaks != "" && s.Expected(breaks) != checker.Violated {
			continue
		}
		kind := s.Lock.Kind.String()
		kinds = append(kinds, kind)
		if lock == "" || kind == lock || strings.HasPrefix(kind, lock+"-") {
			all = append(all, *s)
		}
	}
	slices.Sort(kinds)
	if kinds = slices.Compact(kinds); len(all) == 0 {
		there := cmp.Or(strings.Join(kinds, ", "), "none")
		return nil, fmt.Errorf("no scenario is left; kinds of lock without --lock: %s", there)
	}
	return all, nil
}
