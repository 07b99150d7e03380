package draw

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports/internal/draw/svg"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Places in a sequence diagram, in pixels.
const (
	clientPixels = 88.0  // between a client's line and the next
	nodePixels   = 64.0  // between the lines of two nodes
	noteLeft     = 98.0  // from storage's line to the moments on the right
	notePixels   = 424.0 // for the moments
	noteText     = 342.0 // for the words of a moment
	fallPixels   = 11.0  // the fall of the median message
	gapMost      = 46.0  // a longer stretch without anything is cut out,
	breakPixels  = 34.0  // and replaced by a break
	sequenceTop  = 74.0
	lineHeight   = 13.0
	labelPixels  = 130.0 // for the text of a message; its title has all
)

// A sequence is a sequence diagram in the making: true time runs down. It is true to scale except at the breaks, which
// say how much time they leave out.
type sequence struct {
	picture
	x        *Excerpt
	hosts    []int
	places   map[int]float64 // x of the line of each host
	stops    []stop
	from, to clock.Instant
	axis     float64 // x of the axis of time
	bottom   float64
	notesAt  float64
	lowest   float64 // the end of the moments
	arrows   []arrow // of the messages
}

// SequenceSVG draws the principal excerpt of a run, with messages slanted by true time.
func SequenceSVG(r *scenarios.Result) []byte {
	return []byte(ExcerptSVG(Principal(NewScene(r)), "sequence", true))
}

// ExcerptSVG draws an excerpt, alone for a file or for a page.
func ExcerptSVG(x *Excerpt, id string, alone bool) string {
	d := newSequence(x, id)
	d.draw()
	height := max(d.bottom, d.lowest) + 40
	return document(&d.picture, d.notesAt+notePixels, height, "Sequence diagram: "+x.title, x.describe(), alone)
}

func newSequence(x *Excerpt, id string) *sequence {
	d := &sequence{picture: picture{id: id}, x: x, hosts: x.hosts(), places: map[int]float64{}}
	d.from, d.to = extent(x.Messages, x.Events)
	d.axis = 69 + max(0, textWidth(wording.Micros(d.to), 10)-52)
	at := d.axis + 3
	for i, h := range d.hosts {
		wide := clientPixels
		if i > 0 && h < x.s.storageHost() && d.hosts[i-1] < x.s.storageHost() {
			wide = nodePixels
		}
		at += wide * d.spacing()
		d.places[h] = at
	}
	d.notesAt = at + noteLeft
	d.placeInstants()
	return d
}

// spacing returns the factor by which the lines of few hosts are further apart. They are as wide as the lines of two
// clients and five nodes, so that there is room for the texts of messages.
func (d *sequence) spacing() float64 {
	nodes := 0
	for _, h := range d.hosts {
		if h < d.x.s.storageHost() {
			nodes++
		}
	}
	usual, narrow := 4*clientPixels+4*nodePixels, float64(max(nodes-1, 0))*nodePixels
	return min(max(usual/(narrow+float64(len(d.hosts)-max(nodes-1, 0))*clientPixels), 1), 1.7)
}

func (d *sequence) draw() {
	d.Text(10, 22, 14, svg.Start, svg.Strong, fitText(svg.Strong, d.x.title, 14, d.notesAt+notePixels-20))
	for _, h := range d.hosts {
		d.head(h, 36)
	}
	d.scale()
	for _, h := range d.hosts {
		d.lifeline(h)
	}
	d.breaks()
	d.notes()
	for i := range d.x.Messages {
		d.arrows = append(d.arrows, d.arrowOf(&d.x.Messages[i]))
		d.arrow(&d.x.Messages[i], d.arrows[i])
	}
	d.writes()
	d.pauses()
	for i := range d.x.Messages {
		d.label(&d.x.Messages[i], d.arrows[i])
	}
	if d.x.left > 0 {
		more := fmt.Sprintf("%d more messages are not drawn.", d.x.left)
		d.Text(d.axis+23, d.bottom+22, textSize, svg.Start, "soft", more)
	}
}

func (d *sequence) head(host int, y float64) {
	x, client := d.places[host], d.x.client(host)
	name, w := d.x.lineName(host), 66.0
	switch {
	case client >= 0:
		name = "client " + name
	case host < d.x.s.storageHost():
		name, w = "node "+name, 54
	}
	d.Rect(x-w/2, y, w, 26, "head", "")
	if client >= 0 {
		d.Rect(x-w/2, y+22, w, 4, "k"+colour(client), "")
	}
	d.Text(x, y+16, textSize, svg.Middle, svg.Strong, fitText(svg.Strong, name, textSize, w-4))
}

// scale writes the instants of the beginnings and ends of stretches of time.
func (d *sequence) scale() {
	d.Text(d.axis-7, sequenceTop-22, 10, svg.End, "soft", "true time")
	for i, k := range d.stops {
		if i == 0 || k.broken || i == len(d.stops)-1 {
			d.TextIfFree(d.axis-7, k.y+4, 10, svg.End, "soft", wording.Micros(k.at))
			d.Line(d.axis-3, k.y, d.axis+3, k.y, "rule")
		}
	}
	for i, k := range d.stops {
		if i+1 < len(d.stops) && d.stops[i+1].broken {
			d.TextIfFree(d.axis-7, k.y+4, 10, svg.End, "soft", wording.Micros(k.at))
		}
	}
	d.Line(d.axis, sequenceTop, d.axis, d.bottom, "rule")
}

// breaks marks the time that is cut out, across all lines, and says how much.
func (d *sequence) breaks() {
	for i, k := range d.stops {
		if !k.broken {
			continue
		}
		y := (d.stops[i-1].y + k.y) / 2
		d.zigzag(d.axis, y)
		for _, h := range d.hosts {
			d.zigzag(d.places[h], y)
		}
		d.TextIfFree(d.axis-13, y+4, 10, svg.End, svg.Strong, "… "+briefly(k.at.Sub(d.stops[i-1].at)))
	}
}

func (d *sequence) zigzag(x, y float64) {
	d.Avoid(x-6, y-5, x+6, y+5)
	d.Path(moveTo(x-6, y+1)+"l12 -6M"+px(x-6)+" "+px(y+5)+"l12 -6", "break", "")
}

// lifeline draws the line of a host with its bars and its jumps of the clock.
func (d *sequence) lifeline(host int) {
	x := d.places[host]
	d.Line(x, sequenceTop-12, x, d.bottom, "life")
	for i := range d.x.s.lanes {
		lane := &d.x.s.lanes[i]
		if lane.host != host && !d.showsKeys(lane, host) {
			continue
		}
		seen := map[barKind]float64{} // how far down bars of each kind reach
		for _, b := range lane.bars {
			top, end := d.at(b.from), d.at(b.to)
			if b.to >= d.from && b.from <= d.to && (end > seen[b.kind]+1 || end-top > 2) {
				seen[b.kind] = max(end, top+2)
				d.drawBar(b, x)
			}
		}
		for _, p := range lane.points {
			if p.kind == jumpPoint && p.at >= d.from && p.at <= d.to {
				y := d.at(p.at)
				d.Path(moveTo(x-5, y+4)+"l10 0l-5 -9z", "jump", p.says)
				d.TextIfFree(x+9, y+4, 10, svg.Start, "strong msg", p.text)
			}
		}
	}
}

// showsKeys reports whether the line of a host shows the keys of a service. The lines of all its servers do, if no
// record says which one had the key.
func (d *sequence) showsKeys(service *lane, host int) bool {
	return service.kind == serviceLane && host < d.x.s.storageHost() && len(d.x.s.Run.Copies) == 0
}

func (d *sequence) drawBar(b bar, x float64) {
	k := &looks[b.kind]
	y, w := d.at(b.from), k.line[1]
	h := max(d.at(b.to)-y, 2)
	switch x += k.line[0]; {
	case w == 0:
	case k.onLine != "":
		d.Rect(x, y, w, h, k.onLine, b.says)
	default:
		d.bar(b.kind, b.owner, x, y, w, h, b.says)
	}
}

// pauses writes next to each grey bar how long its host was paused, and next to a slew its correction.
func (d *sequence) pauses() {
	for _, lane := range d.x.s.lanes {
		x, drawn := d.places[lane.host]
		for _, b := range lane.bars {
			text := b.text
			switch {
			case !drawn || b.to < d.from || b.from > d.to:
				continue
			case b.kind == stillBar || b.kind == offBar:
				text += " " + briefly(b.to.Sub(b.from))
			case b.kind != slewBar:
				continue
			}
			d.writeRightOf(x+13, d.at(b.from), d.at(b.to), text)
		}
	}
}

// writeRightOf writes a text to the right of a bar, at the first free height from its middle down, or otherwise up.
func (d *sequence) writeRightOf(x, top, bottom float64, s string) {
	for _, step := range []float64{4, -4} {
		for y := (top + bottom) / 2; y >= top && y <= bottom+10; y += step {
			if d.TextIfFree(x, y+4, textSize, svg.Start, "strong msg", s) {
				return
			}
		}
	}
}

// arrowOf returns the line of a message.
func (d *sequence) arrowOf(m *scenarios.Message) arrow {
	x1, x2 := d.places[d.x.line(m.From)], d.places[d.x.line(m.To)]
	y1, y2 := d.at(m.Sent), d.at(m.Arrived)
	if m.Fate == scenarios.Dropped || m.Fate == scenarios.Underway {
		x2 = x1 + (x2-x1)*0.7
		if m.Arrived == m.Sent || m.Fate == scenarios.Underway {
			y2 = y1 + fallPixels*0.7
		}
	}
	side := math.Copysign(5, x2-x1)
	return arrow{x1 + side, y1, x2 - side, y2}
}

// arrow draws a message along its line. A lost message ends in a cross.
func (d *sequence) arrow(m *scenarios.Message, a arrow) {
	class := "s" + colour(d.caller(m))
	if m.Reply {
		class += " back"
	}
	d.Path(polyline(a.x1, a.y1, a.x2, a.y2), class, d.describe(m))
	switch m.Fate {
	case scenarios.Dropped, scenarios.Repelled:
		d.Path(cross(a.x2-4, a.y2-4, 8), "badmark", "")
		d.Avoid(a.x2-4, a.y2-4, a.x2+4, a.y2+4)
	case scenarios.Underway:
	default:
		d.arrowhead(a, "k"+colour(d.caller(m)))
	}
}

func (d *sequence) caller(m *scenarios.Message) int {
	if m.Reply {
		return d.x.client(m.To)
	}
	return d.x.client(m.From)
}

func (d *sequence) arrowhead(a arrow, class string) {
	long := math.Hypot(a.x2-a.x1, a.y2-a.y1)
	if long == 0 {
		return
	}
	ux, uy := (a.x2-a.x1)/long*7, (a.y2-a.y1)/long*7
	x, y := a.x2-ux, a.y2-uy
	d.Path(polyline(a.x2, a.y2, x-uy*0.45, y+ux*0.45, x+uy*0.45, y-ux*0.45)+"z", class, "")
}

func (d *sequence) describe(m *scenarios.Message) string {
	what := "asks"
	if m.Reply {
		what = "answers"
	}
	return fmt.Sprintf("%s %s %s at %s: %s; %s",
		d.x.name(m.From), what, d.x.name(m.To), wording.Micros(m.Sent), cmp.Or(m.Full, m.Text), fateText(m))
}

func fateText(m *scenarios.Message) string {
	held := ""
	if m.Held != clock.Forever {
		held = "held on its way, and "
	}
	switch m.Fate {
	case scenarios.Delivered:
		return held + "arrives at " + wording.Micros(m.Arrived)
	case scenarios.Dropped:
		return held + "is lost"
	case scenarios.Repelled:
		return held + "is refused at " + wording.Micros(m.Arrived) + ", for its host is off"
	case scenarios.Overdue:
		return held + "arrives at " + wording.Micros(m.Arrived) + ", when no client waits for it any more"
	}
	return held + "is still under way at the end"
}

func (d *sequence) writes() {
	x, drawn := d.places[d.x.s.storageHost()]
	if !drawn {
		return
	}
	for _, u := range d.x.s.Run.Evidence.Writes {
		arrives := func(m scenarios.Message) bool {
			return !m.Reply && m.Arrived == u.At && m.To == d.x.s.storageHost() && d.caller(&m) == u.Client
		}
		if slices.ContainsFunc(d.x.Messages, arrives) {
			d.write(x, d.at(u.At), u)
		}
	}
}

// write marks one write with its version in plain storage, and says if fenced storage rejects it.
func (d *sequence) write(x, y float64, u checker.Update) {
	d.Path(dot(x, y, 5), "k"+colour(u.Client)+" edge", "")
	side, anchor := x+9, svg.Start
	if d.places[d.x.s.clientHost(u.Client)] > x { // its message comes from there
		side, anchor = x-9, svg.End
	}
	if u.Fenced.Made == 0 {
		d.Path(cross(x-5, y-5, 10), "badmark", "")
		d.TextIfFree(side, y+2, 10, anchor, svg.Strong, fmt.Sprintf("plain: v%d", u.Plain.Made))
		d.TextIfFree(side, y+13, 10, anchor, "bad strong", "fenced: refused")
		return
	}
	d.TextIfFree(side, y+4, 10, anchor, svg.Strong, fmt.Sprintf("v%d", u.Plain.Made))
}

// notes writes the moments on the right, each with a line to its height.
func (d *sequence) notes() {
	right := d.places[d.hosts[len(d.hosts)-1]]
	y := sequenceTop
	for _, m := range FewEvents(d.x.Events, notesMost) {
		lines, at := svg.Helvetica("", textSize).Fold(wording.Plain(m.Text), noteText), d.at(m.At)
		y = max(y+lineHeight+3, at+4)
		d.Path(polyline(right+6, at, d.notesAt-22, at, d.notesAt-4, y-4), "lead", "")
		d.Text(d.notesAt+62, y, textSize, svg.End, "soft", wording.Micros(m.At))
		for i, line := range lines {
			d.Text(d.notesAt+70, y+float64(i)*lineHeight, textSize, svg.Start, "", line)
		}
		y += float64(len(lines)-1) * lineHeight
	}
	d.lowest = y
}
