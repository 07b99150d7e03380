package command

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// texts are what the help says of each command, as it is printed: what it does, and below a line "Examples:" commands
// to try.
//
//go:embed help/*.txt
var texts embed.FS

// explain adds the help text to a command. A command of another package has its text already, with its examples, as
// Long.
func explain(c *cobra.Command) {
	text := c.Long
	if text == "" {
		file, err := texts.ReadFile("help/" + strings.Join(strings.Fields(c.CommandPath())[1:], "-") + ".txt")
		if err != nil {
			return // its line in the list says all
		}
		text = string(file)
	}
	about, examples, _ := strings.Cut(strings.TrimSuffix(text, "\n"), "\n\nExamples:\n\n")
	c.Long, c.Example = about, named(examples)
}

// named puts the program's name into commands of a text, which are written for lockstorm.
func named(text string) string { return strings.ReplaceAll(text, "lockstorm ", cli.Name+" ") }

// repeatability says on what a run depends.
func repeatability() string {
	alone := "A run depends only on its scenario and seed: the same two give the same run, byte for byte."
	if len(scenarios.Guests()) == 0 {
		return alone
	}
	return alone + "\n" +
		"Runs with a client library are an exception, because Go's scheduler affects them. If such a run breaks\n" +
		"a promise, it is repeated three times, and the report says how often the result was the same."
}

// newHelp is cobra's help command, except that it rejects a word that is no topic.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Help about any command", ValidArgsFunction: completeCommands,
		RunE: func(c *cobra.Command, args []string) error {
			topic, rest, err := c.Root().Find(args)
			switch {
			case err != nil || len(rest) > 0 && topic == c.Root():
				return isCommand(c.Root(), args)
			case len(rest) > 0:
				return fmt.Errorf("%s has no topic %q; for its help: lockstorm help %s", topic.Name(), rest[0],
					topic.Name())
			}
			topic.InitDefaultHelpFlag()
			return topic.Help()
		},
	}
}

// helpWidth is how wide help is for a file.
const helpWidth = 100

// checkHelp lays help out for the terminal, and returns where the error is of a help that could not be written. Cobra
// would ignore it.
func checkHelp(root *cobra.Command) (wrong *error) {
	wrong = new(error)
	help, usage := root.HelpFunc(), root.UsageTemplate()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		var text bytes.Buffer
		out, long, examples := c.OutOrStdout(), c.Long, c.Example
		s := cli.ScreenFor(out, "never")
		s.Program, s.Width = "", cmp.Or(s.Width, helpWidth)
		c.Long, c.Example = cli.Fold(s, long), cli.Fold(s, examples)
		defer func() { c.Long, c.Example = long, examples }()
		root.SetUsageTemplate(strings.ReplaceAll(usage, ".FlagUsages", ".FlagUsagesWrapped "+fmt.Sprint(s.LineWidth())))
		c.SetOut(&text)
		help(c, args)
		c.SetOut(out)
		*wrong = cli.Print(out, text.String())
	})
	return wrong
}

// newSchedule is a page of the help, not a command.
func newSchedule() *cobra.Command {
	return &cobra.Command{
		Use: "schedule", Short: "How to write a schedule of faults",
		Long: strings.TrimSpace(faults.Language()) + "\n\nMarks\n\n" +
			"A client passes a mark when\n\n" + strings.TrimRight(scenarios.MarkLines(), "\n"),
	}
}

// A Group is some commands under one title in the help. A program adds its own to a title of this package, such as
// "Run:", or below a new one.
type Group struct {
	Title    string
	Commands []*cobra.Command
}

func groups() []Group {
	return []Group{
		{"Run:", []*cobra.Command{newRun(), newTest(), newReplay()}},
		{"Search:", []*cobra.Command{newFuzz(), newShrink(), newExplore(), newArithmetic()}},
		{"Measure:", []*cobra.Command{newStudy(), newSweep(), newExport()}},
		{"Judge:", []*cobra.Command{newCheck(), newDebate()}},
		{"Look:", []*cobra.Command{newList(), newReport()}},
		{"Files:", []*cobra.Command{newNew(), newValidate()}},
	}
}
