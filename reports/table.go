package reports

import (
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// A Table is rows of cells below heads, with a form for each place where it is read.
type Table struct {
	Columns []Column
	Rows    [][]Cell

	Bare   bool // without heads in text
	Narrow bool // in text, heads and first cells of several words are on two lines, and columns are close together
	Terms  bool // as HTML, a list: first cells are terms, and the others, below their heads, describe them
	Long   bool // as HTML, one that scrolls, and that is left out in print if it has many rows

	tight bool // in text, a narrow table has no room for the long words of its heads

	Marked  []int   // as HTML, the highlighted rows
	Moments []int64 // as HTML, a list of instants, of these nanoseconds, and of what happened then
}

// A Column is what the cells below one head have in common. Its Kind is one of these words, or "" for words to the left:
//
//	number         to the right, in text
//	code           code, in Markdown
//	prose          a last column that continues below itself, in text
//	cut            a last column that ends where the line ends, in text
//	text           left out of Markdown and CSV
//	table          left out of text
//	wordy          left out of a narrow page
type Column struct {
	Head  string
	Kind  string
	Least int // as text, it is at least so wide
}

// A Cell is one place of a table.
type Cell struct {
	Text    string
	Ink     Ink
	Strong  bool   // bold in Markdown
	Words   []Span // what pages have in place of the text
	Command string // that shows more
	Link    string // on pages
	Class   string // on pages, in place of the ink
}

// Rich returns a cell of words that have looks on pages.
func Rich(words ...Span) Cell {
	b := Block{Words: words}
	return Cell{Text: b.text(), Words: words}
}

// Columns returns columns of words with these heads.
func Columns(heads ...string) (all []Column) {
	for _, h := range heads {
		all = append(all, Column{Head: h})
	}
	return all
}

// Numbers returns columns; all but the first are numbers.
func Numbers(heads ...string) []Column {
	all := Columns(heads...)
	for i := range all[1:] {
		all[i+1].Kind = "number"
	}
	return all
}

// Add adds a row.
func (t *Table) Add(cells ...string) {
	row := make([]Cell, len(cells))
	for i, c := range cells {
		row[i].Text = c
	}
	t.Rows = append(t.Rows, row)
}

func (t *Table) without(kinds ...string) *Table {
	left := &Table{Bare: t.Bare, Narrow: t.Narrow, Terms: t.Terms, Long: t.Long, Marked: t.Marked, Moments: t.Moments,
		Rows: make([][]Cell, len(t.Rows))}
	for i, c := range t.Columns {
		if slices.Contains(kinds, c.Kind) {
			continue
		}
		left.Columns = append(left.Columns, c)
		for r, row := range t.Rows {
			left.Rows[r] = append(left.Rows[r], row[i])
		}
	}
	return left
}

// filled returns the table without the columns that say nothing: those without a head, or all whose cells are empty.
func (t *Table) filled(heads bool) *Table {
	left := *t
	left.Columns = slices.Clone(t.Columns)
	for i, c := range t.Columns {
		silent := !slices.ContainsFunc(t.Rows, func(row []Cell) bool { return row[i].Text != "" || row[i].Words != nil })
		if silent && (c.Head == "" || !heads && len(t.Rows) > 0) {
			left.Columns[i].Kind = "text"
		}
	}
	return left.without("text")
}

// Text lays out the table for a screen. On one that is too narrow for it, each row is written as a sentence.
func (t *Table) Text(s Screen) string {
	t = t.without("table")
	if t.tight = t.width() > s.LineWidth() && t.Narrow; t.width() > s.LineWidth() {
		return t.sentences(s)
	}
	widths := t.widths()
	var b strings.Builder
	for _, row := range t.all() {
		line := ""
		for i, cell := range row {
			blanks := strings.Repeat(" ", max(0, widths[i]-wording.Width(cell.Text)))
			text := s.Paint(cell.Ink, cell.Text)
			switch {
			case t.Columns[i].Kind == "prose":
				line = s.Marked(s.Hang(line+t.gap(i), cell.Ink, cell.Text, s.LineWidth()))
				continue
			case t.Columns[i].Kind == "cut":
				text = s.Paint(cell.Ink, wording.Shorten(cell.Text, max(1, s.LineWidth()-wording.Width(line+t.gap(i)))))
			case t.Columns[i].Kind == "number":
				text = blanks + text
			case i < len(row)-1:
				text += blanks
			}
			line += t.gap(i) + text
		}
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return b.String()
}

// gap returns the blanks before a column.
func (t *Table) gap(i int) string {
	if t.Narrow && i > 0 {
		return " "
	}
	return "  "
}

// all returns the lines of the table as text: its heads, and its rows.
func (t *Table) all() [][]Cell {
	var upper, lower []Cell
	for _, c := range t.Columns {
		first, rest := "", c.Head
		if t.Narrow {
			first, rest = halved(c.Head, t.tight)
		}
		upper, lower = append(upper, Cell{Text: first}), append(lower, Cell{Text: rest})
	}
	switch {
	case t.Bare:
		return t.Rows
	case t.Narrow:
		return append([][]Cell{upper, lower}, t.folded()...)
	}
	return append([][]Cell{lower}, t.Rows...)
}

// halved cuts a head behind its first word; where there is no room otherwise, it cuts a long word in its middle: "parti-" and
// "tion".
func halved(head string, tight bool) (upper, lower string) {
	if first, rest, several := strings.Cut(head, " "); several {
		return first, rest
	}
	if letters := []rune(head); tight && len(letters) > longHead {
		middle := (len(letters) + 1) / 2
		return string(letters[:middle]) + "-", string(letters[middle:])
	}
	return "", head
}

// longHead is how long a word may be that heads a column of a narrow table.
const longHead = 7

// folded returns the rows. The end of a long first cell goes to separate lines.
func (t *Table) folded() (rows [][]Cell) {
	for _, row := range t.Rows {
		names := wording.FoldColumns(row[0].Text, narrowName-2)
		if wording.Width(row[0].Text) <= narrowName {
			names = []string{row[0].Text}
		}
		first := slices.Clone(row)
		first[0].Text = names[0]
		rows = append(rows, first)
		for _, name := range names[1:] {
			rest := make([]Cell, len(row))
			rest[0] = Cell{Text: "  " + name, Ink: row[0].Ink}
			rows = append(rows, rest)
		}
	}
	return rows
}

// narrowName is the width of the first cells of a narrow table; a longer cell continues on a second line.
const narrowName = 20

func (t *Table) widths() []int {
	widths := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		widths[i] = c.Least
	}
	for _, row := range t.all() {
		for i, cell := range row {
			if k := t.Columns[i].Kind; k != "prose" && k != "cut" {
				widths[i] = max(widths[i], wording.Width(cell.Text))
			}
		}
	}
	return widths
}

// width returns how many columns of a screen the table takes, without a last column that may continue below itself.
func (t *Table) width() (all int) {
	for i, w := range t.widths() {
		all += len(t.gap(i)) + w
	}
	return all
}

// sentences writes the rows one below the other: the first cell, then the others with their heads.
func (t *Table) sentences(s Screen) string {
	var b strings.Builder
	between := ", "
	if slices.ContainsFunc(t.Columns, func(c Column) bool { return strings.Contains(c.Head, ",") }) {
		between = " · "
	}
	for _, row := range t.Rows {
		var cells []string
		for i, cell := range row[1:] {
			if cell.Text != "" {
				cells = append(cells, strings.TrimSpace(t.Columns[i+1].Head+" "+s.Paint(cell.Ink, cell.Text)))
			}
		}
		b.WriteString("  " + row[0].Text + "\n")
		b.WriteString(s.Hang("    ", "", strings.Join(cells, between), s.LineWidth()))
	}
	return b.String()
}

// Markdown writes the table as Markdown has it.
func (t *Table) Markdown() string {
	t = t.without("text").filled(true)
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	var heads, rule []string
	for _, c := range t.Columns {
		heads, rule = append(heads, escape(c.Head)), append(rule, "---")
	}
	line(heads)
	line(rule)
	for _, row := range t.Rows {
		var cells []string
		for i, c := range row {
			cells = append(cells, c.markdown(t.Columns[i].Kind))
		}
		line(cells)
	}
	return b.String()
}

func (c Cell) markdown(k string) string {
	if c.Words != nil {
		return marked(c.Words)
	}
	text := c.Text
	switch k {
	case "code":
		text = code(text)
	default:
		text = escape(strings.TrimPrefix(text, "<< "))
	}
	if c.Strong {
		text = "**" + text + "**"
	}
	if c.Command != "" {
		text += " See it: " + code(c.Command)
	}
	return text
}
