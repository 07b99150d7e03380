package publish

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/command"
)

// asCommand makes this test, started again, the command itself: a child that can be killed.
const asCommand = "LOCKSTORM_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	cli.Build = func() string { return cli.Version + "-test" }
	if os.Getenv(asCommand) != "" {
		os.Exit(command.Run(os.Args[1:], os.Stdout, os.Stderr, Commands()...))
	}
	os.Exit(m.Run())
}

// lockstorm carries out a command line, and returns what it printed and its exit code.
func lockstorm(args ...string) (out, errs string, code int) {
	var o, e bytes.Buffer
	code = command.Run(args, &o, &e, Commands()...)
	return o.String(), e.String(), code
}

// mustRun carries out a command line that must end with this code, and returns what it printed.
func mustRun(t *testing.T, code int, args ...string) string {
	t.Helper()
	out, errs, got := lockstorm(args...)
	if got != code {
		t.Fatalf("lockstorm %s: exit %d, want %d\n%s%s", strings.Join(args, " "), got, code, out, errs)
	}
	return out
}

func fileText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
