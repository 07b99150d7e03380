package guest_test

import (
	"context"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
)

// A loser is a lock that loses each hold five milliseconds after it has been acquired.
type loser struct{ lost chan struct{} }

func (l *loser) Acquire(context.Context) (string, time.Time, error) {
	lost := make(chan struct{})
	l.lost = lost
	time.AfterFunc(5*time.Millisecond, func() { close(lost) })
	return "x", guest.NoDeadline, nil
}
func (l *loser) Lost() <-chan struct{}         { return l.lost }
func (l *loser) Release(context.Context) error { return nil }
func (l *loser) Close()                        {}

func TestLostHoldIsNoLongerValid(t *testing.T) {
	s, _ := scenarios.Find("baseline/fault-free")
	s.Work.Work.Min, s.Work.Work.Max = 8*time.Millisecond, 9*time.Millisecond
	res, err := guest.Run(t, &s, 1, func(c *guest.Client) (guest.Lock, error) {
		_, err := c.Dial(context.Background(), "tcp", c.Nodes[0]) // else it would have no business with the world
		return &loser{}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range res.Evidence.Holds {
		if d := h.Valid.Sub(h.From); d < 4*time.Millisecond || d > 6*time.Millisecond {
			t.Errorf("a hold that was lost after 5 ms was valid for %s", d)
		}
	}
	if len(res.Evidence.Holds) == 0 || len(res.Evidence.Writes) > 0 {
		t.Errorf("%d holds, and %d writes by who had lost the lock", len(res.Evidence.Holds), len(res.Evidence.Writes))
	}
}
