package archive

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A Verifier makes the rows of an archive again, and compares them with those that it has. It changes nothing.
type Verifier struct {
	*Archive
	Workers int
	Stop    func() bool // when set, is asked before each block is begun
	Done    func()      // if set, is called after each block

	Same    int       // blocks whose rows are the same
	Differ  []*Damage // the others, in order: a file that can't be read, or the first line that is another one now
	Missing []int     // blocks that are not there
}

// Verify compares the blocks that are there.
func (v *Verifier) Verify() error {
	v.Missing = v.Archive.Missing()
	e := v.Job.Engine(v.Workers)
	e.Pieces, e.Stop, e.InOrder = slices.Values(v.there()), v.Stop, true
	e.Done = func(block int, rows []campaign.Row) (bool, error) {
		d, err := v.compare(block, rows)
		switch {
		case err != nil:
			return false, err
		case d != nil:
			v.Differ = append(v.Differ, d)
		default:
			v.Same++
		}
		if v.Done != nil {
			v.Done()
		}
		return true, nil
	}
	return e.Run()
}

// Count returns how many blocks Verify compares.
func (v *Verifier) Count() int { return len(v.there()) }

// there returns the blocks that are there.
func (v *Verifier) there() (blocks []int) {
	for i := range v.Job.Blocks() {
		if v.Has(i) {
			blocks = append(blocks, i)
		}
	}
	return blocks
}

// compare compares a block with its rows as they are made now; nil if they are the same.
func (a *Archive) compare(i int, rows []campaign.Row) (*Damage, error) {
	packed, err := os.ReadFile(filepath.Join(a.Dir, blockFile(i)))
	if err != nil {
		return nil, err
	}
	stored, err := a.unzip(nil, packed)
	if err != nil {
		return a.damage(i, 0, err), nil
	}
	made := a.header(nil, i)
	for k := range rows {
		made = a.codec.append(made, &rows[k])
	}
	if bytes.Equal(stored, made) {
		return nil, nil
	}
	old, now := bytes.Split(stored, []byte("\n")), bytes.Split(made, []byte("\n"))
	line := 0
	for line < min(len(old), len(now)) && bytes.Equal(old[line], now[line]) {
		line++
	}
	return a.damage(i, line+1, errors.New("the line is another one now")), nil
}
