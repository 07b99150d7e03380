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
		Use:   "arithmetic redlock | --command COMMAND",
		Short: "Find numbers that break a lock's quorum or validity",
		Args:  cli.AtMostOne("lock", "redlock, or --command for a program"),
		RunE:  func(c *cobra.Command, args []string) error { return a.run(c.OutOrStdout(), args) },
	}
	f := c.Flags()
	f.StringVar(&a.command, "command", "", "ask the program `COMMAND`")
	f.StringArrayVar(&a.set, "set", nil, "with redlock, change its rules first: `KEY=VALUE`; may be repeated")
	f.IntVar(&a.drift, "drift", 500, "let any clock be wrong by `PPM` parts per million")
	f.IntVar(&a.draws, "draws", 1000, "try `N` random inputs for each law")
	f.Uint64Var(&a.seed, "seed", 1, "start with the seed `N`")
	f.StringVar(&a.out, "out", "", "write scenarios into the existing directory `DIR`; without it, write none")
	cli.FormatFlag(f, &a.format)
	return c
}

// An arithmeticCommand holds the flags of arithmetic.
type arithmeticCommand struct {
	command, out string
	format       string
	set          []string
	drift, draws int
	seed         uint64
}

func (a *arithmeticCommand) run(out io.Writer, args []string) error {
	if err := a.check(args); err != nil {
		return err
	}
	rules, end, err := a.rules()
	if err != nil {
		return err
	}
	defer end()
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
	case (len(args) == 1) == (a.command != ""):
		return errors.New("name the arithmetic: redlock, or your program with --command")
	case len(args) == 1 && args[0] != "redlock":
		return fmt.Errorf("%q has no arithmetic here; name redlock, or your program with --command",
			args[0])
	case a.command != "" && len(a.set) > 0:
		return errors.New("--set: it changes only the rules of redlock; leave it out")
	case a.draws < 1 || a.draws > 100_000_000:
		return errors.New("--draws: out of range; give 1 to 100000000")
	case a.drift < 0 || a.drift > 500_000:
		return errors.New("--drift: out of range; give 0 to 500000 parts per million")
	}
	return nil
}

// rules returns the rules to look at, and a function to call when they are not asked any more.
func (a *arithmeticCommand) rules() (r arithmetic.Rules, end func(), err error) {
	if a.command == "" {
		s, err := scenarios.Open("baseline/fault-free", a.set...)
		return arithmetic.Of(s.Lock.Rules), func() {}, err
	}
	p, err := startAnswering(a.command)
	if err != nil {
		return r, nil, err
	}
	if r, err = arithmetic.Asked(p.ask); err != nil {
		p.end()
	}
	return r, p.end, err
}
