package browse

import (
	"slices"

	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/reports/internal/onerun"
	"github.com/lockstorm/lockstorm/scenarios"
)

// comparison is what the page of two runs shows.
type comparison struct {
	Sides      [2]side
	Same       bool // both left the same history and trace
	Verdicts   []pair
	Happened   []pair
	Parameters []pair
	Equal      int // parameters that are
	Left       int // parameters that differ, and are not shown
	Schedule   []pair
	Figures    []pair
	Swap       string
}

// A side is one of the two.
type side struct {
	heading
	Letter, Link string
}

// A pair is a line of a table: what one run has, and what the other.
type pair struct {
	Name, A, B     string
	ClassA, ClassB string
	Want, Differ   string
	Odd            bool // the two are not the same
}

// parametersMost is how many parameters are shown that differ.
const parametersMost = 300

// none stands where only the other run has something.
const none = "-"

// ComparePage returns two runs side by side.
func ComparePage(a, b View) []byte {
	c := comparison{
		Sides: [2]side{sideOf("A", &a, b.Place), sideOf("B", &b, a.Place)}, Swap: besides(b.Place, a.Place),
		Same: a.Wrong == "" && b.Wrong == "" && a.Run.Hash == b.Run.Hash && a.Run.Hash != "",
	}
	c.judge(&a.Run, &b.Run)
	c.set(&a, &b)
	c.Schedule = aligned(schedule(&a), schedule(&b))
	c.measure(a.Run.Figures, b.Run.Figures)
	return render("compare", c)
}

func sideOf(letter string, v *View, other string) side {
	return side{heading: v.heading(Query{With: other}), Letter: letter, Link: address("run", v.Place)}
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

func (c *comparison) judge(a, b *onerun.Run) {
	verdictsA, expectA := verdictsOf(a)
	verdictsB, expectB := verdictsOf(b)
	c.Verdicts = joined(verdictsA, verdictsB)
	for i := range c.Verdicts {
		p := &c.Verdicts[i]
		wantA, wantB := textOf(expectA, p.Name), textOf(expectB, p.Name)
		p.ClassA, p.ClassB, p.Want = class(p.A, wantA), class(p.B, wantB), wanted(wantA, wantB)
	}
	c.Happened = joined(happenings(a), happenings(b))
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

// set fills in the parameters that differ.
func (c *comparison) set(a, b *View) {
	if a.Scenario == nil || b.Scenario == nil || a.Unparsed != "" || b.Unparsed != "" {
		return
	}
	for _, p := range joined(valuesOf(a.Scenario), valuesOf(b.Scenario)) {
		switch {
		case !p.Odd:
			c.Equal++
		case len(c.Parameters) == parametersMost:
			c.Left++
		default:
			c.Parameters = append(c.Parameters, p)
		}
	}
}

func valuesOf(s *scenarios.Scenario) (all []named) {
	for _, k := range scenarios.Settings(s) {
		all = append(all, named{layout.Plain(k.Key), layout.Plain(k.Get(s))})
	}
	return all
}

func (c *comparison) measure(a, b []onerun.Figure) {
	a, b = a[:min(len(a), figuresMost)], b[:min(len(b), figuresMost)]
	c.Figures = joined(figuresOf(a), figuresOf(b))
	for i := range c.Figures {
		p := &c.Figures[i]
		isThis := func(f onerun.Figure) bool { return layout.Plain(f.Name) == p.Name }
		if x, y := slices.IndexFunc(a, isThis), slices.IndexFunc(b, isThis); x >= 0 && y >= 0 {
			p.Differ = b[y].Beyond(a[x])
		}
	}
	c.Figures = slices.DeleteFunc(c.Figures, func(p pair) bool { return p.A == none && p.B == none })
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
