package browse

import (
	"fmt"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// Index returns the list of a store, as far as a query asks for it.
func Index(s Store, q Query) *reports.Document {
	d := newPage("Runs and campaigns in " + wording.Plain(s.Name))
	d.Frame.Up = reports.Link{}
	d.Paragraph(summary(s))
	if s.Cut {
		d.Rich(warned("The store is too large to be searched completely; it has more than is shown."))
	}
	if len(s.Campaigns) > 0 {
		section(d, "campaigns", "Campaigns")
		table(d, "stack", "Campaigns", campaignTable(s.Campaigns))
	}
	section(d, "runs", "Runs")
	if len(s.Runs) == 0 {
		d.Rich(reports.Span{Text: "There are no runs here. "}, code("lockstorm run kleppmann/gc-pause"),
			reports.Span{Text: " makes one."})
		return d
	}
	q.ask(d, s.Runs)
	q.list(d, s.Runs)
	return d
}

// ask adds the form that narrows and sorts the list.
func (q Query) ask(d *reports.Document, runs []Run) {
	f := form{action: "/", class: "tools", role: "search", button: "Show", fields: []field{
		{"verdict", "Verdict", q.Verdict, verdicts},
		{"property", "Violated", q.Property, properties()},
		{"text", "Contains", q.Text, nil},
		{"sort", "Sort by", q.Sort, sorts},
	}}
	if q.isNarrow() {
		f.words = []reports.Span{linked("Show all", Query{With: q.With, Page: 1}.Address()), {Text: " "}}
	}
	if q.With != "" {
		f.fields = append(f.fields, field{name: "with", value: escape(q.With)})
		without := q
		without.With = ""
		d.Add(reports.Block{Class: "note", Words: []reports.Span{{Text: "Choose the run to compare "},
			{Text: q.beside(runs), Look: "bold", Class: "foreign"}, {Text: " with, or "}, linked("cancel", without.Address()),
			{Text: "."}}})
	}
	d.Add(f.block())
}

// beside names the run of the query's With, which another run is to be compared with.
func (q Query) beside(runs []Run) string {
	for i := range runs {
		if runs[i].Place == q.With && runs[i].Wrong == "" {
			return fmt.Sprintf("%s, seed %d", runs[i].Scenario, runs[i].Seed)
		}
	}
	return wording.Plain(q.With)
}

// list adds the runs that are asked for: a page of them, and the ways to the others. Two that are ticked can be compared.
func (q Query) list(d *reports.Document, runs []Run) {
	chosen := q.choose(runs)
	pages := Pages(len(chosen))
	q.Page = q.onPage(len(chosen))
	from, to := q.Window(len(chosen))
	shown := fmt.Sprintf("%s %s", wording.Grouped(len(chosen)), wording.Either(len(chosen), "run", "runs"))
	if pages > 1 {
		shown = fmt.Sprintf("Runs %s to %s of %s", wording.Grouped(from+1), wording.Grouped(to), wording.Grouped(len(chosen)))
	}
	f := form{action: "/compare", words: []reports.Span{{Text: shown + " "}}}
	if from < to {
		t := &reports.Table{Columns: []reports.Column{{Head: "scenario"}, {Head: "seed", Kind: "number"}, {Head: "result"},
			{Head: "violated"}, {Head: "changed settings"}}}
		for i := range chosen[from:to] {
			t.Rows = append(t.Rows, lineOf(&chosen[from+i], q.With))
		}
		f.table = &reports.Block{Kind: "rows", Table: t, Class: "stack", Label: "Runs"}
		if q.With == "" {
			f.button = "Compare the two selected runs"
		}
	}
	d.Add(f.block())
	earlier, later := q, q
	earlier.Page, later.Page = q.Page-1, q.Page+1
	var turn [2]reports.Span
	if earlier.Page > 0 {
		turn[0] = linked("← Earlier", earlier.Address())
	}
	if later.Page <= pages {
		turn[1] = linked("Later →", later.Address())
	}
	tools(d, turn[:]...)
}

func summary(s Store) string {
	n := map[string]int{}
	for i := range s.Runs {
		if s.Runs[i].Unread { // then no verdict is counted
			clear(n)
			break
		}
		n[s.Runs[i].standing()]++
	}
	text := fmt.Sprintf("%s %s", wording.Grouped(len(s.Runs)), wording.Either(len(s.Runs), "run", "runs"))
	between := ": "
	for _, v := range verdicts[1:] {
		if n[v.value] > 0 {
			text += between + wording.Grouped(n[v.value]) + " " + v.words
			between = ", "
		}
	}
	return text + fmt.Sprintf(". %s %s.", wording.Grouped(len(s.Campaigns)),
		wording.Either(len(s.Campaigns), "campaign", "campaigns"))
}

// lineOf returns the line of a run: with a box to tick, or with the way to compare it with another.
func lineOf(r *Run, with string) []reports.Cell {
	name, at := r.Scenario, ""
	if r.Wrong != "" {
		name = wording.Plain(r.Place)
	} else if r.Place != fmt.Sprintf("%s/%d", r.Scenario, r.Seed) {
		at = " in " + wording.Plain(r.Place)
	}
	words := []reports.Span{linked(name, address("run", r.Place)), soft(at)}
	if r.Wrong != "" {
		return []reports.Cell{reports.Rich(words...), {}, reports.Rich(warned("can’t be read")), reports.Rich(soft(r.Wrong)), {}}
	}
	switch {
	case with == "":
		words = append([]reports.Span{tick("run", escape(r.Place), fmt.Sprintf("%s, seed %d", name, r.Seed))}, words...)
	case with != r.Place:
		words = append(words, reports.Span{Text: " "}, button("compare", besides(with, r.Place)))
	}
	return []reports.Cell{reports.Rich(words...), {Text: fmt.Sprint(r.Seed)}, reports.Rich(standing(r.standing())),
		reports.Rich(chips(r)...), reports.Rich(separated(r.Settings, " ")...)}
}

// chips returns the properties that did not hold, and those that should not have.
func chips(r *Run) (all []reports.Span) {
	odd := map[string]bool{}
	for _, name := range r.Odd {
		odd[name] = true
	}
	add := func(names []string, says string) {
		for _, name := range names {
			chip := reports.Span{Text: name + says, Class: "chip"}
			if odd[name] {
				chip.Text, chip.Class = chip.Text+", not as expected", "chip odd"
			}
			all = append(all, chip, reports.Span{Text: " "})
			delete(odd, name)
		}
	}
	add(r.Violated, "")
	add(r.Unknown, " unknown")
	for _, name := range r.Odd {
		if odd[name] {
			add([]string{name}, " holds")
		}
	}
	if len(all) == 0 {
		all = append(all, soft("nothing"))
	}
	return all
}

func word(standing string) string {
	for _, v := range verdicts {
		if v.value == standing && standing != "" {
			return v.words
		}
	}
	return "unknown"
}

func campaignTable(all []Campaign) *reports.Table {
	t := &reports.Table{Columns: reports.Columns("campaign", "scenario", "runs", "with a violation")}
	for i := range all {
		c := &all[i]
		first := reports.Rich(linked(wording.Plain(c.Place), address("campaign", c.Place)))
		if c.Wrong != "" {
			t.Rows = append(t.Rows, []reports.Cell{first, reports.Rich(warned("can’t be read "), soft(c.Wrong)), {}, {}})
			continue
		}
		t.Rows = append(t.Rows, []reports.Cell{first, {Text: c.Kind + " of " + c.Scenario}, {Text: c.seeds()}, {Text: c.broken()}})
	}
	return t
}

func (c *Campaign) seeds() string {
	switch {
	case c.Of == 0:
		return ""
	case c.Cells > 1:
		return fmt.Sprintf("%s cells of %s runs, from seed %d", wording.Grouped(c.Cells), wording.Grouped(c.Runs), c.First)
	}
	return fmt.Sprintf("%s %s, from seed %d", wording.Grouped(c.Runs), wording.Either(c.Runs, "run", "runs"), c.First)
}

// broken describes how many runs of a campaign violate something.
func (c *Campaign) broken() string {
	if !c.Counted {
		if c.Of == 0 {
			return "no rows kept"
		}
		return "counted on its page"
	}
	runs, broken := 0, 0
	for _, t := range c.Tallies {
		runs, broken = runs+t.Runs, broken+t.Broken
	}
	return fmt.Sprintf("%s of %s runs", wording.Grouped(broken), wording.Grouped(runs))
}
