package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// catchRuns is how many seeds each ground has for a mutant, unless --runs says otherwise.
const catchRuns = 500

// catchAll is for --mutants.
func (q *search) catchAll(out io.Writer, args []string) error {
	if err := q.checkCatch(); err != nil {
		return err
	}
	grounds, err := grounds(args)
	if err != nil {
		return err
	}
	c := campaign.Catching{Grounds: grounds, First: q.seed, Runs: q.runs, Workers: q.workers}
	told := reports.NewCatches(c.First, c.Runs, grounds)
	for _, m := range campaign.Mutants(scenarios.Catalogue()) {
		told.Add(&c, c.Catch(m))
	}
	if err := q.tellCatches(out, told); err != nil {
		return breach{fmt.Errorf("can't print: %w", err)}
	}
	return outcome(exits[told.Verdict()])
}

// checkCatch refuses what does not go with --mutants.
func (q *search) checkCatch() error {
	for _, flag := range []string{"for", "stop-after", "faults", "set", "property", "store"} {
		if q.given(flag) {
			return fmt.Errorf("--%s does not go with --mutants, which takes each class of faults of each scenario by itself", flag)
		}
	}
	format := q.format
	if format == "markdown" {
		q.format = "text"
	}
	if !q.given("runs") {
		q.runs = catchRuns
	}
	q.store = "store" // where nothing is written
	err := q.check()
	q.format = format
	if err == nil && format != "markdown" {
		err = checkFormat(format)
	}
	return err
}

// grounds are those of the scenarios that the arguments name; without any, of those of the catalogue that have a search.
func grounds(args []string) (all []campaign.Ground, err error) {
	subjects, err := chosen(args)
	if err != nil {
		return nil, err
	}
	for i := range subjects {
		s := &subjects[i].scenario
		if s.Search.Drawn() {
			all = append(all, campaign.Grounds(s)...)
		} else if slices.Contains(args, s.ID) || subjects[i].file != "" {
			return nil, fmt.Errorf("%s has no search block; name a scenario such as redlock/any", s.ID)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("none of these scenarios has a search block; name one such as redlock/any")
	}
	return all, nil
}

func (q *search) tellCatches(out io.Writer, told reports.Catches) (err error) {
	switch {
	case q.format == "json":
		_, err = out.Write(reports.JSON(told))
	case q.format == "markdown":
		_, err = io.WriteString(out, reports.CatchesMarkdown(told))
	case q.quiet:
		_, err = fmt.Fprintln(out, reports.CatchesSummary(told))
	default:
		_, err = io.WriteString(out, reports.CatchesText(told))
	}
	return err
}
