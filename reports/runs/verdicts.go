package runs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// verdicts adds the verdicts on the properties, and the required events that happened. A brief text has them in its
// stories; here it has only what should change.
func (d *report) verdicts(whole bool) {
	r := d.run
	d.section("verdicts", "Verdicts")
	d.add(d.full|reports.Page, reports.Block{Kind: "rows", Table: questions(r)})
	d.add(d.full|reports.Page, indented(r.Scenario.TokensNote()))
	for _, v := range []checker.Verdict{checker.Holds, checker.Violated, checker.Unknown} {
		names := strings.Join(wording.Called(seen(r, v), wording.Promise), ", ")
		switch {
		case names == "":
			continue
		case v == checker.Holds:
			d.add(d.full&reports.Terminal, hung("  happened  ", names))
			d.paragraph(reports.Marked|reports.Page, reports.Span{Text: "Happened: " + names})
			continue
		}
		line := hung("  "+required(v)+": ", names+"  ")
		line.Words = append(line.Words, reports.Span{Text: wording.Differs})
		d.add(d.full&reports.Terminal, line)
		d.paragraph(reports.Marked|reports.Page, reports.Span{Text: wording.Capital(required(v)) + ": " + names},
			reports.Span{Text: " " + wording.Differs, Class: "violated"})
	}
	for _, b := range slices.Concat(unstruck(r), grantedLate(r, whole), whyKept(r, whole)) {
		d.add(reports.Terminal|reports.Page, b)
	}
	d.lossNote()
	if text := remarks(r); text != "" {
		b := reports.Block{Kind: "lines", Words: reports.Words(text), Close: true}
		if !whole {
			b.Most = failureMost
			d.add(reports.Terminal, b)
			b.Most = 0
		}
		d.add(d.full|reports.Page, b)
	}
}

// questions lists the promises: how each broke, or why its verdict is not known, or the question of one that holds.
func questions(r *scenarios.Result) *reports.Table {
	t := &reports.Table{Columns: reports.Columns("promise", "verdict", "question or answer")}
	t.Columns[2].Kind = "prose"
	for _, f := range r.Findings {
		want := r.Scenario.Expected(f.Property)
		says := wording.Question(f.Property)
		class, why := wording.ClassOf(f.Verdict, want), r.Evidence.Vacuous(f)
		switch {
		case why != "":
			says, class = wording.Capital(why)+".", ""
		case f.Verdict == checker.Violated:
			says = r.Evidence.Summary(f)
		case f.Verdict == checker.Unknown && r.Live != nil && r.Evidence.Cut == "":
			says = "In doubt, see below."
		case f.Verdict == checker.Unknown:
			says = wording.PlainLong(r.Evidence.Explain(f))
		}
		words := []reports.Span{{Text: r.Evidence.Word(f), Class: class}}
		switch {
		case f.Verdict == checker.Violated && want == checker.Violated:
			words[0].In = reports.Terminal | reports.Marked
			words = append(words, reports.Span{Text: "broken, as this scenario is meant to show",
				Class: words[0].Class, In: reports.Page})
		case f.Verdict != want:
			words = append(words, reports.Span{Text: " ← unexpected", Class: "violated"})
		}
		verdict := reports.Rich(words...)
		if why == "" {
			verdict.Ink = reports.InkOf(f.Verdict)
		}
		t.Rows = append(t.Rows, []reports.Cell{reports.Rich(reports.Span{Text: wording.Promise(f.Property), Look: "bold"}),
			verdict, {Text: says}})
	}
	return t
}

// whyKept returns why promises held that should have broken, each reason once, and hints for required events that never
// happened.
func whyKept(r *scenarios.Result, whole bool) (all []reports.Block) {
	var given []string
	for _, f := range r.Findings {
		if f.Verdict != checker.Holds || r.Scenario.Expected(f.Property) != checker.Violated {
			continue
		}
		reasons := slices.DeleteFunc(r.Evidence.Kept(f.Property),
			func(reason string) bool { return slices.Contains(given, reason) })
		given = append(given, reasons...)
		if len(reasons) > 0 {
			text := strings.Join(reasons, " ")
			if !whole {
				text = wording.Rounding(text).Replace(text)
			}
			all = append(all, indented(wording.Promise(f.Property)+" held: "+text))
		}
	}
	for _, f := range r.Seen {
		if p, _ := checker.Lookup(f.Property); f.Verdict == checker.Violated && p.Hint != "" {
			all = append(all, indented(p.Hint))
		}
	}
	return all
}

// unstruck names the faults that did not hit, and those that changed nothing, if a fault should have hit.
func unstruck(r *scenarios.Result) (all []reports.Block) {
	if !slices.Contains(seen(r, checker.Violated), "fault-struck") {
		return nil
	}
	for i, f := range r.Scenario.Faults {
		came, met := false, false
		for _, s := range r.Evidence.Strikes {
			came = came || s.Index == i
			met = met || s.Index == i && !s.Idle && !s.Slight
		}
		switch {
		case !came:
			all = append(all, hung("  did not hit: ", f.String()))
		case !met:
			all = append(all, hung("  hit, but changed nothing: ", f.String()))
		}
	}
	return all
}

// grantedLate names the first hold that was granted with no validity left, and counts them. A live run has a remark
// about those.
func grantedLate(r *scenarios.Result, whole bool) []reports.Block {
	late := slices.DeleteFunc(slices.Clone(r.Evidence.Holds), func(h checker.Hold) bool { return !h.Late() })
	if len(late) == 0 || r.Live != nil {
		return nil
	}
	text := fmt.Sprintf("c%d at %s", late[0].Client+1, wording.Micros(late[0].From))
	if !whole {
		text = wording.Rounding(text).Replace(text)
	}
	if len(late) > 1 {
		text += fmt.Sprintf(", the first of %d grants", len(late))
	}
	return []reports.Block{hung("  granted with no validity left: ", text)}
}

// lossNote adds the basis of the verdict on fault-tolerant, if messages were lost. A brief text has it if that promise
// broke.
func (d *report) lossNote() {
	verdict := d.run.VerdictOn("fault-tolerant")
	lost := func(m scenarios.Message) bool { return m.Fate == scenarios.Dropped }
	if verdict == checker.Unknown || d.run.Live != nil || !slices.ContainsFunc(d.run.Messages(), lost) {
		return
	}
	where := d.full | reports.Page
	if verdict == checker.Violated {
		where |= reports.Terminal
	}
	d.add(where, hung("  fault-tolerant: ", d.run.Scenario.LossNote()))
}

// failureMost is how many lines of remarks a brief text has.
const failureMost = 16

// remarks returns the failure of a guest, with stacks, and the remarks on a live run, below an empty line.
func remarks(r *scenarios.Result) (text string) {
	if r.Failure != "" {
		text = "\n" + wording.PlainLines(r.Failure) + "\n"
	}
	for i, remark := range r.Live {
		if i == 0 {
			text += "\n"
		}
		text += wording.PlainLong(remark) + "\n"
	}
	return text
}
