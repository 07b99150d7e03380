package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// Work is a job, or a shard of it, whose rows are kept.
type Work struct {
	Job       *campaign.Job // must have passed Check
	Dir       string        // where rows are kept; empty keeps none
	Lockstorm string        // its version
	Resume    bool          // go on with what is in Dir; else it must have no archive
	Shard     Shard         // the zero Shard is all
	Workers   int           // how many make blocks side by side
	Disk      Disk          // nil is the real one

	// Stop, when set, is asked before each block is begun. When it is true, those in hand are finished, and that is all.
	Stop func() bool

	// Done, when set, is shown every block of the shard in order, also those that were there already; made tells which
	// were not. As with campaign.Crew, rows are valid until it returns, and when it is false nothing more is begun.
	Done func(block int, rows []campaign.Row, made bool) (more bool, err error)
}

// ErrExists is that a directory has an archive already, and nobody said to go on with it.
var ErrExists = errors.New("it has an archive already")

// Do makes the blocks of the shard that are not there yet. Whatever ends it, what was finished is kept: Do it again with
// Resume, and the rest is made.
func (w *Work) Do() error {
	d := doing{Work: w}
	var from, to int
	if from, to = w.Shard.Blocks(w.Job.Blocks()); w.Dir != "" {
		if err := d.prepare(); err != nil {
			return err
		}
		defer d.archive.settle()
	}
	missing := d.missing(from, to)
	d.next, d.more = from, true
	crew := campaign.Crew{Job: w.Job, Blocks: missing, Workers: w.Workers, Done: d.made, Stop: w.Stop}
	if err := crew.Work(); err != nil {
		return err
	}
	return d.recall(d.until(missing, to))
}

// until gives the first block that was not made, if the work was stopped; else the end.
func (d *doing) until(missing []int, to int) int {
	for _, b := range missing {
		if b >= d.next {
			return b
		}
	}
	return to
}

// doing is Work being done.
type doing struct {
	*Work
	archive *Archive // nil if nothing is kept
	next    int      // the first block that was not shown
	more    bool     // whether Done wants more
}

// prepare opens the directory, or makes it one.
func (d *doing) prepare() (err error) {
	a := open(d.Dir, Describe(d.Job, d.Lockstorm), d.Job, d.Disk)
	a.writer, d.archive = d.Shard.prefix(), a
	text, err := os.ReadFile(filepath.Join(d.Dir, ManifestFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := a.create(); err != nil {
			return err
		}
	case err != nil:
		return err
	case !d.Resume:
		return fmt.Errorf("%s: %w", d.Dir, ErrExists)
	default:
		if err := a.matches(text); err != nil {
			return err
		}
	}
	return a.sweep()
}

// matches refuses to go on with another job's work.
func (a *Archive) matches(text []byte) error {
	file := filepath.Join(a.Dir, ManifestFile)
	there, err := parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if difference := there.Differs(&a.Manifest); difference != "" {
		return fmt.Errorf("%s is of other work: %s", a.Dir, difference)
	}
	if string(a.Manifest.JSON()) != string(text) {
		return fmt.Errorf("%s: it is not as Lockstorm wrote it", file)
	}
	_, err = readScenario(nil, a.Dir, &there)
	return err
}

func (d *doing) missing(from, to int) (blocks []int) {
	if d.archive != nil {
		return d.archive.Missing(from, to)
	}
	for i := from; i < to; i++ {
		blocks = append(blocks, i)
	}
	return blocks
}

// made keeps a block that has just been made, and shows it after those before it.
func (d *doing) made(block int, rows []campaign.Row) (bool, error) {
	if d.archive != nil {
		if err := d.archive.Write(block, rows); err != nil {
			return false, err
		}
	}
	if err := d.recall(block); err != nil || !d.more {
		return false, err
	}
	return d.show(block, rows, true)
}

// recall shows the blocks up to one, which are there.
func (d *doing) recall(to int) error {
	for d.next < to && d.more {
		rows, err := d.archive.Read(d.next)
		if err != nil {
			return err
		}
		if _, err := d.show(d.next, rows, false); err != nil {
			return err
		}
	}
	return nil
}

func (d *doing) show(block int, rows []campaign.Row, made bool) (more bool, err error) {
	d.next = block + 1
	if d.Done == nil {
		return true, nil
	}
	d.more, err = d.Done(block, rows, made)
	return d.more, err
}

// Remake makes some blocks of an archive again, whatever is there in their place.
func (a *Archive) Remake(blocks []int, workers int) error {
	for _, b := range blocks {
		if b < 0 || b >= a.Job.Blocks() {
			return fmt.Errorf("%s has no block %d; it has blocks 0 to %d", a.Dir, b, a.Job.Blocks()-1)
		}
	}
	defer a.settle()
	crew := campaign.Crew{Job: a.Job, Blocks: slices.Compact(slices.Sorted(slices.Values(blocks))), Workers: workers,
		Done: func(block int, rows []campaign.Row) (bool, error) { return true, a.Write(block, rows) }}
	return crew.Work()
}

// A Shard is one part of a job, for one machine of several: a range of whole blocks.
type Shard struct {
	Index int // from 0
	Of    int // how many there are; 0 is one
}

// Blocks gives the range of the blocks of a job that fall to the shard: from the first to before the last. Shards differ
// by one block at most, and some are empty where there are more shards than blocks.
func (s Shard) Blocks(all int) (from, to int) {
	if s.Of < 1 {
		return 0, all
	}
	at := func(i int) int { return all/s.Of*i + min(i, all%s.Of) } // without the product of both, which may be too large
	return at(s.Index), at(s.Index + 1)
}

// String gives the shard as i/n.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, max(s.Of, 1)) }

// prefix tells files of one shard that are being written from those of others. The only shard sweeps all.
func (s Shard) prefix() string {
	if s.Of <= 1 {
		return ""
	}
	return fmt.Sprintf("%dof%d-", s.Index, s.Of)
}

// The sizes of blocks.
const (
	blocksWanted = 64
	leastRows    = 25
	mostRows     = 10_000
)

// BlockSize is how many rows a block has, given how many cells and runs a job has: never how many machines share it, for
// whoever makes a block must make the same. It is such that there is enough to share, and that a process that is killed
// loses seconds of work; but a file for a few rows is not worth having.
func BlockSize(cells, runs int) int {
	size := min(max(cells*runs/blocksWanted, leastRows), mostRows, max(runs, 1))
	blocks := (runs + size - 1) / size
	return max((runs+blocks-1)/max(blocks, 1), 1) // even blocks
}
