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

// A Store is a directory in which what was found in units is kept, each as soon as it is finished:
//
//	manifest.json              what the exploration is: all that the files below follow from
//	scenario.yaml              the scenario, whole
//	unit-2-000000.json.zst …   what was found in a unit up to a level
//
// A unit is explored by itself, so whoever does it writes the same file, byte for byte. To go on is to explore those that are
// missing, and to merge is to copy files side by side. See package archive, which keeps campaigns in the same way.
type Store struct {
	Dir       string
	Resume    bool          // go on with what is in Dir; else it must have nothing
	Shard     archive.Shard // explore these units alone; the zero Shard is all
	Lockstorm string        // its version
	Command   string        // that makes the exploration in one process, without a store
	Disk      archive.Disk  // nil is the real one
}

// Kept explores as Run does, and keeps each unit that is finished in a store. What the store has is not explored again. The report is
// that of Run, unless there is a shard: then it is of the shard's units, and says of nothing that it holds. If the store can't
// be written or read, the units that were finished are kept.
func (x *Exploration) Kept(s *Store) (rep *Report, err error) {
	r := newRunner(x.Universe)
	defer r.close()
	trunk := r.newTrunk()
	k := newKeeper(s, x.manifest(s, len(trunk.units)))
	if err := k.prepare(&x.Universe.whole); err != nil {
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
func (rep *Report) over() bool { return rep.Finished == rep.Levels || rep.Spent || rep.Settled }

// A keeper keeps units of an exploration, and finds those that are there.
type keeper struct {
	archive.Folder
	manifest Manifest
	hash     string // of the manifest's file
	resume   bool

	mu         sync.Mutex
	compressor archive.Compressor
	err        error // the first
	from       func(name string) ([]byte, error)
	missing    func(level, unit int) // if set, is called for a unit that is not there, in place of exploring it
}

// unitMost is what the file of a unit unpacks to at most.
const unitMost = 1 << 24

func newKeeper(s *Store, m Manifest) *keeper {
	k := &keeper{
		Folder: archive.NewFolder(s.Dir, s.Shard, s.Disk), manifest: m, hash: archive.Hash(m.JSON()), resume: s.Resume,
		compressor: archive.NewCompressor(unitMost),
	}
	k.from = func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(k.Dir, name)) }
	return k
}

// prepare opens the directory, or makes it one.
func (k *keeper) prepare(s *scenarios.Scenario) error {
	text, err := os.ReadFile(filepath.Join(k.Dir, archive.ManifestFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = k.create(s)
	case err != nil:
	case !k.resume:
		err = fmt.Errorf("%s: %w", k.Dir, archive.ErrExists)
	default:
		err = k.matches(text, s)
	}
	return errors.Join(err, k.RemoveUnfinished())
}

// create begins a store. The manifest is written last: if it is there, all is there.
func (k *keeper) create(s *scenarios.Scenario) error {
	if units, _ := filepath.Glob(filepath.Join(k.Dir, unitGlob)); len(units) > 0 && !k.resume {
		return fmt.Errorf("%s: %w, without its %s", k.Dir, archive.ErrExists, archive.ManifestFile)
	}
	if err := os.MkdirAll(k.Dir, 0o755); err != nil {
		return err
	}
	if err := k.Put(archive.ScenarioFile, s.YAML()); err != nil {
		return err
	}
	return k.Put(archive.ManifestFile, k.manifest.JSON())
}

// matches refuses to go on with another exploration.
func (k *keeper) matches(text []byte, here *scenarios.Scenario) error {
	if kind := archive.KindOf(k.Dir); kind != archive.Exploration && kind != "" {
		return fmt.Errorf("%s is of other work: of the kind %s, and this is an exploration", k.Dir, kind)
	}
	m, there, err := readManifest(k.Dir, text)
	if err != nil {
		return err
	}
	if m.Lockstorm != k.manifest.Lockstorm {
		return &archive.OtherBuild{Dir: k.Dir, Made: m.Lockstorm, Than: "this is build " + k.manifest.Lockstorm}
	}
	if difference := m.differs(&k.manifest, there, here); difference != "" {
		return fmt.Errorf("%s is of other work: %s", k.Dir, difference)
	}
	return nil
}

// readManifest reads the manifest of a directory, and the scenario beside it.
func readManifest(dir string, text []byte) (m Manifest, s *scenarios.Scenario, err error) {
	if m, err = parseManifest(text); err != nil {
		return m, nil, &archive.Unsound{Dir: dir, File: archive.ManifestFile, Wrong: err}
	}
	file := filepath.Join(dir, archive.ScenarioFile)
	yaml, err := os.ReadFile(file)
	switch {
	case err != nil:
		err = fmt.Errorf("the store is not whole: %w", err)
	case archive.Hash(yaml) != m.ScenarioHash:
		err = errors.New("it has been changed: the manifest has another scenario_sha256")
	default:
		var parsed scenarios.Scenario
		parsed, err = scenarios.Parse(file, yaml)
		parsed.ID = m.Scenario
		s = &parsed
	}
	if err != nil {
		return m, nil, &archive.Unsound{Dir: dir, File: archive.ScenarioFile, Wrong: err}
	}
	return m, s, nil
}

// unit names the file of a unit.
func unitFile(level, unit int) string { return fmt.Sprintf("unit-%d-%06d.json.zst", level, unit) }

const unitGlob = "unit-*.json.zst"

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
func (k *keeper) text(level, unit int, c *Count, done bool) []byte {
	r := unitRecord{
		SchemaVersion: schemaVersion, Manifest: k.hash, Level: level, Unit: unit, Finished: done,
		Schedules: c.Schedules, Merged: c.Merged, States: c.States, Unknown: c.Unknown, Broken: []brokenRecord{},
	}
	for i := range c.Broken {
		b := brokenRecord{Property: c.Broken[i].Name(), Schedules: c.Broken[i].Schedules, First: []string{}}
		for _, f := range c.Broken[i].First {
			b.First = append(b.First, f.String())
		}
		r.Broken = append(r.Broken, b)
	}
	text, err := json.Marshal(r)
	if err != nil {
		panic("explore: " + err.Error()) // strings and numbers only
	}
	return append(text, '\n')
}

// read reads what text returned. It is strict: what text would not have returned is refused.
func (k *keeper) read(level, unit int, text []byte) (c Count, done bool, err error) {
	var r unitRecord
	if err := strict(text, &r); err != nil {
		return c, false, err
	}
	switch {
	case r.Manifest != k.hash:
		return c, false, errors.New("it is of another exploration")
	case r.Level != level || r.Unit != unit:
		return c, false, fmt.Errorf("it is of unit %d of level %d", r.Unit, r.Level)
	}
	c = Count{Schedules: r.Schedules, Merged: r.Merged, States: r.States, Unknown: r.Unknown}
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

// open unpacks the file of a unit, and reads it.
func (k *keeper) open(level, unit int, packed []byte) (c Count, done bool, err error) {
	text, err := k.compressor.Unpack(nil, packed)
	if err != nil {
		return c, false, fmt.Errorf("it can't be decompressed: %w", err)
	}
	if c, done, err = k.read(level, unit, text); err == nil && !bytes.Equal(k.compressor.Pack(nil, text), packed) {
		err = errors.New("it has the right words, but was compressed by something else")
	}
	return c, done, err
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
func (k *keeper) find(level, unit int) (c Count, done, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	packed, err := k.from(unitFile(level, unit))
	switch {
	case errors.Is(err, fs.ErrNotExist) && k.missing != nil:
		k.missing(level, unit)
		return c, true, true
	case errors.Is(err, fs.ErrNotExist):
		return c, false, false
	case err == nil:
		if c, done, err = k.open(level, unit, packed); err != nil {
			err = &Damage{filepath.Join(k.Dir, unitFile(level, unit)), level, unit, err}
		}
	}
	if err != nil && k.err == nil {
		k.err = err
	}
	return c, done, true
}

// keep keeps what was found in a unit.
func (k *keeper) keep(level, unit int, c *Count, done bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	err := k.Put(unitFile(level, unit), k.compressor.Pack(nil, k.text(level, unit, c, done)))
	if err != nil && k.err == nil {
		k.err = err
	}
}

func (k *keeper) failure() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.err
}

// trim removes the units beyond the last that counts: with a budget, several workers explore some that one would not have begun.
func (k *keeper) trim(rep *Report) error {
	names, err := filepath.Glob(filepath.Join(k.Dir, unitGlob))
	if err != nil {
		return err
	}
	for _, name := range names {
		var level, unit int
		base := filepath.Base(name)
		if _, bad := fmt.Sscanf(base, "unit-%d-%d", &level, &unit); bad != nil || base != unitFile(level, unit) {
			continue
		}
		if rep.needs(level, unit) {
			continue
		}
		err = errors.Join(err, os.Remove(name))
	}
	return err
}

// needs reports whether the report counts a unit.
func (rep *Report) needs(level, unit int) bool {
	at := level - min(1, rep.Levels) // Counts begins with the trunk
	return at > 0 && at < len(rep.Counts) && unit < rep.Counts[at].units
}
