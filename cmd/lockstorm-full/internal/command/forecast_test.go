package command

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios/forecast/environment"
)

func TestEnvironmentSchemaIsPrinted(t *testing.T) {
	out, errs, code := lockstorm("forecast", "environment", "schema")
	if code != 0 || errs != "" || out != string(environment.Schema()) {
		t.Errorf("exit %d, %d bytes, %s", code, len(out), errs)
	}
	file, _, _ := lockstorm("forecast", "environment", "show", "cloud", "--file")
	if !strings.HasPrefix(file, "# yaml-language-server: $schema=environment.schema.json\n") {
		t.Errorf("a file to begin with doesn't name its schema:\n%s", file)
	}
	mine := filepath.Join(t.TempDir(), "my.yaml")
	write(t, mine, file)
	if out, errs, code := lockstorm("forecast", "environment", "show", mine); code != 0 {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

// Quiet, a forecast prints one line for each lock.
func TestQuietForecastOfSeveralLocksPrintsOneLineEach(t *testing.T) {
	out, errs, code := lockstorm("forecast", "redlock", "single-instance", "-e", "datacentre", "--runs", "2", "--more", "0", "-q")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if code != 0 || errs != "" || len(lines) != 2 || !strings.HasPrefix(lines[0], "redlock: ") ||
		!strings.HasPrefix(lines[1], "single instance: ") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}
