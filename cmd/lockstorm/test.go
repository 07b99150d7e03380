package main

import (
	"fmt"
	"io"
	"path"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A suite is what the flags of test ask for.
type suite struct {
	runs    int
	mutants bool
}

func newTest() *cobra.Command {
	var t suite
	c := &cobra.Command{
		Use:   "test [GLOB…]",
		Short: "Run the catalogue, or part of it, as a test suite",
		Long: "Run scenarios on many seeds each, and say of each whether all went as it expects. GLOB is a pattern of IDs, the\n" +
			"first part of one, or a scenario file. The exit code is that of the worst run.",
		Example: "  lockstorm test\n  lockstorm test kleppmann --runs 1000\n  lockstorm test my.yaml\n  lockstorm test --mutants",
		RunE: func(c *cobra.Command, args []string) error {
			if t.runs < 1 {
				return fmt.Errorf("--runs: %d is not positive", t.runs)
			}
			all, err := chosen(args)
			if err != nil {
				return err
			}
			return t.run(c.OutOrStdout(), all)
		},
	}
	c.Flags().IntVar(&t.runs, "runs", 100, "run `N` seeds of each, from 1")
	c.Flags().BoolVar(&t.mutants, "mutants", false, "run the mutants beside the reference: each must die where the reference survives")
	return c
}

// chosen gives the scenarios that the arguments name; all of the catalogue if there are none.
func chosen(args []string) (all []scenarios.Scenario, err error) {
	if len(args) == 0 {
		return scenarios.Catalogue(), nil
	}
	for _, arg := range args {
		if isFile(arg) {
			s, err := read(arg)
			if err != nil {
				return nil, err
			}
			all = append(all, s)
			continue
		}
		before := len(all)
		for _, id := range scenarios.IDs() {
			if ok, err := path.Match(arg, id); err != nil {
				return nil, fmt.Errorf("%q is no pattern: %w", arg, err)
			} else if ok || strings.HasPrefix(id, strings.TrimSuffix(arg, "/")+"/") {
				s, _ := scenarios.Find(id)
				all = append(all, s)
			}
		}
		if len(all) == before {
			return nil, fmt.Errorf("no scenario matches %q%s", arg, scenarios.Suggest(arg, scenarios.IDs()))
		}
	}
	return all, nil
}

func (t *suite) run(out io.Writer, all []scenarios.Scenario) error {
	worst, cases, bad := scenarios.Pass, 0, 0
	for i := range all {
		lines := []line{t.plain(&all[i])}
		if t.mutants {
			lines = t.kills(&all[i])
		}
		for _, l := range lines {
			if cases++; l.verdict != scenarios.Pass {
				bad++
			}
			worst = max(worst, l.verdict)
			if _, err := fmt.Fprintln(out, l.text); err != nil {
				return breach{fmt.Errorf("can't print: %w", err)}
			}
		}
	}
	what := "scenarios"
	if t.mutants {
		what = "mutants"
	}
	if _, err := fmt.Fprintf(out, "%d %s, %d as expected, %d not.\n", cases, what, cases-bad, bad); err != nil {
		return breach{fmt.Errorf("can't print: %w", err)}
	}
	return outcome(exits[worst])
}

// A line is what is said of one scenario, or of one mutant.
type line struct {
	verdict scenarios.Verdict
	text    string
}

func (t *suite) plain(s *scenarios.Scenario) line {
	tally := campaign.Plan{Scenario: s, First: 1, Runs: t.runs, Workers: runtime.GOMAXPROCS(0)}.Run()
	return line{tally.Worst, reports.CampaignSummary(reports.Campaign(s, 1, tally))}
}

// kills runs each mutant of a scenario beside the reference.
func (t *suite) kills(s *scenarios.Scenario) (lines []line) {
	for _, m := range s.Mutants {
		d := campaign.Kill(s, m, 1, t.runs, runtime.GOMAXPROCS(0))
		caught := "never caught"
		if d.Caught > 0 {
			caught = fmt.Sprintf("caught in %d of %d, first with seed %d", d.Caught, d.Runs, d.First)
		}
		lines = append(lines, line{d.Verdict(), fmt.Sprintf("%s: %s in %s breaks %s: reference as expected in %d of %d, mutant %s.",
			strings.ToUpper(d.Verdict().String()), m.Name, s.ID, strings.Join(m.Breaks, ", "),
			d.Reference.Verdicts[scenarios.Pass], d.Runs, caught)})
	}
	return lines
}
