package command

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// newSchedule is a page of the help, not a command.
func newSchedule() *cobra.Command {
	s := scenarios.Base()
	return &cobra.Command{
		Use: "schedule", Short: "How a schedule of faults is written",
		Long: strings.TrimSpace(faults.Language()) + "\n\nMarks\n\nThe marks that clients may pass:\n\n    " +
			strings.Join(s.Cast().Marks, "\n    "),
	}
}
