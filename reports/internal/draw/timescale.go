package draw

import (
	"cmp"
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A stretch is an interval of true time.
type stretch struct{ from, to clock.Instant }

// joinStretches joins stretches that overlap or touch.
func joinStretches(all []stretch) (joined []stretch) {
	slices.SortFunc(all, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	for _, w := range all {
		if n := len(joined); n > 0 && w.from <= joined[n-1].to {
			joined[n-1].to = max(joined[n-1].to, w.to)
			continue
		}
		joined = append(joined, w)
	}
	return joined
}

// multiples returns the instants between two others that are whole multiples of a step: the smallest of 1, 2 or 5 times
// a power of ten that fits. fit gets the step and the first multiple.
func multiples(start, end clock.Instant, fit func(step, first clock.Instant) bool) (all []clock.Instant) {
	for unit := clock.Instant(1); ; unit *= 10 {
		for _, n := range []clock.Instant{1, 2, 5} {
			step := n * unit
			first := (start + step - 1) / step * step
			if !fit(step, first) {
				continue
			}
			for t := first; t <= end; t += step {
				all = append(all, t)
			}
			return all
		}
	}
}

// ticks returns up to ten instants for the axis of a timeline.
func (s *Scene) ticks() []clock.Instant {
	return multiples(s.From, s.To, func(step, _ clock.Instant) bool { return (s.To-s.From)/step <= 10 })
}

// briefly returns a duration with three digits.
func briefly(d time.Duration) string {
	unit := time.Duration(1)
	for unit*1000 <= d {
		unit *= 10
	}
	return d.Round(unit).String()
}

// A stop is an instant with a fixed height. Between two stops time runs evenly.
type stop struct {
	at     clock.Instant
	y      float64
	broken bool // time is cut out since the stop before
}

// instants returns the instants that have their own height, in order.
func (d *sequence) instants() []clock.Instant {
	all := []clock.Instant{d.from, d.to}
	add := func(t clock.Instant) {
		if t >= d.from && t <= d.to {
			all = append(all, t)
		}
	}
	for _, m := range d.x.Messages {
		add(m.Sent)
		add(m.Arrived)
	}
	for _, m := range d.x.Events {
		add(m.At)
	}
	for _, p := range d.x.s.episodes {
		if _, drawn := d.places[p.Host]; drawn && p.Peer < 0 {
			add(p.From)
			add(p.To)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (d *sequence) placeInstants() {
	scale := fallPixels / float64(d.flight())
	if d.concurrent() {
		scale *= 3
	}
	y := sequenceTop + 8
	for i, at := range d.instants() {
		k := stop{at: at}
		if i > 0 {
			gap := float64(at-d.stops[i-1].at) * scale
			if k.broken = gap > gapMost; k.broken {
				gap = breakPixels
			}
			y += gap
		}
		k.y = y
		d.stops = append(d.stops, k)
	}
	d.bottom = y + 10
}

// flight returns how long the median message is under way, which sets the scale.
func (d *sequence) flight() time.Duration {
	var all []time.Duration
	for _, m := range d.x.Messages {
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

// concurrent reports whether a host sends requests in parallel, which needs more room.
func (d *sequence) concurrent() bool {
	open := map[int]clock.Instant{} // until when a host waits for its latest request to be handled
	for _, m := range d.x.Messages {
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

func (d *sequence) at(t clock.Instant) float64 {
	t = min(max(t, d.from), d.to)
	i, exact := slices.BinarySearchFunc(d.stops, t, func(k stop, t clock.Instant) int { return cmp.Compare(k.at, t) })
	if exact || i == 0 {
		return d.stops[i].y
	}
	a, b := d.stops[i-1], d.stops[i]
	return a.y + (b.y-a.y)*float64(t-a.at)/float64(b.at-a.at)
}
