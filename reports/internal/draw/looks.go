package draw

import (
	"slices"

	"github.com/lockstorm/lockstorm/reports/internal/draw/svg"
)

// A barKind is the meaning of a bar.
type barKind int

const (
	attemptBar barKind = iota // an attempt to acquire
	beliefBar                 // a client acts as holder
	validBar                  // its computed validity
	wrongBar                  // it acts as holder though its validity has ended
	sectionBar                // a critical section: from its read to the answer to its write
	keyBar                    // a key lives on a node
	stillBar                  // the host is paused or suspended, or its disk stalls
	offBar                    // the host is off
	slewBar                   // its clocks are corrected little by little
	faultBar                  // a fault lasts
	shareBar                  // how many continuations from then on break a promise: its height is the share
)

// A place is the beginning of a rectangle along an axis, and its length.
type place [2]float64

// A style says how the bars of a kind look in each picture.
type style struct {
	class  string // of its rectangle; # is the number of its client's colour
	hatch  string // the pattern that fills it; empty for none
	onLine string // its class in a sequence diagram, if it is another and not hatched
	legend string
	sample place   // its top and height in a legend
	lane   place   // its top in the lane of a timeline, or from the bottom if below 0; its height, or off the lane's
	least  float64 // its least width in a timeline, so that it is visible
	line   place   // its left and width on the line of a host, in a sequence diagram; 0 if it is left out
	sign   rune    // in text, over the signs before; 0 if it is left out
}

// looks has the styles in the order in which text draws them.
var looks = [...]style{
	attemptBar: {class: "attempt", legend: "attempts", sample: place{-5, 3},
		lane: place{36, 3}, least: 1.2, sign: '-'},
	beliefBar: {class: "k#", legend: "acts as holder: believes that it holds the lock, even while it is paused", sample: place{-9, 11},
		lane: place{4, 17}, least: 2.5, line: place{-4, 8}, sign: '='},
	validBar: {class: "valid k# s#", legend: "its lock is valid", sample: place{-8, 8},
		lane: place{24, 8}, least: 2, line: place{-13, 6}},
	wrongBar: {class: "wrong", hatch: "wrong", legend: "acts as holder, though its lock is no longer valid", sample: place{-9, 11},
		lane: place{4, 17}, least: 1.5, line: place{-4, 8}, sign: '!'},
	sectionBar: {class: "section", legend: "critical section", sample: place{-5, 3.5},
		lane: place{19, 3.5}, least: 1.2},
	keyBar: {class: "k#", legend: "key of no known client", sample: place{-9, 11},
		lane: place{3, nodeHeight - 6}, least: 1.2, line: place{-3, 6}, sign: '1'},
	stillBar: {class: "edge", hatch: "still", onLine: "pause", legend: "paused or stalled", sample: place{-9, 11},
		lane: place{-8, 6}, least: 2, line: place{-9, 18}},
	offBar: {class: "off", legend: "host is off", sample: place{-9, 11},
		lane: place{3, -6}, least: 2, line: place{-5, 10}},
	slewBar: {class: "slew", legend: "clock slewed", sample: place{-5, 3},
		lane: place{-5, 3}, least: 2, line: place{6, 3}},
	faultBar: {class: "fault", legend: "fault", sample: place{-7, 8},
		lane: place{5, -10}, least: 2},
	shareBar: {class: "bad", legend: "share of runs that continue from then and break the promise", sample: place{-9, 11}, least: 1},
}

// A pointKind is the meaning of a point.
type pointKind int

const (
	jumpPoint       pointKind = iota // a clock is changed
	acceptedPoint                    // a write that both plain and fenced storage accept
	refusedPoint                     // a write that plain storage accepts and fenced storage rejects
	extendedPoint                    // an extension that succeeds
	unextendedPoint                  // an extension that fails
	markedPoint                      // a marked operation of a client
)

var pointSigns = [...]rune{
	jumpPoint: '^', acceptedPoint: 'w', refusedPoint: 'x', extendedPoint: '+', unextendedPoint: '%',
}

func (t *lanesSVG) legend() {
	x, y := t.left, t.y+20
	add := func(wanted bool, says string, draw func(x, y float64)) {
		if !wanted {
			return
		}
		w := 26 + textWidth(says, textSize) + 18
		if x+w > laneRight && x > t.left {
			x, y = t.left, y+17
		}
		draw(x, y)
		t.Text(x+26, y, textSize, svg.Start, "soft", says)
		x += w
	}
	bars := func(kinds ...barKind) {
		for _, kind := range kinds {
			k := &looks[kind]
			add(t.s.anyBar(func(b bar) bool { return b.kind == kind }), k.legend,
				func(x, y float64) { t.bar(kind, 0, x, y+k.sample[0], 20, k.sample[1], "") })
		}
	}
	points := func(kind pointKind, says string, draw func(x, y float64)) {
		add(t.s.anyPoint(func(p point) bool { return p.kind == kind }), says, draw)
	}
	box := func(class string) func(x, y float64) {
		return func(x, y float64) { t.Rect(x, y-9, 20, 11, class, "") }
	}
	bars(beliefBar, validBar, wrongBar, sectionBar, attemptBar)
	unowned := func(b bar) bool { return b.kind == keyBar && b.owner < 0 }
	add(t.s.anyBar(unowned), looks[keyBar].legend, box("kx"))
	bars(stillBar)
	points(extendedPoint, "extended", func(x, y float64) { t.extension(x+10, y-10, extendedPoint, "") })
	points(unextendedPoint, "extension fails",
		func(x, y float64) { t.extension(x+10, y-10, unextendedPoint, "") })
	points(markedPoint, "has no legal order, to a linearizability checker",
		func(x, y float64) { t.mark(x+10, y-1, "") })
	bars(offBar, slewBar, faultBar, shareBar)
	points(jumpPoint, "clock changed", func(x, y float64) { t.Path(triangle(x+12, y), "jump", "") })
	add(t.s.anyPoint(func(p point) bool { return p.kind == acceptedPoint || p.kind == refusedPoint }),
		"write, in its client's colour",
		func(x, y float64) { t.Path(dot(x+10, y-4, 6), "k0", "") })
	points(refusedPoint, "write that fencing would reject", func(x, y float64) { t.write(x+10, y-4, 0, refusedPoint, "") })
	add(len(t.s.gaps) > 0, "not all is drawn", box("gap"))
	add(len(t.s.Bands) > 0, "a promise is broken", box("band"))
	t.y = y + 6
}

func (s *Scene) anyBar(is func(bar) bool) bool {
	return slices.ContainsFunc(s.lanes, func(l lane) bool { return slices.ContainsFunc(l.bars, is) })
}

func (s *Scene) anyPoint(is func(point) bool) bool {
	return slices.ContainsFunc(s.lanes, func(l lane) bool { return slices.ContainsFunc(l.points, is) })
}
