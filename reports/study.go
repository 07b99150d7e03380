package reports

import (
	"github.com/lockstorm/lockstorm/reports/internal/campaigns"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// Study reports what the rows show of a study, whose job the survey must have. Its figure is returned in all forms, too: PNG,
// SVG, PDF and CSV, for a column and for a slide.
func (c *Campaign) Study(s *study.Study) (d *Document, figure func() []File) {
	x := campaigns.NewStudy(s, &c.Survey)
	x.Lockstorm = c.Version
	return &Document{doc: x.Document()}, func() (files []File) {
		for _, f := range x.Picture().Files(&FigureLook{}) {
			files = append(files, File{Name: f.Name, Content: f.Make()})
		}
		return files
	}
}
