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

// A flag that moved answers with one line too, and is no flag.
func TestMovedFlagNamesItsNewPlace(t *testing.T) {
	for _, c := range [][2]string{
		{"study --all --out x", `--all: "lockstorm-full paper" lists all of them, each with its command`},
		{"explore --theorem", `--theorem: it is "lockstorm-full theorem" now`},
		{"explore redlock/small --shard 0/2 --store x", "--shard: explorations are not stored or divided now; " +
			"give smaller limits, or end early with --budget N"},
		{"run redlock/any --runs 9 --store x --shard 0/2", "--shard: " + notDivided},
		{"export --jsonl x rows", "--jsonl: " + toOther},
	} {
		out, errs, code := lockstorm(strings.Fields(c[0])...)
		if code != cli.BadInput || out != "" || errs != "lockstorm: "+c[1]+"\n" {
			t.Errorf("%s: exit %d\n%s%s", c[0], code, out, errs)
		}
	}
	for flag := range movedFlags {
		name, flag, _ := strings.Cut(flag, " --")
		c, _, err := newRoot().Find([]string{name})
		if err != nil || c.Name() != name || c.Flags().Lookup(flag) != nil {
			t.Errorf("%s has --%s, or is no command", name, flag)
		}
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
