package archive

import (
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
	dirs, err := MergedDirs(m.Dirs, m.Out)
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		a, err := Open(dir)
		if err != nil {
			return nil, err
		}
		parts = append(parts, a)
		if err := a.head.SameBuild(dir, parts[0].head, parts[0].Dir+" by build "); err != nil {
			return nil, err
		}
		if difference := a.Manifest.differs(&parts[0].Manifest, "in the one", "in the other"); difference != "" {
			return nil, fmt.Errorf("%s and %s are of different work: %s", dir, parts[0].Dir, difference)
		}
	}
	return parts, nil
}

// MergedDirs returns the directories whose parts are put together: what is in the directory to which they go counts as one of
// them.
func MergedDirs(dirs []string, out string) ([]string, error) {
	if _, err := os.Lstat(filepath.Join(out, ManifestFile)); err == nil {
		dirs = append(slices.Clip(dirs), out)
	}
	if len(dirs) == 0 {
		return nil, errors.New("there is nothing to merge; name the directories")
	}
	return dirs, nil
}

// place returns the directory of each block; "" if none has it. Those that have it must agree.
func place(parts []*Archive) (at []string, err error) {
	at = make([]string, parts[0].Job.Blocks())
	for i := range at {
		if at[i], err = agree(parts, i); err != nil {
			return nil, err
		}
	}
	return at, nil
}

// agree returns the first directory that has a block, which must be the same wherever it is.
func agree(parts []*Archive, i int) (dir string, err error) {
	var dirs []string
	for _, a := range parts {
		dirs = append(dirs, a.Dir)
	}
	_, dir, err = ReadSame(dirs, blockFile(i), func(dir string, packed []byte) (text []byte, err error) {
		a := parts[slices.Index(dirs, dir)]
		_, err = a.unpack(i, packed)
		return a.text, err
	})
	switch u, unequal := errors.AsType[*unequal](err); {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case unequal:
		err = parts[slices.Index(dirs, u.Dir)].damage(i, 0, fmt.Errorf("it differs from the one in %s", u.Other))
	}
	return dir, err
}

func gap(a *Archive, dirs []string) error {
	g := Gap{Of: len(dirs)}
	var texts []string
	for i := 0; i < len(dirs); i++ {
		from := i
		for i < len(dirs) && dirs[i] == "" {
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

// copy copies the blocks from their directories, and the study from the first part that has one.
func (m *Merger) copy(parts []*Archive, dirs []string) (blocks int, err error) {
	like := parts[0]
	out := open(m.Out, like.Manifest, like.Job, Shard{}, m.Disk)
	if _, err := os.Lstat(filepath.Join(m.Out, ManifestFile)); errors.Is(err, fs.ErrNotExist) {
		if err := out.create(); err != nil {
			return 0, err
		}
	}
	defer out.SyncNames()
	for i, dir := range dirs {
		if dir == "" {
			continue
		}
		blocks++
		if err := out.CopyPart(blockFile(i), dir); err != nil {
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
