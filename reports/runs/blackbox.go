package runs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A View is the verdict of a linearizability checker on a run by one model, as JSON.
type View struct {
	Model   string           `json:"model"`
	Expect  *checker.Verdict `json:"expect,omitempty"` // if the scenario names it
	Verdict checker.Verdict  `json:"verdict"`
	Reason  string           `json:"reason,omitempty"`
	// if it is violated: the indices in the history of operations that have no legal order by themselves
	Excerpt   []int `json:"excerpt,omitempty"`
	Confirmed bool  `json:"porcupine_confirms,omitempty"`
}

func describeViews(r *scenarios.Result) (all []View) {
	for i := range r.BlackBox {
		b := &r.BlackBox[i]
		v := View{Model: b.Model, Verdict: b.Verdict, Reason: b.Reason}
		if want, named := r.Scenario.ExpectedView(b.Model); named {
			v.Expect = &want
		}
		if b.Verdict == checker.Violated {
			x := r.Excerpt(b)
			v.Excerpt, v.Confirmed = x.Ops, x.Confirmed
		}
		all = append(all, v)
	}
	return all
}

// wrong says how a view differs from the expectation of the scenario; "" if it does not.
func (v *View) wrong() string {
	if v.Expect == nil || *v.Expect == v.Verdict {
		return ""
	}
	return "should " + wording.Be(*v.Expect)
}

// shows returns the reasons for the verdict of a view, in sentences.
func (v *View) shows() string {
	if len(v.Excerpt) == 0 {
		return v.Reason
	}
	confirmed := map[bool]string{true: ", as porcupine confirms"}[v.Confirmed]
	return strings.TrimSpace(fmt.Sprintf("%s Operations %s have no legal order by themselves%s.", v.Reason,
		indices(v.Excerpt), confirmed))
}

// explained returns what a view shows, and how it differs from the expectation.
func (v *View) explained() string {
	text := v.shows()
	if wrong := v.wrong(); wrong != "" {
		text = strings.TrimSpace(text + " " + wording.Differs + ", " + wrong + ".")
	}
	return text
}

// indices lists operations; if they are many, only the first and the last.
func indices(ops []int) string {
	words := make([]string, len(ops))
	for i, op := range ops {
		words[i] = fmt.Sprint(op)
	}
	if n := len(words); n > 12 {
		return strings.Join(words[:6], ", ") + " … " + strings.Join(words[n-3:], ", ")
	}
	return wording.List(words)
}

// outlook returns the verdicts of a linearizability checker in a sentence; "" if there are none.
func outlook(views []View) string {
	var parts []string
	for _, v := range []checker.Verdict{checker.Violated, checker.Unknown, checker.Holds} {
		var names []string
		confirmed := v == checker.Violated
		for i := range views {
			if views[i].Verdict == v {
				names, confirmed = append(names, views[i].Model), confirmed && views[i].Confirmed
			}
		}
		if len(names) == 0 {
			continue
		}
		if v == checker.Holds && parts == nil {
			return "From the clients' calls alone: all " + inWords(len(names)) + " models hold."
		}
		part := wording.List(names) + " " + [...]string{checker.Holds: wording.Is(v, len(names)),
			checker.Unknown: "unknown", checker.Violated: "violated"}[v]
		if confirmed {
			part += " (porcupine agrees)"
		}
		parts = append(parts, part)
	}
	if parts == nil {
		return ""
	}
	return "From the clients' calls alone: " + strings.Join(parts, "; ") + "."
}

// views adds the verdicts of a linearizability checker, which has only the operations of the clients.
func (d *report) views(whole bool) {
	if len(d.seen) == 0 {
		return
	}
	if !whole {
		d.add(reports.Terminal, reports.Block{Words: reports.Words(outlook(d.seen)), Close: true})
	}
	d.section("blackbox", "What a linearizability checker sees")
	d.paragraph(d.full&reports.Terminal,
		reports.Span{Text: "what a linearizability checker sees, from the clients' calls alone:"})
	d.paragraph(reports.Marked|reports.Page, reports.Span{Text: "A linearizability checker has only the clients' " +
		"calls, not the true time. It checks them against each of these models:"})
	d.add(d.full|reports.Page, reports.Block{Kind: "rows", Table: viewTable(d.seen), Close: true})
	if i := violatedView(d.run); i >= 0 {
		d.paragraph(reports.Page, reports.Span{Text: "In the history below, the operations that the " +
			d.seen[i].Model + " does not allow are marked."})
	}
}

func viewTable(all []View) *reports.Table {
	t := &reports.Table{Columns: reports.Columns("model", "verdict", "why")}
	t.Columns[2].Kind = "prose"
	for i := range all {
		v := &all[i]
		verdict := reports.Cell{Text: v.Verdict.String(), Strong: v.Verdict != checker.Holds,
			Ink: reports.InkOf(v.Verdict)}
		if v.Expect != nil {
			verdict.Class = wording.ClassOf(v.Verdict, *v.Expect)
		}
		t.Rows = append(t.Rows, []reports.Cell{reports.Rich(reports.Span{Text: v.Model, Look: "bold"}), verdict,
			{Text: v.explained()}})
	}
	return t
}

// unexpectedViews returns the views with another verdict than the scenario expects, in clauses.
func unexpectedViews(r *scenarios.Result) (wrong []string) {
	for _, v := range []checker.Verdict{checker.Violated, checker.Unknown, checker.Holds} {
		for _, want := range []checker.Verdict{checker.Holds, checker.Violated} {
			var names []string
			for i := range r.BlackBox {
				expected, named := r.Scenario.ExpectedView(r.BlackBox[i].Model)
				if named && expected == want && v != want && r.BlackBox[i].Verdict == v {
					names = append(names, r.BlackBox[i].Model)
				}
			}
			if len(names) > 0 {
				wrong = append(wrong, fmt.Sprintf("from the clients' calls alone, %s %s, and should %s",
					wording.List(names), wording.Is(v, len(names)), wording.Be(want)))
			}
		}
	}
	return wrong
}

// violatedView returns the index of the first violated view; -1 for none.
func violatedView(r *scenarios.Result) int {
	return slices.IndexFunc(r.BlackBox, func(b blackbox.Result) bool { return b.Verdict == checker.Violated })
}
