package draw

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// A canvas is a timeline as text: lanes of equal width, with columns of equal spans of true time.
type canvas struct {
	s        reports.Screen
	sc       *Scene
	label    int // columns of the names
	width    int // columns of time
	from, to clock.Instant
	lines    []strip
}

// A strip is one line of a timeline.
type strip struct {
	name  string
	cells []rune
	with  reports.Ink // of its signs, except those that have their own ink
	kind  stripKind
}

// A stripKind is the meaning of the signs of a strip.
type stripKind int

const (
	scaleStrip stripKind = iota
	windowStrip
	hostStrip
	writeStrip
	troubleStrip
)

// Timeline draws a scene as text, to scale: when promises were broken, clients, nodes, storage, and the faults that no
// host shows.
func Timeline(s reports.Screen, sc *Scene) string { return ShortTimeline(s, sc, math.MaxInt) }

// ShortTimeline is Timeline with a limit of lines. It joins the windows of violations, then leaves out the last strips,
// and keeps the legend.
func ShortTimeline(s reports.Screen, sc *Scene, most int) string {
	c := &canvas{s: s, sc: sc, from: sc.From, to: max(sc.To, sc.From+1)}
	c.label = len(c.axisName())
	for _, l := range sc.lanes {
		switch l.kind {
		case clientLane, serviceLane:
			c.label = max(c.label, len(l.name))
		case nodeLane:
			c.label = max(c.label, len(l.name+" to "+l.name))
		case faultLane:
			c.label = max(c.label, len(faultName))
		}
	}
	if len(sc.Bands) > 0 {
		c.label = max(c.label, len(windowName))
	}
	c.width = s.ProseWidth() - c.label - 4
	c.axis()
	c.windows()
	for i := range sc.lanes {
		c.lane(&sc.lanes[i])
	}
	return c.text(most)
}

// The names of strips that belong to no host.
const (
	windowName = "violated"
	faultName  = "fault"
)

func (c *canvas) axisName() string {
	if c.s.LineWidth() < 60 {
		return "time"
	}
	return "true time"
}

func (c *canvas) column(t clock.Instant) int {
	t = max(c.from, min(t, c.to))
	return int(int64(t-c.from) * int64(c.width-1) / int64(c.to-c.from))
}

// blank returns a strip's cells.
func (c *canvas) blank(with rune) []rune { return slices.Repeat([]rune{with}, c.width) }

func (c *canvas) draw(name string, cells []rune, with reports.Ink, kind stripKind) {
	c.lines = append(c.lines, strip{name, cells, with, kind})
}

// fill fills the columns of an interval, at least one.
func (c *canvas) fill(cells []rune, start, end clock.Instant, with rune) {
	for i := c.column(start); i <= c.column(end); i++ {
		cells[i] = with
	}
}

// axis draws the scale: round instants, each after a bar at its column.
func (c *canvas) axis() {
	cells := c.blank(' ')
	hasRoom := func(step, first clock.Instant) bool {
		longest := max(len((c.to / step * step).String()), len((first + step).String()))
		return step > c.to-c.from || int64(step)*int64(c.width-1)/int64(c.to-c.from) >= int64(longest+4)
	}
	for _, t := range multiples(c.from, c.to, hasRoom) {
		if label := []rune("|" + t.String()); c.column(t)+len(label) <= c.width {
			copy(cells[c.column(t):], label)
		}
	}
	c.draw(c.axisName(), cells, reports.FaintInk, scaleStrip)
}

func (c *canvas) windows() {
	name := windowName
	for _, b := range c.sc.Bands {
		cells := c.blank(' ')
		c.fill(cells, b.From, b.To, '#')
		c.write(cells, b.From, b.To, strings.Join(b.properties, ", "))
		c.draw(name, cells, reports.RedInk, windowStrip)
		name = ""
	}
}

// write writes the name of a stretch: within it if there is room, otherwise after it or before it, where there is more
// room.
func (c *canvas) write(cells []rune, start, end clock.Instant, text string) {
	a, b := c.column(start), c.column(end)
	if inside := b - a - 5; len(text) <= inside {
		copy(cells[a+(b-a+1-len(text)-2)/2:], []rune(" "+text+" "))
		return
	}
	before, behind := 0, 0
	for i := a - 1; i >= 0 && cells[i] == ' '; i-- {
		before++
	}
	for i := b + 1; i < c.width && cells[i] == ' '; i++ {
		behind++
	}
	switch room := max(before, behind, b-a-4); {
	case behind-1 >= len(text) || behind == room && behind > 4:
		copy(cells[b+2:], []rune(wording.CutColumns(text, behind-1)))
	case before-1 >= len(text) || before == room && before > 4:
		text = wording.CutColumns(text, before-1)
		copy(cells[a-1-wording.Width(text):], []rune(text))
	case room > 4:
		copy(cells[a+1:], []rune(" "+wording.CutColumns(text, room)+" "))
	}
}

// lane draws the behaviour of one host, and below it its troubles.
func (c *canvas) lane(l *lane) {
	switch l.kind {
	case faultLane:
		c.fault(l)
		return
	case shareLane: // the stories say it in words
		return
	}
	cells := c.blank('.')
	for kind, k := range looks {
		for _, b := range l.bars {
			switch {
			case b.kind != barKind(kind) || k.sign == 0:
			case b.kind == keyBar:
				c.fill(cells, b.from, b.to, digit(b.owner))
			default:
				c.fill(cells, b.from, b.to, k.sign)
			}
		}
	}
	c.points(l, cells, extendedPoint, unextendedPoint)
	c.gaps(cells)
	troubles := c.troubles(l)
	switch {
	case l.kind == nodeLane && troubles == nil && c.joinNode(l, cells):
		return
	case l.kind != storageLane:
		c.draw(l.name, cells, "", hostStrip)
	case l.hasKeys():
		c.draw(l.name, cells, "", hostStrip)
		c.draw("", c.points(l, c.blank(' '), acceptedPoint, refusedPoint), "", writeStrip)
	default:
		c.draw(l.name, c.points(l, cells, acceptedPoint, refusedPoint), "", writeStrip)
	}
	for _, t := range troubles {
		c.draw("", t, "", troubleStrip)
	}
}

// points draws the points of some kinds, the later over the earlier.
func (c *canvas) points(l *lane, cells []rune, kinds ...pointKind) []rune {
	for _, kind := range kinds {
		for _, p := range l.points {
			if p.kind == kind {
				c.fill(cells, p.at, p.at, pointSigns[kind])
			}
		}
	}
	return cells
}

// gaps leaves blank the cells of gaps without signs.
func (c *canvas) gaps(cells []rune) {
	for _, g := range c.sc.gaps {
		for i := c.column(g.from) + 1; i < c.column(g.to); i++ {
			if cells[i] == '.' {
				cells[i] = ' '
			}
		}
	}
}

// joinNode adds a node to the strip of those before it, if it is equal, and reports whether it did.
func (c *canvas) joinNode(l *lane, cells []rune) bool {
	last := &c.lines[len(c.lines)-1]
	first, _, _ := strings.Cut(last.name, " ")
	if first == "" || first[0] != 'n' || !slices.Equal(last.cells, cells) {
		return false
	}
	last.name = first + " to " + l.name
	return true
}

const digits = "123456789abcdefghijklmnopqrstuvwxyz"

func digit(client int) rune {
	switch {
	case client < 0:
		return '?'
	case client < len(digits):
		return rune(digits[client])
	}
	return '*'
}

// troubles returns the troubles of a host, as at most two strips: pauses and the like, and changes of its clock.
func (c *canvas) troubles(l *lane) (all [][]rune) {
	lasting, clocks := c.blank(' '), c.points(l, c.slews(l), jumpPoint)
	for _, write := range []bool{false, true} {
		for _, b := range l.bars {
			switch {
			case b.kind != stillBar && b.kind != offBar, b.from >= c.sc.Run.Evidence.End: // hosts go off at the end
			case write:
				c.write(lasting, b.from, b.to, b.text+" "+c.lasts(b))
			default:
				c.fill(lasting, b.from, b.to, '~')
			}
		}
	}
	for _, p := range l.points {
		if p.kind == jumpPoint {
			c.write(clocks, p.at, p.at, "clock "+p.text)
		}
	}
	for _, cells := range [][]rune{lasting, clocks} {
		if slices.ContainsFunc(cells, func(r rune) bool { return r != ' ' }) {
			all = append(all, cells)
		}
	}
	return all
}

// slews draws how long the clocks of a host were slewed, and the corrections.
func (c *canvas) slews(l *lane) []rune {
	cells := c.blank(' ')
	for _, b := range l.bars {
		if b.kind == slewBar && b.from < c.sc.Run.Evidence.End {
			c.fill(cells, b.from, b.to, '/')
			c.write(cells, b.from, b.to, b.text)
		}
	}
	return cells
}

// lasts returns how long a bar is, as finely as a column shows.
func (c *canvas) lasts(b bar) string {
	fine := time.Duration(1)
	for fine*10 <= c.to.Sub(c.from)/time.Duration(c.width) {
		fine *= 10
	}
	return b.to.Sub(b.from).Round(fine).String()
}

// fault draws how long a fault lasted, unless hosts show it.
func (c *canvas) fault(l *lane) {
	word, _, _ := strings.Cut(l.name, " ")
	kind := faults.KindNamed(word)
	cells, shown := c.blank(' '), kind != nil && !kind.Links
	for _, b := range l.bars {
		shown = shown && c.sc.struckHost(b.from)
		c.fill(cells, b.from, b.to, '~')
	}
	if !shown {
		c.write(cells, l.bars[0].from, l.bars[len(l.bars)-1].to, l.name)
		c.draw(faultName, cells, "", troubleStrip)
	}
}

// struckHost reports whether a host shows a fault that hit it at an instant.
func (s *Scene) struckHost(t clock.Instant) bool {
	bars := func(b bar) bool { return b.from == t && (b.kind == stillBar || b.kind == offBar || b.kind == slewBar) }
	return s.anyBar(bars) || s.anyPoint(func(p point) bool { return p.kind == jumpPoint && p.at == t })
}

func (c *canvas) text(most int) string {
	below := c.below()
	left := ""
	if len(c.lines)+strings.Count(below, "\n") > most {
		c.joinWindows()
	}
	for len(c.lines) > 1 && len(c.lines)+strings.Count(left+below, "\n") > most {
		c.lines = c.lines[:len(c.lines)-1]
		left, below = "  … and more\n", c.below()
	}
	var b strings.Builder
	for _, l := range c.lines {
		cells := c.colour(strings.TrimRight(string(l.cells), " "), l.with)
		b.WriteString(strings.TrimRight("  "+wording.PadColumns(l.name, c.label)+"  "+cells, " ") + "\n")
	}
	return b.String() + left + below
}

// joinWindows draws the windows of all violations as one strip, to leave room for hosts.
func (c *canvas) joinWindows() {
	ofWindow := func(l strip) bool { return l.kind == windowStrip }
	first, cells := slices.IndexFunc(c.lines, ofWindow), c.blank(' ')
	for _, b := range c.sc.Bands {
		c.fill(cells, b.From, b.To, '#')
	}
	if c.lines = slices.DeleteFunc(c.lines, ofWindow); first >= 0 {
		c.lines = slices.Insert(c.lines, first, strip{windowName, cells, reports.RedInk, windowStrip})
	}
}

// below returns the text below the strips: the legend of the strips, and what is left out.
func (c *canvas) below() string {
	text := c.s.Hang("  ", reports.FaintInk, c.legend(), c.s.LineWidth())
	if c.sc.Left != "" {
		text += c.s.Hang("  ", "", c.sc.Left, c.s.ProseWidth())
	}
	return text
}

// colour returns cells in their colours: red for what is no longer valid, faint for nothing.
func (c *canvas) colour(cells string, with reports.Ink) string {
	if !c.s.Colour || with != "" {
		return c.s.Paint(with, cells)
	}
	inks := map[rune]reports.Ink{'.': reports.FaintInk, '!': reports.RedInk}
	var b strings.Builder
	for cells != "" {
		first, _ := utf8.DecodeRuneInString(cells)
		rest := strings.TrimLeft(cells, string(first))
		b.WriteString(c.s.Paint(inks[first], cells[:len(cells)-len(rest)]))
		cells = rest
	}
	return b.String()
}

func (c *canvas) legend() string {
	signs := map[stripKind]string{}
	for _, l := range c.lines {
		signs[l.kind] += string(l.cells)
	}
	hosts, writes, windows, troubles := signs[hostStrip], signs[writeStrip], signs[windowStrip], signs[troubleStrip]
	var says []string
	for _, k := range []struct{ in, signs, says string }{
		{windows, "#", "# broken"}, {hosts, "-", "- tries"}, {hosts, "=", "= holds"}, {hosts, "!", "! no longer valid"},
		{hosts, "+", "+ extends"}, {hosts, "%", "% extension failed"}, {hosts, digits[:9], "1 = key of c1 …"},
		{hosts, digits[9:], "a = key of c10 …"}, {hosts, "*", "* = key of a later client"}, {hosts, "?", "? = key of unknown owner"},
		{writes, "w", "w write"}, {writes, "x", "x write that fenced storage rejected"},
		{troubles, "~", "~ fault"}, {troubles, "^", "^ clock set"}, {troubles, "/", "/ clock slewed"},
	} {
		if strings.ContainsAny(k.in, k.signs) {
			says = append(says, k.says)
		}
	}
	column := c.lasts(bar{to: max(clock.Instant(int64(c.to-c.from)/int64(c.width)), 1)})
	return strings.TrimPrefix(strings.Join(says, ", ")+"; ", "; ") + "one column = " + column + "."
}
