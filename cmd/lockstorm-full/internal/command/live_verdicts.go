package command

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/live"
)

// A contender is a lock whose verdicts make a column: our own, or an adapter's.
type contender struct {
	name    string
	options live.Options
}

const ownLock = "our own lock"

// A bout is the outcome of the live runs of one scenario with one lock.
type bout struct {
	Scenario string `json:"scenario"`
	Lock     string `json:"lock"`
	live.Verdicts
}

// contenders are our own lock and the adapters.
func (q *liveCommand) contenders() (all []contender) {
	all = []contender{{ownLock, q.options}}
	for _, text := range q.adapter {
		name, command := adapterOf(text)
		o := q.options
		o.Adapter = command
		all = append(all, contender{name, o})
	}
	return all
}

// verdicts counts what breaks live with our own lock and with each adapter, and prints the table.
func (q *liveCommand) verdicts(ctx context.Context, args []string, out, errs io.Writer) error {
	all, err := q.trials(args)
	if err != nil {
		return err
	}
	var each []live.Trial
	contenders := q.contenders()
	for _, u := range all {
		for _, c := range contenders {
			each = append(each, live.Trial{Name: u.Name, Scenario: u.Scenario, Options: c.options})
		}
	}
	lock := func(i int) string { return contenders[i%len(contenders)].name }
	var bouts []bout
	name := func(i int) string { return each[i].Name + ", " + lock(i) }
	for i, v := range live.Judge(ctx, each, q.plan(each, errs, name)) {
		bouts = append(bouts, bout{each[i].Name, lock(i), v})
	}
	t := verdictTable(bouts[:len(bouts)-len(bouts)%len(contenders)]) // whole rows
	t.Title, t.Notes = "What breaks live, by lock", verdictNotes(bouts)
	t.Data = struct {
		SchemaVersion int           `json:"schema_version"`
		Lockstorm     string        `json:"lockstorm"`
		Late          time.Duration `json:"late"` // in nanoseconds, at the start
		Rows          []bout        `json:"rows"`
	}{checker.SchemaVersion, cli.Version, q.options.Late, bouts}
	if err := cli.WriteFor(cli.ScreenFor(out, q.Colour), out, t.Document(), q.Format, false); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return cli.Exit(cli.Interrupted)
	}
	return cli.Exit(judged(bouts))
}

// judged is the exit code for a table: whether an adapter's lock broke what our own keeps. A table without a run of an
// adapter that it was given shows nothing.
func judged(bouts []bout) int {
	code, tried := cli.AsExpected, map[string]bool{}
	for _, b := range bouts {
		tried[b.Lock] = tried[b.Lock] || b.Runs > 0
		switch {
		case b.Lock == ownLock:
		case b.Worst == scenarios.Fail:
			return cli.NotAsExpected
		case b.Worst == scenarios.Unknown:
			code = cli.Unknown
		}
	}
	for _, any := range tried {
		if !any {
			code = cli.Unknown
		}
	}
	return code
}

// verdictTable has a row for each scenario, and a column for each lock.
func verdictTable(bouts []bout) (t cli.Table) {
	t.Heads = []string{"scenario", "simulated"}
	for _, b := range bouts {
		if b.Scenario == bouts[0].Scenario {
			t.Heads = append(t.Heads, b.Lock)
		}
	}
	for row := range slices.Chunk(bouts, max(1, len(t.Heads)-2)) {
		cells := []string{row[0].Scenario, ""}
		for i := range row {
			if row[i].Runs > 0 {
				cells[1] = orNothing(row[i].Twin)
			}
			cells = append(cells, verdictCell(&row[i].Verdicts))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// verdictNotes are the scales with their margins, the doubts and the rejections, a line each.
func verdictNotes(bouts []bout) (all []string) {
	at := map[string][]string{}
	for _, b := range bouts {
		for _, p := range b.Paces {
			if !slices.Contains(at[p], b.Scenario) {
				at[p] = append(at[p], b.Scenario)
			}
		}
	}
	for _, p := range slices.Sorted(maps.Keys(at)) {
		all = append(all, fmt.Sprintf("at a scale (and with a margin) of %s: %s", p, strings.Join(at[p], ", ")))
	}
	for _, b := range bouts {
		for _, text := range append(b.Notes, b.Refused) {
			if text != "" {
				all = append(all, fmt.Sprintf("%s, %s: %s", b.Scenario, b.Lock, text))
			}
		}
	}
	return all
}

// verdictCell says in how many runs what broke.
func verdictCell(v *live.Verdicts) string {
	if v.Runs == 0 {
		return "refused"
	}
	counts := func(counted map[string]int, all []checker.Property) (text []string) {
		for _, p := range all {
			if n := counted[p.Name]; n > 0 {
				text = append(text, fmt.Sprintf("%s %d", p.Name, n))
			}
		}
		return text
	}
	cell := fmt.Sprintf("%s of %d", orNothing(counts(v.Broken, checker.Properties)), v.Runs)
	if unknown := counts(v.Unknown, checker.Properties); len(unknown) > 0 {
		cell += "; unknown: " + strings.Join(unknown, ", ")
	}
	for _, missing := range counts(v.Missing, checker.Sometimes) {
		cell += "; no " + missing
	}
	return cell
}

// orNothing joins words, or returns one for none.
func orNothing(words []string) string {
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, ", ")
}
