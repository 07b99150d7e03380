package faults

import (
	"cmp"
	"fmt"
	"time"

	"github.com/lockstorm/lockstorm/sim"
)

// Strobe steps the wall clock of Host forward by By, back after Every, forward again, and so on. At the end the clock
// shows what it would have shown.
var Strobe = &Kind{
	Name: "strobe", Label: "Flickering clock", Form: "strobe HOST 200ms every 1s",
	About:  "the wall clock jumps forward and back",
	Class:  Jump.Class,
	Clocks: true,
	parts: []*part{hostPart, {
		read:   func(p *parser, f *Fault) { f.By = p.duration("a duration such as 200ms") },
		write:  func(f *Fault) string { return f.By.String() },
		draw:   func(d *drawing, f *Fault) { f.By = d.length(d.storm.Span) },
		amount: byAmount,
	}, {
		read: func(p *parser, f *Fault) {
			p.expect("every")
			f.Every = p.duration("a duration such as 50ms")
		},
		write:  func(f *Fault) string { return "every " + f.Every.String() },
		draw:   func(d *drawing, f *Fault) { f.Every = max(strobeShortest, d.length(d.storm.Span)) },
		words:  []string{"every"},
		amount: &Amount{"every", int64(time.Millisecond), func(f *Fault) any { return &f.Every }},
	}},
	check:   checkStrobe,
	strain:  func(f *Fault) strain { return strain{by: f.By.Abs()} },
	lasting: (*drawing).ending, // a run that is strobed to its end never rests
	strike:  func(t *targets, f *Fault) effect { return onHosts(strobe(t.world))(t, f) },
}

// Each step of a strobe is an event. A strobe with too many steps would leave a run little else to do.
const (
	strobeShortest = time.Millisecond
	strobeStepsMax = 100_000 // of one clock
)

func checkStrobe(f *Fault, horizon time.Duration) error {
	lasts := horizon
	if f.For > 0 && f.On == "" {
		lasts = min(lasts, f.For)
	}
	steps := lasts / max(f.Every, 1)
	return cmp.Or(something(f.By != 0),
		needs(0 < f.By && f.By <= jumpMax, "a clock is stepped forth by more than 0 and by at most "+jumpMax.String()),
		needs(f.Every >= strobeShortest, "the clock is stepped too often; give "+strobeShortest.String()+" or more"),
		needs(steps <= strobeStepsMax, fmt.Sprintf(
			"it would step the clock %d times, and %d are enough; give it an end, or step less often",
			steps, strobeStepsMax)))
}

// strobe returns what steps a host's clock forward and back, and what stops that.
func strobe(w *sim.World) (begin, heal func(*Fault, *sim.Host)) {
	type swing struct{ out, over bool }
	swings := make([]swing, len(w.Hosts()))
	begin = func(f *Fault, h *sim.Host) {
		s, by := &swings[h.ID], f.By
		if s.over {
			return
		}
		if s.out {
			by = -f.By
		}
		s.out = !s.out // before the step, which may end a fault that this clock times
		h.Step(by)
		if !s.over {
			who := w.Blamed()
			w.At(w.Now().Add(f.Every), func() { w.Blame(who, func() { begin(f, h) }) })
		}
	}
	return begin, func(f *Fault, h *sim.Host) {
		s := &swings[h.ID]
		s.over = true
		if s.out {
			h.Step(-f.By)
		}
	}
}
