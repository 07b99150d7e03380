package scenarios_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// README's findings, as pairs of runs that differ in one setting: each breaks the property in 20 of 20 seeds or in 0.
func TestReadmeAgreesWithItsRuns(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	const unchecked, short, marks = "lock.validity_check=false", "lock.timeout=50ms", "fencing.reads_mark=false"
	for _, c := range []struct {
		scenario string
		settings []string
		property string
		broken   bool
	}{
		{"kleppmann/delayed-reply", []string{short}, "storage", false},
		{"kleppmann/delayed-reply", []string{short, unchecked}, "storage", false},
		{"kleppmann/delayed-reply", nil, "storage", false}, // its timeout is 9.95 s
		{"kleppmann/delayed-reply", []string{unchecked}, "storage", true},
		{"kleppmann/pause-before-reply", nil, "storage", false},
		{"kleppmann/pause-before-reply", []string{unchecked}, "storage", true},
		{"kleppmann/gc-pause", nil, "storage", true},
		{"kleppmann/gc-pause", []string{"work.recheck=true"}, "storage", false},
		{"kleppmann/delayed-write", nil, "storage", true},
		{"kleppmann/clock-jump", nil, "validity", true},
		{"kleppmann/crash-restart", nil, "validity", true},
		{"kleppmann/clock-jump", nil, "fenced", false},
		{"kleppmann/clock-jump", []string{marks}, "fenced", true},
		{"kleppmann/crash-restart", nil, "fenced", false},
		{"kleppmann/crash-restart", []string{marks}, "fenced", true},
	} {
		said := append([]string{c.scenario}, c.settings...)
		for _, name := range said {
			if name != unchecked && !strings.Contains(string(readme), "`"+name+"`") {
				t.Errorf("README does not name %s", name)
			}
		}
		s, err := scenarios.Open(c.scenario, c.settings...)
		if err != nil {
			t.Fatal(err)
		}
		broken := 0
		for seed := range uint64(20) { // seeds are from 1
			for _, f := range scenarios.Run(s, seed+1).Findings {
				if f.Property == c.property && f.Verdict == checker.Violated {
					broken++
				}
			}
		}
		if want := map[bool]int{true: 20}[c.broken]; broken != want {
			t.Errorf("%s: %s breaks in %d of 20 runs, and README says in %d", fmt.Sprint(said), c.property, broken, want)
		}
	}
}
