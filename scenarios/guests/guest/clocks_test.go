package guest_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// A watch notes what its client's clocks show, around a wait of a second by each way to wait.
type watch struct {
	start, later time.Time
	ways         [4]time.Duration
	done         bool
}

func (w *watch) Acquire(ctx context.Context) (string, time.Time, error) {
	if w.done {
		return "", time.Time{}, context.Canceled
	}
	w.done = true
	ways := []func(){
		func() { time.Sleep(time.Second) },
		func() { <-time.After(time.Second) },
		func() {
			done := make(chan bool)
			time.AfterFunc(time.Second, func() { w.later = time.Now(); close(done) })
			<-done
		},
		func() {
			c, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			<-c.Done()
		},
	}
	for i, wait := range ways {
		before := time.Now()
		wait()
		w.ways[i] = time.Since(before)
	}
	return "", time.Time{}, context.Canceled
}
func (w *watch) Release(context.Context) error { return nil }
func (w *watch) Close()                        {}

// With the overlay each guest has the clock of its host: steps of the wall clock and its rate, and waits by that rate.
// Without it such a scenario is refused.
func TestEachGuestHasTheClockOfItsHost(t *testing.T) {
	text := "title: Clocks of clients.\nclients: 2\nnodes: 1\nlock: {kind: single, ttl: 10s, retry: {attempts: 1}}\n" +
		"clocks: {c2: 400000ppm}\nwork: {cycles: 1, stagger: 10s}\nhorizon: 2m\nschedule: |\n  at 1s jump c1 -1h\n"
	s, err := scenarios.Parse("clocks.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	watches := map[string]*watch{}
	s.Lock.Run = guest.Bubble(t, func(c *guest.Client) (guest.Lock, error) {
		w := &watch{start: time.Now()}
		watches[c.Name()] = w
		_, _ = c.Dial(context.Background(), "tcp", c.Nodes[0])
		return w, nil
	})
	if !guest.Clocked() {
		if err := s.Check(); err == nil {
			t.Error("the clocks of clients are wrong, and that is not refused")
		}
		need.Possible(t, "no guest has its host's clock", errors.New(
			"it takes go test -overlay \"$(go run ./guest/overlay)\" ./guest"))
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	scenarios.Run(s, 1)
	one, two := watches["c1"], watches["c2"]
	if one == nil || two == nil {
		t.Fatal(watches)
	}
	start := time.Unix(0, int64(scenarios.Epoch))
	if took, wall := one.later.Sub(one.start), one.later.Round(0).Sub(start); took.Round(time.Second) != 3*time.Second ||
		wall.Round(time.Minute) != -time.Hour {
		t.Errorf("c1, stepped back by an hour, shows that %v passed, and %v on its wall clock", took, wall)
	}
	if ahead := two.start.Round(0).Sub(start); ahead.Round(time.Second) != 10*time.Second { // 7.1s have passed
		t.Errorf("c2, whose workload waits 10s by its fast clock, shows %v then", ahead)
	}
	for i := range one.ways {
		if one.ways[i].Round(time.Millisecond) != time.Second || two.ways[i].Round(time.Millisecond) != time.Second {
			t.Errorf("way %d to wait a second took %v and %v by the guests' own clocks", i, one.ways[i], two.ways[i])
		}
	}
}
