package publish

import (
	"embed"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/command"
)

//go:embed help/*.txt
var texts embed.FS

// Commands returns the commands, in the groups of the help to which they belong.
func Commands() []command.Group {
	return []command.Group{
		{Title: "Measure:", Commands: []*cobra.Command{explained(newPaper())}},
		{Title: "Look:", Commands: []*cobra.Command{explained(newServe()), explained(newSite())}},
	}
}

// explained gives a command its text.
func explained(c *cobra.Command) *cobra.Command {
	text, err := texts.ReadFile("help/" + c.Name() + ".txt")
	if err != nil {
		panic(err) // each has one
	}
	c.Long = string(text)
	return c
}

// repository returns the folder of the sources: the one that --sources names, or the nearest at or above the present one.
func repository(named string) (string, error) {
	dir, err := filepath.Abs(named)
	found := cli.Sources(dir)
	switch {
	case err != nil:
		return "", err
	case named != "" && found != dir:
		return "", fmt.Errorf("--sources: %s has no go.mod of %s", named, cli.Module)
	case found == "":
		return "", fmt.Errorf("there are no sources of Lockstorm here: start in a clone or in unpacked sources, or name them with " +
			"--sources DIR")
	}
	return found, nil
}
