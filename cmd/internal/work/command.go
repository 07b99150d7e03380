package work

import (
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// CommandOf returns a command that makes the rows of an archive again: of the scenario by its name, if the catalogue has just
// this one, or of the file in the archive.
func CommandOf(a *archive.Archive) string {
	m, j := &a.Manifest, a.Job
	axes, grid := j.Axes()
	name := archive.ScenarioFile
	if s, known := scenarios.Find(m.Scenario); known {
		for _, x := range axes {
			s.Hold(x.Key)
		}
		if runs.HashScenario(s.YAML()) == m.ScenarioHash {
			name = m.Scenario
		}
	}
	words := []string{cli.Name, "run", cli.Quote(name)}
	switch {
	case strings.HasPrefix(m.Kind, "study "):
		words = append([]string{cli.Name}, strings.Fields(m.Kind)...)
	case m.Kind == campaign.FuzzJob:
		words[1] = "fuzz"
	case grid && len(axes) > 0:
		words[1] = "sweep"
		for _, x := range axes {
			var values []string
			for _, v := range x.Values {
				values = append(values, string(v))
			}
			words = append(words, "--axis", cli.Quote(x.Key+"="+strings.Join(values, ",")))
		}
	}
	words = append(words, "--runs", strconv.Itoa(j.Runs))
	if j.First != 1 {
		words = append(words, "--seed", strconv.FormatUint(j.First, 10))
	}
	return strings.Join(append(words, "--store", "DIR"), " ")
}
