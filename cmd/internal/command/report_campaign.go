package command

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// A campaignReport collects what the report of a campaign is made of.
type campaignReport struct {
	archive *archive.Archive
	out     string
	hunt    *campaign.Hunt // of the only cell; nil where there are several
	study   *study.Study   // of several cells
	report  campaigns.Campaign
	files   []reports.File
	look    *figureFlags
}

// reportRows writes the report of the campaign whose rows are in a directory, and prints which files have it, as text
// below the table of the rows. On an error it prints nothing.
func reportRows(printed io.Writer, dir, out, format string, look *figureFlags) error {
	a, err := work.Open(dir)
	if err != nil {
		return err
	}
	if err := look.read(); err != nil {
		return err
	}
	r := campaignReport{archive: a, out: out, look: look}
	if err := r.begin(); err != nil {
		return err
	}
	text, err := r.read()
	if err != nil {
		return work.Repair(err)
	}
	if r.report.Survey.Runs == 0 {
		return fmt.Errorf("%s has no row yet, so there is nothing to report; to make them:\n  %s run --resume --store "+
			"%s", dir,
			cli.Program, cli.Quote(dir))
	}
	missing := a.Missing()
	figures := r.make(len(missing))
	if err := store.WriteReport(out, r.files); err != nil {
		return fmt.Errorf("the report can't be written: %w; choose another directory with --out DIR", err)
	}
	text += fmt.Sprintf("%s\n%s: %d figures, each as SVG, PNG and PDF for a column and for a slide, and as CSV\n",
		filepath.Join(out, runs.PageFile), filepath.Join(out, "figures"), figures)
	if n := len(r.report.Ways); n > 0 {
		text += fmt.Sprintf("%s: %d ways to break it\n", filepath.Join(out, store.Counterexamples), n)
	}
	var end error
	if len(missing) > 0 && !(openEnded(a.Job) && missing[0] == a.Job.Blocks()-len(missing)) {
		text += fmt.Sprintf("It is not whole: %d of %d blocks are not made yet. To make them:\n  %s run --resume "+
			"--store %s\n",
			len(missing), a.Job.Blocks(), cli.Program, cli.Quote(dir))
		end = cli.Exit(cli.Unknown)
	}
	return cmp.Or(cli.Write(printed, filesDocument(out, r.files, text), format, false), end)
}

// begin begins to count the rows: of one cell, or of a study.
func (r *campaignReport) begin() (err error) {
	a, figures := r.archive, r.look.figures
	if len(a.Job.Cells) == 1 {
		r.hunt = &campaign.Hunt{Job: a.Job, Watched: campaign.All()}
		r.hunt.Begin()
		if err := r.report.Begin(a.Job, figures); err != nil {
			return fmt.Errorf("--figure: %w", err)
		}
		return nil
	}
	text, err := a.Study()
	file := filepath.Join(a.Dir, archive.StudyFile)
	switch {
	case err != nil:
		return err
	case text == nil:
		return fmt.Errorf("%s lacks %s, which says what to show; repeat the command that began this work, "+
			"with --resume", a.Dir, archive.StudyFile)
	case len(figures) > 0:
		return fmt.Errorf("--figure: the rows are of a study, which draws what it measures; change measure in %s", file)
	}
	if r.study, err = study.Parse(file, text); err != nil {
		return err
	}
	r.study.Name = strings.TrimPrefix(a.Manifest.Kind, "study ")
	if r.study.Measure == study.BlackBox {
		return fmt.Errorf("%s is of a study that has only a table; to print it:\n  %s study %s --resume --store %s",
			a.Dir, cli.Program, r.study.Name, cli.Quote(a.Dir))
	}
	survey, err := r.study.Survey(a.Job)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	r.report.Survey = *survey
	return nil
}

// read goes through the rows once, and returns their table, as the command that made them printed it.
func (r *campaignReport) read() (table string, err error) {
	a := r.archive
	tally := campaign.NewTally(a.Job.Scenario)
	err = a.Each(func(block int, rows []campaign.Row) error {
		r.report.Survey.AddAll(rows)
		if r.hunt != nil {
			r.hunt.AddAll(rows)
		}
		_, err := tally.Count(block, rows)
		return err
	})
	if r.study == nil {
		return rowCounts(tally.Verdicts, a.Dir), err
	}
	x := shown(r.study, &r.report.Survey)
	r.report.Study = &x
	return x.Document().Text(reports.Screen{Program: cli.Program}), err
}

// make makes all files, and returns how many figures there are.
func (r *campaignReport) make(missing int) (figures int) {
	p := &r.report
	p.Version, p.Build, p.Hash, p.Command = cli.Version, r.archive.Manifest.Lockstorm, r.archive.Manifest.ScenarioHash,
		work.CommandOf(r.archive)
	p.Missing = missing
	figures = p.Draw()
	if r.hunt != nil {
		r.ways(r.hunt.Signatures, nil)
		n := 0
		for _, k := range r.hunt.Unshrunk {
			n += k
		}
		if n > 0 {
			p.NotSought = fmt.Sprintf("%d times a property broke otherwise, but as many of its runs had been shrunk "+
				"that no more were", n)
		}
	} else {
		r.eachWay()
		p.NotSought = "of several cells, the first run that broke a property is shrunk, and all that broke it are " +
			"counted"
	}
	r.files = append(r.files, p.Files(r.look.rendering, runtime.GOMAXPROCS(0))...)
	return figures
}

func (r *campaignReport) add(name string, content []byte) {
	r.files = append(r.files, reports.File{Name: name, Content: content})
}

// eachWay shrinks in parallel the first run of several cells that broke each property.
func (r *campaignReport) eachWay() {
	found := make([][]campaign.Signature, len(r.archive.Manifest.Properties))
	cells := make([]campaign.Cell, len(found))
	campaign.Parallel(runtime.GOMAXPROCS(0), len(found), func(i int) { found[i], cells[i] = r.way(i) })
	for i := range found {
		r.ways(found[i], cells[i])
	}
}

// way makes the first run again that broke the i-th property, if any did, and shrinks it.
func (r *campaignReport) way(i int) ([]campaign.Signature, campaign.Cell) {
	for k := range r.report.Survey.Cells {
		c := &r.report.Survey.Cells[k]
		if c.Properties[i].Violated == 0 {
			continue
		}
		one := *r.archive.Job
		one.Cells, one.First, one.Runs, one.Size = []campaign.Cell{c.Cell}, c.Properties[i].FirstSeed, 1, 1
		h := campaign.Hunt{Job: &one, Watched: 1 << i}
		h.Begin()
		one.Each(1, h.AddAll)
		for k := range h.Signatures {
			h.Signatures[k].Runs = r.report.Survey.Violated(i)
		}
		return h.Signatures, c.Cell
	}
	return nil, nil
}

// ways adds to the report the scenario of each signature, and the page of its run.
func (r *campaignReport) ways(all []campaign.Signature, cell campaign.Cell) {
	for i := range all {
		g := &all[i]
		s := g.Counterexample(r.report.Command)
		brief := s.Brief()
		file := "found/" + g.Name() + ".yaml" // where fuzz has put it
		kept, err := os.Lstat(filepath.Join(r.archive.Dir, filepath.FromSlash(file)))
		seen, bad := os.Lstat(filepath.Join(r.out, filepath.FromSlash(file)))
		if err != nil || bad != nil || !os.SameFile(kept, seen) {
			file = store.Counterexamples + "/" + g.Name() + ".yaml"
			r.add(file, brief)
		}
		m := runs.Making{Version: cli.Version, Source: file}
		m.Command = cli.Name + " run " + cli.Quote(file) + " --seed " + strconv.FormatUint(g.Least.Seed, 10)
		page := store.Counterexamples + "/" + g.Name() + ".html"
		r.add(page, runs.Page(scenarios.Run(s, g.Least.Seed), m))
		g.File, g.Command = file, m.Command
		r.report.Ways = append(r.report.Ways, campaigns.Way{Signature: *g, Cell: cell, YAML: string(brief), Page: page})
	}
}

// isArchive reports whether a directory holds the rows of a campaign, not a result.
func isArchive(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, archive.ManifestFile))
	return err == nil
}

// figureFlags say which figures of many runs the report has, and how they look.
type figureFlags struct {
	figures       []string
	size, letters string
	rendering     reports.Rendering // its sizes are read from size and letters
}

// figureFlagNames are flags that one run has no use for.
var figureFlagNames = []string{"figure", "size", "font-size", "no-caption"}

func (f *figureFlags) add(c *cobra.Command) {
	c.Flags().StringSliceVar(&f.figures, "figure", nil, "of many runs: draw the figure `NAME` of runs too, such as "+
		"held; may be given more than once")
	c.Flags().StringVar(&f.size, "size", "", "the `SIZE` of figures, as a width or WIDTHxHEIGHT in mm, cm, in or pt, "+
		"such as 85mm or 3.3inx2in (default 85mm, and as high as need be)")
	c.Flags().StringVar(&f.letters, "font-size", "", "the `SIZE` of their letters, such as 8pt (default 7.2pt)")
	c.Flags().BoolVar(&f.rendering.NoCaption, "no-caption", false, "leave the caption out of the files; the page has it")
}

// read reads the size of figures and of their letters.
func (f *figureFlags) read() error {
	if f.size != "" {
		if err := f.rendering.SetSize(f.size); err != nil {
			return fmt.Errorf("--size: %w", err)
		}
	}
	if f.letters != "" {
		if err := f.rendering.SetLetters(f.letters); err != nil {
			return fmt.Errorf("--font-size: %w", err)
		}
	}
	return nil
}
