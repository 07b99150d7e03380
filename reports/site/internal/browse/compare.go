package browse

import (
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/runs"
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
func ComparePage(a, b View) *reports.Document {
	d := newPage("Two runs side by side")
	sides := &reports.Table{Columns: reports.Columns("", "run", "result", "changed settings", "")}
	sides.Rows = [][]reports.Cell{a.side("A", b.Place), b.side("B", a.Place)}
	table(d, "", "The two runs", sides)
	if a.Wrong == "" && b.Wrong == "" && a.Run.Hash == b.Run.Hash && a.Run.Hash != "" {
		d.Add(reports.Block{Class: "note",
			Words: reports.Words("Both left the same history and trace: they are the same run.")})
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
func (v *View) side(letter, other string) []reports.Cell {
	title := []reports.Span{linked(v.title(), address("run", v.Place))}
	result := []reports.Span{standing(v.standing())}
	if v.parsed() {
		title = append(title, reports.Span{Text: " "}, soft(wording.Plain(v.Scenario.Title)))
	}
	if v.Wrong != "" {
		result = []reports.Span{warned(v.Wrong + " ")}
	}
	if v.Unparsed != "" {
		result = append(result, reports.Span{Text: " "}, warned(v.Unparsed))
	}
	ways := []reports.Span{linked("replace it by another run", Query{With: other}.Address())}
	if report := reportAddress(v.Place, v.Files); report != "" {
		ways = append([]reports.Span{linked("report", report), {Text: ", "}}, ways...)
	}
	return []reports.Cell{{Text: letter}, reports.Rich(title...), reports.Rich(result...),
		reports.Rich(separated(settings(&v.Run), " ")...), reports.Rich(ways...)}
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
func pairs(heads ...string) *reports.Table {
	return &reports.Table{Columns: reports.Columns(heads...)}
}

// addPair adds a pair; one that differs stands out.
func addPair(t *reports.Table, p pair, a, b reports.Cell, more ...reports.Cell) {
	differs := reports.Cell{}
	if p.Odd {
		t.Marked = append(t.Marked, len(t.Rows))
		differs.Text = "≠"
	}
	t.Rows = append(t.Rows, append([]reports.Cell{{Text: p.Name}, a, b, differs}, more...))
}

func compareVerdicts(d *reports.Document, a, b *runs.Run) {
	verdictsA, expectA := verdictsOf(a)
	verdictsB, expectB := verdictsOf(b)
	t := pairs("property", "A", "B", "differs", "expected")
	for _, p := range joined(verdictsA, verdictsB) {
		wantA, wantB := textOf(expectA, p.Name), textOf(expectB, p.Name)
		addPair(t, p, verdictCell(p.A, wantA), verdictCell(p.B, wantB), reports.Cell{Text: wanted(wantA, wantB)})
	}
	for _, p := range joined(happenings(a), happenings(b)) {
		addPair(t, p, reports.Cell{Text: p.A}, reports.Cell{Text: p.B}, reports.Cell{Text: "happened"})
	}
	section(d, "verdicts", "Verdicts")
	table(d, "pairs", "Verdicts of both", t)
}

func verdictsOf(r *runs.Run) (got, expected []named) {
	for _, p := range r.Properties[:min(len(r.Properties), verdictsMost)] {
		got = append(got, named{wording.Plain(p.Name), wording.Plain(p.Verdict)})
		expected = append(expected, named{wording.Plain(p.Name), wording.Plain(p.Expect)})
	}
	return got, expected
}

func happenings(r *runs.Run) (all []named) {
	for _, h := range r.Sometimes[:min(len(r.Sometimes), verdictsMost)] {
		all = append(all, named{wording.Plain(h.Name), wording.Plain(h.Verdict)})
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
func compareSettings(d *reports.Document, a, b *View) {
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
	lines := &reports.Table{Columns: reports.Columns("A", "B")}
	for i, p := range aligned(schedule(a), schedule(b)) {
		if p.Odd {
			lines.Marked = append(lines.Marked, i)
		}
		lines.Rows = append(lines.Rows, []reports.Cell{codeCell(p.A), codeCell(p.B)})
	}
	if len(lines.Rows) > 0 {
		topic(d, "Schedule of faults")
		table(d, "pairs lines", "Both schedules", lines)
	}
}

func codeCell(text string) reports.Cell {
	if text == "" {
		return reports.Cell{}
	}
	return reports.Rich(code(text))
}

func valuesOf(s *scenarios.Scenario) (all []named) {
	for _, k := range scenarios.Settings(s) {
		all = append(all, named{wording.Plain(k.Key), wording.Plain(k.Get(s))})
	}
	return all
}

func compareFigures(d *reports.Document, a, b []runs.Figure) {
	a, b = a[:min(len(a), figuresMost)], b[:min(len(b), figuresMost)]
	t := &reports.Table{Columns: reports.Numbers("figure", "A", "B", "differs", "B − A")}
	t.Columns[3].Kind = ""
	for _, p := range joined(figuresOf(a), figuresOf(b)) {
		isThis := func(f runs.Figure) bool { return wording.Plain(f.Name) == p.Name }
		differ := reports.Cell{}
		if x, y := slices.IndexFunc(a, isThis), slices.IndexFunc(b, isThis); x >= 0 && y >= 0 {
			differ.Text = b[y].Beyond(a[x])
		}
		if p.A != none || p.B != none {
			addPair(t, p, reports.Cell{Text: p.A}, reports.Cell{Text: p.B}, differ)
		}
	}
	section(d, "figures", "Figures")
	table(d, "pairs", "Figures of both", t)
}

func figuresOf(all []runs.Figure) (texts []named) {
	for _, f := range all {
		texts = append(texts, named{wording.Plain(f.Name), f.Shown()})
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
