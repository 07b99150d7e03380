package faults

import "github.com/lockstorm/lockstorm/sim"

// Restart turns the machine of Host off, by power failure or Clean, and on again at the end.
var Restart = &Kind{
	Name: "restart", Label: "Restart", Form: "restart HOST [cleanly]",
	About: "the machine returns with what its disk kept",
	Class: &Class{
		Name: "restart", About: "a node goes off, and is on again with what its disk kept",
	},
	parts: []*part{nodePart, cleanPart},
	lasting: func(d *drawing, f *Fault) {
		if d.lasting(f); f.For == 0 {
			return
		}
		if f.For = max(f.For, d.storm.Away); d.Below(8) == 7 {
			f.On = d.word(d.cast.Nodes...) // a node's own clock times it, as in a delayed restart
		}
	},
	strike: onHosts(func(f *Fault, h *sim.Host) { h.Crash(!f.Clean) }, func(_ *Fault, h *sim.Host) { h.Restart() }),
}

// cleanPart says that the shutdown is orderly: "cleanly", or nothing.
var cleanPart = &part{
	read: func(p *parser, f *Fault) { f.Clean = p.accept("cleanly") },
	write: func(f *Fault) string {
		if f.Clean {
			return "cleanly"
		}
		return ""
	},
	draw:  func(d *drawing, f *Fault) { f.Clean = d.Below(4) == 3 },
	words: []string{"cleanly"},
	weight: func(f *Fault) int64 {
		if f.Clean {
			return 1
		}
		return 0
	},
	plain: func(f *Fault) { f.Clean = false },
}
