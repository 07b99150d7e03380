package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lockstorm/lockstorm/scenarios"
)

// types describes what each type of flag takes.
var types = map[string]string{
	"uint64": "a whole number from 0 on", "int": "a whole number", "bool": "true or false", "duration": "a time such as 10m",
}

// FlagError replaces the flag library's error about a value, which quotes Go, and that about a name, by one that says what
// would be right.
func FlagError(c *cobra.Command, err error) error {
	if unknown, is := errors.AsType[*pflag.NotExistError](err); is && unknown.GetSpecifiedShortnames() == "" {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		return fmt.Errorf("%w%s", err, scenarios.Suggest("--"+unknown.GetSpecifiedName(), names))
	}
	bad, is := errors.AsType[*pflag.InvalidValueError](err)
	if !is {
		return err
	}
	flag, value := bad.GetFlag(), bad.GetValue()
	want, known := types[flag.Value.Type()]
	switch {
	case !known:
		return err
	case errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("--%s: %s is out of range", flag.Name, value)
	}
	return fmt.Errorf("--%s: %q is not %s", flag.Name, value, want)
}

// One is cobra.ExactArgs(1) with an error that helps.
func One(what, hint string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("%s takes one %s, not %d; %s", c.CommandPath(), what, len(args), hint)
		}
		return nil
	}
}

// SeedMax bounds seeds: larger ones do not survive JSON readers that count in floating point.
const SeedMax = 1<<53 - 1

// CheckSeeds refuses seeds beyond SeedMax. It names the first seed if that is too large, else the number of runs.
func CheckSeeds(first uint64, runs int) error {
	switch {
	case first > SeedMax:
		return fmt.Errorf("--seed: seeds go up to %d", uint64(SeedMax))
	case uint64(runs) > SeedMax-first+1:
		return fmt.Errorf("--runs: seeds go up to %d, so from %d on there are no more than %d", uint64(SeedMax), first, SeedMax-first+1)
	}
	return nil
}

// CheckFormat refuses a --format that is none of those.
func CheckFormat(format string, formats ...string) error {
	if slices.Contains(formats, format) {
		return nil
	}
	return fmt.Errorf("--format: %q is not one of %s", format, strings.Join(formats, ", "))
}
