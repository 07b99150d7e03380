package faults

import "github.com/lockstorm/lockstorm/sim"

// StallDisk makes the disk of Host complete no sync until the end, like a very slow fsync. Writes that wait for a sync
// continue then, with nothing lost.
var StallDisk = &Kind{
	Name: "stall-disk", Label: "Stalled disk", Form: "stall-disk HOST",
	About:    "the node waits for its disk",
	Class:    &Class{Name: "stall-disk", About: "the disk of a node completes no sync"},
	parts:    []*part{diskPart},
	possible: func(cast *Cast) bool { return len(cast.Disks) > 0 },
	strike:   onHosts(func(_ *Fault, h *sim.Host) { h.StallDisk() }, func(_ *Fault, h *sim.Host) { h.FreeDisk() }),
}

// diskPart is the host whose disk stalls. Each host that a role may mean must wait for its disk.
var diskPart = nodeIn(func(cast *Cast) []string { return cast.Disks }, "never waits for a disk here; "+
	"what does is a Redis node whose persistence is aof-always or aof-everysec")
