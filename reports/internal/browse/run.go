package browse

import (
	"path"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/reports/internal/onerun"
)

// Bounds of what is shown of one result, which anybody may have written.
const (
	verdictsMost = 100
	figuresMost  = 300
	settingsMost = 100
)

// runPage is what the page of a run shows.
type runPage struct {
	heading
	Tokens                           string
	Verdicts                         []verdict
	Happened                         []verdict
	Stories                          []story
	Schedule, Command, Hash, Version string
	Figures                          []figure
	Files                            []file
}

// A heading is what every page says of a run first.
type heading struct {
	Title, Place, Wrong, Unparsed string
	Standing, Word, About         string
	Report, Timeline, List        string // addresses
	Settings                      []string
}

func (v *View) heading(list Query) heading {
	h := heading{
		Title: v.title(), Place: layout.Plain(v.Place), Wrong: v.Wrong, Unparsed: v.Unparsed, Standing: v.standing(), Word: word(v.standing()),
		Report: reportAddress(v.Place, v.Files), List: list.address(), Settings: settings(&v.Run),
	}
	if v.Picture {
		h.Timeline = address("timeline", v.Place)
	}
	if v.Scenario != nil && v.Unparsed == "" {
		h.About = layout.Plain(v.Scenario.Title)
	}
	return h
}

type verdict struct {
	Name, Got, Class, Want, Asks string
	Odd                          bool
}

type story struct{ Name, Sentence string }

type figure struct{ Name, Value, Doc string }

type file struct{ Name, Link, SaveAs, Holds, Size string }

// RunPage returns the page of one run.
func RunPage(v View) []byte {
	r := &v.Run
	p := runPage{
		heading: v.heading(Query{With: v.Place, Text: layout.Plain(r.Scenario)}), Schedule: strings.Join(schedule(&v), "\n"),
		Command: layout.PlainLong(r.Command), Hash: layout.Plain(r.Hash), Version: layout.Plain(r.Lockstorm), Files: files(v.Place, v.Files),
	}
	if v.Scenario != nil && v.Unparsed == "" {
		p.Tokens = v.Scenario.TokensNote()
	}
	p.judge(r)
	for _, f := range r.Figures[:min(len(r.Figures), figuresMost)] {
		if f.Value != nil {
			p.Figures = append(p.Figures, figure{layout.Plain(f.Name), f.Shown(), onerun.FigureDoc(f.Name)})
		}
	}
	return render("run", p)
}

func (v *View) standing() string {
	r := Run{Verdict: v.Run.Verdict, Wrong: v.Wrong}
	return r.standing()
}

// judge fills in the verdicts, and how it came to those that are violated.
func (p *runPage) judge(r *onerun.Run) {
	for _, f := range r.Properties[:min(len(r.Properties), verdictsMost)] {
		asks, _ := checker.Lookup(f.Name)
		p.Verdicts = append(p.Verdicts, verdict{layout.Plain(f.Name), layout.Plain(f.Verdict), class(f.Verdict, f.Expect), layout.Plain(f.Expect), asks.Asks, f.Verdict != f.Expect})
		if f.Witness != nil {
			p.Stories = append(p.Stories, story{layout.Plain(f.Name), layout.PlainLong(f.Witness.Sentence)})
		}
	}
	for _, h := range r.Sometimes[:min(len(r.Sometimes), verdictsMost)] {
		p.Happened = append(p.Happened, verdict{Name: layout.Plain(h.Name), Got: layout.Plain(h.Verdict), Odd: h.Verdict != "happened"})
	}
}

// class is the class of a verdict in the style sheet. A promise that breaks as the scenario expects is no alarm.
func class(verdict, want string) string {
	switch verdict {
	case "violated":
		if want == verdict {
			return "expected"
		}
		return verdict
	case "holds":
		return verdict
	case none:
		return "soft"
	}
	return "unknown"
}

func settings(r *onerun.Run) (all []string) {
	for _, s := range r.Settings[:min(len(r.Settings), settingsMost)] {
		all = append(all, layout.Plain(s))
	}
	return all
}

func schedule(v *View) (lines []string) {
	if v.Scenario == nil || v.Unparsed != "" {
		return nil
	}
	for line := range strings.Lines(v.Scenario.Faults.String()) {
		lines = append(lines, layout.Plain(strings.TrimSpace(line)))
	}
	return lines
}

func files(place string, there []File) (all []file) {
	for _, f := range there {
		saveAs := strings.NewReplacer("/", "-").Replace(layout.Plain(path.Join(place, f.Name)))
		all = append(all, file{layout.Plain(f.Name), fileAddress(place, f), saveAs, layout.PlainLong(f.Holds), bytesOf(f.Bytes)})
	}
	return all
}
