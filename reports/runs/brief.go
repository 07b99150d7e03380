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
var briefTimelines = []int{24, 20, 16, 12}

// The limits of a brief text.
const (
	briefLines   = 40 // of the text
	briefWidth   = 80
	briefMoments = 5 // of one violation
	briefOthers  = 5 // lines about the other violations, with their head
)

// brief adds the parts of a brief text below its head: a timeline, the story of the most important violation, a line
// for each other, and the commands for more.
func (d *report) brief() {
	broken := byImportance(d.run)
	d.add(reports.Terminal, reports.Block{Kind: "fit", Blocks: d.versions(broken)})
	if len(broken) > 1 {
		d.add(reports.Terminal, reports.Block{Kind: "group", Most: briefOthers, Blocks: []reports.Block{
			{Kind: "remark", Words: reports.Words("Also violated:")},
			{Kind: "rows", Table: others(d.run.Evidence, broken[1:]), Close: true}}})
	}
	if names := seen(d.run, checker.Holds); len(broken) == 0 && len(names) > 0 {
		happened := hung("What happened: ", strings.Join(names, ", "))
		happened.Close = false
		d.add(reports.Terminal, happened)
	}
	d.add(reports.Terminal, reports.Block{Kind: "command", Words: reports.Words("Repeat it:"), Command: d.made.Command})
	if d.made.Whole != "" {
		d.add(reports.Terminal, reports.Block{Kind: "command", Words: reports.Words("All of it:"),
			Command: d.made.Whole, Close: true})
	}
}

// versions returns a timeline and a violation as a paragraph with its main moments, in versions for less and less room.
// They leave out moments except one, then the beginning of the argument, then the end of the timeline, and at last the
// reason. A fault that the paragraph names is no moment.
func (d *report) versions(broken []checker.Finding) (all []reports.Block) {
	add := func(most int, below ...reports.Block) {
		short := reports.Figure{Text: func(s reports.Screen) string { return draw.ShortTimeline(s, d.scene, most) }}
		parts := append([]reports.Block{{Kind: "picture", Drawn: short}}, below...)
		all = append(all, reports.Block{Kind: "group", Blocks: parts})
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
			paragraph, n := violated(f.Property, says.Text), len(story.Main(briefMoments, says))
			if n == 0 {
				add(most, paragraph)
			}
			for ; n > 0; n-- {
				add(most, paragraph, reports.Block{Kind: "rows", Table: moments(story.Main(n, says)), Close: true})
			}
		}
	}
	add(briefTimelines[len(briefTimelines)-1], violated(f.Property, e.Explain(f)))
	return all
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
	t := &reports.Table{Bare: true, Columns: []reports.Column{{Head: "property"}, {Kind: "cut"}}}
	for _, f := range all {
		t.Rows = append(t.Rows, []reports.Cell{{Text: f.Property, Ink: reports.RedInk},
			{Text: "from " + wording.Micros(f.Witness.From) + ": " + wording.Plain(e.Summary(f))}})
	}
	return t
}
