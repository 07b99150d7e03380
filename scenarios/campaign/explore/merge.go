package explore

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// A Manifest is what an exploration is: two stores with equal manifests have equal files.
type Manifest struct {
	archive.Head
	Seed       uint64   `json:"seed"`
	Properties []string `json:"properties"` // that are watched
	Budget     int      `json:"budget"`     // of schedules; 0 for no limit
	Levels     int      `json:"levels"`
	Units      int      `json:"units"`   // of each level from 2 on
	Command    string   `json:"command"` // that makes it in one process
}

// manifest describes an exploration by this version of Lockstorm.
func (x *Exploration) manifest(s *Store, units int) Manifest {
	u := x.Universe
	m := Manifest{
		Head: archive.NewHead(s.Lockstorm, archive.Exploration, &u.whole),
		Seed: u.seed, Budget: x.Budget, Levels: u.Levels(), Units: units, Command: s.Command,
	}
	for _, i := range u.watched {
		m.Properties = append(m.Properties, checker.Properties[i].Name)
	}
	return m
}

// JSON returns the manifest as its file holds it.
func (m *Manifest) JSON() []byte { return archive.Indented(m) }

// readManifest reads a directory's manifest, and the scenario next to it.
func readManifest(dir string, text []byte) (m *Manifest, s *scenarios.Scenario, err error) {
	m = new(Manifest)
	if kind := archive.KindOf(dir); kind != archive.Exploration {
		err = fmt.Errorf("it is of work of the kind %q; want %q", kind, archive.Exploration)
	} else if err = archive.ParseManifest(text, m); err == nil && !bytes.Equal(m.JSON(), text) {
		err = archive.ErrChanged
	}
	if err != nil {
		return nil, nil, &archive.Unsound{Dir: dir, File: archive.ManifestFile, Wrong: err}
	}
	s, err = m.ReadScenario(dir)
	return m, s, err
}

// differs returns how m differs from the wanted manifest, and its scenario from the wanted; "" if they are equal.
func (m *Manifest) differs(want *Manifest, its, wanted *scenarios.Scenario, there, here string) string {
	return archive.Difference([]archive.Part{
		{What: "the scenario", Got: m.Scenario, Want: want.Scenario},
		{What: "the universe", Got: universeOf(its, wanted), Want: universeOf(wanted, its)},
		{What: "the scenario's SHA-256", Got: m.ScenarioHash, Want: want.ScenarioHash},
		{What: "the seed", Got: m.Seed, Want: want.Seed},
		{What: "the list of properties", Got: strings.Join(m.Properties, ", "), Want: strings.Join(want.Properties, ", ")},
		{What: "the budget", Got: m.Budget, Want: want.Budget},
		{What: "the number of levels", Got: m.Levels, Want: want.Levels},
		{What: "the number of units", Got: m.Units, Want: want.Units},
		{What: "the command", Got: m.Command, Want: want.Command},
	}, there, here)
}

// universeOf returns the lines by which two scenarios' grids differ.
func universeOf(s, other *scenarios.Scenario) string {
	all := Grid(other)
	var own []string
	for _, line := range Grid(s) {
		if !slices.Contains(all, line) {
			own = append(own, line)
		}
	}
	if own == nil && len(all) > len(Grid(s)) {
		return "without that"
	}
	return strings.Join(own, "; ")
}

// A Merger puts the stores of the shards of one exploration together.
type Merger struct {
	Dirs    []string // in any order; a shard may be there twice
	Out     string   // where to; it may have some of the units already
	Partial bool     // do not mind what is missing
	Disk    archive.Disk
}

// A Merged is what was put together.
type Merged struct {
	Manifest *Manifest
	Scenario *scenarios.Scenario
	Universe *Universe
	Units    int     // that are there now
	Report   *Report // as one process makes it; nil if units are missing
}

// Merge copies the units that count, having read each. The store then equals, byte for byte, the one that a single process
// makes. It writes nothing if anything is wrong.
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
	k := newKeeper(&Store{Dir: m.Out, Disk: m.Disk}, *out.Manifest, out.Scenario)
	k.dirs, k.merging, x.kept = dirs, true, k
	out.Report = x.explore(trunk)
	switch {
	case k.err != nil:
		return nil, k.err
	case len(k.gaps) > 0 && !m.Partial:
		return nil, k.gap()
	case len(k.gaps) > 0:
		out.Report = nil
	}
	out.Units = len(k.found)
	return out, k.copy(out.Report)
}

// copy writes what is not there yet.
func (k *keeper) copy(rep *Report) error {
	if err := k.prepare(true); err != nil {
		return err
	}
	defer k.SyncNames()
	for _, f := range k.found {
		if err := k.CopyPart(f.name, f.dir); err != nil {
			return err
		}
	}
	if rep == nil {
		return nil
	}
	return k.trim(rep)
}

// open reads the manifests, which must be the same.
func (m *Merger) open() (dirs []string, out *Merged, err error) {
	if dirs, err = archive.MergedDirs(m.Dirs, m.Out); err != nil {
		return nil, nil, err
	}
	for _, dir := range dirs {
		text, err := archive.ReadManifest(dir)
		if err != nil {
			return nil, nil, err
		}
		man, s, err := readManifest(dir, text)
		if err != nil {
			return nil, nil, err
		}
		if out == nil {
			out = &Merged{Manifest: man, Scenario: s}
		}
		if err := man.SameBuild(dir, &out.Manifest.Head, dirs[0]+" by build "); err != nil {
			return nil, nil, err
		}
		if difference := man.differs(out.Manifest, s, out.Scenario, "in the one", "in the other"); difference != "" {
			return nil, nil, fmt.Errorf("%s and %s are of different explorations: %s", dir, dirs[0], difference)
		}
	}
	if err := out.Scenario.Check(); err != nil {
		return nil, nil, &archive.Unsound{Dir: dirs[0], File: archive.ScenarioFile, Wrong: err}
	}
	if out.Universe, err = New(out.Scenario, out.Manifest.Seed, out.Manifest.Properties); err != nil {
		return nil, nil, &archive.Unsound{Dir: dirs[0], File: archive.ManifestFile, Wrong: err}
	}
	return dirs, out, nil
}

// A Gap is an error: no directory has these units of an exploration.
type Gap struct {
	Units, Of int
	Text      string // which
}

// Error returns which are missing.
func (g *Gap) Error() string {
	return fmt.Sprintf("%d of %d units are in none of the directories: %s", g.Units, g.Of, g.Text)
}

// gap describes the missing units of the lowest level that lacks one, because the counts of higher levels depend on
// them.
func (k *keeper) gap() error {
	level := k.gaps[0][0]
	var missing []int
	for _, at := range k.gaps {
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
	return &Gap{len(missing), k.manifest.Units, strings.Join(texts, "; ")}
}
