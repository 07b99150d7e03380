package faults

import (
	"cmp"
	"fmt"
	"time"

	"github.com/lockstorm/lockstorm/sim"
)

// Slow makes each message from From to To take By longer, until the end.
var Slow = &Kind{
	Name: "slow", Label: "Slow link", Form: "slow HOST>HOST by 5ms", About: "messages take longer",
	Class:  delay,
	Links:  true,
	parts:  []*part{linkPart, delayPart},
	check:  checkDelay,
	strike: func(t *targets, f *Fault) effect { return slow(t.world, t.link(f), f.By) },
}

func checkDelay(f *Fault, horizon time.Duration) error {
	late := fmt.Sprintf("no message would arrive within the run's horizon of %s; cut the link instead", horizon)
	return cmp.Or(something(f.By != 0), needs(f.By > 0, "a message can't take less time than the link gives it"),
		needs(f.By <= horizon, late))
}

func slow(w *sim.World, links []link, d time.Duration) effect {
	return onLinks(links, (*sim.World).Sent,
		func(src, dst *sim.Host) { w.Slow(src, dst, d) }, func(src, dst *sim.Host) { w.Slow(src, dst, -d) })
}
