package redis

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// A digest is kept until the node is called again, or its host goes off or on, or changes its clock. Whatever happens
// to the node, the kept digest equals a fresh one.
func TestKeptDigestIsCurrent(t *testing.T) {
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

// Why fields of a node are in no state.
const (
	itself   = "it is the same in two runs that are compared"
	between  = "it is set while a command is carried out, and no state is taken then"
	replayed = "it is for the record, and no command asks for it"
	logging  = "it is of the log of AOFEverySecond, which makes the state unknown"
)

var nodeParts = map[string]simtest.Part{
	"config": simtest.Blinds, "host": "it adds itself", "mini": simtest.Counts,
	"db": "it is of miniredis, whose keys count", "srv": "it is of miniredis, whose keys count", "peer": "it is of miniredis, whose keys count",
	"out": between, "raw": between, "status": between, "lives": simtest.Counts, "next": "it is the earliest of the lives, which count",
	"scripts": simtest.Counts, "spans": simtest.Counts, "open": simtest.Counts, "values": between, "apart": itself, "due": replayed,
	"since": replayed, "away": simtest.Counts, "stoppedBy": replayed, "seen": "it is a moment at which nothing was overdue, and so is the present one",
	"asking": between, "read": "it is of texts, whoever sent them", "machine": "a new one does the same",
	"chance": "only RANDOMKEY draws, and no lock asks for that", "seeded": "with the same seed, before the first that may draw",
	"kept": "it is the digest that is compared", "member": simtest.Blinds, "bar": simtest.Blinds, "subscribers": simtest.Blinds,
	"log": logging, "saved": logging, "started": logging, "postponed": logging, "replaying": between, "then": between,
}

// Every field of a node, one that is on and one that is off, counts in its digest, makes the state unknown, or has a
// reason not to.
func TestEachFieldOfANodeIsInItsStateOrHasAReason(t *testing.T) {
	r := rigged(t, Config{Watch: "lock", Persistence: AOFAlways}, Config{Watch: "lock", Persistence: AOFAlways})
	t.Cleanup(r.close)
	r.do("SET", "lock", "a", "NX", "PX", "20000")
	r.do("SCRIPT", "LOAD", Scripts[1].Text)
	r.pass(time.Millisecond)
	r.all(func(h *sim.Host) {
		if h.ID == r.nodes[1].host.ID {
			h.Crash(true)
		}
	})
	other := NewNode()
	t.Cleanup(other.Close)
	simtest.Parts(t, r.nodes, nodeParts, map[string]func(*Node){
		"config":      func(n *Node) { n.config.Persistence = AOFEverySecond },
		"mini":        func(n *Node) { n.mini = other.mini },
		"lives":       func(n *Node) { n.lives = []life{{"lock", n.end("lock") + 1}} },
		"scripts":     func(n *Node) { n.scripts = append(n.scripts, &cached{sha: "x"}) },
		"spans":       func(n *Node) { n.spans = []Span{{Value: "b"}} },
		"open":        func(n *Node) { n.open = nil },
		"member":      func(n *Node) { n.member = &member{} },
		"subscribers": func(n *Node) { n.subscribers = make([]*subscriber, 1) },
		"postponed":   func(n *Node) { n.postponed.stall++ },
	}, func() (uint64, bool) {
		var d sim.Digest
		d.Reset(0)
		for i, n := range r.nodes {
			n.kept.fresh = false
			n.Digest(&d, i)
		}
		return d.Sum(), d.Opaque
	})
}

// A node's other data and its deadlines are in its state. The state is unknown if a value is no string.
func TestEachPartOfWhatANodeKeepsCounts(t *testing.T) {
	sum := func(commands ...string) (uint64, bool) {
		r := once(t, Config{Watch: "lock"})
		for _, c := range commands {
			r.do(strings.Fields(c)...)
		}
		var d sim.Digest
		d.Reset(0)
		r.nodes[0].Digest(&d, 0)
		return d.Sum(), d.Opaque
	}
	states := map[uint64]string{}
	for _, c := range []string{"SET k a", "SET k b", "SET l a", "SET k a PX 100", "SET k a PX 101", "SET lock a", "SET lock a PX 100",
		"EVAL return{1} 0", "EVAL return{2} 0"} {
		now, unknown := sum(c)
		if before, is := states[now]; is || unknown {
			t.Errorf("%s is the state of %s, or unknown: %v", c, before, unknown)
		}
		states[now] = c
	}
	if _, unknown := sum("RPUSH k a"); !unknown {
		t.Error("a list is known")
	}
}
