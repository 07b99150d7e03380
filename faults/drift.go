package faults

import (
	"cmp"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// Drift makes the clocks of Host run faster by Rate, or slower if that is negative, until the end.
var Drift = &Kind{
	Name: "drift", Label: "Clock drift", Form: "drift HOST +800ppm", About: "clocks run too fast or slow",
	Class:  &Class{Name: "drift", About: "clocks run at a wrong rate, or are slewed"},
	Clocks: true,
	parts: []*part{hostPart, {
		read:  func(p *parser, f *Fault) { f.Rate = read(p, "a rate such as +800ppm", clock.ParseRate) },
		write: func(f *Fault) string { return f.Rate.String() },
		draw: func(d *drawing, f *Fault) {
			if drawRate(d, f); d.coin() {
				f.Rate = -f.Rate
			}
		},
		amount: rateAmount,
	}},
	check: func(f *Fault, _ time.Duration) error {
		within := -rateMax <= f.Rate && f.Rate <= rateMax
		return cmp.Or(something(f.Rate != 0), needs(within, "a clock drifts by at most "+rateMax.String()))
	},
	strain: func(f *Fault) strain { return strain{rate: max(f.Rate, -f.Rate)} },
	strike: onHosts(func(f *Fault, h *sim.Host) { h.Drift(f.Rate) }, func(f *Fault, h *sim.Host) { h.Drift(-f.Rate) }),
}
