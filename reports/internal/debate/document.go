package debate

import (
	"fmt"

	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Document returns a debate in all formats. As HTML it is the page, which has the pictures besides; as text and Markdown it is
// the prose with all that was measured in it, and a table for each step.
func (d *Debate) Document() *layout.Document {
	p := d.page()
	doc := &layout.Document{Data: d.described(p), Rows: rowsOf(p), Summary: Summary(d), OwnPage: func() []byte { return HTML(d) }}
	doc.Headline("The Redlock debate, measured")
	doc.Add(layout.Block{Kind: layout.Title, Words: layout.Words(doc.Title), In: layout.Marked})
	for _, w := range p.Wrong {
		doc.Paragraph(w)
	}
	for _, c := range p.Chapters {
		heading := c.Title
		if c.N > 0 {
			heading = fmt.Sprintf("%d %s", c.N, c.Title)
		}
		doc.Add(layout.Block{Kind: layout.Heading, Words: layout.Words(heading)})
		addProse(doc, c.Text)
		for i := range c.Steps {
			addStep(doc, &c.Steps[i])
		}
	}
	doc.Add(layout.Block{Kind: layout.Heading, Words: layout.Words("References")})
	for i, s := range Sources {
		doc.Item(fmt.Sprintf("[%d]", i+1), fmt.Sprintf("%s: %s. %s. %s", s.By, s.Title, s.In, s.Address), "")
	}
	doc.Verdict(doc.Summary)
	doc.Command("Repeat it:", d.Command)
	return doc
}

func addStep(doc *layout.Document, s *debateStep) {
	doc.Add(layout.Block{Kind: layout.Topic, Words: layout.Words(s.N + " " + s.Title)})
	if s.Says != "" {
		doc.Paragraph(fmt.Sprintf("%s %s: %s", s.By, s.Claims, s.Says))
	}
	addProse(doc, s.Text)
	t := &layout.Table{Columns: layout.Columns("what broke", "expected", "runs", "share of all runs")}
	for _, r := range append(s.Rows, s.Mutants...) {
		t.Add(r.Name, r.Want, r.Count, r.Interval)
	}
	if len(t.Rows) > 0 {
		doc.Table("", t)
	}
	doc.Add(layout.Block{Kind: layout.Shell, Words: layout.Words("See it:"), Command: s.Command, Close: true})
}

// addProse adds passages, with what was measured in braces.
func addProse(doc *layout.Document, all []debatePassage) {
	for _, p := range all {
		var words []layout.Span
		if p.Word != "" {
			words = append(words, layout.Span{Text: p.Word + ".", Look: layout.Bold}, layout.Span{Text: " "})
		}
		for _, s := range p.Spans {
			words = append(words, s.words())
		}
		doc.Rich(words...)
	}
}

func (s *debateSpan) words() layout.Span {
	switch {
	case s.Cite > 0:
		return layout.Span{Text: fmt.Sprintf("[%d]", s.Cite)}
	case s.Chapter > 0:
		return layout.Span{Text: fmt.Sprintf("section %d", s.Chapter)}
	case s.Seen != "":
		return layout.Span{Text: "{" + s.Seen + "}"}
	case s.Code != "":
		return layout.Span{Text: s.Code, Look: layout.Coded}
	case s.Stress != "":
		return layout.Span{Text: s.Stress, Look: layout.Bold}
	}
	return layout.Span{Text: s.Text}
}

// rowsOf returns a row for each property and mutant of each step.
func rowsOf(p *debatePage) *layout.Table {
	t := &layout.Table{Columns: layout.Columns("step", "scenario", "name", "expected", "runs", "interval", "verdict")}
	for _, c := range p.Chapters {
		for _, s := range c.Steps {
			for _, r := range append(s.Rows, s.Mutants...) {
				t.Add(s.N, s.Scenario, r.Name, r.Want, r.Count, r.Interval, r.Verdict.String())
			}
		}
	}
	return t
}

// A described debate is what debate --format json prints.
type described struct {
	SchemaVersion int               `json:"schema_version"`
	Lockstorm     string            `json:"lockstorm"`
	Command       string            `json:"command"`
	Seed          uint64            `json:"seed"` // the first
	Runs          int               `json:"runs"` // of each scenario
	Verdict       scenarios.Verdict `json:"verdict"`
	Wrong         []string          `json:"wrong"` // where the runs contradict the text
	Steps         []describedStep   `json:"steps"`
}

type describedStep struct {
	Step     string         `json:"step"`
	Scenario string         `json:"scenario"`
	Title    string         `json:"title"`
	By       string         `json:"claim_by,omitempty"`
	Says     string         `json:"claim_says,omitempty"`
	Outcome  string         `json:"outcome,omitempty"`
	Broke    []describedRow `json:"broke"`
	Command  string         `json:"command"`
}

type describedRow struct {
	Name     string            `json:"name"`
	Expect   string            `json:"expect,omitempty"`
	Runs     string            `json:"runs"`
	Interval string            `json:"interval"`
	Verdict  scenarios.Verdict `json:"verdict"`
}

func (d *Debate) described(p *debatePage) described {
	_, worst := d.Wrong()
	all := described{
		SchemaVersion: layout.SchemaVersion, Lockstorm: d.Version, Command: d.Command, Seed: d.Seed, Runs: d.Runs, Verdict: worst,
		Wrong: append([]string{}, p.Wrong...), Steps: []describedStep{},
	}
	for _, c := range p.Chapters {
		for _, s := range c.Steps {
			step := describedStep{Step: s.N, Scenario: s.Scenario, Title: s.Title, By: s.By, Says: s.Says, Outcome: s.Outcome, Broke: []describedRow{}, Command: s.Command}
			for _, r := range append(s.Rows, s.Mutants...) {
				step.Broke = append(step.Broke, describedRow{r.Name, r.Want, r.Count, r.Interval, r.Verdict})
			}
			all.Steps = append(all.Steps, step)
		}
	}
	return all
}
