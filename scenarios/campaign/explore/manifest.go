package explore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// schemaVersion is that of the manifest and of the files of units.
const schemaVersion = 1

// A Manifest is what an exploration is: two stores with equal manifests have equal files.
type Manifest struct {
	SchemaVersion int      `json:"schema_version"`
	Lockstorm     string   `json:"lockstorm"` // its version
	Kind          string   `json:"kind"`
	Scenario      string   `json:"scenario"` // its ID
	ScenarioHash  string   `json:"scenario_sha256"`
	Seed          uint64   `json:"seed"`
	Properties    []string `json:"properties"` // that are watched
	Budget        int      `json:"budget"`     // of schedules; 0 for no limit
	Levels        int      `json:"levels"`
	Units         int      `json:"units"`   // of each level from 2 on
	Command       string   `json:"command"` // that makes it in one process
}

// manifest describes an exploration, as this version of Lockstorm makes it.
func (x *Exploration) manifest(s *Store, units int) Manifest {
	u := x.Universe
	m := Manifest{
		SchemaVersion: schemaVersion, Lockstorm: s.Lockstorm, Kind: archive.Exploration, Scenario: u.whole.ID, ScenarioHash: archive.Hash(u.whole.YAML()),
		Seed: u.seed, Budget: x.Budget, Levels: u.Levels(), Units: units, Command: s.Command,
	}
	for _, i := range u.watched {
		m.Properties = append(m.Properties, checker.Properties[i].Name)
	}
	return m
}

// JSON returns the manifest as its file holds it.
func (m *Manifest) JSON() []byte {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		panic("explore: " + err.Error()) // strings and numbers only
	}
	return append(text, '\n')
}

// parseManifest reads a manifest.
func parseManifest(text []byte) (m Manifest, err error) {
	var head struct {
		SchemaVersion int    `json:"schema_version"`
		Kind          string `json:"kind"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return m, fmt.Errorf("it is not a manifest: %w", err)
	}
	switch {
	case head.Kind != archive.Exploration:
		return m, fmt.Errorf("it is of work of the kind %q; want %q", head.Kind, archive.Exploration)
	case head.SchemaVersion != schemaVersion:
		return m, fmt.Errorf("it has schema version %d, and this Lockstorm reads version %d", head.SchemaVersion, schemaVersion)
	}
	if err := strict(text, &m); err != nil {
		return m, fmt.Errorf("it is not a manifest: %w", err)
	}
	if !bytes.Equal(m.JSON(), text) {
		return m, errors.New("it is not as Lockstorm wrote it")
	}
	return m, nil
}

// strict reads one JSON value of which every field is known.
func strict(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is more than one value")
	}
	return nil
}

// differs returns what differs from the manifest that is wanted, in words; "" if nothing does. The scenarios are those of both.
func (m *Manifest) differs(want *Manifest, there, here *scenarios.Scenario) string {
	for _, part := range []struct {
		what      string
		got, want any
	}{
		{"the scenario", m.Scenario, want.Scenario},
		{"the universe", universeOf(there, here), universeOf(here, there)},
		{"the scenario's SHA-256", m.ScenarioHash, want.ScenarioHash},
		{"the seed", m.Seed, want.Seed},
		{"the list of properties", strings.Join(m.Properties, ", "), strings.Join(want.Properties, ", ")},
		{"the budget", m.Budget, want.Budget},
		{"the number of levels", m.Levels, want.Levels},
		{"the number of units", m.Units, want.Units},
		{"the command", m.Command, want.Command},
	} {
		if part.got != part.want {
			return fmt.Sprintf("%s is %v there, and %v here", part.what, part.got, part.want)
		}
	}
	return ""
}

// universeOf returns the lines by which the grid of a scenario differs from that of another.
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
