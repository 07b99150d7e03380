package scenarios_test

import (
	"slices"
	"testing"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A page makes a control for each setting by its kind.
func TestSettingKnowsItsKind(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	for key, want := range map[string]string{
		"lock.ttl": "duration", "work.work": "range", "nodes": "int", "work.recheck": "bool", "lock.kind": "enum", "network.loss": "ratio",
		"fencing.first": "int", "fault.1.for": "duration", "fault.1.on": "text", "persistence": "enum",
	} {
		k, err := scenarios.Lookup(&s, key)
		if got := k.Kind(&s); err != nil || got != want {
			t.Errorf("%s is of the kind %q, want %s", key, got, want)
		}
		if (k.Choices() != nil) != (want == "enum" || want == "bool") || want == "enum" && !slices.Contains(k.Choices(), k.Get(&s)) {
			t.Errorf("%s has the choices %q", key, k.Choices())
		}
	}
	k, _ := scenarios.Lookup(&s, "nodes")
	if k.Least != "0" || k.Most != "100" {
		t.Errorf("nodes go from %s to %s", k.Least, k.Most)
	}
	s.Faults = faults.Schedule{{Kind: faults.Lossy, From: "c1", To: "n1", Loss: 5}, {Kind: faults.Drift, Host: "n1", Rate: 5000}}
	for key, want := range map[string]string{"lossy.loss": "ratio", "drift.rate": "rate"} {
		if k, err := scenarios.Lookup(&s, key); err != nil || k.Kind(&s) != want {
			t.Errorf("%s is of the kind %q, want %s", key, k.Kind(&s), want)
		}
	}
}
