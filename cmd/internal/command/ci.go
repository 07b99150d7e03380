package command

import (
	"cmp"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
)

func addSummary(errs io.Writer, text string) {
	name := os.Getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = file.WriteString(text + "\n")
		file.Close()
	}
	if err != nil {
		fmt.Fprintln(errs, cli.Name+": the summary of the job can't be written:", err)
	}
}

// writeGitHub prints annotations and adds to the summary of the job, where the environment is that of GitHub's runner. The runner
// reads stderr too, and annotations go there unless the output is plain text. A summary that can't be written is noted, and
// changes no verdict.
func writeGitHub(c *cobra.Command, plain bool, annotations, summary string) {
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return
	}
	out := c.ErrOrStderr()
	if plain {
		out = c.OutOrStdout()
	}
	fmt.Fprint(out, annotations)
	addSummary(c.ErrOrStderr(), summary)
}

// openJUnit makes the file for the JUnit report, or empties it, before long work is done for it: an old report must not
// pass for the new one. It returns nil where there is none to write.
func openJUnit(file string) (*os.File, error) {
	if file == "" || file == "-" {
		return nil, nil
	}
	f, err := os.Create(file)
	return f, unwrittenJUnit(err)
}

// writeJUnit writes the report into an opened file, if there is one.
func writeJUnit(f *os.File, report []byte) error {
	if f == nil {
		return nil
	}
	_, err := f.Write(report)
	return unwrittenJUnit(cmp.Or(err, f.Close()))
}

func unwrittenJUnit(err error) error {
	if err != nil {
		return fmt.Errorf("--junit: the report can't be written: %w", err)
	}
	return nil
}
