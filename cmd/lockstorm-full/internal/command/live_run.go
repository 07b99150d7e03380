package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/live"
)

// oneAdapter takes the only adapter, if there is one.
func (q *liveCommand) oneAdapter() error {
	if len(q.adapter) > 1 {
		return fmt.Errorf("--adapter: there are %d; give one, or add --verdicts", len(q.adapter))
	}
	for _, text := range q.adapter {
		_, q.options.Adapter = adapterOf(text)
	}
	return nil
}

// adapterOf returns the name and the command of an adapter. One without a name is named by its command.
func adapterOf(text string) (name string, command []string) {
	command = strings.Fields(text)
	if len(command) == 0 {
		return text, nil
	}
	if name, program, ok := strings.Cut(command[0], "="); ok {
		return name, slices.DeleteFunc(append([]string{program}, command[1:]...),
			func(word string) bool { return word == "" })
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
	if q.Quiet && r.Verdict != scenarios.Pass {
		for _, doubt := range r.Doubts {
			fmt.Fprintln(errs, cli.Name+": "+doubt)
		}
	}
	m := q.Making(q.Seed)
	m.Command = again(r.Pace)
	if err := q.keep(errs, r, m); err != nil {
		return err
	}
	return q.Print(out, r.Result, m)
}

// keep keeps a run in the store.
func (q *liveCommand) keep(errs io.Writer, r *live.Result, m runs.Making) error {
	if q.noStore {
		return nil
	}
	home, err := store.Keep(q.store, r.Result, m)
	if err != nil {
		return err
	}
	if err := store.WriteAll(home, runs.Pictures(r.Result, m)); err != nil {
		return store.Error(q.store, err)
	}
	store.LinkLatest(errs, q.store, home)
	return nil
}

// trials returns the scenarios that the arguments name, with the settings applied, and their mutants with --mutants.
// Without arguments it returns the scenarios of the catalogue that run on real servers.
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
				all = append(all, live.Trial{Name: u.Scenario.ID + " with " + m.Name, Scenario: mutant,
					Options: q.options})
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
	return cli.End(cli.Print(out, b.String()), cli.Exit(code))
}

// agree compares live runs with simulated ones, and prints the table.
func (q *liveCommand) agree(ctx context.Context, args []string, out, errs io.Writer) error {
	all, err := q.trials(args)
	if err != nil {
		return err
	}
	table := live.Agree(ctx, all, q.plan(all, errs, func(i int) string { return all[i].Name }))
	if err := cli.WriteFor(cli.ScreenFor(out, q.Colour), out, agreement(table), q.Format, false); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return cli.Exit(cli.Interrupted)
	}
	if !slices.ContainsFunc(table, compared) {
		fmt.Fprintln(errs, cli.Name+": nothing was compared: each scenario is refused, for the reasons that the table "+
			"names")
	}
	return cli.Exit(agreed(table))
}

// plan returns which runs of trials are made. It says on errs when one begins, and which client doesn't answer.
func (q *liveCommand) plan(all []live.Trial, errs io.Writer, name func(i int) string) live.Plan {
	var one sync.Mutex
	say := func(format string, args ...any) {
		one.Lock()
		defer one.Unlock()
		fmt.Fprintf(errs, format+"\n", args...)
	}
	for i := range all {
		all[i].Options.Tell = func(text string) { say("%s: %s: %s", cli.Name, name(i), text) }
	}
	p := live.Plan{Seed: q.Seed, Runs: q.Runs, Parallel: max(1, q.parallel)}
	if !q.Quiet {
		say("this machine was late by %s at the start", q.options.Late.Round(10*time.Microsecond))
		p.Begun = func(i int) { say("%d of %d: %s", i+1, len(all), name(i)) }
	}
	return p
}

// compared reports whether any run of a scenario was compared.
func compared(a live.Agreement) bool { return a.Agree+a.Unknown+a.Differ > 0 }

// agreed is the exit code for a table. One in which nothing was compared shows nothing.
func agreed(table []live.Agreement) int {
	code := cli.AsExpected
	if !slices.ContainsFunc(table, compared) {
		code = cli.Unknown
	}
	for _, a := range table {
		switch {
		case a.Differ > 0 && a.Known == "":
			return cli.NotAsExpected
		case a.Unknown > 0:
			code = cli.Unknown
		}
	}
	return code
}

// agreement returns the table, with its notes.
func agreement(table []live.Agreement) *reports.Document {
	t := cli.Table{Title: "Live runs and simulated ones", Data: struct {
		SchemaVersion int              `json:"schema_version"`
		Lockstorm     string           `json:"lockstorm"`
		Rows          []live.Agreement `json:"rows"`
	}{checker.SchemaVersion, cli.Version, table}, Heads: []string{"scenario", "agree", "unknown", "differ",
		"scale (margin)"}, Numbers: true}
	var sum live.Agreement
	for _, a := range table {
		sum.Agree, sum.Unknown, sum.Differ = sum.Agree+a.Agree, sum.Unknown+a.Unknown, sum.Differ+a.Differ
		if a.Refused != "" {
			t.Notes = append(t.Notes, a.Name+" is refused: "+a.Refused)
			continue
		}
		t.Rows = append(t.Rows, []string{a.Name, strconv.Itoa(a.Agree), strconv.Itoa(a.Unknown), strconv.Itoa(a.Differ),
			strings.Join(a.Paces, "; ")})
		for _, n := range a.Notes {
			t.Notes = append(t.Notes, a.Name+": "+n)
		}
		if a.Differ > 0 && a.Known != "" {
			t.Notes = append(t.Notes, a.Name+": it is known why: "+a.Known)
		}
	}
	t.Rows = append(t.Rows, []string{"all", strconv.Itoa(sum.Agree), strconv.Itoa(sum.Unknown),
		strconv.Itoa(sum.Differ), ""})
	return t.Document()
}
