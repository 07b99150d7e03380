package redis

import (
	"fmt"
	"iter"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A rig is a world whose time the test moves, with nodes that all see the same.
type rig struct {
	tb    rapid.TB
	world *sim.World
	nodes []*Node
	yield func(struct{}) bool
	next  func() (struct{}, bool)
	stop  func()
}

// rigged makes a rig with a node for each configuration. Their wall clocks show 1000 seconds at the start.
func rigged(tb rapid.TB, configs ...Config) *rig {
	nodes := make([]*Node, len(configs))
	for i := range nodes {
		nodes[i] = NewNode()
	}
	return rigWith(tb, nodes, configs...)
}

// rigWith is rigged for nodes that exist.
func rigWith(tb rapid.TB, nodes []*Node, configs ...Config) *rig {
	r := &rig{tb: tb, world: sim.New(sim.Config{}), nodes: nodes}
	for i, n := range nodes {
		n.Attach(r.world.AddHost(fmt.Sprint("n", i+1), n, clock.Reading(1000*time.Second), 0), configs[i])
	}
	r.next, r.stop = iter.Pull(func(yield func(struct{}) bool) {
		r.yield = yield
		r.world.Run()
	})
	return r
}

func (r *rig) close() {
	r.stop()
	for _, n := range r.nodes {
		n.Close()
	}
}

// once is rigged for a test of one node that needs no second thought about closing.
func once(t *testing.T, c Config) *rig {
	r := rigged(t, c)
	t.Cleanup(r.close)
	return r
}

// at lets time pass, to this moment since the start of the run.
func (r *rig) at(moment time.Duration) {
	r.world.At(clock.Instant(moment), func() { r.yield(struct{}{}) })
	r.next()
}

// pass lets time pass.
func (r *rig) pass(by time.Duration) { r.at(time.Duration(r.world.Now()) + by) }

// all does something on each host.
func (r *rig) all(do func(*sim.Host)) {
	for _, h := range r.world.Hosts() {
		do(h)
	}
}

func (r *rig) step(by time.Duration) { r.all(func(h *sim.Host) { h.Step(by) }) }
func (r *rig) power()                { r.all(func(h *sim.Host) { h.Crash(true) }) }
func (r *rig) shutdown()             { r.all(func(h *sim.Host) { h.Crash(false) }) }
func (r *rig) restart()              { r.all((*sim.Host).Restart) }

// synced makes a write that is synced immediately, as the first in its second of the wall clock. Later writes of that
// second wait for its end.
func (r *rig) synced() { r.expect("OK", "SET first-in-its-second x") }

// do has the first node carry out a command.
func (r *rig) do(args ...string) any { return r.nodes[0].Serve(args) }

// expect checks the first node's reply to a command whose words hold no spaces.
func (r *rig) expect(want any, command string) {
	r.tb.Helper()
	if got := r.do(words(command)...); !equal(got, want) {
		r.tb.Fatalf("at %v: %s: got %#v, want %#v", r.world.Now(), command, got, want)
	}
}

// replies checks the first node's reply to a command.
func (r *rig) replies(want any, args ...string) {
	r.tb.Helper()
	if got := r.do(args...); !equal(got, want) {
		r.tb.Fatalf("at %v: %q: got %#v, want %#v", r.world.Now(), args, got, want)
	}
}

// fails checks that the first node's reply is an error that begins so.
func (r *rig) fails(want string, args ...string) {
	r.tb.Helper()
	if got, bad := r.do(args...).(Error); !bad || !strings.HasPrefix(string(got), want) {
		r.tb.Fatalf("at %v: %q: got %#v, want an error that begins %q", r.world.Now(), args, got, want)
	}
}

// lived checks the spans of the first node, written as "value from to".
func (r *rig) lived(want ...string) {
	r.tb.Helper()
	var got []string
	for _, s := range r.nodes[0].Spans() {
		text := fmt.Sprint(s.Value, " ", s.From, " ", s.To)
		if s.Endless {
			text += " endless"
		}
		got = append(got, text)
	}
	if !equal(got, want) {
		r.tb.Fatalf("spans: got %q, want %q", got, want)
	}
}

// dump lists all keys with their types, values and what is left of their lives.
func dump(n *Node) string {
	var b strings.Builder
	keys, _ := n.Serve([]string{"KEYS", "*"}).([]any)
	for _, k := range keys {
		key := k.(string)
		kind := n.Serve([]string{"TYPE", key}).(string)
		fmt.Fprintf(&b, "%s: %v %v %v\n", key, kind, n.Serve(content(kind, key)), n.Serve([]string{"PTTL", key}))
	}
	return b.String()
}

// content is the command that reads a key of a type.
func content(kind, key string) []string {
	switch kind {
	case "hash":
		return []string{"HGETALL", key}
	case "list":
		return []string{"LRANGE", key, "0", "-1"}
	}
	return []string{"GET", key}
}

// same has every node carry out a command, and checks that they agree on the reply, the keys, their lives and the
// spans. The command is spelled for each node by its own way; nil leaves it as it is.
func (r *rig) same(command []string, spell ...func([]string) []string) {
	r.tb.Helper()
	var first any
	for i, n := range r.nodes {
		args := command
		if i < len(spell) && spell[i] != nil {
			args = spell[i](args)
		}
		switch reply := n.Serve(args); {
		case i == 0:
			first = reply
		case !equal(reply, first):
			r.tb.Fatalf("at %v: %q: node 1 says %#v, node %d says %#v", r.world.Now(), command, first, i+1, reply)
		}
	}
	r.agree()
}

// agree checks that all nodes hold the same.
func (r *rig) agree() {
	r.tb.Helper()
	want, spans := dump(r.nodes[0]), fmt.Sprint(r.nodes[0].Spans())
	for i, n := range r.nodes[1:] {
		if got := dump(n); got != want {
			r.tb.Fatalf("node 1 holds\n%snode %d holds\n%s", want, i+2, got)
		}
		if got := fmt.Sprint(n.Spans()); got != spans {
			r.tb.Fatalf("spans: node 1 has %s, node %d has %s", spans, i+2, got)
		}
	}
}

func equal(a, b any) bool { return reflect.DeepEqual(a, b) }

// words splits a command whose words hold no spaces.
func words(command string) []string { return strings.Fields(command) }
