package input

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/lockstorm/lockstorm/scenarios"
)

// IsFile reports whether an argument names a scenario file, not a scenario of the catalogue; - is standard input.
func IsFile(arg string) bool {
	return arg == "-" || strings.HasSuffix(arg, ".yaml") || strings.HasSuffix(arg, ".yml")
}

// Read returns the scenario with that ID, or of that file.
func Read(arg string) (scenarios.Scenario, error) {
	if !IsFile(arg) {
		return Find(arg)
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

// parse stops reading once the file is too long.
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

// unreadable leaves out the name of the system call.
func unreadable(name string, err error) error {
	if path, is := errors.AsType[*os.PathError](err); is {
		err = path.Err
	}
	return fmt.Errorf("%s can't be read: %w", name, err)
}

// Find returns the scenario of the catalogue with that ID.
func Find(id string) (scenarios.Scenario, error) {
	s, ok := scenarios.Find(id)
	if ok {
		return s, nil
	}
	var ids []string
	for _, s := range scenarios.Catalogue() {
		ids = append(ids, s.ID)
	}
	hint := scenarios.Suggest(id, ids)
	if _, err := os.Stat(id); hint == "" && err == nil {
		hint = "; the name of a scenario file ends in .yaml"
	}
	if hint == "" {
		hint = "; see lockstorm list"
	}
	return s, fmt.Errorf("there is no scenario %q%s", id, hint)
}
