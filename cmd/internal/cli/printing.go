package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Printing holds the flags that say how a result is printed.
type Printing struct {
	Format  string
	Colour  string
	Quiet   bool
	Verbose bool
}

// AddFlags adds them to a command, which may have formats besides those of every document, and a flag --quiet already.
func (p *Printing) AddFlags(c *cobra.Command, formats ...string) {
	f := c.Flags()
	FormatFlag(f, &p.Format, formats...)
	ColorFlag(f, &p.Colour)
	if f.Lookup("quiet") == nil {
		f.BoolVarP(&p.Quiet, "quiet", "q", false, "")
	}
	f.Lookup("quiet").Usage = "print one line, and no progress"
	f.BoolVarP(&p.Verbose, "verbose", "v", false, "print everything: all events of each violation, figures and bounds")
}

// Check refuses flags that don't go together.
func (p *Printing) Check() error {
	switch {
	case p.Quiet && slices.Contains([]string{"markdown", "html", "csv"}, p.Format):
		return fmt.Errorf("--quiet goes with --format text or json, not with %s", p.Format)
	case p.Verbose && (p.Quiet || p.Format != "text"):
		return fmt.Errorf("--verbose goes with --format text, and not with --quiet")
	}
	return nil
}

// Print prints a result, and ends the command with the exit code for its verdict.
func (p *Printing) Print(out io.Writer, r *scenarios.Result, m runs.Making) error {
	if !p.Verbose {
		m.Whole = m.Command + " --verbose"
	}
	d := runs.Document(r, m, p.Verbose)
	if err := WriteFor(ScreenFor(out, p.Colour), out, d, p.Format, p.Quiet); err != nil {
		return err
	}
	return ExitFor(r.Verdict)
}
