package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/live"
)

// oneAdapter takes the only adapter, if there is one.
func (q *liveCommand) oneAdapter() error {
	if len(q.adapter) > 1 {
		return fmt.Errorf("--adapter: there are %d, and only --verdicts takes more than one", len(q.adapter))
	}
	for _, text := range q.adapter {
		_, q.options.Adapter = adapterOf(text)
	}
	return nil
}

// adapterOf returns the name and the command of an adapter. One without a name has that of its command.
func adapterOf(text string) (name string, command []string) {
	command = strings.Fields(text)
	if len(command) == 0 {
		return text, nil
	}
	if name, program, ok := strings.Cut(command[0], "="); ok {
		return name, slices.DeleteFunc(append([]string{program}, command[1:]...), func(word string) bool { return word == "" })
	}
	return text, command
}

// run makes the run, keeps it and prints it.
func (q *liveCommand) run(ctx context.Context, out, errs io.Writer, again func(live.Pace) string) error {
	q.options.Tell = func(text string) { fmt.Fprintln(errs, cli.Name+": "+text) }
	r, err := live.Run(ctx, &q.Scenario, q.Seed, q.options)
	switch {
	case err != nil && ctx.Err() != nil:
		fmt.Fprintln(errs, cli.Name+": the run was ended, and nothing of it is kept")
		return cli.Exit(cli.Interrupted)
	case errors.As(err, new(live.Unproven)):
		fmt.Fprintf(errs, "%s: unknown: %v\n", cli.Name, err)
		return cli.Exit(cli.Unknown)
	case err != nil:
		return err
	}
	if r.Warning != "" {
		fmt.Fprintln(errs, cli.Name+": "+r.Warning)
	}
	if q.Quiet && r.Verdict != scenarios.Pass {
		for _, doubt := range r.Doubts {
			fmt.Fprintln(errs, cli.Name+": "+doubt)
		}
	}
	m := q.Making(q.Seed)
	m.Command = again(r.Pace)
	if !q.noStore {
		home, err := store.Keep(q.store, r.Result, m)
		if err != nil {
			return err
		}
		if err := store.WriteAll(home, runs.Pictures(r.Result, m)); err != nil {
			return store.Error(q.store, err)
		}
		store.LinkLatest(errs, q.store, home)
	}
	return q.Print(out, r.Result, m)
}

// trials are the scenarios that the arguments name, as the settings change them, and their mutants if they are asked for; of the
// whole catalogue, those that can be had live.
func (q *liveCommand) trials(args []string) (all []live.Trial, err error) {
	subjects, err := cli.Select(args)
	if err != nil {
		return nil, err
	}
	for _, u := range subjects {
		if err := u.Scenario.Change(q.Set); err != nil {
			return nil, fmt.Errorf("%s: %w", u.Scenario.ID, err)
		}
		if len(args) == 0 && q.options.Check(&u.Scenario) != nil {
			continue
		}
		all = append(all, live.Trial{Name: u.Scenario.ID, Scenario: u.Scenario, Options: q.options})
		for _, m := range u.Scenario.Mutants {
			mutant, err := u.Scenario.Mutate(m)
			if err != nil {
				return nil, err
			}
			if q.mutants && q.options.Check(&mutant) == nil {
				all = append(all, live.Trial{Name: u.Scenario.ID + " with " + m.Name, Scenario: mutant, Options: q.options})
			}
		}
	}
	return all, nil
}

// doctor prints what this machine has for live runs.
func (q *liveCommand) doctor(out io.Writer) error {
	code := cli.AsExpected
	var b strings.Builder
	for i, s := range live.Doctor(q.options) {
		word := "has  "
		if !s.Has {
			word = "lacks"
			if i < 2 { // without these there is no run
				code = cli.NotAsExpected
			}
		}
		fmt.Fprintf(&b, "%s  %s: %s\n", word, s.Need, s.Text)
	}
	if err := cli.Print(out, b.String()); err != nil {
		return err
	}
	return cli.Exit(code)
}
