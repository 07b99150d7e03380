package failure

import (
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

// PageFile is the name of the file that shows the run in a browser.
const PageFile = runs.PageFile

// Text returns the story of a run, with a timeline and the command that repeats it.
func Text(r *scenarios.Result, command string) string {
	return runs.Document(r, runs.Making{Command: command}, false).Text(reports.Screen{})
}

// Files returns what a store keeps of a run, by the names of the files.
func Files(r *scenarios.Result, command string) map[string][]byte {
	files := map[string][]byte{}
	for _, f := range runs.Kept(r, runs.Making{Command: command}) {
		files[f.Name] = f.Content
	}
	return files
}
