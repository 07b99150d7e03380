package command

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios/live"
)

// A contender is a lock whose verdicts make a column: our own, or an adapter's.
type contender struct {
	name    string
	options live.Options
}

// A bout is the outcome of the live runs of one scenario with one lock.
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
	name := func(i int) string { return each[i].Name + ", " + lock(i) }
	for i, v := range kept.judge(ctx, each, q.plan(each, errs, name)) {
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

// keptVerdicts are the cells of a table in a file: a line that names the table, and a line for each cell as soon as its
// runs are made. So a process that is killed loses only the runs in work.
type keptVerdicts struct {
	file  string // empty: nothing is kept
	cells int
	was   map[int]live.Verdicts // by cell
	err   error
}

// A keptTable is the first line.
type keptTable struct {
	Lockstorm string `json:"lockstorm"`
	Table     string `json:"table"` // the SHA-256 of everything that decides which runs are made
	Cells     int    `json:"cells"`
}

// A keptCell is each line below.
type keptCell struct {
	Cell     int    `json:"cell"`
	Scenario string `json:"scenario"`
	live.Verdicts
}

// tableOf returns the first line of the table of the runs.
func (q *liveCommand) tableOf(each []live.Trial) keptTable {
	sum := sha256.New()
	fmt.Fprintln(sum, q.Seed, q.Runs)
	for i := range each {
		o := each[i].Options
		fmt.Fprintln(sum, o.Programs, o.Servers, o.Adapter, o.Scale, o.Widen, o.Margin, o.Attempts, o.AnyCourse,
			string(each[i].Scenario.Brief()))
	}
	return keptTable{cli.Version, fmt.Sprintf("%x", sum.Sum(nil)), len(each)}
}

// keepVerdicts opens the file for a table, and reads it with --resume.
func (q *liveCommand) keepVerdicts(each []live.Trial, errs io.Writer) (*keptVerdicts, error) {
	k := &keptVerdicts{cells: len(each), was: map[int]live.Verdicts{}}
	if q.noStore {
		return k, nil
	}
	k.file = filepath.Join(q.store, "live", "verdicts.jsonl")
	head, _ := json.Marshal(q.tableOf(each))
	text, err := os.ReadFile(k.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, store.Error(q.store, err)
	}
	first, lines, _ := bytes.Cut(text, []byte("\n"))
	same, whole := bytes.Equal(first, head), len(first)+1
	for line := range bytes.Lines(lines) {
		var c keptCell
		if json.Unmarshal(line, &c) != nil || line[len(line)-1] != '\n' { // it was being written
			break
		}
		k.was[c.Cell] = c.Verdicts
		whole += len(line)
	}
	var of keptTable
	switch {
	case q.resume && same:
		if !q.Quiet {
			fmt.Fprintf(errs, "%d of %d are kept in %s\n", len(k.was), k.cells, k.file)
		}
		err = os.Truncate(k.file, int64(whole))
	case q.resume && len(first) > 0:
		return nil, fmt.Errorf("--resume: %s is another table, with other scenarios, locks, seeds or settings; "+
			"remove it, or give another --store", k.file)
	case json.Unmarshal(first, &of) == nil && len(k.was) < of.Cells:
		return nil, fmt.Errorf("%s has %d of %d results of an unfinished table; continue with --resume, or "+
			"remove it",
			k.file, len(k.was), of.Cells)
	default:
		clear(k.was)
		err = store.Write(k.file, append(head, '\n'))
	}
	if err != nil {
		return nil, store.Error(q.store, err)
	}
	return k, nil
}

// judge makes the runs that are not kept, and returns the verdicts of all cells before the first that is not made.
func (k *keptVerdicts) judge(ctx context.Context, each []live.Trial, p live.Plan) (all []live.Verdicts) {
	var rest []live.Trial
	var cells []int
	for i := range each {
		if _, kept := k.was[i]; !kept {
			rest, cells = append(rest, each[i]), append(cells, i)
		}
	}
	if begun := p.Begun; begun != nil {
		p.Begun = func(i int) { begun(cells[i]) }
	}
	p.Judged = func(i int, v *live.Verdicts) {
		k.was[cells[i]] = *v
		k.err = errors.Join(k.err, k.add(keptCell{cells[i], each[cells[i]].Name, *v}))
	}
	live.Judge(ctx, rest, p)
	for i := range each {
		v, made := k.was[i]
		if !made {
			break
		}
		all = append(all, v)
	}
	return all
}

// add keeps a cell.
func (k *keptVerdicts) add(c keptCell) error {
	if k.file == "" {
		return nil
	}
	f, err := os.OpenFile(k.file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	line, _ := json.Marshal(c)
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// end returns the command's result, and prints how to continue if it was ended early.
func (k *keptVerdicts) end(ctx context.Context, again string, errs io.Writer) error {
	switch {
	case k.err != nil:
		return fmt.Errorf("%s can't be written: %w", k.file, k.err)
	case ctx.Err() == nil:
		return nil
	case k.file != "":
		fmt.Fprintf(errs, "%d of %d are kept in %s; continue with:\n  %s\n", len(k.was), k.cells, k.file, again)
	}
	return cli.Exit(cli.Interrupted)
}
