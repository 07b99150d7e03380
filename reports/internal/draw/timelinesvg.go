package draw

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports/internal/draw/svg"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Places in a timeline, in pixels.
const (
	timelinePixels = 1180.0
	nameLeast      = 112.0 // for the names of lanes, or as much as the longest takes, up to the next
	nameMost       = 260.0
	laneRight      = timelinePixels - 14
	nodeHeight     = 20.0
	writesHeight   = 26.0
	textSize       = 11.0
	seenLeast      = 8.0 // a bar narrower than this can't be recognized
)

// A lanesSVG is a timeline in the making: true time runs from left to right.
type lanesSVG struct {
	picture
	s           *Scene
	left        float64 // where the lanes begin
	top, bottom float64 // of all lanes
	y           float64 // the top of the next lane
	page        bool    // it is for a page, whose script zooms
	places      []Place // of the lanes so far
}

// A Chart is a timeline for a page, with the places of its parts in the units of the picture.
type Chart struct {
	SVG           string
	Width, Height float64
	From, To      clock.Instant // the true time of its lanes, which runs evenly from Left to Right
	Left, Right   float64
	Lanes         []Place
}

// A Place is the place of a lane in a chart.
type Place struct {
	Name        string // of the lane: a host, or the effect of a fault
	Top, Height float64
}

// NewChart draws a scene as lanes, for a page.
func NewChart(s *Scene) Chart {
	t := newLanesSVG(s, true)
	picture := t.draw()
	return Chart{picture, timelinePixels, t.y + 6, s.From, s.To, t.left, laneRight, t.places}
}

// Lane returns the place of a lane. ok is false if the chart has no lane of that name.
func (c *Chart) Lane(name string) (p Place, ok bool) {
	i := slices.IndexFunc(c.Lanes, func(p Place) bool { return p.Name == name })
	if i < 0 {
		return Place{}, false
	}
	return c.Lanes[i], true
}

// TimelineSVG draws a run as lanes: clients, nodes, storage and faults, in true time.
func TimelineSVG(r *scenarios.Result) []byte { return []byte(newLanesSVG(NewScene(r), false).draw()) }

// CloseUpHTML draws for a page the part of its timeline that is too short to be seen; it is empty if there is none.
func CloseUpHTML(s *Scene) string {
	t := newLanesSVG(s, true)
	t.id, t.y = "closeup", -8
	if !t.inset() {
		return ""
	}
	return document(&t.picture, timelinePixels, t.y+6, "Close-up of "+s.title, describeScene(s), false)
}

// newLanesSVG returns a timeline with room for the names of the lanes.
func newLanesSVG(s *Scene, page bool) *lanesSVG {
	t := &lanesSVG{picture: picture{id: "timeline"}, s: s, page: page, left: nameLeast}
	for i := range s.lanes {
		t.left = min(max(t.left, svg.Helvetica(svg.Strong, textSize)(wording.Plain(t.name(&s.lanes[i])))+16), nameMost)
	}
	return t
}

// draw draws the timeline and returns the picture.
func (t *lanesSVG) draw() string {
	t.heading()
	t.lanes()
	t.bottom = t.y
	if !t.page { // whose script zooms
		t.inset()
	}
	t.legend()
	title := "Timeline of " + t.s.title
	return document(&t.picture, timelinePixels, t.y+6, title, describeScene(t.s), !t.page, t.extent()...)
}

// lanes draws the lanes of a scene, below the axis.
func (t *lanesSVG) lanes() {
	t.top = t.y
	t.rows()
	for i := range t.s.lanes {
		t.lane(&t.s.lanes[i])
	}
	t.names()
	t.Line(t.left, t.y, laneRight, t.y, "rule")
}

// inset draws the lanes again, close up, if a hold that is part of a violation is too short to be seen. It reports
// whether there is one.
func (t *lanesSVG) inset() bool {
	near := t.closeUp()
	if near == nil {
		return false
	}
	whole := t.s
	t.s = near
	t.y += 24
	t.Text(10, t.y, 12, svg.Start, svg.Strong, "Close up, "+during(near.From, near.To))
	t.ticks(t.y + 16)
	t.y += 22
	t.lanes()
	t.s = whole
	return true
}

// closeUp returns the scene about the first hold that is part of a violation and can't be seen, or else about the first
// violation that can't; nil if there is none.
func (t *lanesSVG) closeUp() *Scene {
	var unseen []stretch // the holds and then the bands that can't be seen, each in order
	add := func(start, end clock.Instant) {
		if end > start && t.x(end)-t.x(start) < seenLeast {
			unseen = append(unseen, stretch{start, end})
		}
	}
	for _, l := range t.s.lanes {
		for _, b := range l.bars {
			broken := slices.ContainsFunc(t.s.Bands, func(d Band) bool { return b.from <= d.To && b.to >= d.From })
			if b.kind == beliefBar && broken {
				add(b.from, b.to)
			}
		}
	}
	slices.SortStableFunc(unseen, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	for _, b := range t.s.Bands {
		add(b.From, b.To)
	}
	if len(unseen) == 0 {
		return nil
	}
	hold, near := unseen[0], *t.s
	margin := hold.to - hold.from
	near.From, near.To = max(hold.from-margin, t.s.From), min(hold.to+margin, t.s.To)
	near.gaps, near.lanes = nil, nil
	outside := func(start, end clock.Instant) bool { return start > near.To || end < near.From }
	near.Bands = slices.DeleteFunc(slices.Clone(t.s.Bands), func(b Band) bool { return outside(b.From, b.To) })
	for _, l := range t.s.lanes {
		l.bars = slices.DeleteFunc(slices.Clone(l.bars), func(b bar) bool { return outside(b.from, b.to) })
		l.points = slices.DeleteFunc(slices.Clone(l.points), func(p point) bool { return outside(p.at, p.at) })
		near.lanes = append(near.lanes, l)
	}
	return &near
}

// extent returns the attributes from which the script of a page knows the places and times of the lanes.
func (t *lanesSVG) extent() []string {
	if !t.page {
		return nil
	}
	window := ""
	if len(t.s.Bands) > 0 {
		window = fmt.Sprintf("%d %d", t.s.Bands[0].From, t.s.Bands[0].To)
	}
	return []string{"data-left", px(t.left), "data-right", px(laneRight), "data-top", px(t.top), "data-bottom",
		px(t.bottom), "data-from", fmt.Sprintf("%d", t.s.From), "data-to", fmt.Sprintf("%d", t.s.To),
		"data-window", window, "data-clocks", t.s.clocks()}
}

// during draws the signs of an interval, with attributes for the script of a page, which zooms.
func (t *lanesSVG) during(start, end clock.Instant, draw func()) {
	if t.page {
		t.Extra = fmt.Sprintf(` data-f="%d" data-t="%d"`, start, end)
	}
	draw()
	t.Extra = ""
}

func (t *lanesSVG) x(instant clock.Instant) float64 {
	instant = min(max(instant, t.s.From), t.s.To)
	return t.left + (laneRight-t.left)*float64(instant-t.s.From)/float64(max(t.s.To-t.s.From, 1))
}

// heading writes the title, the axis of true time, and the names and times of violations.
func (t *lanesSVG) heading() {
	t.Text(10, 20, 14, svg.Start, svg.Strong, fitText(svg.Strong, t.s.title, 14, 560))
	t.Text(laneRight, 20, textSize, svg.End, "soft", "true time, seconds since the run began")
	t.y = 30
	if t.s.Left != "" && !t.page { // the page has said so
		t.Text(10, t.y+6, textSize, svg.Start, "soft", t.s.Left)
		t.y += 16
	}
	t.y += t.bandNames()
	t.ticks(t.y + 12)
	t.y += 18
}

// bandNames names the violated properties above the time of their violation.
func (t *lanesSVG) bandNames() (height float64) {
	if len(t.s.Bands) == 0 {
		return 0
	}
	for _, b := range t.s.Bands {
		name := wording.Capital(wording.Broke(b.properties))
		w := svg.Helvetica(svg.Strong, 12)(name)
		x := min(max(t.x(b.since())-4, t.left), laneRight-w)
		y := t.y + 12
		for !t.Free(svg.TextBox(x-4, y, 12, svg.Start, svg.Strong, name+"  ")) {
			y += 15
		}
		t.during(b.since(), b.To, func() { t.Text(x, y, 12, svg.Start, "bad strong", name) })
		height = max(height, y-t.y+6)
	}
	return height
}

func (t *lanesSVG) ticks(y float64) {
	t.Open("class", "ticks")
	defer t.Close()
	for _, at := range t.s.ticks() {
		t.TextIfFree(min(t.x(at), laneRight-10), y, textSize, svg.Middle, "soft", at.String())
	}
}

var laneHeights = [...]float64{
	clientLane: 42, serviceLane: nodeHeight, nodeLane: nodeHeight, storageLane: writesHeight, faultLane: 18,
	shareLane: nodeHeight,
}

func (l *lane) high() float64 {
	h := laneHeights[l.kind]
	if l.kind == storageLane && l.hasKeys() {
		h += nodeHeight // its writes go below
	}
	return h
}

// rows draws the parts below all bars: the ground of the lanes, the ticks, and the times of violation.
func (t *lanesSVG) rows() {
	y := t.top
	for i := range t.s.lanes {
		h := t.s.lanes[i].high()
		t.Rect(t.left, y+1, laneRight-t.left, h-2, "row", "")
		y += h
	}
	for _, at := range t.s.ticks() {
		t.during(at, at, func() { t.Line(t.x(at), t.top, t.x(at), y, "grid") })
	}
	for _, g := range t.s.gaps {
		t.during(g.from, g.to, func() {
			t.Rect(t.x(g.from), t.top, t.x(g.to)-t.x(g.from), y-t.top, "gap", "Not drawn, "+during(g.from, g.to))
		})
	}
	for _, b := range t.s.Bands {
		x, w := t.x(b.since()), max(t.x(b.To)-t.x(b.since()), 4)
		says := wording.Capital(wording.Broke(b.properties)) + ", " + during(b.From, b.To)
		t.during(b.since(), b.To, func() { t.Rect(min(x, laneRight-w), t.top, w, y-t.top, "band", says) })
	}
	t.Line(t.left, t.top, laneRight, t.top, "rule")
}

func (t *lanesSVG) lane(l *lane) {
	height := l.high()
	t.places = append(t.places, Place{l.name, t.y, height})
	t.Open("class", "lane", "data-lane", wording.Plain(l.name))
	for _, b := range merged(l.bars, t) {
		t.during(b.from, b.to, func() { t.drawBar(l, b, height) })
	}
	points := sparse(l.points, t)
	for _, p := range points {
		t.during(p.at, p.at, func() { t.point(p, height) })
	}
	for _, p := range points {
		t.during(p.at, p.at, func() { t.pointText(p, height) })
	}
	t.Marks = nil
	t.Close()
	t.y += height
}

// names writes the name of each lane, on a separate ground, because a page's script keeps them in sight on a small
// screen.
func (t *lanesSVG) names() {
	t.Open("class", "names")
	defer t.Close()
	const time = "true time"
	t.Rect(0, t.top-16, 14+textWidth(time, textSize), 15, "ground", "")
	t.Rect(0, t.top, t.left-1, t.y-t.top, "ground", "")
	t.Text(10, t.top-6, textSize, svg.Start, "soft", time)
	y := t.top
	for i := range t.s.lanes {
		l := &t.s.lanes[i]
		name := fitText(svg.Strong, t.name(l), textSize, t.left-14)
		t.Text(t.left-8, y+min(l.high()/2+4, 17), textSize, svg.End, svg.Strong, name)
		if l.kind == clientLane {
			t.Text(t.left-8, y+31.5, 10, svg.End, "soft", "lock valid")
		}
		y += l.high()
	}
}

func (t *lanesSVG) name(l *lane) string {
	switch l.kind {
	case clientLane:
		return "client " + l.name
	case nodeLane:
		return "node " + l.name
	case storageLane:
		return t.s.storageKind() + " " + l.name
	case faultLane:
		return FaultInWords(l.name)
	}
	return l.name
}

// FaultInWords returns what a fault does in words for people: "held message c1 to s" for "hold c1>s".
func FaultInWords(what string) string {
	word, rest, _ := strings.Cut(what, " ")
	kind := faults.KindNamed(word)
	if kind == nil {
		return what
	}
	return strings.ToLower(kind.Label) + " " + strings.NewReplacer(" > ", " to ", ">", " to ").Replace(rest)
}

// merged joins neighbours of one kind and one owner that no reader could distinguish: less than half a pixel is between
// them. Of bars within one half of a pixel it keeps the first. So the picture of a long run stays small. Among many
// bars, those too narrow for a pointer have no words.
func merged(bars []bar, t *lanesSVG) (all []bar) {
	type series struct {
		kind  barKind
		owner int
	}
	latest, last := map[series]int{}, map[barKind]int{}
	for _, b := range bars {
		x, w := t.x(b.from), t.x(b.to)-t.x(b.from)
		i, ok := latest[series{b.kind, b.owner}]
		if ok && x-t.x(all[i].to) < 0.5 && w < 2 && b.from >= all[i].from {
			all[i].to = max(all[i].to, b.to)
			continue
		}
		if at, drawn := last[b.kind]; drawn && w < 0.5 && at == int(2*x) {
			continue
		}
		if w < 2 && len(bars) > 150 {
			b.says = ""
		}
		last[b.kind] = int(2 * x)
		latest[series{b.kind, b.owner}] = len(all)
		all = append(all, b)
	}
	return all
}

// sparse leaves out points that would cover the one before and be the same.
func sparse(points []point, t *lanesSVG) (all []point) {
	for _, p := range points {
		if n := len(all); n > 0 {
			if last := all[n-1]; last.kind == p.kind && last.owner == p.owner && t.x(p.at)-t.x(last.at) < 1 {
				continue
			}
		}
		all = append(all, p)
	}
	return all
}

// drawBar draws one bar and its name. Even a short bar is visible.
func (t *lanesSVG) drawBar(l *lane, b bar, height float64) {
	k := &looks[b.kind]
	w := max(t.x(b.to)-t.x(b.from), k.least)
	x, y, h := min(t.x(b.from), laneRight-w), t.y+k.lane[0], k.lane[1]
	if k.lane[0] < 0 {
		y += height
	}
	if h < 0 {
		h += height
	}
	if b.kind == shareBar {
		h = (height - 4) * float64(b.owner) / 100
		y = t.y + height - 2 - h
	}
	if b.kind == wrongBar {
		t.Rect(x, y, w, h, "ground", "")
	}
	t.bar(b.kind, b.owner, x, y, w, h, b.says)
	switch b.kind {
	case beliefBar:
		t.inside(x, y+12.5, w, "on"+colour(b.owner), "holds, "+b.text, b.text, l.name)
	case keyBar:
		t.inside(x, y+11, w, "on"+colour(b.owner), "key of "+b.text, b.text)
	case offBar:
		t.inside(x, t.y+height/2+4, w, "offtext", "off")
	case slewBar:
		t.slewText(x, y-1, w, b.text)
	}
}

// inside writes the longest of some texts that fits into the free room of a bar.
func (t *lanesSVG) inside(x, y, w float64, class string, texts ...string) {
	extra := t.Extra
	for _, s := range texts {
		s = strings.TrimSuffix(s, ", ")
		if t.page {
			t.Extra = extra + ` data-w="` + px(textWidth(s, textSize)+8) + `"`
		}
		if s != "" && textWidth(s, textSize)+8 <= w && t.TextIfFree(x+5, y, textSize, svg.Start, class, s) {
			return
		}
	}
}

// slewText writes the text of a slew at the first free place along its bar.
func (t *lanesSVG) slewText(x, y, w float64, text string) {
	for _, part := range []float64{0, 0.25, 0.5, 0.75} {
		left := x + w*part + 5
		fits := left+textWidth(text, textSize) <= laneRight
		if fits && t.TextIfFree(left, y, textSize, svg.Start, "strong msg", text) {
			return
		}
	}
}

// point draws one point: a triangle for a change of a clock, a dot in its client's colour for a write.
func (t *lanesSVG) point(p point, height float64) {
	x := t.x(p.at)
	y := t.y + height - 3
	switch p.kind {
	case jumpPoint:
		t.Path(triangle(x, y), "jump", p.says)
		t.Avoid(x-5, y-9, x+5, y)
	case extendedPoint, unextendedPoint:
		t.extension(x, t.y+22, p.kind, p.says)
	case markedPoint:
		t.mark(x, t.y+4, p.says)
	default:
		y = t.y + height - writesHeight/2
		t.write(x, y, p.owner, p.kind, "At "+wording.Micros(p.at)+", "+p.says)
		t.Avoid(x-6, y-6, x+6, y+6)
	}
}

func (t *lanesSVG) write(x, y float64, client int, kind pointKind, says string) {
	t.Path(dot(x, y, 6), "k"+colour(client), says)
	if kind == refusedPoint {
		t.Path(dot(x, y, 9), "badmark", says)
	}
}

func (t *lanesSVG) extension(x, y float64, kind pointKind, says string) {
	t.Path(moveTo(x, y)+"l0 12", "goodmark", says)
	if kind == unextendedPoint {
		t.Path(cross(x-3.5, y+2.5, 7), "badmark", says)
	}
}

// mark marks an operation, at the top of its client's lane.
func (t *lanesSVG) mark(x, y float64, says string) {
	t.Path(moveTo(x, y)+"l-4 -7l8 0z", "bad", says)
}

// pointText writes the text of a point to its right, or to its left if there is no room.
func (t *lanesSVG) pointText(p point, height float64) {
	x, y, class, s := t.x(p.at), t.y+height-writesHeight/2+4, "", p.text
	switch p.kind {
	case extendedPoint, unextendedPoint, markedPoint:
		return
	case jumpPoint:
		y, class = t.y+height-4, "strong msg"
	case refusedPoint:
		s += ", fencing would reject it"
	}
	if x+14+textWidth(s, textSize) <= laneRight && t.TextIfFree(x+11, y, textSize, svg.Start, class, s) {
		return
	}
	if x-14-textWidth(s, textSize) >= t.left {
		t.TextIfFree(x-11, y, textSize, svg.End, class, s)
	}
}

// describeScene describes a timeline in words, for readers who can't see it.
func describeScene(s *Scene) string {
	e := s.Run.Evidence
	var b strings.Builder
	fmt.Fprintf(&b, "%s and %s over %s of true time. ", wording.Count(e.Clients, "client", "clients"),
		wording.Count(s.asked(), "node", "nodes"), time.Duration(s.To-s.From))
	for _, f := range s.Run.Findings {
		if f.Verdict == checker.Violated {
			b.WriteString(e.Explain(f) + " ")
		}
	}
	if len(s.Bands) == 0 {
		b.WriteString("No promise is broken. ")
	}
	return strings.TrimSpace(b.String() + s.Left)
}
