package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// schemaVersion is that of the manifest and of the blocks.
const schemaVersion = 1

// A Manifest is what a campaign is: two archives with equal manifests have equal blocks.
type Manifest struct {
	SchemaVersion int        `json:"schema_version"`
	Lockstorm     string     `json:"lockstorm"` // its version
	Kind          string     `json:"kind"`      // of the job
	Scenario      string     `json:"scenario"`  // its ID
	ScenarioHash  string     `json:"scenario_sha256"`
	Cells         [][]string `json:"cells"` // the settings of each, as for --set
	FirstSeed     uint64     `json:"first_seed"`
	Runs          int        `json:"runs"` // of each cell
	BlockSize     int        `json:"block_size"`
	Rule          *Rule      `json:"rule,omitempty"` // by which a cell may end early
	Properties    []string   `json:"properties"`
	Sometimes     []string   `json:"sometimes"`
	Figures       []Figure   `json:"figures"`
}

// A Figure is the name of a column of numbers, and what they count.
type Figure struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
}

// A Rule is that of the job.
type Rule struct {
	Tight      int      `json:"tight_millionths"`
	Properties []string `json:"properties"` // none stands for all
}

// Describe returns the manifest of a job that passed Check, as this version of Lockstorm makes it.
func Describe(j *campaign.Job, version string) Manifest {
	m := Manifest{
		SchemaVersion: schemaVersion, Lockstorm: version, Kind: j.Kind, Scenario: j.Scenario.ID, ScenarioHash: Hash(j.Scenario.YAML()),
		FirstSeed: j.First, Runs: j.Runs, BlockSize: j.Size, Sometimes: slices.Concat([]string{}, j.Scenario.Sometimes),
	}
	if j.Rule.Tight > 0 {
		m.Rule = &Rule{j.Rule.Tight, slices.Concat([]string{}, j.Rule.Properties)}
	}
	for _, c := range j.Cells {
		settings := []string{}
		for _, a := range c {
			settings = append(settings, a.String())
		}
		m.Cells = append(m.Cells, settings)
	}
	for _, p := range checker.Properties {
		m.Properties = append(m.Properties, p.Name)
	}
	for _, f := range new(checker.Judge).Figures(&checker.Evidence{}) {
		m.Figures = append(m.Figures, Figure{f.Name, f.Unit.String()})
	}
	return m
}

// Hash returns the SHA-256 of a file as manifests have it.
func Hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// JSON returns the manifest as its file holds it.
func (m *Manifest) JSON() []byte {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		panic("archive: " + err.Error()) // strings and numbers only
	}
	return append(text, '\n')
}

// ErrExploration is that a directory has what was found in an exploration, and no rows.
var ErrExploration = errors.New("it is of an exploration, which has no rows; lockstorm explore --resume and lockstorm merge read it")

// Exploration is the kind of work that has no rows: see package explore.
const Exploration = "explore"

// KindOf returns the kind of work in a directory; "" if that can't be said.
func KindOf(dir string) string {
	text, _ := os.ReadFile(filepath.Join(dir, ManifestFile))
	return kindOf(text)
}

func kindOf(text []byte) string {
	var m struct {
		Kind string `json:"kind"`
	}
	if json.Unmarshal(text, &m) != nil {
		return ""
	}
	return m.Kind
}

// parse reads a manifest. What the names stand for, this Lockstorm must know.
func parse(text []byte) (m Manifest, err error) {
	if kindOf(text) == Exploration {
		return m, ErrExploration
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return m, fmt.Errorf("it is not a manifest: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); err != io.EOF {
		return m, errors.New("more than one value; want one manifest")
	}
	if m.SchemaVersion != schemaVersion {
		return m, fmt.Errorf("it has schema version %d, and this Lockstorm reads version %d", m.SchemaVersion, schemaVersion)
	}
	return m, nil
}

// Job returns the job again, given the scenario.
func (m *Manifest) Job(s *scenarios.Scenario) (*campaign.Job, error) {
	j := &campaign.Job{Kind: m.Kind, Scenario: s, First: m.FirstSeed, Runs: m.Runs, Size: m.BlockSize}
	if m.Rule != nil {
		j.Rule = campaign.Rule{Tight: m.Rule.Tight, Properties: m.Rule.Properties}
	}
	for _, settings := range m.Cells {
		var c campaign.Cell
		for _, text := range settings {
			key, value, _ := strings.Cut(text, "=")
			c = append(c, scenarios.Assignment{Key: key, Value: scenarios.Value(value)})
		}
		j.Cells = append(j.Cells, c)
	}
	return j, j.Check()
}

// An OtherBuild is that rows were made by another build than those beside which they should be put.
type OtherBuild struct {
	Dir, Made string // which rows, and the build that made them
	Than      string // what has another
}

// Error names both builds.
func (o *OtherBuild) Error() string {
	return fmt.Sprintf("%s was made by build %s, and %s; no archive has rows of both", o.Dir, o.Made, o.Than)
}

// Differs returns what differs from the manifest that is wanted, in words; "" if nothing does.
func (m *Manifest) Differs(want *Manifest, there, here string) string {
	figures := func(m *Manifest) string { return fmt.Sprint(m.Figures) }
	for _, part := range []struct{ what, got, want string }{
		{"the schema", fmt.Sprint(m.SchemaVersion), fmt.Sprint(want.SchemaVersion)},
		{"the build of Lockstorm", m.Lockstorm, want.Lockstorm},
		{"the kind of work", m.Kind, want.Kind},
		{"the scenario", m.Scenario, want.Scenario},
		{"the scenario's SHA-256", m.ScenarioHash, want.ScenarioHash},
		{"the number of cells", fmt.Sprint(len(m.Cells)), fmt.Sprint(len(want.Cells))},
		{"the settings", cells(m.Cells), cells(want.Cells)},
		{"the first seed", fmt.Sprint(m.FirstSeed), fmt.Sprint(want.FirstSeed)},
		{"the number of runs", fmt.Sprint(m.Runs), fmt.Sprint(want.Runs)},
		{"the rule by which cells end early", rule(m), rule(want)},
		{"the size of a block", fmt.Sprint(m.BlockSize), fmt.Sprint(want.BlockSize)},
		{"the list of properties", fmt.Sprint(m.Properties), fmt.Sprint(want.Properties)},
		{"the list of sometimes", fmt.Sprint(m.Sometimes), fmt.Sprint(want.Sometimes)},
		{"the list of figures", figures(m), figures(want)},
	} {
		if part.got != part.want {
			return fmt.Sprintf("%s is %s %s, and %s %s", part.what, short(part.got), there, short(part.want), here)
		}
	}
	return ""
}

func rule(m *Manifest) string {
	switch {
	case m.Rule == nil:
		return "none"
	case len(m.Rule.Properties) == 0:
		return fmt.Sprintf("%d millionths", m.Rule.Tight)
	}
	return fmt.Sprintf("%d millionths of %s", m.Rule.Tight, strings.Join(m.Rule.Properties, ", "))
}

func cells(all [][]string) string {
	var words []string
	for _, settings := range all {
		words = append(words, "("+strings.Join(settings, " ")+")")
	}
	return strings.Join(words, " ")
}

// short keeps an error readable.
func short(text string) string {
	if len(text) > 200 {
		return text[:200] + "…"
	}
	return text
}
