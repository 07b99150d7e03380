package archive

import (
	"errors"
	"fmt"

	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// Work is a job whose rows are kept.
type Work struct {
	Job       *campaign.Job // must have passed Check
	Dir       string        // where rows are kept; empty keeps none
	Lockstorm string        // its version
	Resume    bool          // continue with what Dir has; otherwise it must have no archive
	Workers   int           // how many make blocks in parallel
	Disk      Disk          // nil is the real one
	Study     []byte        // if set, the file of the study whose rows they are; it is kept with them

	NewWorker func() campaign.Worker[[]campaign.Row] // if set, makes the workers, such as workers in other processes

	// Stop, when set, is asked before each block is begun. When it is true, those in hand are finished, and that is all.
	Stop func() bool

	// Done, if set, is called with every block in order, also those that were there already; made reports which
	// were not. As with campaign.Engine, rows are valid until it returns, and when it is false nothing more is begun.
	Done func(block int, rows []campaign.Row, made bool) (more bool, err error)
}

// Do makes the blocks that are not there yet. Whatever ends it, what was finished is kept: Do it again with
// Resume, and the rest is made.
func (w *Work) Do() error {
	d := workState{Work: w, more: true}
	if w.Dir != "" {
		if err := d.prepare(); err != nil {
			return err
		}
		defer d.archive.syncNames()
	}
	if err := d.recall(-1); err != nil || !d.more {
		return err
	}
	e := w.Job.Engine(w.Workers)
	e.Pieces, e.Done, e.Stop = d.missing, d.made, w.Stop
	if w.NewWorker != nil {
		e.Workers, e.NewWorker = w.Workers, w.NewWorker
	}
	if err := e.Run(); err != nil {
		return err
	}
	return d.recall(-1)
}

// workState is the state of a Work while Do runs.
type workState struct {
	*Work
	archive *Archive // nil if nothing is kept
	at      int      // the first block that was not shown
	more    bool     // whether Done wants more
}

func (d *workState) prepare() error {
	d.archive = open(d.Dir, describe(d.Job, d.Lockstorm), d.Job, d.Disk)
	err := d.archive.prepare(d.Resume)
	if err == nil && d.Study != nil {
		err = d.archive.put(StudyFile, d.Study)
	}
	return err
}

// belongs rejects a block of other work, in a directory whose manifest was lost.
func (a *Archive) belongs(part string) error {
	var block int
	_, err := fmt.Sscanf(part, blockName, &block)
	if err == nil && block >= a.Job.Blocks() {
		err = fmt.Errorf("it has no %s", part)
	}
	if err == nil {
		_, err = a.Read(block)
	}
	if err != nil {
		//nolint:errorlint // nothing to mend
		return fmt.Errorf("%s has rows, but no %s, and they do not belong to this work: %v", a.Dir, ManifestFile, err)
	}
	return nil
}

// matches returns an error if the directory has another job's work.
func (a *Archive) matches(text []byte) error {
	there, err := parse(text)
	if err != nil {
		return &Unsound{a.Dir, ManifestFile, err}
	}
	if there.Lockstorm != a.Manifest.Lockstorm {
		return &OtherBuild{Dir: a.Dir, Made: there.Lockstorm, Now: a.Manifest.Lockstorm}
	}
	if difference := there.differs(&a.Manifest); difference != "" {
		return fmt.Errorf("%s is of other work: %s", a.Dir, difference)
	}
	if string(a.manifest) != string(text) {
		return &Unsound{a.Dir, ManifestFile, errChanged}
	}
	_, err = there.readScenario(a.Dir)
	return err
}

// missing goes through the blocks that are not there.
func (d *workState) missing(yield func(int) bool) {
	for b := range d.Job.Blocks() {
		if !d.has(b) && !yield(b) {
			return
		}
	}
}

func (d *workState) has(block int) bool { return d.archive != nil && d.archive.Has(block) }

// made keeps a block that has just been made, and shows it after the earlier blocks. It keeps the block even if those
// can't be read, because it was work.
func (d *workState) made(block int, rows []campaign.Row) (more bool, err error) {
	err = d.recall(block)
	if d.archive != nil {
		err = errors.Join(err, d.archive.Write(block, rows))
	}
	if err != nil || !d.more {
		return false, err
	}
	err = d.show(rows, true)
	return d.more, err
}

// recall shows the blocks up to one, or up to the first that is not there.
func (d *workState) recall(to int) error {
	for d.at < d.Job.Blocks() && d.more && d.at != to {
		if to < 0 && !d.has(d.at) {
			return nil
		}
		rows, err := d.archive.Read(d.at)
		if err == nil {
			err = d.show(rows, false)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// show shows the next block.
func (d *workState) show(rows []campaign.Row, made bool) (err error) {
	block := d.at
	d.at++
	if d.Done != nil {
		d.more, err = d.Done(block, rows, made)
	}
	return err
}

// The sizes of blocks.
const (
	blocksWanted = 64
	leastRows    = 25
	mostRows     = 10_000
)

// BlockSize returns how many rows a block has, from the numbers of cells and runs of a job. Blocks are small enough to
// lose only seconds of work to a kill, and large enough to be worth a file.
func BlockSize(cells, runs int) int {
	size := min(max(cells*runs/blocksWanted, leastRows), mostRows, max(runs, 1))
	blocks := (runs + size - 1) / size
	return max((runs+blocks-1)/max(blocks, 1), 1) // even blocks
}
