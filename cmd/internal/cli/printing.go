package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

// ScreenFor returns the width and colours that a text is laid out for. A file or pipe always gets the same bytes,
// whatever terminal the command was typed in and whatever the environment says of that terminal.
func ScreenFor(out io.Writer, colour string) reports.Screen {
	s := reports.Screen{Colour: colour == "always", Program: Program}
	if !IsTerminal(out) {
		return s
	}
	s.Width = Width(out)
	if colour == "auto" {
		s.Colour = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	return s
}

// Width returns the columns of a terminal: what it says itself, else what COLUMNS says, else 80.
func Width(out io.Writer) int {
	if f, ok := out.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	if width, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && width > 0 {
		return width
	}
	return 80
}

// IsTerminal reports whether out is a terminal.
func IsTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Printing holds the flags that say how a result is printed.
type Printing struct {
	Format  string
	Colour  string
	Quiet   bool
	Verbose bool
}

// AddFlags adds them to a command. It may have a flag --quiet already.
func (p *Printing) AddFlags(c *cobra.Command) {
	f := c.Flags()
	ChoiceFlag(f, &p.Format, "format", "text", "print `"+reports.Formats("|")+"|tla`; tla: the steps, for TLC")
	ColorFlag(f, &p.Colour)
	if f.Lookup("quiet") == nil {
		f.BoolVarP(&p.Quiet, "quiet", "q", false, "")
	}
	f.Lookup("quiet").Usage = "print one line, and no progress"
	f.BoolVarP(&p.Verbose, "verbose", "v", false, "print everything: all events of each violation, figures and "+
		"bounds")
}

// Check rejects flags that don't go together.
func (p *Printing) Check() error {
	switch {
	case p.Quiet && slices.Contains([]string{"markdown", "html", "csv", "tla"}, p.Format):
		return fmt.Errorf("--quiet: it needs --format text or json, not %s", p.Format)
	case p.Verbose && (p.Quiet || p.Format != "text"):
		return fmt.Errorf("--verbose: it needs --format text, without --quiet")
	}
	return nil
}

// Print prints a result, and ends the command with the exit code for its verdict.
func (p *Printing) Print(out io.Writer, r *scenarios.Result, m runs.Making) error {
	if p.Format == "tla" {
		text, err := runs.TLA(r)
		if err != nil {
			return fmt.Errorf("--format tla: %w", err)
		}
		return End(Print(out, text), ExitFor(r.Verdict))
	}
	if !p.Verbose {
		m.Whole = m.Command + " --verbose"
	}
	d := runs.Document(r, m, p.Verbose)
	return End(WriteFor(ScreenFor(out, p.Colour), out, d, p.Format, p.Quiet), ExitFor(r.Verdict))
}

// The exit codes.
const (
	AsExpected    = 0
	NotAsExpected = 1
	Unknown       = 2
	Interrupted   = 130 // a signal ended long work; what was finished is kept
	BadInput      = 254
	OwnFault      = 255
)

// An Exit ends a command that has printed everything. It is an error only so that a command can return it.
type Exit int

// Error returns the code in words.
func (c Exit) Error() string { return fmt.Sprintf("exit %d", int(c)) }

// verdicts holds the exit code for each verdict on a run.
var verdicts = [...]Exit{scenarios.Pass: AsExpected, scenarios.Unknown: Unknown, scenarios.Fail: NotAsExpected}

// ExitFor returns the code for a verdict.
func ExitFor(v scenarios.Verdict) Exit { return verdicts[v] }

// End returns how a command ends that has printed: the error of that, or else the code.
func End(printed error, code Exit) error {
	if printed != nil {
		return printed
	}
	return code
}

// own is an error that is Lockstorm's own fault, not its user's.
type own struct{ error }

// Own marks an error as Lockstorm's own fault.
func Own(err error) error { return own{err} }

// ExitCode returns the exit code for what a command returned.
func ExitCode(err error) int {
	var code Exit
	switch {
	case err == nil:
		return AsExpected
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, new(own)):
		return OwnFault
	}
	return BadInput
}

// Write writes a document to a command's output in a format. With quiet, a text is only its summary.
func Write(out io.Writer, d *reports.Document, format string, quiet bool) error {
	return WriteFor(ScreenFor(out, "auto"), out, d, format, quiet)
}

// WriteFor is Write for a screen.
func WriteFor(s reports.Screen, out io.Writer, d *reports.Document, format string, quiet bool) error {
	if quiet && format == "text" {
		return Print(out, d.Summary+"\n")
	}
	if err := d.Write(out, format, s); err != nil {
		return Own(fmt.Errorf("can't print: %w", err))
	}
	return nil
}

// Print writes a text to a command's output.
func Print(out io.Writer, text string) error {
	if _, err := io.WriteString(out, text); err != nil {
		return Own(fmt.Errorf("can't print: %w", err))
	}
	return nil
}
