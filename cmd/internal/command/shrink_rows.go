package command

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// errStopped means that a signal came.
var errStopped = errors.New("a signal came")

// shrinkRows shrinks the first run of each signature, cell by cell, and writes each beside the rows.
func (q *shrinkCommand) shrinkRows(out io.Writer, dir string) error {
	watched, err := q.watched()
	switch {
	case err != nil:
		return err
	case q.out != "":
		return errors.New("--out: rows may have several ways to break, and each gets a file of its own; say which run with --seed")
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

// add looks at the rows of a block. At the first rows of a cell, it prints what was found in the cell before.
func (g *rowShrinker) add(_ int, rows []campaign.Row) error {
	if g.hunt == nil || g.hunt.Cell != rows[0].Cell {
		if err := g.write(); err != nil {
			return err
		}
		g.hunt = &campaign.Hunt{Job: g.archive.Job, Cell: rows[0].Cell, Watched: g.watched, Tries: g.runs}
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

func (g *rowShrinker) write() error { return g.writeCell(g.out, g.archive, g.hunt) }

// writeCell writes the least scenarios of a cell, and prints what was found.
func (q *shrinkCommand) writeCell(out io.Writer, a *archive.Archive, h *campaign.Hunt) error {
	if h == nil || len(h.Signatures) == 0 {
		return nil
	}
	command := cli.Name + " shrink " + cli.Quote(a.Dir)
	for i := range h.Signatures {
		g := &h.Signatures[i]
		if err := keepLeast(g, foundFile(a, h.Cell, g.Name()), command); err != nil {
			return fmt.Errorf("the least scenario can't be written: %w", err)
		}
	}
	if len(a.Job.Cells) > 1 {
		if err := cli.Print(out, fmt.Sprintf("Cell %d: %s\n", h.Cell, a.Job.Cells[h.Cell])); err != nil {
			return err
		}
	}
	return cli.Write(out, campaigns.Hunt(h, command, false), q.format, q.Quiet)
}

// keepLeast writes the least scenario of a signature, which the command found.
func keepLeast(g *campaign.Signature, file, command string) (err error) {
	least := g.Counterexample(command)
	g.File, g.Command, err = store.WriteLeast(file, &least, g.Least.Seed)
	return err
}

func foundFile(a *archive.Archive, cell int, name string) string {
	if len(a.Job.Cells) > 1 {
		name = fmt.Sprintf("cell-%d-%s", cell, name)
	}
	return filepath.Join(a.Dir, "found", name+".yaml")
}
