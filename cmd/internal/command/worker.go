package command

import (
	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/work"
)

// newWorker returns the command that makes rows for another process of the program.
func newWorker() *cobra.Command {
	return &cobra.Command{
		Use: work.WorkerCommand, Hidden: true, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return work.Serve(c.InOrStdin(), c.OutOrStdout()) },
	}
}
