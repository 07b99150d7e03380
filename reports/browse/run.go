package browse

import (
	"path"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
)

// Bounds of what is shown of one result, whoever wrote it.
const (
	verdictsMost = 100
	figuresMost  = 300
	settingsMost = 100
)

// runPage is what the page of a run shows.
type runPage struct {
	Title, Place, Wrong, Unparsed    string
	Standing, Word, About            string
	Report, Timeline, List           string // addresses
	Verdicts                         []verdict
	Happened                         []verdict
	Stories                          []story
	Settings                         []string
	Schedule, Command, Hash, Version string
	Figures                          []figure
	Files                            []file
}

type verdict struct {
	Name, Got, Class, Want, Asks string
	Odd                          bool
}

type story struct{ Name, Sentence string }

type figure struct{ Name, Value, Doc string }

type file struct{ Name, Link, SaveAs, Holds, Size string }

// RunPage gives the page of one run.
func RunPage(v View) []byte {
	r := &v.Run
	p := runPage{
		Title: v.title(), Place: reports.Plain(v.Place), Wrong: v.Wrong, Unparsed: v.Unparsed,
		Standing: v.standing(), Word: word(v.standing()), Settings: settings(r),
		Command: reports.PlainLong(r.Command), Hash: reports.Plain(r.Hash), Version: reports.Plain(r.Lockstorm),
		Files: files(v.Place, v.Files), List: Query{With: v.Place, Text: reports.Plain(r.Scenario)}.address(),
	}
	if v.Picture {
		p.Timeline = address("timeline", v.Place)
	}
	for _, f := range v.Files {
		if f.Name == reports.PageFile {
			p.Report = fileAddress(v.Place, f)
		}
	}
	if s := v.Scenario; s != nil && v.Unparsed == "" {
		p.About = reports.Plain(s.Title)
		p.Schedule = strings.Join(schedule(&v), "\n")
	}
	p.judge(r)
	for _, f := range r.Figures[:min(len(r.Figures), figuresMost)] {
		if f.Value != nil {
			p.Figures = append(p.Figures, figure{reports.Plain(f.Name), f.Shown(), reports.FigureDoc(f.Name)})
		}
	}
	return render("run", p)
}

func (v *View) standing() string {
	r := Run{Verdict: v.Run.Verdict, Wrong: v.Wrong}
	return r.standing()
}

// judge fills in the verdicts, and how it came to those that are violated.
func (p *runPage) judge(r *reports.Run) {
	for _, f := range r.Properties[:min(len(r.Properties), verdictsMost)] {
		asks, _ := checker.Lookup(f.Name)
		p.Verdicts = append(p.Verdicts, verdict{reports.Plain(f.Name), reports.Plain(f.Verdict), class(f.Verdict), reports.Plain(f.Expect), asks.Asks, f.Verdict != f.Expect})
		if f.Witness != nil {
			p.Stories = append(p.Stories, story{reports.Plain(f.Name), reports.PlainLong(f.Witness.Sentence)})
		}
	}
	for _, h := range r.Sometimes[:min(len(r.Sometimes), verdictsMost)] {
		p.Happened = append(p.Happened, verdict{Name: reports.Plain(h.Name), Got: reports.Plain(h.Verdict), Odd: h.Verdict != "happened"})
	}
}

// class is the class of a verdict in the style sheet.
func class(verdict string) string {
	if verdict == "violated" || verdict == "holds" {
		return verdict
	}
	return "unknown"
}

func settings(r *reports.Run) (all []string) {
	for _, s := range r.Settings[:min(len(r.Settings), settingsMost)] {
		all = append(all, reports.Plain(s))
	}
	return all
}

// schedule gives the lines of a run's schedule.
func schedule(v *View) (lines []string) {
	if v.Scenario == nil || v.Unparsed != "" {
		return nil
	}
	for line := range strings.Lines(v.Scenario.Faults.String()) {
		lines = append(lines, reports.Plain(strings.TrimSpace(line)))
	}
	return lines
}

func files(place string, there []File) (all []file) {
	for _, f := range there {
		saveAs := strings.NewReplacer("/", "-").Replace(reports.Plain(path.Join(place, f.Name)))
		all = append(all, file{reports.Plain(f.Name), fileAddress(place, f), saveAs, reports.PlainLong(f.Holds), bytesOf(f.Bytes)})
	}
	return all
}
