package redis

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// trouble plans what goes wrong in a group within ten seconds, and heals by then; and what clients ask meanwhile.
func trouble(t *rapid.T) (plan []func(*ring)) {
	moment := rapid.Custom(func(t *rapid.T) clock.Instant { return clock.Instant(rapid.IntRange(1, 9000).Draw(t, "at")) * ms })
	for range rapid.IntRange(1, 40).Draw(t, "steps") {
		at := moment.Draw(t, "moment")
		until := min(at+clock.Instant(rapid.IntRange(1, 6000).Draw(t, "for"))*ms, 10_000*ms)
		i := rapid.IntRange(0, 2).Draw(t, "node")
		j := (i + rapid.IntRange(1, 3).Draw(t, "other")) % 4 // the observer has the place behind them
		switch rapid.IntRange(0, 12).Draw(t, "what") {
		case 0:
			plan = append(plan, func(r *ring) { r.apart(at, until, r.hosts[i], r.Hosts()[j]) })
		case 1:
			power := rapid.Bool().Draw(t, "power")
			plan = append(plan, func(r *ring) {
				r.At(at, func() { r.hosts[i].Crash(power) })
				r.At(until, r.hosts[i].Restart)
			})
		case 2:
			plan = append(plan, func(r *ring) { r.At(at, r.hosts[i].Pause); r.At(until, r.hosts[i].Resume) })
		case 3:
			by := rapid.SampledFrom([]time.Duration{time.Second, -time.Second}).Draw(t, "step")
			plan = append(plan, func(r *ring) { r.At(at, func() { r.hosts[i].Step(by) }) })
		case 4:
			plan = append(plan, func(r *ring) { r.At(at, func() { r.Lose(r.hosts[i], r.Hosts()[j], 500_000) }) })
			plan = append(plan, func(r *ring) { r.At(until, func() { r.Lose(r.hosts[i], r.Hosts()[j], -500_000) }) })
		default:
			args := anything(t)
			plan = append(plan, func(r *ring) {
				r.At(at, func() {
					if r.hosts[i].Up() && args[0] != "SUBSCRIBE" {
						r.nodes[i].Serve(args)
					}
				})
			})
		}
	}
	return plan
}

// copied returns what members of one group must share: everything except remaining lives, which depend on clocks.
func copied(n *Node) string {
	var b strings.Builder
	for _, c := range n.states(everything) {
		fmt.Fprintln(&b, c.key, c.end, c.made, c.more)
	}
	return b.String()
}

// However messages were lost, servers failed and masters changed: once all is well, every node has what the one master
// has.
func TestReplicasConvergeToTheirMaster(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Config{Persistence: persistences.Draw(t, "persistence"), Watch: "k", Replication: Replication{
			Lag: sim.Range{Max: 20 * time.Millisecond}, Backlog: rapid.SampledFrom([]int{1, 3, 0}).Draw(t, "backlog"),
			MinReplicas: rapid.IntRange(0, 1).Draw(t, "minimum"),
		}}
		r := newRing(t, 3, c).observed()
		defer r.close()
		for _, plan := range trouble(t) {
			plan(r)
		}
		r.until(20 * time.Second)
		master := r.o.Terms()[len(r.o.Terms())-1].Node
		for i, n := range r.nodes {
			if n.follows() != (i != master) {
				t.Fatalf("n%d is master: %v; the observer says n%d", i+1, !n.follows(), master+1)
			}
			if got, want := copied(n), copied(r.nodes[master]); got != want || n.member.offset != r.nodes[master].member.offset {
				t.Fatalf("n%d has, at %d,\n%swant, at %d,\n%s", i+1, n.member.offset, got, r.nodes[master].member.offset, want)
			}
		}
	})
}

// story returns everything that happened in a run, and what was left.
func (r *ring) story() string {
	var b strings.Builder
	for _, e := range r.Trace() {
		fmt.Fprintln(&b, e.At, e.Kind, e.Host, e.Peer, e.Call, e.Body)
	}
	for _, n := range r.nodes {
		fmt.Fprintln(&b, copied(n), lived(n.Spans()), n.member.began, n.member.leader)
	}
	fmt.Fprintln(&b, r.o.Terms(), lived(Lives(r.o.Terms(), r.nodes)))
	return b.String()
}

// A second run, on nodes that have been through the first, is the same to the last message.
func TestAGroupOfUsedNodesDoesTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Config{Persistence: persistences.Draw(t, "persistence"), Watch: "k", Replication: Replication{Lag: sim.Range{Max: 20 * time.Millisecond}}}
		first := newRing(t, 3, c).observed()
		defer first.close()
		for _, plan := range trouble(t) {
			plan(first)
		}
		first.until(11 * time.Second)
		plans := trouble(t)
		var stories []string
		for _, nodes := range [][]*Node{{NewNode(), NewNode(), NewNode()}, first.nodes} {
			r := ringOf(t, nodes, c).observed()
			for _, plan := range plans {
				plan(r)
			}
			r.until(11 * time.Second)
			stories = append(stories, r.story())
			if nodes[0] != first.nodes[0] {
				defer r.close()
			}
		}
		if stories[0] != stories[1] {
			t.Fatalf("new nodes:\n%s\nused ones:\n%s", stories[0], stories[1])
		}
	})
}
