package reports

import "github.com/lockstorm/lockstorm/scenarios"

// PageFile is the report of a run as a page.
const PageFile = "report.html"

// Pictures gives the files that show a run to people: what lockstorm report makes of a stored result.
func Pictures(r *scenarios.Result, m Making) []File {
	return []File{
		{PageFile, HTML(r, m)},
		{"timeline.svg", TimelineSVG(r)},
		{"sequence.svg", SequenceSVG(r)},
		{"sequence.mmd", Mermaid(r)},
		{"trace.perfetto.json", Perfetto(r)},
	}
}
