package onerun

import (
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/reports/pictures"
	"github.com/lockstorm/lockstorm/scenarios"
)

// PageFile is the report of a run as a page.
const PageFile = "report.html"

// Kept returns all files of a run that is kept: those of Files, and for people the page and the timeline.
func Kept(r *scenarios.Result, m Making) []layout.File {
	return append(Files(r, m), layout.File{Name: PageFile, Content: HTML(r, m)},
		layout.File{Name: pictures.TimelineFile, Content: pictures.TimelineSVG(r)})
}

// Pictures returns the files that show a run to people: what lockstorm report makes of a stored result.
func Pictures(r *scenarios.Result, m Making) []layout.File {
	return append([]layout.File{{Name: PageFile, Content: HTML(r, m)}}, pictures.Files(r)...)
}
