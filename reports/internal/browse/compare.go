package browse

import (
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/reports/internal/onerun"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A pair is a line of a table: what one run has under a name, and what the other.
type pair struct {
	Name, A, B string
	Odd        bool // the two are not the same
}

// parametersMost is how many parameters are shown that differ.
const parametersMost = 300

// none stands where only the other run has something.
const none = "-"

// ComparePage returns two runs side by side.
func ComparePage(a, b View) *layout.Document {
	d := newPage("Two runs side by side")
	sides := &layout.Table{Columns: layout.Columns("", "run", "result", "changed settings", "")}
	sides.Rows = [][]layout.Cell{a.side("A", b.Place), b.side("B", a.Place)}
	table(d, "", "The two runs", sides)
	if a.Wrong == "" && b.Wrong == "" && a.Run.Hash == b.Run.Hash && a.Run.Hash != "" {
		d.Add(layout.Block{Kind: layout.Sentence, Class: "note",
			Words: layout.Words("Both left the same history and trace: they are the same run.")})
	}
	tools(d, linked("Swap A and B", besides(b.Place, a.Place)))
	compareVerdicts(d, &a.Run, &b.Run)
	section(d, "timelines", "Timelines")
	for i, v := range []*View{&a, &b} {
		letter := string(rune('A' + i))
		topic(d, letter+": "+v.title())
		if v.Picture {
			v.timeline(d, "Timeline of run "+letter+", "+v.title())
		} else {
			d.Rich(soft("There is no timeline. "), code("lockstorm report"), soft(" draws one."))
		}
	}
	compareSettings(d, &a, &b)
	compareFigures(d, a.Run.Figures, b.Run.Figures)
	return d
}

// side returns the line of one of the two: what was run, and what came of it.
func (v *View) side(letter, other string) []layout.Cell {
	title := []layout.Span{linked(v.title(), address("run", v.Place))}
	result := []layout.Span{standing(v.standing())}
	if v.parsed() {
		title = append(title, layout.Span{Text: " "}, soft(layout.Plain(v.Scenario.Title)))
	}
	if v.Wrong != "" {
		result = []layout.Span{warned(v.Wrong + " ")}
	}
	if v.Unparsed != "" {
		result = append(result, layout.Span{Text: " "}, warned(v.Unparsed))
	}
	ways := []layout.Span{linked("replace it by another run", Query{With: other}.Address())}
	if report := reportAddress(v.Place, v.Files); report != "" {
		ways = append([]layout.Span{linked("report", report), {Text: ", "}}, ways...)
	}
	return []layout.Cell{{Text: letter}, layout.Rich(title...), layout.Rich(result...),
		layout.Rich(separated(settings(&v.Run), " ")...), layout.Rich(ways...)}
}

// A named is what one run has under a name.
type named struct{ name, text string }

// textOf returns what stands under a name first; none if nothing does.
func textOf(all []named, name string) string {
	for _, n := range all {
		if n.name == name {
			return n.text
		}
	}
	return none
}

// joined puts side by side what two runs have under the same names, in the order of the first, and then of the second.
func joined(a, b []named) (all []pair) {
	for _, n := range a {
		all = append(all, pair{Name: n.name, A: n.text, B: textOf(b, n.name)})
	}
	for _, n := range b {
		if textOf(a, n.name) == none {
			all = append(all, pair{Name: n.name, A: none, B: n.text})
		}
	}
	for i := range all {
		all[i].Odd = all[i].A != all[i].B
	}
	return all
}

// pairs returns a table of pairs.
func pairs(heads ...string) *layout.Table {
	return &layout.Table{Columns: layout.Columns(heads...)}
}

// addPair adds a pair; one that differs stands out.
func addPair(t *layout.Table, p pair, a, b layout.Cell, more ...layout.Cell) {
	differs := layout.Cell{}
	if p.Odd {
		t.Marked = append(t.Marked, len(t.Rows))
		differs.Text = "≠"
	}
	t.Rows = append(t.Rows, append([]layout.Cell{{Text: p.Name}, a, b, differs}, more...))
}

func compareVerdicts(d *layout.Document, a, b *onerun.Run) {
	verdictsA, expectA := verdictsOf(a)
	verdictsB, expectB := verdictsOf(b)
	t := pairs("property", "A", "B", "differs", "expected")
	for _, p := range joined(verdictsA, verdictsB) {
		wantA, wantB := textOf(expectA, p.Name), textOf(expectB, p.Name)
		addPair(t, p, verdictCell(p.A, wantA), verdictCell(p.B, wantB), layout.Cell{Text: wanted(wantA, wantB)})
	}
	for _, p := range joined(happenings(a), happenings(b)) {
		addPair(t, p, layout.Cell{Text: p.A}, layout.Cell{Text: p.B}, layout.Cell{Text: "happened"})
	}
	section(d, "verdicts", "Verdicts")
	table(d, "pairs", "Verdicts of both", t)
}

func verdictsOf(r *onerun.Run) (got, expected []named) {
	for _, p := range r.Properties[:min(len(r.Properties), verdictsMost)] {
		got = append(got, named{layout.Plain(p.Name), layout.Plain(p.Verdict)})
		expected = append(expected, named{layout.Plain(p.Name), layout.Plain(p.Expect)})
	}
	return got, expected
}

func happenings(r *onerun.Run) (all []named) {
	for _, h := range r.Sometimes[:min(len(r.Sometimes), verdictsMost)] {
		all = append(all, named{layout.Plain(h.Name), layout.Plain(h.Verdict)})
	}
	return all
}

// wanted describes what was expected of the two.
func wanted(a, b string) string {
	switch {
	case a == b || b == none:
		return a
	case a == none:
		return b
	}
	return a + " in A, " + b + " in B"
}

// compareSettings adds the settings that differ, and the schedules.
func compareSettings(d *layout.Document, a, b *View) {
	section(d, "parameters", "Settings")
	if !a.parsed() || !b.parsed() {
		d.Paragraph("The settings can’t be compared.")
		return
	}
	t, equal, left := pairs("setting", "A", "B"), 0, 0
	for _, p := range joined(valuesOf(a.Scenario), valuesOf(b.Scenario)) {
		switch {
		case !p.Odd:
			equal++
		case len(t.Rows) == parametersMost:
			left++
		default:
			t.Add(p.Name, p.A, p.B)
		}
	}
	if len(t.Rows) > 0 {
		table(d, "pairs", "Settings of both", t)
	}
	said := fmt.Sprintf("%d settings are the same in both.", equal)
	if left > 0 {
		said = fmt.Sprintf("%d more settings differ. %s", left, said)
	}
	d.Paragraph(said)
	lines := &layout.Table{Columns: layout.Columns("A", "B")}
	for i, p := range aligned(schedule(a), schedule(b)) {
		if p.Odd {
			lines.Marked = append(lines.Marked, i)
		}
		lines.Rows = append(lines.Rows, []layout.Cell{codeCell(p.A), codeCell(p.B)})
	}
	if len(lines.Rows) > 0 {
		topic(d, "Schedule of faults")
		table(d, "pairs lines", "Both schedules", lines)
	}
}

func codeCell(text string) layout.Cell {
	if text == "" {
		return layout.Cell{}
	}
	return layout.Rich(code(text))
}

func valuesOf(s *scenarios.Scenario) (all []named) {
	for _, k := range scenarios.Settings(s) {
		all = append(all, named{layout.Plain(k.Key), layout.Plain(k.Get(s))})
	}
	return all
}

func compareFigures(d *layout.Document, a, b []onerun.Figure) {
	a, b = a[:min(len(a), figuresMost)], b[:min(len(b), figuresMost)]
	t := &layout.Table{Columns: layout.Numbers("figure", "A", "B", "differs", "B − A")}
	t.Columns[3].Kind = layout.Left
	for _, p := range joined(figuresOf(a), figuresOf(b)) {
		isThis := func(f onerun.Figure) bool { return layout.Plain(f.Name) == p.Name }
		differ := layout.Cell{}
		if x, y := slices.IndexFunc(a, isThis), slices.IndexFunc(b, isThis); x >= 0 && y >= 0 {
			differ.Text = b[y].Beyond(a[x])
		}
		if p.A != none || p.B != none {
			addPair(t, p, layout.Cell{Text: p.A}, layout.Cell{Text: p.B}, differ)
		}
	}
	section(d, "figures", "Figures")
	table(d, "pairs", "Figures of both", t)
}

func figuresOf(all []onerun.Figure) (texts []named) {
	for _, f := range all {
		texts = append(texts, named{layout.Plain(f.Name), f.Shown()})
	}
	return texts
}

// aligned puts equal lines side by side, as many of them as can be with their order kept. Of very long texts the lines
// stand side by side as they come.
func aligned(a, b []string) (all []pair) {
	const most = 1000
	if len(a) > most || len(b) > most {
		return byNumber(a, b)
	}
	common := longest(a, b)
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			all = append(all, pair{A: a[i], B: b[j]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			all = append(all, pair{A: a[i], Odd: true})
			i++
		default:
			all = append(all, pair{B: b[j], Odd: true})
			j++
		}
	}
	return all
}

// longest returns, for each two ends of the texts, how many lines at most they have in common in order.
func longest(a, b []string) [][]int {
	n := make([][]int, len(a)+1)
	for i := range n {
		n[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			n[i][j] = max(n[i+1][j], n[i][j+1])
			if a[i] == b[j] {
				n[i][j] = n[i+1][j+1] + 1
			}
		}
	}
	return n
}

// byNumber puts lines of the same number side by side.
func byNumber(a, b []string) (all []pair) {
	at := func(lines []string, i int) string {
		if i < len(lines) {
			return lines[i]
		}
		return ""
	}
	for i := range max(len(a), len(b)) {
		all = append(all, pair{A: at(a, i), B: at(b, i), Odd: at(a, i) != at(b, i)})
	}
	return all
}
