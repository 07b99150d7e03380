package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Merger puts the archives of the parts of one job together.
type Merger struct {
	Dirs    []string // the parts, in any order; a part may be there twice
	Out     string   // where to; it may hold a part already
	Partial bool     // do not mind what is missing
	Disk    Disk     // nil is the real one
}

// A Gap is an error: no directory has these blocks of a job.
type Gap struct {
	Blocks []int
	Of     int    // how many blocks the job has
	Text   string // which seeds they hold
}

// Error returns which are missing, and which seeds they hold.
func (g *Gap) Error() string {
	return fmt.Sprintf("%d of %d blocks are in none of the directories: %s", len(g.Blocks), g.Of, g.Text)
}

// Merge copies all blocks into one archive, having read each. The archive equals, byte for byte, the one that a single
// process makes. It returns how many blocks it has. It writes nothing if anything is wrong.
func (m *Merger) Merge() (blocks int, err error) {
	parts, err := m.open()
	if err != nil {
		return 0, err
	}
	at, err := place(parts)
	if err != nil {
		return 0, err
	}
	if err := gap(parts[0], at); err != nil && !m.Partial {
		return 0, err
	}
	return m.copy(parts, at)
}

// open opens the parts, which must be of one job.
func (m *Merger) open() (parts []*Archive, err error) {
	dirs := m.Dirs
	if _, err := os.Lstat(filepath.Join(m.Out, ManifestFile)); err == nil { // what is there already counts as a part
		dirs = append(slices.Clip(dirs), m.Out)
	}
	if len(dirs) == 0 {
		return nil, errors.New("there is nothing to merge; name the directories")
	}
	for _, dir := range dirs {
		a, err := Open(dir)
		if err != nil {
			return nil, err
		}
		parts = append(parts, a)
		if err := a.Manifest.sameBuild(dir, &parts[0].Manifest, parts[0].Dir+" by build "); err != nil {
			return nil, err
		}
		if difference := a.Manifest.differs(&parts[0].Manifest, "in the one", "in the other"); difference != "" {
			return nil, fmt.Errorf("%s and %s are of different work: %s", dir, parts[0].Dir, difference)
		}
	}
	return parts, nil
}

// place returns the part that has each block; nil if none has it. Those that have it must agree.
func place(parts []*Archive) (at []*Archive, err error) {
	at = make([]*Archive, parts[0].Job.Blocks())
	for i := range at {
		if at[i], err = agree(parts, i); err != nil {
			return nil, err
		}
	}
	return at, nil
}

// agree returns the first part that has a block, which must be the same wherever it is. It leaves the block's text there.
func agree(parts []*Archive, i int) (first *Archive, err error) {
	for _, a := range parts {
		_, err := a.Read(i)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case first == nil:
			first = a
		case !bytes.Equal(first.text, a.text):
			return nil, a.damage(i, 0, fmt.Errorf("it differs from the one in %s", first.Dir))
		}
	}
	return first, nil
}

func gap(a *Archive, places []*Archive) error {
	g := Gap{Of: len(places)}
	var texts []string
	for i := 0; i < len(places); i++ {
		from := i
		for i < len(places) && places[i] == nil {
			g.Blocks = append(g.Blocks, i)
			i++
		}
		if from < i {
			texts = append(texts, a.seeds(from, i-1))
		}
	}
	if g.Blocks == nil {
		return nil
	}
	g.Text = strings.Join(texts, "; ")
	return &g
}

// seeds returns which seeds a range of blocks holds.
func (a *Archive) seeds(src, to int) string {
	cell, first, _ := a.Job.Block(src)
	end, last, n := a.Job.Block(to)
	text := fmt.Sprintf("blocks %d to %d, ", src, to)
	if src == to {
		text = fmt.Sprintf("block %d, ", src)
	}
	if cell == end {
		return text + fmt.Sprintf("seeds %d to %d of cell %d", first, last+uint64(n)-1, cell)
	}
	return text + fmt.Sprintf("from seed %d of cell %d to seed %d of cell %d", first, cell, last+uint64(n)-1, end)
}

// copy copies the blocks from their parts, and the study from the first part that has one.
func (m *Merger) copy(parts, places []*Archive) (blocks int, err error) {
	like := parts[0]
	out := open(m.Out, like.Manifest, like.Job, Shard{}, m.Disk)
	if _, err := os.Lstat(filepath.Join(m.Out, ManifestFile)); errors.Is(err, fs.ErrNotExist) {
		if err := out.create(); err != nil {
			return 0, err
		}
	}
	defer out.syncNames()
	for i, a := range places {
		if a == nil {
			continue
		}
		blocks++
		if out.Has(i) {
			continue
		}
		// It packs the rows again, so the archive has the bytes of one that this build makes alone.
		rows, err := a.Read(i)
		if err == nil {
			err = out.Write(i, rows)
		}
		if err != nil {
			return 0, err
		}
	}
	for _, a := range parts {
		text, err := a.Study()
		if err == nil && text != nil {
			err = out.put(StudyFile, text)
		}
		if err != nil {
			return 0, err
		}
		if text != nil {
			break
		}
	}
	return blocks, out.removeUnfinished()
}
