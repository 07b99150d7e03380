package command

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
)

// printing holds the flags that say how a result is printed.
type printing struct {
	format  string
	colour  string
	quiet   bool
	verbose bool
}

// addFlags adds the flags to a command, which may have formats besides those of every document.
func (p *printing) addFlags(c *cobra.Command, formats ...string) {
	f := c.Flags()
	cli.FormatFlag(f, &p.format, formats...)
	cli.ColorFlag(f, &p.colour)
	if f.Lookup("quiet") == nil {
		f.BoolVarP(&p.quiet, "quiet", "q", false, "")
	}
	f.Lookup("quiet").Usage = "print one line, and no progress"
	f.BoolVarP(&p.verbose, "verbose", "v", false, "print everything: all events of each violation, figures and bounds")
}

func (p *printing) check() error {
	switch {
	case p.quiet && p.format != "text" && p.format != "json" && p.format != openMetrics:
		return fmt.Errorf("--quiet goes with --format text or json, not with %s", p.format)
	case p.verbose && (p.quiet || p.format != "text"):
		return fmt.Errorf("--verbose goes with --format text, and not with --quiet")
	}
	return nil
}

// print prints a result, and ends the command with the exit code for its verdict.
func (p *printing) print(out io.Writer, r *scenarios.Result, m reports.Making) error {
	if err := cli.WriteFor(cli.ScreenFor(out, p.colour), out, reports.Run{Result: r, Making: m}.Document(p.verbose), p.format,
		p.quiet); err != nil {
		return err
	}
	return cli.ExitFor(r.Verdict)
}
