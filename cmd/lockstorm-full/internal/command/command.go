package command

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/command"
	"github.com/lockstorm/lockstorm/scenarios/live"
)

// Main executes the command line of the process, and ends it with the exit code. Live runs start the program again, as a client.
func Main() {
	if live.Main(os.Args[1:]) {
		return
	}
	command.Main("lockstorm-full", groups()...)
}

func groups() []command.Group {
	return []command.Group{{Title: "Run:", Commands: []*cobra.Command{newLive()}}}
}
