package command

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports/site/paper"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

func newPaper() *cobra.Command {
	var sources, format string
	c := &cobra.Command{
		Use:   "paper",
		Short: "List every table and figure of the pages, with the commands that make them",
		Args:  cli.None,
		RunE: func(c *cobra.Command, _ []string) error {
			dir, err := repository(sources)
			if err != nil {
				return err
			}
			items, err := paper.Items(os.DirFS(dir), study.Names())
			if err != nil {
				return err
			}
			return cli.Write(c.OutOrStdout(), paper.List(items), format, false)
		},
	}
	c.Flags().StringVar(&sources, "sources", "", "use the repository in `DIR`; default: the one around the current "+
		"directory")
	cli.FormatFlag(c.Flags(), &format)
	return c
}

// repository returns the folder of the sources: the one that --sources names, or the nearest at or above the present
// one.
func repository(named string) (string, error) {
	dir, err := filepath.Abs(named)
	found := cli.Sources(dir)
	switch {
	case err != nil:
		return "", err
	case named != "" && found != dir:
		return "", fmt.Errorf("--sources: %s has no go.mod of %s", named, cli.Module)
	case found == "":
		return "", fmt.Errorf("this directory has no sources of Lockstorm; start in a clone or in unpacked sources, or " +
			"name them with --sources DIR")
	}
	return found, nil
}
