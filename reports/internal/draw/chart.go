package draw

import (
	"cmp"
	"slices"

	"github.com/lockstorm/lockstorm/clock"
)

// A Chart is a timeline for a page, and where it shows what, in its own units.
type Chart struct {
	SVG           string
	Width, Height float64
	From, To      clock.Instant // the true time of its lanes, which runs evenly from Left to Right
	Left, Right   float64
	Lanes         []Place
}

// A Place is where a chart has a lane.
type Place struct {
	Name        string // of the lane: a host, or what a fault does
	Top, Height float64
}

// NewChart draws a scene as TimelineHTML does.
func NewChart(s *Scene) Chart {
	t := newLanesSVG(s, true)
	t.draw()
	return Chart{t.document(), timelinePixels, t.y + 6, s.From, s.To, t.left, laneRight, t.places}
}

// Lane returns the place of a lane; ok is false if the chart has none of that name.
func (c *Chart) Lane(name string) (p Place, ok bool) {
	i := slices.IndexFunc(c.Lanes, func(p Place) bool { return p.Name == name })
	if i < 0 {
		return Place{}, false
	}
	return c.Lanes[i], true
}

// A Moment is an instant at which a bar of a scene begins or ends, or that of a point.
type Moment struct {
	At   clock.Instant
	Lane string // its name
	Text string
	Over bool // something ends
}

// Moments returns all moments of a scene, in their order.
func (s *Scene) Moments() (all []Moment) {
	for i := range s.lanes {
		l := &s.lanes[i]
		for _, b := range l.bars {
			all = append(all, Moment{b.from, l.name, b.what, false})
			if b.to < s.Run.Evidence.End {
				all = append(all, Moment{b.to, l.name, b.what + b.more, true})
			}
		}
		for _, p := range l.points {
			all = append(all, Moment{p.at, l.name, p.says, false})
		}
	}
	slices.SortStableFunc(all, func(a, b Moment) int { return cmp.Compare(a.At, b.At) })
	return slices.DeleteFunc(all, func(m Moment) bool { return !s.Sees(m.At, m.At) })
}
