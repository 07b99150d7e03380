package runs

import (
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// briefTimelines are limits for the lines of a timeline. The first that leaves room for a reason and a moment applies.
var briefTimelines = []int{24, 20, 16, 14, 12, 11, 10, 9}

// The limits of a brief text.
const (
	briefLines   = 40 // of the text
	briefWidth   = 80
	briefMoments = 5 // of one violation
	briefOthers  = 5 // lines about the other violations, with their head
)

// brief adds the parts of a brief text below its head: the story of the most important violation, a timeline, a line
// for each other violation, and the promises that hold.
func (d *report) brief() {
	r, broken := d.run, byImportance(d.run)
	d.add(reports.Terminal, reports.Block{Kind: "fit", Blocks: d.versions(broken)})
	if len(broken) > 1 {
		d.add(reports.Terminal, reports.Block{Kind: "group", Most: briefOthers, Blocks: []reports.Block{
			{Kind: "remark", Words: reports.Words("Also broken:")},
			{Kind: "rows", Table: others(r.Evidence, broken[1:]), Close: true}}})
	}
	var held []string
	for _, f := range r.Findings {
		if f.Verdict == checker.Holds && r.Evidence.Vacuous(f) == "" {
			held = append(held, wording.Plainly(f.Property))
		}
	}
	if len(held) > 0 && len(held) < len(r.Findings) && len(broken) < briefOthers { // more leave no room
		hold := hung("", "Promises kept: "+strings.Join(held, ", "))
		hold.Close = len(broken) > 1
		d.add(reports.Terminal, hold)
	}
	if names := seen(r, checker.Holds); len(broken) == 0 && len(names) > 0 {
		d.add(reports.Terminal, hung("Happened: ", wording.List(wording.Called(names, wording.Plainly))))
	}
	d.add(reports.Terminal, reports.Block{Words: reports.Words(r.Scenario.TokensNote()), Close: true})
}

// commands adds the commands that repeat the run and print all of it.
func (d *report) commands() {
	d.add(reports.Terminal, reports.Block{Kind: "command", Words: reports.Words("Repeat it:"), Command: d.made.Command})
	d.inBrowser(reports.Terminal)
	if d.made.Whole != "" {
		d.add(reports.Terminal, reports.Block{Kind: "command", Words: reports.Words("All of it:"),
			Command: d.made.Whole, Close: true})
	}
}

// inBrowser adds the address of the run in a playground, if there is one.
func (d *report) inBrowser(to reports.Media) {
	if d.made.Page != "" {
		d.add(to, reports.Block{Kind: "command", Words: reports.Words("In a browser:"), Command: d.made.Page, Close: true})
	}
}

// versions returns a violation as a paragraph with its main moments, and a timeline, in versions for less and less
// room. They leave out moments except one, then the beginning of the argument, then the end of the timeline, and at
// last the reason. A fault that the paragraph names is no moment.
func (d *report) versions(broken []checker.Finding) (all []reports.Block) {
	add := func(most int, above ...reports.Block) {
		short := reports.Figure{Text: func(s reports.Screen) string { return draw.ShortTimeline(s, d.scene, most) }}
		all = append(all, reports.Block{Kind: "group",
			Blocks: append(above, reports.Block{Kind: "picture", Drawn: short})})
	}
	if len(broken) == 0 {
		for most := briefTimelines[0]; most > 0; most-- {
			add(most)
		}
		return all
	}
	e, f := d.run.Evidence, broken[0]
	story := e.Story(f)
	for _, most := range briefTimelines {
		for _, says := range []checker.Account{e.Account(f), e.ShortAccount(f)} {
			n := len(story.Main(briefMoments, says))
			if n == 0 {
				add(most, roundedStory(f.Property, says.Text, nil)...)
			}
			for ; n > 0; n-- {
				add(most, roundedStory(f.Property, says.Text, story.Main(n, says))...)
			}
		}
	}
	add(briefTimelines[len(briefTimelines)-1], roundedStory(f.Property, e.Explain(f), nil)...)
	return all
}

// roundedStory returns a violation as a paragraph and its moments, with rounded instants.
func roundedStory(property, says string, events []checker.Event) []reports.Block {
	texts := []string{says}
	for _, m := range events {
		texts = append(texts, wording.Micros(m.At), m.Text)
	}
	round, t := wording.Rounding(texts...), moments(events)
	for _, row := range t.Rows {
		for i := range row {
			row[i].Text = round.Replace(row[i].Text)
		}
	}
	paragraph := violated(property, round.Replace(says))
	if len(events) == 0 {
		return []reports.Block{paragraph}
	}
	return []reports.Block{paragraph, {Kind: "rows", Table: t, Close: true}}
}

// byImportance returns the violations, the unexpected ones first, and of these first those that damaged the data.
func byImportance(r *scenarios.Result) (all []checker.Finding) {
	for _, expected := range []bool{false, true} {
		for _, damaging := range []bool{true, false} {
			for i := range r.Findings {
				f := &r.Findings[i]
				asExpected := r.Scenario.Expected(f.Property) == f.Verdict
				if f.Verdict == checker.Violated && asExpected == expected && f.Loses() == damaging {
					all = append(all, *f)
				}
			}
		}
	}
	return all
}

func others(e *checker.Evidence, all []checker.Finding) *reports.Table {
	t := &reports.Table{Bare: true, Columns: []reports.Column{{Head: "promise"}, {Kind: "cut"}}}
	for _, f := range all {
		from := wording.Micros(f.Witness.From)
		t.Rows = append(t.Rows, []reports.Cell{{Text: wording.Promise(f.Property), Ink: reports.RedInk},
			{Text: "from " + wording.Rounding(from).Replace(from) + ": " + wording.Plain(e.Summary(f))}})
	}
	return t
}
