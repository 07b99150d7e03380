package draw

import (
	"math"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports/internal/draw/svg"
	"github.com/lockstorm/lockstorm/scenarios"
)

// liftMost is how far from its arrow a label may be, in pixels, so that it seems to belong to the arrow.
const liftMost = 12.0

// label writes the text of a message next to its arrow: at the place that covers no other text and the fewest other
// arrows and lines of hosts, near the middle of its arrow if several places are as good. If there is no place, only the
// title of the arrow has the text.
func (d *sequence) label(m *scenarios.Message, a arrow) {
	text := m.Text
	switch {
	case m.Fate == scenarios.Dropped:
		text += " lost"
	case m.Held != clock.Forever && m.Freed != clock.Forever:
		text += ", held " + briefly(m.Freed.Sub(m.Held))
	}
	if text = fitText("msg", text, 10, labelPixels); text == "" {
		return
	}
	best, least := labelPlace{}, math.MaxInt
	for _, p := range a.places(m.Reply, textWidth(text, 10)/2) {
		box := svg.TextBox(p.x, p.y, 10, svg.Middle, "msg", text)
		if wide := (svg.Box{Left: box.Left - 7, Top: box.Top, Right: box.Right + 7, Bottom: box.Bottom}); d.Free(wide) {
			if cost := d.covered(box); cost < least {
				best, least = p, cost
			}
		}
		if least == 0 { // no other can be better
			break
		}
	}
	if least < math.MaxInt {
		d.Text(best.x, best.y, 10, svg.Middle, "msg", text)
	}
}

// A labelPlace is a place for the middle of a label's baseline.
type labelPlace struct{ x, y float64 }

// An arrow is the line of a message.
type arrow struct{ x1, y1, x2, y2 float64 }

// places returns the places for a label, whose width is twice half: above the arrow and below it, which an answer
// prefers; for a steep arrow also to its right and left.
func (a arrow) places(reply bool, half float64) (all []labelPlace) {
	lift := 0.0 // how much nearer a sloping arrow is to the end of a label than to its middle
	if a.x1 != a.x2 {
		lift = half * math.Abs((a.y2-a.y1)/(a.x2-a.x1))
	}
	sides := []float64{-3, -3 - lift, 9, 9 + lift}
	if reply {
		sides = []float64{9, 9 + lift, -3, -3 - lift}
	}
	if lift > liftMost {
		sides = []float64{sides[0], sides[2]}
	}
	parts := []float64{0.5, 0.62, 0.38, 0.72, 0.28, 0.8, 0.2, 0.85, 0.15, 0.9, 0.1, 0.95, 0.05}
	at := func(part, dx, dy float64) {
		all = append(all, labelPlace{a.x1 + (a.x2-a.x1)*part + dx, a.y1 + (a.y2-a.y1)*part + dy})
	}
	for _, dy := range sides {
		for _, part := range parts {
			at(part, 0, dy)
		}
	}
	if math.Abs(a.x2-a.x1) > 3*math.Abs(a.y2-a.y1) {
		return all
	}
	aside := half + 4 + 7*math.Abs((a.x2-a.x1)/(a.y2-a.y1)) // at least 4 away at half the height of a label
	for _, part := range parts {
		at(part, aside, 3)
		at(part, -aside, 3)
	}
	return all
}

// covered returns the cost of what a label would cover: arrows, which cross out the text, and lines of hosts.
func (d *sequence) covered(box svg.Box) (n int) {
	for _, a := range d.arrows {
		if a.crosses(box) {
			n += 2
		}
	}
	for _, h := range d.hosts {
		if x := d.places[h]; x > box.Left-4 && x < box.Right+4 {
			n++
		}
	}
	return n
}

// crosses reports whether a part of an arrow is within a box.
func (a arrow) crosses(b svg.Box) bool {
	if a.y1 < b.Top && a.y2 < b.Top || a.y1 > b.Bottom && a.y2 > b.Bottom { // most are far away
		return false
	}
	first, last := 0.0, 1.0               // the part of the arrow within the edges so far
	for _, edge := range [...][2]float64{ // the way of the arrow towards an edge, and the distance at its beginning
		{a.x1 - a.x2, a.x1 - b.Left}, {a.x2 - a.x1, b.Right - a.x1},
		{a.y1 - a.y2, a.y1 - b.Top}, {a.y2 - a.y1, b.Bottom - a.y1},
	} {
		switch towards, away := edge[0], edge[1]; {
		case towards == 0 && away < 0:
			return false
		case towards < 0:
			first = max(first, away/towards)
		case towards > 0:
			last = min(last, away/towards)
		}
	}
	return first < last
}
