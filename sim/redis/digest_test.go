package redis

import (
	"fmt"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A digest is kept until the node is called again, or its host goes off or on, or changes its clock: whatever is done to the node,
// the one that is kept is that which would be made anew.
func TestAKeptDigestIsThatOfTheNodeAsItIs(t *testing.T) {
	made := func(n *Node) uint64 {
		var d sim.Digest
		d.Reset(0)
		n.Digest(&d, -1)
		return d.Sum()
	}
	for name, deed := range map[string]func(*rig){
		"a key is set":                    func(r *rig) { r.do("SET", "l", "b", "NX", "PX", "5000"); r.do("SET", "x", "b") },
		"a key is deleted":                func(r *rig) { r.do("DEL", "lock") },
		"a key lives longer":              func(r *rig) { r.do("PEXPIRE", "lock", "90000") },
		"a script frees a key":            func(r *rig) { r.do("EVAL", Scripts[0].Text, "1", "lock", "a") },
		"a script is loaded":              func(r *rig) { r.do("SCRIPT", "LOAD", Scripts[1].Text) },
		"its clock jumps":                 func(r *rig) { r.step(time.Second) },
		"its clock jumps beyond a key":    func(r *rig) { r.step(time.Minute) },
		"its clock drifts":                func(r *rig) { r.all(func(h *sim.Host) { h.Drift(1000 * clock.PPM) }) },
		"its power fails":                 func(r *rig) { r.power() },
		"its clock jumps while it is off": func(r *rig) { r.power(); made(r.nodes[0]); r.step(time.Second) },
		"it is on again":                  func(r *rig) { r.power(); made(r.nodes[0]); r.pass(time.Minute); r.restart() },
		"another run begins":              func(r *rig) { r.nodes[0].Attach(r.world.Hosts()[0], Config{}) },
	} {
		for _, p := range []Persistence{None, AOFAlways} {
			t.Run(fmt.Sprint(name, ", ", p), func(t *testing.T) {
				r := once(t, Config{Watch: "lock", Persistence: p})
				r.do("SET", "lock", "a", "NX", "PX", "20000")
				r.pass(time.Millisecond)
				n := r.nodes[0]
				before := made(n)
				deed(r)
				kept := made(n)
				if n.kept.fresh = false; kept != made(n) {
					t.Error("the digest is that of before")
				}
				if kept == before {
					t.Error("nothing has changed")
				}
			})
		}
	}
}
