package paper

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Repository returns the folder of a module's sources: the one that is given, or the nearest at or above the present one.
func Repository(given, module string) (string, error) {
	is := func(dir string) bool {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		return err == nil && strings.HasPrefix(string(text), "module "+module+"\n")
	}
	if given != "" {
		if !is(given) {
			return "", fmt.Errorf("--sources: %s has no go.mod of %s", given, module)
		}
		return filepath.Abs(given)
	}
	dir, err := os.Getwd()
	for err == nil && !is(dir) {
		if filepath.Dir(dir) == dir {
			return "", errors.New("--all: this is no repository of Lockstorm: start in a clone or in unpacked sources, or give --sources")
		}
		dir = filepath.Dir(dir)
	}
	return dir, err
}
