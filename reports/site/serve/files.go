package serve

import (
	"net/url"
	"path"
	"regexp"
	"slices"

	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// holds says what is in the files that Lockstorm leaves.
var holds = map[string]string{
	runs.PageFile:        "the report: the story of each violation, a timeline, sequence diagrams, the history, figures",
	"report.txt":         "the report as text",
	runs.ResultFile:      "verdicts, witnesses, figures, bounds, settings, and the run's hash",
	runs.ScenarioFile:    "the scenario as it was run",
	"schedule.txt":       "the faults, one a line",
	"history.jsonl":      "what clients saw, an operation's start or end a line",
	"history.edn":        "the same in Jepsen's shape",
	"trace.jsonl":        "what every host did, in true time",
	draw.TimelineFile:    "a lane for each host and fault, in true time",
	"sequence.svg":       "the messages of the violation",
	archive.ManifestFile: "what the work is",
	archive.StudyFile:    "the study, to change and run again",
}

// types are the Content-Type of each kind of file. A text is shown as text, whatever it looks like.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png", ".pdf": "application/pdf",
	".json": "application/json", ".gz": "application/gzip",
	".txt": text, ".yaml": text, ".jsonl": text, ".edn": text, ".csv": text,
}

const text = "text/plain; charset=utf-8"

var block = regexp.MustCompile(`^block-[0-9]{6,12}\.jsonl\.gz$`)

// isOurs reports whether Lockstorm uses that name for a file in such a directory. Other files are not served.
func isOurs(name string) bool {
	base, kind := path.Base(name), path.Ext(name)
	switch path.Base(path.Dir(name)) {
	case "found":
		return kind == ".yaml"
	case "counterexamples":
		return kind == ".yaml" || kind == ".html"
	case "figures":
		return slices.Contains([]string{".svg", ".png", ".pdf", ".csv"}, kind)
	}
	return holds[base] != "" || block.MatchString(base)
}

// filesOf returns the files that Lockstorm wrote in a directory, and in the directories of a campaign, sorted by name.
func filesOf(p *page, place string) (all []string) {
	for _, in := range []string{"", "counterexamples", "figures", "found"} {
		entries, _ := p.ReadDir(path.Join(place, in)) // what can't be read has no files
		for _, e := range entries {
			if name := path.Join(in, e.Name()); e.Type().IsRegular() && isPlace(name) && isOurs(path.Join(place, name)) {
				all = append(all, name)
			}
		}
	}
	return all
}

// address returns how pages lead to a file, or to a directory with a slash behind it.
func address(name string) string { return (&url.URL{Path: "/" + name}).String() }
