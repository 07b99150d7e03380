package command

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// complete finds what to shrink, and what to break.
func (q *shrinkCommand) complete(named string, seeded bool) error {
	q.Named = named
	base, err := q.find(named, seeded)
	if err != nil {
		return err
	}
	if err := q.choose(); err != nil {
		return err
	}
	if q.out == "" {
		q.out = base + "-" + q.property + ".yaml"
	}
	q.state = strings.TrimSuffix(q.out, filepath.Ext(q.out)) + ".shrink.json"
	return nil
}

// find finds the run to shrink, and returns how the names of its files begin.
func (q *shrinkCommand) find(named string, seeded bool) (base string, err error) {
	switch {
	case scenarios.IsFile(named):
		if q.Scenario, err = scenarios.Open(named); err == nil {
			q.Scenario = q.Scenario.Universes().At(q.Seed)
		}
		return strings.TrimSuffix(named, filepath.Ext(named)), err
	case isArchive(named):
		return filepath.Join(named, "found", fmt.Sprintf("seed-%d", q.Seed)), q.pick(named)
	}
	r, stored, err := store.Read(named)
	if err == nil && seeded {
		err = fmt.Errorf("--seed: the stored result has the seed %d; leave this out", stored.Seed)
	}
	q.Scenario, q.Seed = r.Scenario, r.Seed
	if err == nil && r.Drawn() {
		q.Scenario = q.Scenario.Universes().At(q.Seed)
	}
	q.Scenario.Search = scenarios.Search{}
	return filepath.Join(named, "least"), err
}

func (q *shrinkCommand) choose() error {
	if q.property != "" && !slices.Contains(scenarios.Judged(), q.property) {
		return cli.NoProperty(q.property)
	}
	var broken []string
	res := scenarios.Run(q.Scenario, q.Seed)
	for _, name := range scenarios.Judged() {
		view := strings.HasPrefix(name, scenarios.BlackBox+".") // no lock promises it: it must be asked for
		if res.VerdictOn(name) == checker.Violated && (!view || name == q.property) {
			broken = append(broken, name)
		}
	}
	switch {
	case len(broken) == 0:
		return fmt.Errorf("%s, seed %d, breaks no promise, so there is nothing to shrink; give another --seed", q.Named,
			q.Seed)
	case q.property == "":
		q.property = broken[0]
	}
	if slices.Contains(broken, q.property) {
		return nil
	}
	return fmt.Errorf("%s is not violated in %s, seed %d; name one of %s", q.property, q.Named, q.Seed,
		strings.Join(broken, ", "))
}

// watched returns the properties to look for in rows: the one that the user names, or all.
func (q *shrinkCommand) watched() (campaign.Set, error) {
	if q.property == "" {
		return campaign.All(), nil
	}
	return cli.Properties([]string{q.property})
}

// pick finds among the rows of an archive the run of a seed that broke something.
func (q *shrinkCommand) pick(dir string) error {
	a, err := work.Open(dir)
	if err != nil {
		return err
	}
	watched, err := q.watched()
	if err != nil {
		return err
	}
	cell := -1
	if err := work.Repair(a.Each(func(_ int, rows []campaign.Row) error {
		for i := range rows {
			if cell < 0 && rows[i].Seed == q.Seed && rows[i].Broke()&watched != 0 {
				cell = rows[i].Cell
			}
		}
		return nil
	})); err != nil {
		return err
	}
	if cell < 0 {
		return fmt.Errorf("no row of seed %d in %s breaks %s; lockstorm export --csv %s lists them", q.Seed, dir,
			q.sought(),
			cli.Quote(dir))
	}
	s, err := a.Job.In(cell)
	if err != nil {
		return err
	}
	q.Scenario = s.Universes().At(q.Seed)
	return nil
}

// sought returns in words what the command looks for.
func (q *shrinkCommand) sought() string { return cmp.Or(q.property, "anything") }

// errStopped means that a signal came.
var errStopped = errors.New("a signal came")

// shrinkRows shrinks the first run of each signature, cell by cell, and writes each next to the rows.
func (q *shrinkCommand) shrinkRows(out io.Writer, dir string) error {
	watched, err := q.watched()
	switch {
	case err != nil:
		return err
	case q.out != "":
		return errors.New("--out: the rows may need several files; choose one run " +
			"with --seed")
	}
	a, err := work.Open(dir)
	if err != nil {
		return err
	}
	if len(a.Job.Cells) > 1 && q.format != "text" {
		return fmt.Errorf("--format: %s has rows of %d cells, and what is found in each is printed as text; "+
			"say which run with --seed", dir, len(a.Job.Cells))
	}
	g := rowShrinker{shrinkCommand: q, archive: a, watched: watched, out: out}
	add, end := q.Watch("rows")
	g.stop = func() bool { return add(1) }
	err = a.Each(g.add)
	end()
	if err == nil || q.Stopped {
		err = g.write()
	}
	switch {
	case err != nil:
		return work.Repair(err)
	case q.Stopped:
		fmt.Fprintln(q.Errs, cli.Name+": stopped before all rows were looked at; the next call starts again")
		return cli.Exit(cli.Interrupted)
	case g.found == 0:
		return fmt.Errorf("no row in %s breaks %s, so there is nothing to shrink", dir, q.sought())
	}
	return nil
}

// A rowShrinker goes through the rows of an archive.
type rowShrinker struct {
	*shrinkCommand
	archive *archive.Archive
	watched campaign.Set
	out     io.Writer
	stop    func() bool // is asked before each row
	hunt    *campaign.Hunt
	found   int
}

// add reads the rows of a block. At the first rows of a cell, it prints the result of the cell before.
func (g *rowShrinker) add(_ int, rows []campaign.Row) error {
	if g.hunt == nil || g.hunt.Cell != rows[0].Cell {
		if err := g.write(); err != nil {
			return err
		}
		g.hunt = &campaign.Hunt{Job: g.archive.Job, Cell: rows[0].Cell, Watched: g.watched, Tries: g.Runs}
		g.hunt.Begin()
	}
	before := len(g.hunt.Signatures)
	for i := range rows {
		if g.stop() {
			return errStopped
		}
		g.hunt.Add(&rows[i])
	}
	g.found += len(g.hunt.Signatures) - before
	return nil
}

// write writes the smallest scenarios of a cell, and prints the result.
func (g *rowShrinker) write() error {
	a, h := g.archive, g.hunt
	if h == nil || len(h.Signatures) == 0 {
		return nil
	}
	command := cli.Name + " shrink " + cli.Quote(a.Dir)
	for i := range h.Signatures {
		g := &h.Signatures[i]
		name := g.Name()
		if len(a.Job.Cells) > 1 {
			name = fmt.Sprintf("cell-%d-%s", h.Cell, name)
		}
		if err := keepLeast(g, filepath.Join(a.Dir, "found", name+".yaml"), command); err != nil {
			return fmt.Errorf("the smallest scenario can't be written: %w", err)
		}
	}
	if len(a.Job.Cells) > 1 {
		if err := cli.Print(g.out, fmt.Sprintf("Cell %d: %s\n", h.Cell, a.Job.Cells[h.Cell])); err != nil {
			return err
		}
	}
	return cli.Write(g.out, campaigns.Hunt(h, command, false), g.format, g.Quiet)
}

// keepLeast writes the smallest scenario of a signature, which the command found.
func keepLeast(g *campaign.Signature, file, command string) (err error) {
	least := g.Counterexample(command)
	g.File, g.Command, err = store.WriteLeast(file, &least, g.Least.Seed)
	return err
}

// A shrinkState is how far the shrinking of a run came, as its file holds it.
type shrinkState struct {
	SchemaVersion int            `json:"schema_version"`
	Lockstorm     string         `json:"lockstorm"`
	Scenario      string         `json:"scenario_sha256"` // of what is shrunk
	From          uint64         `json:"from_seed"`       // and its seed
	Property      string         `json:"property"`
	Seed          uint64         `json:"seed"` // of the smallest
	Runs          int            `json:"runs"`
	Done          bool           `json:"done"`
	Least         string         `json:"least"` // as a file, with faults that hit nothing: the search continues with it
	At            campaign.Place `json:"at"`
}

// begin starts to shrink, or continues where the last call ended.
func (q *shrinkCommand) begin() (s campaign.Shrinker, last shrinkState, err error) {
	s = campaign.Shrinker{Least: q.Scenario, Seed: q.Seed, Property: q.property}
	if plain, ok := scenarios.Find(q.Scenario.ID); ok { // settings go back to what they are in the catalogue
		s.Plain = &plain
	}
	text, err := os.ReadFile(q.state)
	if errors.Is(err, fs.ErrNotExist) {
		return s, last, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &last)
	}
	if err == nil && (last.SchemaVersion != reports.SchemaVersion || last.Lockstorm != cli.Build() ||
		last.Scenario != q.hash() || last.From != q.Seed || last.Property != q.property) {
		return s, last, fmt.Errorf("%s is from another run or another version; remove it to start again, or write "+
			"elsewhere with --out",
			q.state)
	}
	var least scenarios.Scenario
	if err == nil {
		least, err = scenarios.Parse(q.out, []byte(last.Least))
	}
	if err != nil {
		return s, last, fmt.Errorf("%s doesn't say how far shrinking came: %w; remove it to start again", q.state, err)
	}
	least.ID, least.Expect, least.Sometimes = q.Scenario.ID, q.Scenario.Expect, q.Scenario.Sometimes
	least.Title, least.About = q.Scenario.Title, q.Scenario.About
	s.Least, s.Seed, s.Runs, s.At = least, last.Seed, last.Runs, last.At
	return s, last, nil
}

func (q *shrinkCommand) hash() string { return runs.HashScenario(q.Scenario.YAML()) }

// end writes the smallest scenario, and how far it came.
func (q *shrinkCommand) end(s *campaign.Shrinker, done bool) error {
	least := s.Counterexample()
	if err := store.Write(q.out, least.Brief()); err != nil {
		return fmt.Errorf("the smallest scenario can't be written: %w; choose another place with --out FILE", err)
	}
	here := s.Least
	here.Sometimes = nil // it is read again, though its runs are not as it says
	if len(here.Faults) > 0 {
		here.Sometimes = []string{"fault-struck"}
	}
	h := shrinkState{
		SchemaVersion: reports.SchemaVersion, Lockstorm: cli.Build(), Scenario: q.hash(), From: q.Seed,
		Property: q.property, Seed: s.Seed, Runs: s.Runs, Done: done, Least: string(here.Brief()), At: s.At,
	}
	if err := store.Write(q.state, reports.JSON(h)); err != nil {
		return fmt.Errorf("the progress can't be written: %w; choose another place with --out FILE", err)
	}
	return nil
}
