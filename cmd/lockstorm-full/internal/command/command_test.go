package command

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/command"
	"github.com/lockstorm/lockstorm/scenarios/live"
)

// asCommand makes this test, started again, the command itself: a child that can be killed.
const asCommand = "LOCKSTORM_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	switch {
	case live.Main(os.Args[1:]):
	case os.Getenv(asCommand) != "":
		os.Exit(command.Run(os.Args[1:], os.Stdout, os.Stderr, groups()...))
	default:
		os.Exit(m.Run())
	}
}

// lockstorm carries out a command line, and returns what it printed and its exit code.
func lockstorm(args ...string) (out, errs string, code int) {
	var o, e bytes.Buffer
	code = command.Run(args, &o, &e, groups()...)
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

// A child is the command in a separate process.
type child struct {
	*exec.Cmd
	out, errs bytes.Buffer
}

func start(t *testing.T, args ...string) *child {
	t.Helper()
	c := &child{Cmd: exec.Command(os.Args[0], args...)}
	c.Env = append(os.Environ(), asCommand+"=1")
	c.Stdout, c.Stderr = &c.out, &c.errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill() })
	return c
}

func (c *child) end(t *testing.T, code int) {
	t.Helper()
	c.Wait() // the code says it
	if got := c.ProcessState.ExitCode(); got != code {
		t.Fatalf("exit %d; want %d\n%s%s", got, code, c.out.String(), c.errs.String())
	}
}

func with(args []string, more ...string) []string { return append(args[:len(args):len(args)], more...) }
