package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

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

// WriteGitHub prints annotations and adds to the summary of the job, if GitHub's runner runs the command. The runner
// reads stderr too, and annotations go there unless the output is plain text. A summary that can't be written is noted,
// and changes no verdict.
func WriteGitHub(out, errs io.Writer, plain bool, annotations, summary string) {
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return
	}
	if !plain {
		out = errs
	}
	fmt.Fprint(out, annotations)
	addSummary(errs, summary)
}

// A ReportFile is where another report goes than the printed one. Its methods take the flag that names it.
type ReportFile string

// Clear removes an old report before long work, since it must not pass for the new one, and checks that a new one can
// be written. It leaves what is no regular file, such as a pipe.
func (f ReportFile) Clear(flag string) error {
	if f == "" || f == "-" {
		return nil
	}
	return unwritten(flag, f.probe())
}

func (f ReportFile) probe() error {
	i, err := os.Stat(string(f))
	switch {
	case err == nil && i.IsDir():
		return errors.New(string(f) + " is a directory")
	case err == nil && !i.Mode().IsRegular():
		return nil
	case err == nil:
		if err := os.Remove(string(f)); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(string(f)), 0o755); err != nil {
		return err
	}
	return ProbeFile(string(f))
}

// Write writes the report, whole or not at all. It writes directly into what is no regular file.
func (f ReportFile) Write(flag string, report []byte) error {
	switch i, err := os.Stat(string(f)); {
	case f == "" || f == "-":
		return nil
	case err == nil && !i.Mode().IsRegular():
		return unwritten(flag, os.WriteFile(string(f), report, 0o644))
	}
	return unwritten(flag, Replace(string(f), report))
}

func unwritten(flag string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: the report can't be written: %w", flag, err)
	}
	return nil
}
