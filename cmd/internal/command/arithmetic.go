package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/arithmetic"
)

func newArithmetic() *cobra.Command {
	var a arithmeticCommand
	c := &cobra.Command{
		Use:   "arithmetic redlock",
		Short: "Find numbers that break a lock's quorum or validity",
		Args:  cli.AtMostOne("lock", "redlock"),
		RunE:  func(c *cobra.Command, args []string) error { return a.run(c.OutOrStdout(), args) },
	}
	f := c.Flags()
	f.StringArrayVar(&a.set, "set", nil, "change its rules first: `KEY=VALUE`; may be repeated")
	f.IntVar(&a.drift, "drift", 500, "let any clock be wrong by `PPM` parts per million")
	f.IntVar(&a.draws, "draws", 1000, "try `N` random inputs for each law")
	f.Uint64Var(&a.seed, "seed", 1, "start with the seed `N`")
	f.StringVar(&a.out, "out", "", "write scenarios into the existing directory `DIR`; without it, write none")
	cli.FormatFlag(f, &a.format)
	return c
}

// An arithmeticCommand holds the flags of arithmetic.
type arithmeticCommand struct {
	out, format  string
	set          []string
	drift, draws int
	seed         uint64
}

func (a *arithmeticCommand) run(out io.Writer, args []string) error {
	if err := a.check(args); err != nil {
		return err
	}
	s, err := scenarios.Open("baseline/fault-free", a.set...)
	if err != nil {
		return err
	}
	rules := arithmetic.Of(s.Lock.Rules)
	rules.Drift = a.drift
	flaws, err := arithmetic.Find(rules, a.draws, a.seed)
	if err != nil {
		return err
	}
	var unkept error
	text, rows := arithmetic.Report(rules, flaws, a.draws, func(law string, file []byte) string {
		if a.out == "" {
			return ""
		}
		name := filepath.Join(a.out, law+".yaml")
		unkept = cmp.Or(unkept, os.WriteFile(name, file, 0o644))
		return name
	})
	if unkept != nil {
		return unkept
	}
	t := cli.Table{
		Title: "The laws of a lock's arithmetic", Heads: []string{"law", "outcome", "flaw", "scenario", "seed"},
		Rows: rows, Text: text,
	}
	if err := cli.Write(out, t.Document(), a.format, false); err != nil {
		return err
	}
	if len(flaws) > 0 {
		return cli.Exit(cli.NotAsExpected)
	}
	return nil
}

func (a *arithmeticCommand) check(args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("name the arithmetic: redlock; for your own functions, call locktest.Arithmetic in a Go test")
	case args[0] != "redlock":
		return fmt.Errorf("%q has no arithmetic here; name redlock", args[0])
	case a.draws < 1 || a.draws > 100_000_000:
		return errors.New("--draws: out of range; give 1 to 100000000")
	case a.drift < 0 || a.drift > 500_000:
		return errors.New("--drift: out of range; give 0 to 500000 parts per million")
	}
	return nil
}
