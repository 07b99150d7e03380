package command

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
)

// A command that moved answers with one line, whatever follows it, and nothing lists it.
func TestMovedCommandNamesItsNewPlace(t *testing.T) {
	for _, args := range []string{"rows redlock/any --runs 10 --store x", "rows", "rows --help"} {
		out, errs, code := lockstorm(strings.Fields(args)...)
		if want := "lockstorm: rows: it is \"lockstorm run SCENARIO --runs N --store DIR\" now\n"; code != cli.BadInput || out != "" || errs != want {
			t.Errorf("%s: exit %d\n%s%s", args, code, out, errs)
		}
	}
	if out := mustRun(t, 0, "--help"); strings.Contains(out, "\n  rows") {
		t.Errorf("the help lists it:\n%s", out)
	}
}

// A program that has a command under such a name runs it.
func TestProgramWithTheMovedCommandHasIt(t *testing.T) {
	mine := &cobra.Command{Use: "rows", Short: "mine", RunE: func(*cobra.Command, []string) error { return nil }}
	var found []*cobra.Command
	for _, c := range newRoot(Group{Title: "Run:", Commands: []*cobra.Command{mine}}).Commands() {
		if c.Name() == "rows" {
			found = append(found, c)
		}
	}
	if len(found) != 1 || found[0] != mine {
		t.Errorf("%d commands of that name", len(found))
	}
}
