package command

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Main executes the command line of the process, and ends it with the exit code. The program has this name, and the
// commands of this package and more.
func Main(name string, more ...Group) {
	cli.CalledAs(name, os.Args[0])
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(scenarios.GCPercent)
	}
	os.Exit(Run(os.Args[1:], os.Stdout, os.Stderr, more...))
}

// Run executes one command line and returns the exit code.
func Run(args []string, out, errs io.Writer, more ...Group) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(errs, cli.Name+": this is a fault of Lockstorm's own; please report it: %v\n%s", r,
				debug.Stack())
			code = cli.OwnFault
		}
	}()
	root := newRoot(more...)
	root.SetArgs(append([]string{}, args...)) // never nil, which would mean the arguments of the process
	root.SetOut(out)
	root.SetErr(errs)
	helped := checkHelp(root)
	err := root.Execute()
	return end(cmp.Or(err, *helped), errs)
}

// end prints what was wrong, in one line, which a terminal shows folded, and returns the exit code.
func end(err error, errs io.Writer) int {
	code := cli.ExitCode(err)
	if code != cli.BadInput && code != cli.OwnFault {
		return code
	}
	text := cli.Name + ": " + named(cli.Visible(err.Error())) + "\n"
	fmt.Fprint(errs, cli.ScreenFor(errs, "never").Fitted(text))
	return code
}

// The template of --version calls named, because only --version takes the time to find the build. Templates and the
// sorting of commands are global in cobra. Our commands are in the order in which a user meets them.
func init() {
	cobra.AddTemplateFunc("named", cli.Named)
	cobra.EnableCommandSorting = false
}

func newRoot(more ...Group) *cobra.Command {
	root := &cobra.Command{
		Use:   cli.Name,
		Short: "See which promises of a distributed lock break, when and why",
		Long: "Lockstorm simulates the clients and servers of a lock in one process, under clock jumps, pauses,\n" +
			"restarts, late messages and partitions. It reports which promises of the lock broke, when and why.\n\n" + repeatability(),
		Example: named("  lockstorm list\n" +
			"  lockstorm run kleppmann/gc-pause\n" +
			"  lockstorm run kleppmann/pause-before-reply --set lock.validity_check=false\n" +
			"  lockstorm run baseline/fault-free --runs 10000\n" +
			"  lockstorm check history.edn --model fenced-mutex"),
		Version:       cli.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          isCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetFlagErrorFunc(cli.FlagError)
	root.SetHelpCommand(newHelp())
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetVersionTemplate("{{.DisplayName}} version {{named}}\n")
	for _, g := range append(groups(), more...) {
		if !root.ContainsGroup(g.Title) {
			root.AddGroup(&cobra.Group{ID: g.Title, Title: g.Title})
		}
		for _, c := range g.Commands {
			c.GroupID = g.Title
		}
		root.AddCommand(g.Commands...)
	}
	root.AddCommand(newSchedule()) // a page of the help
	finish(root)
	addMoved(root)
	return root
}

// finish adds completions and help to the commands below one.
func finish(parent *cobra.Command) {
	for _, c := range parent.Commands() {
		complete(c)
		explain(c)
		c.Flags().SortFlags = false // they are in the order of how often they are used
		finish(c)
	}
}

// isCommand rejects a word that is no command, and suggests the one that was probably meant.
func isCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return fmt.Errorf("unknown command %q%s; lockstorm --help lists them", args[0], faults.Suggest(args[0], names))
}
