package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
)

// axisFlags are flags of sweep, with which a report of its rows names runs.
type axisFlags struct {
	cli.Request
	format     string
	axes       []string
	properties []string
}

// flags adds them.
func (v *axisFlags) flags(c *cobra.Command, runs int) {
	f := c.Flags()
	f.StringArrayVar(&v.axes, "axis", nil, "the setting and its values: `KEY=VALUES`")
	f.StringSliceVar(&v.properties, "property", nil, "report the property `NAME` only; may be given more than once")
	f.IntVar(&v.Runs, "runs", runs, "make `N` runs per value")
	f.Uint64Var(&v.Seed, "seed", 1, "the first seed per value is `N`")
	f.StringArrayVar(&v.Set, "set", nil, "change the scenario first: `KEY=VALUE`; may be given more than once")
}

func (v *axisFlags) complete(id string) error {
	if err := v.Request.Complete(id); err != nil {
		return err
	}
	for _, set := range v.Set {
		key, _, _ := strings.Cut(set, "=")
		v.Scenario.Hold(key)
	}
	return nil
}

// command returns the command that runs a seed with more settings.
func (v *axisFlags) command(settings []string, seed uint64) string {
	q := cli.Request{Named: v.Named, Set: append(slices.Clip(v.Set), settings...)}
	return q.Command(seed)
}
