package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/input"
	"github.com/lockstorm/lockstorm/scenarios"
)

// takeScenarios are the commands whose arguments are scenarios, or files of such.
var takeScenarios = []string{"run", "test", "fuzz", "shrink", "sweep", "bound", "rows", "metrics", "validate", "debate"}

// complete tells a shell what may stand where: scenarios, locks, properties and settings. Files it knows itself.
func complete(c *cobra.Command) {
	if slices.Contains(takeScenarios, c.Name()) {
		c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return scenarioNames(), cobra.ShellCompDirectiveDefault
		}
	}
	for flag, words := range map[string]func(args []string) []string{
		"set": settingNames, "axis": settingNames, "property": propertyNames, "kind": kindNames, "lock": kindNames,
	} {
		if c.Flags().Lookup(flag) == nil {
			continue
		}
		directive := cobra.ShellCompDirectiveNoFileComp
		if flag == "set" || flag == "axis" {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		_ = c.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return words(args), directive // it fails for a flag that is not there, or has one: neither is so
		})
	}
}

func scenarioNames() (names []string) {
	for _, s := range scenarios.Catalogue() {
		names = append(names, s.ID+"\t"+s.Title)
	}
	return names
}

func propertyNames([]string) (names []string) {
	for _, p := range checker.Properties {
		names = append(names, p.Name+"\t"+p.Asks)
	}
	return names
}

func kindNames([]string) []string { return scenarios.KindNames }

// settingNames are the settings of the scenario that was named before, or those that all have.
func settingNames(args []string) (names []string) {
	s := scenarios.Base()
	if len(args) > 0 {
		if named, err := input.Read(args[0]); err == nil {
			s = named
		}
	}
	for _, k := range scenarios.Settings(&s) {
		if s.Uses(k) {
			names = append(names, k.Key+"=\t"+strings.ReplaceAll(k.Doc, "\n", " "))
		}
	}
	return names
}
