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

// schemaVersion is the version of manifests and parts.
const schemaVersion = 1

// An OtherBuild is an error: another build did the work in the directory.
type OtherBuild struct {
	Dir, Made string // which work, and the build that did it
	Now       string // this build
}

// Error names both builds.
func (o *OtherBuild) Error() string {
	return fmt.Sprintf("%s was made by build %s, and this is build %s; no archive has rows of both", o.Dir, o.Made, o.Now)
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

// readManifest returns the file of a directory's manifest; if there is none, the error is an ErrNone.
func readManifest(dir string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s: %w: there is no %s in it", dir, ErrNone, ManifestFile)
	}
	return text, err
}

// readScenario reads the scenario of a directory with this manifest. If it can't be parsed, the error comes
// from package scenarios.
func (m *Manifest) readScenario(dir string) (*scenarios.Scenario, error) {
	text, err := os.ReadFile(filepath.Join(dir, scenarioFile))
	switch {
	case err != nil:
		err = fmt.Errorf("the archive is not whole: %w", err)
	case hashOf(text) != m.ScenarioHash:
		err = errors.New("it has been changed: the manifest has another scenario_sha256")
	}
	if err != nil {
		return nil, &Unsound{dir, scenarioFile, err}
	}
	s, err := scenarios.Parse(filepath.Join(dir, scenarioFile), text)
	s.ID = m.Scenario
	return &s, err
}

// errChanged is that a manifest can be read, but is not as Lockstorm writes it.
var errChanged = errors.New("it is not as Lockstorm wrote it")

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
	SchemaVersion int             `json:"schema_version"`
	Lockstorm     string          `json:"lockstorm"` // its version
	Kind          string          `json:"kind"`      // of the work
	Scenario      string          `json:"scenario"`  // its ID
	ScenarioHash  string          `json:"scenario_sha256"`
	Cells         []campaign.Cell `json:"cells"`
	FirstSeed     uint64          `json:"first_seed"`
	Runs          int             `json:"runs"` // of each cell
	BlockSize     int             `json:"block_size"`
	Properties    []string        `json:"properties"`
	Views         []string        `json:"views,omitempty"` // of a black box; none in an archive of before there were any
	Sometimes     []string        `json:"sometimes"`
	Figures       []Figure        `json:"figures"`
}

// A Figure is the name of a column of numbers, and what they count.
type Figure struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
}

// describe returns the manifest of a job that passed Check, as this version of Lockstorm makes it.
func describe(j *campaign.Job, version string) Manifest {
	m := Manifest{
		SchemaVersion: schemaVersion, Lockstorm: version, Kind: j.Kind,
		Scenario: j.Scenario.ID, ScenarioHash: hashOf(j.Scenario.YAML()),
		Cells: j.Cells, FirstSeed: j.First, Runs: j.Runs, BlockSize: j.Size,
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
func (m *Manifest) JSON() []byte {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		panic("archive: " + err.Error()) // strings and numbers only
	}
	return append(text, '\n')
}

// parse reads a manifest strictly: what Lockstorm would not have written is rejected.
func parse(text []byte) (m Manifest, err error) {
	_ = json.Unmarshal(text, &m) // what can't be read is rejected below
	if v := m.SchemaVersion; v != 0 && v != schemaVersion {
		return m, fmt.Errorf("it has schema version %d, and this Lockstorm reads version %d", v, schemaVersion)
	}
	m = Manifest{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err = d.Decode(&m); err == nil {
		if _, end := d.Token(); end != io.EOF {
			err = errors.New("there is more than one value")
		}
	}
	if err != nil {
		return m, fmt.Errorf("it is not a manifest: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return m, nil
}

// Job returns the job again, given the scenario.
func (m *Manifest) Job(s *scenarios.Scenario) (*campaign.Job, error) {
	j := &campaign.Job{Kind: m.Kind, Scenario: s, Cells: m.Cells, First: m.FirstSeed, Runs: m.Runs, Size: m.BlockSize}
	return j, j.Check()
}

// differs returns what differs from the manifest that is wanted here, in words; "" if nothing does.
func (m *Manifest) differs(want *Manifest) string {
	for _, part := range []struct {
		what      string
		got, want any
	}{
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
	} {
		if got, wanted := fmt.Sprint(part.got), fmt.Sprint(part.want); got != wanted {
			return fmt.Sprintf("%s is %s there, and %s here", part.what, short(got), short(wanted))
		}
	}
	return ""
}

func settings(cells []campaign.Cell) string {
	var words []string
	for _, c := range cells {
		words = append(words, "("+c.String()+")")
	}
	return strings.Join(words, " ")
}
