package faults_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/sim"
)

const (
	us = time.Microsecond
	ms = time.Millisecond
	s  = time.Second
)

func at(d time.Duration) clock.Instant { return clock.Instant(d) }

func exactly(d time.Duration) sim.Range { return sim.Range{Min: d, Max: d} }

// hosts are the hosts of a rig, in order: two servers and two clients.
var hosts = []string{"n1", "n2", "c1", "c2"}

var cast = faults.Cast{Nodes: hosts[:2], Clients: hosts[2:], Disks: hosts[:2], Redis: hosts[:2]}

// crowd is a cast of five nodes, storage and three clients; c2 holds the lock.
var crowd = faults.Cast{
	Nodes: []string{"n1", "n2", "n3", "n4", "n5"}, Others: []string{"s"}, Clients: []string{"c1", "c2", "c3"},
	Holder: func() string { return "c2" }, Disks: []string{"n1", "n2", "n3", "n4", "n5"}, Redis: []string{"n1", "n2", "n3", "n4", "n5"},
}

// kinds are the names of all kinds, as errors list them.
var kinds = func() string {
	names := make([]string, len(faults.Kinds))
	for i, k := range faults.Kinds {
		names[i] = k.Name
	}
	return strings.Join(names, ", ")
}()

// A rig is a world in which nothing is left to chance: a step takes 1µs, a message 100µs, a server 10µs. Its servers
// answer each request with itself. So a call that begins at t is sent at t+1µs and answered at t+211µs.
type rig struct {
	*sim.World
	seen     []string // what was answered to whom
	schedule *faults.Injection
}

type echo struct{}

func (echo) Serve(request any) any { return request }

func newRig(t testing.TB, schedule faults.Schedule) *rig { return newRigOf(t, cast, schedule, 0) }

// newRigOf makes a rig with the hosts of a cast.
func newRigOf(t testing.TB, cast faults.Cast, schedule faults.Schedule, seed uint64) *rig {
	t.Helper()
	if err := schedule.Check(cast, time.Hour); err != nil {
		t.Fatal(err)
	}
	r := &rig{World: sim.New(sim.Config{Seed: seed, Step: exactly(us), Latency: exactly(100 * us), Serve: exactly(10 * us)})}
	t.Cleanup(r.Close)
	for _, name := range slices.Concat(cast.Nodes, cast.Others) {
		r.AddHost(name, echo{}, 0, 0)
	}
	for _, name := range cast.Clients {
		r.AddHost(name, nil, 0, 0)
	}
	r.schedule = schedule.Inject(r.World, cast)
	return r
}

// read parses a schedule that must be right.
func read(t testing.TB, text string) faults.Schedule {
	t.Helper()
	schedule, err := faults.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return schedule
}

// calls plans a call from a client to a server at an instant, with a timeout of 100ms on the client's clock.
func (r *rig) calls(from, to string, begins time.Duration) {
	r.World.At(at(begins), func() {
		name := fmt.Sprintf("%v %s>%s", begins, from, to)
		r.Host(from).Go(name, func(p *sim.Proc) {
			_, err := p.Call(r.Host(to).ID, name, 100*ms)
			outcome := "answered"
			if err != nil {
				outcome = err.Error()
			}
			r.seen = append(r.seen, fmt.Sprintf("%s: %s at %s", name, outcome, r.Now()))
		})
	})
}

// saw compares what was answered with the lines of want.
func (r *rig) saw(t *testing.T, want string) {
	t.Helper()
	if end := r.Run(); end != sim.Finished {
		t.Errorf("the run ended: %s", end)
	}
	compare(t, r.seen, want)
}

func compare(t *testing.T, got []string, want string) {
	t.Helper()
	var lines []string
	for line := range strings.Lines(want) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if !slices.Equal(got, lines) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(lines, "\n\t"))
	}
}
