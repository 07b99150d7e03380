package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
)

// testdata/check has hand-written histories for each model, each named after what it shows: in EDN and JSON, one op a line
// and in one vector, with tags and without, with indices and times and without, and with a nemesis in between. Each has
// three clients at most, so that process 3 is the client of process 0.
func TestHandWrittenHistoriesGetTheVerdictOfTheirFolder(t *testing.T) {
	for _, m := range checker.Models {
		for folder, want := range map[string]int{"legal": exitAsExpected, "illegal": exitNotAsExpected} {
			files, err := filepath.Glob(filepath.Join("testdata", "check", m.Name, folder, "*"))
			if err != nil || len(files) < 12 {
				t.Errorf("%s: %d %s histories, %v; want 12", m.Name, len(files), folder, err)
			}
			for _, file := range files {
				checkFile(t, m.Name, file, want)
			}
		}
	}
}

func checkFile(t *testing.T, model, file string, want int) {
	t.Helper()
	out, errs, code := lockstorm("check", file, "--model", model, "--clients", "3", "--format", "json")
	var c reports.Check
	if err := json.Unmarshal([]byte(out), &c); err != nil || code != want {
		t.Errorf("%s: exit %d, want %d\n%s%s", file, code, want, out, errs)
		return
	}
	verdict := map[int]string{exitAsExpected: "holds", exitNotAsExpected: "violated"}[want]
	if m := c.Models[0]; c.SchemaVersion != 1 || c.Verdict != verdict || c.Ops < 2 || len(c.Models) != 1 || m.Model != model || m.Verdict != verdict ||
		(m.Reason == "") != (want == exitAsExpected) || m.Window == nil {
		t.Errorf("%s: %s", file, out)
	}
}

// The folder of a model that is no more, or was misspelt, would be passed over.
func TestEveryFolderOfHistoriesIsThatOfAModel(t *testing.T) {
	found, err := os.ReadDir(filepath.Join("testdata", "check"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range found {
		if _, ok := checker.LookupModel(e.Name()); !ok {
			t.Errorf("there is no model %s", e.Name())
		}
	}
}
