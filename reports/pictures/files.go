package pictures

import (
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Files draws a run in each form, as the files of a report.
func Files(r *scenarios.Result) []layout.File {
	return []layout.File{
		{Name: "timeline.svg", Content: TimelineSVG(r)},
		{Name: "sequence.svg", Content: SequenceSVG(r)},
		{Name: "sequence.mmd", Content: Mermaid(r)},
		{Name: "trace.perfetto.json", Content: Perfetto(r)},
	}
}
