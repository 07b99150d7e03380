package scenarios_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

func TestTheNearestNamesAreSuggested(t *testing.T) {
	known := []string{"clients", "nodes", "lock.ttl", "lock.timeout", "lock.clock", "kleppmann/gc-pause", "kleppmann/clock-jump"}
	for name, want := range map[string][]string{
		"lock.tll":          {"lock.ttl"},
		"LOCK.TTL":          {"lock.ttl"},
		"LOCK.TLL":          {"lock.ttl"},
		"ttl":               {"lock.ttl"},
		"client":            {"clients"},
		"clinets":           {"clients"},
		"node":              {"nodes"},
		"gc-pause":          {"kleppmann/gc-pause"},
		"GC-Pause":          {"kleppmann/gc-pause"},
		"kleppman/gc-pause": {"kleppmann/gc-pause"},
		"lock.clok":         {"lock.clock"},
		"lock":              {"lock.ttl", "lock.timeout", "lock.clock"}, // as many as are suggested, in their order
		"xyzzy":             {},
		"":                  {},
		"a much longer name, which is like none of them": {},
		"ĸłǿčķ": {},
	} {
		if got := faults.Nearest(name, known); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := faults.Nearest("x", nil); len(got) > 0 {
		t.Error(got)
	}
}

func TestASuggestionIsTheEndOfASentence(t *testing.T) {
	for name, want := range map[string]string{
		"ttl": "; did you mean lock.ttl?", "lock": "; did you mean lock.ttl or lock.clock?", "zzzzzz": "",
	} {
		if got := faults.Suggest(name, []string{"lock.ttl", "lock.clock", "nodes"}); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// A word with one slip finds the name that was meant, at the head of the list if nothing else is as near.
func TestOneSlipIsForgiven(t *testing.T) {
	s := scenarios.Base()
	var known []string
	for _, k := range scenarios.Settings(&s) {
		known = append(known, k.Key)
	}
	rapid.Check(t, func(t *rapid.T) {
		meant := rapid.SampledFrom(known).Draw(t, "meant")
		i := rapid.IntRange(0, len(meant)-1).Draw(t, "where")
		slip := rapid.SampledFrom([]string{
			meant[:i] + meant[i+1:], meant[:i] + "#" + meant[i:], meant[:i] + "#" + meant[i+1:],
		}).Draw(t, "slip")
		near := faults.Nearest(slip, known)
		if !slices.Contains(near, meant) || len(near) > 3 {
			t.Fatalf("%q for %q: suggests %q", slip, meant, near)
		}
		if strings.Contains(slip, "#") && near[0] != meant {
			t.Fatalf("%q for %q: suggests %q first", slip, meant, near)
		}
	})
}
