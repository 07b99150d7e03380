package faults

import (
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// Evict makes the node Host drop every key that has a TTL, as a maxmemory policy may do to make room.
var Evict = &Kind{
	Name: "evict", Label: "Eviction", Form: "evict HOST", About: "the node drops keys, to make room in its memory",
	Class:      &Class{Name: "evict", About: "a node drops keys, to make room", Asked: true},
	EndsItself: true,
	parts:      []*part{redisPart},
	possible:   hasRedis,
	strike: func(t *targets, f *Fault) effect {
		e := onHosts(func(_ *Fault, h *sim.Host) { h.Evict() }, func(*Fault, *sim.Host) {})(t, f)
		begin := e.begin
		e.begin = func() clock.Instant { begin(); return t.world.Now() }
		return e
	},
}
