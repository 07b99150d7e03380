package checker_test

import (
	"encoding/json"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
)

// A promise that could not break was not put to the test.
func TestUnbreakablePromiseIsVacuous(t *testing.T) {
	tokened := checker.Update{Fence: 33, Plain: checker.Change{Made: 1}, Fenced: checker.Change{Made: 1}}
	two := []checker.Hold{{Client: 0}, {Client: 1}}
	applied, refused := checker.Update{Plain: checker.Change{Made: 1}, Fenced: checker.Change{Made: 1}}, checker.Update{Plain: checker.Change{Made: 1}}
	for _, c := range []struct {
		property string
		e        checker.Evidence
		want     string
	}{
		{"storage", checker.Evidence{}, "nothing was written"},
		{"storage", checker.Evidence{Writes: []checker.Update{{}}}, "nothing was written"},
		{"storage", checker.Evidence{Writes: []checker.Update{applied}}, ""},
		{"fenced", checker.Evidence{}, "nothing was written"},
		{"fenced", checker.Evidence{Writes: []checker.Update{refused, applied}}, "no write had a fencing token"},
		{"fenced", checker.Evidence{Writes: []checker.Update{refused, tokened}}, ""},
		{"fenced", checker.Evidence{Guard: checker.ByVersion, Writes: []checker.Update{refused}}, "nothing was written"},
		{"fenced", checker.Evidence{Guard: checker.ByVersion, Writes: []checker.Update{refused, applied}}, ""},
		{"belief", checker.Evidence{}, "no client had the lock"},
		{"belief", checker.Evidence{Holds: []checker.Hold{{Client: 1}, {Client: 1}}}, "c2 alone had the lock"},
		{"validity", checker.Evidence{Holds: two[:1]}, "c1 alone had the lock"},
		{"validity", checker.Evidence{Holds: two}, ""},
		{"tokens", checker.Evidence{}, "no client got a fencing token"},
		{"tokens", checker.Evidence{Holds: []checker.Hold{{}, {Fence: 33}}}, "only one fencing token was given"},
		{"tokens", checker.Evidence{Holds: []checker.Hold{{Fence: 33}, {Fence: 34}}}, ""},
		{"continuity", checker.Evidence{}, "no client asked for an extension"},
		{"continuity", checker.Evidence{Renewals: []checker.Renewal{{}}}, ""},
		{"leak-free", checker.Evidence{}, ""},
	} {
		if got := c.e.Vacuous(checker.Finding{Property: c.property}); got != c.want {
			t.Errorf("%s: %q; want %q", c.property, got, c.want)
		}
		if got := c.e.Vacuous(checker.Finding{Property: c.property, Verdict: checker.Unknown}); got != "" {
			t.Errorf("%s that is not known: %q", c.property, got)
		}
		if got := c.e.Word(checker.Finding{Property: c.property}); (got == checker.Untested) != (c.want != "") {
			t.Errorf("%s is told as %s", c.property, got)
		}
	}
}

func TestVerdictSurvivesItsText(t *testing.T) {
	all := []checker.Verdict{checker.Holds, checker.Unknown, checker.Violated}
	text, err := json.Marshal(all)
	if want := `["holds","unknown","violated"]`; err != nil || string(text) != want {
		t.Fatalf("%s, %v; want %s", text, err, want)
	}
	var read []checker.Verdict
	if err := json.Unmarshal(text, &read); err != nil || len(read) != 3 || [3]checker.Verdict(read) != [3]checker.Verdict(all) {
		t.Errorf("%v, %v; want %v", read, err, all)
	}
	if err := json.Unmarshal([]byte(`["broken"]`), &read); err == nil {
		t.Error("broken is no verdict, and was read as one")
	}
}
