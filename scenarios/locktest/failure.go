package locktest

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

// failed describes what is wrong with a run, with its report. Of the runs of one scenario that fail only the first has
// a report: the others are described like it, and repeated one by one.
func failed(test string, res *scenarios.Result, wrong []string, first bool) string {
	reasons := strings.Join(wrong, "\n")
	if !first {
		return reasons + "\nRepeat it: " + command(test)
	}
	return reasons + "\n\n" + reportOf(res, command(test))
}

// reportOf returns the story of a run, with a timeline and the command that repeats it.
func reportOf(res *scenarios.Result, command string) string {
	return runs.Document(res, runs.Making{Command: command}, false).Text(reports.Screen{})
}

// command is the one that repeats a subtest alone.
func command(test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return "go test -run '" + strings.Join(parts, "/") + "'"
}

func (tr *trial) keep(t *testing.T, res *scenarios.Result) {
	t.Helper()
	if !tr.artifacts {
		return
	}
	dir := t.ArtifactDir()
	for _, f := range runs.Kept(res, runs.Making{Command: command(t.Name())}) {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Content, 0o644); err != nil {
			t.Errorf("the report can't be kept: %v", err)
			return
		}
	}
	if f := flag.Lookup("test.artifacts"); f == nil || f.Value.String() != "true" {
		t.Log("with go test -artifacts, the files of this run are kept")
		return
	}
	t.Logf("the run is kept in %s; open %s there", dir, runs.PageFile)
}
