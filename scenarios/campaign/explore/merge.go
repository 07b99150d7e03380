package explore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// A Merger puts the stores of the shards of one exploration together.
type Merger struct {
	Dirs    []string // in any order; a shard may be there twice
	Out     string   // where to; it may have some of the units already
	Partial bool     // do not mind what is missing
	Disk    archive.Disk
}

// A Merged is what was put together.
type Merged struct {
	Manifest Manifest
	Scenario *scenarios.Scenario
	Universe *Universe
	Units    int     // that are there now
	Report   *Report // as one process makes it; nil if units are missing
}

// Merge copies the units that count, having read each. The store then equals, byte for byte, the one that a single process makes. It
// writes nothing if anything is wrong.
func (m *Merger) Merge() (*Merged, error) {
	dirs, out, err := m.open()
	if err != nil {
		return nil, err
	}
	x := Exploration{Universe: out.Universe, Workers: 1, Budget: out.Manifest.Budget}
	r := newRunner(x.Universe)
	defer r.close()
	trunk := r.newTrunk()
	if n := len(trunk.units); n != out.Manifest.Units {
		return nil, fmt.Errorf("%s: this Lockstorm finds %d units in it, and the manifest has %d", dirs[0], n, out.Manifest.Units)
	}
	p := parts{dirs: dirs}
	k := newKeeper(&Store{Dir: m.Out, Resume: true, Disk: m.Disk}, out.Manifest)
	k.from, k.missing = p.read, p.lacks
	x.kept = k
	out.Report = x.explore(trunk)
	switch {
	case k.err != nil:
		return nil, p.where(k.err)
	case len(p.gaps) > 0 && !m.Partial:
		return nil, p.gap(out.Manifest.Units)
	case len(p.gaps) > 0:
		out.Report = nil
	}
	out.Units = len(p.found)
	return out, m.copy(k, &p, out.Scenario, out.Report)
}

// open reads the manifests, which must be the same. What is in Out already counts as one of the stores.
func (m *Merger) open() (dirs []string, out *Merged, err error) {
	dirs = m.Dirs
	if _, err := os.Lstat(filepath.Join(m.Out, archive.ManifestFile)); err == nil {
		dirs = append(slices.Clip(dirs), m.Out)
	}
	for _, dir := range dirs {
		text, err := os.ReadFile(filepath.Join(dir, archive.ManifestFile))
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%s: %w: there is no %s in it", dir, archive.ErrNone, archive.ManifestFile)
		}
		if err != nil {
			return nil, nil, err
		}
		man, s, err := readManifest(dir, text)
		if err != nil {
			return nil, nil, err
		}
		switch {
		case out == nil:
			out = &Merged{Manifest: man, Scenario: s}
		case man.Lockstorm != out.Manifest.Lockstorm:
			return nil, nil, &archive.OtherBuild{Dir: dir, Made: man.Lockstorm, Than: dirs[0] + " by build " + out.Manifest.Lockstorm}
		case man.differs(&out.Manifest, s, out.Scenario) != "":
			return nil, nil, fmt.Errorf("%s and %s are of different explorations: %s", dir, dirs[0], strings.NewReplacer(
				" there, and", " in the one, and", " here", " in the other").Replace(man.differs(&out.Manifest, s, out.Scenario)))
		}
	}
	if out == nil {
		return nil, nil, errors.New("there is nothing to merge; name the directories")
	}
	if err := out.Scenario.Check(); err != nil {
		return nil, nil, &archive.Unsound{Dir: dirs[0], File: archive.ScenarioFile, Wrong: err}
	}
	if out.Universe, err = New(out.Scenario, out.Manifest.Seed, out.Manifest.Properties); err != nil {
		return nil, nil, &archive.Unsound{Dir: dirs[0], File: archive.ManifestFile, Wrong: err}
	}
	return dirs, out, nil
}

// parts are the directories in which units are looked for.
type parts struct {
	dirs  []string
	found []string // the names of the files that count
	at    []string // the directory of each
	gaps  [][2]int // level and unit
}

// read returns the file of a unit, which is the same wherever it is.
func (p *parts) read(name string) (first []byte, err error) {
	from := ""
	for _, dir := range p.dirs {
		text, err := os.ReadFile(filepath.Join(dir, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		case first == nil:
			first, from = text, dir
		case !bytes.Equal(first, text):
			return nil, fmt.Errorf("%s differs from the one in %s", filepath.Join(dir, name), from)
		}
	}
	if first == nil {
		return nil, fs.ErrNotExist
	}
	p.found, p.at = append(p.found, name), append(p.at, from)
	return first, nil
}

// lacks records a unit that is in none of them.
func (p *parts) lacks(level, unit int) { p.gaps = append(p.gaps, [2]int{level, unit}) }

// where says in which directory a damaged file is.
func (p *parts) where(err error) error {
	if d := (*Damage)(nil); errors.As(err, &d) && len(p.at) > 0 {
		d.File = filepath.Join(p.at[len(p.at)-1], filepath.Base(d.File))
	}
	return err
}

// A Gap is that units of an exploration are in none of the directories.
type Gap struct {
	Units, Of int
	Text      string // which
}

// Error returns which are missing.
func (g *Gap) Error() string {
	return fmt.Sprintf("%d of %d units are in none of the directories: %s", g.Units, g.Of, g.Text)
}

// gap describes which units are missing: of the lowest level at which one is, for what counts above follows from those.
func (p *parts) gap(units int) error {
	level := p.gaps[0][0]
	var missing []int
	for _, at := range p.gaps {
		if at[0] == level {
			missing = append(missing, at[1])
		}
	}
	var texts []string
	for i := 0; i < len(missing); {
		from := i
		for i++; i < len(missing) && missing[i] == missing[i-1]+1; i++ {
		}
		text := fmt.Sprintf("units %d to %d of level %d", missing[from], missing[i-1], level)
		if from == i-1 {
			text = fmt.Sprintf("unit %d of level %d", missing[from], level)
		}
		texts = append(texts, text)
	}
	return &Gap{len(missing), units, strings.Join(texts, "; ")}
}

// copy writes what is not there yet.
func (m *Merger) copy(k *keeper, p *parts, s *scenarios.Scenario, rep *Report) error {
	if err := k.prepare(s); err != nil {
		return err
	}
	defer k.SyncNames()
	for i, name := range p.found {
		if p.at[i] == m.Out {
			continue
		}
		if _, err := os.Lstat(filepath.Join(m.Out, name)); err == nil {
			continue
		}
		text, err := os.ReadFile(filepath.Join(p.at[i], name))
		if err == nil {
			err = k.Put(name, text)
		}
		if err != nil {
			return err
		}
	}
	if rep == nil {
		return nil
	}
	return k.trim(rep)
}
