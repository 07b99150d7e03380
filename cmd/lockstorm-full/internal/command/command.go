package command

import (
	"embed"
	"os"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/command"
	"github.com/lockstorm/lockstorm/scenarios/live"
)

// Main executes the command line of the process, and ends it with the exit code. Live runs start the program again, as
// a client.
func Main() {
	if live.Main(os.Args[1:]) {
		return
	}
	command.Main("lockstorm-full", groups()...)
}

// texts are what the help says of each command.
//
//go:embed *.txt
var texts embed.FS

func groups() []command.Group {
	all := []command.Group{
		{Title: "Run:", Commands: []*cobra.Command{newLive()}},
		{Title: "Measure:", Commands: []*cobra.Command{newPaper()}},
		{Title: "Look:", Commands: []*cobra.Command{newServe(), newSite()}},
	}
	for _, g := range all {
		for _, c := range g.Commands {
			text, err := texts.ReadFile(c.Name() + ".txt")
			if err != nil {
				panic(err) // each has one
			}
			c.Long = string(text)
		}
	}
	return all
}
