package command

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// begun returns the job of the directory.
func (q *rowsCommand) begun(c *cobra.Command) (*campaign.Job, error) {
	if !q.Resume {
		return nil, errors.New("rows takes one SCENARIO; lockstorm list names them. Without one, --resume goes on with what " +
			"--store has")
	}
	for _, name := range []string{"seed", "runs", "set"} {
		if c.Flags().Changed(name) {
			return nil, fmt.Errorf("--%s: what was begun in %s says that already; leave it out, or name the scenario too", name, q.Store)
		}
	}
	a, err := openOwn(q.Store)
	if err != nil {
		return nil, err
	}
	return a.Job, nil
}

// openOwn opens an archive that this build of Lockstorm may add to.
func openOwn(dir string) (*archive.Archive, error) {
	a, err := work.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("--store: %w", err)
	}
	if a.Manifest.Lockstorm != cli.Build() {
		return nil,
			fmt.Errorf("--store: %w",
				work.ExplainBuild(&archive.OtherBuild{Dir: dir, Made: a.Manifest.Lockstorm, Than: "this is build " + cli.Build()}))
	}
	return a, nil
}

// remake makes the blocks of --block again.
func (q *rowsCommand) remake(c *cobra.Command, args []string) error {
	if len(args) > 0 || !q.Resume {
		return errors.New("--block makes blocks of what was begun: rows --resume --store DIR --block N, without a scenario")
	}
	if _, err := q.Ready(c, args); err != nil {
		return err
	}
	a, err := openOwn(q.Store)
	if err != nil {
		return err
	}
	slices.Sort(q.blocks)
	q.blocks = slices.Compact(q.blocks)
	if err := q.Explain(a.Remake(q.blocks, q.Workers)); err != nil {
		return err
	}
	blocks := "blocks"
	if len(q.blocks) == 1 {
		blocks = "block"
	}
	return cli.Print(c.OutOrStdout(), fmt.Sprintf("made again in %s: %d %s\n", filepath.Clean(q.Store), len(q.blocks), blocks))
}
