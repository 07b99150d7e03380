package onerun

import (
	_ "embed" // for the page, its style and its script
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/bounds"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/scenarios"
)

//go:embed page.js
var pageScript string

//go:embed page.html
var pageText string

var pageTemplate = layout.PageTemplate(pageText)

// A page is what report.html holds. Texts of others are escaped by the template; only pictures, style and script, which
// are ours, go in as they are.
type page struct {
	Policy, ID, Title, Summary, About, Left string
	Style                                   template.CSS
	Script                                  template.JS
	Timeline                                template.HTML
	Seed                                    uint64
	From, To                                int64
	Window, Clocks                          string
	Verdicts                                []pageVerdict
	Tokens                                  string
	Happened                                []string
	Violations                              []pageViolation
	Peace                                   *pageViolation
	Claim                                   *scenarios.Claim
	Settings                                []string
	Schedule, Command                       string
	Figures                                 template.HTML
	Bounds                                  []bounds.Bound
	BoundsTable                             template.HTML
	HistorySays                             string
	Counts                                  []pageCount
	Clients                                 []string
	History                                 []pageOp
	Long                                    bool
	Version, End, Hash, ScenarioHash        string
	Failure                                 string
	Steps                                   int
}

type pageVerdict struct{ Name, Got, Want, Asks string }

type pageViolation struct {
	Name, Head, Account string
	Moments             []pageMoment
	Same                string // the violation whose diagram it shares
	Sequence            template.HTML
}

type pageMoment struct {
	Nanos    int64
	At, Text string
}

type pageCount struct {
	Name string
	N    [4]string
}

type pageOp struct {
	Index                       int
	At, Client, Op, Type, Value string
	In                          bool // it lies in the window of a violation
}

// HTML returns a run as one page that needs nothing else: no server, no network, and no script, though one adds zooming,
// stepping and filtering.
func HTML(r *scenarios.Result, m Making) []byte {
	s := draw.NewScene(r)
	p := &page{
		ID: layout.Plain(r.Scenario.ID), Seed: r.Seed, Title: layout.Plain(r.Scenario.Title), Summary: layout.PlainLong(Summary(r)), About: layout.PlainLong(r.Scenario.About),
		Left: s.Left, From: int64(s.From), To: int64(s.To), Timeline: template.HTML(draw.TimelineHTML(s)), Clocks: s.Clocks(),
		Settings: layout.PlainAll(m.Settings), Schedule: layout.PlainLines(r.Scenario.Faults.String()), Command: layout.PlainLong(m.Command),
		Figures: figureTable(r.Evidence).HTML(), Bounds: bounds.DescribeBounds(m.Edges), BoundsTable: bounds.Table(m.Edges).HTML(), Version: layout.Plain(m.Version), End: "(" + r.End.String() + ")",
		Tokens: r.Scenario.TokensNote(), Hash: r.Hash(), ScenarioHash: HashScenario(m.YAML(r)), Steps: r.Steps, Failure: remarks(r),
		Style: template.CSS(layout.PageStyle + draw.Style), Script: template.JS(pageScript),
	}
	p.Policy = layout.Policy(string(p.Style), " script-src "+layout.Hashed(pageScript)+";")
	if c := r.Scenario.Claim; c.By != "" {
		p.Claim = &scenarios.Claim{By: layout.Plain(c.By), Says: layout.PlainLong(c.Says), Finding: layout.PlainLong(c.Finding)}
	}
	p.judge(s)
	p.addStories(s)
	p.list(s)
	return layout.Execute(pageTemplate, p)
}

func (p *page) judge(s *draw.Scene) {
	r := s.Run
	for _, f := range r.Findings {
		asks, _ := checker.Lookup(f.Property)
		p.Verdicts = append(p.Verdicts, pageVerdict{f.Property, f.Verdict.String(), r.Scenario.Expected(f.Property).String(), asks.Asks})
	}
	for _, v := range []checker.Verdict{checker.Holds, checker.Violated, checker.Unknown} {
		if names := seen(r, v); len(names) > 0 {
			p.Happened = append(p.Happened, layout.Capital(happened(v))+": "+strings.Join(names, ", ")+[...]string{checker.Holds: ".", checker.Unknown: " (not as expected).", checker.Violated: " (not as expected)."}[v])
		}
	}
	if len(s.Bands) > 0 {
		b := s.Bands[0]
		p.Window = fmt.Sprintf("%d %d", int64(b.From), int64(b.To))
	}
}

// addStories fills in the story of each violation, or of a run without one.
func (p *page) addStories(s *draw.Scene) {
	all := draw.Excerpts(s)
	for i, x := range all {
		e := s.Run.Evidence
		a := e.Account(*x.Finding)
		v := pageViolation{Name: x.Finding.Property, Head: x.Finding.Property + " is violated", Account: a.Text, Moments: pageMoments(e.Story(*x.Finding).After(a))}
		for j := range i {
			if slices.Equal(all[j].Messages, x.Messages) && slices.Equal(all[j].Events, x.Events) {
				v.Same = all[j].Finding.Property
				break
			}
		}
		if v.Same == "" {
			v.Sequence = template.HTML(draw.ExcerptSVG(x, "sequence-"+x.Finding.Property, false))
		}
		p.Violations = append(p.Violations, v)
	}
	if len(all) == 0 {
		x := s.Handover()
		p.Peace = &pageViolation{Moments: pageMoments(x.Events), Sequence: template.HTML(draw.ExcerptSVG(x, "sequence", false))}
	}
}

func pageMoments(events []checker.Event) (all []pageMoment) {
	for _, m := range draw.FewEvents(events, 200) {
		all = append(all, pageMoment{int64(m.At), layout.Micros(m.At), layout.PlainLong(m.Text)})
	}
	return all
}

// list fills in the history: all of it, or what is in the scene, and counts of all.
func (p *page) list(s *draw.Scene) {
	e := s.Run.Evidence
	var counts [5][4]int
	for i, op := range e.History {
		if int(op.F) < len(counts) && int(op.Type) < 4 {
			counts[op.F][op.Type]++
		}
		if s.Left == "" || s.Sees(op.Time, op.Time) {
			p.History = append(p.History, pageOpOf(s, i, op))
		}
	}
	p.HistorySays = fmt.Sprintf("%s operations, each with its beginning and end as its client saw them.", layout.Grouped(len(e.History)))
	if s.Left != "" {
		p.HistorySays = fmt.Sprintf("The %s of %s lines from %s to %s. All are in history.jsonl.", layout.Grouped(len(p.History)), layout.Grouped(len(e.History)), layout.Micros(s.From), layout.Micros(s.To))
		for f := range counts {
			c := pageCount{Name: checker.Func(f).String()}
			for i, n := range counts[f] {
				c.N[i] = layout.Grouped(n)
			}
			p.Counts = append(p.Counts, c)
		}
	}
	p.Long = len(p.History) > 120
	for i := range e.Clients {
		p.Clients = append(p.Clients, layout.ClientName(i))
	}
}

func pageOpOf(s *draw.Scene, i int, op checker.Op) pageOp {
	e := s.Run.Evidence
	client := layout.ClientName(op.Process % max(e.Clients, 1))
	if op.Process >= e.Clients {
		client += fmt.Sprintf(" (process %d)", op.Process)
	}
	value := valueText(op)
	if op.Error != "" {
		value = strings.TrimSpace(value + " " + layout.Plain(op.Error))
	}
	in := slices.ContainsFunc(s.Bands, func(b draw.Band) bool { return op.Time >= b.From && op.Time <= b.To })
	return pageOp{i, layout.Micros(op.Time), client, op.F.String(), op.Type.String(), value, in}
}

// valueText describes what an operation carried or brought back.
func valueText(op checker.Op) string {
	var parts []string
	if op.Value.Fence > 0 {
		parts = append(parts, fmt.Sprintf("token %d", op.Value.Fence))
	}
	switch {
	case op.F == checker.Read && op.Type == checker.OK, op.F == checker.Write && op.Type != checker.Info:
		parts = append(parts, fmt.Sprintf("plain v%d", op.Value.Plain))
		if op.F == checker.Write && op.Type == checker.OK && op.Value.Fenced == 0 {
			parts = append(parts, "fenced refused")
		} else {
			parts = append(parts, fmt.Sprintf("fenced v%d", op.Value.Fenced))
		}
	}
	return strings.Join(parts, ", ")
}
