package command

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// resume finishes the rows that any command began, or makes the blocks of --block again.
func (q *runCommand) resume(c *cobra.Command) error {
	for _, name := range []string{"seed", "runs", "set", "no-search", "format"} {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s: what was begun in %s says that already; leave it out, or name the scenario too", name, q.Store)
		}
	}
	if err := q.CheckFlags(); err != nil {
		return err
	}
	if len(q.blocks) > 0 {
		return q.remake(c)
	}
	a, err := openOwn(q.Store)
	if err != nil {
		return err
	}
	t := campaign.NewTally(a.Job.Scenario)
	if err := q.Do(c, nil, a.Job, t.Count); err != nil {
		return err
	}
	if err := cli.Print(c.OutOrStdout(), rowCounts(t.Verdicts, q.Store)); err != nil {
		return err
	}
	return q.Exit(cli.AsExpected)
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
func (q *runCommand) remake(c *cobra.Command) error {
	if _, err := q.Ready(c, nil); err != nil {
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
