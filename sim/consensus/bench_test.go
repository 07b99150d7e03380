package consensus

import (
	"fmt"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/sim"
)

// A minute of a healthy service, and what a client does in it.
func minute(w *sim.World, c *Cluster, seed uint64, length time.Duration, do func(s *storm, p *sim.Proc)) *storm {
	s := &storm{World: w, cluster: c}
	w.Reset(sim.Config{Seed: seed})
	for i, n := range c.Nodes {
		s.servers = append(s.servers, w.AddHost(fmt.Sprint("k", i+1), n, 0, 0))
	}
	h := w.AddHost("c1", nil, 0, 0)
	c.Attach(s.servers, Config{})
	h.Go("main", func(p *sim.Proc) {
		if do != nil {
			do(s, p)
		}
		p.Sleep(length - p.Mono())
	})
	w.Run()
	return s
}

// A minute in which nothing is asked: what heartbeats and timers cost.
func BenchmarkIdleMinute(b *testing.B) {
	for _, n := range []int{3, 5} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w, c := newWorld(b), NewCluster(n)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				minute(w, c, uint64(i), time.Minute, nil)
			}
		})
	}
}

// BenchmarkStart resets the service and elects its first leader.
func BenchmarkStart(b *testing.B) {
	w, c := newWorld(b), NewCluster(3)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		minute(w, c, uint64(i), 10*time.Millisecond, nil)
	}
}

// Each op is a thousand puts, one after the other, at a follower or the leader.
func BenchmarkThousandPuts(b *testing.B) {
	w, c := newWorld(b), NewCluster(3)
	put := &Txn{Then: []Op{{Do: Put, Key: "k"}}}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		minute(w, c, uint64(i), 0, func(s *storm, p *sim.Proc) {
			p.Sleep(10 * time.Millisecond)
			for range 1000 {
				if _, err := p.Call(s.servers[0].ID, put, time.Second); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Each op is a minute in which the leader goes off 20 times, for a second and a half.
func BenchmarkMinuteWithElections(b *testing.B) {
	w, c := newWorld(b), NewCluster(3)
	terms := 0
	for i := 0; b.Loop(); i++ {
		s := minute(w, c, uint64(i), time.Minute, func(s *storm, p *sim.Proc) {
			for p.Mono() < time.Minute {
				p.Sleep(1500 * time.Millisecond)
				if l := c.leader(); l >= 0 {
					s.servers[l].Crash(true)
					p.Sleep(1500 * time.Millisecond)
					s.servers[l].Restart()
				}
			}
		})
		terms += int(s.cluster.Nodes[0].disk.written.hard.GetTerm()) - 2
	}
	b.ReportMetric(float64(terms)/float64(b.N), "elections/op")
}
