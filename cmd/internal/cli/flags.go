package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// types describes what each type of flag takes.
var types = map[string]string{
	"uint64": "a whole number, 0 or more", "int": "a whole number", "bool": "true or false",
	"duration": "a time such as 10m",
}

// FlagError replaces the flag library's errors: the one about a value, which quotes Go, and the one about a name. The
// new error says what would be right.
func FlagError(c *cobra.Command, err error) error {
	if unknown, is := errors.AsType[*pflag.NotExistError](err); is && unknown.GetSpecifiedShortnames() == "" {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		return fmt.Errorf("%w%s", err, faults.Suggest("--"+unknown.GetSpecifiedName(), names))
	}
	bad, is := errors.AsType[*pflag.InvalidValueError](err)
	if !is {
		return err
	}
	flag, value := bad.GetFlag(), bad.GetValue()
	if _, is := flag.Value.(choice); is {
		return fmt.Errorf("--%s: %w", flag.Name, bad.Unwrap())
	}
	want, known := types[flag.Value.Type()]
	switch {
	case !known:
		return err
	case errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("--%s: %s is out of range", flag.Name, value)
	}
	return fmt.Errorf("--%s must be %s, not %q", flag.Name, want, value)
}

// One is cobra.ExactArgs(1) with an error that helps.
func One(what, hint string) cobra.PositionalArgs { return counted(1, "one "+what, hint) }

// AtMostOne is cobra.MaximumNArgs(1) with an error that helps.
func AtMostOne(what, hint string) cobra.PositionalArgs {
	return counted(0, "one "+what+" at most", hint)
}

func counted(least int, what, hint string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if n := len(args); n < least || n > 1 {
			return fmt.Errorf("%s takes %s, not %d; %s", c.CommandPath(), what, n, hint)
		}
		return nil
	}
}

// None is cobra.NoArgs with an error that does not take the argument for a command.
func None(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no argument, not %q; %s --help lists its flags", c.CommandPath(), args[0],
		c.CommandPath())
}

// Properties returns the set of the names of scenarios.Judged in --property. Without names it is all promises.
func Properties(names []string) (set campaign.Set, err error) {
	if len(names) == 0 {
		return campaign.All(), nil
	}
	for _, name := range names {
		i := slices.Index(scenarios.Judged(), name)
		if i < 0 {
			return 0, NoProperty(name)
		}
		set |= 1 << i
	}
	return set, nil
}

// NoProperty returns the error about an unknown --property.
func NoProperty(name string) error {
	known := scenarios.Judged()
	return fmt.Errorf("--property: there is no promise %q%s; there are %s", name, faults.Suggest(name, known),
		strings.Join(known, ", "))
}

// SeedMax bounds seeds: larger ones do not survive JSON readers that count in floating point.
const SeedMax = 1<<53 - 1

// CheckSeeds rejects seeds beyond SeedMax. It names the first seed if that is too large, else the number of runs.
func CheckSeeds(first uint64, runs int) error {
	switch {
	case first > SeedMax:
		return fmt.Errorf("--seed: seeds go up to %d", uint64(SeedMax))
	case uint64(runs) > SeedMax-first+1:
		return fmt.Errorf("--runs: seeds go up to %d, so from %d on there are only %d", uint64(SeedMax), first,
			SeedMax-first+1)
	}
	return nil
}

// FormatFlag adds --format, which takes a format of every document.
func FormatFlag(f *pflag.FlagSet, format *string) {
	ChoiceFlag(f, format, "format", "text", "print `"+reports.Formats("|")+"`")
}

func notOneOf(word string, words []string) error {
	return fmt.Errorf("%q is not one of %s", word, strings.Join(words, ", "))
}

// ColorFlag adds --color, which turns colour on or off.
func ColorFlag(f *pflag.FlagSet, when *string) {
	ChoiceFlag(f, when, "color", "auto", "print in colour `auto|always|never`; auto: on a terminal, unless "+
		"NO_COLOR is set or TERM is dumb")
}

// ChoiceFlag adds a flag that takes one of a few words: those between the backquotes of its usage.
func ChoiceFlag(f *pflag.FlagSet, p *string, name, value, usage string) {
	*p = value
	f.Var(choice{p, value, strings.Split(strings.Split(usage, "`")[1], "|")}, name, usage)
}

// A choice is the value of a flag that takes one of a few words.
type choice struct {
	value     *string
	otherwise string
	words     []string
}

// Set rejects any other word.
func (c choice) Set(word string) error {
	if word != c.otherwise && !slices.Contains(c.words, word) {
		return notOneOf(word, c.words)
	}
	*c.value = word
	return nil
}

// String returns the word.
func (c choice) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

// Type lets the help show a word as it shows any text.
func (c choice) Type() string { return "string" }
