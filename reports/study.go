package reports

import (
	"github.com/lockstorm/lockstorm/reports/internal/bounds"
	"github.com/lockstorm/lockstorm/reports/internal/campaigns"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// A Study reports the outcome of a study.
type Study struct {
	Study   *study.Study
	Version string            // of Lockstorm
	Survey  *campaign.Survey  // of its job
	Least   []*campaign.Least // of cells that break; nil where it was not looked for
	Kept    []Least           // of those, which are in files
	Summary bool              // a row for each line, in place of the tables; JSON and CSV are the same

	BlackBox *campaign.BlackBoxTable // in place of a survey: what a black box sees
	Bounds   []Bounds                // in place of both: of each line
}

// Bounds are where promises begin to break in a scenario.
type Bounds = bounds.Line

// Document returns the report in all formats.
func (s *Study) Document() *Document {
	switch {
	case s.BlackBox != nil:
		x := campaigns.NewBlackBox(s.Study, s.BlackBox)
		x.Lockstorm = s.Version
		return &Document{doc: x.Document()}
	case s.Bounds != nil:
		x := bounds.NewEdges(s.Study, s.Bounds)
		x.Lockstorm = s.Version
		return &Document{doc: x.Document()}
	}
	x := s.counted()
	if s.Summary {
		return &Document{doc: x.Summary()}
	}
	return &Document{doc: x.Document()}
}

// counted returns what the survey shows, with what breaks its cells.
func (s *Study) counted() campaigns.Study {
	x := campaigns.NewStudy(s.Study, s.Survey)
	x.Lockstorm = s.Version
	kept := map[int]Least{}
	for _, l := range s.Kept {
		kept[l.Place] = l
	}
	for i, l := range s.Least {
		if l != nil {
			x.Breaks(l, kept[i].File, kept[i].Command)
		}
	}
	return x
}

// Figure returns the figure of a study that counts, in all forms: PNG, SVG, PDF and CSV, for a column and for a slide.
func (s *Study) Figure() (files []File) {
	x := s.counted()
	for _, f := range x.Picture().Files(&FigureLook{}) {
		files = append(files, File{Name: f.Name, Content: f.Make()})
	}
	return files
}
