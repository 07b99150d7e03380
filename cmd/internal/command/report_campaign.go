package command

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"runtime"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// A campaignReport collects what the report of a campaign is made of.
type campaignReport struct {
	archive *archive.Archive
	out     string
	hunt    *campaign.Hunt // of the only cell; nil where there are several
	firsts  []campaign.Row // of several cells: for each of checker.Properties, the first row that broke it
	report  campaigns.Campaign
	files   []reports.File
	look    *figureFlags
}

// reportCampaign writes the report of the campaign whose rows are in a directory, and returns its files.
func reportCampaign(printed io.Writer, dir, out string, look *figureFlags) ([]reports.File, error) {
	a, err := work.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := look.read(a.Job); err != nil {
		return nil, err
	}
	r := campaignReport{archive: a, out: out, look: look}
	if err := r.report.Begin(a.Job, look.figures); err != nil {
		return nil, fmt.Errorf("--figure: %w", err)
	}
	if err := r.read(); err != nil {
		return nil, work.Repair(err)
	}
	if r.report.Survey.Runs == 0 {
		return nil, fmt.Errorf("%s has no row yet, so there is nothing to report; to make them:\n  %s run --resume --store %s", dir,
			cli.Program, cli.Quote(dir))
	}
	missing, err := r.archive.Missing()
	if err != nil {
		return nil, work.Repair(err)
	}
	figures := r.make(len(missing))
	if err := store.WriteReport(r.out, r.files); err != nil {
		return nil, fmt.Errorf("the report can't be written: %w; choose another directory with --out DIR", err)
	}
	text := fmt.Sprintf("%s\n%s: %d figures, each as SVG, PNG and PDF for a column and for a slide, and as CSV\n",
		filepath.Join(out, runs.PageFile), filepath.Join(out, "figures"), figures)
	if n := len(r.report.Ways); n > 0 {
		text += fmt.Sprintf("%s: %d ways to break it\n", filepath.Join(out, store.Counterexamples), n)
	}
	if len(missing) == 0 || openEnded(a.Job) && missing[0] == a.Job.Blocks()-len(missing) {
		return r.files, cli.Print(printed, text)
	}
	text += fmt.Sprintf("It is not whole: %d of %d blocks are not made yet. To make them:\n  %s run --resume --store %s\n",
		len(missing), a.Job.Blocks(), cli.Program, cli.Quote(dir))
	return r.files, cmp.Or(cli.Print(printed, text), error(cli.Exit(cli.Unknown)))
}

// read goes through the rows once.
func (r *campaignReport) read() error {
	if len(r.archive.Job.Cells) == 1 {
		r.hunt = &campaign.Hunt{Job: r.archive.Job, Watched: campaign.All()}
		r.hunt.Begin()
	}
	r.firsts = make([]campaign.Row, len(checker.Properties))
	return r.archive.Each(func(_ int, rows []campaign.Row) error {
		r.report.Survey.AddAll(rows)
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

// make makes all files, and returns how many figures there are.
func (r *campaignReport) make(missing int) (figures int) {
	p := &r.report
	p.Version, p.Build, p.Hash, p.Command = cli.Version, r.archive.Manifest.Lockstorm, r.archive.Manifest.ScenarioHash,
		work.CommandOf(r.archive)
	p.Missing, p.Labels = missing, r.look.labels
	figures = p.Draw()
	if r.hunt != nil {
		r.ways(r.hunt.Signatures, nil)
		p.NotSought = unshrunk(r.hunt)
	} else {
		r.eachWay()
		p.NotSought = "of several cells, the first run that broke a property is shrunk, and all that broke it are counted"
	}
	r.files = append(r.files, p.Files(r.look.rendering, runtime.GOMAXPROCS(0))...)
	return figures
}

func (r *campaignReport) add(name string, content []byte) {
	r.files = append(r.files, reports.File{Name: name, Content: content})
}
