package reports

import (
	"github.com/lockstorm/lockstorm/reports/internal/campaigns"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// Study reports what rows show of a study. Its figure is returned in all forms, too: PNG, SVG, PDF and CSV, for a column and for a
// slide.
func Study(s *study.Study, v *campaign.Survey, version string) (d *Document, figure func() []File) {
	x := campaigns.NewStudy(s, v)
	x.Lockstorm = version
	return &Document{doc: x.Document()}, func() (files []File) {
		for _, f := range x.Picture().Files(&FigureLook{}) {
			files = append(files, File{Name: f.Name, Content: f.Make()})
		}
		return files
	}
}
