package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
)

// The exit codes.
const (
	AsExpected    = 0
	NotAsExpected = 1
	Unknown       = 2
	Interrupted   = 130 // a signal ended long work; what was finished is kept
	BadInput      = 254
	OwnFault      = 255
)

// An Exit ends a command that has printed all there is to print. It is an error only so that a command can return it.
type Exit int

// Error returns the code in words.
func (c Exit) Error() string { return fmt.Sprintf("exit %d", int(c)) }

// verdicts holds the exit code for each verdict on a run.
var verdicts = [...]Exit{scenarios.Pass: AsExpected, scenarios.Unknown: Unknown, scenarios.Fail: NotAsExpected}

// ExitFor returns the code for a verdict.
func ExitFor(v scenarios.Verdict) Exit { return verdicts[v] }

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

// Write writes a document to a command's output in a format, or of a text only its summary. Text is laid out for a file: it
// is the same bytes wherever it is printed.
func Write(out io.Writer, d *reports.Document, format string, quiet bool) error {
	return WriteFor(reports.Screen{Program: Program}, out, d, format, quiet)
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
