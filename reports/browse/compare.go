package browse

import (
	"slices"

	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/reports/onerun"
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
	Letter, Title, Place, Link, Report, Timeline string
	Standing, Word, About, Wrong, Unparsed, List string
	Settings                                     []string
}

// A pair is a line of a table: what one run has, and what the other.
type pair struct {
	Name         string
	A, B         string
	ClassA       string
	ClassB       string
	Want, Differ string
	Odd          bool // the two are not the same
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
	s := side{
		Letter: letter, Title: v.title(), Place: layout.Plain(v.Place), Link: address("run", v.Place), Wrong: v.Wrong, Unparsed: v.Unparsed,
		Standing: v.standing(), Word: word(v.standing()), Settings: settings(&v.Run), List: Query{With: other}.address(),
	}
	if v.Picture {
		s.Timeline = address("timeline", v.Place)
	}
	for _, f := range v.Files {
		if f.Name == onerun.PageFile {
			s.Report = fileAddress(v.Place, f)
		}
	}
	if v.Scenario != nil && v.Unparsed == "" {
		s.About = layout.Plain(v.Scenario.Title)
	}
	return s
}

// joined puts side by side what two runs have under the same names, in the order of the first, and then of the second.
func joined[T any](a, b []T, name func(T) string, show func(a, b *T) pair) (all []pair) {
	inA, inB := places(a, name), places(b, name)
	for i := range a {
		if k, ok := inB[name(a[i])]; ok {
			all = append(all, show(&a[i], &b[k]))
		} else {
			all = append(all, show(&a[i], nil))
		}
	}
	for i := range b {
		if _, ok := inA[name(b[i])]; !ok {
			all = append(all, show(nil, &b[i]))
		}
	}
	return all
}

// places returns where each name stands first.
func places[T any](in []T, name func(T) string) map[string]int {
	at := map[string]int{}
	for i := len(in) - 1; i >= 0; i-- {
		at[name(in[i])] = i
	}
	return at
}

// judge fills in the verdicts, and what happened.
func (c *comparison) judge(a, b *onerun.Run) {
	first := func(n int) int { return min(n, verdictsMost) }
	c.Verdicts = joined(a.Properties[:first(len(a.Properties))], b.Properties[:first(len(b.Properties))],
		func(p onerun.Property) string { return p.Name },
		func(a, b *onerun.Property) pair {
			p, expect := pair{A: none, B: none, ClassA: "soft", ClassB: "soft"}, [2]string{}
			if a != nil {
				p.Name, p.A, p.ClassA, expect[0] = layout.Plain(a.Name), layout.Plain(a.Verdict), class(a.Verdict), layout.Plain(a.Expect)
			}
			if b != nil {
				p.Name, p.B, p.ClassB, expect[1] = layout.Plain(b.Name), layout.Plain(b.Verdict), class(b.Verdict), layout.Plain(b.Expect)
			}
			p.Want, p.Odd = wanted(expect), p.A != p.B
			return p
		})
	c.Happened = joined(a.Sometimes[:first(len(a.Sometimes))], b.Sometimes[:first(len(b.Sometimes))],
		func(h onerun.Happened) string { return h.Name },
		func(a, b *onerun.Happened) pair {
			p := pair{A: none, B: none}
			if a != nil {
				p.Name, p.A = layout.Plain(a.Name), layout.Plain(a.Verdict)
			}
			if b != nil {
				p.Name, p.B = layout.Plain(b.Name), layout.Plain(b.Verdict)
			}
			p.Odd = p.A != p.B
			return p
		})
}

// wanted says what was expected of the two.
func wanted(of [2]string) string {
	switch {
	case of[0] == of[1] || of[1] == "":
		return of[0]
	case of[0] == "":
		return of[1]
	}
	return of[0] + " in A, " + of[1] + " in B"
}

// set fills in the parameters that differ.
func (c *comparison) set(a, b *View) {
	if a.Scenario == nil || b.Scenario == nil || a.Unparsed != "" || b.Unparsed != "" {
		return
	}
	all := joined(scenarios.Settings(a.Scenario), scenarios.Settings(b.Scenario),
		func(s scenarios.Setting) string { return s.Key },
		func(x, y *scenarios.Setting) pair {
			p := pair{A: none, B: none}
			if x != nil {
				p.Name, p.A = x.Key, layout.Plain(x.Get(a.Scenario))
			}
			if y != nil {
				p.Name, p.B = y.Key, layout.Plain(y.Get(b.Scenario))
			}
			return p
		})
	for _, p := range all {
		switch {
		case p.A == p.B:
			c.Equal++
			continue
		case len(c.Parameters) == parametersMost:
			c.Left++
			continue
		}
		p.Name = layout.Plain(p.Name)
		c.Parameters = append(c.Parameters, p)
	}
}

// measure fills in the figures.
func (c *comparison) measure(a, b []onerun.Figure) {
	c.Figures = joined(a[:min(len(a), figuresMost)], b[:min(len(b), figuresMost)], func(f onerun.Figure) string { return f.Name },
		func(a, b *onerun.Figure) pair {
			p := pair{A: none, B: none}
			if a != nil {
				p.Name, p.A = a.Name, a.Shown()
			}
			if b != nil {
				p.Name, p.B = b.Name, b.Shown()
			}
			if a != nil && b != nil {
				p.Differ = b.Beyond(*a)
			}
			p.Name, p.Odd = layout.Plain(p.Name), p.A != p.B
			return p
		})
	c.Figures = slices.DeleteFunc(c.Figures, func(p pair) bool { return p.A == none && p.B == none })
}

// aligned puts equal lines side by side, as many of them as can be with their order kept. Of very long texts the lines
// stand side by side as they come.
func aligned(a, b []string) (all []pair) {
	const most = 1000
	if len(a) > most || len(b) > most {
		return asTheyCome(a, b)
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

// longest gives, for each two ends of the texts, how many lines at most they have in common in order.
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

func asTheyCome(a, b []string) (all []pair) {
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
