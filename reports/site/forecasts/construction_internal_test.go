package forecasts

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios/forecast/environment"
)

// The report says that disks hardly matter only if the shortest restart outlasts the longest hold.
func TestEnvironmentSaysWhenItDecidesThatDisksHardlyMatter(t *testing.T) {
	const machine, process = `
  - {name: machine, strikes: restart a-node for ~, rate: 1/year, size: "loguniform(5s,15m)", source: made up}`, `
  - {name: process, strikes: crash a-node for ~, rate: 1/year, size: "loguniform(200ms,5s)", source: made up}`
	for _, c := range []struct {
		hold, causes string
		says         bool
	}{
		{"100ms..2s", machine, true},
		{"100ms..5s", machine, false},
		{"100ms..2s", machine + process, false},
		{"50ms..100ms", machine + process, true},
		{"100ms..2s", `
  - {name: freeze, strikes: pause a-client for ~, rate: 1/year, size: "uniform(1s,2s)", source: made up}`, false},
	} {
		text := "title: t\nwork: {clients: 3, hold: " + c.hold + ", think: 1s..10s}\ncauses:" + c.causes + "\n"
		e, err := environment.Parse("e.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if note := byConstruction(e); strings.Contains(note, "this file decides that disks hardly matter") != c.says {
			t.Errorf("holds of %s and%s: %q", c.hold, c.causes, note)
		}
	}
}
