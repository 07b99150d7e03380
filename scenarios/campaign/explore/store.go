package explore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// A Store configures where each unit's findings are kept as soon as it is finished: in an archive.Store, whose parts
// are
//
//	unit-2-000000.json.gz …   the findings in a unit up to a level
//
// A unit is explored alone, so every process that explores it writes the same text. Resuming explores the missing
// units; merging copies the files into one directory.
type Store struct {
	Dir       string
	Resume    bool          // continue with what Dir has; otherwise Dir must be empty
	Shard     archive.Shard // explore these units alone; the zero Shard is all
	Lockstorm string        // its version
	Command   string        // that makes the exploration in one process, without a store
	Disk      archive.Disk  // nil is the real one
}

// RunStored explores as Run does, and keeps each finished unit in a store. It does not repeat units that the store
// has. The report is the same as Run's, but with a shard it covers only the shard's units and never says that a
// property holds. If the store can't be written or read, the finished units are kept.
func (x *Exploration) RunStored(s *Store) (rep *Report, err error) {
	r := newRunner(x.Universe)
	defer r.close()
	trunk := r.newTrunk()
	k := newKeeper(s, x.manifest(s, len(trunk.units)), &x.Universe.whole)
	if err := k.prepare(s.Resume); err != nil {
		return nil, err
	}
	defer k.SyncNames()
	mine := *x
	mine.kept, mine.shard = k, s.Shard
	mine.Stop = func() bool { return k.failure() != nil || x.Stop != nil && x.Stop() }
	rep = mine.explore(trunk)
	if err := k.failure(); err != nil {
		return nil, err
	}
	if rep.Shard == "" && rep.over() {
		err = k.trim(rep)
	}
	return rep, err
}

// over reports whether there is nothing left to explore.
func (rep *Report) over() bool { return rep.Finished == rep.Levels || rep.Spent || rep.settled }

// A keeper keeps units of an exploration, and finds those that are there.
type keeper struct {
	*archive.Store
	manifest *Manifest
	scenario *scenarios.Scenario
	dirs     []string // in which units are looked for
	merging  bool     // a unit in no directory is a gap, and is not explored

	mu    sync.Mutex
	err   error    // the first
	found []placed // units that were looked for, and are there
	gaps  [][2]int // level and unit
}

// placed is where the file of a unit is.
type placed struct{ name, dir string }

func newKeeper(s *Store, m Manifest, sc *scenarios.Scenario) *keeper {
	return &keeper{Store: archive.NewStore(s.Dir, &m, sc, s.Shard, s.Disk), manifest: &m, scenario: sc, dirs: []string{s.Dir}}
}

// prepare begins the store in its directory, or continues it.
func (k *keeper) prepare(resume bool) error { return k.Prepare(resume, unitPattern, k.matches, nil) }

// matches returns an error if the store has another exploration.
func (k *keeper) matches(text []byte) error {
	if kind := archive.KindOf(k.Dir); kind != archive.Exploration && kind != "" {
		return fmt.Errorf("%s is of other work: of the kind %s, and this is an exploration", k.Dir, kind)
	}
	m, there, err := readManifest(k.Dir, text)
	if err == nil {
		err = m.SameBuild(k.Dir, &k.manifest.Head, "this is build ")
	}
	if err != nil {
		return err
	}
	if difference := m.differs(k.manifest, there, k.scenario, "there", "here"); difference != "" {
		return fmt.Errorf("%s is of other work: %s", k.Dir, difference)
	}
	return nil
}

// unitFile names the file of a unit.
func unitFile(level, unit int) string { return fmt.Sprintf("unit-%d-%06d.json.gz", level, unit) }

const unitPattern = "unit-*.json.gz"

// A unitRecord is what the file of a unit holds.
type unitRecord struct {
	SchemaVersion int            `json:"schema_version"`
	Manifest      string         `json:"manifest"` // the SHA-256 of its file
	Level         int            `json:"level"`
	Unit          int            `json:"unit"`
	Finished      bool           `json:"finished"` // and not given up, as it needs more than the budget
	Schedules     int            `json:"schedules"`
	Merged        int            `json:"merged"`
	States        int            `json:"states"`
	Unknown       int            `json:"unknown"`
	Broken        []brokenRecord `json:"broken"`
}

type brokenRecord struct {
	Property  string   `json:"property"`
	Schedules int      `json:"schedules"`
	First     []string `json:"first"` // the faults of the first
}

// text returns what a file of a unit holds, before it is packed.
func (k *keeper) text(level, unit int, c *Extent, done bool) []byte {
	r := unitRecord{
		SchemaVersion: k.manifest.SchemaVersion, Manifest: k.ManifestHash(), Level: level, Unit: unit, Finished: done,
		Schedules: c.Schedules, Merged: c.Merged, States: c.States, Unknown: c.Unknown, Broken: []brokenRecord{},
	}
	for i := range c.Broken {
		b := &c.Broken[i]
		r.Broken = append(r.Broken, brokenRecord{Property: b.Name(), Schedules: b.Schedules, First: b.First.Lines()})
	}
	text, err := json.Marshal(r)
	if err != nil {
		panic("explore: " + err.Error()) // strings and numbers only
	}
	return append(text, '\n')
}

// read reads what text returned. It is strict: what text would not have returned is rejected.
func (k *keeper) read(level, unit int, text []byte) (c Extent, done bool, err error) {
	var r unitRecord
	if err := archive.Strictly(text, &r); err != nil {
		return c, false, err
	}
	switch {
	case r.Manifest != k.ManifestHash():
		return c, false, errors.New("it is of another exploration")
	case r.Level != level || r.Unit != unit:
		return c, false, fmt.Errorf("it is of unit %d of level %d", r.Unit, r.Level)
	}
	c = Extent{Schedules: r.Schedules, Merged: r.Merged, States: r.States, Unknown: r.Unknown}
	for _, b := range r.Broken {
		i := slices.IndexFunc(checker.Properties, func(p checker.Property) bool { return p.Name == b.Property })
		first, err := faults.Parse(strings.Join(b.First, "\n"))
		if i < 0 || err != nil {
			return c, false, fmt.Errorf("%s breaks under %q, which can't be read", b.Property, b.First)
		}
		c.Broken = append(c.Broken, Broken{i, b.Schedules, first})
	}
	if want := k.text(level, unit, &c, r.Finished); !bytes.Equal(want, text) {
		return c, false, fmt.Errorf("it has %q; want %q", text, want)
	}
	return c, r.Finished, nil
}

// A Damage is that the file of a unit is not what Lockstorm would have written.
type Damage struct {
	File        string
	Level, Unit int
	Wrong       error
}

// Error returns the file, what is wrong, and what it held.
func (d *Damage) Error() string {
	return fmt.Sprintf("%s: %v; it held unit %d of level %d", d.File, d.Wrong, d.Unit, d.Level)
}

// Unwrap returns what is wrong.
func (d *Damage) Unwrap() error { return d.Wrong }

// find returns what was found in a unit, if it is there.
func (k *keeper) find(level, unit int) (c Extent, done, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	name := unitFile(level, unit)
	_, dir, err := archive.ReadSame(k.dirs, name, func(dir string, packed []byte) (text []byte, err error) {
		if text, err = k.Unpack(nil, packed); err == nil {
			c, done, err = k.read(level, unit, text)
		}
		if err != nil {
			err = &Damage{filepath.Join(dir, name), level, unit, err}
		}
		return text, err
	})
	switch {
	case errors.Is(err, fs.ErrNotExist) && k.merging:
		k.gaps = append(k.gaps, [2]int{level, unit})
		return c, true, true
	case errors.Is(err, fs.ErrNotExist):
		return c, false, false
	case err == nil:
		k.found = append(k.found, placed{name, dir})
	}
	k.fail(err)
	return c, done, true
}

// keep keeps what was found in a unit.
func (k *keeper) keep(level, unit int, c *Extent, done bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.fail(k.PutPart(unitFile(level, unit), k.text(level, unit, c, done)))
}

// fail records the first error.
func (k *keeper) fail(err error) {
	if k.err == nil {
		k.err = err
	}
}

func (k *keeper) failure() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.err
}

// trim removes the units beyond the last that counts: with a budget, several workers explore some that one would not have begun.
func (k *keeper) trim(rep *Report) (err error) {
	for _, name := range k.Parts(unitPattern) {
		var level, unit int
		_, bad := fmt.Sscanf(name, "unit-%d-%d", &level, &unit)
		if bad == nil && name == unitFile(level, unit) && !rep.needs(level, unit) {
			err = errors.Join(err, os.Remove(filepath.Join(k.Dir, name)))
		}
	}
	return err
}

// needs reports whether the report counts a unit.
func (rep *Report) needs(level, unit int) bool {
	at := level - min(1, rep.Levels) // Counts begins with the trunk
	return at > 0 && at < len(rep.Counts) && unit < rep.Counts[at].units
}
