package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// takeScenarios are the commands that take scenarios, or files of such, by another word than SCENARIO.
var takeScenarios = []string{"list", "test", "shrink", "validate", "new"}

// complete completes scenarios, studies, locks, properties, settings, models and faults in a shell. The shell completes
// files.
func complete(c *cobra.Command) {
	if strings.Contains(c.Use, "SCENARIO") || slices.Contains(takeScenarios, c.Name()) {
		c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return scenarioNames(), cobra.ShellCompDirectiveDefault
		}
	}
	if c.Name() == "study" {
		c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return studyNames(), cobra.ShellCompDirectiveDefault
		}
	}
	for flag, words := range map[string]func(args []string, typed string) []string{
		"set": settingNames, "axis": settingNames, "property": propertyNames, "lock": variantNames, "model": modelNames,
		"faults": faultNames,
	} {
		if c.Flags().Lookup(flag) == nil {
			continue
		}
		directive := cobra.ShellCompDirectiveNoFileComp
		if flag == "set" || flag == "axis" {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		_ = c.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, args []string, typed string) ([]string,
			cobra.ShellCompDirective) {
			return words(args, typed), directive // it fails for a flag that is not there, or has one: neither is so
		})
	}
}

func scenarioNames() (names []string) {
	for _, s := range scenarios.Catalogue() {
		names = append(names, s.ID+"\t"+s.Title)
	}
	return names
}

func studyNames() (names []string) {
	for _, name := range study.Names() {
		text, _ := study.Text(name)
		if s, err := study.Parse(name+".yaml", text); err == nil {
			names = append(names, name+"\t"+s.Title)
		}
	}
	return names
}

func propertyNames([]string, string) (names []string) {
	for _, p := range checker.Properties {
		names = append(names, p.Name+"\t"+p.Asks)
	}
	for _, m := range blackbox.Views {
		names = append(names, scenarios.BlackBox+"."+m.Name+"\t"+m.Says)
	}
	return names
}

func variantNames([]string, string) (names []string) {
	for _, v := range campaign.MatrixVariants() {
		names = append(names, v.Name+"\t"+v.About)
	}
	return names
}

func modelNames([]string, string) (names []string) {
	for _, m := range blackbox.Models {
		names = append(names, m.Name+"\t"+m.Says)
	}
	return names
}

func faultNames([]string, string) (names []string) {
	for _, c := range faults.Classes() {
		names = append(names, c.Name+"\t"+c.About)
	}
	return names
}

// completeCommands completes the topics of help.
func completeCommands(c *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	for _, topic := range c.Root().Commands() {
		if len(args) == 0 && !topic.Hidden {
			names = append(names, topic.Name()+"\t"+topic.Short)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// settingNames are the settings of the scenario that was named before, or of any. After a = they are the words of the
// setting.
func settingNames(args []string, typed string) (names []string) {
	s := scenarios.Base()
	if len(args) > 0 {
		if named, err := scenarios.Open(args[0]); err == nil {
			s = named
		}
	}
	if key, _, valued := strings.Cut(typed, "="); valued {
		k, _ := scenarios.Lookup(&s, key)
		if words := strings.Split(k.Form, "|"); len(words) > 1 {
			for _, word := range words {
				names = append(names, key+"="+word)
			}
		}
		return names
	}
	for _, k := range scenarios.Settings(&s) {
		if s.Uses(k) {
			names = append(names, k.Key+"=\t"+strings.ReplaceAll(k.Doc, "\n", " "))
		}
	}
	return names
}
