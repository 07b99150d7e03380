package faults_test

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/faults"
)

// The form that the help shows of a kind can be written.
func TestTheFormOfEachKindIsRead(t *testing.T) {
	for _, k := range faults.Kinds {
		form := strings.NewReplacer("HOST", "c1", "[cleanly]", "cleanly", "partition …", "partition ring").Replace(k.Form)
		schedule, err := faults.Parse("at 0s " + form)
		if err != nil || schedule[0].Kind != k || schedule[0].What() != form {
			t.Errorf("%q is read as %v, %v", form, schedule, err)
		}
		if k.Label == "" || k.About == "" {
			t.Errorf("%s has no name or explanation for people", k)
		}
	}
}

// The language describes every kind, role and shape with valid examples, and shows no Go code.
func TestLanguageDescribesEverything(t *testing.T) {
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
