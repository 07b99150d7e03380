package command

import (
	"fmt"
	"io"
	"os"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports/ci"
	"github.com/lockstorm/lockstorm/reports/suites"
)

// openJUnit makes the file for the JUnit report, or empties it, before long work is done for it: an old report must not
// pass for the new one. It returns nil without --junit.
func (t *testCommand) openJUnit() (*os.File, error) {
	if t.junit == "" || t.junit == "-" {
		return nil, nil
	}
	file, err := os.Create(t.junit)
	if err != nil {
		return nil, fmt.Errorf("--junit: the report can't be written: %w", err)
	}
	return file, nil
}

func (t *testCommand) writeJUnit(file *os.File, out io.Writer) error {
	if t.junit == "" {
		return nil
	}
	text := ci.JUnit("lockstorm test", t.suite.Entries(), t.took)
	if t.junit == "-" {
		return cli.Print(out, string(text))
	}
	_, err := file.Write(text)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("--junit: the report can't be written: %w", err)
	}
	return nil
}

// writeGitHub prints annotations and adds to the summary of the job, where the environment is that of GitHub's runner. A
// summary that can't be written is noted, and changes no verdict.
func (t *testCommand) writeGitHub(out, errs io.Writer) {
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return
	}
	if t.format != "text" || t.junit == "-" {
		out = errs // the runner reads both, and the output is a document
	}
	fmt.Fprint(out, ci.Annotations(t.suite.Entries()))
	addSummary(errs, t.markdown())
}

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

func (t *testCommand) markdown() string {
	if t.claims {
		return suites.ClaimsMarkdown(t.suite)
	}
	return suites.Markdown(t.suite)
}
