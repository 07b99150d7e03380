package draw

import (
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/scenarios"
)

// TimelineFile is the timeline of a run, as a picture.
const TimelineFile = "timeline.svg"

// Files draws a run in each form, as the files of a report.
func Files(r *scenarios.Result) []layout.File {
	return []layout.File{
		{Name: TimelineFile, Content: TimelineSVG(r)},
		{Name: "sequence.svg", Content: SequenceSVG(r)},
		{Name: "sequence.mmd", Content: Mermaid(r)},
		{Name: "trace.perfetto.json", Content: Perfetto(r)},
	}
}
