package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// HasModule reports whether a directory is a repository of this module, or its unpacked sources.
func HasModule(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && strings.HasPrefix(strings.ReplaceAll(string(text), "\r\n", "\n"), "module "+Module+"\n")
}

// Released returns the version of the module of which this program was installed, such as v0.1.0, and whether it was: one that is
// built otherwise is of sources that nobody else has.
func Released() (version string, is bool) {
	build := Build()
	return "v" + build, !strings.Contains(build, "-dev+")
}

// Repository returns the repository that the present directory is in.
func Repository() (string, error) {
	dir, err := os.Getwd()
	for err == nil && !HasModule(dir) {
		if filepath.Dir(dir) == dir {
			return "", errors.New("this is no repository of Lockstorm")
		}
		dir = filepath.Dir(dir)
	}
	return dir, err
}
