package faults_test

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/faults"
)

// Every kind, role and shape is told of, every example is sound, and nothing is left of Go.
func TestTheLanguageIsToldWhole(t *testing.T) {
	text := faults.Language()
	for _, k := range faults.Kinds {
		if !strings.Contains(text, "\n    "+k.String()+" ") {
			t.Errorf("nothing is said of %s", k)
		}
	}
	for _, word := range append([]string{"split", "ring", "bridge", "isolate", "any", "cleanly", "every"}, roles...) {
		if !strings.Contains(text, word) {
			t.Errorf("nothing is said of %s", word)
		}
	}
	_, examples, _ := strings.Cut(text, "For example\n\n")
	examples, _, _ = strings.Cut(examples, "\n\n")
	if s, err := faults.Parse(examples); err != nil || len(s) != strings.Count(examples, "\n")+1 {
		t.Errorf("%v of\n%s", err, examples)
	}
	if strings.Contains(text, "//") || strings.Contains(text, "[") && strings.Contains(text, "[Parse]") || strings.Contains(text, "\t") {
		t.Errorf("it is not plain:\n%s", text)
	}
}
