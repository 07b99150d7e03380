package faults

import (
	"cmp"
	"time"

	"github.com/lockstorm/lockstorm/sim"
)

// Jump steps the wall clock of Host by By, and back at the end, if there is one.
var Jump = &Kind{
	Name: "jump", Label: "Clock jump", Form: "jump HOST +11s", About: "the wall clock is set forward or back, until the fault ends",
	Class:  &Class{Name: "jump", About: "a wall clock is stepped"},
	Clocks: true,
	parts:  []*part{hostPart, stepPart},
	check: func(f *Fault, _ time.Duration) error {
		within := -jumpMax <= f.By && f.By <= jumpMax
		return cmp.Or(something(f.By != 0), needs(within, "a clock jumps by at most "+jumpMax.String()))
	},
	strain: func(f *Fault) strain { return strain{by: f.By.Abs()} },
	strike: onHosts(func(f *Fault, h *sim.Host) { h.Step(f.By) }, func(f *Fault, h *sim.Host) { h.Step(-f.By) }),
}
