package reports

import (
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/plot"
	"github.com/lockstorm/lockstorm/scenarios"
)

// TimelineFile is the file of a stored run that has its timeline.
const TimelineFile = draw.TimelineFile

// Timeline draws a run as SVG: a lane for each client, node and fault, in true time.
func Timeline(r *scenarios.Result) []byte { return draw.TimelineSVG(r) }

// Sequence draws as SVG how a run came to violate what it violates: its messages, slanted by true time.
func Sequence(r *scenarios.Result) []byte { return draw.SequenceSVG(r) }

// Mermaid returns the same sequence in the language of Mermaid, which many sites and editors draw.
func Mermaid(r *scenarios.Result) []byte { return draw.Mermaid(r) }

// A FigureLook is how the figures of a campaign are drawn into files. Its zero value is what is usual.
type FigureLook = plot.Look
