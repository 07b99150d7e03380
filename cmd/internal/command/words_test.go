package command

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
)

// A mistyped word gets a suggestion: the word that was probably meant.
func TestMistypedWordGetsASuggestion(t *testing.T) {
	for line, want := range map[string]string{
		"fuz redlock/any":           `unknown command "fuz"; did you mean fuzz or run?; lockstorm --help lists them`,
		"help sweap":                `unknown command "sweap"; did you mean sweep?`,
		"help nonsense":             `unknown command "nonsense"; lockstorm --help lists them`,
		"help run nonsense":         `run has no topic "nonsense"; for its help: lockstorm help run`,
		"run x --sed 3":             `unknown flag: --sed; did you mean --seed or --set?`,
		"study pause --font-sise=x": `unknown flag: --font-sise; did you mean --font-size`,
		"list --color=never --xy":   `unknown flag: --xy`,
	} {
		if _, errs, code := lockstorm(strings.Fields(line)...); code != cli.BadInput || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d: %s; want %s", line, code, errs, want)
		}
	}
	for _, line := range []string{"help", "help run", "help schedule"} {
		if out := mustRun(t, 0, strings.Fields(line)...); len(out) < 200 {
			t.Errorf("%s prints %s", line, out)
		}
	}
}

// A shell completes what users would have to look up.
func TestShellCompletesScenariosSettingsPropertiesAndLocks(t *testing.T) {
	for line, want := range map[string]string{
		"run kleppmann/gc":                    "kleppmann/gc-pause\t",
		"fuzz redlock/a":                      "redlock/any\t",
		"run kleppmann/gc-pause --set lock.t": "lock.ttl=\t",
		"sweep kleppmann/gc-pause --axis fa":  "fault.1.for=\t",
		"fuzz redlock/any --property va":      "validity\t",
		"run redlock/any --set lock.kind=red": "lock.kind=redisson-red\n",
		"fuzz redlock/any --faults pa":        "pause\t",
		"check x.edn --model fenced-":         "fenced-mutex\t",
		"new kleppmann/gc":                    "kleppmann/gc-pause\t",
		"help sw":                             "sweep\t",
	} {
		if out, _, code := lockstorm(append([]string{"__complete"}, strings.Fields(line)...)...); code != 0 || !strings.Contains(out, want) {
			t.Errorf("%s is completed by\n%s", line, out)
		}
	}
}

func TestListIsAvailableAsJSON(t *testing.T) {
	var all []struct {
		ID, Title, Lock string
		Breaks          []string
		Search          bool
	}
	if err := json.Unmarshal([]byte(mustRun(t, 0, "list", "--format", "json")), &all); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, s := range all {
		if s.ID == "kleppmann/gc-pause" {
			found = s.Lock == "redlock" && strings.Join(s.Breaks, " ") == "belief storage" && s.Title != "" && !s.Search
		}
	}
	if len(all) < 100 || !found {
		t.Errorf("%d scenarios; gc-pause is as it should be: %t", len(all), found)
	}
}

// What a lock does not have can't be changed, so it is not offered.
func TestSettingsBelongToTheLock(t *testing.T) {
	for id, wants := range map[string][2]string{"kleppmann/gc-pause": {"lock.quorum ", "lock.redisson.depth "}, "redisson/lock": {"lock.redisson.depth ", "lock.quorum "}} {
		if out := mustRun(t, 0, "run", id, "--help-set"); !strings.Contains(out, wants[0]) || strings.Contains(out, wants[1]) {
			t.Errorf("%s: want %s and not %s:\n%s", id, wants[0], wants[1], out)
		}
	}
}

func TestStudyTakesASeedAndWorkers(t *testing.T) {
	one := mustRun(t, 0, "study", "lease", "--runs", "4", "--workers", "1", "-q")
	if two := mustRun(t, 0, "study", "lease", "--runs", "4", "--workers", "2"); one != two {
		t.Error("the number of workers changes the counts")
	}
	if other := mustRun(t, 0, "study", "lease", "--runs", "4", "--seed", "100"); one == other {
		t.Error("the seed changes nothing")
	}
}
