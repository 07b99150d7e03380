package pictures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Places in a sequence diagram, in pixels.
const (
	clientPixels = 88.0  // between a client's line and the next
	nodePixels   = 64.0  // between the lines of two nodes
	noteLeft     = 98.0  // from storage's line to the moments on the right
	notePixels   = 424.0 // for the moments
	noteText     = 342.0 // for the words of one
	fallPixels   = 11.0  // what the median message falls
	gapMost      = 46.0  // a longer stretch in which nothing happens is cut out
	breakPixels  = 34.0  // and this stands for it
	ladderTop    = 74.0
	lineHeight   = 13.0
	labelPixels  = 130.0 // for what a message says; whoever points at it is told all
)

// A ladder is a sequence diagram in the making: true time runs down. It is to scale but for the breaks, each of which
// says how much it leaves out.
type ladder struct {
	*drawing
	x       *Excerpt
	hosts   []int
	places  map[int]float64 // where the line of each host lies across
	knots   []knot
	from    clock.Instant
	to      clock.Instant
	axis    float64 // where the axis of time stands
	bottom  float64
	notesAt float64
	lowest  float64 // the end of the moments
}

// A knot ties an instant to a height. Between two of them time runs evenly.
type knot struct {
	at     clock.Instant
	y      float64
	broken bool // time was cut out since the knot before
}

// SequenceSVG draws how a run came to violate what it violates: its messages slanted by true time.
func SequenceSVG(r *scenarios.Result) []byte {
	return []byte(ExcerptSVG(Principal(NewScene(r)), "sequence", true))
}

// ExcerptSVG draws an excerpt, alone for a file or for a page.
func ExcerptSVG(x *Excerpt, id string, alone bool) string {
	l := newLadder(x, id)
	l.draw()
	height := max(l.bottom, l.lowest) + 40
	return l.svg(l.notesAt+notePixels, height, "Sequence diagram: "+x.title, x.describe(), alone)
}

func newLadder(x *Excerpt, id string) *ladder {
	l := &ladder{drawing: &drawing{id: id}, x: x, hosts: x.hosts(), places: map[int]float64{}, from: x.since(), to: x.until()}
	l.axis = 69 + max(0, textWidthOf(layout.Micros(l.to), 10)-52)
	at := l.axis + 3
	for i, h := range l.hosts {
		wide := clientPixels
		if i > 0 && h < x.s.storageHost() && l.hosts[i-1] < x.s.storageHost() {
			wide = nodePixels
		}
		at += wide * l.apart()
		l.places[h] = at
	}
	l.notesAt = at + noteLeft
	l.tie()
	return l
}

// apart returns by how much the lines of few hosts stand further apart: as wide as two clients and five nodes do, so that
// there is room for what messages say.
func (l *ladder) apart() float64 {
	nodes := 0
	for _, h := range l.hosts {
		if h < l.x.s.storageHost() {
			nodes++
		}
	}
	usual, narrow := 4*clientPixels+4*nodePixels, float64(max(nodes-1, 0))*nodePixels
	return min(max(usual/(narrow+float64(len(l.hosts)-max(nodes-1, 0))*clientPixels), 1), 1.7)
}

func (l *ladder) draw() {
	l.text(10, 22, 14, atStart, "strong", fitText("strong", l.x.title, 14, l.notesAt+notePixels-20))
	for _, h := range l.hosts {
		l.head(h, 36)
	}
	l.scale()
	for _, h := range l.hosts {
		l.lifeline(h)
	}
	l.breaks()
	l.notes()
	for i := range l.x.Messages {
		l.arrow(&l.x.Messages[i])
	}
	l.writes()
	l.pauses()
	for i := range l.x.Messages {
		l.label(&l.x.Messages[i])
	}
	if l.x.left > 0 {
		l.text(l.axis+23, l.bottom+22, textSize, atStart, "soft", fmt.Sprintf("%d more messages are not drawn.", l.x.left))
	}
}

// instants returns all that has a height of its own, in order.
func (l *ladder) instants() []clock.Instant {
	all := []clock.Instant{l.from, l.to}
	add := func(at clock.Instant) {
		if at >= l.from && at <= l.to {
			all = append(all, at)
		}
	}
	for _, m := range l.x.Messages {
		add(m.Sent)
		add(m.Arrived)
	}
	for _, m := range l.x.Events {
		add(m.At)
	}
	for _, p := range l.x.s.episodes {
		if _, drawn := l.places[p.Host]; drawn && p.Peer < 0 {
			add(p.From)
			add(p.To)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// tie returns each instant its height.
func (l *ladder) tie() {
	scale := fallPixels / float64(l.flight())
	if l.abreast() {
		scale *= 3
	}
	y := ladderTop + 8
	for i, at := range l.instants() {
		k := knot{at: at}
		if i > 0 {
			gap := float64(at-l.knots[i-1].at) * scale
			if k.broken = gap > gapMost; k.broken {
				gap = breakPixels
			}
			y += gap
		}
		k.y = y
		l.knots = append(l.knots, k)
	}
	l.bottom = y + 10
}

// flight returns how long the median message is under way; what else is short is drawn on the same scale.
func (l *ladder) flight() time.Duration {
	var all []time.Duration
	for _, m := range l.x.Messages {
		if m.Fate == scenarios.Delivered && m.Held == clock.Forever && m.Arrived > m.Sent {
			all = append(all, m.Arrived.Sub(m.Sent))
		}
	}
	if len(all) == 0 {
		return time.Millisecond
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// abreast reports whether requests go out side by side, which takes more room to tell apart.
func (l *ladder) abreast() bool {
	open := map[int]clock.Instant{} // until when a host waits for its latest request to be handled
	for _, m := range l.x.Messages {
		if m.Reply {
			continue
		}
		if until, waits := open[m.From]; waits && m.Sent < until {
			return true
		}
		if m.Fate == scenarios.Delivered && m.Held == clock.Forever {
			open[m.From] = m.Arrived
		}
	}
	return false
}

// at returns the height of an instant.
func (l *ladder) at(t clock.Instant) float64 {
	t = min(max(t, l.from), l.to)
	i, exact := slices.BinarySearchFunc(l.knots, t, func(k knot, t clock.Instant) int { return int(min(max(k.at-t, -1), 1)) })
	if exact || i == 0 {
		return l.knots[i].y
	}
	a, b := l.knots[i-1], l.knots[i]
	return a.y + (b.y-a.y)*float64(t-a.at)/float64(b.at-a.at)
}

// head names a line.
func (l *ladder) head(host int, y float64) {
	x, name := l.places[host], l.x.called(host)
	kind := "node"
	switch {
	case l.x.client(host) >= 0:
		kind = "client"
	case host >= l.x.s.storageHost():
		kind = ""
	}
	w := 54.0
	if kind != "node" {
		w = 66
	}
	l.rect(x-w/2, y, w, 26, "head", "")
	if c := l.x.client(host); c >= 0 {
		l.rect(x-w/2, y+22, w, 4, "k"+colour(c), "")
	}
	l.text(x, y+16, textSize, atMiddle, "strong", fitText("strong", strings.TrimSpace(kind+" "+name), textSize, w-4))
}

// scale writes the instants at which stretches of time begin and end.
func (l *ladder) scale() {
	l.text(l.axis-7, ladderTop-22, 10, atEnd, "soft", "true time")
	for i, k := range l.knots {
		if i == 0 || k.broken || i == len(l.knots)-1 {
			l.ifFree(l.axis-7, k.y+4, 10, atEnd, "soft", layout.Micros(k.at))
			l.line(l.axis-3, k.y, l.axis+3, k.y, "rule")
		}
	}
	for i, k := range l.knots {
		if i+1 < len(l.knots) && l.knots[i+1].broken {
			l.ifFree(l.axis-7, k.y+4, 10, atEnd, "soft", layout.Micros(k.at))
		}
	}
	l.line(l.axis, ladderTop, l.axis, l.bottom, "rule")
}

// breaks marks where time was cut out: by how much, and across all lines.
func (l *ladder) breaks() {
	for i, k := range l.knots {
		if !k.broken {
			continue
		}
		y := (l.knots[i-1].y + k.y) / 2
		l.zigzag(l.axis, y)
		for _, h := range l.hosts {
			l.zigzag(l.places[h], y)
		}
		l.ifFree(l.axis-13, y+4, 10, atEnd, "strong", "… "+briefly(k.at.Sub(l.knots[i-1].at)))
	}
}

func (l *ladder) zigzag(x, y float64) {
	l.path("M"+px(x-6)+" "+px(y+1)+"l12 -6M"+px(x-6)+" "+px(y+5)+"l12 -6", "break", "")
}

// briefly returns a duration with three digits.
func briefly(d time.Duration) string {
	unit := time.Duration(1)
	for unit*1000 <= d {
		unit *= 10
	}
	return d.Round(unit).String()
}

// lifeline draws the line of a host, and what lasts on it.
func (l *ladder) lifeline(host int) {
	x := l.places[host]
	l.line(x, ladderTop-12, x, l.bottom, "life")
	for i := range l.x.s.lanes {
		lane := &l.x.s.lanes[i]
		if lane.host != host && !l.stands(lane, host) {
			continue
		}
		seen := map[barKind]float64{} // how far down bars of each kind are drawn
		for _, b := range lane.bars {
			if top, end := l.at(b.from), l.at(b.to); b.to >= l.from && b.from <= l.to && (end > seen[b.kind]+1 || end-top > 2) {
				seen[b.kind] = max(end, top+2)
				l.bar(b, x)
			}
		}
		for _, p := range lane.points {
			if p.kind == jumpPoint && p.at >= l.from && p.at <= l.to {
				y := l.at(p.at)
				l.path("M"+px(x-5)+" "+px(y+4)+"l10 0l-5 -9z", "jump", p.says)
				l.ifFree(x+9, y+4, 10, atStart, "strong msg", p.text)
			}
		}
	}
}

// stands reports whether what a service has on its books stands on the line of a host: on that of each of its servers, where
// nothing describes which of them had it.
func (l *ladder) stands(books *lane, host int) bool {
	return books.kind == serviceLane && host < l.x.s.storageHost() && len(l.x.s.Run.Copies) == 0
}

func (l *ladder) bar(b bar, x float64) {
	y := l.at(b.from)
	h := max(l.at(b.to)-y, 2)
	switch b.kind {
	case beliefBar:
		l.rect(x-4, y, 8, h, "k"+colour(b.owner), b.says)
	case validBar:
		l.rect(x-13, y, 6, h, "valid k"+colour(b.owner)+" s"+colour(b.owner), b.says)
	case wrongBar:
		l.hatched(x-4, y, 8, h, "wrong", "wrong", b.says)
	case keyBar:
		l.rect(x-3, y, 6, h, "k"+colour(b.owner), b.says)
	case stillBar:
		l.rect(x-9, y, 18, h, "pause", b.says)
	case offBar:
		l.rect(x-5, y, 10, h, "off", b.says)
	}
}

// pauses says beside each grey bar how long its host stood still.
func (l *ladder) pauses() {
	for _, lane := range l.x.s.lanes {
		x, drawn := l.places[lane.host]
		for _, b := range lane.bars {
			if !drawn || b.to < l.from || b.from > l.to || b.kind != stillBar && b.kind != offBar {
				continue
			}
			l.beside(x+13, l.at(b.from), l.at(b.to), b.text+" "+briefly(b.to.Sub(b.from)))
		}
	}
}

// beside writes a text to the right of a bar, at the first height at which it is in nobody's way.
func (l *ladder) beside(x, top, bottom float64, s string) {
	for y := (top + bottom) / 2; y <= bottom+10; y += 4 {
		if l.ifFree(x, y+4, textSize, atStart, "strong msg", s) {
			return
		}
	}
	for y := (top + bottom) / 2; y >= top; y -= 4 {
		if l.ifFree(x, y+4, textSize, atStart, "strong msg", s) {
			return
		}
	}
}

// ends returns where a message's arrow begins and ends.
func (l *ladder) ends(m *scenarios.Message) (x1, y1, x2, y2 float64) {
	x1, x2 = l.places[l.x.line(m.From)], l.places[l.x.line(m.To)]
	y1, y2 = l.at(m.Sent), l.at(m.Arrived)
	if m.Fate == scenarios.Dropped || m.Fate == scenarios.Underway {
		x2 = x1 + (x2-x1)*0.7
		if m.Arrived == m.Sent || m.Fate == scenarios.Underway {
			y2 = y1 + fallPixels*0.7
		}
	}
	side := math.Copysign(5, x2-x1)
	return x1 + side, y1, x2 - side, y2
}

// arrow draws a message from where it was sent to where it arrived. One that was lost ends in a cross.
func (l *ladder) arrow(m *scenarios.Message) {
	x1, y1, x2, y2 := l.ends(m)
	class := "s" + colour(l.caller(m))
	if m.Reply {
		class += " back"
	}
	l.path("M"+px(x1)+" "+px(y1)+"L"+px(x2)+" "+px(y2), class, l.describe(m))
	switch m.Fate {
	case scenarios.Dropped, scenarios.Repelled:
		l.path("M"+px(x2-4)+" "+px(y2-4)+"l8 8m0 -8l-8 8", "badmark", "")
		l.signs = append(l.signs, box{x2 - 4, y2 - 4, x2 + 4, y2 + 4})
	case scenarios.Underway:
	default:
		l.tip(x1, y1, x2, y2, "k"+colour(l.caller(m)))
	}
}

// caller returns the client that a message belongs to, or -1.
func (l *ladder) caller(m *scenarios.Message) int {
	if m.Reply {
		return l.x.client(m.To)
	}
	return l.x.client(m.From)
}

// tip draws an arrow's head.
func (l *ladder) tip(x1, y1, x2, y2 float64, class string) {
	long := math.Hypot(x2-x1, y2-y1)
	if long == 0 {
		return
	}
	ux, uy := (x2-x1)/long*7, (y2-y1)/long*7
	l.path("M"+px(x2)+" "+px(y2)+"L"+px(x2-ux-uy*0.45)+" "+px(y2-uy+ux*0.45)+"L"+px(x2-ux+uy*0.45)+" "+px(y2-uy-ux*0.45)+"z", class, "")
}

// describe says in a sentence what a message was, and what became of it.
func (l *ladder) describe(m *scenarios.Message) string {
	what := "asks"
	if m.Reply {
		what = "answers"
	}
	return fmt.Sprintf("%s %s %s at %s: %s; %s", l.x.name(m.From), what, l.x.name(m.To), layout.Micros(m.Sent), cmp.Or(m.Full, m.Text), fateText(m))
}

func fateText(m *scenarios.Message) string {
	held := ""
	if m.Held != clock.Forever {
		held = "held on its way, and "
	}
	switch m.Fate {
	case scenarios.Delivered:
		return held + "arrives at " + layout.Micros(m.Arrived)
	case scenarios.Dropped:
		return held + "is lost"
	case scenarios.Repelled:
		return held + "is refused at " + layout.Micros(m.Arrived) + ", for its host is off"
	case scenarios.Overdue:
		return held + "arrives at " + layout.Micros(m.Arrived) + ", when nobody waits for it any more"
	}
	return held + "is still under way at the end"
}

// label writes what a message says, near its end if there is room, and else along its way.
func (l *ladder) label(m *scenarios.Message) {
	x1, y1, x2, y2 := l.ends(m)
	text := m.Text
	switch {
	case m.Fate == scenarios.Dropped:
		text += " lost"
	case m.Held != clock.Forever && m.Freed != clock.Forever:
		text += ", held " + briefly(m.Freed.Sub(m.Held))
	}
	text = fitText("msg", text, 10, labelPixels)
	sides := []float64{-3, 9} // above its arrow; an answer below
	if m.Reply {
		sides = []float64{9, -3}
	}
	for _, dy := range sides {
		for _, part := range []float64{0.5, 0.72, 0.28, 0.85, 0.15, 0.62, 0.38, 0.8, 0.2, 0.9, 0.1} {
			x, y := x1+(x2-x1)*part, y1+(y2-y1)*part
			if l.besideLines(x, 10, text) && l.ifFree(x, y+dy, 10, atMiddle, "msg", text) {
				return
			}
		}
	}
}

// besideLines reports whether a centred text leaves the lines of hosts alone, if it is short enough for that.
func (l *ladder) besideLines(x, size float64, s string) bool {
	half := textWidthOf(s, size)/2 + 4
	if half > nodePixels/2 {
		return true
	}
	for _, h := range l.hosts {
		if math.Abs(l.places[h]-x) < half+3 {
			return false
		}
	}
	return true
}

// writes marks what storage made of each write.
func (l *ladder) writes() {
	x, drawn := l.places[l.x.s.storageHost()]
	if !drawn {
		return
	}
	for _, u := range l.x.s.Run.Evidence.Writes {
		arrives := func(m scenarios.Message) bool {
			return !m.Reply && m.Arrived == u.At && m.To == l.x.s.storageHost() && l.caller(&m) == u.Client
		}
		if slices.ContainsFunc(l.x.Messages, arrives) {
			l.verdict(x, l.at(u.At), u)
		}
	}
}

// verdict marks one write: taken, or refused by fencing.
func (l *ladder) verdict(x, y float64, u checker.Update) {
	l.path(fmt.Sprintf("M%s %sa5 5 0 1 0 10 0a5 5 0 1 0 -10 0z", px(x-5), px(y)), "k"+colour(u.Client)+" edge", "")
	text, class := fmt.Sprintf("v%d", u.Plain.Made), "strong"
	if u.Fenced.Made == 0 {
		text, class = "fencing refuses", "bad strong"
		l.path(fmt.Sprintf("M%s %sl10 10m0 -10l-10 10", px(x-5), px(y-5)), "badmark", "")
	}
	l.ifFree(x+9, y+4, 10, atStart, class, fitText(class, text, 10, noteLeft-20))
}

// notesMost is how many moments a diagram tells. Of more, the first and the last half.
const notesMost = 36

// notes describes the moments on the right, each led to its height.
func (l *ladder) notes() {
	right := l.places[l.hosts[len(l.hosts)-1]]
	y := ladderTop
	for _, m := range FewEvents(l.x.Events, notesMost) {
		lines := foldText(m.Text, textSize, noteText)
		y = max(y+lineHeight+3, l.at(m.At)+4)
		l.path("M"+px(right+6)+" "+px(l.at(m.At))+"L"+px(l.notesAt-22)+" "+px(l.at(m.At))+"L"+px(l.notesAt-4)+" "+px(y-4), "lead", "")
		l.text(l.notesAt+62, y, textSize, atEnd, "soft", layout.Micros(m.At))
		for i, line := range lines {
			l.text(l.notesAt+70, y+float64(i)*lineHeight, textSize, atStart, "", line)
		}
		y += float64(len(lines)-1) * lineHeight
	}
	l.lowest = y
}

// FewEvents leaves out the middle of too many.
func FewEvents(all []checker.Event, most int) []checker.Event {
	if len(all) <= most {
		return all
	}
	head, tail := all[:most/2], all[len(all)-most/2:]
	gap := checker.Event{At: head[len(head)-1].At, Text: fmt.Sprintf("… %d more moments …", len(all)-most/2*2)}
	return slices.Concat(head, []checker.Event{gap}, tail)
}

// foldText breaks a text into lines of so many pixels.
func foldText(s string, size, width float64) (lines []string) {
	line := ""
	for _, word := range strings.Fields(layout.Plain(s)) {
		if line != "" && textWidthOf(line+" "+word, size) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, fitText("", line, size, width))
}

// describe says in words what a diagram shows, for those who do not see it.
func (x *Excerpt) describe() string {
	var b strings.Builder
	b.WriteString(x.says)
	for _, m := range FewEvents(x.Events, notesMost) {
		b.WriteString(" At " + m.At.String() + ": " + m.Text + ".")
	}
	return b.String()
}
