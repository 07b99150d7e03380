package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/scenarios"
)

// isFile tells whether an argument names a scenario file, not a scenario of the catalogue; - is standard input.
func isFile(arg string) bool {
	return arg == "-" || strings.HasSuffix(arg, ".yaml") || strings.HasSuffix(arg, ".yml")
}

// read gives the scenario of that ID, or of that file.
func read(arg string) (scenarios.Scenario, error) {
	if !isFile(arg) {
		return find(arg)
	}
	if arg == "-" {
		return parse("stdin", os.Stdin)
	}
	f, err := os.Open(arg)
	if err != nil {
		return scenarios.Scenario{}, unreadable(arg, err)
	}
	defer func() { _ = f.Close() }()
	return parse(arg, f)
}

// parse reads no more than tells that there is too much.
func parse(name string, f *os.File) (scenarios.Scenario, error) {
	if about, err := f.Stat(); err == nil && about.IsDir() {
		return scenarios.Scenario{}, unreadable(name, errors.New("it is a directory"))
	}
	text, err := io.ReadAll(io.LimitReader(f, scenarios.FileBytesMax+1))
	if err != nil {
		return scenarios.Scenario{}, unreadable(name, err)
	}
	return scenarios.Parse(name, text)
}

// unreadable leaves out what the system call was called.
func unreadable(name string, err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("%s can't be read: %w", name, err)
}

func newValidate() *cobra.Command {
	return &cobra.Command{
		Use:   "validate FILE…",
		Short: "Check scenario files",
		Long: "Check scenario files, and say all that is wrong with them: file:line:column, what was found, and what would be right.\n" +
			"FILE is - for standard input.",
		Example: "  lockstorm validate my.yaml",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("%s takes one FILE or more; - is standard input", c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			var wrong []string
			for _, arg := range args {
				if !isFile(arg) {
					return fmt.Errorf("%s is no scenario file; its name must end in .yaml", arg)
				}
				s, err := read(arg)
				if err != nil {
					wrong = append(wrong, err.Error())
					continue
				}
				if _, err := fmt.Fprintf(c.OutOrStdout(), "%s\n", seenWhole(arg+" is sound: "+s.Title)); err != nil {
					return breach{fmt.Errorf("can't print: %w", err)}
				}
			}
			if wrong != nil {
				return errors.New(strings.Join(wrong, "\n"))
			}
			return nil
		},
	}
}

func newSchema() *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of scenario files",
		Example: "  lockstorm schema > scenario.schema.json",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return emit(c, scenarios.Schema()) },
	}
}

func newNew() *cobra.Command {
	return &cobra.Command{
		Use:   "new ID",
		Short: "Print a scenario as a commented file: a starting point for one's own",
		Long: "Print a scenario of the catalogue as a file, whole, with a comment on each value. Change it and run it.\n" +
			"For an editor that completes it, put the schema beside it: lockstorm schema > scenario.schema.json",
		Example: "  lockstorm new kleppmann/gc-pause > my.yaml\n  lockstorm run my.yaml",
		Args:    exactlyOne("ID", "lockstorm list names them"),
		RunE: func(c *cobra.Command, args []string) error {
			s, err := find(args[0])
			if err != nil {
				return err
			}
			return emit(c, append([]byte(scenarios.SchemaLine("scenario.schema.json")), s.Commented()...))
		},
	}
}

func emit(c *cobra.Command, text []byte) error {
	if _, err := c.OutOrStdout().Write(text); err != nil {
		return breach{fmt.Errorf("can't print: %w", err)}
	}
	return nil
}
