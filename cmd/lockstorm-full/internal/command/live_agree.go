package command

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios/live"
)

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
		fmt.Fprintln(errs, cli.Name+": nothing was compared: each scenario is refused, for the reasons that the table names")
	}
	return cli.Exit(agreed(table))
}

// plan returns which runs of trials are made, and says on errs when one begins, and who doesn't answer.
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
	p := live.Plan{Seed: q.Seed, Runs: q.Runs, Parallel: q.parallel}
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

// agreement returns the table, with what there is to say of it.
func agreement(table []live.Agreement) *reports.Document {
	t := cli.Table{Title: "Live runs beside simulated ones", Data: struct {
		SchemaVersion int              `json:"schema_version"`
		Lockstorm     string           `json:"lockstorm"`
		Rows          []live.Agreement `json:"rows"`
	}{reports.SchemaVersion, cli.Version, table}, Heads: []string{"scenario", "agree", "unknown", "differ", "scale (margin)",
		"live", "simulated"}, Numbers: true}
	var sum live.Agreement
	for _, a := range table {
		sum.Agree, sum.Unknown, sum.Differ = sum.Agree+a.Agree, sum.Unknown+a.Unknown, sum.Differ+a.Differ
		if a.Refused != "" {
			t.Notes = append(t.Notes, a.Name+" is refused: "+a.Refused)
			continue
		}
		t.Rows = append(t.Rows, []string{a.Name, strconv.Itoa(a.Agree), strconv.Itoa(a.Unknown), strconv.Itoa(a.Differ),
			strings.Join(a.Paces, "; "), a.Live.Round(10 * time.Millisecond).String(),
			a.Twin.Round(10 * time.Microsecond).String()})
		for _, n := range a.Notes {
			t.Notes = append(t.Notes, a.Name+": "+n)
		}
		if a.Differ > 0 && a.Known != "" {
			t.Notes = append(t.Notes, a.Name+": it is known why: "+a.Known)
		}
	}
	t.Rows = append(t.Rows, []string{"all", strconv.Itoa(sum.Agree), strconv.Itoa(sum.Unknown), strconv.Itoa(sum.Differ), "", "",
		""})
	return t.Document()
}
