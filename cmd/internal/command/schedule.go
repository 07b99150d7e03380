package command

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// newSchedule is a page of the help, not a command.
func newSchedule() *cobra.Command {
	return &cobra.Command{
		Use: "schedule", Short: "How a schedule of faults is written",
		Long: strings.TrimSpace(faults.Language()) + "\n\nMarks\n\n" +
			"A client passes a mark when\n\n" + strings.TrimRight(scenarios.MarkLines(), "\n"),
	}
}
