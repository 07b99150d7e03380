package faults

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/sim"
)

// Lossy makes the link from From to To lose Loss of a million messages, until the end.
var Lossy = &Kind{
	Name: "lossy", Label: "Lossy link", Form: "lossy HOST>HOST 20000ppm", About: "a share of messages is lost, here 2%",
	Class: loss,
	Links: true,
	parts: []*part{linkPart, {
		read:   func(p *parser, f *Fault) { f.Loss = read(p, "a share such as 20000ppm", parseLoss) },
		write:  func(f *Fault) string { return strconv.Itoa(f.Loss) + "ppm" },
		draw:   func(d *drawing, f *Fault) { f.Loss = 10_000 * int(1+d.Below(100)) },
		amount: &Amount{"loss", 10_000, func(f *Fault) any { return &f.Loss }},
	}},
	check: func(f *Fault, _ time.Duration) error {
		within := 0 < f.Loss && f.Loss <= 1_000_000
		return cmp.Or(something(f.Loss != 0), needs(within, "a share in millionths is from 0 to 1000000"))
	},
	strike: func(t *targets, f *Fault) effect {
		w := t.world
		return onLinks(t.link(f), (*sim.World).LostOn,
			func(src, dst *sim.Host) { w.Lose(src, dst, f.Loss) },
			func(src, dst *sim.Host) { w.Lose(src, dst, -f.Loss) })
	},
}

func parseLoss(word string) (int, error) {
	number, isPPM := strings.CutSuffix(word, "ppm")
	if !isPPM {
		return 0, strconv.ErrSyntax
	}
	n, err := strconv.Atoi(number)
	if err == nil && n < 0 {
		err = strconv.ErrRange
	}
	return n, err
}
