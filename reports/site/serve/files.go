package serve

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/reports/site/internal/browse"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// The files that Lockstorm leaves, in the order in which pages list them, with what they hold.
var (
	runFiles = []browse.File{
		{Name: runs.PageFile, Holds: "the report: the story of each violation, a timeline, sequence diagrams, the history"},
		{Name: runs.PictureFile, Holds: "porcupine's picture of what no order explains; open it from the disk: scripts of others " +
			"don't run here"},
		{Name: "report.txt", Holds: "the report as text"},
		{Name: resultFile, Holds: "verdicts, witnesses, figures, bounds, settings, and the run's hash"},
		{Name: runs.ScenarioFile, Holds: "the scenario as it was run"},
		{Name: "schedule.txt", Holds: "the faults, one a line"},
		{Name: "history.jsonl", Holds: "what clients saw, an operation's start or end a line"},
		{Name: "history.edn", Holds: "the same in Jepsen's shape"},
		{Name: "trace.jsonl", Holds: "what every host did, in true time"},
		{Name: draw.TimelineFile, Holds: "a lane for each host and fault, in true time"},
		{Name: "sequence.svg", Holds: "the messages of the violation"},
	}
	campaignFiles = []browse.File{
		{Name: runs.PageFile, Holds: "the report, with its figures"},
		{Name: archive.ManifestFile, Holds: "what the work is"},
		{Name: archive.ScenarioFile, Holds: "the scenario"},
	}
)

// types returns the Content-Type of each kind of file. What is text is shown as text, whatever it may look like.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png", ".pdf": "application/pdf",
	".json": "application/json", ".gz": "application/gzip",
	".txt": text, ".yaml": text, ".jsonl": text, ".edn": text, ".csv": text,
}

const text = "text/plain; charset=utf-8"

var block = regexp.MustCompile(`^block-[0-9]{6,12}\.jsonl\.gz$`)

func isBlock(name string) bool { return block.MatchString(name) }

// isOurs reports whether a file has a name and a room such as Lockstorm gives. Others are not handed out.
func isOurs(name string) bool {
	base, room, kind := path.Base(name), path.Base(path.Dir(name)), path.Ext(name)
	named := func(f browse.File) bool { return f.Name == base }
	switch {
	case slices.ContainsFunc(runFiles, named), slices.ContainsFunc(campaignFiles, named), isBlock(base):
		return true
	case room == "found":
		return kind == ".yaml"
	case room == "counterexamples":
		return kind == ".yaml" || kind == ".html"
	case room == "figures":
		return slices.Contains([]string{".svg", ".png", ".pdf", ".csv"}, kind)
	}
	return false
}

func (s *Store) files(place string, named []browse.File) (there []browse.File) {
	for _, f := range named {
		if opened, about, err := s.open(path.Join(place, f.Name)); err == nil {
			f.Bytes = about.Size()
			there = append(there, f)
			_ = opened.Close()
		}
	}
	return there
}

// filesIn returns the files of ours in the directory room of a place, sorted; at most so many.
func (s *Store) filesIn(place, room string, most int) (there []browse.File) {
	entries, _ := s.entries(path.Join(place, room))
	for _, e := range entries {
		name := path.Join(room, e.Name())
		if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") && isOurs(name) {
			there = append(there, browse.File{Name: name})
		}
	}
	slices.SortFunc(there, func(a, b browse.File) int { return strings.Compare(a.Name, b.Name) })
	return s.files(place, there[:min(len(there), most)])
}
