package command

import (
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/reports/onerun"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// A campaignReport collects what the report of a campaign is made of.
type campaignReport struct {
	archive *archive.Archive
	out     string
	survey  *campaign.Survey
	hunt    *campaign.Hunt // of the only cell; nil where there are several
	firsts  []campaign.Row // of several cells: for each of checker.Properties, the first row that broke it
	stored  campaigns.Stored
	files   []layout.File
	look    *figureFlags
}

// reportCampaign writes the report of the campaign whose rows are in a directory.
func reportCampaign(printed io.Writer, dir, out string, look *figureFlags) error {
	a, err := work.Open(dir)
	if err != nil {
		return err
	}
	if err := look.read(a.Job); err != nil {
		return err
	}
	r := campaignReport{archive: a, out: out, look: look, survey: &campaign.Survey{Job: a.Job, Figures: slices.Clone(campaigns.ChartFigures)}}
	for _, name := range look.figures {
		if !slices.Contains(r.survey.Figures, name) {
			r.survey.Figures = append(r.survey.Figures, name)
		}
	}
	if err := r.survey.Begin(); err != nil {
		return fmt.Errorf("--figure: %w", err)
	}
	if err := r.read(); err != nil {
		return work.Repair(err)
	}
	if r.survey.Runs == 0 {
		return fmt.Errorf("%s has no row yet, so there is nothing to report; to make them:\n  %s rows --resume --store %s", dir, cli.Program, cli.Quote(dir))
	}
	missing, err := r.archive.Missing()
	if err != nil {
		return work.Repair(err)
	}
	r.make(len(missing))
	if err := store.WriteReport(r.out, r.files); err != nil {
		return fmt.Errorf("the report can't be written: %w; choose another directory with --out DIR", err)
	}
	text := fmt.Sprintf("%s\n%s: %d figures, each as SVG, PNG and PDF for a column and for a slide, and as CSV\n",
		filepath.Join(out, onerun.PageFile), filepath.Join(out, "figures"), len(r.stored.Figures))
	if n := len(r.stored.Ways); n > 0 {
		text += fmt.Sprintf("%s: %d ways to break it\n", filepath.Join(out, store.Counterexamples), n)
	}
	return cli.Print(printed, text)
}

// read goes through the rows once.
func (r *campaignReport) read() error {
	if len(r.archive.Job.Cells) == 1 {
		r.hunt = &campaign.Hunt{Job: r.archive.Job, Watched: campaign.All()}
		r.hunt.Begin()
	}
	r.firsts = make([]campaign.Row, len(checker.Properties))
	return r.archive.Each(func(_ int, rows []campaign.Row) error {
		r.survey.AddAll(rows)
		if r.hunt != nil {
			r.hunt.AddAll(rows)
			return nil
		}
		for i := range rows {
			r.note(&rows[i])
		}
		return nil
	})
}

func (r *campaignReport) make(missing int) {
	r.stored = campaigns.Stored{
		Survey: r.survey, Version: r.archive.Manifest.Lockstorm, Hash: r.archive.Manifest.ScenarioHash, Command: work.CommandOf(r.archive),
		Missing: missing, Figures: campaigns.Charts(r.survey, r.look.labels), Link: func(file string) string { return file },
	}
	if r.hunt != nil {
		r.ways(r.hunt.Signatures, nil)
		r.stored.NotSought = unshrunk(r.hunt)
	} else {
		r.eachWay()
		r.stored.NotSought = "of several cells, the first run that broke a property is shrunk, and all that broke it are counted"
	}
	r.draw()
	r.add(onerun.PageFile, campaigns.HTML(&r.stored))
}

func (r *campaignReport) add(name string, content []byte) {
	r.files = append(r.files, layout.File{Name: name, Content: content})
}

// draw makes all forms of all figures, several side by side.
func (r *campaignReport) draw() {
	forms := r.stored.FigureFiles(&r.look.look)
	contents := make([][]byte, len(forms))
	campaign.Parallel(runtime.GOMAXPROCS(0), len(forms), func(i int) { contents[i] = forms[i].Make() })
	for i, f := range forms {
		r.add(f.Name, contents[i])
	}
}
