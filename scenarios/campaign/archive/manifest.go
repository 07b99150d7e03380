package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A Described is a manifest: of rows, or of an exploration.
type Described interface {
	JSON() []byte // the manifest as its file holds it
	Common() *Head
}

// A Head is what all manifests begin with.
type Head struct {
	SchemaVersion int    `json:"schema_version"`
	Lockstorm     string `json:"lockstorm"` // its version
	Kind          string `json:"kind"`      // of the work
	Scenario      string `json:"scenario"`  // its ID
	ScenarioHash  string `json:"scenario_sha256"`
}

// schemaVersion is the version of manifests and parts.
const schemaVersion = 1

// NewHead returns the head of a manifest, as this version of Lockstorm makes it.
func NewHead(lockstorm, kind string, s *scenarios.Scenario) Head {
	return Head{schemaVersion, lockstorm, kind, s.ID, hashOf(s.YAML())}
}

// Common returns the head.
func (h *Head) Common() *Head { return h }

// An OtherBuild is an error: another build did the work in the directory.
type OtherBuild struct {
	Dir, Made string // which work, and the build that did it
	Than      string // what has another
}

// Error names both builds.
func (o *OtherBuild) Error() string {
	return fmt.Sprintf("%s was made by build %s, and %s; no archive has rows of both", o.Dir, o.Made, o.Than)
}

// SameBuild returns an error if the directory with this head has work of another build than want.
func (h *Head) SameBuild(dir string, want *Head, than string) error {
	if h.Lockstorm == want.Lockstorm {
		return nil
	}
	return &OtherBuild{Dir: dir, Made: h.Lockstorm, Than: than + want.Lockstorm}
}

// An Unsound is an error: Lockstorm would not have written the manifest or the scenario of a store. No part is lost by
// that. If there is no manifest, resumed work writes both again and continues with the existing parts.
type Unsound struct {
	Dir, File string
	Wrong     error
}

// Error returns the file and what is wrong.
func (u *Unsound) Error() string { return fmt.Sprintf("%s: %v", filepath.Join(u.Dir, u.File), u.Wrong) }

// Unwrap returns what is wrong.
func (u *Unsound) Unwrap() error { return u.Wrong }

// ReadManifest returns the file of a directory's manifest; if there is none, the error is an ErrNone.
func ReadManifest(dir string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s: %w: there is no %s in it", dir, ErrNone, ManifestFile)
	}
	if old := names(dir, "*.zst"); err == nil && len(old) > 0 {
		return nil, fmt.Errorf("%s: an older Lockstorm compressed it with zstd, and this one reads gzip; "+
			"unpack it with \"zstd -d --rm FILE\", pack it with \"gzip FILE\", "+
			"and do so with each of the %d files of this store that end in .zst", filepath.Join(dir, old[0]), len(old))
	}
	return text, err
}

// ReadScenario reads the scenario of a directory whose manifest has the head. If it can't be parsed, the error comes
// from package scenarios.
func (h *Head) ReadScenario(dir string) (*scenarios.Scenario, error) {
	text, err := os.ReadFile(filepath.Join(dir, ScenarioFile))
	switch {
	case err != nil:
		err = fmt.Errorf("the archive is not whole: %w", err)
	case hashOf(text) != h.ScenarioHash:
		err = errors.New("it has been changed: the manifest has another scenario_sha256")
	}
	if err != nil {
		return nil, &Unsound{dir, ScenarioFile, err}
	}
	s, err := scenarios.Parse(filepath.Join(dir, ScenarioFile), text)
	s.ID = h.Scenario
	return &s, err
}

// Exploration is the kind of work that has no rows: see package explore.
const Exploration = "explore"

// KindOf returns the kind of work in a directory; "" if that can't be said.
func KindOf(dir string) string {
	text, _ := os.ReadFile(filepath.Join(dir, ManifestFile))
	return kindOf(text)
}

func kindOf(text []byte) string {
	var h Head
	_ = json.Unmarshal(text, &h) // what can't be read has no kind
	return h.Kind
}

// ParseManifest reads a manifest strictly: what Lockstorm would not have written is rejected.
func ParseManifest(text []byte, m Described) error {
	var h Head
	if err := json.Unmarshal(text, &h); err == nil && h.SchemaVersion != schemaVersion {
		return fmt.Errorf("it has schema version %d, and this Lockstorm reads version %d", h.SchemaVersion, schemaVersion)
	}
	if err := Strictly(text, m); err != nil {
		return fmt.Errorf("it is not a manifest: %w", err)
	}
	return nil
}

// Strictly reads one JSON value, and rejects unknown fields.
func Strictly(text []byte, m any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(m); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is more than one value")
	}
	return nil
}

// Indented returns a manifest as its file holds it.
func Indented(m any) []byte {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		panic("archive: " + err.Error()) // strings and numbers only
	}
	return append(text, '\n')
}

// ErrChanged is that a manifest can be read, but is not as Lockstorm writes it.
var ErrChanged = errors.New("it is not as Lockstorm wrote it")

// A Part is one thing that two manifests say, as each has it.
type Part struct {
	What      string
	Got, Want any
}

// Difference describes the first part that differs, saying where each of the two is; "" if none does.
func Difference(parts []Part, there, here string) string {
	for _, p := range parts {
		if got, want := fmt.Sprint(p.Got), fmt.Sprint(p.Want); got != want {
			return fmt.Sprintf("%s is %s %s, and %s %s", p.What, short(got), there, short(want), here)
		}
	}
	return ""
}

// short keeps an error readable.
func short(text string) string {
	if len(text) > 200 {
		return text[:200] + "…"
	}
	return text
}

// hashOf returns the SHA-256 of a file as manifests have it.
func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// A Manifest is what a campaign is: two archives with equal manifests have equal blocks.
type Manifest struct {
	Head
	Cells      []campaign.Cell `json:"cells"`
	FirstSeed  uint64          `json:"first_seed"`
	Runs       int             `json:"runs"` // of each cell
	BlockSize  int             `json:"block_size"`
	Properties []string        `json:"properties"`
	Views      []string        `json:"views,omitempty"` // of a black box; none in an archive of before there were any
	Sometimes  []string        `json:"sometimes"`
	Figures    []Figure        `json:"figures"`
}

// A Figure is the name of a column of numbers, and what they count.
type Figure struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
}

// describe returns the manifest of a job that passed Check, as this version of Lockstorm makes it.
func describe(j *campaign.Job, version string) Manifest {
	m := Manifest{
		Head: NewHead(version, j.Kind, j.Scenario), Cells: j.Cells, FirstSeed: j.First, Runs: j.Runs, BlockSize: j.Size,
		Sometimes: slices.Concat([]string{}, j.Scenario.Sometimes),
	}
	for _, p := range j.Scenario.Promises() {
		m.Properties = append(m.Properties, p.Name)
	}
	for _, v := range blackbox.Views {
		m.Views = append(m.Views, v.Name)
	}
	for _, f := range campaign.Figures() {
		m.Figures = append(m.Figures, Figure{f.Name, f.Unit.String()})
	}
	return m
}

// JSON returns the manifest as its file holds it.
func (m *Manifest) JSON() []byte { return Indented(m) }

// foreign is why the rows of a store are not read.
type foreign string

func (f foreign) Error() string { return string(f) }

// The kinds of stores that have no rows, or rows that an older Lockstorm made.
const (
	isExploration = foreign("it is of an exploration, which has no rows; lockstorm explore --resume and lockstorm merge " +
		"read it")
	isOldSweep = foreign("it is a sweep of an older Lockstorm, and sweeps are studies now; repeat the sweep with " +
		"another --store")
)

// parse reads a manifest. This Lockstorm must know the meaning of its names.
func parse(text []byte) (m Manifest, err error) {
	switch kindOf(text) {
	case Exploration:
		return m, isExploration
	case "sweep":
		return m, isOldSweep
	}
	return m, ParseManifest(text, &m)
}

// Job returns the job again, given the scenario.
func (m *Manifest) Job(s *scenarios.Scenario) (*campaign.Job, error) {
	j := &campaign.Job{Kind: m.Kind, Scenario: s, Cells: m.Cells, First: m.FirstSeed, Runs: m.Runs, Size: m.BlockSize}
	return j, j.Check()
}

// differs returns what differs from the manifest that is wanted, in words; "" if nothing does.
func (m *Manifest) differs(want *Manifest, there, here string) string {
	return Difference([]Part{
		{"the schema", m.SchemaVersion, want.SchemaVersion},
		{"the build of Lockstorm", m.Lockstorm, want.Lockstorm},
		{"the kind of work", m.Kind, want.Kind},
		{"the scenario", m.Scenario, want.Scenario},
		{"the scenario's SHA-256", m.ScenarioHash, want.ScenarioHash},
		{"the number of cells", len(m.Cells), len(want.Cells)},
		{"the settings", settings(m.Cells), settings(want.Cells)},
		{"the first seed", m.FirstSeed, want.FirstSeed},
		{"the number of runs", m.Runs, want.Runs},
		{"the size of a block", m.BlockSize, want.BlockSize},
		{"the list of properties", m.Properties, want.Properties},
		{"the list of views", m.Views, want.Views},
		{"the list of sometimes", m.Sometimes, want.Sometimes},
		{"the list of figures", m.Figures, want.Figures},
	}, there, here)
}

func settings(cells []campaign.Cell) string {
	var words []string
	for _, c := range cells {
		words = append(words, "("+c.String()+")")
	}
	return strings.Join(words, " ")
}
