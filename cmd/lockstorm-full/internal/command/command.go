package command

import (
	"embed"
	"os"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/command"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/cmd/lockstorm-full/internal/worker"
	"github.com/lockstorm/lockstorm/scenarios/live"
)

// Main executes the command line of the process, and ends it with the exit code. Live runs start the program again, as
// a client.
func Main() {
	if live.Main(os.Args[1:]) {
		return
	}
	work.Hosted = worker.New
	command.Main("lockstorm-full", groups()...)
}

// texts are what the help says of each command.
//
//go:embed *.txt
var texts embed.FS

func groups() []command.Group {
	all := []command.Group{
		{Title: "Run:", Commands: []*cobra.Command{newLive()}},
		{Title: "Search:", Commands: []*cobra.Command{newTheorem()}},
		{Title: "Measure:", Commands: []*cobra.Command{newForecast(), newPaper()}},
		{Title: "Look:", Commands: []*cobra.Command{newServe(), newSite()}},
	}
	for _, g := range all {
		for _, c := range g.Commands {
			c.Long = help(c.Name())
		}
	}
	all[0].Commands = append(all[0].Commands, newWorker())
	return all
}

// newWorker returns the command that makes rows for another process of the program.
func newWorker() *cobra.Command {
	return &cobra.Command{
		Use: worker.Command, Hidden: true, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return worker.Serve(c.InOrStdin(), c.OutOrStdout()) },
	}
}

// help returns what the help says of a command.
func help(command string) string {
	text, err := texts.ReadFile(command + ".txt")
	if err != nil {
		panic(err) // each has one
	}
	return string(text)
}
