package command

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// rowFlags go with rows alone.
var rowFlags = []string{"resume", "shard", "shard-of"}

// checkRun checks the flags. It leaves a Store only where rows are kept.
func (q *runCommand) checkRun(c *cobra.Command, args []string) error {
	given := c.Flags().Changed
	q.named = given("store")
	q.store = cmp.Or(q.Store, "store")
	q.Printing.Quiet = q.Work.Quiet
	switch {
	case q.named && q.Store == "" && !q.noStore:
		return errors.New("--store: it names no directory; to keep nothing, say --no-store")
	case len(args) == 0 && !q.Resume:
		return errors.New("run takes one SCENARIO; lockstorm list names them. Without one, --resume finishes the rows in --store")
	case len(q.blocks) > 0 && (len(args) > 0 || !q.Resume):
		return errors.New("--block makes blocks of what was begun: run --resume --store DIR --block N, without a scenario")
	}
	if len(args) > 0 && (q.Runs < 2 || q.noStore || q.Format == openMetrics) {
		q.Store = ""
		for _, flag := range rowFlags {
			if given(flag) {
				return fmt.Errorf("--%s: it is for rows; give --store DIR and --runs N, with N above 1", flag)
			}
		}
	}
	if _, err := os.Lstat(filepath.Join(q.Store, "latest")); q.Store != "" && err == nil {
		return fmt.Errorf("--store: %s has single runs; name another directory for the rows of many", q.Store)
	}
	return q.Check()
}
