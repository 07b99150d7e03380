package command

import (
	"context"
	"io"
	"time"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios/live"
)

// A contender is a lock whose verdicts make a column: our own, or an adapter's.
type contender struct {
	name    string
	options live.Options
}

// A bout is what live runs of one scenario came to with one lock.
type bout struct {
	Scenario string `json:"scenario"`
	Lock     string `json:"lock"`
	live.Verdicts
}

// contenders are our own lock and the adapters.
func (q *liveCommand) contenders() (all []contender) {
	all = []contender{{"our own lock", q.options}}
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
	kept, err := q.keepVerdicts(each, errs)
	if err != nil {
		return err
	}
	var bouts []bout
	for i, v := range kept.judge(ctx, each, q.plan(each, errs, func(i int) string { return each[i].Name + ", " + lock(i) })) {
		bouts = append(bouts, bout{each[i].Name, lock(i), v})
	}
	t := verdictTable(bouts[:len(bouts)-len(bouts)%len(contenders)]) // whole rows
	t.Title, t.Notes = "What breaks live, by lock", verdictNotes(bouts)
	t.Data = struct {
		SchemaVersion int           `json:"schema_version"`
		Lockstorm     string        `json:"lockstorm"`
		Late          time.Duration `json:"late"` // in nanoseconds, at the start
		Rows          []bout        `json:"rows"`
	}{reports.SchemaVersion, cli.Version, q.options.Late, bouts}
	if err := cli.WriteFor(cli.ScreenFor(out, q.Colour), out, t.Document(), q.Format, false); err != nil {
		return err
	}
	return kept.end(ctx, q.again, errs)
}
