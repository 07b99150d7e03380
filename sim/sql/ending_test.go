package sql

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/storage"
)

func TestASpanKnowsWhyItsSessionEnded(t *testing.T) {
	for name, c := range map[string]struct {
		last   any // the last request of the client
		outage bool
		want   Ending
	}{
		"committed":   {last: []string{"COMMIT", "a"}, want: Ending{Closed, 1, -1}},
		"rolled back": {last: []string{"ROLLBACK", "a"}, want: Ending{Closed, 1, -1}},
		"failed":      {last: In{"a", &storage.Write{Pass: storage.Pass{Fence: 1 << 63}}}, want: Ending{Failed, 1, -1}},
		"idle":        {want: Ending{Expired, -1, -1}},
		"power":       {outage: true, want: Ending{Stopped, -1, 5}},
		"lasts":       {last: In{"a", storage.Read{}}, want: Ending{}},
	} {
		t.Run(name, func(t *testing.T) {
			w, s := sim.New(sim.Config{}), &Server{}
			defer w.Close()
			db := w.AddHost("db", s, 0, 0)
			s.Attach(db, Config{Idle: 5 * time.Second})
			w.AddHost("c", nil, 0, 0).Go("p", func(p *sim.Proc) {
				_, _ = p.Call(0, []string{"BEGIN IMMEDIATE", "a"}, time.Minute)
				p.Sleep(time.Second)
				if c.last != nil {
					_, _ = p.Call(0, c.last, time.Minute)
				}
				if name == "idle" {
					p.Sleep(7 * time.Second)
				}
			})
			if c.outage {
				w.At(clock.Instant(time.Second), func() { w.Blame(5, func() { db.Crash(true) }) })
			}
			w.Run()
			if got := s.Spans()[0].Ended; got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}
