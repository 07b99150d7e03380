package theorem

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// A Table says which faults break which promise of each lock. lockstorm-full theorem --format json prints it.
type Table struct {
	SchemaVersion int    `json:"schema_version"`
	Lockstorm     string `json:"lockstorm"`
	Command       string `json:"command"`
	Base          string `json:"base"` // the scenario of every lock
	Locks         []Lock `json:"locks"`
}

// A Lock is one lock with its explorations.
type Lock struct {
	Name     string     `json:"name"`
	About    string     `json:"about"`
	Tokens   string     `json:"tokens_from"`
	Settings []string   `json:"settings"`
	Merged   bool       `json:"merged"` // its states are known, so that a run ends where another continues
	TTL      string     `json:"ttl"`
	Promises []Promise  `json:"promises"`
	Cells    []Explored `json:"cells"`
}

// A Promise says which budgets break one promise.
type Promise struct {
	Name    string   `json:"name"`
	Breaks  []string `json:"breaks"` // the weakest budgets that break it
	Holds   []string `json:"holds"`  // the strongest budgets in which it holds
	Unknown []string `json:"unknown"`

	breaks, holds, unknown []Budget
}

// A Explored is the exploration of one lock within one budget.
type Explored struct {
	Budget    string   `json:"budget"`
	Messages  int      `json:"messages"`
	Faults    []string `json:"faults"`
	Schedules int      `json:"schedules"`
	Merged    int      `json:"merged"`
	States    int      `json:"states"` // 0 if none are known
	Cut       int      `json:"cut"`    // runs that a limit of the scenario cut short
	Broken    []Broken `json:"broken"`
	Command   string   `json:"command"`

	base, flags string // the part of the command that all cells of the lock share, and the rest
}

// A Broken is a promise that broke, and a shortest schedule that breaks it.
type Broken struct {
	Property string   `json:"property"`
	Schedule []string `json:"schedule"`
}

// Add adds a lock with its cells. Words of commands are quoted by quote.
func (t *Table) Add(s *Subject, cells []Cell, quote func(string) string) error {
	sc, err := s.Scenario(&cells[0].Budget)
	if err != nil {
		return err
	}
	l := Lock{Name: s.Name, About: s.About, Tokens: sc.TokensFrom(), Settings: s.Settings(), TTL: s.TTL.String(),
		Promises: promises(cells)}
	for i := range cells {
		c := newExplored(s, &cells[i], quote)
		l.Merged = l.Merged || c.States > 0
		l.Cells = append(l.Cells, c)
	}
	t.Locks = append(t.Locks, l)
	return nil
}

func newExplored(s *Subject, c *Cell, quote func(string) string) Explored {
	n := c.Extent()
	base, own := s.Args(&c.Budget)
	cell := Explored{
		Budget: c.Budget.String(), Messages: c.Budget.Messages, Faults: append([]string{}, c.Budget.Hazards...),
		Schedules: n.Schedules, Merged: n.Merged,
		States: n.States, Cut: n.Unknown, Broken: []Broken{}, base: "lockstorm explore " + quoted(base, quote),
		flags: quoted(own, quote),
	}
	cell.Command = cell.base + " " + cell.flags
	for _, v := range c.Report.Verdicts {
		if v.Verdict != checker.Violated {
			continue
		}
		b := Broken{v.Property, []string{}}
		for _, f := range v.Schedule {
			b.Schedule = append(b.Schedule, f.String())
		}
		cell.Broken = append(cell.Broken, b)
	}
	return cell
}

func quoted(args []string, quote func(string) string) string {
	var words []string
	for _, a := range args {
		words = append(words, quote(a))
	}
	return strings.Join(words, " ")
}

func named(all []Budget) []string {
	names := []string{}
	for i := range all {
		names = append(names, all[i].String())
	}
	return names
}

// together lists budgets. Budgets with the same number of messages share a clause.
func together(all []Budget) string {
	if len(all) == 0 {
		return "–"
	}
	var clauses []string
	for messages := 3; messages >= 0; messages-- {
		var faults []string
		for _, b := range all {
			switch {
			case b.Messages != messages:
			case len(b.Hazards) == 0:
				clauses = append(clauses, b.String())
			default:
				faults = append(faults, strings.Join(b.Hazards, " and "))
			}
		}
		if clause := either(faults); clause != "" && messages > 0 {
			clauses = append(clauses, wording.Count(messages, "message", "messages")+" with "+clause)
		} else if clause != "" {
			clauses = append(clauses, clause)
		}
	}
	return strings.Join(clauses, "; ")
}

// either lists alternatives.
func either(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, "")
}

// held describes where a promise holds.
func (r *Promise) held() string {
	if len(r.breaks)+len(r.unknown) == 0 {
		return "every explored budget"
	}
	return together(r.holds)
}

// limits says what the table shows and what it can't, a paragraph each.
var limits = []string{
	"Each cell is one exploration: every schedule of two clients, with one turn each, within its " +
		"budget. \"Holds with\" is a statement about all of these schedules. \"Breaks with\" is a statement " +
		"about one, which lockstorm run repeats.",
	"A message may be late by a tick, by more than its timeout or by more than the life of the lock. It may " +
		"come after everything else in its tick, or be lost. A fault may happen once, at any mark of a client, to " +
		"any host of its kind. Restarted servers have what their persistence kept: nothing, unless the lock " +
		"says " + onDisk + ".",
	"One budget is within another if each of its schedules is also a schedule of the other. A jump is within a " +
		"message and a jump. A jump and a pause are not within each other. The table names the weakest budgets that " +
		"break a promise, and the strongest in which it holds. It compares only explored budgets.",
	"A grid of times can't show differences of less than a tick that add up over many messages, faults between " +
		"two marks, other numbers of clients, servers or cycles, or other times. A drift moves the expiry of " +
		"keys by parts of a tick. The README of the package scenarios/campaign/explore argues why the grid loses little of " +
		"Redlock's arithmetic. Its folder tla has specifications in TLA+, from which TLC finds the same in 21 universes.",
	"Where Lockstorm knows the states of a lock, a run ends at a state that another schedule continues from. " +
		"Where it does not, which the cells of the lock say, all schedules run to their end, and budgets are small. " +
		"Elections and tokens follow from seed 1. Fencing tokens from a perfect counter never fail, and no real system " +
		"has one. Promises of liveness (deadlock-free, fault-tolerant) are not judged.",
}

const onDisk = "persistence=aof-always"

func hazards() *reports.Table {
	t := &reports.Table{Columns: []reports.Column{{Head: "fault"}, {Head: "where a lock lives for 20 ms", Kind: "prose"}}}
	for i := range Hazards {
		s := &Hazards[i]
		t.Add(s.Name, strings.Join(s.Lines(20*time.Millisecond, "nodes"), ", or "))
	}
	return t
}

// Document returns the table: on a screen a sentence for each promise, on a page a table of each lock with its cells.
// Markdown has these only if the table is of one lock.
func (t *Table) Document() *reports.Document {
	d := &reports.Document{Title: "Exhaustive results", Data: t,
		Foot: "Made by Lockstorm " + t.Lockstorm + ".", Rows: t.rows()}
	d.Add(reports.Block{Kind: "title", Words: reports.Words(d.Title), In: reports.Marked})
	d.Add(reports.Block{Words: []reports.Span{{Text: "For readers who want to know what holds in every schedule, not only in " +
		"random ones. After this page you can look up which faults break which promise of a lock, and repeat each result. "},
		{Text: t.Command, Look: "code"}, {Text: " makes this page."}}, In: pages})
	d.Add(reports.Block{Words: []reports.Span{{Text: "The glossary", Link: "../../glossary.md"}, {Text: " defines the terms, "},
		{Text: "Explorations", Link: "README.md"}, {Text: " describes the command, and "}, {Text: "theorem.csv", Link: "theorem.csv"},
		{Text: " has every cell."}}, In: reports.Marked})
	d.Add(reports.Block{Kind: "heading", Words: reports.Words("What this shows, and what it can't"), In: reports.Page})
	d.Paragraph(gridHead)
	d.Table("", t.grid())
	d.Table("", t.letters())
	for _, text := range limits {
		d.Paragraph(text)
	}
	d.Table("", hazards())
	contents := reports.Block{Kind: "contents"}
	for i := range t.Locks {
		contents.Links = append(contents.Links, reports.Link{Text: t.Locks[i].Name, To: fmt.Sprintf("#l%d", i+1)})
	}
	d.Add(reports.Block{Kind: "heading", Words: reports.Words("Locks"), In: reports.Page})
	d.Add(contents)
	in := reports.Page
	if len(t.Locks) == 1 { // Markdown of several locks would be a book
		in = pages
	}
	for i := range t.Locks {
		t.Locks[i].add(d, i, in)
	}
	return d
}

const pages = reports.Marked | reports.Page

// add adds a lock to the document.
func (l *Lock) add(d *reports.Document, i int, in reports.Media) {
	about := l.About + wording.TokensFrom(l.Tokens)
	sentences := &reports.Table{Bare: true, Columns: []reports.Column{{}, {Kind: "prose"}}}
	for _, p := range l.Promises {
		sentences.Add(p.Name, p.sentence())
	}
	for _, b := range []reports.Block{
		{Words: reports.Words(l.Name + ": " + about), In: reports.Terminal},
		{Kind: "rows", Table: sentences, In: reports.Terminal, Close: true},
		{Words: reports.Words(l.how()), In: reports.Terminal},
		{Kind: "rows", Table: l.cells(), In: reports.Terminal, Close: true},
		{Kind: "command", Words: reports.Words("with the flags of a line repeats it:"), Command: l.Cells[0].base,
			In: reports.Terminal, Close: true},

		{Kind: "heading", Words: reports.Words(l.Name), ID: fmt.Sprintf("l%d", i+1), In: in},
		{Words: reports.Words(wording.Capital(about) + "."), In: in},
		{Kind: "rows", Table: l.promises(), In: in},
		{Kind: "details", Words: reports.Words(l.counts()), In: in, Blocks: l.details()},
	} {
		d.Add(b)
	}
}

// details are the cells: as Markdown a table, on a page one after the other, with what breaks and the command that shows it.
func (l *Lock) details() (all []reports.Block) {
	cells := l.cells()
	cells.Columns[4].Kind = "code"
	all = append(all, reports.Block{Kind: "command", Command: l.Cells[0].base + " …", In: reports.Marked},
		reports.Block{Kind: "rows", Table: cells, In: reports.Marked})
	for i := range l.Cells {
		c := &l.Cells[i]
		all = append(all, reports.Block{Kind: "topic", Words: reports.Words(c.Budget), In: reports.Page},
			reports.Block{Words: reports.Words(c.counted()), In: reports.Page})
		for _, b := range c.Broken {
			words := []reports.Span{{Text: b.Property, Class: "violated"}, {Text: " breaks under "}}
			for k, f := range b.Schedule {
				if k > 0 {
					words = append(words, reports.Span{Text: ", "})
				}
				words = append(words, reports.Span{Text: f, Look: "code"})
			}
			if len(b.Schedule) == 0 {
				words = append(words, reports.Span{Text: "no fault"})
			}
			all = append(all, reports.Block{Words: words, In: reports.Page})
		}
		all = append(all, reports.Block{Kind: "command", Command: c.Command, In: reports.Page})
	}
	return all
}

// counted describes how a cell was explored.
func (c *Explored) counted() string {
	text := wording.Grouped(c.Schedules) + " schedules, run without merging."
	if c.States > 0 {
		text = wording.Grouped(c.Schedules) + " schedules, " + wording.Grouped(c.States) + " states."
	}
	if len(c.Broken) == 0 {
		text += " Nothing breaks."
	}
	if c.Cut > 0 {
		text += fmt.Sprintf(" %d runs were cut short, so no promise is said to hold.", c.Cut)
	}
	return text
}

// rows returns a row for each cell.
func (t *Table) rows() *reports.Table {
	x := &reports.Table{Columns: reports.Columns("lock", "budget", "schedules", "states", "cut", "breaks", "command")}
	for _, l := range t.Locks {
		for _, c := range l.Cells {
			var names []string
			for _, b := range c.Broken {
				names = append(names, b.Property)
			}
			x.Add(l.Name, c.Budget, strconv.Itoa(c.Schedules), strconv.Itoa(c.States), strconv.Itoa(c.Cut), strings.Join(names, " "), c.Command)
		}
	}
	return x
}

func (r *Promise) sentence() string {
	var parts []string
	if len(r.breaks) > 0 {
		parts = append(parts, "breaks with "+together(r.breaks))
	}
	if len(r.holds) > 0 {
		parts = append(parts, "holds with "+r.held())
	}
	if len(r.unknown) > 0 {
		parts = append(parts, "unknown with "+together(r.unknown))
	}
	return strings.Join(parts, " · ")
}

// how returns the words for whether equal states were merged.
func (l *Lock) how() string {
	if l.Merged {
		return "Explored, merging equal states:"
	}
	return "Explored, without merging, because Lockstorm does not know everything that this lock or its platform remembers:"
}

func (l *Lock) cells() *reports.Table {
	t := &reports.Table{Columns: []reports.Column{
		{Head: "budget"}, {Head: "schedules", Kind: "number"}, {Head: "states", Kind: "number"},
		{Head: "breaks", Kind: "table"}, {Head: "flags", Kind: "prose"},
	}}
	for i := range l.Cells {
		c := &l.Cells[i]
		t.Add(c.Budget, wording.Grouped(c.Schedules), c.states(), c.breaks(), c.flags)
	}
	return t
}

// states is how many states there were, or a dash where none are known.
func (c *Explored) states() string {
	if c.States == 0 {
		return "–"
	}
	return wording.Grouped(c.States)
}

func (c *Explored) breaks() string {
	var names []string
	for _, b := range c.Broken {
		names = append(names, b.Property)
	}
	if c.Cut > 0 {
		names = append(names, fmt.Sprintf("unknown otherwise, because %s cut short", wording.Count(c.Cut, "run was", "runs were")))
	}
	if names == nil {
		return "–"
	}
	return strings.Join(names, ", ")
}

func (l *Lock) promises() *reports.Table {
	t := &reports.Table{Columns: reports.Columns("promise", "breaks with", "holds with"), Terms: true}
	for _, p := range l.Promises {
		holds := p.held()
		if len(p.unknown) > 0 {
			holds += "; unknown with " + together(p.unknown)
		}
		t.Rows = append(t.Rows, []reports.Cell{{Text: p.Name}, {Text: together(p.breaks), Ink: reports.RedInk},
			{Text: holds, Ink: reports.GreenInk}})
	}
	return t
}

// counts sums up the cells of a lock.
func (l *Lock) counts() string {
	schedules, states := 0, 0
	for _, c := range l.Cells {
		schedules, states = schedules+c.Schedules, states+c.States
	}
	text := fmt.Sprintf("%d cells, %s schedules", len(l.Cells), wording.Grouped(schedules))
	if l.Merged {
		return text + ", " + wording.Grouped(states) + " states"
	}
	return text + ", without merging"
}
