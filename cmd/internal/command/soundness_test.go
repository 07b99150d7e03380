package command

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/checker/blackbox/oracle"
	"github.com/lockstorm/lockstorm/cmd/internal/exit"
)

func TestSoundnessIsPrintedInThreeForms(t *testing.T) {
	text := mustRun(t, 0, "soundness", "--histories", "40")
	table := mustRun(t, 0, "soundness", "--histories", "40", "--format", "markdown")
	for _, m := range blackbox.Models {
		if !strings.Contains(text, m.Name+" ") || !strings.Contains(table, "| "+m.Name+" | 40 |") {
			t.Errorf("%s is missing:\n%s\n%s", m.Name, text, table)
		}
	}
	var all struct {
		Models []struct{ Histories, Legal, Violated, Disagreements int }
	}
	if err := json.Unmarshal([]byte(mustRun(t, 0, "soundness", "--histories", "40", "--format", "json")), &all); err != nil {
		t.Fatal(err)
	}
	for _, m := range all.Models {
		if m.Histories != 40 || m.Legal+m.Violated != 40 || m.Disagreements != 0 {
			t.Errorf("%+v", m)
		}
	}
	if again := mustRun(t, 0, "soundness", "--histories", "40"); again != text {
		t.Error("the same seed gave other figures")
	}
	mustRun(t, 254, "soundness", "--format", "xml")
	mustRun(t, 254, "soundness", "--histories", "0")
}

func TestADisagreementIsAFaultOfOurOwn(t *testing.T) {
	h := checker.History{{F: checker.Acquire}}
	err := disagreement([]oracle.Score{{Model: "mutex"}, {Model: "lease", Disagreements: 2, First: h}})
	if exit.Of(err) != exit.OwnFault || !strings.Contains(err.Error(), `"f":"acquire"`) || !strings.HasPrefix(err.Error(), "lease: 2 disagree") {
		t.Error(err)
	}
}
