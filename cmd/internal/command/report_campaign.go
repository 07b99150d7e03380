package command

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/reports/onerun"
	"github.com/lockstorm/lockstorm/scenarios"
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

// note keeps the first row that broke each property.
func (r *campaignReport) note(row *campaign.Row) {
	for i := range r.firsts {
		if row.Violated.Has(i) && r.firsts[i].Violated == 0 {
			r.firsts[i] = *row
			r.firsts[i].Figures = nil // they are valid for this block only
		}
	}
}

func (r *campaignReport) make(missing int) {
	r.stored = campaigns.Stored{
		Survey: r.survey, Version: r.archive.Manifest.Lockstorm, Hash: r.archive.Manifest.ScenarioHash, Command: again(r.archive),
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

// unshrunk describes how many runs belong to no way that is known.
func unshrunk(h *campaign.Hunt) string {
	n := 0
	for _, k := range h.Unshrunk {
		n += k
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d times a property broke otherwise, but so many of its runs had been shrunk that no more were", n)
}

// eachWay shrinks the first row of several cells that broke each property, several side by side.
func (r *campaignReport) eachWay() {
	found := make([][]campaign.Signature, len(r.firsts))
	work.Parallel(runtime.GOMAXPROCS(0), len(found), func(i int) { found[i] = r.way(i) })
	for i := range r.firsts {
		r.ways(found[i], r.archive.Job.Cells[r.firsts[i].Cell])
	}
}

// way shrinks the first row that broke the i-th property, if any did.
func (r *campaignReport) way(i int) []campaign.Signature {
	row := r.firsts[i]
	if row.Violated == 0 {
		return nil
	}
	one := *r.archive.Job
	one.Cells, one.First, one.Runs, one.Size = []campaign.Cell{one.Cells[row.Cell]}, row.Seed, 1, 1
	h := campaign.Hunt{Job: &one, Watched: 1 << i}
	h.Begin()
	row.Cell = 0
	h.Add(&row)
	for k := range h.Signatures {
		h.Signatures[k].Runs = r.survey.Violated(i)
	}
	return h.Signatures
}

// ways adds to the report the scenario of each signature, and the page of its run.
func (r *campaignReport) ways(all []campaign.Signature, cell campaign.Cell) {
	for i := range all {
		g := &all[i]
		s := g.Counterexample(r.stored.Command)
		brief := s.Brief()
		w := campaigns.NewWay(g, cell, brief)
		w.Path = "found/" + g.Name() + ".yaml" // where fuzz has put it
		if _, err := os.Lstat(filepath.Join(r.archive.Dir, filepath.FromSlash(w.Path))); err != nil || !sameDir(r.out, r.archive.Dir) {
			w.Path = store.Counterexamples + "/" + g.Name() + ".yaml"
			r.add(w.Path, brief)
		}
		w.Command = cli.Name + " run " + cli.Quote(w.Path) + " --seed " + strconv.FormatUint(w.Seed, 10)
		w.Page = store.Counterexamples + "/" + g.Name() + ".html"
		r.add(w.Page, onerun.HTML(scenarios.Run(s, w.Seed), onerun.Making{Version: cli.Version, Source: w.Path, Command: w.Command}))
		r.stored.Ways = append(r.stored.Ways, w)
	}
}

// sameDir reports whether two paths are one directory.
func sameDir(a, b string) bool {
	i, err := os.Stat(a)
	k, bad := os.Stat(b)
	return err == nil && bad == nil && os.SameFile(i, k)
}

func (r *campaignReport) add(name string, content []byte) {
	r.files = append(r.files, layout.File{Name: name, Content: content})
}

// draw makes all forms of all figures, several side by side.
func (r *campaignReport) draw() {
	forms := r.stored.FigureFiles(&r.look.look)
	contents := make([][]byte, len(forms))
	work.Parallel(runtime.GOMAXPROCS(0), len(forms), func(i int) { contents[i] = forms[i].Make() })
	for i, f := range forms {
		r.add(f.Name, contents[i])
	}
}

// again returns a command that makes the same rows: of the scenario by its name, if the catalogue has just this one, or of
// the file in the archive.
func again(a *archive.Archive) string {
	m, j := &a.Manifest, a.Job
	axes, grid := j.Axes()
	name := archive.ScenarioFile
	if s, known := scenarios.Find(m.Scenario); known {
		for _, x := range axes {
			s.Hold(x.Key)
		}
		if onerun.HashScenario(s.YAML()) == m.ScenarioHash {
			name = m.Scenario
		}
	}
	words := []string{cli.Name, "rows", cli.Quote(name)}
	switch {
	case m.Kind == campaign.MatrixJob:
		words = []string{cli.Name, "matrix"}
	case m.Kind == campaign.FuzzJob:
		words[1] = "fuzz"
	case grid && len(axes) > 0:
		words[1] = "sweep"
		for _, x := range axes {
			var values []string
			for _, v := range x.Values {
				values = append(values, string(v))
			}
			words = append(words, "--axis", cli.Quote(x.Key+"="+strings.Join(values, ",")))
		}
	}
	words = append(words, "--runs", strconv.Itoa(j.Runs))
	if j.First != 1 {
		words = append(words, "--seed", strconv.FormatUint(j.First, 10))
	}
	return strings.Join(append(words, "--store", "DIR"), " ")
}
