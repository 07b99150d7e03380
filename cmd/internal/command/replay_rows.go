package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// replayRows makes the rows of a campaign again, and prints which blocks differ. The exit code is 1 if some do. It is 2
// if none differs and some are missing.
func (q *replayCommand) replayRows(c *cobra.Command, args []string) error {
	a, err := work.Open(args[0])
	if err != nil {
		return err
	}
	if q.Errs, q.Quiet = c.ErrOrStderr(), q.printing.Quiet; q.printing.Verbose {
		return fmt.Errorf("--verbose: %s holds the rows of many runs, without stories; leave this out", args[0])
	}
	if err := work.CheckWorkers(&q.Workers); err != nil {
		return err
	}
	v := archive.Verifier{Archive: a, Workers: q.Workers}
	q.Then("blocks made again", v.Count(), func(stop func() bool, done func()) {
		v.Stop, v.Done = stop, done
		err = v.Verify()
	})
	if err != nil {
		return err
	}
	if err := cli.Write(c.OutOrStdout(), verified(args[0], &v), q.printing.Format, q.printing.Quiet); err != nil {
		return err
	}
	switch {
	case q.Stopped:
		return cli.Exit(cli.Interrupted)
	case len(v.Differ) > 0:
		return cli.Exit(cli.NotAsExpected)
	case len(v.Missing) > 0:
		return cli.Exit(cli.Unknown)
	}
	return nil
}

// A verification is the outcome of repeating a campaign, as JSON.
type verification struct {
	SchemaVersion int      `json:"schema_version"`
	Lockstorm     string   `json:"lockstorm"`
	Dir           string   `json:"dir"`
	Same          int      `json:"same"`
	Differ        []string `json:"differ"`  // the file of each block, and what is wrong with it
	Missing       []int    `json:"missing"` // blocks
}

// verified reports the outcome of repeating a campaign.
func verified(dir string, v *archive.Verifier) *reports.Document {
	x := verification{SchemaVersion: reports.SchemaVersion, Lockstorm: cli.Version, Dir: dir, Same: v.Same,
		Differ: []string{}, Missing: append([]int{}, v.Missing...)}
	for _, d := range v.Differ {
		x.Differ = append(x.Differ, reports.Plain(d.Error()))
	}
	of := v.Same + len(v.Differ)
	says := fmt.Sprintf("Replayed: all %d blocks in %s are the same, row for row.", of, dir)
	if len(v.Differ) > 0 {
		says = fmt.Sprintf("Replayed: of %d blocks in %s, %d are not the same.", of, dir, len(v.Differ))
		if made := v.Manifest.Lockstorm; made != cli.Build() {
			says += fmt.Sprintf(" They were made by build %s, and this is build %s.", made, cli.Build())
		}
	}
	if n := len(v.Missing); n > 0 {
		says += fmt.Sprintf(" %d more are not there.", n)
	}
	says = reports.Plain(says)
	t := cli.Table{Title: says, Heads: []string{"block that differs"}, Data: x, Summary: says}
	for _, d := range x.Differ {
		t.Rows = append(t.Rows, []string{d})
	}
	t.Text = strings.Join(append([]string{says}, x.Differ...), "\n") + "\n"
	return t.Document()
}
