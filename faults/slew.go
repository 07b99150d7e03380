package faults

import (
	"cmp"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// Slew corrects the clocks of Host by By, little by little, at Rate. It ends when that is done.
var Slew = &Kind{
	Name: "slew", Label: "Gradual clock correction", Form: "slew HOST -10ms at 500ppm",
	About:      "clocks are adjusted little by little, until that is done",
	Class:      Drift.Class,
	Clocks:     true,
	EndsItself: true,
	parts: []*part{hostPart, stepPart, {
		read: func(p *parser, f *Fault) {
			p.expect("at")
			f.Rate = read(p, "a rate such as 500ppm", clock.ParseRate)
		},
		write:  func(f *Fault) string { return "at " + strings.TrimPrefix(f.Rate.String(), "+") },
		draw:   drawRate,
		amount: rateAmount,
	}},
	check: func(f *Fault, _ time.Duration) error {
		within := 0 < f.Rate && f.Rate <= rateMax
		return cmp.Or(needs(within, "a clock is slewed at more than 0 and at most "+rateMax.String()),
			something(f.By != 0))
	},
	strain: func(f *Fault) strain { return strain{rate: max(f.Rate, -f.Rate)} },
	strike: slew,
}

// slew slews the clocks of all hosts. Each takes the same time, which depends on By and Rate alone.
func slew(t *targets, f *Fault) effect {
	from := t.world.Now()
	end := from
	e := onHosts(
		func(f *Fault, h *sim.Host) { end = h.Slew(f.By, f.Rate) },
		func(f *Fault, h *sim.Host) {
			if h.World().Now() < end {
				h.Unslew(from, f.By, f.Rate)
			}
		})(t, f)
	begin := e.begin
	e.begin = func() clock.Instant { begin(); return end }
	return e
}
